"""Medium in Cursed Hand bluffs now and then, and rather calls where it is right; what levels do is counted and kept."""

import json
import runpy
from pathlib import Path

import pytest
from level_play import RIGHT, counted, measured

import hexdeck
from hexdeck.bots.players.levels import LEVELS
from tests.settings import GAMES, much
from tests.support import for_each
from tests.tools import FOLDER

BLUFFS = "begins with a cursed ghost hand"


@for_each("players", [2, 4])
def test_the_medium_level_bluffs_as_people_do_and_is_right_in_most_of_its_calls(players: int) -> None:
    counts = counted(hexdeck.game("cursed-hand", players), "medium", much(40, 200), 3)
    assert 0.1 < counts[BLUFFS] / counts[f"could: {BLUFFS}"] < 0.25
    assert counts[RIGHT] > 0.5 * counts[f"could: {RIGHT}"] > 20


def test_a_level_is_judged_on_as_many_decisions_as_asked_for_the_same_way_each_time() -> None:
    game = hexdeck.game("hawthorn", 2)
    row = measured(game, "gentle", 3, 6, 1)
    assert row == measured(game, "gentle", 3, 6, 1) and row["same"][1] == 6 > row["same"][0]
    assert row["cost"] and row["did"].keys() == {"folds"}


def test_rows_of_a_level_that_is_another_bot_now_are_dropped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tool = runpy.run_path(str(FOLDER / "level_play.py"))
    row = {"game": "hawthorn", "players": 2, "level": "gentle", "bot": "gentle", "cost": 1.0}
    monkeypatch.setitem(tool["keep"].__globals__, "KEPT", tmp_path / "kept.json")
    for each in (row, row | {"players": 3, "bot": "house"}, row | {"cost": 2.0}):
        tool["keep"](each)
    assert tool["kept"]() == [row | {"cost": 2.0}]
    assert len(json.loads((tmp_path / "kept.json").read_text())) == 1


def test_the_page_shows_what_is_kept_of_levels_as_they_are_now() -> None:
    tool = runpy.run_path(str(FOLDER / "level_play.py"))
    assert tool["PAGE"].read_text(encoding="utf-8") == tool["page"]()
    seen = {(row["game"], row["players"], row["level"]) for row in tool["kept"]()}
    assert len(seen) == len(json.loads(tool["KEPT"].read_text(encoding="utf-8")))
    tables = [(name, players) for name in GAMES for players in seats(name)]
    slow = {("black-hearts", players, "best") for players in (3, 5, 6)}  # some minutes each
    assert {(*table, level) for table in tables for level in LEVELS} - seen <= slow


def seats(name: str) -> range:
    low, high = hexdeck.game(name).rules.PLAYERS
    return range(low, high + 1)
