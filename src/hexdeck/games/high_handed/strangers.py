"""High Handed with other cards between those of a hand (HH-11): the slow way, for the option `strangers=yes`.

A hand may lie anywhere within five cells of a run. A set of cells near the placed card has bit 4 for that card and bit
4 + k for the cell k further on. All sets that contain the card are tried, and if need be all pairs of them.
"""

from hexdeck.engine.cards import lowest_card, size
from hexdeck.games.high_handed.lines import (
    FLUSH,
    FOUR,
    FULL_HOUSE,
    PAIR,
    POINTS,
    RANKS,
    ROYAL_FLUSH,
    STRAIGHT,
    STRAIGHT_FLUSH,
    THREE,
    TWO_PAIR,
    is_regular,
)
from hexdeck.games.high_handed.windows import around, masks, overlapping, without

PLACED = 1 << 4
OF_A_KIND = (0, 0, PAIR, THREE, FOUR)
APART = ("loose_line", "hand_of", "was_in", "new_fives")


def loose_line(s, cell, card, under, step, first, last):
    """The hands that a card scores in a run with `first` cells before it and `last` after it: see `scoring.line`."""
    fives = new_fives(s, cell, card, under, step, first, last)
    old = in_hands(s, cell, step, first, last, under)
    near = ((1 << (min(first, 4) + min(last, 4) + 1)) - 1) << (4 - min(first, 4))
    found, worth = 0, 0
    for one in range(512):
        a = hand_of(s, cell, card, step, first, one, near, old, fives)
        if a and POINTS[a] > worth:
            found, worth = a, POINTS[a]
        if a and s.line_hands:
            for other in range(one):
                b = 0
                if other & one == PLACED:
                    b = hand_of(s, cell, card, step, first, other, near, old, fives)
                if b and POINTS[a] + POINTS[b] > worth:
                    found, worth = max(a, b) | (min(a, b) << 4), POINTS[a] + POINTS[b]
    return found


def hand_of(s, cell, card, step, first, cells, near, old, fives):
    """The best new category that these cells, including the placed one, make; or 0."""
    count = size(cells)
    if not cells & PLACED or cells & ~near or count < 2 or cells // (cells & -cells) > 31:
        return 0
    if count == 5:
        return five_of(first + lowest_card(cells) - 4, fives)
    same, other = 0, -1
    for k in range(9):
        if (cells >> k) & 1 and k != 4:
            rank = (s.board[cell + (k - 4) * step] - 1) % RANKS
            if rank == card % RANKS:
                same += 1
            elif other < 0:
                other = rank
            elif other != rank:
                return 0
    if same < count - 1 and (same != 1 or count != 4):
        return 0
    kind = TWO_PAIR if same < count - 1 else OF_A_KIND[count]
    return 0 if cells & old[min(kind - 1, 3)] else kind


def five_of(window, fives):
    """The best new hand of five cards in a window."""
    full, flush, straight, straight_flush, royal_flush = fives
    if (royal_flush >> window) & 1:
        return ROYAL_FLUSH
    if (straight_flush >> window) & 1:
        return STRAIGHT_FLUSH
    if (straight >> window) & 1:
        return STRAIGHT
    if (flush >> window) & 1:
        return FLUSH
    return FULL_HOUSE if (full >> window) & 1 else 0


def new_fives(s, cell, card, under, step, first, last):
    """The windows with a new hand of five cards: full house, flush, straight, straight flush, royal flush."""
    after = masks(s, cell, card, step, first, last)
    before = masks(s, cell, under - 1, step, first, last) if is_regular(under) else without(after, first)
    return (
        new_five(s, after[FULL_HOUSE - 1], before[FULL_HOUSE - 1], first),
        new_five(s, after[FLUSH - 1], before[FLUSH - 1], first),
        new_five(s, after[STRAIGHT - 1], before[STRAIGHT - 1], first),
        new_five(s, after[STRAIGHT_FLUSH - 1], before[STRAIGHT_FLUSH - 1], first),
        new_five(s, after[ROYAL_FLUSH - 1], before[ROYAL_FLUSH - 1], first),
    )


def new_five(s, after, before, cell):
    """The windows around a cell with a new hand (HH-14)."""
    if before and s.new_hand:
        return 0
    return after & around(cell, 5) & ~overlapping(before, 5)


def in_hands(s, cell, step, first, last, under):
    """The cells near the placed card that were in a pair, in two pair, in three or in four of a kind before the turn.

    All cells, if the option lets a hand anywhere in the line make another one old.
    """
    pair, two_pair, three, four = 0, 0, 0, 0
    for k in range(-first, last + 1):
        if k != 0 or is_regular(under):
            found = was_in(s, cell, step, first, last, under, k)
            here = 511 if s.new_hand else 1 << (k + 4) if -4 <= k <= 4 else 0
            pair |= here * (found & 1)
            two_pair |= here * ((found >> 1) & 1)
            three |= here * ((found >> 2) & 1)
            four |= here * ((found >> 3) & 1)
    return pair, two_pair, three, four


def was_in(s, cell, step, first, last, under, k):
    """Which of the four the cell k further on was part of, within any five cells of the line as it was: a bit each."""
    low, high, found = -first, last, 0
    if not is_regular(under):
        low, high = (low, -1) if k < 0 else (1, high)
    for begin in range(max(low, k - 4), k + 1):
        same, other = kin(s, cell, step, under, k, begin, min(begin + 4, high))
        found |= (same >= 1) | ((same >= 1 and other) << 1) | ((same >= 2) << 2) | ((same >= 3) << 3)
    return found


def kin(s, cell, step, under, k, begin, end):
    """Of these cells as they were: how many others had cell k's rank, and whether two others shared another rank."""
    rank, same, seen, twice = old_rank(s, cell, step, under, k), 0, 0, 0
    for i in range(begin, end + 1):
        if i != k:
            other = old_rank(s, cell, step, under, i)
            same += other == rank
            twice |= seen & (1 << other) & ~(1 << rank)
            seen |= 1 << other
    return same, twice != 0


def old_rank(s, cell, step, under, k):
    """The rank of the card that lay k cells further on before the turn."""
    return ((under if k == 0 else s.board[cell + k * step]) - 1) % RANKS
