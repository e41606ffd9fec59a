"""A ladder goes on where it was interrupted, deal for deal, and levels are measured further."""

import json
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

import hexdeck
from hexdeck.bots.players import levels
from hexdeck.bots.rating import contest as contests
from hexdeck.bots.rating import kept_levels
from hexdeck.bots.rating.contest import COLUMNS, NORMAL, Contest, contest, pooled
from hexdeck.bots.rating.contest_log import ContestLog
from hexdeck.bots.rating.ladder import ladder, more
from hexdeck.cli import main

GAME = hexdeck.game("cursed-hand", 2, hand_cards=3)
BOTS = ["random", "gentle", "house"]


@pytest.fixture(autouse=True)
def _interpreted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HEXDECK_BACKEND", "interpreted")


def interrupting(after: int) -> Callable[[], None]:
    """Progress that interrupts after so many deals."""
    left = iter(range(after))

    def tick() -> None:
        if next(left, None) is None:
            raise KeyboardInterrupt

    return tick


def lines(path: Path) -> list[list[object]]:
    """The rows of a book, without the time they took."""
    return [[*row[:3], row[3][: len(COLUMNS)]] for row in map(json.loads, path.read_text().splitlines()[1:])]


def test_an_interrupted_ladder_tells_what_was_played() -> None:
    found = ladder(GAME, BOTS, 10, progress=interrupting(14))
    assert found.interrupted and found.bots == ("random", "gentle", "house")
    assert [len(each.groups) for each in found.contests] == [10, 5]
    alone = ladder(GAME, BOTS, 10, progress=interrupting(6))
    assert alone.bots == ("random", "gentle") and len(alone.ratings) == 2
    with pytest.raises(KeyboardInterrupt):
        ladder(GAME, BOTS, 10, progress=interrupting(0))


def test_a_ladder_goes_on_as_if_it_had_not_been_interrupted(tmp_path: Path) -> None:
    whole, parts = tmp_path / "whole", tmp_path / "parts"
    straight = ladder(GAME, BOTS, 6, log=ContestLog(whole, GAME, 1))
    ladder(GAME, BOTS, 6, log=ContestLog(parts, GAME, 1), progress=interrupting(8))
    assert 9 == len(lines(parts)) < len(lines(whole)) == 18
    with parts.open("a", encoding="utf-8") as file:
        file.write('["house", "random", 3, [0.')  # the machine stopped while it wrote
    resumed = ladder(GAME, BOTS, 6, log=ContestLog(parts, GAME, 1))
    assert lines(parts) == lines(whole) and np.array_equal(resumed.ratings, straight.ratings)
    played = ladder(GAME, BOTS, 6, log=ContestLog(parts, GAME, 1), progress=interrupting(0))
    assert not played.interrupted and np.array_equal(played.margins, straight.margins)


@pytest.mark.usefixtures("small_games_for_nets")
def test_a_deal_follows_from_its_number_alone() -> None:
    whole, late = contest(GAME, "net", "search:3", 6), contest(GAME, "net", "search:3", 2, first=4)
    assert np.array_equal(whole.groups[4:], late.groups)


def test_a_book_of_something_else_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "rows"
    ContestLog(path, GAME, 1).add("house", "random", [0.0] * 6)
    with pytest.raises(hexdeck.HexdeckError, match="holds rows of other games \\(different seed\\)"):
        ContestLog(path, GAME, 2)
    with pytest.raises(hexdeck.HexdeckError, match="holds rows of other games \\(different options\\)"):
        ContestLog(path, hexdeck.game("cursed-hand", 2), 1)
    path.write_text(path.read_text().replace('"code": "', '"code": "0'), encoding="utf-8")
    with pytest.raises(hexdeck.HexdeckError, match="begun by another version of hexdeck"):
        ContestLog(path, GAME, 1)
    path.write_text("deal,gain\n1,2\n", encoding="utf-8")
    with pytest.raises(hexdeck.HexdeckError, match="is not a log of hexdeck ladder"):
        ContestLog(path, GAME, 1)
    assert path.read_text() == "deal,gain\n1,2\n"


def test_a_book_knows_levels_by_the_bots_that_play_them(tmp_path: Path) -> None:
    book = ContestLog(tmp_path / "rows", GAME, 1)
    book.add("steady", "random", [1.0] * 6)
    assert (
        book.rows("house", "random") == [(1.0,) * 6] == ContestLog(tmp_path / "rows", GAME, 1).rows("steady", "random")
    )


