"""Hawthorn."""
