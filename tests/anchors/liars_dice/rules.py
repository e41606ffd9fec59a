"""Liar's dice for two with a die each: claims that rise until somebody is called a liar.

As Lisý and others 2015 play it, and OpenSpiel's `liars_dice`: a claim is of one or two dice with a face; sixes count as
every face. Who was right wins 1. A step is one claim.
"""

from hexdeck.engine.layout import new_deal, remember, slices, starts, struct
from hexdeck.engine.random import below

PLAYERS, SEATS, FACES = (2, 2), 2, 6
CLAIMS = SEATS * FACES
LIAR = CLAIMS
STRUCT = struct(
    (),
    ("thrown", "i1"),  # dice that were thrown
    ("die", "i1", (SEATS,)),  # from 1; concealed: 0
    ("claims", "i2"),  # bits: claims that were made
    ("last", "i1"),  # the newest claim, from 1
    ("right", "i1"),  # the seat that was right, from 1
)
ACTIONS = (*(f"claim {1 + k // FACES} of {1 + k % FACES}" for k in range(CLAIMS)), "liar")
OUTCOMES = tuple(f"die {k + 1}" for k in range(FACES))
SLICES = slices(die=FACES, claims=CLAIMS, turn=1)
AT = starts(SLICES)


def start(s):
    """Chance throws the dice."""
    new_deal(s)


def chance_weights(s, weights):
    """Each face is as likely."""
    for k in range(FACES):
        weights[k] = 1
    return FACES


def apply_chance(s, outcome):
    """Throw the die of a seat; then the first seat claims."""
    s.die[s.thrown] = outcome + 1
    s.thrown += 1
    s.acting = s.thrown == SEATS


def illegal_reason(s, seat, action):
    """A claim is higher than the last; nobody is a liar before there is one."""
    return 0 if (s.acting >> seat) & 1 and action >= s.last and (action < LIAR or s.last) else 1


def legal_actions(s, seat, actions):
    """All higher claims, and to call the other a liar."""
    n = 0
    for action in range(LIAR + 1):
        if not illegal_reason(s, seat, action):
            actions[n] = action
            n += 1
    return n


def apply_action(s, seat, action):
    """Claim, or look at the dice."""
    remember(s, action)
    if action < LIAR:
        s.claims |= 1 << action
        s.last = action + 1
        s.acting = 1 << (1 - seat)
        return
    face, count = (s.last - 1) % FACES + 1, 0
    for p in range(SEATS):
        count += s.die[p] == face or s.die[p] == FACES
    s.right = 2 - seat if count > (s.last - 1) // FACES else seat + 1
    s.acting, s.over, s.ending = 0, 1, 1


def returns(s, out):
    """Who was right gets 1."""
    for p in range(SEATS):
        out[p] = 1 if s.right == p + 1 else -1


def conceal(s, seat):
    """The other's die is hidden."""
    for p in range(SEATS):
        if p != seat:
            s.die[p] = 0


def resample(s, seat, rng):
    """The other's die shows any face."""
    for p in range(SEATS):
        if p != seat and s.thrown > p:
            s.die[p] = below(rng, FACES) + 1


def observe(s, seat, out):
    """The own die, and all claims."""
    if seat >= 0 and s.die[seat]:
        out[AT.die + s.die[seat] - 1] = 1
    for k in range(CLAIMS):
        out[AT.claims + k] = (s.claims >> k) & 1
    out[AT.turn] = seat == 1
