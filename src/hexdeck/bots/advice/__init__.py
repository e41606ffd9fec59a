"""Hints and analyses: what a move is worth, and why."""
