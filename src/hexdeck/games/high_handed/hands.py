"""Which cells make up the hands that a placed card scores in High Handed, so that they can be lit (HH-11 to HH-14)."""

from typing import Any, NamedTuple

from hexdeck.engine.cards import lowest_card
from hexdeck.games.high_handed.lines import DIRECTIONS, POINTS, SIZES, along, reach
from hexdeck.games.high_handed.scoring import line
from hexdeck.games.high_handed.strangers import PLACED, hand_of, in_hands, new_fives
from hexdeck.games.high_handed.windows import around, masks, overlapping, without


class Hand(NamedTuple):
    """A hand that scores: its category, and its cells along the line."""

    category: int
    cells: tuple[int, ...]

    @property
    def points(self) -> int:
        """What it is worth, not doubled."""
        return POINTS[self.category]


class Run(NamedTuple):
    """The unbroken run of cards around a placed card in one direction: see `scoring.line`."""

    step: int
    first: int
    last: int


def scored(s: Any, cell: int, card: int, under: int) -> list[Hand]:
    """The hands that a regular card scores in a cell where `under` lay before the turn, the best one last."""
    found: list[Hand] = []
    for direction in range(DIRECTIONS):
        hands = line(s, cell, card, under, direction)
        if hands:
            step, back, ahead = along(s, cell, direction)
            run = Run(step, reach(s, cell, card, -step, back)[0], reach(s, cell, card, step, ahead)[0])
            found += loose_hands(s, cell, card, under, run, hands) if s.strangers else (
                windows(s, cell, card, run, hands)
            )  # fmt: skip
    return sorted(found, key=lambda hand: hand.points)


def windows(s: Any, cell: int, card: int, run: Run, hands: int) -> list[Hand]:
    """The windows of the hands in a line: of one hand the first new one; of two, one ends where the other begins."""
    one, other = hands & 15, hands >> 4
    if other:
        return [window(cell, run, one, run.first - SIZES[one] + 1), window(cell, run, other, run.first)]
    after = masks(s, cell, card, *run)
    before = without(after, run.first)  # an older hand that the cell was part of would leave no new one (HH-14)
    size = SIZES[one]
    new = after[one - 1] & around(run.first, size) & ~overlapping(before[one - 1], size)
    return [window(cell, run, one, lowest_card(new))]


def window(cell: int, run: Run, category: int, begin: int) -> Hand:
    """A hand whose cells lie side by side, the first of them at a place of the run."""
    places = range(begin - run.first, begin - run.first + SIZES[category])
    return Hand(category, tuple(cell + k * run.step for k in places))


def loose_hands(s: Any, cell: int, card: int, under: int, run: Run, hands: int) -> list[Hand]:
    """The cells of the hands in a line where strangers may lie between: see `strangers.loose_line`."""
    fives, old = new_fives(s, cell, card, under, *run), in_hands(s, cell, *run, under)
    near = ((1 << (min(run.first, 4) + min(run.last, 4) + 1)) - 1) << (4 - min(run.first, 4))
    made = {cells: hand_of(s, cell, card, run.step, run.first, cells, near, old, fives) for cells in range(512)}
    one, other = hands & 15, hands >> 4
    sets = [cells for cells in made if made[cells] == one]
    if not other:
        return [loose_hand(cell, run, one, sets[0])]
    pairs = ((a, b) for a in sets for b in made if made[b] == other and a & b == PLACED)
    a, b = next(pairs)
    return [loose_hand(cell, run, one, a), loose_hand(cell, run, other, b)]


def loose_hand(cell: int, run: Run, category: int, cells: int) -> Hand:
    """A hand of these cells near the placed card, whose bit is 4."""
    return Hand(category, tuple(cell + (k - 4) * run.step for k in range(9) if cells >> k & 1))
