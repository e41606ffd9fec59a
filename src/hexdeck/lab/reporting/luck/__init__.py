"""Luck and skill in reports: where results come from, and what thinking longer brings."""
