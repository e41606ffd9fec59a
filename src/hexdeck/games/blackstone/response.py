"""The best response to players who play perfectly or by rule of thumb: functions to be compiled by `engine.backends`.

One player knows that each of the others plays each of its turns as in solved Blackstone with probability `SHARE`, and
as the house bot otherwise. Positions are those of `induction`, and so is the layout of `answers` float64: but for a
position it has what the responding player wins or loses if it is the player to act, the next one, and so on.

`values`: those of solved Blackstone, which say what others do; `theirs` and `ours` float64 (4, players): workspace as
`lines` in `induction`, for values and answers; `mean` float64 (players).
"""

from hexdeck.games.blackstone.induction import (
    ANNOUNCED,
    EQUAL,
    FOLDED,
    LOW,
    OTHERS,
    PLAYERS,
    SPAN,
    STOPPED,
    TENS,
    at,
    cards_left,
    fewest,
    fold,
    highest,
    next_card,
    planes,
    stones,
    stop,
    turn,
)
from hexdeck.games.blackstone.rules import STAKE, full_loss, full_price
from hexdeck.games.blackstone.strategy import ALL, THOUGHTS, draws_on, worth_of_drawing

SHARE = 0.5  # of the turns of others that are perfect
HOUSE, PERFECT = 0, 1  # how they play

ENTRIES = ("respond",)  # what Python calls
TYPES = {
    "answers": "float64[::1]",
    "blocks": "int64[:, :, :, ::1]",
    "deck": "int64[::1]",
    "mean": "float64[::1]",
    "order": "int64[::1]",
    "ours": "float64[:, ::1]",
    "theirs": "float64[:, ::1]",
    "values": "float64[::1]",
}


