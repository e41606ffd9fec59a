"""The full screen besides moves: refusals, hints, undo, the log, the rules, help, errors."""

import threading
from collections.abc import Callable
from typing import Any

import pytest
from textual.events import Paste

from hexdeck.engine.errors import HexdeckError
from hexdeck.engine.play.record import read
from hexdeck.engine.text import say
from hexdeck.tables.fair import commitment, proof_of, verify
from hexdeck.tables.live import codes_of, hand_of
from hexdeck.terminal import app as app_module
from hexdeck.terminal.app import ReadingPage
from hexdeck.terminal.drawing import Spot, commands, next_spot
from hexdeck.terminal.session import ScreenSession
from tests.people import Room, has_result

from .people import Person, before, new_session


def test_the_greeting_names_the_game_and_its_makers_and_shows_no_card() -> None:
    async def read(person: Person) -> None:
        assert "Cursed Hand" in person.screen and "Cheapass Games" in person.screen
        assert "Unofficial" in person.screen and "╭───╮" not in person.screen
        await person.press("enter")
        assert "╭───╮" in person.screen

    before(new_session("cursed-hand"), read, greeting=True)


def undealt(name: str, **how: Any) -> ScreenSession:
    at = new_session(name, secret=bytes(32), **how)
    at.match = at.match.game.match(by_hand=True, backend="fast", names=at.match.names)
    return at


def test_the_greeting_shows_the_promise_and_takes_words_which_are_in_the_deal() -> None:
    async def write(person: Person) -> None:
        assert "What deals the cards is fixed already" in person.screen and not person.session.match.events
        assert commitment(bytes(32))[:40] not in person.screen
        await person.press("w")
        assert commitment(bytes(32))[:40] in person.screen
        await person.pilot.press("q", "u", "i", "z")
        assert "quiz" in person.screen and person.covered
        await person.press("enter")
        assert not person.covered and "╭───╮" in person.screen
        proof = proof_of(person.session.record())
        assert proof.contributions == ("quiz", "", "") and proof.secret == bytes(32)

    before(undealt("cursed-hand"), write, greeting=True)


def test_without_words_the_deal_follows_from_the_secret_alone_and_leaving_keeps_it(room: Room) -> None:
    async def enter(person: Person) -> None:
        await person.press("enter")
        assert person.session.match.events and verify(person.session.record(), commitment(bytes(32))) > 0

    async def leave(person: Person) -> None:
        await person.pilot.press("q")
        assert person.session.leave() == 0

    before(undealt("hawthorn", people=("Ann", "Ben")), enter, greeting=True)
    before(undealt("hawthorn"), leave, greeting=True)
    assert verify(read(room.saved()[0])) > 0


def test_a_refusal_says_why_and_the_rule_is_there() -> None:
    async def ask(person: Person) -> None:
        at = person.session
        refused = next(n for n in range(1, 11) if not at.moves_meant(str(n), person.app.state.view))  # type: ignore[arg-type]
        await person.type(str(refused))
        assert "That card isn't in your hand. (? shows the rule)" in person.screen
        assert person.session.match.events == at.match.events and person.app.state.turn == 0
        await person.press("question_mark")
        assert "Secretly pick one card" in person.screen
        await person.press("question_mark")
        assert isinstance(person.app.screen, ReadingPage) and "Click a move" in person.screen

    before(new_session("cursed-hand"), ask)


def test_one_hint_at_a_time_is_thought_about_while_the_screen_goes_on(monkeypatch: pytest.MonkeyPatch) -> None:
    asked, waiting, thought = [], threading.Event(), app_module.hint_for

    def slow(*position: Any) -> Any:
        asked.append(position)
        waiting.wait()
        return thought(*position)

    async def ask(person: Person) -> None:
        monkeypatch.setattr(app_module, "hint_for", slow)
        await person.press("h", "h", "h")
        assert "Thinking about a hint" in person.screen
        await person.press("7")
        assert "> 7" in person.screen  # nothing is frozen
        waiting.set()
        await person.shows("The best moves, judging only by what you know")
        assert "> 7" in person.screen

    before(new_session("cursed-hand"), ask)
    assert len(asked) == 1


def test_the_screen_goes_on_while_a_bot_thinks() -> None:
    at, waiting = new_session("cursed-hand"), threading.Event()
    honest: Callable[..., Any] = ScreenSession.bot_of

    class Slow(ScreenSession):
        def bot_of(self, seat: int) -> Any:
            waiting.wait()
            return honest(self, seat)

    async def look(person: Person) -> None:
        at.__class__ = Slow
        person.app.play(person.app.state.moves[0].id)
        await person.shows("Bot 1 is thinking")
        await person.pilot.press("l")
        await person.pilot.pause()
        assert "You are dealt" in person.screen
        await person.pilot.press("escape")
        waiting.set()
        await person.settled()
        assert person.app.state.turn == 0 or at.match.over

    before(at, look)


def test_a_bot_that_fails_ends_the_screen_with_its_sentence() -> None:
    class Broken(ScreenSession):
        def bot_of(self, seat: int) -> Any:
            raise HexdeckError(say("The net is torn."))

    at = new_session("cursed-hand")

    async def look(person: Person) -> None:
        at.__class__ = Broken
        person.app.play(person.app.state.moves[0].id)
        await person.settled()

    app = before(at, look)
    assert str(app.error) == "The net is torn."


def test_undo_in_practice_goes_back_to_ones_last_decision() -> None:
    at = new_session("hawthorn", practice=True)

    async def play(person: Person) -> None:
        first = person.app.state.moves
        person.app.play(first[0].id)
        await person.settled()
        await person.press("u")
        assert person.app.state.moves == first and "practice" in person.screen.splitlines()[0]
        await person.press("u")
        assert "There is nothing to undo yet." in person.screen

    before(at, play)


