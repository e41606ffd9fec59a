"""Puzzles: positions with one surely best move, found in matches between bots; three of them a day."""
