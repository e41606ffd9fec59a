"""The state of a running server."""
