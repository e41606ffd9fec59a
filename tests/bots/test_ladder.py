"""Contests on duplicate deals, ratings, and the levels that show them."""

import json
from pathlib import Path

import numpy as np
import pytest

import hexdeck
from hexdeck.bots import levels
from hexdeck.bots.contest import COLUMNS, Contest, contest, placed
from hexdeck.bots.ladder import ladder, rated
from hexdeck.bots.players import bot
from hexdeck.engine.text import Catalogue
from tests.compiled import warm
from tests.settings import every_game


@pytest.mark.parametrize(
    ("returns", "seat", "row"),
    [
        ([1.0, -1.0], 0, (1.0, 1.0, 0.0, 1.0)),
        ([0.5, 0.5, -1.0], 0, (0.5, 0.5, 0.0, 0.75)),
        ([0.0, 0.0, 0.0], 2, (0.0, 1 / 3, 1 / 3, 0.5)),
        ([3.0, 1.0, 1.0, 2.0], 1, (1.0, 0.0, 0.5, 1 / 6)),
    ],
)
def test_places_are_shared_by_those_who_tie(returns: list[float], seat: int, row: tuple[float, ...]) -> None:
    assert placed(np.array(returns), seat) == pytest.approx(row)


def test_a_bot_among_its_like_is_average() -> None:
    warm("hawthorn", "fast")
    found = contest(hexdeck.game("hawthorn", 3), "house", "house", 60)
    assert found.groups.shape == (60, len(COLUMNS))
    for column, fair in (("utility", 0), ("first", 1 / 3), ("last", 1 / 3), ("ahead", 1 / 2)):
        mean, margin = found.mean(column)
        assert abs(mean - fair) <= 3 * margin + 1e-9, column


def test_a_contest_can_be_played_again() -> None:
    warm("hawthorn", "fast")
    game = hexdeck.game("hawthorn", 2)
    first, again = (contest(game, "random", "house", 10, seed=3) for _ in range(2))
    assert np.array_equal(first.groups, again.groups)


def made(one: str, others: str, ahead: list[float]) -> Contest:
    """A contest in which this was seen."""
    groups = np.zeros((len(ahead), len(COLUMNS)))
    groups[:, COLUMNS.index("ahead")] = ahead
    return Contest(one, others, groups)


def test_ratings_tell_the_odds_to_come_in_ahead() -> None:
    contests = [made("a", "b", [10 / 11] * 2), made("b", "a", [1 / 11] * 2)]
    assert rated(["a", "b"], contests, np.arange(2)) == pytest.approx([0, -400], abs=0.5)
    three = [*contests, made("b", "c", [10 / 11] * 2), made("c", "b", [1 / 11] * 2)]
    three += [made("a", "c", [100 / 101] * 2), made("c", "a", [1 / 101] * 2)]
    assert rated(["a", "b", "c"], three, np.arange(2)) == pytest.approx([0, -400, -800], abs=3)


def test_a_ladder_rates_better_bots_higher() -> None:
    warm("hawthorn", "fast")
    found = ladder(hexdeck.game("hawthorn", 2), ["house", "gentle", "random"], 40)
    assert found.ratings[0] == 0 > found.ratings[2] + found.margins[2]
    played = [(each.one, each.others) for each in found.contests]
    assert played == [("gentle", "house"), ("random", "house"), ("random", "gentle")]


@pytest.mark.parametrize("bots", [["house"], ["house", "house"], []])
def test_a_ladder_of_one_is_none(bots: list[str]) -> None:
    with pytest.raises(hexdeck.BadOption, match="at least two bots"):
        ladder(hexdeck.game("hawthorn", 2), bots, 2)


@every_game
def test_a_level_is_a_bot_where_it_has_been_measured_and_only_there(name: str) -> None:
    low, high = hexdeck.game(name).rules.PLAYERS
    for players in range(low, high + 1):
        game = hexdeck.game(name, players)
        for level, played in levels.levels_of(game).items():
            assert bot(level, game, lane="interpreted").name == bot(played, game, lane="interpreted").name
        for level in {*levels.LEVELS} - {*levels.levels_of(game), "gentle"}:
            with pytest.raises(hexdeck.UnknownBot, match=f"There is no bot {level}"):
                bot(level, game)


def test_levels_may_differ_by_the_number_of_players(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(levels, "game_folder", lambda name: tmp_path)
    kept = {"levels": {"*": {"best": "search:9", "steady": "house"}, "2": {"best": "rollout:9"}}}
    (tmp_path / "levels.json").write_text(json.dumps(kept), encoding="utf-8")
    levels.data.cache_clear()
    two, three = (hexdeck.game("hawthorn", players) for players in (2, 3))
    assert levels.levels_of(two) == {"steady": "house", "best": "rollout:9"}
    assert [bot("best", game, lane="interpreted").name for game in (two, three)] == ["rollout", "search"]
    levels.data.cache_clear()


def test_what_was_measured_is_kept_and_shown(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(levels, "game_folder", lambda name: tmp_path)
    levels.data.cache_clear()
    game = hexdeck.game("hawthorn", 4)
    assert str(levels.label(game, "best")) == str(levels.ABOUT["best"])
    groups = np.full((8, len(COLUMNS)), 0.375)
    levels.keep(game, [Contest("best", "steady", groups)], "a command")
    text = "wins 38 % at a table of 4 against 3 steady players"
    assert str(Catalogue("en").words(levels.label(game, "best"))) == text
    kept = json.loads((tmp_path / "levels.json").read_text(encoding="utf-8"))
    assert (
        kept["measured"]["4"]["contests"][0]["first"] == [0.375, 0] and kept["measured"]["4"]["command"] == "a command"
    )
    levels.data.cache_clear()
