"""Whole games and batches of matches with any bots, in compiled code; `hexdeck.game()` returns its `Game`."""
