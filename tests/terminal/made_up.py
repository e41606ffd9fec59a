"""A made-up game for tests of the terminal, found like any other while a test asks for it."""

from collections.abc import Iterator
from pathlib import Path

import pytest

import hexdeck
from hexdeck import games
from hexdeck.engine.game import Game, game_names

FOLDER = Path(__file__).parent / "games"


@pytest.fixture
def lay_cards(monkeypatch: pytest.MonkeyPatch) -> Iterator[Game]:
    """The game of `games/lay_cards`."""
    monkeypatch.setattr(games, "__path__", [*games.__path__, str(FOLDER)])
    game_names.cache_clear()
    yield hexdeck.game("lay-cards", 2)
    game_names.cache_clear()
