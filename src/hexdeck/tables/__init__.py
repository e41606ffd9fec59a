"""A live table: seats, tokens, clocks, storage, bots, fan-out. It knows nothing of pages."""
