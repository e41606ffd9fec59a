"""How many information sets sizes have, in the exact engine, in OpenSpiel and to a learner."""

import pytest
from sizes import distinct_observations, information_states

import hexdeck
from hexdeck.engine.discovery.finding import frozen
from hexdeck.research.exact import GameTree
from tests.settings import much
from tests.support import for_each


@for_each("name", much(["cursed-hand"], ["cursed-hand", "hawthorn", "blackstone", "high-handed"]))
def test_information_sets_are_as_many_as_the_table_says_in_both_forms(name: str) -> None:
    pytest.importorskip("pyspiel")
    (tiny,) = [size for size in frozen(name) if (size["name"], size["players"]) == ("tiny", 2)]
    game = hexdeck.game(f"{name}/tiny", 2)
    tree = GameTree(game)
    assert (len(tree.keys), information_states(game)) == (tiny["sets"], tiny["states"])
    rows = {(seat, row.tobytes()) for seat, row in zip(tree.seats.tolist(), tree.observations, strict=True)}
    assert len(rows) == distinct_observations(tree) == tiny["observations"]
