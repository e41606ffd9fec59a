"""Make a game: `hexdeck new-game` writes one to begin with, `hexdeck check-game` says how far it is."""
