"""The addresses of puzzles."""
