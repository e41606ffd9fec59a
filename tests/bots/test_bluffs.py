"""Medium in Cursed Hand bluffs now and then, and rather calls where it is right."""

from bluffs import counted

import hexdeck
from tests.settings import much
from tests.support import for_each


@for_each("players", [2, 4])
def test_the_medium_level_bluffs_as_people_do_and_is_right_in_most_of_its_calls(players: int) -> None:
    counts = counted(hexdeck.game("cursed-hand", players), "medium", much(40, 200), 3)
    assert 0.1 < counts["bluffed"] / counts["could"] < 0.25 and counts["right"] > 0.5 * counts["called"] > 20
