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
the constants below; `theirs` float64 (4, players) is workspace.

Best responses: one player knows that each of the others plays each of its turns as solved with probability `SHARE`, and
as the house bot otherwise. `answers` has the layout of `values`, but for a position it has what the responding player
wins or loses if it is the player to act, the next one, and so on. `values` say what others do; `ours` float64 (4,
players) is workspace for answers, and `mean` float64 (players). Where all are solved, `ours` and `answers` aren't used.
"""

from hexdeck.games.blackstone.rules import STAKE, full_loss, full_price
from hexdeck.games.blackstone.strategy import ALL, THOUGHTS, draws_on, worth_of_drawing

TENS, OTHERS, PLAYERS, LOW, SPAN, CAP, RESTARTS, ANNOUNCED = range(8)  # in `deck`; LOW to LOW + SPAN: pots carried in
ONE, STOPPED, FOLDED = 1, 2, 3  # rows of workspace; row 0: no ten among this turn's cards, and the result
PERFECT, HOUSE = 0, 1  # how another player plays
SHARE = 0.5  # of the turns of others that are perfect
EQUAL = 1e-9  # chips: smaller differences count as ties, since sums of fractions are rounded
NO_CAP = 1000
APART = ("draw", "fold", "stop", "turn")

ENTRIES = ("fill", "turn", "draw", "stop")  # what Python calls
TYPES = {
    "answers": "float64[::1]",
    "blocks": "int64[:, :, :, ::1]",
    "deck": "int64[::1]",
    "lines": "float64[:, ::1]",
    "mean": "float64[::1]",
    "order": "int64[::1]",
    "ours": "float64[:, ::1]",
    "theirs": "float64[:, ::1]",
    "values": "float64[::1]",
}


def fill(values, answers, blocks, deck, n, order, theirs, ours, mean, responds):
    """Fill in the values, or the answers, of all positions with n players in.

    `order` int64: the masks, those with more stones first.
    """
    for k in range(min(deck[PLAYERS] - n, deck[TENS]) + 1):
        for q in range(deck[SPAN] + (deck[PLAYERS] - n) * ((deck[OTHERS] + 1) // 2) + 1):
            pot = deck[LOW] + STAKE * (deck[PLAYERS] - n) + q
            for white in range(deck[OTHERS], blocks[n, k, q, 2] - 1, -1):
                for mask in order:
                    if k + stones(mask) <= deck[TENS]:
                        for restarted in range(planes(deck)):
                            for last in range(white + 2):
                                to = at(blocks, deck, n, k, pot, mask, white, restarted, last)
                                position = n, k, pot, mask, white, restarted, last
                                if responds:
                                    _answer(values, answers, blocks, deck, position, to, theirs, ours, mean)
                                else:
                                    row = turn(values, blocks, deck, *position, theirs)
                                    for i in range(n):
                                        values[to + i] = theirs[row, i]


def _answer(values, answers, blocks, deck, position, to, theirs, ours, mean):
    """Fill in the answers of a position."""
    n = position[0]
    row = _by_rule(values, answers, blocks, deck, position, theirs, ours)
    for i in range(1, n):
        mean[i] = (1 - SHARE) * ours[row, i]
    row = _perfect(values, answers, blocks, deck, position, theirs, ours)
    for i in range(1, n):
        mean[i] += SHARE * ours[row, i]
    row = turn(answers, blocks, deck, *position, ours)
    answers[to] = ours[row, 0]
    for i in range(1, n):
        answers[to + i] = mean[i]


# --- a turn, from the player to act -----------------------------------------------------------------------------------
def turn(values, blocks, deck, n, k, pot, mask, white, restarted, last, lines):
    """BS-5: the value if the player to act draws or folds, whichever is better; returns its row of workspace."""
    fold(values, blocks, deck, n, k, pot, mask, white, restarted, last, lines, FOLDED)
    remaining = cards_left(deck, k, mask, white)
    if remaining == 0:
        return FOLDED
    least, limit = fewest(restarted, last), highest(deck, n, last)
    if not deck[ANNOUNCED]:
        draw(values, blocks, deck, n, k, pot, mask, white, restarted, last, 0, least, limit, lines)
        return 0 if lines[0, 0] > lines[FOLDED, 0] + EQUAL else FOLDED
    for number in range(least, max(least, min(limit, remaining)) + 1):
        draw(values, blocks, deck, n, k, pot, mask, white, restarted, last, 0, number, number, lines)
        if lines[0, 0] > lines[FOLDED, 0] + EQUAL:
            _copy(lines, 0, FOLDED, n)
    return FOLDED


def _perfect(values, answers, blocks, deck, position, theirs, ours):
    """The answer if the player to act plays as solved; returns its row of `ours`."""
    n, k, _pot, mask, white, restarted, last = position
    fold(values, blocks, deck, *position, theirs, FOLDED)
    fold(answers, blocks, deck, *position, ours, FOLDED)
    remaining = cards_left(deck, k, mask, white)
    if remaining == 0:
        return FOLDED
    least, limit = fewest(restarted, last), highest(deck, n, last)
    if not deck[ANNOUNCED]:
        _respond(values, answers, blocks, deck, position, least, limit, theirs, ours, PERFECT)
        return 0 if theirs[0, 0] > theirs[FOLDED, 0] + EQUAL else FOLDED
    for number in range(least, max(least, min(limit, remaining)) + 1):
        _respond(values, answers, blocks, deck, position, number, number, theirs, ours, PERFECT)
        if theirs[0, 0] > theirs[FOLDED, 0] + EQUAL:
            _copy(theirs, 0, FOLDED, n)
            _copy(ours, 0, FOLDED, n)
    return FOLDED


def _by_rule(values, answers, blocks, deck, position, theirs, ours):
    """The answer if the player to act plays as the house bot; returns its row of `ours`."""
    n, k, pot, mask, white, restarted, last = position
    remaining, tens = cards_left(deck, k, mask, white), deck[TENS] - k - stones(mask)
    least, limit = fewest(restarted, last), highest(deck, n, last)
    number, best = 0, -ALL * full_price(white)
    top = min(least + THOUGHTS - 1, max(least, min(limit, remaining))) if deck[ANNOUNCED] else least
    if least <= remaining:
        for candidate in range(least, top + 1):
            worth = worth_of_drawing(n, mask, pot, white, 0, remaining, tens, full_loss(white), candidate)
            if worth > best:
                number, best = candidate, worth
    if number == 0:
        fold(answers, blocks, deck, *position, ours, FOLDED)
        return FOLDED
    limit = min(limit, remaining)
    limit = number if deck[ANNOUNCED] else _furthest(n, mask, pot, white, remaining, tens, number, limit)
    _respond(values, answers, blocks, deck, position, number, limit, theirs, ours, HOUSE)
    return 0


def _furthest(n, mask, pot, white, remaining, tens, least, limit):
    """The number of cards at which the house bot has stopped, whether there was a ten among them or not."""
    number = least
    while number < limit and _goes_on(n, mask, pot, white, remaining, tens, number, 0):
        number += 1
    while number < limit and not mask & 1 and tens and _goes_on(n, mask, pot, white, remaining, tens, number, 1):
        number += 1
    return number


def _goes_on(n, mask, pot, white, remaining, tens, number, t):
    """Whether the house bot draws on after so many cards, t of them a ten."""
    now = white + number - t
    return draws_on(n, mask | t, pot, now, number, remaining - number, tens - t, full_loss(now))


def draw(values, blocks, deck, n, k, pot, mask, white, restarted, last, drawn, least, limit, lines):
    """BS-6: the value of drawing on after `drawn` cards, to `least` at least and `limit` at most, into row 0.

    Computed backwards over the cards that may come in this turn, without and with a ten among them.
    """
    tens, others, held = deck[TENS] - k - stones(mask), deck[OTHERS] - white, mask & 1
    remaining = tens + others
    for j in range(min(limit - drawn, remaining), -1, -1):
        for t in range(2):
            if j - t > others or (t == 1 and (held or tens == 0 or j == 0)):
                continue
            risk, ends = (tens - t) / max(1, remaining - j), remaining == j or drawn + j == limit
            after = n, k, pot, mask | t, white + j - t, restarted, last, drawn + j, least, ends, risk
            _after(values, blocks, deck, *after, lines, t)
            if not ends and j > 0 and drawn + j >= least and not lines[t, 0] > lines[STOPPED, 0] + EQUAL:
                _copy(lines, STOPPED, t, n)


def _respond(values, answers, blocks, deck, position, least, limit, theirs, ours, player):
    """As `draw` from the first card on, for both workspaces, with another player's choice of when to stop."""
    n, k, pot, mask, white, restarted, last = position
    tens, others, held = deck[TENS] - k - stones(mask), deck[OTHERS] - white, mask & 1
    remaining = tens + others
    for j in range(min(limit, remaining), -1, -1):
        for t in range(2):
            if j - t > others or (t == 1 and (held or tens == 0 or j == 0)):
                continue
            risk, ends = (tens - t) / max(1, remaining - j), remaining == j or j == limit
            after = n, k, pot, mask | t, white + j - t, restarted, last, j, least, ends, risk
            if player == PERFECT:
                _after(values, blocks, deck, *after, theirs, t)
            _after(answers, blocks, deck, *after, ours, t)
            if ends or j == 0 or j < least:
                continue
            better = theirs[t, 0] > theirs[STOPPED, 0] + EQUAL
            if not (better if player == PERFECT else _goes_on(n, mask, pot, white, remaining, tens, j, t)):
                _copy(theirs, STOPPED, t, n)
                _copy(ours, STOPPED, t, n)


