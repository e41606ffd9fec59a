"""Positions of High Handed made by hand: hands dealt, boards laid out as text, and what is seen of them."""

from itertools import cycle
from typing import Any

from hexdeck.engine.play.game import raw
from hexdeck.engine.play.match import Match
from hexdeck.games.high_handed import rules
from hexdeck.games.high_handed.rules import CARDS, REGULAR, TIMER
from tests.positions import fields, redealt, refusal, zone
from tests.support import play, stage

from . import worlds as oracle

NAME = "high-handed"
SHORT = {"x2": "two-timer", "Tf": "thief"}
STEPS = {"row": (0, 1), "column": (1, 0), "falling": (1, 1), "rising": (-1, 1)}
BEGIN = {"row": (3, 0), "column": (0, 3), "falling": (0, 0), "rising": (7, 0)}  # on a board of 8 × 8
LONG = {"row": (1, 64), "column": (64, 1)}


def number(card: str) -> int:
    """The number of a card: `10h`, `x2` or `Tf`."""
    return CARDS.index(SHORT.get(card, card))


def moves(seat: int, text: str) -> str:
    """What a seat does, such as `x2 at 9, 7h, draw`: `play two-timer`, `cell 9`, `play 7h`, `draw`."""
    out = []
    for part in text.split(", "):
        card, _, cell = part.partition(" at ")
        known = SHORT.get(card, card) in CARDS
        out.append(f"{seat}: play {SHORT.get(card, card)}" if known else f"{seat}: {card}")
        out += [f"{seat}: cell {cell}"] if cell else []
    return ", ".join(out)


def turn(match: Match, seat: int, text: str, *drawn: str) -> Match:
    return play(match, moves(seat, text), *(f"card {SHORT.get(card, card)}" for card in drawn))


def dealt(*hands: str, **options: Any) -> Match:
    """These hands, such as `7h 9c x2`, have been dealt, one card after another."""
    each = [hand.split() for hand in hands]
    cards = [SHORT.get(hand[k], hand[k]) for k in range(len(each[0])) for hand in each]
    return stage(NAME, len(hands), *(f"card {card}" for card in cards), **({"hand_cards": len(each[0])} | options))


def hold(match: Match, seat: int, text: str) -> Match:
    """A seat holds these cards instead of its own, which go back to those unseen."""
    _hold(match.struct, seat, text)
    return standing(match)


def _hold(s: Any, seat: int, text: str) -> None:
    s.bag |= s.hand[seat]
    s.hand[seat] = 0
    for k in range(2):
        s.bag_x[k] += s.hand_x[seat, k]
        s.hand_x[seat, k] = 0
    for card in map(number, text.split()):
        _unseen_no_more(s, card)
        if card < REGULAR:
            s.hand[seat] |= 1 << card
        else:
            s.hand_x[seat, card - TIMER] += 1
    s.held[seat] = len(text.split())


def lay(match: Match, cell: int, text: str, step: int = 1) -> Match:
    """These cards, a dot for an empty cell, lie on the board from a cell on."""
    _lay(match.struct, cell, text, step)
    return standing(match)


def _lay(s: Any, cell: int, text: str, step: int) -> None:
    for card in text.split():
        if card != ".":
            s.board[cell - 1] = number(card) + 1
            _unseen_no_more(s, number(card))
            if number(card) >= REGULAR:
                s.used_x[number(card) - TIMER] += 1
        cell += step


def standing(match: Match) -> Match:
    """The match begins in its present position, whatever led there: its struct was changed by hand."""
    match.load_position(raw(match.rows)[0].copy())
    return match


def _unseen_no_more(s: Any, card: int) -> None:
    if card < REGULAR:
        s.bag &= ~(1 << card)
    elif s.bag_x[card - TIMER]:
        s.bag_x[card - TIMER] -= 1


def piles(match: Match, first: int, second: int) -> Match:
    """So many cards lie in the piles; all other unseen cards are the blind hand's."""
    match.struct.pile[0], match.struct.pile[1] = first, second
    return standing(match)


# --- one line -------------------------------------------------------------------------------------------------------
def suited(text: str) -> list[str]:
    """The cards of a line; those without a suit get one such that no five in a row have the same."""
    suits = cycle("cshd")
    return [card if card in ("", ".", *SHORT) or card[-1] in "cshd" else card + next(suits) for card in text.split()]


def placed(text: str, direction: str = "row", **options: Any) -> Match:
    """The card in brackets has been placed in a line, such as `9 9 [9/5] 5`: here on a Thief on a 5.

    Lines of more than 8 cells need a board that is as long.
    """
    bare = text.replace("[", "").replace("]", "").split()
    at = next(k for k, card in enumerate(text.split()) if "[" in card)
    card, _, under = bare[at].partition("/")
    rows, columns = LONG[direction] if len(bare) > 8 else (8, 8)
    begin = (0, 0) if len(bare) > 8 else BEGIN[direction]
    cells = [row * columns + column + 1 for row, column in _cells(begin, STEPS[direction], len(bare))]
    line = suited(" ".join([*bare[:at], under or ".", *bare[at + 1 :]]))
    match = dealt("2c", "2s", rows=rows, columns=columns, **options)
    _lay(match.struct, cells[0], " ".join(line), cells[-1] - cells[-2] if len(cells) > 1 else 1)
    mine = card if card[-1] in "cshd" else card + "cshd"[(at + 2) % 4]
    _hold(match.struct, 0, f"{mine} Tf" if under else mine)
    standing(match)
    return turn(match, 0, f"Tf at {cells[at]}, {mine}" if under else f"{mine} at {cells[at]}")


def _cells(begin: tuple[int, int], step: tuple[int, int], count: int) -> list[tuple[int, int]]:
    return [(begin[0] + k * step[0], begin[1] + k * step[1]) for k in range(count)]


# --- what is seen ---------------------------------------------------------------------------------------------------
def scores(match: Match) -> list[int | None]:
    return [zone(match, -1, f"score-{p}").count for p in range(match.game.players)]


def hand(match: Match, seat: int) -> set[str]:
    return set(zone(match, seat, f"hand-{seat}").cards)


def held(match: Match) -> list[int]:
    return [zone(match, -1, f"hand-{p}").hidden for p in range(match.game.players)]


def in_piles(match: Match) -> tuple[int, int]:
    return zone(match, -1, "pile-1").hidden, zone(match, -1, "pile-2").hidden


def board(match: Match) -> dict[int, str]:
    """What lies on top of each cell, by the cell's number."""
    return {k: card for k, card in enumerate(zone(match, -1, "board").cards, 1) if card}


def refusals(match: Match, seat: int, *actions: str) -> list[str]:
    return [refusal(match, seat, action) for action in actions]


def reasons(match: Match, seat: int, *actions: str) -> list[int]:
    return [match.illegal_reason(seat, rules.ACTIONS.index(action)) for action in actions]


def assert_worlds(match: Match, *seats: int) -> None:
    """Seats (none named: all and the public) think possible what the rules let them, each world as likely as it is."""
    for seat in seats or range(-1, match.game.players):
        known = fields(match.concealed(seat), rules.STRUCT)
        assert redealt(match, seat, lambda w: oracle.world(fields(w, rules.STRUCT))) == oracle.worlds(known, seat)
