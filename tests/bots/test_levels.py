"""Levels: a bot for each in every game, what was measured of them, and what menus say."""

import json
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

import hexdeck
from hexdeck.bots.players import bot_names, levels
from hexdeck.bots.players.bot_names import spoken, stored
from hexdeck.bots.players.kinds import BY_SOLVER
from hexdeck.bots.players.roster import bot, resolved
from hexdeck.engine.study import CHIPS
from hexdeck.engine.text import Catalogue
from hexdeck.research import rating as kept_levels
from hexdeck.research.rating import COLUMNS, Contest
from hexdeck.simulation.game import Game
from hexdeck.tables.commands import TableSetup, checked, seats_for
from tests.settings import GAMES, all_settings
from tests.support import for_each

MOST = {"sharp": 10.0, "best": 50.0}  # milliseconds a choice may take in the median


def tables(name: str) -> list[Game]:
    low, high = hexdeck.game(name).rules.PLAYERS
    return [hexdeck.game(name, players) for players in range(low, high + 1)]


def measured(name: str) -> list[Game]:
    return [game for game in tables(name) if str(game.players) in levels.data(hexdeck.game(name))["measured"]]


def contests(game: Game) -> dict[tuple[str, str], dict[str, list[float]]]:
    rows = levels.data(game)["measured"][str(game.players)]["contests"]
    return {(row["one"], row["others"]): row for row in rows}


@for_each("name", GAMES)
def test_every_table_has_all_levels(name: str) -> None:
    for game in tables(name):
        assert tuple(levels.levels_of(game)) == levels.LEVELS
        for level, played in levels.levels_of(game).items():
            assert resolved(level, game) == played
            assert played in BY_SOLVER or bot(level, game, backend="interpreted").name == played.partition(":")[0]


@for_each("name", GAMES)
def test_what_was_measured_is_of_the_levels_as_they_are_by_one_program_on_200_deals_at_least(name: str) -> None:
    rows = levels.data(hexdeck.game(name))["measured"]
    assert len({row["program"] for row in rows.values()}) == 1
    for game in measured(name):
        assert rows[str(game.players)]["bots"] == levels.levels_of(game)
        for (one, _others), row in contests(game).items():
            assert row["groups"] >= 200 and row["ms"] <= MOST.get(one, np.inf), (game.players, one)


@for_each("name", GAMES)
def test_each_level_gains_from_the_one_below_beyond_doubt(name: str) -> None:
    ladder = [levels.CALIBRATION, *levels.LEVELS]
    doubtful = [
        (name, game.players, one)
        for game in measured(name)
        for below, one in pairwise(ladder)
        if not (levels.is_sure(contests(game)[one, below]) and contests(game)[one, below]["gain"][0] > 0)
    ]
    assert not doubtful


@for_each("name", GAMES)
def test_labels_are_on_one_scale_on_which_each_level_does_better_than_the_one_below(name: str) -> None:
    column = (
        "gain" if levels.in_chips(hexdeck.game(name)) else "last" if levels.one_loser(hexdeck.game(name)) else "first"
    )
    for game in measured(name):
        assert levels.in_chips(game) == (game.measure == CHIPS)
        assert levels.share(game, levels.USUAL) is None
        even = 0.0 if column == "gain" else 1 / game.players
        scale = [
            even if level == levels.USUAL else contests(game)[level, levels.USUAL][column][0]
            for level in levels.LEVELS
            if level == levels.USUAL or levels.share(game, level) is not None
        ]
        assert scale == sorted(set(scale), reverse=column == "last"), game.players
        assert len(scale) >= 3, game.players


def test_what_no_solver_can_play_another_bot_does() -> None:
    not_solved = hexdeck.game("blackstone", 4, sit_out=True)
    bests = [levels.levels_of(hexdeck.game("blackstone", players))["best"] for players in (2, 3, 5, 6)]
    assert (
        bests == ["solved", "response", "response", "solved"] and levels.levels_of(not_solved)["best"] not in BY_SOLVER
    )
    assert bot("best", not_solved, backend="interpreted").name == "rollout"


def test_options_that_nobody_measured_have_no_figures() -> None:
    assert levels.share(hexdeck.game("hawthorn", 3), "best") is not None
    assert levels.share(hexdeck.game("hawthorn", 3, deals=2), "best") is None
    assert levels.label(hexdeck.game("hawthorn", 3, deals=2), "best") == levels.ABOUT["best"]


