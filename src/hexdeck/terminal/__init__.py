"""The terminal: it draws views and reads moves; it knows no game."""
