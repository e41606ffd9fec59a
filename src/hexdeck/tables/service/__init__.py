"""What is done with tables: created, changed, kept running, archived."""
