"""Tiny decks walked completely: as many histories of each kind as the data says, and the same expectations."""

import pytest

from hexdeck.simulation.game import Game
from tests.settings import title

from .tiny import Judge, Kernel, Walk, breakdown, tiny_games, walk

every_tiny_game = pytest.mark.parametrize(
    ("setting", "histories"), [pytest.param(*entry, id=title(entry[0])) for entry in tiny_games()]
)


@every_tiny_game
def test_the_kernel_has_exactly_these_histories(setting: Game, histories: Walk) -> None:
    found = walk(Kernel.root(setting))
    assert found == histories, breakdown(Kernel.root(setting), Judge.root(setting))


@every_tiny_game
def test_the_reference_has_exactly_these_histories(setting: Game, histories: Walk) -> None:
    assert walk(Judge.root(setting)) == histories
