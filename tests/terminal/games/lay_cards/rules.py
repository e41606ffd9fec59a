"""A turn: pick a card, in secret; then lay it on an empty cell, the king on any.

Or wait: then a bell rings (chance), and it is still your turn. Nothing else is hidden.
"""

from typing import Any

from hexdeck.engine.layout import remember, slices, struct

PLAYERS = (2, 2)
SEATS = 2
OPTIONS = ()
STRUCT = struct(
    (), ("phase", "i1"), ("turn", "i1"), ("picked", "i1"), ("waits", "i1"), ("hand", "i4", (2,)), ("cells", "i1", (9,))
)
CARDS = ("7h", "10h", "Kd", "7c", "2s", "Ac")
KING, NONE = 2, -1
PICK, PLACE = 0, 1
ACTIONS = (*(f"play {card}" for card in CARDS), *(f"cell {k}" for k in range(1, 10)), "wait")
AT_CELL, WAIT = 6, 15
OUTCOMES = ("bell",)
ENDINGS = ("", "all cards lie")
SLICES = slices(cells=9)


def refuse(_players: int, _options: dict[str, Any]) -> None:
    """Everything can be played."""


def start(s: Any) -> None:
    """Three cards each."""
    s.hand[0], s.hand[1], s.picked, s.deal, s.acting = 0b000111, 0b111000, NONE, 1, 1


def chance_weights(_s: Any, weights: Any) -> int:
    """The bell."""
    weights[0] = 1
    return 1


def apply_chance(s: Any, outcome: int) -> None:
    """The same seat goes on."""
    remember(s, outcome)
    s.acting = 1 << s.turn


def illegal_reason(s: Any, seat: int, action: int) -> int:
    """1: not the time; 2: not held; 3: not empty."""
    if not s.acting >> seat & 1 or (s.phase == PLACE) != (AT_CELL <= action < WAIT):
        return 1
    if action < AT_CELL:
        return 0 if s.hand[seat] >> action & 1 else 2
    return 3 if action < WAIT and s.cells[action - AT_CELL] and s.picked != KING else 0


def legal_actions(s: Any, seat: int, actions: Any) -> int:
    """All that isn't forbidden."""
    count = 0
    for action in range(len(ACTIONS)):
        if not illegal_reason(s, seat, action):
            actions[count] = action
            count += 1
    return count


def apply_action(s: Any, seat: int, action: int) -> None:
    """Pick, lay or wait."""
    if action < AT_CELL:
        s.phase, s.picked = PLACE, action
        return
    remember(s, 100 + action)
    if action == WAIT:
        s.waits += 1
        s.acting = 0
        return
    s.cells[action - AT_CELL] = s.picked + 1
    s.hand[seat] &= ~(1 << s.picked)
    s.phase, s.picked, s.turn = PICK, NONE, 1 - seat
    s.over = int(s.hand[0] == 0 and s.hand[1] == 0)
    s.ending, s.acting = s.over, 0 if s.over else 1 << s.turn


def returns(_s: Any, out: Any) -> None:
    """Nobody wins."""
    out[0] = out[1] = 0


def conceal(s: Any, seat: int) -> None:
    """What was picked, and that something was, is known to its owner only."""
    if s.turn != seat:
        s.phase, s.picked = PICK, NONE


def observe(s: Any, _seat: int, out: Any) -> None:
    """The board."""
    for k in range(9):
        out[k] = s.cells[k]


def resample(_s: Any, _seat: int, _rng: Any) -> None:
    """Nothing is hidden but what was picked."""
