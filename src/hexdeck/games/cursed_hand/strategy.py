"""A house bot for Cursed Hand that plays like a sensible person: it counts what it has seen and bluffs a little."""

from hexdeck.engine.cards import RANKS, counted
from hexdeck.engine.random import below
from hexdeck.games.cursed_hand.rules import ACCEPT, CALL, CARD, GRAVE, NONE, PAIRED, curses, judge, pair_of

DOUBTFUL = 33  # percent; found by trial against the gentle bot
SUSPICIOUS = 3  # the gentle bot calls ghost hands of this many cards


def choose(s, seat, actions, count, rng):
    """Choose one of `count` legal actions (int16) for a seat, from its concealed struct; `rng` breaks ties, bluffs."""
    if count == 1:
        return actions[0]
    _, cursed, paired = judge(s)
    if actions[0] == CALL:
        return CALL if cursed or _doubt(s) + below(rng, 7) - 3 > DOUBTFUL else ACCEPT
    best, value, risks = actions[0], -1000000, _risks(s, seat)
    for k in range(count):
        worth = _worth(s, seat, actions[k], risks, cursed, paired) * 16 + below(rng, 40)
        if worth > value:
            best, value = actions[k], worth
    return best


def gentle(s, seat, actions, count, rng):
    """Be suspicious: call any ghost hand of more than two cards, and add the lowest card."""
    if actions[0] == CALL:
        return CALL if s.ghost_size >= SUSPICIOUS or judge(s)[1] else ACCEPT
    return actions[0]


def _worth(s, seat, action, risks, cursed, paired):
    if action < CALL:  # a middling rank of which the hand has only one card
        return 6 - abs(action - GRAVE - 3) - 2 * (s.hand[seat, action - GRAVE] - 1)
    if action < PAIRED:
        return _worth_adding(s, action - CARD, risks, cursed, paired)
    a, b = pair_of(action)
    return -_risk(risks, a) - _risk(risks, b) - 12 * (a == b) - 20 * (a == 0)


def _worth_adding(s, r, risks, cursed, paired):
    """Keep a clean ghost hand clean; to a cursed one, prefer to add a cheap rank."""
    if cursed:
        return 4 - (_risk(risks, r) if not (paired >> r) & 1 else 0)
    return -_risk(risks, r) - (14 if curses(s, r) else 0)


def _risks(s, seat):
    """How much taking a rank would hurt, four bits for each: fatal if it already lies in the seat's own graveyard."""
    risks = 0
    for r in range(RANKS):
        risks |= (9 if s.grave[seat, r] else (r + 2) // 3) << 4 * r
    return risks


def _risk(risks, r):
    return risks >> 4 * r & 15


def _doubt(s):
    """The estimated chance, in percent, that unknown cards of the ghost hand make a pair."""
    seen, clean, hits = 0, 1000, _hits(s)
    for i in range(s.ghost_size):
        seen += s.ghost[i] != NONE
    for k in range(s.ghost_size - seen):
        clean = clean * max(0, 100 - hits * (seen + k)) // 100
    return 100 - clean // 10


def _hits(s):
    """The chance, in percent, that an unseen card pairs another one; high ranks are more frequent."""
    remaining, equal = counted(s.stock), 0
    for r in range(RANKS):
        equal += s.stock[r] * s.stock[r]
    return equal * 100 // max(1, remaining * remaining)
