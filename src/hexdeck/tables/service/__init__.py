"""What is done with tables: they are set, changed, kept running, read again."""
