"""The lines of High Handed's board and the categories of hands: plain functions, used by the rules."""

PAIR, TWO_PAIR, THREE, FULL_HOUSE, FOUR, FLUSH, STRAIGHT, STRAIGHT_FLUSH, ROYAL_FLUSH = range(1, 10)
POINTS = (0, 1, 3, 4, 6, 6, 10, 10, 15, 20)  # HH-12
SIZES = (0, 2, 4, 3, 5, 4, 5, 5, 5, 5)
CATEGORIES = 9
RANKS = 13
DIRECTIONS = 4
ONE_RANK = 1 | 1 << RANKS | 1 << 2 * RANKS | 1 << 3 * RANKS  # the aces, as a set of cards
ALL_RANKS = (1 << 4 * RANKS) - 1 << 1  # the codes of all regular cards on the board


def along(s, cell, direction):
    """The step between the indices of neighbouring cells, and how many cells of the line lie before and after one."""
    row, column = cell // s.columns, cell % s.columns
    up, down, left, right = row, s.rows - 1 - row, column, s.columns - 1 - column
    if direction == 0:
        return 1, left, right
    if direction == 1:
        return s.columns, up, down
    if direction == 2:
        return s.columns + 1, min(up, left), min(down, right)
    return s.columns - 1, min(up, right), min(down, left)


def is_regular(code):
    """Whether a code of the board stands for a card with a rank and a suit."""
    return (code > 0) & (code <= 4 * RANKS)


def reach(s, cell, card, step, most):
    """How many regular cards follow a cell without a gap (HH-9), and which of the next three have a card's rank.

    The second is a bit each. Three cells are looked at without branches: what lies there can't be foreseen.
    """
    kin = ONE_RANK << (card % RANKS + 1)
    count, found, on = 0, 0, 1
    for k in range(1, 4):
        there = k <= most
        code = s.board[cell + k * step * there]
        on &= there & (ALL_RANKS >> code)
        count += on
        found |= (on & (kin >> code)) << (k - 1)
    while on and count < most and is_regular(s.board[cell + (count + 1) * step]):
        count += 1
    return count, found


def points(hands):
    """The points of the hands in one line, coded as a category plus 16 times a second one."""
    return POINTS[hands & 15] + POINTS[hands >> 4]
