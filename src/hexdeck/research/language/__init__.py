"""Language models as players: a seat's table as a prompt, a lenient reader of answers, and who is asked."""
