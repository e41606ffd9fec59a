"""Several people before one full screen: nobody sees what somebody else may not."""

import itertools
import random

import pytest

from hexdeck.engine.play.game import raw
from hexdeck.engine.play.match import Match
from hexdeck.terminal.app import Panel, TableApp, visible_parts
from hexdeck.terminal.drawing import Frame, ScreenState, Typing
from hexdeck.terminal.session import CURTAIN, TURN, ScreenSession
from tests.people import Room
from tests.settings import data, every_game
from tests.support import random_step

from .people import Person, before, new_session

PEOPLE = ("Ann", "Ben", "Cas")
PASS = "Pass the screen to {}, then press Enter."
TAKE_BACK = "u: take back what {} chose."


def said(screen: str) -> set[str]:
    return {line.strip() for line in screen.splitlines() if line.strip()}


def beneath(app: TableApp) -> str:
    return "".join(str(panel.render()) for panel in app.screen_stack[0].query(Panel))


def curtain_holds_nothing(person: Person, head: str) -> str:
    """Whom the curtain calls to the screen; nothing else may stand on it, nor under it."""
    (called,) = (name for name in PEOPLE if PASS.format(name) in person.screen)
    assert said(person.screen) <= {PASS.format(called), *(TAKE_BACK.format(name) for name in PEOPLE)}
    assert person.app.state.view is None and not person.session.messages
    keys = beneath(person.app).replace(head, "").strip()
    assert keys == "? help  h hint  u undo  l log  r rules  s score  q leave  F6 light or dark"
    return called


@every_game
def test_nothing_but_the_curtain_is_seen_between_two_people(name: str, room: Room) -> None:
    at = new_session(name, PEOPLE, 4 if name == "high-handed" else 3)
    title = at.say(at.match.game.table.ABOUT.title)
    passed: list[str] = []

    async def play(person: Person) -> None:
        for _ in range(7):
            if person.covered:
                passed.append(curtain_holds_nothing(person, title))
                await person.press("enter")
            seat = person.app.state.turn
            if seat is None:
                break
            assert person.app.state.view is not None and person.app.state.view.seat == seat
            assert PEOPLE[seat] == passed[-1] and f"{title} · {passed[-1]}" in person.screen
            person.app.play(person.app.state.moves[-1].id)
            await person.settled()

    before(at, play)
    assert passed[0] == "Ann" and len(set(passed)) > 1
    assert all(one != other for one, other in itertools.pairwise(passed))  # none where the person stays


def test_pages_that_are_open_and_hints_that_come_late_do_not_outlast_a_turn() -> None:
    async def play(person: Person) -> None:
        app = person.app
        await person.press("enter")
        late = app.position
        await person.pilot.press("l")
        assert "You are dealt" in person.screen
        app.play(app.state.moves[0].id)
        await person.settled()
        assert len(app.screen_stack) == 2
        assert PASS.format("Ben") in person.screen and "You are dealt" not in person.screen
        app.hinted([], late)
        await person.press("enter")
        app.hinted([], late)
        assert not person.session.messages

    before(new_session("cursed-hand", PEOPLE[:2]), play)


def test_a_secret_choice_is_taken_back_at_the_curtain() -> None:
    at = new_session("cursed-hand", PEOPLE[:2])
    chosen = []

    async def play(person: Person) -> None:
        await person.press("enter")
        for move in person.app.state.moves[:2]:
            chosen.append(move.name)
            person.app.play(move.id)
            await person.settled()
            assert said(person.screen) == {PASS.format("Ben"), TAKE_BACK.format("Ann")}
            if len(chosen) == 1:
                await person.press("u")
                assert person.app.state.turn == 0 and "Ann" in person.screen
        await person.press("enter")
        assert person.app.state.turn == 1

    before(at, play)
    assert [event.name for event in at.match.events if event.seat == 0] == chosen[1:]


