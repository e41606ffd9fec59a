"""Changes of the database schema, applied at start."""
