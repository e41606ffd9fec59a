"""What was counted, told to people: reports, comparisons, plots, pages."""
