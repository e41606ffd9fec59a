"""A house bot for Cursed Hand that plays like a sensible person: it counts what it has seen, bluffs and has hunches."""

from hexdeck.engine.cards import RANKS, counted
from hexdeck.engine.random import below
from hexdeck.games.cursed_hand.rules import ACCEPT, CALL, CARD, GRAVE, NONE, PAIRED, curses, judge, pair_of

BLUFF = 5  # one in so many clean ghost hands it curses on purpose, where it can
DOUBTFUL, HUNCH = 52, 17  # percent: it calls where its doubt is more, give or take a hunch
STUCK = 33  # percent more doubt where it could only pass the ghost hand on cursed
WHIM = 3  # the gentle bot calls one ghost hand in so many


def choose(s, seat, actions, count, rng):
    """Choose one of `count` legal actions (int16) for a seat, from its concealed struct; `rng` breaks ties, bluffs."""
    if count == 1:
        return actions[0]
    _, cursed, paired = judge(s)
    if actions[0] == CALL:
        return CALL if cursed or _doubt(s, seat) + below(rng, 2 * HUNCH + 1) - HUNCH > DOUBTFUL else ACCEPT
    best, value, risks, curse = actions[0], -1000000, _risks(s, seat), 20 if below(rng, BLUFF) == 0 else -16
    for k in range(count):
        worth = _worth(s, seat, actions[k], risks, cursed, paired, curse) * 16 + below(rng, 40)
        if worth > value:
            best, value = actions[k], worth
    return best


def gentle(s, seat, actions, count, rng):
    """Call on a whim, whatever the ghost hand's size, and pass on the lowest cards."""
    if actions[0] == CALL:
        return CALL if judge(s)[1] or below(rng, WHIM) == 0 else ACCEPT
    return actions[0]


def _worth(s, seat, action, risks, cursed, paired, curse):
    if action < CALL:  # a middling rank of which the hand has only one card
        return 6 - abs(action - GRAVE - 3) - 2 * (s.hand[seat, action - GRAVE] - 1)
    if action < PAIRED:
        return _worth_adding(s, action - CARD, risks, cursed, paired, curse)
    a, b = pair_of(action)
    return -_risk(risks, a) - _risk(risks, b) + curse * (a in (0, b))


def _worth_adding(s, r, risks, cursed, paired, curse):
    """Keep a clean ghost hand clean, or curse it; to a cursed one, prefer to add a cheap rank."""
    if cursed:
        return 4 - (_risk(risks, r) if not (paired >> r) & 1 else 0)
    return -_risk(risks, r) + curse * curses(s, r)


def _risks(s, seat):
    """How much taking a rank would hurt, four bits for each: fatal if it already lies in the seat's own graveyard."""
    risks = 0
    for r in range(RANKS):
        risks |= (9 if s.grave[seat, r] else (r + 2) // 3) << 4 * r
    return risks


def _risk(risks, r):
    return risks >> 4 * r & 15


def _doubt(s, seat):
    """The estimated chance, in percent, that a card it doesn't know makes a pair: as a bluff, or for want of others."""
    clean, hits = 1000, _hits(s)
    for i in range(s.ghost_size):
        if s.ghost[i] == NONE and i != 1:
            clean -= clean // BLUFF
            if i:
                clean -= clean * _forced(hits * i, s.held[(s.opener + i - 1) % s.seats] + 1) // 100
    return 100 - clean // 10 + STUCK * _is_stuck(s, seat)


def _forced(pairs, cards):
    """The chance, in percent, that each of so many cards makes a pair, where one does in `pairs` percent of cases."""
    chance = 100
    for _ in range(cards):
        chance = chance * min(pairs, 100) // 100
    return chance


def _is_stuck(s, seat):
    """Whether the seat has cards, and knows of each that it curses the ghost hand."""
    for r in range(RANKS):
        if s.hand[seat, r] and not curses(s, r):
            return False
    return s.held[seat] > 0


def _hits(s):
    """The chance, in percent, that an unseen card pairs another one; high ranks are more frequent."""
    remaining, equal = counted(s.stock), 0
    for r in range(RANKS):
        equal += s.stock[r] * s.stock[r]
    return equal * 100 // max(1, remaining * remaining)
