"""Play in the terminal: draws views, reads moves."""
