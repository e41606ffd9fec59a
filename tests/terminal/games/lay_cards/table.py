"""What a seat sees."""

from typing import Any

from hexdeck.games.lay_cards import rules

from hexdeck.engine.about import About
from hexdeck.engine.event import Event
from hexdeck.engine.text import Cards, Seat, Text, say
from hexdeck.engine.view import Fact, Outcome, Zone, cell_name, everyone

TITLE, ABOUT = Text("Lay cards"), About(Text("Cards on cells."), credit=Text("Ours."), deal=Text("Game"))
WHY = tuple(map(Text, ("It can be done.", "Not now.", "You don't hold that card.", "That cell is taken.")))


def zones(s: Any, _seat: int) -> list[Zone]:
    """Both hands and the board."""
    hands = [tuple(card for k, card in enumerate(rules.CARDS) if s.hand[p] >> k & 1) for p in range(2)]
    cells = tuple(rules.CARDS[s.cells[k] - 1] if s.cells[k] else "" for k in range(9))
    board = Zone("board", Text("Board"), None, "board", cells, columns=3)
    return [*(Zone(f"hand-{p}", Text("Hand"), p, "fan", hand) for p, hand in enumerate(hands)), board]


def tallies(_s: Any) -> list[Any]:
    """Nothing is counted."""
    return []


def prompt(s: Any, _seat: int) -> Text:
    """What the table waits for."""
    return Text("It is over." if s.over else "Where?" if s.phase else "Which card?")


def label(s: Any, _seat: int, action: int) -> Text:
    """A move in words."""
    if action < rules.AT_CELL:
        return say("Lay the {card}", card=Cards((rules.CARDS[action],)))
    return Text("Wait") if action == rules.WAIT else say("At {cell}", cell=cell_name(action - rules.AT_CELL, 3))


def spot(s: Any, _seat: int, action: int) -> tuple[str, int, int | None] | None:
    """The cells score 0 to 8 points, with the first card none."""
    if not rules.AT_CELL <= action < rules.WAIT:
        return None
    return "board", action - rules.AT_CELL, action - rules.AT_CELL if s.picked else None


def narrate(_before: Any, event: Event, after: Any) -> list[Fact]:
    """What an event tells."""
    if event.seat < 0:
        return everyone(Text("A bell rings."))
    if after.phase:
        return [Fact(1 << event.seat, say("You take the {card}.", card=Cards((rules.CARDS[after.picked],))))]
    return everyone(say("{seat}: {name}.", seat=Seat(event.seat), name=event.name))


def outcome(_s: Any, _seat: int) -> Outcome:
    """How it ended."""
    return Outcome([Text("played")] * 2)
