"""Commands to keep a server and to make games."""
