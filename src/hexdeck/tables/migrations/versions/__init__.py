"""The changes of the database schema, in order."""
