"""The frozen sizes are as large, and as far from trivial, as they say."""

from pathlib import Path

import numpy as np
import pytest
from sizes import greedy_reply, nash_convs, with_table  # a tool

import hexdeck
from hexdeck.bots.players.roster import bot
from hexdeck.engine.discovery.finding import frozen
from hexdeck.engine.errors import BadOption
from hexdeck.research.benchmark.algorithms import Ground
from hexdeck.research.exact import GameTree, Size, sized, sizes
from hexdeck.research.exact.tree import Deals, bot_policy, gains_by_deals, histories
from tests.settings import GAMES

MOST = {"tiny": 10_000, "small": 1_000_000, "mid": 1_000_000_000}
ALL = [size for name in GAMES for size in sizes(name)]
CASES = [
    pytest.param(each, marks=() if "tiny" in each.name else (pytest.mark.long,), id=f"{each.name}-{each.game.players}")
    for each in ALL
    if (each.name, each.game.players) != ("blackstone/mid", 2)  # takes a minute and a half; that for three is tried
]
PAGE = Path(__file__).parents[3] / "docs" / "reference" / "sizes.md"


@pytest.mark.parametrize("size", CASES)
def test_a_size_has_the_histories_uniform_value_and_range_that_it_says(size: Size) -> None:
    assert histories(size.game) == size.histories <= MOST[size.name.rpartition("/")[2]]
    assert sum(gains_by_deals(size.game)) == pytest.approx(size.uniform, abs=1e-6)
    assert said(size)["range"] == pytest.approx(Ground(size.name, size.game, size.histories).scale, abs=1e-6)


def test_in_no_size_is_uniform_play_good() -> None:
    """It gives away a tenth of the range or more; that the files say so rightly is measured above."""
    assert [size.name for size in ALL if size.uniform < 0.1 * said(size)["range"]] == []


@pytest.mark.parametrize("size", [case for case in CASES if not case.values[0].name.endswith("/mid")])
def test_a_size_says_what_four_ways_of_playing_give_away(size: Size) -> None:
    tree = GameTree(size.game)
    found = nash_convs(tree) | {"range": np.ptp(tree.nodes[-1][:, : size.game.players])}
    assert {name: said(size)[name] for name in found} == pytest.approx(found, abs=2e-6)
    assert max(found["reply"], found["solver"]) < found["uniform"]


def test_a_strategy_is_asked_what_its_seat_knows() -> None:
    tree = GameTree(sized("cursed-hand/tiny"))
    often = bot_policy(tree, bot("house", tree.game), 8)
    assert np.allclose(np.add.reduceat(often, tree.slots[:-1]), 1) and set(often) <= {k / 8 for k in range(9)}
    tree = GameTree(sized("hawthorn/tiny"))
    often = bot_policy(tree, bot("house", tree.game), 8)
    easy = bot_policy(tree, bot("gentle", tree.game), 8)
    assert set(easy) == {0.0, 1.0}  # it draws no lots
    lowest = [tree.names[first] for first in tree.slots[:-1] if easy[first] == 1]
    assert lowest and not np.array_equal(easy, often)


def test_a_greedy_reply_is_each_seats_best_response() -> None:
    tree = GameTree(sized("hawthorn/tiny"))
    reply = greedy_reply(tree, tree.uniform())
    for seat in (0, 1):
        value, best = tree.best_response(tree.uniform(), seat)
        own = np.repeat(tree.seats == seat, np.diff(tree.slots))
        assert np.array_equal(reply[own], best[own]) and tree.values(best)[seat] == pytest.approx(value)


def said(size: Size) -> dict[str, float]:
    found = [each for each in frozen(size.game.name) if each["options"].items() <= size.game.options.items()]
    return next(each for each in found if each["players"] == size.game.players and size.name.endswith(each["name"]))


def test_sizes_are_found_by_name_and_players() -> None:
    assert sized("cursed-hand/tiny") == hexdeck.game("cursed-hand", 2, deck="0-3-1-1-1", hand_cards=2)
    assert sized("cursed-hand/tiny", 3).players == 3
    assert sized("hawthorn/full", 8) == hexdeck.game("hawthorn", 8)
    with pytest.raises(BadOption, match="There is no size hawthorn/huge; there are hawthorn/tiny, hawthorn/small,"):
        sized("hawthorn/huge")
    with pytest.raises(BadOption, match="hawthorn/tiny is for 2 or 3 players, not 5"):
        sized("hawthorn/tiny", 5)


def test_sizes_are_found_by_name_in_the_forms_of_all_frameworks() -> None:
    gymnasium = pytest.importorskip("gymnasium")
    pytest.importorskip("pyspiel")
    import hexdeck.envs.gymnasium  # registers the games
    from hexdeck.envs import open_spiel, pettingzoo

    wanted = sized("cursed-hand/small", 3)
    for make in (pettingzoo.env, pettingzoo.raw_env, pettingzoo.parallel_env):
        assert make("cursed-hand/small", 3).unwrapped.game == wanted
    *_older, name = [each for each in gymnasium.registry if each.startswith("hexdeck/CursedHand-")]
    assert gymnasium.make(name, game_name="cursed-hand/small", players=3).unwrapped.game == wanted
    many = gymnasium.make_vec(name, num_envs=2, game_name="cursed-hand/small", players=3)
    assert many.unwrapped.batch.game == wanted
    many.close()
    assert open_spiel.load(hexdeck.game("cursed-hand/small", 3)).setup == wanted


def test_the_page_lists_all_sizes() -> None:
    page = PAGE.read_text(encoding="utf-8")
    assert with_table(page) == page
    for size in ALL:
        (row,) = [line for line in page.splitlines() if line.startswith(f"| `{size.name}` | {size.game.players} |")]
        assert f"| {size.histories:,} |" in row and f"| {size.uniform:.3f} |" in row


def test_wolf_mans_curse_has_no_tiny_size_because_dealing_alone_is_larger() -> None:
    small = dict(sizes("wolf-mans-curse")[0].game.options)
    assert Deals(hexdeck.game("wolf-mans-curse", 3, **small)).orders.sum() >= 8 * 7 * 6 * 5 * 4 * 3 > MOST["tiny"]
    with pytest.raises(BadOption, match="4 number cards can't give 3 players 2 cards each"):
        hexdeck.game("wolf-mans-curse", 3, **{**small, "ranks": 1})
