"""The contract between kernels and games, as generic code calls it.

`g` stands for a game in a backend. Here, interpreted, it is an `InterpretedGame`, and a struct is a proxy that checks
every index and every write. In compiled backends `backends` puts functions of the same names in the place of these:
there `g` is an array of function addresses and a struct is a header at an address.
"""

from hexdeck.engine.history import hash_words

# position in the compiled table, and number of int64 arguments after the struct
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
    "sample_chance": (12, 2),  # this and the next are loops of `kernels`, compiled in one piece with the game
    "play_out": (13, 3),
    "clear_hidden_choices": (14, 1),
}


def struct(g, rows, i):
    """The struct in row i: of a uint8 array (rows, bytes) when compiled, of `judge.Rows` when interpreted."""
    return rows.structs[i]


def copy_row(rows, to, source):
    """Copy a whole struct from one row to another."""
    rows.array[to] = rows.array[source]


def start(g, s):
    """Set up; options and seats are in `s`, all else is zero."""
    g.start(s)


def chance_weights(g, s, weights):
    """Write the integer weight of every outcome; returns their sum."""
    return g.chance_weights(s, weights)


def apply_chance(g, s, outcome):
    """Chance's outcome takes effect."""
    g.apply_chance(s, outcome)


def legal_actions(g, s, seat, actions):
    """Write the seat's legal action ids in ascending order; returns how many."""
    return g.legal_actions(s, seat, actions)


def illegal_reason(g, s, seat, action):
    """0, or the index in REASONS of the rule that forbids the action."""
    return g.illegal_reason(s, seat, action)


def apply_action(g, s, seat, action):
    """The legal action takes effect."""
    g.apply_action(s, seat, action)


def returns(g, s, out):
    """Write the utility of each seat, once over."""
    g.returns(s, out)


def conceal(g, s, seat):
    """Remove, in place, what the seat doesn't know; -1 is the public."""
    g.conceal(s, seat)


def observe(g, s, seat, out):
    """Write a concealed struct as int8 slices."""
    g.observe(s, seat, out)


def resample(g, s, seat, rng):
    """Fill in, in place, what the seat doesn't know with a random world consistent with what it knows."""
    g.resample(s, seat, rng)


def clear_hidden_choices(g, s, seat):
    """What others chose at once with the seat, and nobody has seen yet, is theirs to choose again."""
    g.clear_hidden_choices(s, seat)


def house(g, s, seat, actions, count, rng):
    """The action that the game's house bot chooses from a concealed struct."""
    return g.choose(s, seat, actions, count, rng)


def gentle(g, s, seat, actions, count, rng):
    """The action that the game's gentle bot chooses from a concealed struct."""
    return g.gentle(s, seat, actions, count, rng)


def information_key(rows, i):
    """A 63-bit hash of row i's bytes: the information-set key when the row is concealed."""
    return hash_words(rows.words[i], rows.words[i].shape[0])
