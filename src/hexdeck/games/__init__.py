"""The games, a folder each; they are found by looking."""
