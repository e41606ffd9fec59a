"""Finds which windows of a run of cards in High Handed are hands (HH-11), all at once.

A run is a line of cells that all hold regular cards, starting at cell 0. The hands of a category are a set of bits: bit
i for a hand in the window that begins at cell i. Equal ranks at distance k are such a set too; pairs, two pairs, full
houses and so on are found for all windows of a run at once by shifting and adding these sets.
"""

from hexdeck.games.high_handed.lines import RANKS

APART = ("masks",)
TOP = 0b1111000000001  # ten, jack, queen, king, ace


def masks(s, cell, card, step, first, last):
    """The windows of each category if the cell held that card: see `categories`.

    Ranks have a bit each; those of the four preceding cells are kept in variables.
    """
    at = cell - first * step
    one, two, three, four, ranks, suit = 0, 0, 0, 0, 0, -1
    e1, e2, e3, e4, same, straight, royal = 0, 0, 0, 0, 0, 0, 0
    for i in range(first + last + 1):
        code = card if i == first else s.board[at] - 1
        at += step
        rank = 1 << (code % RANKS)
        e1 |= (rank == one) << i
        e2 |= (rank == two) << i
        e3 |= (rank == three) << i
        e4 |= (rank == four) << i
        same |= (code // RANKS == suit) << i
        ranks = rank | one | two | three | four
        straight |= (ranks == (ranks & -ranks) * 31) << i
        royal |= (ranks == TOP) << i
        suit, one, two, three, four = code // RANKS, rank, one, two, three
    return categories(e1 >> 1, e2 >> 2, e3 >> 3, e4 >> 4, same >> 1, straight >> 4, royal >> 4)


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


def without(found, cell):
    """The windows that don't contain a cell: those there were while it was empty (HH-14)."""
    pair, two_pair, three, full, four, flush, straight, straight_flush, royal_flush = found
    five, of_four = ~around(cell, 5), ~around(cell, 4)
    return (
        pair & ~around(cell, 2), two_pair & of_four, three & ~around(cell, 3), full & five, four & of_four,
        flush & five, straight & five, straight_flush & five, royal_flush & five,
    )  # fmt: skip


def overlapping(windows, size):
    """All windows of `size` cells that share a cell with one of these."""
    near = windows
    for k in range(1, size):
        near |= (windows << k) | (windows >> k)
    return near
