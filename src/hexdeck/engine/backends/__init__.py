"""Backends: how plain rules run, as machine code or interpreted and strict, and where machine code is kept."""
