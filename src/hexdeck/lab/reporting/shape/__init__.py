"""The shape of a match in reports: its table and its findings."""
