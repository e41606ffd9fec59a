"""What people said of matches, for reports on these."""
