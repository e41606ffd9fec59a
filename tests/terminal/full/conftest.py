"""The full screen is tested where its library is."""

import pytest

from tests.people import Room, room

__all__ = ["room"]
pytest.importorskip("textual")


@pytest.fixture(autouse=True)
def _alone(room: Room) -> None:
    """Every test here is in a room of its own."""
