"""The six games, one folder each."""
