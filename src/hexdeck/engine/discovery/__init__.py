"""Games as folders: where they are, what each must hold, and whether it works."""
