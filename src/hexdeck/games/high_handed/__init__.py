"""High Handed."""
