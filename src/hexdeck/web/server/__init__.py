"""A running server: its settings, state, streams, limits, and calls to who is away."""
