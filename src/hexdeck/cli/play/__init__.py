"""Commands to play."""
