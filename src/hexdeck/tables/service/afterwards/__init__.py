"""What comes after a match: its analysis, choosing again, and what players say of it."""