def test_who_sends_the_coach_away_does_so_for_themselves() -> None:
    async def play(person: Person) -> None:
        await person.press("enter")
        assert "You may: " in person.screen
        await person.type("coach")
        assert "Explanations are off." in person.screen
        person.app.play(person.app.state.view.moves[0].id)
        await person.settled()
        await person.press("enter")
        assert "You may: " in person.screen

    before(new_session("hawthorn", ("Ann", "Ben"), 2, coach=True), play)


def test_leaving_at_a_curtain_keeps_the_match_and_one_person_meets_no_curtain(room: Room) -> None:
    async def leave(person: Person) -> None:
        await person.press("q")

    at = new_session("hawthorn", PEOPLE)
    before(at, leave)
    assert at.shown_to is None and at.next_step() == (CURTAIN, 0)
    assert new_session("hawthorn").next_step() == (TURN, 0)


# --- dealt anew -------------------------------------------------------------------------------------------------------
def frame(at: ScreenSession, seat: int, look: int) -> object:
    """All that a frame shows to a seat: words, colours and marks, with something typed or pointed at."""
    state = ScreenState(at.match.view(seat), ([], 0), seat)
    if look % 3 == 1:
        state.pointed = state.moves[look % len(state.moves)].id
    if look % 3 == 2:
        state.typing = Typing("7")
    width, height = ((40, 20), (80, 24), (120, 45))[look % 3]
    return {name: visible_parts(lines) for name, lines in Frame(at, state, width, height).panels().items()}


def in_world(at: ScreenSession, match: Match) -> ScreenSession:
    there = new_session(match.game.name, PEOPLE, match.game.players)
    there.match = match
    return there


@every_game
def test_a_turn_looks_alike_in_every_world_the_person_thinks_possible(name: str) -> None:
    worlds, changed = 0, 0
    for seed in range(2):
        at, rng = new_session(name, PEOPLE, seed=seed), random.Random(seed)
        for _ in range(30):
            if at.match.over:
                break
            for seat in at.match.acting if rng.random() < 0.4 else ():
                shown = frame(at, seat, worlds)
                world = at.match.resample(seat, worlds)
                assert frame(in_world(at, world), seat, worlds) == shown, f"ply {at.match.ply}, seat {seat}"
                changed += raw(world.rows)[0].tobytes() != raw(at.match.rows)[0].tobytes()
                worlds += 1
            random_step(at.match, rng)
    assert changed or data(name)["changed_worlds"] < 0.5, f"none of {worlds} worlds differed"


@every_game
def test_the_app_shows_the_same_in_every_such_world(name: str) -> None:
    at, rng = new_session(name, PEOPLE), random.Random(5)
    for _ in range(2):
        seat = rng.choice(at.match.acting)
        at.match.play(seat, rng.choice(at.match.legal_ids(seat)))
        if at.match.over:
            break
    while not at.match.acting:
        at.match.go(at.match.ply - 1)
    seat = at.match.acting[0]
    screens = []

    async def look(person: Person) -> None:
        for keys in (["f6"], ["z", "enter"], ["escape", "down"]):
            await person.press(*keys)
            screens.append(person.screen)

    for world in (1, 2):
        there = in_world(at, at.match.resample(seat, world))
        there.shown_to = seat
        before(there, look, (100, 28))
    assert screens[:3] == screens[3:] and len(set(screens)) > 1


def test_a_planted_leak_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    at = new_session("cursed-hand", PEOPLE, seed=2)
    monkeypatch.setattr(Frame, "head", lambda self: [*self.drawing(self.width).prompt(self.session.match.view(1))])
    honest = frame(at, 0, 0)
    monkeypatch.setattr(Frame, "head", lambda self: self.drawing(self.width).own(self.session.match.view(1)))
    assert frame(at, 0, 0) != honest
    assert any(frame(in_world(at, at.match.resample(0, world)), 0, 0) != frame(at, 0, 0) for world in range(4))
