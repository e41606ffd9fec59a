"""The pages to come back for: the deals of the day, and what somebody has played."""
