"""Pages that tools write from kept figures: the mistakes of the easy bots, and matches with comments."""

import json
import re
import runpy
from pathlib import Path
from typing import Any

import commented
import commented_choice as choice
import commented_words as words
import easy_mistakes as habits
import hunts
import numpy as np
import pytest
from calibrate import kept
from commented_facts import Facet

import hexdeck
from hexdeck.bots.nets.netfile import DRAWN, load, shipped
from hexdeck.bots.players.bot_names import spoken
from hexdeck.bots.players.levels import levels_of, manners_of
from hexdeck.games.high_handed.hints import LACKING
from tests.settings import GAMES, every_game
from tests.support import for_each

TOOLS = Path(__file__).parents[2] / "tools"


def decision(seat: int, value: float, gap: float, margin: float | None, ply: int = 1, **more: Any) -> Any:
    """A decision with one other move, which brings so much less by both judgements."""
    return {
        "ply": ply,
        "seat": seat,
        "legal": 2,
        "actions": ["play 1", "play 2"],
        "moves": ["Play the 1", "Play the 2"],
        "values": [[value, 0.1], [value - gap, 0.1]],
        "first": [[gap, margin]],
        "differs": [[gap, margin]],
        "facts": ["", ""],
        "position": "",
        "easy": 0,
        "wrong": [0.0, 0.0],
        "scale": 1.0,
        "told": [ply, ply + 1],
    } | more


def test_the_page_of_easy_bots_shows_the_figures_that_are_kept() -> None:
    tool = runpy.run_path(str(TOOLS / "easy_mistakes.py"))
    assert tool["PAGE"].read_text(encoding="utf-8") == tool["page"]()


def test_no_cost_is_told_of_a_handful_of_mistakes(monkeypatch: pytest.MonkeyPatch) -> None:
    tool, game = runpy.run_path(str(TOOLS / "easy_mistakes.py")), hexdeck.game("hawthorn")
    made = {"decisions": 200, "choices": 60, "cost": 2.0, "margin": 0.5}
    habits = [{"name": "fear", "mistakes": 29, **made}, {"name": "greed", "mistakes": 30, **made}]
    habits.append({**habits[0], "name": "low", "choices": 0, "mistakes": 0})
    there = {"players": 4, "matches": 9, "seed": 1, "habits": habits}
    monkeypatch.setitem(tool["table"].__globals__, "kept", lambda _game: there)
    head, _, few, enough, none = tool["table"](game)[2:]
    assert head == "| habit | choices by it | a bot would choose another | what that costs |"
    assert few.endswith("| 60 of 200 (30 %) | 29 of 60 (48 %) | too few to tell |")
    assert enough.endswith("| 60 of 200 (30 %) | 30 of 60 (50 %) | 2.0 ±0.5 chips |")
    assert none.endswith("| 0 of 200 (0 %) | – | too few to tell |")


@every_game
def test_every_easy_bot_was_measured_and_its_habits_cover_all_that_it_does(name: str) -> None:
    game = hexdeck.game(name)
    there = habits.kept(game)
    named = [each.name for each in game.definition.hints.STUDY.easy_mistakes]
    assert [each["name"] for each in there["habits"]] == named and there["matches"] >= 10
    assert sum(each["choices"] for each in there["habits"]) == there["habits"][0]["decisions"]
    costly = [each for each in there["habits"] if each["cost"] > each["margin"]]
    assert costly, "no habit surely costs anything"


def test_the_page_of_matches_shows_two_of_each_game() -> None:
    kept = commented.kept()
    assert commented.PAGE.read_text(encoding="utf-8") == words.page(kept)
    names = [each["game"] for each in kept.values()]
    assert sorted(names) == sorted(name for name in set(names) for _ in range(2)) and len(set(names)) == 6
    assert all(each["bot"] == "best" and each["decisions"] for each in kept.values())


@for_each("name", commented.kept())
def test_the_moments_of_a_kept_match_hold_in_other_deals_and_its_turning_point_tells_something(name: str) -> None:
    found = commented.kept()[name]
    rows = [row for row in found["decisions"] if row.get("comment")]
    assert rows == choice.moments(found["decisions"]) and all(choice.clear(row, choice.focus(row)) for row in rows)
    turned = choice.turn(found["decisions"], found["told"])
    assert turned is None or choice.between(*turned, found["told"])


