"""Contests between bots on the same deals."""
