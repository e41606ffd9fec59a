"""What a placed card scores in High Handed (HH-11 to HH-16): plain functions, used by the rules.

A run is a line of cells that all hold regular cards, starting at cell 0. The hands of a category are a set of bits: bit
i for a hand in the window that begins at cell i. Equal ranks at distance k are such a set too; pairs, two pairs, full
houses and so on are found for all windows of a run at once by shifting and adding these sets.
"""

from hexdeck.engine.cards import lowest_card, size

APART = (
    "most_in",
    "hands_in",
    "masks",
    "loose_line",
    "hand_of",
    "was_in",
)  # each compiled only once, as all call it with int64
PAIR, TWO_PAIR, THREE, FULL_HOUSE, FOUR, FLUSH, STRAIGHT, STRAIGHT_FLUSH, ROYAL_FLUSH = range(1, 10)
POINTS = (0, 1, 3, 4, 6, 6, 10, 10, 15, 20)  # HH-12
SIZES = (0, 2, 4, 3, 5, 4, 5, 5, 5, 5)
CATEGORIES = 9
RANKS = 13
DIRECTIONS = 4
PLACED = 1 << 4  # in a set of cells near the placed card, that card; bit 4 + k is the cell k further on
ONE_RANK = 1 | 1 << RANKS | 1 << 2 * RANKS | 1 << 3 * RANKS  # the aces, as a set of cards
ALL_CARDS = (1 << 4 * RANKS) - 1
ALL_RANKS = ALL_CARDS << 1  # the codes of all regular cards on the board


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


def reach(s, cell, step, limit):
    """How many regular cards follow a cell without a gap (HH-9); all cards of the next one's rank, of the next three's.

    Three cells are looked at without branches: what lies there can't be foreseen.
    """
    count, beside, kin, on = 0, 0, 0, 1
    for k in range(1, 4):
        inside = k <= limit
        code = s.board[cell + k * step * inside]
        on &= inside & (ALL_RANKS >> code)
        count += on
        kin |= on * (ONE_RANK << ((code + RANKS - 1) % RANKS))
        beside |= kin * (k == 1)
    while on and count < limit and is_regular(s.board[cell + (count + 1) * step]):
        count += 1
    return count, beside, kin


def prospects(s, cell, direction):
    """A line through a cell: its step, the length of the run before it and after it, and the cards that may score.

    In a run with fewer than four others these are the kin of those beside it, or among three others of any.
    """
    step, back, ahead = along(s, cell, direction)
    first, beside, kin = reach(s, cell, -step, back)
    last, beside_after, kin_after = reach(s, cell, step, ahead)
    if first + last > 3 or (s.strangers and first + last):
        return step, first, last, ALL_CARDS
    return step, first, last, kin | kin_after if first + last == 3 else beside | beside_after


def points(hands):
    """The points of the hands in one line, coded as `line` does."""
    return POINTS[hands & 15] + POINTS[(hands >> 4) & 15]


def line(s, cell, card, under, direction):
    """The hands that a card scores in one direction: 0, or the category of one in bits 0 to 3, of another in 4 to 7.

    Their cells follow, in bits 8 to 16 and 17 to 25: those up to four cells away, see `PLACED` (HH-13).
    `cell`: where it is placed, whatever lies there; `under`: what lay there before the turn, as on the board.
    Directions: a row, a column, down to the right, down to the left.
    """
    step, first, last, cards = prospects(s, cell, direction)
    return hands_in(s, cell, card, under, step, first, last) if (cards >> card) & 1 else 0


def most_in(s, hand, cell, under):
    """The most points that any card of a set scores in a cell, and the cards that score so many."""
    row, column = prospects(s, cell, 0), prospects(s, cell, 1)
    falling, rising = prospects(s, cell, 2), prospects(s, cell, 3)
    most, best, cards = 0, hand, hand & (row[3] | column[3] | falling[3] | rising[3])
    while cards:
        card = lowest_card(cards)
        cards &= cards - 1
        total = 0
        for step, first, last, able in (row, column, falling, rising):
            if (able >> card) & 1:
                total += points(hands_in(s, cell, card, under, step, first, last))
        if total > most:
            most, best = total, 0
        best |= (1 << card) * (total == most)
    return most, best


def hands_in(s, cell, card, under, step, first, last):
    """The same in a run with `first` cells before the card and `last` after it."""
    after = masks(s, cell, card, step, first, last)
    if is_empty(after, first) and not s.strangers:
        return 0
    before = masks(s, cell, under - 1, step, first, last) if is_regular(under) else after
    if s.strangers:
        return loose_line(s, cell, card, under, step, first, last, after, before)
    return best(s, after, before, under, first)