def test_comments_are_on_what_mattered_and_no_three_are_alike() -> None:
    close, same = decision(1, 0.0, 0.1, 0.5, 2), decision(1, 0.1, 7.0, 0.1, 4)
    weighty, wrong = decision(0, 0.2, 9.0, 0.1, 3, easy=1), decision(1, 0.1, -4.0, 0.1, 5)
    least = decision(1, 0.1, 3.0, 0.1, 6, easy=1)
    assert choice.moments([close, weighty, same, wrong, least]) == [weighty, wrong, least]
    other = decision(1, 0.2, 8.0, 0.1, 4, easy=1)
    assert choice.moments([weighty, other, decision(0, 0.2, 7.0, 0.1, 5, easy=1)]) == [weighty, other]
    rows = [decision(0, 0.2, gap, 0.1, ply, easy=1) for gap, ply in ((8.0, 1), (9.0, 2))]  # on one turn
    assert choice.moments(rows) == rows[1:] and choice.in_turns(rows) == [rows]
    rows = [decision(0, 0.0, 9.0, 0.1, 1), decision(1, 0.0, 1.0, 0.1, 2), decision(0, 0.0, 0.2, 0.1, 3)]
    assert choice.moments(rows) == [rows[1]]  # where the easy bot is right, the narrower of two choices


def test_what_only_one_judgement_says_or_hints_are_wrong_by_is_not_clear() -> None:
    vanished = decision(0, 0.0, 2.0, 0.5, first=[[2.0, 0.5]], differs=[[0.3, 0.5]])
    turned = decision(0, 0.0, 2.0, 0.5, first=[[2.0, 0.5]], differs=[[-2.0, 0.5]])
    within = decision(0, 0.0, 2.0, 0.5, wrong=[-1.0, 1.0])
    assert [choice.clear(each, 1) for each in (vanished, turned, within)] == [0, 0, 0]
    assert choice.clear(decision(0, 0.0, 2.0, 0.5, wrong=[-0.5, 0.5]), 1) == 1


def test_the_turning_point_is_the_largest_change_of_one_seat_between_whole_turns() -> None:
    values = [(0, 9.0), (0, 1.0), (1, -9.0), (0, 2.0), (1, -2.0)]
    rows = [decision(seat, value, 0, 0, ply) for ply, (seat, value) in enumerate(values)]
    events = ["Ada begins."] * 6
    assert choice.turn(rows, events) == (rows[2], rows[4]) and choice.turn(rows[:3], events) is None
    assert choice.turn(rows, ["Ada has chosen."] * 6) is None  # nothing that says anything
    assert choice.turn([decision(0, 0.0, 0, 0, 1), rows[2], decision(0, 0.1, 0, 0, 3)], events) is None  # not sure


def test_sentences_say_what_is_sure_and_what_is_not() -> None:
    game, names = hexdeck.game("hawthorn", 2), ("Ada", "Bram")
    rows = [decision(0, 1.0, gap, margin) for gap, margin in ((0.1, 0.5), (2.0, 0.5), (-2.0, 0.5), (2.0, None))]
    said = [words.comment(row, names, game) for row in rows]
    assert "Ada chooses “Play the 1”, and can expect to end 1.0 ±0.1 chips up." in said[0]
    assert "“Play the 2” may do as well: the difference of 0.1 ±0.5 chips is too small to tell." in said[0]
    assert "The best other move, “Play the 2”, costs 2.0 ±0.5 chips." in said[1]
    assert "By these figures “Play the 2” is better, by 2.0 ±0.5 chips." in said[2]
    assert said[3].endswith("costs 2.0 chips.")
    easy = words.comment(decision(0, 1.0, 2.0, 0.5, easy=1), names, game)
    assert "The easy bot would choose “Play the 2”, which costs 2.0 ±0.5 chips." in easy


def test_reasons_are_told_of_the_better_move_and_what_speaks_against_it_too() -> None:
    won = {"text": "wins the pot", "chosen": 0.5, "other": 0.25, "speaks": 1, "sure": 5.0}
    paid = {"text": "pays {n} chips", "chosen": 2.0, "other": 1.5, "speaks": -1, "sure": 6.0}
    row = decision(0, 1.0, 2.0, 0.5, why=[won, paid])
    said = "After “Play the 1” Ada wins the pot in 50 games of 100 instead of 25, but pays 2.0 chips instead of 1.5."
    assert words.why(row, "Ada") == said


def test_a_reason_is_kept_only_if_it_is_sure_and_more_than_a_trifle() -> None:
    facet = Facet("wins the pot", 1, lambda ends, _s: ends)
    often, seldom = np.tile([1.0, 1.0, 0.0, 1.0], 100), np.tile([0.0, 1.0, 0.0, 0.0], 100)
    assert commented.reason(facet, [often, seldom])["speaks"] == 1
    assert commented.reason(facet, [seldom, often])["speaks"] == -1
    assert not commented.reason(facet, [often[:4], seldom[:4]]) and not commented.reason(facet, [often, often])


