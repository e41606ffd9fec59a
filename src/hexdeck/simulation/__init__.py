"""Whole games and batches between any bots, in compiled code. `hexdeck.game()` returns its `Game`."""