def respond(values, answers, blocks, deck, n, order, theirs, ours, mean):
    """Fill in the answers of all positions with n players in, as `induction.fill` fills in values."""
    for k in range(min(deck[PLAYERS] - n, deck[TENS]) + 1):
        for q in range(deck[SPAN] + (deck[PLAYERS] - n) * ((deck[OTHERS] + 1) // 2) + 1):
            pot = deck[LOW] + STAKE * (deck[PLAYERS] - n) + q
            for white in range(deck[OTHERS], blocks[n, k, q, 2] - 1, -1):
                for mask in order:
                    if k + stones(mask) <= deck[TENS]:
                        _respond_there(values, answers, blocks, deck, n, k, pot, mask, white, theirs, ours, mean)


def _respond_there(values, answers, blocks, deck, n, k, pot, mask, white, theirs, ours, mean):
    """Fill in the answers of positions that differ only in the number last drawn."""
    for fresh in range(planes(deck)):
        for last in range(white + 2):
            row = _by_rule(values, answers, blocks, deck, n, k, pot, mask, white, fresh, last, theirs, ours)
            for i in range(1, n):
                mean[i] = (1 - SHARE) * ours[row, i]
            row = _perfect(values, answers, blocks, deck, n, k, pot, mask, white, fresh, last, theirs, ours)
            for i in range(1, n):
                mean[i] += SHARE * ours[row, i]
            row = turn(answers, blocks, deck, n, k, pot, mask, white, fresh, last, ours)
            to = at(blocks, deck, n, k, pot, mask, white, fresh, last)
            answers[to] = ours[row, 0]
            for i in range(1, n):
                answers[to + i] = mean[i]


# --- what others do, from the player to act, and what it brings: each returns the row of both workspaces --------------
def _perfect(values, answers, blocks, deck, n, k, pot, mask, white, fresh, last, theirs, ours):
    """As `induction.turn`."""
    fold(values, blocks, deck, n, k, pot, mask, white, fresh, last, theirs, FOLDED)
    fold(answers, blocks, deck, n, k, pot, mask, white, fresh, last, ours, FOLDED)
    left = cards_left(deck, k, mask, white)
    if left == 0:
        return FOLDED
    least, most = fewest(fresh, last), highest(deck, n, last)
    if not deck[ANNOUNCED]:
        _draw(values, answers, blocks, deck, n, k, pot, mask, white, fresh, last, least, most, theirs, ours, PERFECT)
        return 0 if theirs[0, 0] > theirs[FOLDED, 0] + EQUAL else FOLDED
    for number in range(least, max(least, min(most, left)) + 1):
        _draw(values, answers, blocks, deck, n, k, pot, mask, white, fresh, last, number, number, theirs, ours, PERFECT)
        if theirs[0, 0] > theirs[FOLDED, 0] + EQUAL:
            _copy(theirs, ours, 0, FOLDED, n)
    return FOLDED


def _by_rule(values, answers, blocks, deck, n, k, pot, mask, white, fresh, last, theirs, ours):
    """As the house bot."""
    left, tens = cards_left(deck, k, mask, white), deck[TENS] - k - stones(mask)
    least, most = fewest(fresh, last), highest(deck, n, last)
    number, best = 0, -ALL * full_price(white)
    top = min(least + THOUGHTS - 1, max(least, min(most, left))) if deck[ANNOUNCED] else least
    if least <= left:
        for each in range(least, top + 1):
            worth = worth_of_drawing(n, mask, pot, white, 0, left, tens, full_loss(white), each)
            if worth > best:
                number, best = each, worth
    if number == 0:
        fold(answers, blocks, deck, n, k, pot, mask, white, fresh, last, ours, FOLDED)
        return FOLDED
    most = number if deck[ANNOUNCED] else _furthest(n, mask, pot, white, left, tens, number, min(most, left))
    _draw(values, answers, blocks, deck, n, k, pot, mask, white, fresh, last, number, most, theirs, ours, HOUSE)
    return 0


def _furthest(n, mask, pot, white, left, tens, least, most):
    """The number of cards at which the house bot has stopped, whether there was a ten among them or not."""
    number = least
    while number < most and _goes_on(n, mask, pot, white, left, tens, number, 0):
        number += 1
    while number < most and not mask & 1 and tens and _goes_on(n, mask, pot, white, left, tens, number, 1):
        number += 1
    return number


def _goes_on(n, mask, pot, white, left, tens, number, t):
    """Whether the house bot draws on after so many cards, t of them a ten."""
    now = white + number - t
    return draws_on(n, mask | t, pot, now, number, left - number, tens - t, full_loss(now))


def _draw(values, answers, blocks, deck, n, k, pot, mask, white, fresh, last, least, most, theirs, ours, who):
    """As `induction.draw` from the first card on, for both workspaces, with somebody else's choice of when to stop."""
    tens, others, held = deck[TENS] - k - stones(mask), deck[OTHERS] - white, mask & 1
    left = tens + others
    for j in range(min(most, left), -1, -1):
        for t in range(2):
            if j - t > others or (t == 1 and (held or tens == 0 or j == 0)):
                continue
            now, lying, risk = mask | t, white + j - t, (tens - t) / max(1, left - j)
            if left == j and j < least:
                if who == PERFECT:
                    fold(values, blocks, deck, n, k, pot, now, lying, fresh, last, theirs, t)
                fold(answers, blocks, deck, n, k, pot, now, lying, fresh, last, ours, t)
            elif left == j or j == most:
                if who == PERFECT:
                    stop(values, blocks, deck, n, k, pot, now, lying, j, theirs, t)
                stop(answers, blocks, deck, n, k, pot, now, lying, j, ours, t)
            else:
                if who == PERFECT:
                    next_card(n, pot, lying, now & 1, risk, theirs, t)
                next_card(n, pot, lying, now & 1, risk, ours, t)
                if j > 0 and j >= least:
                    if who == PERFECT:
                        stop(values, blocks, deck, n, k, pot, now, lying, j, theirs, STOPPED)
                        on = theirs[t, 0] > theirs[STOPPED, 0] + EQUAL
                    else:
                        on = _goes_on(n, mask, pot, white, left, tens, j, t)
                    if not on:
                        stop(answers, blocks, deck, n, k, pot, now, lying, j, ours, STOPPED)
                        _copy(theirs, ours, STOPPED, t, n)


def _copy(theirs, ours, source, to, n):
    """Copy a row of both workspaces."""
    for i in range(n):
        theirs[to, i], ours[to, i] = theirs[source, i], ours[source, i]
