"""Reads requests: who asks, what was sent, which table it is about."""
