"""Wolf-Man's Curse."""
