"""What if: every option of a game at other values, one at a time, each on the same deals as the game as it is."""
