"""Whole games and batches between any bots, in compiled code; `Game` is what people start from."""