def test_two_parts_of_a_contest_are_one() -> None:
    rows = np.random.default_rng(1).normal(0, 1, (30, len(COLUMNS)))
    kept = Contest("a", "b", rows[:11], 2.0).summary()
    both = pooled(kept, Contest("a", "b", rows[11:], 4.0))
    whole = Contest("a", "b", rows).summary()
    assert both["groups"] == 30 and both["ms"] == pytest.approx((11 * 2 + 19 * 4) / 30, abs=0.01)
    for column in COLUMNS:
        assert both[column] == pytest.approx(whole[column], abs=2e-4)
    one = pooled(kept, Contest("a", "b", rows[11:12]))
    half = NORMAL * rows[:12, 0].std(ddof=1) / 12**0.5
    assert one["utility"] == pytest.approx([rows[:12, 0].mean(), half], abs=2e-4)


@pytest.fixture
def kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Levels of a game of which little was measured: best is not told apart from sharp, and steady has few deals."""
    monkeypatch.setattr(levels, "levels_file", lambda game: tmp_path / "levels.json")
    bots = {"gentle": "gentle", "steady": "house", "sharp": "house", "best": "house"}

    def row(one: str, others: str, groups: int, gain: float, half: float = 0.1) -> dict[str, object]:
        columns = {column: [0.5, half] for column in COLUMNS} | {"gain": [gain, half]}
        return {"one": one, "others": others, "groups": groups, **columns, "ms": 0.0}

    rows = [row("gentle", "random", 90, 1.0), row("steady", "gentle", 45, 1.0), row("sharp", "steady", 90, 1.0),
            row("best", "sharp", 60, 0.01), row("best", "steady", 60, 0.9)]  # fmt: skip
    data = {"levels": {"*": bots}, "measured": {"2": {"command": "before", "bots": bots, "contests": rows}}}
    (tmp_path / "levels.json").write_text(json.dumps(data), encoding="utf-8")
    levels.read.cache_clear()
    yield tmp_path / "levels.json"  # type: ignore[misc]
    levels.read.cache_clear()


def test_what_says_too_little_yet_is_found(kept: Path) -> None:
    assert levels.lacking(hexdeck.game("cursed-hand", 2)) == [("steady", "gentle"), ("best", "sharp")]
    assert levels.lacking(hexdeck.game("cursed-hand", 3))[0] == ("gentle", "random")


def test_further_deals_are_put_with_those_that_are_kept(kept: Path) -> None:
    game = hexdeck.game("cursed-hand", 2)
    before = {(each["one"], each["others"]): each for each in levels.data(game)["measured"]["2"]["contests"]}
    found = more(game, 50)
    assert [(each.one, len(each.groups)) for each in found] == [("steady", 5), ("best", 2)]
    assert np.array_equal(found[0].groups, contest(game, "steady", "gentle", 5, first=45).groups)
    kept_levels.keep_more(game, found, "after")
    table = json.loads(kept.read_text())["measured"]["2"]
    after = {(each["one"], each["others"]): each for each in table["contests"]}
    assert table["command"] == "before && after" and [*after] == [*before]
    assert after["steady", "gentle"]["groups"] == 50 and after["best", "sharp"]["groups"] == 62
    assert after["sharp", "steady"] == before["sharp", "steady"]


def test_rows_of_few_deals_are_filled_up(kept: Path) -> None:
    game = hexdeck.game("cursed-hand", 2)
    assert levels.wanting(game, 60) == [("steady", "gentle"), ("best", "sharp")] and not levels.changed(game)
    assert levels.wanting(game, 61)[2:] == [("best", "steady")]
    found = {(each.one, each.others): len(each.groups) for each in more(game, 62)}
    assert found == {("steady", "gentle"): 17, ("best", "sharp"): 2, ("best", "steady"): 2}


def test_what_was_measured_of_another_bot_is_played_anew(kept: Path) -> None:
    data = json.loads(kept.read_text())
    data["levels"]["*"]["best"] = "gentle"
    kept.write_text(json.dumps(data), encoding="utf-8")
    levels.read.cache_clear()
    game = hexdeck.game("cursed-hand", 2)
    assert levels.changed(game) == {"best"} and levels.deals(game, "best", "sharp") == 0
    kept_levels.keep_more(game, more(game, 45), "after")
    table = json.loads(kept.read_text())["measured"]["2"]
    after = {(each["one"], each["others"]): each for each in table["contests"]}
    assert table["bots"]["best"] == "gentle" and not levels.changed(game)
    assert [after["best", each]["groups"] for each in ("sharp", "steady")] == [45, 45]
    assert after["best", "sharp"]["utility"][0] < 0 < after["steady", "gentle"]["groups"]


def test_the_command_measures_further_and_keeps_what_was_played_when_interrupted(
    kept: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert main(["ladder", "cursed-hand", "--players", "2", "--deals", "50", "--save", "--more"]) == 0
    assert "medium" in capsys.readouterr().out
    table = json.loads(kept.read_text())["measured"]["2"]
    assert table["command"] == "before && hexdeck ladder cursed-hand --players 2 --deals 50 --seed 1 --save --more"
    real = contests.Meeting.deal

    def deal(self: contests.Meeting, number: int) -> tuple[float, ...]:
        if number == 66:
            raise KeyboardInterrupt
        return real(self, number)

    monkeypatch.setattr(contests.Meeting, "deal", deal)
    assert main(["ladder", "cursed-hand", "--players", "2", "--deals", "99", "--save", "--more"]) == 130
    found = {
        (row["one"], row["others"]): row["groups"] for row in json.loads(kept.read_text())["measured"]["2"]["contests"]
    }
    assert found["best", "sharp"] == 66


def test_the_command_goes_on_and_says_how(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    command = ["ladder", "cursed-hand", "--players", "2", "--option", "hand_cards=3", "--deals", "4",
               "--bots", "random", "house"]  # fmt: skip
    real = contests.Meeting.deal

    def deal(self: contests.Meeting, number: int) -> tuple[float, ...]:
        if number == 3:
            raise KeyboardInterrupt
        return real(self, number)

    with monkeypatch.context() as patch:
        patch.setattr(contests.Meeting, "deal", deal)
        assert main(command) == 130
        said = capsys.readouterr()
        assert "house" in said.out and "with --log FILE, the same command would resume" in said.err
        assert main([*command, "--log", str(tmp_path / "rows")]) == 130
        assert "Interrupted: the same command resumes where it stopped." in capsys.readouterr().err
    assert len(lines(tmp_path / "rows")) == 3
    assert main([*command, "--log", str(tmp_path / "rows")]) == 0
    assert len(lines(tmp_path / "rows")) == 4


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--more"], "--more goes with --save; give that too"),
        (["--save", "--more", "--log", "x"], "leave out --log"),
        (["--log", "/none/x"], "can't be written; name a file in a folder that exists"),
    ],
)
def test_the_command_refuses_what_makes_no_sense(
    arguments: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["ladder", "cursed-hand", "--players", "2", "--deals", "50", *arguments]) == 2
    assert said in capsys.readouterr().err


def test_a_label_is_sought_where_the_fewest_deals_are_missing(kept: Path) -> None:
    data = json.loads(kept.read_text())
    for row, (one, groups, gain) in zip(
        data["measured"]["2"]["contests"],
        (("gentle", 90, 1.0), ("steady", 90, 1.0), ("sharp", 90, 1.0), ("best", 44, 1.0), ("best", 7, 1.0)),
        strict=True,
    ):
        assert row["one"] == one
        row |= {"groups": groups, "gain": [gain, 0.1]}
    kept.write_text(json.dumps(data), encoding="utf-8")
    levels.read.cache_clear()
    assert levels.lacking(hexdeck.game("cursed-hand", 2)) == [("best", "sharp")]


def test_a_log_of_another_game_is_told_from_one_of_another_version(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    ContestLog(tmp_path / "log", GAME, 1)
    for game, what in ((hexdeck.game("hawthorn", 2), "game"), (GAME.variant(3), "players")):
        with pytest.raises(hexdeck.HexdeckError, match=rf"holds rows of other games \(different {what}\)"):
            ContestLog(tmp_path / "log", game, 1)
    monkeypatch.setattr("hexdeck.bots.rating.contest_log.program_hash", lambda _name: "another")
    with pytest.raises(hexdeck.HexdeckError, match="was begun by another version of hexdeck"):
        ContestLog(tmp_path / "log", GAME, 1)
