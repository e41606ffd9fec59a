"""The page on hints shows the figures that are kept, and what it says of them holds."""

import runpy
from pathlib import Path
from typing import Any

import pytest
from calibrate import kept

import hexdeck
from hexdeck.games.high_handed.hints import LACKING
from tests.settings import GAMES
from tests.support import for_each

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def tool() -> dict[str, Any]:
    return runpy.run_path(str(ROOT / "tools" / "calibrate.py"))


def test_the_page_shows_the_figures_that_are_kept(tool: dict[str, Any]) -> None:
    text = tool["PAGE"].read_text(encoding="utf-8")
    between = text.partition(tool["BEGIN"])[2].partition(tool["END"])[0]
    assert between.strip() == tool["page_tables"]().strip() != ""


@for_each("name", GAMES)
def test_figures_agree_with_each_other(name: str) -> None:
    for each in kept(hexdeck.game(name)):
        moves = each["error"][0]
        assert sum(tenth[0] for tenth in each["tenths"]) == moves >= each["positions"] > 100
        said = sum(tenth[0] * tenth[1] for tenth in each["tenths"]) / moves
        assert [tenth[1] for tenth in each["tenths"]] == sorted(tenth[1] for tenth in each["tenths"])
        assert abs(said - each["error"][1]) < 12  # over moves here, over positions there


def test_hints_are_as_true_as_the_page_says(tool: dict[str, Any]) -> None:
    def error(name: str, players: int) -> list[float]:
        rows = [each for each in kept(hexdeck.game(name)) if each["by"] != "best"]  # of few positions
        return next(each["error"] for each in rows if each["players"] == players)

    assert tool["verdict"](error("cursed-hand", 2), tool["GOALS"]["percentage points"]) == "yes"
    assert tool["verdict"](error("hawthorn", 2), tool["GOALS"]["chips"]) == "yes"
    assert tool["verdict"](error("hawthorn", 4), tool["GOALS"]["chips"]) != "no"
    assert tool["verdict"](error("high-handed", 2), tool["GOALS"]["points"]) != "no"


@for_each("players", LACKING)
def test_the_page_says_what_is_added_in_high_handed(tool: dict[str, Any], players: int) -> None:
    begun, choosing, placing, _ = LACKING[players]
    text = tool["PAGE"].read_text(encoding="utf-8").partition("half the cards played: choosing")[2]
    row = next(line for line in text.splitlines() if line.startswith(f"| {players} |"))
    said = [float(cell.replace("\N{MINUS SIGN}", "-")) for cell in row.strip("| ").split(" | ")[1:]]
    assert said == pytest.approx([begun, begun / 2 + choosing, begun / 2 + placing], abs=0.0501)


def test_a_verdict_is_given_where_the_interval_allows_it(tool: dict[str, Any]) -> None:
    verdict = tool["verdict"]
    assert [verdict([9, said, 0.0, 0.3], 1.0) for said in (0.5, -0.7, 0.9, 1.2, 1.4, -2.0)] == [
        "yes",
        "yes",
        "too few positions to tell",
        "too few positions to tell",
        "no",
        "no",
    ]


def test_a_tenth_that_is_far_off_is_named(tool: dict[str, Any]) -> None:
    unsure, far = [9, 3.5, 0.0, 0.6], [9, 3.9, 0.0, 0.6]
    row = {"error": [99, 0.5, 0.0, 0.3], "tenths": [unsure, unsure, far]}
    assert tool["judged"](row, 1.0) == "no: tenth 3"
    assert tool["judged"](row | {"tenths": [unsure, unsure]}, 1.0) == "too few positions to tell"
    assert tool["judged"](row | {"tenths": [[9, 2.3, 0.0, 0.6]]}, 1.0) == "yes"
