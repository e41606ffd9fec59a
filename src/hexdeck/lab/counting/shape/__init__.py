"""The shape of a match: who leads and keeps the lead, which choices matter and to whom, who waits, and the end."""
