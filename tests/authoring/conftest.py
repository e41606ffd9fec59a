"""A room of its own for who types commands."""

from tests.people import room

__all__ = ["room"]
