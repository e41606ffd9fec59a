"""Pages that tools write from kept figures: the errors of the easy bots, and matches with comments."""

import runpy
from pathlib import Path
from typing import Any

import pytest

import hexdeck
from hexdeck.bots.advice import errors
from tests.settings import every_game

TOOLS = Path(__file__).parents[2] / "tools"


@pytest.fixture(scope="module")
def commented() -> dict[str, Any]:
    """The tool that comments on matches."""
    return runpy.run_path(str(TOOLS / "commented.py"))


def decision(seat: int, value: float, gap: float, margin: float | None, ply: int = 1, asked: str = "Play") -> Any:
    """A decision with one other move, which brings so much less."""
    return {
        "ply": ply, "seat": seat, "prompt": f"{asked} a card.", "legal": 2, "moves": ["Play the 1", "Play the 2"],
        "values": [[value, 0.1], [value - gap, 0.1]], "differs": [[gap, margin]], "reason": "", "told": ply,
    }  # fmt: skip


def test_the_page_of_easy_bots_shows_the_figures_that_are_kept() -> None:
    tool = runpy.run_path(str(TOOLS / "easy_errors.py"))
    assert tool["PAGE"].read_text(encoding="utf-8") == tool["page"]()


def test_no_cost_is_told_of_a_handful_of_errors(monkeypatch: pytest.MonkeyPatch) -> None:
    tool, game = runpy.run_path(str(TOOLS / "easy_errors.py")), hexdeck.game("hawthorn")
    made = {"decisions": 200, "choices": 60, "cost": 2.0, "margin": 0.5}
    habits = [{"name": "fear", "errors": 29, **made}, {"name": "greed", "errors": 30, **made}]
    there = {"players": 4, "matches": 9, "habits": [*habits, {**habits[0], "name": "low", "choices": 0, "errors": 0}]}
    monkeypatch.setitem(tool["table"].__globals__, "kept", lambda _game: there)
    head, _, few, enough, none = tool["table"](game)[2:]
    assert head == "| habit | choices by it | a bot would choose another | what that costs |"
    assert few.endswith("| 60 of 200 (30 %) | 29 of 60 (48 %) | too few to tell |")
    assert enough.endswith("| 60 of 200 (30 %) | 30 of 60 (50 %) | 2.0 ±0.5 chips |")
    assert none.endswith("| 0 of 200 (0 %) | – | too few to tell |")


@every_game
def test_every_easy_bot_was_measured_and_its_habits_cover_all_that_it_does(name: str) -> None:
    game = hexdeck.game(name)
    there = errors.kept(game)
    named = [each.name for each in game.definition.hints.EASY_ERRORS]
    assert [each["name"] for each in there["habits"]] == named and there["matches"] >= 10
    assert sum(each["choices"] for each in there["habits"]) == there["habits"][0]["decisions"]
    costly = [each for each in there["habits"] if each["cost"] > each["margin"]]
    assert costly, "no habit surely costs anything"


def test_the_page_of_matches_shows_two_of_each_game(commented: dict[str, Any]) -> None:
    kept = commented["kept"]()
    assert commented["PAGE"].read_text(encoding="utf-8") == commented["page"](kept)
    names = [each["game"] for each in kept.values()]
    assert sorted(names) == sorted(name for name in set(names) for _ in range(2)) and len(set(names)) == 6
    assert all(each["bot"] == "best" and each["decisions"] for each in kept.values())


def test_comments_are_on_what_mattered_and_no_two_are_alike(commented: dict[str, Any]) -> None:
    first, close = decision(0, 0.0, 0.1, 0.5, 1, "Begin"), decision(1, 0.0, 0.1, 0.5, 2)
    weighty, same = decision(0, 0.2, 0.9, 0.1, 3), decision(1, 0.1, 0.5, 0.1, 4)
    wrong = decision(1, 0.1, -0.4, 0.1, 5)
    assert commented["moments"]([first, close, weighty, same, wrong]) == [first, weighty, wrong]


def test_the_turning_point_is_the_largest_change_of_one_seat(commented: dict[str, Any]) -> None:
    rows = [
        decision(0, 0.1, 0, 0, 1),
        decision(1, -0.9, 0, 0, 2),
        decision(0, 0.2, 0, 0, 3),
        decision(1, -0.2, 0, 0, 4),
    ]
    assert commented["turn"](rows) == (rows[1], rows[3]) and commented["turn"](rows[:2]) is None


def test_sentences_say_what_is_sure_and_what_is_not(commented: dict[str, Any]) -> None:
    game, names = hexdeck.game("hawthorn", 2), ("Ada", "Bram")
    rows = [decision(0, 1.0, gap, margin) for gap, margin in ((0.1, 0.5), (2.0, 0.5), (-2.0, 0.5), (2.0, None))]
    said = [commented["comment"](row, names, game, first=False) for row in rows]
    assert "“Play the 2” would do as well: the difference, 0.1 ±0.5 chips, is within the error." in said[0]
    assert "The alternative, “Play the 2”, would cost 2.0 ±0.5 chips." in said[1]
    assert "Not the best here: “Play the 2” would gain 2.0 ±0.5 chips." in said[2]
    assert said[3].endswith("would cost 2.0 chips.") and "Ada chooses “Play the 1”" in said[3]
