"""Examples: the game and the ply that a row or a finding names show what it says, and the command plays that game."""

import re
import shlex
from pathlib import Path

import pytest

import hexdeck
from hexdeck.engine.play.match import Match
from hexdeck.engine.text import say
from hexdeck.lab.counts import ENDED, FIRST, LONGEST, STARTER_FIRST, TIED, collect, count
from hexdeck.lab.kernels import STARTER
from hexdeck.lab.log import Player, SimulationSetup, matches
from hexdeck.lab.messages import MessageCounts, flat
from hexdeck.lab.reporting.examples import Example, command_linker, finding_example, row_examples
from hexdeck.lab.reporting.findings import Finding
from hexdeck.lab.reporting.report import Part, Plan, measure_of
from hexdeck.lab.reporting.sections import endings, messages, moves
from hexdeck.simulation.game import Game
from tests.people import Room
from tests.settings import every_game, much, small_game
from tests.support import for_each

BACKEND, GAMES = "interpreted", much(6, 12)


@pytest.fixture(autouse=True)
def _backend(monkeypatch: pytest.MonkeyPatch) -> None:
    """With machine code, whatever the environment says."""
    monkeypatch.setenv("HEXDECK_BACKEND", BACKEND)


def part_of(game: Game, bots: str = "random") -> Part:
    """A part of a report without analyses."""
    setup, counts = SimulationSetup(game, bots, 2, backend=BACKEND), MessageCounts(game)
    for number, match in enumerate(matches(setup, GAMES)):
        counts.add(match)
        counts.add_labels(match, number)
    return Part(game, collect(setup, GAMES), counts, (), (), measure_of(game))


@every_game
def test_an_example_shows_what_its_row_says(name: str) -> None:
    part = part_of(small_game(name))
    played = list(matches(SimulationSetup(part.game, "random", 2, backend=BACKEND), GAMES))
    for row, example in zip(messages(part).rows, row_examples(part, messages(part)), strict=True):
        if example is not None:
            assert example.ply is not None
            facts = played[example.number].narration()[example.ply - 1]
            assert row[0].key in {text.key for text in flat(fact.text for fact in facts)}  # type: ignore[union-attr]
    assert all(example is not None for example in row_examples(part, messages(part))[: len(part.messages.listed())])
    ended = zip(endings(part).rows, row_examples(part, endings(part)), strict=True)
    for row, example in ended:
        k = part.game.endings.index(row[0])
        often = sum(match.ending == part.game.rules.ENDINGS[k] for match in played)
        assert (example is None) == (often == 0)
        assert example is None or played[example.number].ending == part.game.rules.ENDINGS[k]
    assert_moves_are_shown(part, played)


def assert_moves_are_shown(part: Part, played: list[Match]) -> None:
    """Raise AssertionError example the example of a kind of move shows another move."""
    for row, example in zip(moves(part).rows, row_examples(part, moves(part)), strict=True):
        if example is not None and example.ply is not None:
            match = played[example.number]
            event = match.event(example.ply - 1)
            match.go(example.ply - 1)
            assert row[0].key in {move.label.key for move in match.legal(event.seat) if move.id == event.id}  # type: ignore[union-attr]


def test_findings_have_games_that_show_them() -> None:
    part = part_of(small_game("hawthorn"))
    played = list(matches(SimulationSetup(part.game, "random", 2, backend=BACKEND), GAMES))
    for name, place in ((STARTER_FIRST, 0), *((FIRST, k) for k in range(part.players))):
        about = Finding("seat" if name == FIRST else "beginner", (part.players,), say("{seat}", seat=place + 1))
        found = finding_example(about, [part])
        assert (found is not None) == (part.statistics[name, place].value > 1 / part.players)
        if found is not None:
            number = found[1].number
            starter = int(
                count(Player(SimulationSetup(part.game, "random", 2, backend=BACKEND)), number, 1).counters[0, STARTER]
            )
            returns = played[number].returns()
            assert returns[place if name == FIRST else starter] == max(returns) and returns.count(max(returns)) == 1
    assert finding_example(Finding("length", (part.players,), say("")), [part]) == (
        part, Example(part.statistics.examples[LONGEST])
    )  # fmt: skip
    usual = part.game.endings[1]
    others = [k for k in range(2, len(part.game.rules.ENDINGS)) if (ENDED, k) in part.statistics.examples]
    shown = finding_example(Finding("ending", (part.players,), say("{ending}", ending=usual)), [part])
    assert (shown is not None) == bool(others and (ENDED, 1) in part.statistics.examples)
    part.statistics.examples.pop((TIED, 0), None)
    part.statistics.examples.pop((FIRST, 1), None)
    for kind in ("ties", "seat", "skill"):
        assert finding_example(Finding(kind, (part.players,), say("{seat}", seat=2)), [part]) is None


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
    """What a screen shows but for the names of players."""
    return re.sub(r"\s+", " ", re.sub(r"Seat (\d)|random (\d)", r"\1\2", text))


@for_each(
    ("words", "why"),
    [
        (["hawthorn", "--number", "-1"], "Matches are numbered from 0"),
        (["hawthorn", "--number", "1", "--bots", "clever"], "There is no bot clever"),
        (["hawthorn", "--number", "1", "--record", "no/example/x.json/"], ""),
        (["hawthorn", "--seed", "3"], "--seed is for a simulated game; give its --number too"),
        (["hawthorn", "--players", "3"], "--players is for a simulated game"),
        (["poker", "--number", "1"], "There is no game poker"),
    ],
)
def test_bad_words_are_refused(words: list[str], why: str, room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    (room.home.parent / "file").write_text("")
    monkeypatch.chdir(room.home.parent)
    words = [str(room.home.parent / "file" / "x") if word.endswith(".json/") else word for word in words]
    said = room.hexdeck("replay", *words)
    assert said.status == 2 and why in said.err and said.err.startswith("hexdeck: ")