def test_at_tables_that_play_longer_it_is_said_once_with_what_was_measured() -> None:
    line_hands = "“How many poker hands a card can score in one line”: one"
    for name, players, usual in (
        ("blackstone", 4, "“Rounds in a match”: 1"),
        ("hawthorn", 3, "“Deals in a match”: 1"),
        ("high-handed", 4, f"“Who begins the first game”: the player in the first seat, {line_hands}"),
    ):
        game = Game.at_table(name, players)
        for level in ("gentle", "sharp", "best"):
            assert levels.label(game, level) == levels.label(hexdeck.game(name, players), level)
        assert str(levels.measured_with(game)) == f"Measured among bots, with {usual}."
    assert levels.measured_with(hexdeck.game("hawthorn", 3)) is None
    two = Game.at_table("hawthorn", 2)  # there `best` is another bot than was measured: its net knows single deals
    assert levels.levels_of(two)["best"] != levels.levels_of(hexdeck.game("hawthorn", 2))["best"]
    assert levels.label(two, "best") == levels.ABOUT["best"]


def test_levels_may_differ_by_the_number_of_players(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(levels, "levels_file", lambda game: tmp_path / "levels.json")
    kept = {"levels": {"*": {"best": "search:9", "steady": "house"}, "2": {"best": ["solved", "rollout:9"]}}}
    (tmp_path / "levels.json").write_text(json.dumps(kept), encoding="utf-8")
    levels.read.cache_clear()
    two, three = (hexdeck.game("hawthorn", players) for players in (2, 3))
    assert levels.levels_of(two) == {"steady": "house", "best": "rollout:9"}
    assert [bot("best", game, backend="interpreted").name for game in (two, three)] == ["rollout", "search"]
    with pytest.raises(hexdeck.UnknownBot, match="There is no bot hard"):
        bot("sharp", two)
    levels.read.cache_clear()


@for_each(("share", "text"), [(0.0024, "0.2"), (0.0049, "0.5"), (0.0051, "1"), (0.12, "12"), (0.0, "0.0")])
def test_a_share_that_would_round_to_nothing_has_tenths(share: float, text: str) -> None:
    assert str(levels.percent_text(share)) == text


@pytest.mark.parametrize(
    ("loser", "text"),
    [
        (False, "Best: the strongest bot here; wins 38 of 100 matches against 3 medium bots (fair share: 25)"),
        (True, "Best: the strongest bot here; loses 12 of 100 matches against 3 medium bots (fair share: 25)"),
    ],
)
def test_what_was_measured_is_kept_and_shown(loser, text, tmp_path, monkeypatch) -> None:
    monkeypatch.setattr(levels, "levels_file", lambda game: tmp_path / "levels.json")
    (tmp_path / "levels.json").write_text(json.dumps({"one_loser": loser, "levels": {}}), encoding="utf-8")
    levels.read.cache_clear()
    game = hexdeck.game("hawthorn", 4)
    assert str(levels.label(game, "best")) == str(levels.ABOUT["best"])
    groups = np.tile([0.0, 0.375, 0.12, 0.0, 0.5], (levels.ENOUGH, 1))
    assert groups.shape[1] == len(COLUMNS)
    kept_levels.keep(game, [Contest("best", "steady", groups[1:])], "too few deals")
    assert levels.share(game, "best") is None
    kept_levels.keep(game, [Contest("best", "steady", groups)], "a command")
    assert str(Catalogue("en").words(levels.label(game, "best"))) == text
    kept = json.loads((tmp_path / "levels.json").read_text(encoding="utf-8"))["measured"]["4"]
    assert kept["contests"][0]["first"] == [0.375, 0] and kept["command"] == "a command"
    levels.read.cache_clear()


@for_each("name", GAMES)
def test_a_net_plays_under_the_options_it_knows_or_is_known_to_bear(name: str) -> None:
    bears = levels.data(hexdeck.game(name)).get("net_options", [])
    assert set(bears) <= {option.name for option in hexdeck.game(name).rules.OPTIONS}
    for game in tables(name):
        best = levels.levels_of(game)["best"]
        for setting in all_settings(name):
            if best.startswith(("net", "think")) and setting.players == game.players:
                changed = {
                    option.name for option in setting.rules.OPTIONS if setting.options[option.name] != option.default
                }
                played = levels.levels_of(setting)["best"]
                assert played == best if changed <= set(bears) else not played.startswith(("net", "think"))


def test_a_level_may_be_named_as_people_call_it() -> None:
    game = hexdeck.game("hawthorn", 2)
    for typed, name in (("easy", "gentle"), ("medium", "steady"), ("hard", "sharp")):
        assert resolved(typed, game) == resolved(name, game) != typed
        assert str(bot_names.TITLES[name]).lower() == typed


@for_each("name", ["easy", "search:easy:20", "hard", "best", "house", "run:easy"])
def test_what_people_type_is_kept_under_another_name_and_said_as_typed(name: str) -> None:
    assert spoken(stored(name)) == name == spoken(name)
    assert (stored(name) != name) == (name.startswith(("easy", "hard", "search")))


def test_a_table_keeps_a_level_under_one_name() -> None:
    game = hexdeck.game("hawthorn", 3)
    assert [seat.level for seat in seats_for(checked(TableSetup(game, ("you", "hard", "sharp"))))][1:] == ["sharp"] * 2
