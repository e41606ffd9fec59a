"""The answers on a report's first page: whether a game is fair, long, luck, dead in parts, a runaway, confusing."""
