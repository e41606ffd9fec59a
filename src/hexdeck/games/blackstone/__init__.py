"""Blackstone."""
