"""Where games are, what each must define, and whether it works."""
