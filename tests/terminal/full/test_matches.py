"""Whole matches in the full screen, by keys and by mouse; leaving, resuming, undoing."""

import hexdeck
from hexdeck.engine.discovery.definition import definition
from hexdeck.terminal.typed_moves import with_keys
from tests.people import Room
from tests.settings import GAMES, covered, data

from .people import Person, before, new_session


async def by_keys(person: Person) -> None:
    """Play to the end by typing what the list shows."""
    while person.app.state.turn is not None:
        moves = person.app.state.moves
        move = moves[len(person.session.match.events) % len(moves)]
        keys = {each.id: key for key, each in with_keys(moves)}
        await person.type(move.cell or keys[move.id].lower())


async def by_mouse(person: Person) -> None:
    """Play to the end by clicking on moves and cells."""
    while person.app.state.turn is not None:
        moves = person.app.state.moves
        await person.click("move", moves[len(person.session.match.events) % min(3, len(moves))].id)


@covered(("name", "how"), GAMES, [(by_keys, (60, 24)), (by_mouse, (100, 40))])
def test_a_whole_match_is_played(name: str, how: tuple[object, tuple[int, int]], room: Room) -> None:
    play, size = how
    players = definition(name).rules.PLAYERS[0]
    at = new_session(name, players=players, options=data(name).get("small", {}))
    app = before(at, play, size)  # type: ignore[arg-type]
    assert at.match.over and not app.error and not room.saved()
    (path,) = room.saved("finished")
    assert hexdeck.load(path, backend="fast").events == at.match.events


def test_a_whole_match_is_played_by_arrows(room: Room) -> None:
    async def by_arrows(person: Person) -> None:
        while person.app.state.turn is not None:
            await person.press("down", "right", "enter")

    at = new_session("hawthorn", players=2, options={"deals": 1})
    before(at, by_arrows)
    assert at.match.over and room.saved("finished")


def test_leaving_keeps_the_match(room: Room) -> None:
    async def some(person: Person) -> None:
        await person.type("5")
        await person.press("q")

    before(new_session("cursed-hand", seed=1), some)
    events = hexdeck.load(room.saved()[0], backend="fast").events
    assert [event.name for event in events if event.seat == 0][:1] == ["grave 5"]
