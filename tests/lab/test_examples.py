"""Examples: the game and the ply that a row or a finding names show what it says, and the command plays that game."""

import re
import shlex
from pathlib import Path
from typing import Any

import pytest

import hexdeck
from hexdeck.lab.counts import FIRST, STARTER_FIRST, TIED, collect, count
from hexdeck.lab.kernels import STARTER
from hexdeck.lab.log import Player, SimulationSetup, matches
from hexdeck.lab.messages import MessageCounts, flat
from hexdeck.lab.reporting.measures import Example, Section, questions_of
from hexdeck.lab.reporting.page import command_linker
from hexdeck.lab.reporting.report import Plan, ReportPart
from hexdeck.lab.reporting.tables import ENDINGS, EVENTS, MOVES_MADE, RESULTS, longest, noted, of_tables
from hexdeck.lab.reporting.wording import english
from hexdeck.simulation.game import Game
from tests.people import Room
from tests.settings import every_game, much, small_game
from tests.support import for_each

BACKEND, GAMES = "interpreted", much(6, 12)


@pytest.fixture(autouse=True)
def _backend(monkeypatch: pytest.MonkeyPatch) -> None:
    """With machine code, whatever the environment says."""
    monkeypatch.setenv("HEXDECK_BACKEND", BACKEND)


def part_of(game: Game, bots: str = "random") -> ReportPart:
    setup, counts = SimulationSetup(game, bots, 2, backend=BACKEND), MessageCounts(game)
    for number, match in enumerate(matches(setup, GAMES)):
        counts.add(match)
        counts.add_labels(match, number)
    return ReportPart(game, collect(setup, GAMES), counts, game.measure)


def examples_of(section: Section) -> list[tuple[Any, Example | None]]:
    return [(row[0], example) for row, example in zip(section.rows, section.examples, strict=True)]


@every_game
def test_an_example_shows_what_its_row_says(name: str) -> None:
    part = part_of(small_game(name))
    played = list(matches(SimulationSetup(part.game, "random", 2, backend=BACKEND), GAMES))
    endings, moves, messages = of_tables(None, part, ENDINGS, MOVES_MADE, EVENTS)
    for key, example in zip([*part.events], messages.examples, strict=True):
        if example is not None:
            assert example.ply is not None
            facts = played[example.number].narration()[example.ply - 1]
            assert key in {text.key for text in flat(fact.text for fact in facts)}
    assert all(example is not None for example in messages.examples[: len(part.messages.frequent_keys())])
    for ending, example in examples_of(endings):
        k = [*map(str, part.game.endings)].index(ending)
        often = sum(match.ending == part.game.rules.ENDINGS[k] for match in played)
        assert (example is None) == (often == 0)
        assert example is None or played[example.number].ending == part.game.rules.ENDINGS[k]
    for label, example in examples_of(moves):
        if example is not None and example.ply is not None:
            match = played[example.number]
            event = match.event(example.ply - 1)
            match.go(example.ply - 1)
            (made,) = (move.label.key for move in match.legal(event.seat) if move.id == event.id)
            assert label == english(part.messages.texts[made]).replace("the …", "a card")


@pytest.mark.parametrize("name", ["hawthorn", "high-handed"])
def test_findings_have_games_that_show_them(name: str) -> None:
    part = part_of(small_game(name))
    played = list(matches(SimulationSetup(part.game, "random", 2, backend=BACKEND), GAMES))
    for finding in (each.tell() for measure in RESULTS for each in questions_of(part, measure)):
        if finding.kind not in ("first", "begins_first"):
            assert finding.example is None or finding.kind == "tied"
            continue
        place = int(finding.subject or 0)
        metric, found = FIRST if finding.kind == "first" else STARTER_FIRST, finding.example
        assert (found is not None) == (part.statistics[metric, place].value > 1 / part.players)
        if found is not None:
            number = found.number
            starter = int(
                count(Player(SimulationSetup(part.game, "random", 2, backend=BACKEND)), number, 1).counters[0, STARTER]
            )
            returns = played[number].returns()
            assert returns[place if metric == FIRST else starter] == max(returns) and returns.count(max(returns)) == 1
    lengths = [sum(event.seat >= 0 for event in match.events) for match in played]
    assert longest(part) == Example(lengths.index(max(lengths)))
    ties = [k for k, match in enumerate(played) if match.returns().count(max(match.returns())) > 1]
    assert noted(part, TIED) == (Example(ties[0]) if ties else None)


def test_the_command_shows_that_game(room: Room, tmp_path: Path) -> None:
    game = hexdeck.game("hawthorn", 3, tiebreak_cards="discard")
    shown = command_linker(Plan(("random",), seed=5))(part_of(game), Example(7, 9))
    assert shown is not None and shown.short == "7:9"
    words = shlex.split(shown.command)
    assert words[:2] == ["hexdeck", "replay"] and "tiebreak_cards=discard" in words
    file = tmp_path / "match.json"
    said = room.hexdeck(*words[1:-2], "--record", str(file))
    assert said.status == 0, said.err
    match = game.match(5, number=7, backend=BACKEND)
    for seat, action in [(each.seat, each.id) for each in hexdeck.load(file).events if each.seat >= 0]:
        match.play(seat, action)
    assert match.returns() == game.simulate(8, "random", 5, backend=BACKEND).returns[
        7
    ].tolist() or match.returns() == tuple(game.simulate(8, "random", 5, backend=BACKEND).returns[7])
    again = room.hexdeck("replay", str(file), "--ply", "9")
    there = room.hexdeck(*words[1:])
    assert there.status == 0 and named(there.out) == named(again.out)


def named(text: str) -> str:
    return re.sub(r"\s+", " ", re.sub(r"Seat (\d)|random (\d)", r"\1\2", text))


@for_each(
    ("words", "why"),
    [
        (["hawthorn", "--number", "-1"], "Matches are numbered from 0"),
        (["hawthorn", "--number", "1", "--bots", "clever"], "There is no bot clever"),
        (["hawthorn", "--number", "1", "--record", "no/example/x.json/"], ""),
        (["hawthorn", "--seed", "3"], "--seed goes with --number; give that too"),
        (["hawthorn", "--players", "3"], "--players goes with --number; give that too"),
        (["poker", "--number", "1"], "There is no game poker"),
    ],
)
def test_bad_words_are_refused(words: list[str], why: str, room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    (room.home.parent / "file").write_text("")
    monkeypatch.chdir(room.home.parent)
    words = [str(room.home.parent / "file" / "x") if word.endswith(".json/") else word for word in words]
    said = room.hexdeck("replay", *words)
    assert said.status == 2 and why in said.err and said.err.startswith("hexdeck: ")
