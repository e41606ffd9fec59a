"""A match: set up, played, shown to its seats, scored and recorded."""
