"""A room of its own for each test, so that nobody's saved matches are touched."""

import pytest

from tests.people import Room, room

__all__ = ["room"]


@pytest.fixture(autouse=True)
def _alone(room: Room) -> None:
    """Every test here is in a room of its own."""