def _after(values, blocks, deck, n, k, pot, mask, white, restarted, last, drawn, least, ends, risk, lines, t):
    """After so many cards: the value of drawing on, or of the turn's end, into row t; and that of stopping."""
    if not ends:
        next_card(n, pot, white, mask & 1, risk, lines, t)
        if drawn >= least:
            stop(values, blocks, deck, n, k, pot, mask, white, drawn, lines, STOPPED)
    elif drawn < least:
        fold(values, blocks, deck, n, k, pot, mask, white, restarted, last, lines, t)
    else:
        stop(values, blocks, deck, n, k, pot, mask, white, drawn, lines, t)


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


def _copy(lines, source, to, n):
    """Copy a row of workspace."""
    for i in range(n):
        lines[to, i] = lines[source, i]


def stop(values, blocks, deck, n, k, pot, mask, white, drawn, lines, row):
    """BS-6: the value of ending the turn, into a row."""
    a = at(blocks, deck, n, k, pot, (mask >> 1) | ((mask & 1) << (n - 1)), white, 0, drawn)
    lines[row, 0] = values[a + n - 1]
    for i in range(1, n):
        lines[row, i] = values[a + i - 1]


def fold(values, blocks, deck, n, k, pot, mask, white, restarted, last, lines, row):
    """BS-8, BS-10: the value of paying and being out, into a row."""
    price = full_price(white)
    lines[row, 0] = -price
    if n == 2:
        lines[row, 1] = pot + price
        return
    if deck[RESTARTS]:
        restarted, last = (1, last) if deck[CAP] else (0, 0)
    a = at(blocks, deck, n - 1, k + (mask & 1), pot + price, mask >> 1, white, restarted, last)
    for i in range(1, n):
        lines[row, i] = values[a + i - 1]


def at(blocks, deck, n, k, pot, mask, white, restarted, last):
    """The index at which a position's values begin."""
    q = pot - deck[LOW] - STAKE * (deck[PLAYERS] - n)
    return (
        blocks[n, k, q, 0]
        + (mask * blocks[n, k, q, 1] + cell(planes(deck), white) + restarted * (white + 2) + last) * n
    )


def cell(layers, white):
    """How many positions of a mask have fewer white stones; the number last drawn is at most one more than these."""
    return layers * (white * (white + 3) // 2)


def planes(deck):
    """2 if it matters whether a fold has reset the minimum to 1, else 1."""
    return 1 + (deck[CAP] & deck[RESTARTS])


def cards_left(deck, k, mask, white):
    """The number of cards left in the deck."""
    return deck[TENS] - k - stones(mask) + deck[OTHERS] - white


def fewest(restarted, last):
    """BS-6, BS-7: the smallest number that may be drawn."""
    return 1 if restarted or last == 0 else last


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
