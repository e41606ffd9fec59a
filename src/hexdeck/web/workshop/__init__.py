"""The workshop in the browser: what a change of a game does, measured while one looks."""
