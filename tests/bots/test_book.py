"""A ladder goes on where it was interrupted, deal for deal, and levels are measured further."""

import itertools
import json
import runpy
import shlex
from argparse import Namespace
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import hexdeck
from hexdeck.bots.players import levels
from hexdeck.cli import main
from hexdeck.research import rating as contests
from hexdeck.research.rating import COLUMNS, ContestLog, ladder
from tests.support import for_each

GAME = hexdeck.game("cursed-hand", 2, hand_cards=3)
BOTS = ["random", "gentle", "house"]


def tool(monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """`tools/ladders.py`, whose deals bring the same at once, and take 7.25 ms for a choice and a minute in all."""
    monkeypatch.setattr(contests.Meeting, "deal", lambda _self, number: (0.0, 0.5, 0.5, 0.5, number - 1.0, 7.25))
    found, clock = runpy.run_path(str(Path(__file__).parents[2] / "tools" / "ladders.py")), itertools.count(0, 60)
    monkeypatch.setitem(found["play"].__globals__, "time", SimpleNamespace(process_time=lambda: next(clock)))
    return found


def interrupting(after: int) -> Callable[[], None]:
    left = iter(range(after))

    def tick() -> None:
        if next(left, None) is None:
            raise KeyboardInterrupt

    return tick


def lines(path: Path) -> list[list[object]]:
    return [[*row[:3], row[3][: len(COLUMNS)]] for row in map(json.loads, path.read_text().splitlines()[1:])]


def test_an_interrupted_ladder_tells_what_was_played() -> None:
    found = ladder(GAME, BOTS, 4, progress=interrupting(6))
    assert found.interrupted and found.bots == ("random", "gentle", "house")
    assert [len(each.groups) for each in found.contests] == [4, 3]
    alone = ladder(GAME, BOTS, 4, progress=interrupting(2))
    assert alone.bots == ("random", "gentle") and len(alone.ratings) == 2
    with pytest.raises(KeyboardInterrupt):
        ladder(GAME, BOTS, 4, progress=interrupting(0))


def test_a_ladder_goes_on_as_if_it_had_not_been_interrupted(tmp_path: Path) -> None:
    whole, parts = tmp_path / "whole", tmp_path / "parts"
    straight = ladder(GAME, BOTS, 3, log=ContestLog(whole, GAME, 1))
    ladder(GAME, BOTS, 3, log=ContestLog(parts, GAME, 1), progress=interrupting(4))
    assert 5 == len(lines(parts)) < len(lines(whole)) == 9
    with parts.open("a", encoding="utf-8") as file:
        file.write('["house", "random", 3, [0.')  # the machine stopped while it wrote
    resumed = ladder(GAME, BOTS, 3, log=ContestLog(parts, GAME, 1))
    assert lines(parts) == lines(whole) and np.array_equal(resumed.ratings, straight.ratings)
    played = ladder(GAME, BOTS, 3, log=ContestLog(parts, GAME, 1), progress=interrupting(0))
    assert not played.interrupted and np.array_equal(played.margins, straight.margins)


def test_a_book_of_another_seed_or_other_rules_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "rows"
    ContestLog(path, GAME, 1).add("house", "random", [0.0] * 6)
    for game, seed, what in (
        (GAME, 2, "seed"),
        (hexdeck.game("cursed-hand", 2), 1, "options"),
        (GAME.variant(3), 1, "players"),
    ):
        with pytest.raises(hexdeck.HexdeckError, match=rf"isn't of this run \(different {what}\)"):
            ContestLog(path, game, seed)
    path.write_text(path.read_text().replace('"seed": 1', '"seed": true'))
    with pytest.raises(hexdeck.HexdeckError, match=r"different seed"):
        ContestLog(path, GAME, 1)


ROW = [0.0] * 6


@for_each(
    "bad",
    [
        [],
        [["house"], "random", 1, ROW],
        ["house", "random", 1, None],
        ["house", "random", 1, ROW[1:]],
        ["house", "random", 1, ["0"] * 6],
        ["house", "random", 0, ROW],
        ["house", "random", 2, ROW],
        ["house", "random", "1", ROW],
        ["house", "random", 1, [*ROW[1:], float("nan")]],
        {},
        None,
        ["house", "random", 1, [10**400, *ROW[1:]]],
        ["house", "random", 1, [*ROW[:5], -7.0]],
        ["house", "random", 1, [0.0, 1.5, *ROW[2:]]],
        ["house", "random", 1, [0.0, -3.0, *ROW[2:]]],
    ],
)
def test_a_damaged_line_is_told_and_the_file_left_as_it_is(tmp_path: Path, bad: Any) -> None:
    path = tmp_path / "rows"
    path.unlink(missing_ok=True)
    ContestLog(path, GAME, 1).add("house", "random", ROW)
    whole = path.read_text() + json.dumps(bad) + "\n" + json.dumps(["house", "random", 1, ROW]) + "\n"
    path.write_text(whole, encoding="utf-8")
    with pytest.raises(hexdeck.HexdeckError, match=r"Line 3 of .* is damaged"):
        ContestLog(path, GAME, 1)
    assert path.read_text() == whole


def test_a_book_knows_levels_by_the_bots_that_play_them(tmp_path: Path) -> None:
    book = ContestLog(tmp_path / "rows", GAME, 1)
    book.add("steady", "random", [1.0] * 6)
    assert (
        book.rows("house", "random") == [(1.0,) * 6] == ContestLog(tmp_path / "rows", GAME, 1).rows("steady", "random")
    )


def test_the_command_goes_on_and_says_how(tmp_path, capsys, monkeypatch) -> None:
    command = shlex.split("tournament cursed-hand random house --ladder --players 2 --option hand_cards=3 --deals 4")
    real = contests.Meeting.deal

    def deal(self: contests.Meeting, number: int) -> tuple[float, ...]:
        if number == 3:
            raise KeyboardInterrupt
        return real(self, number)

    with monkeypatch.context() as patch:
        patch.setattr(contests.Meeting, "deal", deal)
        assert main(command) == 130
        said = capsys.readouterr()
        assert "house" in said.out and "with --resume FILE, the same command would resume" in said.err
        assert main([*command, "--resume", str(tmp_path / "rows")]) == 130
        assert "Interrupted: the same command resumes where it stopped." in capsys.readouterr().err
    assert len(lines(tmp_path / "rows")) == 3
    assert main([*command, "--resume", str(tmp_path / "rows")]) == 0
    assert len(lines(tmp_path / "rows")) == 4


def test_a_log_that_cannot_be_written_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    command = "tournament cursed-hand levels --ladder --players 2 --deals 50 --resume /none/x"
    assert main(shlex.split(command)) == 2
    assert "can't be written; name a file in a folder that exists" in capsys.readouterr().err


@pytest.mark.long
def test_all_rows_are_played_by_one_command_that_resumes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ladders = tool(monkeypatch)
    rows = ladders["rows_of"](Namespace(games=["cursed-hand", "hawthorn"], deals=3, clear=2, folder=tmp_path))
    assert {(row.name, row.players) for row in rows} == {
        *(("cursed-hand", n) for n in range(2, 7)),
        *(("hawthorn", n) for n in range(2, 9)),
    }
    row = next(row for row in rows if (row.name, row.players) == ("hawthorn", 2))
    assert (
        row.command
        == "hexdeck tournament hawthorn levels --ladder --players 2 --deals 3 --stop-when-clear 2 --seed 1 --save"
    )
    _, whole, minutes = ladders["play"](row)
    pairs = [(each.one, each.others) for each in whole.contests]
    assert ("gentle", "random") in pairs and ("best", "sharp") in pairs and ("best", "steady") in pairs
    assert all(len(each.groups) == 3 for each in whole.contests) and minutes == 1
    monkeypatch.setattr(contests.Meeting, "deal", lambda *_: pytest.fail("played again"))
    _, again, more = ladders["play"](row)
    assert [each.groups.tolist() for each in again.contests] == [each.groups.tolist() for each in whole.contests]
    assert more == 2 and (tmp_path / "hawthorn-2.minutes").read_text().split() == ["1.00", "1.00"]


def test_only_the_times_of_a_row_are_measured_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file, game = tmp_path / "levels.json", hexdeck.game("hawthorn", 2)
    wanted = json.loads(levels.levels_file(game).read_text())
    file.write_text(json.dumps(wanted))
    for each in wanted["measured"]["2"]["contests"]:
        each["ms"] = 7.25
    monkeypatch.setattr(levels, "levels_file", lambda _game: file)
    levels.read.cache_clear()
    ladders = tool(monkeypatch)
    ladders["time_again"](ladders["Row"]("hawthorn", 2, 4, 2, tmp_path))
    assert json.loads(file.read_text()) == wanted
    levels.read.cache_clear()
