"""The functions of a game, as generic code calls them.

`g` is a game in a backend, `s` one of its structs. The functions here are the interpreted ones: `g` is an
`InterpretedGame`, and `s` a proxy that checks every index and every write. A compiled backend replaces them by compiled
functions of the same names: there `g` is an array of function addresses and `s` an address in memory.
"""

from hexdeck.engine.history import hash_words

# name: (index in the table of compiled functions, number of int64 arguments after the struct)
TABLE = {
    "start": (0, 0),
    "chance_weights": (1, 1),
    "apply_chance": (2, 1),
    "legal_actions": (3, 2),
    "illegal_reason": (4, 2),
    "apply_action": (5, 2),
    "returns": (6, 1),
    "conceal": (7, 1),
    "observe": (8, 2),
    "resample": (9, 2),
    "choose": (10, 4),
    "gentle": (11, 4),
    "sample_chance": (12, 2),  # this, play_out, draw_chance, play_random: of `kernels`, compiled together with the game
    "play_out": (13, 3),
    "clear_hidden_choices": (14, 1),
    "draw_chance": (15, 3),
    "play_random": (16, 8),
    "take_back": (17, 0),
    "surprises": (18, 1),
}


def struct(g, rows, i):
    """The struct in row i. `rows` is a uint8 array (rows, bytes) when compiled, an `interpreted.Rows` otherwise."""
    return rows.structs[i]


def copy_row(rows, to, source):
    """Copy a whole struct from row `source` to row `to`."""
    rows.array[to] = rows.array[source]


def start(g, s):
    """Set up a match in a struct that holds options and seats and is zero otherwise."""
    g.start(s)


def chance_weights(g, s, weights):
    """Write the integer weight of every outcome, and return their sum."""
    return g.chance_weights(s, weights)


def chance_total(g, s, weights):
    """The sum of the weights of all outcomes; they are written if the game has no other way to choose by them."""
    return g.chance_total(s, weights)


def chance_outcome(g, s, weights, u):
    """The outcome that unit u of the sum falls on, from 0 on; just after `chance_total`."""
    return g.chance_outcome(s, weights, u)


def apply_chance(g, s, outcome):
    """Apply an outcome of chance."""
    g.apply_chance(s, outcome)


def legal_actions(g, s, seat, actions):
    """Write the seat's legal action ids in ascending order, and return how many there are."""
    return g.legal_actions(s, seat, actions)


def illegal_reason(g, s, seat, action):
    """0 if the action is legal, else the index in REASONS of the rule that forbids it."""
    return g.illegal_reason(s, seat, action)


def apply_action(g, s, seat, action):
    """Apply a legal action of the seat."""
    g.apply_action(s, seat, action)


def returns(g, s, out):
    """Write the utility of each seat of a match that is over; 0 where the rules write none."""
    for p in range(out.shape[0]):
        out[p] = 0.0
    g.returns(s, out)


def conceal(g, s, seat):
    """Remove from a struct, in place, what the seat doesn't know; seat -1 is the public."""
    g.conceal(s, seat)


def observe(g, s, seat, out):
    """Write a concealed struct as the int8 slices of an observation."""
    for k in range(out.shape[0]):
        out[k] = 0
    g.observe(s, seat, out)


def resample(g, s, seat, rng):
    """Fill in at random, in place, what the seat doesn't know, consistently with what it knows."""
    g.resample(s, seat, rng)


def clear_hidden_choices(g, s, seat):
    """Undo the simultaneous choices of other seats that nobody has seen yet, so that they choose again."""
    g.clear_hidden_choices(s, seat)


def take_back(g, s):
    """Undo the last move in a whole struct, where that tells what it was; returns its action, or -1.

    The seat that made it is then the one that is to act. Nothing else tells of the past: `history` and `draws` stay.
    """
    return g.take_back(s)


def house(g, s, seat, actions, count, rng):
    """The action that the game's house bot chooses, given a concealed struct."""
    return g.choose(s, seat, actions, count, rng)


def gentle(g, s, seat, actions, count, rng):
    """The action that the game's gentle bot chooses, given a concealed struct."""
    return g.gentle(s, seat, actions, count, rng)


def surprises(g, s, seat):
    """How many hidden things in a whole struct would surprise the seat, going by what others did: 0 if none."""
    return g.surprises(s, seat)


def information_key(rows, i):
    """A 63-bit hash of the bytes of row i: the information-set key if the row is concealed."""
    return hash_words(rows.words[i], rows.words[i].shape[0])
