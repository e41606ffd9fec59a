"""A house bot for Hawthorn that plays like a sensible person: it counts the cards in the deck and weighs the pot."""

from hexdeck.engine.cards import RANKS, counted, size
from hexdeck.engine.random import below
from hexdeck.games.hawthorn.rules import FOLD, PLAY, SHOW, TAKE, hand_size, pair_price, payment, price

TIMID = 3  # the gentle bot folds if more than one card in so many would make a pair


def choose(s, seat, actions, count, rng):
    """Choose one of `count` legal actions (int16) for a seat, from its concealed struct; `rng` breaks ties."""
    if actions[0] == TAKE:
        return TAKE if _dares(s, seat) else FOLD
    best, value = FOLD, -1000000
    for k in range(count):
        worth = _worth(s, seat, actions[k]) * 4 + below(rng, 4)
        if worth > value:
            best, value = actions[k], worth
    return best


def gentle(s, seat, actions, count, rng):
    """Play timidly: take cards while few can hurt, show the lowest, and fold rather than make a pair."""
    if actions[0] == TAKE:
        remaining, hurt = counted(s.stock), 0
        for r in range(RANKS):
            hurt += s.stock[r] * ((s.row[seat] >> r) & 1)
        return TAKE if hurt * TIMID <= remaining else FOLD
    for k in range(count):
        if actions[k] < TAKE or (actions[k] != FOLD and not (s.row[seat] >> (actions[k] - PLAY)) & 1):
            return actions[k]
    return FOLD


def surprises(s, seat):
    """How many cards others hold that they would have shown or played: who chooses a card begins with the lowest."""
    surprise = 0
    for p in range(s.seats):
        if p != seat and s.row[p]:
            for r in range(_least_kept(s, p)):
                if not (s.row[p] >> r) & 1:
                    surprise += s.hand[p, r]
    return surprise


def _least_kept(s, seat):
    """The lowest rank that it may well have kept: of its row, the lowest cards may be those from its hand."""
    chosen, r = hand_size(s.hand_cards) - s.held[seat], -1
    while chosen > 0 and r < RANKS - 1:
        r += 1
        chosen -= (s.row[seat] >> r) & 1
    return r


def _dares(s, seat):
    """Whether a share of the pot, if the card is safe, and the saved price outweigh the cost of a pair."""
    remaining, safe, cost = 0, 0, 0
    for r in range(RANKS):
        cards = s.stock[r] if s.deck_left else s.discard[r]
        remaining += cards
        if (s.row[seat] >> r) & 1:
            cost += cards * payment(s, seat, pair_price(r))
        else:
            safe += cards
    fee, inside = payment(s, seat, price(s, seat)), size(s.inside)
    return safe * s.pot + remaining * fee * inside >= cost * inside


def _worth(s, seat, action):
    """Prefer ranks with few cards left to pair them, and low ones; fold rather than make a pair."""
    if action == FOLD:
        return -10_000
    if action < TAKE:
        return -s.stock[action - SHOW] * (action - SHOW + 2)
    r = action - PLAY
    if (s.row[seat] >> r) & 1:
        return -20_000
    return -s.stock[r] * (r + 4)
