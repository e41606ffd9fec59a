"""What a seat sees."""

from typing import Any

from hexdeck.games.lay_cards import rules

from hexdeck.engine.study import About, Reason
from hexdeck.engine.text import Cards, Seat, Text, say
from hexdeck.engine.view import Caption, Outcome, Stop, Zone, cell_name, on_board

ABOUT = About(Text("Lay cards"), Text("Cards on cells."), credit=Text("Ours."), deal=Text("Game"))
REASONS = (
    Reason("LC-1", Text("Not now.")),
    Reason("LC-2", Text("You don't hold that card.")),
    Reason("LC-3", Text("That cell is taken.")),
)


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
    """A move in words; the cells score 0 to 8 points, with the first card none."""
    if action < rules.AT_CELL:
        return say("Lay the {card}", card=Cards((rules.CARDS[action],)))
    if action == rules.WAIT:
        return Text("Wait")
    cell = action - rules.AT_CELL
    return on_board(say("At {cell}", cell=cell_name(cell, 3)), "board", cell, cell if s.picked else None)


def caption(stop: Stop, seat: int) -> Caption | None:
    """What an event tells."""
    if stop.actor < 0:
        return Caption(Text("A bell rings."))
    if stop.now.phase:
        card = Cards((rules.CARDS[stop.now.picked],))
        return Caption(say("You take the {card}.", card=card)) if seat == stop.actor else None
    laid = [k + 1 for k in range(9) if stop.now.cells[k] != stop.before.cells[k]]
    return Caption(say("{seat}: {name}.", seat=Seat(stop.actor), name=f"cell {laid[0]}" if laid else "wait"))


def outcome(_s: Any, _seat: int) -> Outcome:
    """How it ended."""
    return Outcome([Text("played")] * 2)
