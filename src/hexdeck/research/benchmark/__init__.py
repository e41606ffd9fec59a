"""The benchmark: learners side by side on frozen sizes, with exact NashConv while they learn."""
