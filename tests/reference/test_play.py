"""Random play of a reference game, and the same events again."""

import random

from hexdeck.games.blackstone.tests import reference as blackstone
from tests.reference.play import play, replay


def test_play_and_replay_agree() -> None:
    first, second = blackstone.Reference(3, rounds=3), blackstone.Reference(3, rounds=3)
    replay(second, play(first, random.Random(1)))
    assert second.over and first.returns() == second.returns()
