"""A room of its own for each test that runs a command."""

from tests.people import room

__all__ = ["room"]
