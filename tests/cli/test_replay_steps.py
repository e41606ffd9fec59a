"""`hexdeck replay` at a terminal: forward and back through a match, event by event."""

import builtins
import io
import itertools
import random
from collections.abc import Sequence

import pytest
from rich.console import Console

import hexdeck
from hexdeck.cli.record import next_told, step
from hexdeck.engine.discovery.definition import definition
from hexdeck.engine.discovery.finding import game_words
from hexdeck.engine.play.match import Match
from hexdeck.engine.rulebook import CODE, steps
from hexdeck.terminal.rulebook import walk_example
from hexdeck.terminal.screen import Screen
from tests.cli.conftest import Room
from tests.people import has_result
from tests.settings import every_game, much
from tests.support import play_out


def finished(name: str = "cursed-hand", players: int = 3) -> Match:
    match, rng = hexdeck.game(name, players).match(1, backend="interpreted"), random.Random(1)
    play_out(match, rng)
    return match


def stepped(
    match: Match, typed: Sequence[str], monkeypatch: pytest.MonkeyPatch, seat: int = -1
) -> tuple[list[int], str]:
    """The plies that were shown before each answer, and all that was printed."""
    out, plies, lines = io.StringIO(), [], iter(typed)
    console = Console(file=out, width=80, height=24, markup=False, emoji=False, highlight=False)

    def answer(question: str = "") -> str:
        out.write(question + "\n")
        plies.append(match.ply)
        line = next(lines, None)
        if line is None:
            raise EOFError
        return line

    monkeypatch.setattr(builtins, "input", answer)
    step(console, Screen.of(console, game_words(match.game.name, "en"), match.game.table.ABOUT.title), match, seat)
    return plies, out.getvalue()


def distinct(plies: Sequence[int]) -> list[int]:
    return [ply for ply, _ in itertools.groupby(plies)]


def test_it_begins_with_the_first_event_that_was_told_and_goes_on_screen_by_screen(monkeypatch) -> None:
    match = finished(players=much(2, 3))
    plies, shown = stepped(match, [""] * 400, monkeypatch)
    public = [k + 1 for k, facts in enumerate(match.narration()) if any(fact.heard_by(-1) for fact in facts)]
    plies = distinct(plies)
    assert plies[: len(public)] == public and plies[-1] == match.length == match.ply
    for screen in shown.split("── Cursed Hand")[1:]:
        assert screen.count("\n") <= 24
        assert all(len(line) <= 80 for line in screen.splitlines()[1:])


@every_game
def test_back_leads_where_one_came_from(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    match = finished(name)
    there = distinct(stepped(match, [""] * 3, monkeypatch)[0])
    plies, _ = stepped(match, [""] * 3 + ["b"] * (len(there) - 1), monkeypatch)
    assert distinct(plies) == there + there[-2::-1]


def test_a_night_is_stepped_through_beat_by_beat(monkeypatch: pytest.MonkeyPatch) -> None:
    match = finished("wolf-mans-curse")
    told = match.narration()
    last = next(k for k in range(1, match.length) if any("is strongest" in fact.text.key for fact in told[k]))
    plies, shown = stepped(match, much([str(last), *[""] * 8, "e"], [""] * 400), monkeypatch)
    assert plies.count(last + 1) >= 3 and plies.count(last) == 1
    assert shown.count("has the strongest card") + shown.count("strongest and wins") > 3 and plies[-1] == match.length
    plies, _ = stepped(match, [str(last), "", "b", "e"], monkeypatch)
    assert plies[1:] == [last, last + 1, next_told(match, last + 1, -1, -1), match.length]


def test_a_number_e_and_the_log(monkeypatch: pytest.MonkeyPatch) -> None:
    match = finished()
    length = match.length
    plies, shown = stepped(match, ["25", "e", "l", "", "0", "9" * 5000, "q", "never read"], monkeypatch)
    assert plies[1:] == [25, length, length, length, 0, length]
    assert has_result(shown) and f"ply 25 of {length}" in shown
    assert shown.count("cards to the graveyard") + shown.count("to the graveyard.") >= 3


def test_the_end_of_input_leaves(monkeypatch: pytest.MonkeyPatch) -> None:
    plies, _ = stepped(finished(), [], monkeypatch)
    assert len(plies) == 1


def test_a_seat_sees_its_own_hand_and_no_moves_to_choose_from(monkeypatch: pytest.MonkeyPatch) -> None:
    _, shown = stepped(finished(), ["22"], monkeypatch, seat=1)
    assert shown.count("You are dealt") == 1 and "┌───┐" in shown and "Start your graveyard" not in shown


# --- `hexdeck rules GAME --example` -----------------------------------------------------------------------------------
def plain(text: str) -> str:
    return " ".join(text.split())


@every_game
@pytest.mark.parametrize("lang", ["en", "nl"])
def test_through_a_pipe_all_steps_come_in_a_row(name: str, lang: str, room: Room) -> None:
    said, found = room.hexdeck("rules", name, "--example", "--lang", lang), steps(name, lang)
    assert said.status == 0 and said.err == "" and max(map(len, said.out.splitlines())) <= 80
    places = [plain(said.out).find(plain(CODE.sub("", step.passage))) for step in found]
    assert places == sorted(places) and places[0] > 0 and len(set(places)) == len(found)
    hand = next(zone for zone in found[0].view.zones if zone.id.startswith("hand-")) if name != "blackstone" else None
    assert hand is None or (hand.cards and len(hand.cards) >= 5)


def walked(name: str, typed: Sequence[str], monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What was asked at each screen, and before it what was shown."""
    out, screens, lines = io.StringIO(), [], iter(typed)
    console = Console(file=out, width=80, height=24, markup=False, emoji=False, highlight=False)

    def answer(question: str = "") -> str:
        screens.append(out.getvalue() + question)
        out.truncate(out.seek(0))
        line = next(lines, None)
        if line is None:
            raise EOFError
        return line

    monkeypatch.setattr(builtins, "input", answer)
    screen = Screen.of(console, game_words(name, "en"), definition(name).table.ABOUT.title)
    walk_example(console, screen, steps(name, "en"))
    return screens


@every_game
def test_enter_goes_on_to_the_end_and_each_screen_fits(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    found = steps(name, "en")
    screens = walked(name, [""] * 50, monkeypatch)
    assert len(screens) == len(found)
    for number, (shown, each) in enumerate(zip(screens, found, strict=True), 1):
        assert plain(each.passage) in plain(shown) and f"step {number} of {len(found)}" in shown
        assert len(shown.splitlines()) <= 24, (number, len(shown.splitlines()))


def test_b_goes_back_and_q_and_the_end_of_input_leave(monkeypatch: pytest.MonkeyPatch) -> None:
    def numbers(typed: Sequence[str]) -> list[int]:
        return [int(plain(shown).partition("step ")[2].split()[0]) for shown in walked("hawthorn", typed, monkeypatch)]

    assert numbers(["", "", "b", "B", "b", "", "q"]) == [1, 2, 3, 2, 1, 1, 2]
    assert numbers([""]) == [1, 2]