def is_empty(hands, cell):
    """Whether none of the hands found contains the cell."""
    pair, two_pair, _, full, _, flush, straight, _, _ = hands
    fives = (full | flush | straight) & around(cell, 5)
    return (pair & around(cell, 2) | two_pair & around(cell, 4) | fives) == 0


def best(s, after, before, under, cell):
    """HH-13: the best new hand in the line that contains the cell.

    Under the option two that share only that cell, one that ends and one that begins there, if they score more.
    """
    alone, place, ending, beginning = 0, 0, 0, 0
    for k in range(CATEGORIES):
        category = CATEGORIES - k  # in descending order of points
        new = new_windows(s, after, before, under, cell, category)
        if new and alone == 0:
            alone, place = category, cell - lowest_card(new)
        if new and s.line_hands:
            ending = ending or category * (((new << (SIZES[category] - 1)) >> cell) & 1)
            beginning = beginning or category * ((new >> cell) & 1)
    if ending and beginning and POINTS[ending] + POINTS[beginning] > POINTS[alone]:
        return ending | beginning << 4 | window(ending, SIZES[ending] - 1) << 8 | window(beginning, 0) << 17
    return alone | window(alone, place) << 8


def new_windows(s, after, before, under, cell, category):
    """HH-14: the windows around a cell that hold a new hand of a category.

    `before`: the windows with older hands; if the cell was empty, those around it don't count.
    """
    size = SIZES[category]
    near = around(cell, size)
    new, old = after[category - 1] & near, before[category - 1]
    if not is_regular(under):
        old &= ~near
    if new == 0 or old == 0:
        return new
    return 0 if s.new_hand else new & ~overlapping(old, size)


def window(category, before):
    """The cells of a hand that begins so many cells before the placed card: see `PLACED`."""
    return ((1 << SIZES[category]) - 1) << (4 - before)


# --- windows of a run that are hands, all at once
TOP = 0b1111000000001  # ten, jack, queen, king, ace


