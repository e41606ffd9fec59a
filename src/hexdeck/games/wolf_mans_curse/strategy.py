"""A house bot for Wolf-Man's Curse that plays like a sensible person: it weighs tonight's catch and its chances.

Points are counted in quarters, so that an unseen card counts as one quarter of a point in each suit.
"""

from hexdeck.engine.cards import size
from hexdeck.engine.random import below
from hexdeck.games.wolf_mans_curse import rules
from hexdeck.games.wolf_mans_curse.rules import CLUBS, DIAMONDS, HEARTS, NONE, SUITS, face_worth, strength, worth

ALL = 256  # a probability of 1


def choose(s, seat, actions, count, rng):
    """Choose one of `count` legal actions (int16) for a seat, from its concealed struct; `rng` breaks ties."""
    best, value = actions[0], -1000000000
    for k in range(count):
        brings = _brings(s, seat, actions[k]) * 4 + below(rng, 4)
        if brings > value:
            best, value = actions[k], brings
    return best


def gentle(s, seat, actions, count, rng):
    """Keep to the middle: play the card with as many weaker as stronger ones in hand."""
    best, value = actions[0], 1000
    for k in range(count):
        apart = abs(2 * _weaker(s, actions, count, actions[k]) - count + 1)
        if apart < value:
            best, value = actions[k], apart
    return best


def _weaker(s, actions, count, card):
    """How many of these cards are weaker than `card`."""
    weaker = 0
    for k in range(count):
        weaker += strength(s, actions[k]) < strength(s, card)
    return weaker


def _brings(s, seat, card):
    """The value of playing a card: the catch if it wins, else what another player gets by it."""
    wins = _chance_to_win(s, seat, card)
    return wins * _catch(s, seat, card) + (ALL - wins) * _gift(card)


def _chance_to_win(s, seat, card):
    """The estimated probability that no card beats this one, if cards not on the table are any unseen cards."""
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
    """The card of another seat that lies face up, or NONE."""
    return s.card[p] if s.phase == rules.PLAY else NONE


def _catch(s, seat, card):
    """How much better off the seat is with all cards of tonight."""
    if s.face == rules.QUEEN and s.jokers[seat]:
        return -400  # released, so it can't win
    before, after = 0, 0
    for suit in range(SUITS):
        gain = _quarters(s, seat, card, suit)
        total = 4 * (s.points[seat, suit] + s.month[seat, suit])
        before += _standing(s, seat, suit, total)
        after += _standing(s, seat, suit, total + gain)
    return after - before - 4 * (s.face == rules.JOKER)


def _quarters(s, seat, card, suit):
    """The points in a suit that are on the table tonight, in quarters."""
    total = 4 * (card // rules.RANKS == suit) * worth(s, card)
    if s.face // 3 == suit:
        total += 4 * face_worth(s, s.face)
    for p in range(s.seats):
        if p != seat:
            card_of_other = _played(s, p)
            total += (
                1 if card_of_other == NONE else 4 * (card_of_other // rules.RANKS == suit) * worth(s, card_of_other)
            )
    return total


def _standing(s, seat, suit, quarters):
    """How good it is to have that many points in a suit."""
    if suit == DIAMONDS:
        return 3 * quarters
    if suit == HEARTS:
        return -min(quarters, 4) * 12 - quarters
    ahead = max(0, min(quarters - 4 * _most(s, seat, suit) + 12, 24))
    guilty = s.points[seat, HEARTS] + s.month[seat, HEARTS] > 0
    return -ahead * (4 if suit == CLUBS else 2 if guilty else 1)


def _most(s, seat, suit):
    """The most points that another seat has in a suit."""
    top = 0
    for p in range(s.seats):
        if p != seat:
            top = max(top, s.points[p, suit] + s.month[p, suit])
    return top


def _gift(card):
    """The value of a card that another player gets: clubs harm them, diamonds help."""
    suit = card // rules.RANKS
    if suit == DIAMONDS:
        return -4
    return 4 if suit == CLUBS else 2 if suit == rules.SPADES else 1
