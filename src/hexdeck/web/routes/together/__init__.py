"""Coming together: codes that bring guests to a table, and one screen that shows it to all."""
