"""`hexdeck rules GAME --example`: all steps through a pipe, screen by screen at a terminal."""

import builtins
import io
from collections.abc import Sequence

import pytest
from rich.console import Console

from hexdeck.engine.discovery.definition import definition
from hexdeck.engine.discovery.finding import game_words
from hexdeck.engine.rulebook import CODE, steps
from hexdeck.terminal.rulebook import walk_example
from hexdeck.terminal.screen import Screen
from tests.cli.conftest import Room
from tests.settings import every_game


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
    for number, (shown, step) in enumerate(zip(screens, found, strict=True), 1):
        assert plain(step.passage) in plain(shown) and f"step {number} of {len(found)}" in shown
        assert len(shown.splitlines()) <= 24, (number, len(shown.splitlines()))


def test_b_goes_back_and_q_and_the_end_of_input_leave(monkeypatch: pytest.MonkeyPatch) -> None:
    def numbers(typed: Sequence[str]) -> list[int]:
        return [int(plain(shown).partition("step ")[2].split()[0]) for shown in walked("hawthorn", typed, monkeypatch)]

    assert numbers(["", "", "b", "B", "b", "", "q"]) == [1, 2, 3, 2, 1, 1, 2]
    assert numbers([""]) == [1, 2]
