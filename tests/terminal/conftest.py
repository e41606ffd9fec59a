"""A room of its own for each test, so that nobody's saved matches are touched; a made-up game."""

from collections.abc import Iterator
from pathlib import Path

import pytest

import hexdeck
from hexdeck.engine.discovery import finding
from hexdeck.engine.discovery.definition import forget
from hexdeck.simulation.game import Game
from tests.people import Room, room

__all__ = ["room"]


@pytest.fixture(autouse=True)
def _alone(room: Room) -> None:
    """Every test here is in a room of its own."""


@pytest.fixture
def lay_cards(monkeypatch: pytest.MonkeyPatch) -> Iterator[Game]:
    """The game of `games/lay_cards`, found like any other while a test asks for it."""
    with monkeypatch.context() as patch:
        patch.setenv(finding.PATH, str(Path(__file__).parent / "games"))
        yield hexdeck.game("lay-cards", 2)
    forget()
