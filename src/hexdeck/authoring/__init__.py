"""Make a game: `hexdeck game new` writes one to begin with, `hexdeck game check` says how far it is."""