def masks(s, cell, card, step, first, last):
    """The windows of each category if the cell held that card: see `categories`.

    Ranks have a bit each; those of the four preceding cells are kept in variables.
    """
    at = cell - first * step
    m1, m2, m3, m4, ranks, suit = 0, 0, 0, 0, 0, -1
    e1, e2, e3, e4, flush, straight, royal = 0, 0, 0, 0, 0, 0, 0
    for i in range(first + last + 1):
        code = card if i == first else s.board[at] - 1
        at += step
        rank = 1 << (code % RANKS)
        e1 |= (rank == m1) << i
        e2 |= (rank == m2) << i
        e3 |= (rank == m3) << i
        e4 |= (rank == m4) << i
        flush |= (code // RANKS == suit) << i
        ranks = rank | m1 | m2 | m3 | m4
        straight |= (ranks == (ranks & -ranks) * 31) << i
        royal |= (ranks == TOP) << i
        suit, m1, m2, m3, m4 = code // RANKS, rank, m1, m2, m3
    return categories(e1 >> 1, e2 >> 2, e3 >> 3, e4 >> 4, flush >> 1, straight >> 4, royal >> 4)


def categories(e1, e2, e3, e4, same, straight, royal):
    """The windows of each category from pair to royal flush (HH-11, HH-12).

    `ek`: cells with the same rank as the cell k further on; `same`: with the same suit as the next cell. In five
    cells a full house has four pairs of equal cards; other hands have 0, 1, 2, 3 or 6.
    """
    three = e1 & (e1 >> 1)
    four = three & (e1 >> 2)
    two_pair = ((e1 & (e1 >> 2)) | (e2 & (e2 >> 1)) | (e3 & (e1 >> 1))) & ~four
    full = exactly_four(e1, e1 >> 1, e1 >> 2, e1 >> 3, e2, e2 >> 1, e2 >> 2, e3, e3 >> 1, e4)
    flush = same & (same >> 1) & (same >> 2) & (same >> 3)
    straight |= royal
    return e1, two_pair, three, full, four, flush, straight, straight & flush, royal & flush


def exactly_four(a, b, c, d, e, f, g, h, i, j):
    """The bits that are set in exactly four of ten sets, if none is set in five, seven or more: by binary adders."""
    ones, twos1 = a ^ b ^ c, (a & b) | (c & (a ^ b))
    twos2, ones = (ones & d) | (e & (ones ^ d)), ones ^ d ^ e
    twos3, ones = (ones & f) | (g & (ones ^ f)), ones ^ f ^ g
    twos4, ones = (ones & h) | (i & (ones ^ h)), ones ^ h ^ i
    twos5, ones = ones & j, ones ^ j
    twos, fours = twos1 ^ twos2 ^ twos3, (twos1 & twos2) | (twos3 & (twos1 ^ twos2))
    fours |= (twos & twos4) | (twos5 & (twos ^ twos4))
    return fours & ~(twos ^ twos4 ^ twos5) & ~ones


def around(cell, size):
    """The windows of `size` cells that contain a cell."""
    return ((1 << size) - 1) << cell >> (size - 1)


def overlapping(windows, size):
    """All windows of `size` cells that share a cell with one of these."""
    near = windows
    for k in range(1, size):
        near |= (windows << k) | (windows >> k)
    return near


# --- other cards between those of a hand (HH-11), the slow way, under `strangers=yes`: a hand may lie anywhere within
# five cells of a run. All sets of cells that contain the placed card are tried, and if need be all pairs of them.
OF_A_KIND = (0, 0, PAIR, THREE, FOUR)
FIVES = ROYAL_FLUSH, STRAIGHT_FLUSH, STRAIGHT, FLUSH, FULL_HOUSE


def loose_line(s, cell, card, under, step, first, last, after, before):
    """The hands that a card scores in a run with `first` cells before it and `last` after it: see `scoring.line`."""
    fives = (
        new_windows(s, after, before, under, first, ROYAL_FLUSH),
        new_windows(s, after, before, under, first, STRAIGHT_FLUSH),
        new_windows(s, after, before, under, first, STRAIGHT),
        new_windows(s, after, before, under, first, FLUSH),
        new_windows(s, after, before, under, first, FULL_HOUSE),
    )
    old = in_hands(s, cell, step, first, last, under)
    near = ((1 << (min(first, 4) + min(last, 4) + 1)) - 1) << (4 - min(first, 4))
    hands, worth = 0, 0
    for one in range(512):
        a = hand_of(s, cell, card, step, first, one, near, old, fives)
        for other in range(one if a and s.line_hands else 1):  # 0: no other hand
            if other == 0 or other & one == PLACED:
                b = hand_of(s, cell, card, step, first, other, near, old, fives)
                if POINTS[a] + POINTS[b] > worth:
                    worth = POINTS[a] + POINTS[b]
                    hands = a | b << 4 | one << 8 | other << 17 if a >= b else b | a << 4 | other << 8 | one << 17
    return hands


def hand_of(s, cell, card, step, first, cells, near, old, fives):
    """The best new category that these cells, including the placed one, make; or 0."""
    count = size(cells)
    if not cells & PLACED or cells & ~near or count < 2 or cells // (cells & -cells) > 31:
        return 0
    if count == 5:
        for k in range(5):
            if (fives[k] >> (first + lowest_card(cells) - 4)) & 1:
                return FIVES[k]
        return 0
    same, second = 0, -1
    for k in range(9):
        if (cells >> k) & 1 and k != 4:
            rank = (s.board[cell + (k - 4) * step] - 1) % RANKS
            if rank == card % RANKS:
                same += 1
            elif second < 0:
                second = rank
            elif second != rank:
                return 0
    if same < count - 1 and (same != 1 or count != 4):
        return 0
    kind = TWO_PAIR if same < count - 1 else OF_A_KIND[count]
    return 0 if cells & (old >> (9 * min(kind - 1, 3))) else kind


def in_hands(s, cell, step, first, last, under):
    """The cells near the placed card that were in a pair, in two pair, in three or in four of a kind before the turn.

    Nine bits for each of these. All cells, if the option lets a hand anywhere in the line make another one old.
    """
    cells = 0
    for k in range(-first, last + 1):
        if k != 0 or is_regular(under):
            used = was_in(s, cell, step, first, last, under, k)
            here = 511 if s.new_hand else 1 << (k + 4) if -4 <= k <= 4 else 0
            for kind in range(4):
                cells |= here * ((used >> kind) & 1) << 9 * kind
    return cells


def was_in(s, cell, step, first, last, under, k):
    """Which of the four the cell k further on was part of, within any five cells of the line as it was: a bit each."""
    low, high, used = -first, last, 0
    if not is_regular(under):
        low, high = (low, -1) if k < 0 else (1, high)
    own = 1 << old_rank(s, cell, step, under, k)
    for begin in range(max(low, k - 4), k + 1):
        alike, others, twice = -1, 0, 0  # how many others have its rank; the other ranks, and those that two have
        for i in range(begin, min(begin + 4, high) + 1):
            rank = 1 << old_rank(s, cell, step, under, i)
            alike += rank == own
            twice |= others & rank & ~own
            others |= rank
        used |= (alike >= 1) | ((alike >= 1 and twice != 0) << 1) | ((alike >= 2) << 2) | ((alike >= 3) << 3)
    return used


def old_rank(s, cell, step, under, k):
    """The rank of the card that lay k cells further on before the turn."""
    return ((under if k == 0 else s.board[cell + k * step]) - 1) % RANKS
