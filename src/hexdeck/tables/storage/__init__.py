"""Tables in a database, and news of them between processes."""
