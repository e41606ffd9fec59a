"""Reports, comparisons, plots, pages."""
