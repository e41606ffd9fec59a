"""Leduc poker for two: six cards of three ranks, one each in private and one for both, two rounds of bets.

As Southey and others 2005 play it, and OpenSpiel's `leduc_poker`: everybody antes 1; a raise is 2 in the first round
and 4 in the second, two at most in each; a pair with the public card wins, else the higher rank. A step is one bet.
"""

from hexdeck.engine.cards import counted, draw
from hexdeck.engine.layout import new_deal, remember, slices, starts, struct

PLAYERS, SEATS, CARDS, ROUNDS, MOST = (2, 2), 2, 6, 2, 2
BETS = MOST + 2  # in a round at most
FOLD, CALL, RAISE = range(3)
STRUCT = struct(
    (),
    ("deck", "i1", (CARDS,)),  # concealed: all cards that the seat can't see
    ("dealt", "i1"),  # cards that were dealt
    ("hand", "i1", (SEATS,)),  # the card of each seat, from 1
    ("shown", "i1"),  # the public card, from 1
    ("paid", "i1", (SEATS,)),
    ("bets", "i1", (ROUNDS, BETS)),  # of each round: the actions in their order, from 1
    ("made", "i1"),  # bets in this round
    ("raises", "i1"),  # in this round
    ("folded", "i1"),  # the seat that folded, from 1
)
ACTIONS = ("fold", "call", "raise")
OUTCOMES = tuple(f"card {rank}{suit}" for rank in "JQK" for suit in "sh")
SLICES = slices(hand=CARDS, shown=CARDS, bets=ROUNDS * BETS * 2, turn=1)
AT = starts(SLICES)


def start(s):
    """Everybody antes; chance deals next."""
    new_deal(s)
    for c in range(CARDS):
        s.deck[c] = 1
    for p in range(SEATS):
        s.paid[p] = 1


def chance_weights(s, weights):
    """The next card of the deck."""
    for c in range(CARDS):
        weights[c] = s.deck[c]
    return counted(s.deck)


def apply_chance(s, outcome):
    """Deal a card to each seat, later one for both; then the first seat bets."""
    s.deck[outcome] -= 1
    if s.dealt < SEATS:
        s.hand[s.dealt] = outcome + 1
    else:
        remember(s, outcome)
        s.shown, s.made, s.raises = outcome + 1, 0, 0
    s.dealt += 1
    if s.dealt >= SEATS:
        s.acting = 1


def illegal_reason(s, seat, action):
    """Folding needs a bet to answer, and a raise that there were fewer than two."""
    if action == FOLD and s.paid[seat] == s.paid[1 - seat]:
        return 1
    return 0 if (s.acting >> seat) & 1 and (action != RAISE or s.raises < MOST) else 1


def legal_actions(s, seat, actions):
    """Fold, call and raise, as far as they are legal."""
    n = 0
    for action in range(RAISE + 1):
        if not illegal_reason(s, seat, action):
            actions[n] = action
            n += 1
    return n


def apply_action(s, seat, action):
    """Bet; a call ends the round, unless it is the first bet."""
    remember(s, action)
    second = s.dealt > SEATS
    s.bets[1 if second else 0, s.made] = action + 1
    s.made += 1
    s.acting = 1 << (1 - seat)
    if action == FOLD:
        s.folded = seat + 1
    else:
        s.paid[seat] = s.paid[1 - seat]
    if action == RAISE:
        s.paid[seat] += 4 if second else 2
        s.raises += 1
    elif action == FOLD or s.made > 1:
        s.acting = 0
        s.over = s.ending = second or action == FOLD


def returns(s, out):
    """What the loser paid changes hands."""
    first, other, pair = (s.hand[0] - 1) >> 1, (s.hand[1] - 1) >> 1, (s.shown - 1) >> 1
    lead = first - other
    if s.folded:
        lead = 2 * s.folded - 3
    elif first != other and s.shown and pair in (first, other):
        lead = 1 if pair == first else -1
    for p in range(SEATS):
        sign = 0 if lead == 0 else 1 if (lead > 0) == (p == 0) else -1
        out[p] = sign * min(s.paid[0], s.paid[1])


def conceal(s, seat):
    """The other's card goes back to the deck."""
    for p in range(SEATS):
        if p != seat and s.hand[p]:
            s.deck[s.hand[p] - 1] += 1
            s.hand[p] = 0


def resample(s, seat, rng):
    """Deal the others one of the cards that the seat can't see."""
    conceal(s, seat)
    for p in range(SEATS):
        if p != seat and s.dealt > p:
            s.hand[p] = draw(s.deck, counted(s.deck), rng) + 1


def observe(s, seat, out):
    """The own card, the public one, and all bets."""
    if seat >= 0 and s.hand[seat]:
        out[AT.hand + s.hand[seat] - 1] = 1
    if s.shown:
        out[AT.shown + s.shown - 1] = 1
    for r in range(ROUNDS):
        for k in range(BETS):
            if s.bets[r, k] >= CALL + 1:
                out[AT.bets + 2 * (BETS * r + k) + s.bets[r, k] - CALL - 1] = 1
    out[AT.turn] = seat == 1
