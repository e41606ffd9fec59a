"""A house bot for Hawthorn that plays like a sensible person: it counts what is left in the deck and weighs the pot."""

from hexdeck.engine.cards import RANKS, counted
from hexdeck.engine.random import below
from hexdeck.games.hawthorn.rules import FOLD, PLAY, SHOW, TAKE, price

SHARES = 100


def choose(s, seat, actions, count, rng):
    """One of `count` legal actions (int16) for a seat, from its concealed struct; `rng` breaks ties."""
    if actions[0] == TAKE:
        return TAKE if _dares(s, seat) else FOLD
    best, value = FOLD, -1000000
    for k in range(count):
        worth = _worth(s, seat, actions[k]) * 4 + below(rng, 4)
        if worth > value:
            best, value = actions[k], worth
    return best


def _dares(s, seat):
    bag = s.stock if s.deck_left else s.discard
    left, safe, cost = counted(bag), 0, 0
    for r in range(RANKS):
        if (s.row[seat] >> r) & 1:
            cost += bag[r] * min(r + 1, s.purse[seat])
        else:
            safe += bag[r]
    fee = min(price(s, seat), s.purse[seat])
    k = 0
    for p in range(s.seats):
        k += (s.inside >> p) & 1
    return safe * P0[seat] * s.pot + left * fee * 100 * k + left * P1[seat] * k >= cost * 100 * k


def _worth(s, seat, action):
    if action == FOLD:
        return -100 * 100
    if action < TAKE:
        r = action - SHOW
        return -s.stock[r] * (r + P2[seat]) - P3[seat] * (s.hand[seat, r] - 1)
    r = action - PLAY
    if (s.row[seat] >> r) & 1:
        return -200 * 100
    return -s.stock[r] * (r + P4[seat])
