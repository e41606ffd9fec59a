"""Backward induction over one round of Blackstone: plain functions, to be compiled by `engine.backends`.

A position at the start of a turn is (n, k, pot, mask, white, last, fresh): players still in, black stones of folded
players, chips in the pot, who has a black stone (a bit each, from the player to act), stones in the centre, the number
last drawn, and whether a fold made the minimum 1 again. Its value is what each player still in wins or loses from here
on, in chips, from the player to act. Each seat maximises its own chips; ties go to folding, then to stopping, then to
the lower number.

Every card shrinks the deck and every fold removes a player, so values are computed from the last card to the first, and
from two players up. Whoever has two black stones draws no more, so a turn is a line: the number of cards drawn, and
whether a ten is among them.

`values` float64 holds all values consecutively; `blocks` int64 (players + 1, folded + 1, pots, 3) has, for n, k and a
pot, where values begin, the length of each mask's part, and the fewest white stones with such a pot; `deck` int64 holds
the constants below; `lines` float64 (4, players) is workspace.
"""

from hexdeck.games.blackstone.rules import STAKE, full_loss, full_price

TENS, OTHERS, PLAYERS, LOW, SPAN, CAP, RESTARTS, ANNOUNCED = range(8)  # in `deck`; LOW to LOW + SPAN: pots carried in
ONE, STOPPED, FOLDED = 1, 2, 3  # rows of `lines`; row 0: no ten among this turn's cards, and the result
EQUAL = 1e-9  # chips: smaller differences count as ties, since sums of fractions are rounded
NO_CAP = 1000
APART = ("draw", "fold", "stop")

ENTRIES = ("fill", "turn", "draw", "stop")  # what Python calls
TYPES = {
    "blocks": "int64[:, :, :, ::1]",
    "deck": "int64[::1]",
    "lines": "float64[:, ::1]",
    "order": "int64[::1]",
    "values": "float64[::1]",
}


