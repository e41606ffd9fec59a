"""One match: set up, played, seen by seats, scored, recorded."""
