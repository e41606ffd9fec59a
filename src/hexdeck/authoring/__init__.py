"""For who makes a game: a first game to begin with, and how far a game is."""
