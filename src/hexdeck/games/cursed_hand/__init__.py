"""Cursed Hand."""
