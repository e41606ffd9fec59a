"""Commands to playtest a game."""
