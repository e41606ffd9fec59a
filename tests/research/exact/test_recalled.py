"""Where best play must be mixed, and that what a key forgets is worth nothing."""

import numpy as np
import pytest

from hexdeck.research.exact import GameTree, sized
from tests.research.exact.recalled import Recalled

LOST = {  # what the best play without lots gets less than the best there is: of each seat, by the size for two
    "blackstone/tiny": 0.0,
    "cursed-hand/tiny": 1 / 12,
    "cursed-hand/small": 23 / 70,
    "hawthorn/tiny": 1 / 90,
    "hawthorn/small": 3 / 70,
    "high-handed/tiny": 0.0,
}
CASES = [pytest.param(name, marks=pytest.mark.long if name.endswith("/small") else ()) for name in LOST]
KEYS = {
    ("cursed-hand/tiny", 2): (232, 304),
    ("cursed-hand/tiny", 3): (153, 171),
    ("cursed-hand/small", 2): (2366, 4076),
    ("hawthorn/tiny", 2): (442, 442),
}


@pytest.mark.parametrize("name", CASES)
def test_best_play_must_be_mixed_where_the_page_says_so(name: str) -> None:
    recalled = Recalled(GameTree(sized(name)))
    for seat in (0, 1):
        lost = recalled.sure_of(seat, lots=True) - recalled.sure_of(seat, lots=False)
        assert lost == pytest.approx(LOST[name], abs=1e-7)


@pytest.mark.parametrize(("name", "players"), KEYS)
def test_a_seat_that_remembers_all_that_it_chose_gains_no_more(name: str, players: int) -> None:
    """In Cursed Hand a key doesn't say which cards in a hand were dealt and which were drawn."""
    tree = GameTree(sized(name, players))
    recalled = Recalled(tree)
    assert (len(tree.keys), len(recalled.sets)) == KEYS[name, players]
    policy = tree.normed(np.random.default_rng(5).random(len(tree.names)) ** 4 + 1e-3)
    for seat in range(players):
        assert recalled.best_response(policy, seat) == pytest.approx(tree.best_response(policy, seat)[0], abs=1e-12)
