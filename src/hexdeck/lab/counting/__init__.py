"""What is counted in each game."""
