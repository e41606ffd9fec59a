"""Commands for who keeps a server or makes a game."""
