"""Many games, played and stored."""
