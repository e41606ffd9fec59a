"""Reports in a real browser."""
