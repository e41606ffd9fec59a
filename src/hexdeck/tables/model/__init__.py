"""One table: seats, choices, fair cards."""
