"""Asides on the full screen: an accusation in High Handed is typed or clicked, and nobody is stopped by a question."""

import json

from textual.events import Key

from hexdeck.terminal.app import Pointed
from hexdeck.terminal.session import ScreenSession
from tests.people import Room
from tests.terminal.uncle_bob import OPTIONS, next_move, play_until

from .people import Person, before, new_session


def at_a_turn(people: tuple[str, ...] = ("You",), turns: int = 1, **how: object) -> ScreenSession:
    """The first person's turn has begun, after so many; the next seat took a card too many before."""
    at = new_session("high-handed", people, options=OPTIONS, **how)  # type: ignore[arg-type]
    play_until(at.match, 0, turns, 1)
    return at


def test_it_is_clicked_and_taken_back_and_kept_in_the_save(room: Room) -> None:
    at = at_a_turn()

    ply = at.match.length

    async def click(person: Person) -> None:
        await person.click("aside", 2)
        assert "You accuse Bot 2; it will show" in person.screen and "Bot 2 (said)" in person.screen
        assert json.loads(room.saved()[0].read_text())["notes"] == {"asides": [[0, 2]]}
        await person.click("aside", 2)
        assert "You no longer accuse Bot 2." in person.screen and "(said)" not in person.screen
        assert json.loads(room.saved()[0].read_text())["notes"] == {}
        person.app.state.turn = None  # as while others play
        person.app.on_pointed(Pointed({"aside": 1}, True))
        await person.shows("Bot 1 (said)")
        for letter in "accuse bot 2":
            person.app.on_key(Key("space" if letter == " " else letter, letter))
        person.app.enter()
        await person.shows("Bot 2 (said)")
        person.app.state.turn = 0
        assert at.match.length == ply
        await person.press("f1")
        await person.shows("accuse and a player's name or number")

    before(at, click, size=(80, 40))


def test_the_next_person_at_the_screen_sees_nothing_of_it() -> None:
    at = at_a_turn(("Ann", "Ben", "Cas"))

    async def pass_on(person: Person) -> None:
        await person.press("enter")
        await person.type("accuse cas")
        while not person.covered:
            await person.type(next_move(at.match, 0))
        assert at.asides.said == {(0, 2)}
        await person.press("enter")
        assert person.app.state.turn == 1 and "You can also accuse: Ann, Cas" in person.screen
        assert "(said)" not in person.screen and "You accuse" not in person.screen

    before(at, pass_on)
