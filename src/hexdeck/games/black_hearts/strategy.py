"""A house bot for Black Hearts that plays like a sensible person: it passes high cards on and ducks what hurts.

When one seat alone has captured many Curse cards, all want the next: that seat to win, the others to stop it.
"""

from hexdeck.engine.cards import counted
from hexdeck.engine.random import below
from hexdeck.games.black_hearts.rules import CARD, HIGHER, KINDS, LOWER, MERCY, NONE, SORT, UPSIDE_DOWN, taker

GUESSES = 4  # ways in which a trick may go on that are looked at for each card
APART = ("_cost",)
MANY = 3  # Curse cards that make it likely that the only seat with any gets them all
KEEP = 16  # how much rather a Curse card is kept to be played when another wins the trick than passed on


def choose(s, seat, actions, count, rng):
    """One of `count` legal actions (int16) for a seat, from its concealed struct; `rng` guesses and breaks ties."""
    if count == 1:
        return actions[0]
    pain = -1 if _somebody_may_catch_all(s) else 1
    best, value = actions[0], -1_000_000
    for k in range(count):
        worth = _worth(s, seat, actions[k], pain, rng) * 8 + below(rng, 8)
        if worth > value:
            best, value = actions[k], worth
    return best


def gentle(s, seat, actions, count, rng):
    """One who ducks: plays the lowest number it holds, whatever lies there, and passes its highest two on."""
    best, value = actions[0], -1
    for k in range(count):
        if actions[k] < CARD:
            number = s.number[LOWER[actions[k]]] + s.number[HIGHER[actions[k]]]
        else:
            number = 100 - s.number[actions[k] - CARD]
        if number > value:
            best, value = actions[k], number
    return best


def _worth(s, seat, action, pain, rng):
    if action < CARD:
        a, b = LOWER[action], HIGHER[action]
        return _burden(s, a) + _burden(s, b) - KEEP * ((a < SORT) + (b < SORT))
    kind = action - CARD
    return _burden(s, kind) - 3 * pain * _cost(s, seat, kind, rng)


def _burden(s, kind):
    """How glad one is to be rid of a card: it wins tricks, and the more so with curse points of its own."""
    number = s.number[kind]
    strength = 7 - number if s.gift == UPSIDE_DOWN else number
    return 4 * (strength + (s.curse_points[kind] if kind < SORT else 0))


def _somebody_may_catch_all(s):
    holders, cards = 0, 0
    for p in range(s.seats):
        holders += s.caught[p] > 0
        for k in range(SORT):
            cards += (s.caught[p] >> k) & 1
    return holders == 1 and cards >= MANY


def _cost(s, seat, kind, rng):
    """About how many tenths of a curse point the card costs: the trick is played on with cards that may come."""
    place = (seat - s.leader) % s.seats + 1
    left, before, cost = counted(s.stock), _points(s, kind), 0
    guesses = GUESSES if place < s.seats else 1
    for k in range(place - 1):
        before += _points(s, s.played[(s.leader + k) % s.seats, s.trick])
    s.played[seat, s.trick] = kind
    for _ in range(guesses):
        last, points = kind, before
        for k in range(place, s.seats):
            last = _guess(s.stock, below(rng, max(left, 1)))
            s.played[(s.leader + k) % s.seats, s.trick] = last
            points += _points(s, last)
        if points:
            cost += points * (taker(s, s.seats, last) == seat)
    for k in range(place - 1, s.seats):
        s.played[(s.leader + k) % s.seats, s.trick] = NONE
    return cost * 10 // guesses


def _points(s, kind):
    """What a card brings; under Mercy about half of it."""
    if kind >= SORT:
        return 0
    return s.curse_points[kind] // 2 if s.gift == MERCY else s.curse_points[kind]


def _guess(stock, u):
    """The kind of card number u of a bag."""
    for k in range(KINDS):
        u -= stock[k]
        if u < 0:
            return k
    return 0