# --- how strong the bots are ------------------------------------------------------------------------------------------
PAGE = (Path(__file__).parents[2] / "docs" / "notebook" / "bots.md").read_text(encoding="utf-8")


def rows(head: str) -> list[list[str]]:
    table = PAGE.partition(f"{head}\n")[2].partition("\n\n")[0]
    return [[cell.strip() for cell in line.strip("|").split(" | ")] for line in table.splitlines()[1:]]


def test_the_minutes_and_the_step_of_each_net_are_those_of_its_file() -> None:
    told = [(cells[-2], cells[-1]) for cells in rows("| game | players | command | minutes | chosen |")]
    paths = [path for name in GAMES for path in shipped(hexdeck.game(name)) if path.parent.name != DRAWN]
    nets = [load(path).about["chosen"] for path in paths]
    wanted = [(f"{chosen['seconds'] / 60:.1f}", f"step {chosen['step']:,}") for chosen in nets]
    assert sorted(told) == sorted(wanted)


def test_the_manners_are_told_where_they_are_offered() -> None:
    told, offered = {}, {}
    for title, players, names in rows("| game | players | offered |"):
        told[title, players] = re.findall(r"`([a-z:]+)`", names)
    for name in GAMES:
        low, high = hexdeck.game(name).rules.PLAYERS
        for players in range(low, high + 1):
            game = hexdeck.game(name, players)
            there = [f"{spoken(level)}:{manner}" for level in levels_of(game) for manner in manners_of(game, level)]
            offered |= {(str(game.table.ABOUT.title), str(players)): there} if there else {}
    assert {at: names for at, names in told.items() if names} == offered
    assert {title for title, _players in told} == {str(hexdeck.game(name).table.ABOUT.title) for name in GAMES}


def test_gains_are_those_of_the_files_and_the_pictures_are_drawn_from_them() -> None:
    told = {name: gain for name, _loses, gain in hunts.rows(PAGE)}
    for file, (bot, _name) in hunts.HUNTED.items():
        found = json.loads((hunts.LEARNING / f"exploit-{file}.json").read_text(encoding="utf-8"))
        assert told.pop(bot) == pytest.approx((found["mean"], found["margin"]), abs=0.00051), bot
    assert not told
    for name, drawn in hunts.PICTURES.items():
        assert (hunts.FOLDER / name).read_text(encoding="utf-8") == drawn(), f"python tools/hunts.py draws {name} anew"


def test_chips_are_in_no_column_of_shares() -> None:
    shares = rows("| game | players | `best` | deals | wins | a fair share |")
    assert shares and all(cells[-2].endswith("%") and cells[-1].endswith("%") for cells in shares)


# --- the page on hints shows the figures that are kept, and what it says of them holds --------------------------------
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
    said = [verdict([9, bias, 0.0, 0.3], 1.0) for bias in (0.5, -0.7, 0.9, 1.2, 1.4, -2.0)]
    assert said == ["yes"] * 2 + ["too few positions to tell"] * 2 + ["no"] * 2


def test_a_tenth_that_is_far_off_is_named(tool: dict[str, Any]) -> None:
    unsure, far = [9, 3.5, 0.0, 0.6], [9, 3.9, 0.0, 0.6]
    row = {"error": [99, 0.5, 0.0, 0.3], "tenths": [unsure, unsure, far]}
    assert tool["judged"](row, 1.0) == "no: tenth 3"
    assert tool["judged"](row | {"tenths": [unsure, unsure]}, 1.0) == "too few positions to tell"
    assert tool["judged"](row | {"tenths": [[9, 2.3, 0.0, 0.6]]}, 1.0) == "yes"


# --- the table of what requests cost, which a tool makes --------------------------------------------------------------
def test_the_page_has_the_cost_of_each_request_that_the_tool_measures() -> None:
    tool = runpy.run_path(str(ROOT / "tools" / "demands.py"))
    page = (ROOT / "docs" / "notebook" / "requests.md").read_text(encoding="utf-8")
    table = page.partition(tool["HEAD"] + "\n|---|---|---|\n")[2].partition("\n\n")[0]
    rows = [re.fullmatch(r"\| (.+) \| ([\d.]+) \| (.+) \|", line) for line in table.splitlines()]
    assert {row[1]: row[3] for row in rows if row} == {name: where for name, (where, _) in tool["COSTS"].items()}
    assert all(rows)
