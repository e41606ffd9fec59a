"""A home folder for each test, so that no saved matches are touched."""

import pytest

from tests.people import Room, room

__all__ = ["room"]


@pytest.fixture(autouse=True)
def _alone(room: Room) -> None:
    """Run every test here in a home folder of its own."""
