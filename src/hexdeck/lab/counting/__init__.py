"""What is counted in many games, and how sure it is."""
