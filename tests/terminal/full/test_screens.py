"""How the full screen looks: golden texts in four sizes, other sizes, themes, colours."""

import os
import random
import re
from pathlib import Path

import pytest
from rich.style import Style
from textual.color import Color

from hexdeck.engine.discovery.finding import game_words
from hexdeck.terminal.drawing import COLOURS, DARK, LIGHT, STYLES, Frame, FullScreen, ScreenState, usual_theme
from hexdeck.terminal.session import ScreenSession
from tests.settings import GAMES, covered, every_game
from tests.support import for_each

from .people import Person, before, new_session

GOLDEN = Path(__file__).parent / "golden"
SIZES = ((80, 24), (50, 30), (40, 20), (120, 40))


def drawn(text: str) -> str:
    return "\n".join(re.sub(r"^[█▎▌]| *[▁-▇█▔]? *$", "", line) for line in text.splitlines())


def begun(name: str, lang: str, plies: int = 14) -> ScreenSession:
    at, rng = new_session(name, lang=lang), random.Random(name)
    while not at.match.over and len([event for event in at.match.events if event.seat >= 0]) < plies:
        seat = at.match.acting[0]
        at.match.play(seat, rng.choice(at.match.legal_ids(seat)))
    at.read_up_to[0] = max(0, at.match.ply - 6)
    return at


@covered(("name", "lang"), GAMES, ["en", "nl"])
def test_the_full_screen_looks_as_it_did(name: str, lang: str) -> None:
    """To renew what is expected: `make golden`."""
    screens = []

    async def look(person: Person) -> None:
        for size in SIZES:
            await person.pilot.resize_terminal(*size)
            screens.append(f"{size[0]} x {size[1]}\n{drawn(person.screen)}\n")

    before(begun(name, lang), look, SIZES[0])
    path, shown = GOLDEN / f"{name}.{lang}.txt", "\n".join(screens)
    if os.environ.get("UPDATE_GOLDEN"):
        path.parent.mkdir(exist_ok=True)
        path.write_text(shown, encoding="utf-8")
    assert shown == path.read_text(encoding="utf-8")


@every_game
def test_nothing_is_wider_than_the_screen_and_every_move_can_be_pointed_at(name: str) -> None:
    at, rng = begun(name, "nl", 0), random.Random(1)
    for step in range(12):
        if at.match.over:
            break
        seat = at.match.acting[0]
        state = ScreenState(at.match.view(seat), at.log_and_news(seat), seat)
        for width, height in ((40, 20), (63, 22), (80, 24), (99, 50), (140, 45)):
            panels = Frame(at, state, width, height).panels()
            for panel, lines in panels.items():
                room = width - 38 * (width >= 100) if panel not in {"head", "said", "line", "keys"} else width
                assert all(
                    line.cell_len <= room - (3 if panel in {"table", "own", "news", "ask", "log"} else 0)
                    for line in lines
                ), f"{panel} at {width}, step {step}"
            marks = [
                span.style.meta
                for lines in panels.values()
                for line in lines
                for span in line.spans
                if isinstance(span.style, Style)
            ]
            there = {mark["move"] for mark in marks if "move" in mark}
            runs = {move.id for move in state.moves} - there
            assert not runs or (height < 25 and there), f"{runs} at {width} x {height}"
        at.match.play(seat, rng.choice(at.match.legal_ids(seat)))


def test_the_board_scrolls_where_it_does_not_fit_and_the_question_is_always_there() -> None:
    async def look(person: Person) -> None:
        for height in (16, 40, 20):
            await person.pilot.resize_terminal(40, height)
            question = person.session.say(person.app.state.view.prompt)  # type: ignore[union-attr]
            assert question.split(":")[0] in person.screen and "> ▏" in person.screen
        assert "Bot 1" not in person.screen
        await person.press("pageup")
        assert "Bot 1" in person.screen

    before(new_session("high-handed"), look, (40, 24))


# --- colours ----------------------------------------------------------------------------------------------------------
def luminance(colour: str) -> float:
    parts = [part / 255 for part in Color.parse(colour).rgb]
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    dark, light = sorted((luminance(one), luminance(other)))
    return (light + 0.05) / (dark + 0.05)


@for_each("look", [DARK, LIGHT])
def test_all_that_is_read_stands_out_from_its_ground(look: str) -> None:
    colours = COLOURS[look]
    pairs = [(ink, ground) for ink in ("ink", "soft", "accent", "glow") for ground in ("ground", "felt", "raised")]
    pairs += [("on-accent", "accent"), ("on-glow", "glow"), ("card-ink", "card-paper"), ("card-red", "card-paper")]
    for ink, ground in pairs:
        assert contrast(colours[ink], colours[ground]) >= 4.5, f"{ink} on {ground}"
    for style in STYLES.values():
        assert {name[1:] for name in re.findall(r"\$[\w-]+", style)} <= {*colours}


@for_each(("given", "look"), [("15;0", DARK), ("0;15", LIGHT), ("0;default;15", LIGHT), ("", DARK), ("7", LIGHT)])
def test_the_theme_suits_the_terminal(given: str, look: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLORFGBG", given)
    assert usual_theme() == look


def test_the_colours_change_at_a_key() -> None:
    async def look(person: Person) -> None:
        grounds = []
        for _ in range(3):
            grounds.append(person.app.screen.styles.background.hex)
            await person.press("f6")
        assert grounds[0] == grounds[2] != grounds[1]

    before(new_session("cursed-hand"), look)


def test_what_is_pointed_at_shows_without_colour_and_many_cards_lie_over_one_another() -> None:
    at = new_session("black-hearts", seed=12)
    state = ScreenState(at.match.view(0), at.log_and_news(0), 0)
    plain = Frame(at, state, 80, 24).panels()
    state.pointed = state.moves[0].id
    pointed = Frame(at, state, 80, 24).panels()
    assert "╰─▲─╯" in "".join(line.plain for line in pointed["own"])
    assert "╰─▲─╯" not in "".join(line.plain for line in plain["own"])
    assert "Enter: Pass" in pointed["line"][0].plain and "Enter" not in plain["line"][0].plain
    narrow, view = (
        FullScreen(game_words("cursed-hand", "en"), "x", 34, 40),
        new_session("cursed-hand", players=2).view(0),
    )
    lines = [line.plain.rstrip() for line in narrow.arrange(view, [], 0, False)["own"]]
    assert any(line.startswith("  ╭───╭───") and line.endswith("╮") for line in lines)


@every_game
def test_the_first_lesson_is_read_in_full_after_the_greeting(name: str) -> None:
    at = new_session(name, coach=True)

    async def look(person: Person) -> None:
        await person.press("enter")
        await person.pilot.pause()
        assert at.messages[0].startswith("— ") and "Risk: " in person.screen and "(Type coach" in person.screen
        assert person.app.panel("said").size.height == len(Frame(at, person.app.state, 80, 24).messages()) <= 13

    before(at, look, greeting=True)
