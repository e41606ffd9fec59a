"""A live table: seats, choices, fair cards."""
