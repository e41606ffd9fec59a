"""Goofspiel with dealt hands: secret bids for prizes that are turned up.

A prize is turned up, everybody chooses a card of the hand, and all are shown together: the highest takes the prize,
unless another is as high. A step is one bid. Play is finite: each round takes a card from every hand.
"""

from hexdeck.engine.cards import RANKS, any_card, counted, draw, list_cards
from hexdeck.engine.layout import new_deal, remember, slices, starts, struct

PLAYERS, SEATS, COPIES, HAND, NOBODY = (2, 4), 4, 3, 4, -1
STRUCT = struct(
    (),
    ("deck", "i1", (RANKS,)),  # cards of each rank in the deck; concealed: all cards that the seat can't see
    ("due", "i1"),  # cards still to be dealt
    ("hand", "i1", (SEATS, RANKS)),
    ("held", "i1", (SEATS,)),  # cards in each hand
    ("bid", "i1", (SEATS,)),  # the rank that each seat has chosen in secret
    ("bids", "i1", (SEATS, RANKS)),  # cards that each seat has bid and shown
    ("points", "i2", (SEATS,)),
    ("prize", "i2"),  # the prize of this round
)
ACTIONS, OUTCOMES = (tuple(f"{what} {r + 1}" for r in range(RANKS)) for what in ("bid", "card"))
SLICES = slices(hand=RANKS, unseen=RANKS, points=SEATS, asked=SEATS, prize=1)
AT = starts(SLICES)


def start(s):
    """All cards are in the deck; chance deals next."""
    new_deal(s)
    s.due = HAND * s.seats
    for r in range(RANKS):
        s.deck[r] = COPIES


def chance_weights(s, weights):
    """The next card of the deck."""
    for r in range(RANKS):
        weights[r] = s.deck[r]
    return counted(s.deck)


def apply_chance(s, outcome):
    """Deal a card, or turn up the next prize, for which everybody bids."""
    s.deck[outcome] -= 1
    if s.due:
        s.due -= 1
        s.hand[s.due % s.seats, outcome] += 1
        s.held[s.due % s.seats] += 1
    else:
        remember(s, outcome)
        s.prize = outcome + 1
        s.acting = (1 << s.seats) - 1


def illegal_reason(s, seat, action):
    """Only a seat that is to act can bid, and only a card of its hand."""
    return 0 if (s.acting >> seat) & 1 and s.hand[seat, action] else 1


def legal_actions(s, seat, actions):
    """A bid for each rank in the hand."""
    return list_cards(s, seat, 0, actions, 0) if (s.acting >> seat) & 1 else 0


def apply_action(s, seat, action):
    """Make a secret bid; after the last one all are shown, and the highest takes the prize."""
    s.bid[seat] = action
    s.acting &= ~(1 << seat)
    if s.acting:
        return
    highest, winner = NOBODY, NOBODY
    for p in range(s.seats):
        remember(s, s.bid[p])
        if s.bid[p] >= highest:
            highest, winner = s.bid[p], p if s.bid[p] > highest else NOBODY
        s.hand[p, s.bid[p]] -= 1
        s.bids[p, s.bid[p]] += 1
        s.held[p] -= 1
        s.bid[p] = 0
    if winner != NOBODY:
        s.points[winner] += s.prize
    s.over = s.ending = s.held[0] == 0


def returns(s, out):
    """The lead over the average of the other seats, in points."""
    for p in range(s.seats):
        for q in range(s.seats):
            out[p] += (s.points[p] - s.points[q]) / (s.seats - 1)


def conceal(s, seat):
    """Pool other hands with the deck, and hide bids that aren't shown yet."""
    for p in range(s.seats):
        if p != seat:
            s.bid[p] = 0
            for r in range(RANKS):
                s.deck[r], s.hand[p, r] = s.deck[r] + s.hand[p, r], 0


def resample(s, seat, rng):
    """Sample a world that the seat considers possible: hands from cards it can't see, then hidden bids from these."""
    conceal(s, seat)
    for p in range(s.seats):
        if p != seat:
            for _ in range(s.held[p]):
                s.hand[p, draw(s.deck, counted(s.deck), rng)] += 1
            if s.acting and not (s.acting >> p) & 1:
                s.bid[p] = any_card(s, p, rng)


def clear_hidden_choices(s, seat):
    """The other seats are to bid again."""
    for p in range(s.seats):
        if s.acting and p != seat:
            s.bid[p], s.acting = 0, s.acting | 1 << p


def observe(s, seat, out):
    """Write a concealed struct as numbers, seats counted from the observer; the public is seat 0 without a hand."""
    for r in range(RANKS):
        out[AT.hand + r], out[AT.unseen + r] = s.hand[seat, r] if seat >= 0 else 0, s.deck[r]
    for k in range(s.seats):
        p = (max(seat, 0) + k) % s.seats
        out[AT.points + k], out[AT.asked + k] = s.points[p], (s.acting >> p) & 1
    out[AT.prize] = s.prize
