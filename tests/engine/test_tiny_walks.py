"""Tiny decks walked completely by the references: as many histories of each kind as the data says, and the same means.

That the kernels have the same is told by their trees (`tests/research/exact/test_trees.py`).
"""

import pytest

from hexdeck.simulation.game import Game
from tests.rules.test_reference import reference
from tests.settings import title

from .tiny import Walk, tiny_games, walk


@pytest.mark.parametrize(("setting", "histories"), [pytest.param(*each, id=title(each[0])) for each in tiny_games()])
def test_the_reference_has_exactly_these_histories(setting: Game, histories: Walk) -> None:
    assert walk(reference(setting)) == histories
