"""The frozen sizes are as large, and as far from trivial, as they say."""

from pathlib import Path

import numpy as np
import pytest

import hexdeck
from hexdeck.engine.errors import BadOption
from hexdeck.exact import GameTree, Size, sized, sizes
from hexdeck.exact.deals import gains_by_deals, histories
from tests.settings import GAMES

MOST = {"tiny": 10_000, "small": 1_000_000, "mid": 1_000_000_000}
ALL = [size for name in GAMES for size in sizes(name)]
CASES = [
    pytest.param(each, marks=() if "tiny" in each.name else (pytest.mark.long,), id=f"{each.name}-{each.game.players}")
    for each in ALL
]
PAGE = Path(__file__).parents[2] / "docs" / "howto" / "measure_exploitability.md"


@pytest.mark.parametrize("size", CASES)
def test_a_size_has_the_histories_that_it_says_and_uniform_play_is_bad_in_it(size: Size) -> None:
    assert histories(size.game) == size.histories <= MOST[size.name.rpartition("/")[2]]
    assert sum(gains_by_deals(size.game)) == pytest.approx(size.uniform, abs=1e-6)
    if size.histories <= MOST["small"]:
        ends = GameTree(size.game)._ends[:, : size.game.players]
        assert size.uniform >= 0.1 * np.ptp(ends)


def test_best_play_is_mixed_in_tiny_sizes() -> None:
    for size in [each for each in ALL if each.name.endswith("/tiny")]:
        tree = GameTree(size.game)
        found = tree.cfr_plus(100)
        assert tree.nash_conv(found) < 0.02 * size.uniform and np.mean((found > 0.1) & (found < 0.9)) > 0.1


def test_sizes_are_found_by_name_and_players() -> None:
    assert sized("cursed-hand/tiny") == hexdeck.game("cursed-hand", 2, deck="2-2-2", hand_cards=2)
    assert sized("cursed-hand/tiny", 3).players == 3
    assert sized("hawthorn/full", 8) == hexdeck.game("hawthorn", 8)
    with pytest.raises(BadOption, match="There is no size hawthorn/huge; there are hawthorn/tiny, hawthorn/small,"):
        sized("hawthorn/huge")
    with pytest.raises(BadOption, match="hawthorn/tiny is for 2, 3 players, not 5"):
        sized("hawthorn/tiny", 5)


def test_the_page_lists_all_sizes() -> None:
    page = PAGE.read_text(encoding="utf-8")
    for size in ALL:
        assert f"| `{size.name}` | {size.game.players} | {size.histories:,} | {size.uniform:.3f} |" in page
