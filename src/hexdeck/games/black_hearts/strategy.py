"""A house bot for Black Hearts that plays like a sensible person: it passes high cards and ducks costly tricks.

Once a single seat has captured most Curse cards so far, everybody wants the next: that seat to win, others to stop it.
"""

from hexdeck.engine.cards import card_at, counted, size
from hexdeck.engine.random import below
from hexdeck.games.black_hearts.rules import CARD, HIGHER, LOWER, MERCY, NONE, SORT, UPSIDE_DOWN, taker

GUESSES = 4  # random continuations of the trick per card
APART = ("_cost",)
MANY = 3  # Curse cards from which on a seat that alone has any is likely to get them all
KEEP = 16  # how much it prefers to keep a Curse card and play it into another's trick, rather than pass it


def choose(s, seat, actions, count, rng):
    """Choose one of `count` legal actions (int16) for a seat, from its concealed struct; `rng` guesses, breaks ties."""
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
    """Always duck: play the lowest number in hand whatever lies there, and pass the highest two."""
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
    """How much a card is worth passing: high numbers win tricks, and curse points of its own make that worse."""
    number = s.number[kind]
    strength = 7 - number if s.gift == UPSIDE_DOWN else number
    return 4 * (strength + (s.curse_points[kind] if kind < SORT else 0))


def _somebody_may_catch_all(s):
    holders, cards = 0, 0
    for p in range(s.seats):
        holders += s.caught[p] > 0
        cards += size(s.caught[p])
    return holders == 1 and cards >= MANY


def _cost(s, seat, kind, rng):
    """The estimated cost of a card in tenths of a curse point, by playing the trick out with cards that may come."""
    position = (seat - s.leader) % s.seats + 1
    unseen, before, cost = counted(s.stock), _points(s, kind), 0
    guesses = GUESSES if position < s.seats else 1
    for k in range(position - 1):
        before += _points(s, s.played[(s.leader + k) % s.seats, s.trick])
    s.played[seat, s.trick] = kind
    for _ in range(guesses):
        last, points = kind, before
        for k in range(position, s.seats):
            last = card_at(s.stock, below(rng, max(unseen, 1))) * (unseen > 0)
            s.played[(s.leader + k) % s.seats, s.trick] = last
            points += _points(s, last)
        if points:
            cost += points * (taker(s, s.seats, last) == seat)
    for k in range(position - 1, s.seats):
        s.played[(s.leader + k) % s.seats, s.trick] = NONE
    return cost * 10 // guesses


def _points(s, kind):
    """The curse points of a card; about half of them under Mercy."""
    if kind >= SORT:
        return 0
    return s.curse_points[kind] // 2 if s.gift == MERCY else s.curse_points[kind]
