"""A house bot for Wolf-Man's Curse that plays like a sensible person: it weighs tonight's catch, and its chances.

Points are counted in quarters here, so that a card nobody has seen brings one to each suit.
"""

from hexdeck.engine.cards import size
from hexdeck.engine.random import below
from hexdeck.games.wolf_mans_curse import rules
from hexdeck.games.wolf_mans_curse.rules import CLUBS, DIAMONDS, HEARTS, NONE, SUITS, face_worth, strength, worth

ALL = 256  # a chance of 1


def choose(s, seat, actions, count, rng):
    """One of `count` legal actions (int16) for a seat, from its concealed struct; `rng` breaks ties."""
    best, value = actions[0], -1000000000
    for k in range(count):
        brings = _brings(s, seat, actions[k]) * 4 + below(rng, 4)
        if brings > value:
            best, value = actions[k], brings
    return best


def gentle(s, seat, actions, count, rng):
    """One who keeps to the middle: plays the card that as many of its own are weaker than as are stronger."""
    best, value = actions[0], 1000
    for k in range(count):
        apart = abs(2 * _weaker(s, actions, count, actions[k]) - count + 1)
        if apart < value:
            best, value = actions[k], apart
    return best


def _weaker(s, actions, count, card):
    """How many of these cards are weaker than one."""
    weaker = 0
    for k in range(count):
        weaker += strength(s, actions[k]) < strength(s, card)
    return weaker


def _brings(s, seat, card):
    """What playing a card brings: the catch if it wins, else what another gets of it."""
    wins = _chance_to_win(s, seat, card)
    return wins * _catch(s, seat, card) + (ALL - wins) * _gift(card)


def _chance_to_win(s, seat, card):
    """About how likely no card beats this one; what isn't on the table is any unseen card."""
    mine, unseen, stronger, chance = strength(s, card), size(s.stock), 0, ALL
    for k in range(rules.CARDS):
        stronger += (s.stock >> k) & 1 and strength(s, k) > mine
    for p in range(s.seats):
        if p != seat and _played(s, p) == NONE:
            chance = chance * (unseen - stronger) // max(1, unseen)
        elif p != seat and strength(s, s.card[p]) > mine:
            return 0
    return chance


def _played(s, p):
    """The card of another seat that lies open."""
    return s.card[p] if s.phase == rules.PLAY else NONE


def _catch(s, seat, card):
    """How much better off the seat is with all cards of tonight."""
    if s.face == rules.QUEEN and s.jokers[seat]:
        return -400  # released: alive or not, no winner
    before, after = 0, 0
    for suit in range(SUITS):
        more = _quarters(s, seat, card, suit)
        had = 4 * (s.points[seat, suit] + s.month[seat, suit])
        before += _standing(s, seat, suit, had)
        after += _standing(s, seat, suit, had + more)
    return after - before - 4 * (s.face == rules.JOKER)


def _quarters(s, seat, card, suit):
    """The points of a suit that lie there tonight."""
    total = 4 * (card // rules.RANKS == suit) * worth(s, card)
    if s.face // 3 == suit:
        total += 4 * face_worth(s, s.face)
    for p in range(s.seats):
        if p != seat:
            other = _played(s, p)
            total += 1 if other == NONE else 4 * (other // rules.RANKS == suit) * worth(s, other)
    return total


def _standing(s, seat, suit, quarters):
    """How good it is to have so many points of a suit."""
    if suit == DIAMONDS:
        return 3 * quarters
    if suit == HEARTS:
        return -min(quarters, 4) * 12 - quarters
    ahead = max(0, min(quarters - 4 * _most(s, seat, suit) + 12, 24))
    guilty = s.points[seat, HEARTS] + s.month[seat, HEARTS] > 0
    return -ahead * (4 if suit == CLUBS else 2 if guilty else 1)


def _most(s, seat, suit):
    """The most points of a suit that another seat has."""
    most = 0
    for p in range(s.seats):
        if p != seat:
            most = max(most, s.points[p, suit] + s.month[p, suit])
    return most


def _gift(card):
    """Rather clubs for others than diamonds."""
    suit = card // rules.RANKS
    if suit == DIAMONDS:
        return -4
    return 4 if suit == CLUBS else 2 if suit == rules.SPADES else 1
