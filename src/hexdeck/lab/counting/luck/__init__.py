"""Luck and skill: what results vary by, what luck is equivalent to, and what thinking longer brings."""
