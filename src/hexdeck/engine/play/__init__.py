"""One match of a game: set up, played, seen by seats, scored, recorded."""
