"""What a placed card scores in High Handed (HH-11 to HH-15): plain functions, used by the rules."""

from hexdeck.games.high_handed.lines import CATEGORIES, POINTS, SIZES, along, is_regular, reach
from hexdeck.games.high_handed.strangers import loose_line
from hexdeck.games.high_handed.windows import around, masks, overlapping, without

APART = ("hands_in",)


def line(s, cell, card, under, direction):
    """The hands that a card scores in one direction: 0, a category c, or two as c + 16 d (HH-13).

    `cell`: where it is placed, whatever lies there; `under`: what lay there before the turn, as on the board.
    Directions: a row, a column, down to the right, down to the left.
    """
    step, back, ahead = along(s, cell, direction)
    first, kin_before = reach(s, cell, card, -step, back)
    last, kin_after = reach(s, cell, card, step, ahead)
    if first + last < 4 and not may_score(s, first + last, kin_before | kin_after):
        return 0
    return hands_in(s, cell, card, under, step, first, last)


def may_score(s, others, kin):
    """Whether a card may score in a run with fewer than four others: next to its kin, or with kin among three."""
    return (kin & 1) | (others == 3) & (kin != 0) | s.strangers & (others > 0)


def hands_in(s, cell, card, under, step, first, last):
    """The same in a run with `first` cells before the card and `last` after it."""
    if s.strangers:
        return loose_line(s, cell, card, under, step, first, last)
    after = masks(s, cell, card, step, first, last)
    if is_empty(after, first):
        return 0
    if is_regular(under):
        return best(s, after, masks(s, cell, under - 1, step, first, last), first)
    return best(s, after, without(after, first), first)


def is_empty(found, cell):
    """Whether none of the hands found contains the cell."""
    pair, two_pair, _, full, _, flush, straight, _, _ = found
    fives = (full | flush | straight) & around(cell, 5)
    return (pair & around(cell, 2) | two_pair & around(cell, 4) | fives) == 0


def best(s, after, before, cell):
    """The best new hand in the line that contains the cell, or the best two that share only that cell (HH-13)."""
    found = 0
    for k in range(CATEGORIES):
        category = CATEGORIES - k
        found = better(s, found, category, after[category - 1], before[category - 1], cell)
    return chosen(s, found)


def better(s, found, category, after, before, cell):
    """Note a category with a new hand: in bits 0 to 3; in 4 to 7 if it ends at the cell, in 8 to 11 if it begins there.

    Categories come in descending order of points, so the first one noted is the best.
    """
    size = SIZES[category]
    new = after & around(cell, size)
    if new == 0:
        return found
    if before:
        new &= ~overlapping(before, size) if s.new_hand == 0 else 0
    found |= (category * (new != 0)) * (found & 15 == 0)
    if s.line_hands:
        ends = ((new << (size - 1)) >> cell) & 1
        found |= (category << 4) * ends * ((found >> 4) & 15 == 0)
        found |= (category << 8) * ((new >> cell) & 1) * ((found >> 8) & 15 == 0)
    return found


def chosen(s, found):
    """HH-13: the best hand; or, under the option, two that share only the placed card, if they score more."""
    one, first, second = found & 15, (found >> 4) & 15, (found >> 8) & 15
    if s.line_hands and first and second and POINTS[first] + POINTS[second] > POINTS[one]:
        return first | (second << 4)
    return one
