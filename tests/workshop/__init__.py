"""The workshop, on a server and in a real browser."""
