"""What is stored of puzzles: who answered which."""