def fill(values, blocks, deck, n, order, lines):
    """Fill in the values of all positions with n players in; `order` int64: the masks, those with more stones first."""
    for k in range(min(deck[PLAYERS] - n, deck[TENS]) + 1):
        for q in range(deck[SPAN] + (deck[PLAYERS] - n) * ((deck[OTHERS] + 1) // 2) + 1):
            pot = deck[LOW] + STAKE * (deck[PLAYERS] - n) + q
            for white in range(deck[OTHERS], blocks[n, k, q, 2] - 1, -1):
                for mask in order:
                    if k + stones(mask) <= deck[TENS]:
                        fill_numbers(values, blocks, deck, n, k, pot, mask, white, lines)


def fill_numbers(values, blocks, deck, n, k, pot, mask, white, lines):
    """Fill in the values of positions that differ only in the number last drawn."""
    for fresh in range(planes(deck)):
        for last in range(white + 2):
            row = turn(values, blocks, deck, n, k, pot, mask, white, fresh, last, lines)
            to = at(blocks, deck, n, k, pot, mask, white, fresh, last)
            for i in range(n):
                values[to + i] = lines[row, i]


def turn(values, blocks, deck, n, k, pot, mask, white, fresh, last, lines):
    """BS-5: the value if the player to act draws or folds, whichever is better; returns its row of `lines`."""
    fold(values, blocks, deck, n, k, pot, mask, white, fresh, last, lines, FOLDED)
    left = cards_left(deck, k, mask, white)
    if left == 0:
        return FOLDED
    least, most = fewest(fresh, last), highest(deck, n, last)
    if not deck[ANNOUNCED]:
        draw(values, blocks, deck, n, k, pot, mask, white, fresh, last, 0, least, most, lines)
        return 0 if lines[0, 0] > lines[FOLDED, 0] + EQUAL else FOLDED
    for number in range(least, max(least, min(most, left)) + 1):
        draw(values, blocks, deck, n, k, pot, mask, white, fresh, last, 0, number, number, lines)
        if lines[0, 0] > lines[FOLDED, 0] + EQUAL:
            for i in range(n):
                lines[FOLDED, i] = lines[0, i]
    return FOLDED


def draw(values, blocks, deck, n, k, pot, mask, white, fresh, last, drawn, least, most, lines):
    """BS-6: the value of drawing on after `drawn` cards, to `least` at least and `most` at most, into row 0.

    Computed backwards over the cards that may come in this turn, without and with a ten among them.
    """
    tens, others, held = deck[TENS] - k - stones(mask), deck[OTHERS] - white, mask & 1
    left = tens + others
    for j in range(min(most - drawn, left), -1, -1):
        for t in range(2):
            if j - t > others or (t == 1 and (held or tens == 0 or j == 0)):
                continue
            now = mask | t
            if left == j and drawn + j < least:
                fold(values, blocks, deck, n, k, pot, now, white + j - t, fresh, last, lines, t)
            elif left == j or drawn + j == most:
                stop(values, blocks, deck, n, k, pot, now, white + j - t, drawn + j, lines, t)
            else:
                next_card(n, pot, white + j - t, now & 1, (tens - t) / (left - j), lines, t)
                if j > 0 and drawn + j >= least:
                    stop(values, blocks, deck, n, k, pot, now, white + j - t, drawn + j, lines, STOPPED)
                    take_better(lines, t, n)


def next_card(n, pot, white, held, risk, lines, t):
    """The expected value of one more card, into row t. BS-9, BS-11: a second ten ends the round."""
    if held:
        cost = full_loss(white)
        share = (pot + cost) // (n - 1)
        lines[t, 0] = (1 - risk) * lines[t, 0] - risk * cost
        for i in range(1, n):
            lines[t, i] = (1 - risk) * lines[t, i] + risk * share
    else:
        for i in range(n):
            lines[t, i] = (1 - risk) * lines[t, i] + risk * lines[ONE, i]


def take_better(lines, t, n):
    """Replace row t, the value of drawing on, by that of stopping unless drawing on is better for who decides."""
    if not lines[t, 0] > lines[STOPPED, 0] + EQUAL:
        for i in range(n):
            lines[t, i] = lines[STOPPED, i]


def stop(values, blocks, deck, n, k, pot, mask, white, drawn, lines, row):
    """BS-6: the value of ending the turn, into a row."""
    a = at(blocks, deck, n, k, pot, (mask >> 1) | ((mask & 1) << (n - 1)), white, 0, drawn)
    lines[row, 0] = values[a + n - 1]
    for i in range(1, n):
        lines[row, i] = values[a + i - 1]


def fold(values, blocks, deck, n, k, pot, mask, white, fresh, last, lines, row):
    """BS-8, BS-10: the value of paying and being out, into a row."""
    price = full_price(white)
    lines[row, 0] = -price
    if n == 2:
        lines[row, 1] = pot + price
        return
    if deck[RESTARTS]:
        fresh, last = (1, last) if deck[CAP] else (0, 0)
    a = at(blocks, deck, n - 1, k + (mask & 1), pot + price, mask >> 1, white, fresh, last)
    for i in range(1, n):
        lines[row, i] = values[a + i - 1]


def at(blocks, deck, n, k, pot, mask, white, fresh, last):
    """The index at which a position's values begin."""
    q = pot - deck[LOW] - STAKE * (deck[PLAYERS] - n)
    return blocks[n, k, q, 0] + (mask * blocks[n, k, q, 1] + cell(planes(deck), white) + fresh * (white + 2) + last) * n


def cell(layers, white):
    """How many positions of a mask have fewer white stones; the number last drawn is at most one more than these."""
    return layers * (white * (white + 3) // 2)


def planes(deck):
    """2 if it matters whether a fold has reset the minimum to 1, else 1."""
    return 1 + (deck[CAP] & deck[RESTARTS])


def cards_left(deck, k, mask, white):
    """The number of cards left in the deck."""
    return deck[TENS] - k - stones(mask) + deck[OTHERS] - white


def fewest(fresh, last):
    """BS-6, BS-7: the smallest number that may be drawn."""
    return 1 if fresh or last == 0 else last


def highest(deck, n, last):
    """BS-6: the greatest number that may be drawn."""
    return last + n if deck[CAP] else NO_CAP


def stones(mask):
    """The number of set bits."""
    count = 0
    while mask:
        mask &= mask - 1
        count += 1
    return count