def test_pages_open_and_close() -> None:
    async def read(person: Person) -> None:
        table = person.screen
        for key, title in (("l", "The log"), ("r", "Cursed Hand"), ("question_mark", "Help")):
            await person.press(key)
            assert isinstance(person.app.screen, ReadingPage) and person.screen.splitlines()[0].strip() == title
            await person.press("down", "end", "home", "escape")
            assert person.screen == table
        await person.click("key", "?")
        assert isinstance(person.app.screen, ReadingPage)
        await person.pilot.click("#close")
        assert person.screen == table

    before(new_session("cursed-hand"), read)


# --- keys -------------------------------------------------------------------------------------------------------------
def test_a_move_that_is_a_word_can_be_typed_though_it_begins_like_a_command() -> None:
    at = new_session("blackstone", players=2, seed=1)
    while at.match.acting != (0,) or "stop" not in {move.name for move in at.match.legal(0)}:
        at.match.play(at.match.actor, "draw")
    ply = at.match.length

    async def stop(person: Person) -> None:
        assert "F7 score" in person.screen
        await person.type("stop")
        assert not isinstance(person.app.screen, ReadingPage)
        assert [event.name for event in at.match.events][ply] == "stop"

    before(at, stop)


def test_a_letter_that_a_move_begins_with_is_typed_and_so_is_what_was_pasted() -> None:
    at = new_session("high-handed")
    at.play_line(str(at.match.legal(0)[0].name), 0)
    moves = at.match.legal(0)
    assert any(move.cell.startswith("h") for move in moves)
    assert "h" not in commands(moves) and {"?", "u", "l", "r", "q"} <= commands(moves).keys()

    async def type_cell(person: Person) -> None:
        await person.press("h")
        assert "> h" in person.screen and "F2 hint" in person.screen
        await person.press("3")
        assert "Enter: " in person.screen
        await person.press("backspace", "backspace", "x", "escape")
        assert "> ▏" in person.screen
        person.app.post_message(Paste("7\n\x1b"))
        await person.settled()
        assert "> 7▏" in person.screen

    before(at, type_cell)


def test_cards_that_go_together_are_clicked_one_after_another() -> None:
    at = new_session("black-hearts", seed=12)
    moves, hand = at.match.legal(0), hand_of(at.match.view(0))
    assert hand
    cards = hand.cards

    async def pass_two(person: Person) -> None:
        await person.click("card", 0)
        assert f"> {cards[0].lower()}" in person.screen and "╰─▲─╯" in person.screen
        await person.click("card", 2)
        assert "Enter: Pass" in person.screen and person.screen.count("╰─▲─╯") == 2
        await person.press("enter")

    before(at, pass_two)
    passed = next(event for event in at.match.events if event.seat == 0)
    assert passed.id == next(move.id for move in moves if codes_of(move) == (cards[0], cards[2]))


def test_a_card_that_plays_by_itself_is_played_by_a_click_but_not_by_the_second_of_a_double_click(monkeypatch) -> None:
    at, now = new_session("cursed-hand"), 100.0
    at.pause = 0.001
    monkeypatch.setattr(app_module, "monotonic", lambda: now)

    async def play(person: Person) -> None:
        nonlocal now
        await person.click("card", 0)
        await person.click("move", person.app.state.moves[0].id)
        assert person.app.state.turn == 0 and not at.read_up_to[0]
        now += 1
        await person.click("card", 0)

    before(at, play)
    assert [event.seat for event in at.match.events].count(0) == 1


def test_a_card_that_cannot_be_played_says_why() -> None:
    at = new_session("hawthorn")

    async def play(person: Person) -> None:
        person.app.play(person.app.state.moves[0].id)
        await person.settled()
        view = person.app.state.view
        place = next(k for k in range(2) if at.move_of_card(k, view) is None)  # type: ignore[arg-type]
        await person.click("card", place)
        assert "only once, at the start of a deal" in at.messages[0]

    before(at, play)


def test_arrows_go_to_the_nearest_move() -> None:
    cells = [Spot(10 * row + column, row, 4 * column) for row in range(3) for column in range(3)]
    assert [next_spot(cells, -1, arrow) for arrow in ("down", "right", "up", "left")] == [0, 0, 22, 22]
    assert [next_spot(cells, 11, arrow) for arrow in ("down", "right", "up", "left")] == [21, 12, 1, 10]
    assert next_spot(cells, 22, "right") == 0 and next_spot(cells, 21, "down") == 1
    assert next_spot([], -1, "down") == -1


def test_enter_hastens_a_bot() -> None:
    at = new_session("hawthorn")
    at.pause = 1e6

    async def hurry(person: Person) -> None:
        app = person.app
        app.play(app.state.moves[0].id)
        while app.state.turn is None and not at.match.over:
            await person.until(lambda: app.wait is not None or app.state.turn is not None)
            await person.pilot.press("enter")

    before(at, hurry)


def test_the_end_shows_the_result_leaves_at_enter_and_tells_where_the_record_is(room: Room) -> None:
    at = new_session("cursed-hand", players=2)

    async def play(person: Person) -> None:
        while person.app.state.turn is not None:
            person.app.play(person.app.state.moves[0].id)
            await person.settled()
        assert has_result(person.screen) and "Press Enter or q to leave." in person.screen
        assert not person.session.messages and "The record is in" in at.farewell[0]
        await person.press("enter")

    app = before(at, play)
    assert not app.is_running and at.match.over
    at.on_screen = False
    assert app_module.ended(at) == 0
    printed = at.console.file.getvalue()  # type: ignore[attr-defined]
    assert has_result(printed) and room.saved("finished")[0].name[:20] in printed
