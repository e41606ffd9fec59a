"""A made-up game for tests of the terminal, found like any other while a test asks for it."""

from collections.abc import Iterator
from pathlib import Path

import pytest

import hexdeck
from hexdeck.engine.discovery import finding
from hexdeck.engine.discovery.definition import forget
from hexdeck.simulation.game import Game

FOLDER = Path(__file__).parent / "games"


@pytest.fixture
def lay_cards(monkeypatch: pytest.MonkeyPatch) -> Iterator[Game]:
    """The game of `games/lay_cards`."""
    with monkeypatch.context() as patch:
        patch.setenv(finding.PATH, str(FOLDER))
        yield hexdeck.game("lay-cards", 2)
    forget()
