"""Values of moves: what a seat will know after its own move goes through a net that tells the utility to expect.

A net of values has no actions (see `bots.nets.inference`), so it suits games with many of them. Each legal move is
tried in worlds that the seat thinks possible, since what comes of it may depend on cards it doesn't know; what it then
knows is valued, before chance and others act. Where it is at once its turn again, the best that it can do then counts.
Plain functions, interpreted or compiled by `engine.backends`.

Values are in units of utility, as `terms` (float64, 3) has them: the middle and the unit, and whether what a game
counts as it stands is part of the value (see `value_terms.terms_of`); the net tells the rest. A desk is what valuing
works with: (before, first, look, near, far, further, path, terms, out): int8 and float64 arrays as
`bots.nets.inference` takes them for the struct in row 0 and for one after a move, DEPTH lists of actions (int16), int64
(2 DEPTH), terms, and utilities (float64, seats).
"""

from hexdeck.bots.nets.inference import INPUTS, NEAR, add, conclude, enter, sense
from hexdeck.engine.contract import apply_action, conceal, copy_row, legal_actions, resample, returns, struct
from hexdeck.engine.random import rewind

VIEW, WORLD, AFTER = 1, 3, 4  # rows; those after the last are for what the seat does next
DEPTH, MOST = 4, 2000  # how far a turn of several moves is looked ahead
ROWS = AFTER + DEPTH + 1
MIDDLE, UNIT, STANDS = range(3)  # of terms
NEVER = -1e300
APART = ("action_values", "state_value")  # long, and called in several places: backends don't inline them

DESK = (
    "Tuple((int8[::1], float64[::1], int8[::1], float64[::1], float64[::1], int16[:, ::1], int64[::1], float64[::1], "
    "float64[::1]))"
)  # the types of a desk
ENTRIES = ("action_values", "list_and_value")  # what Python calls
TYPES = {
    "desk": DESK,
    "worths": "float64[::1]",
}


def action_values(g, rows, seat, net, sizes, worlds, desk, actions, count, rng, worths):
    """Write the value of `count` actions of a seat in row 0 to `worths` (float64): the mean over so many worlds.

    It makes no difference whether the struct in row 0 is concealed or not. The caller's `rng` re-deals.
    """
    begin_at(g, rows, seat, net, sizes, desk)
    for k in range(count):
        worths[k] = 0.0
    for _ in range(worlds):
        copy_row(rows, WORLD, 0)
        resample(g, struct(g, rows, WORLD), seat, rng)
        for k in range(count):
            worths[k] += followed(g, rows, seat, actions[k], net, sizes, desk)
    for k in range(count):
        worths[k] /= worlds


def begin_at(g, rows, seat, net, sizes, desk):
    """Think through what the seat knows of row 0; after a move only what differs has to be."""
    before, first, _look, _near, _far, _further, _path, _terms, _out = desk
    copy_row(rows, VIEW, 0)
    conceal(g, struct(g, rows, VIEW), seat)
    sense(g, rows, VIEW, seat, sizes, before)
    enter(net, sizes, before, first)


def followed(g, rows, seat, action, net, sizes, desk):
    """The value of an action in the world in row WORLD."""
    copy_row(rows, AFTER, WORLD)
    s = struct(g, rows, AFTER)
    apply_action(g, s, seat, action)
    if s.over or s.acting != 1 << seat:
        return state_value(g, rows, AFTER, seat, net, sizes, desk)
    return best_of_turn(g, rows, seat, net, sizes, desk)


def best_of_turn(g, rows, seat, net, sizes, desk):
    """The best value among all that the seat can do from row AFTER on until it is no longer its turn alone.

    It looks `DEPTH` moves ahead, and after `MOST` positions no further than where it is. A later move of the turn is
    chosen knowing this world, which makes too much of one whose outcome the seat couldn't know.
    """
    _before, _first, _look, _near, _far, further, path, _terms, _out = desk
    level, visited, best = 0, 0, NEVER
    path[0], path[DEPTH] = 0, legal_actions(g, struct(g, rows, AFTER), seat, further[0])
    while level >= 0:
        if path[level] == path[DEPTH + level]:
            level -= 1
            continue
        row = AFTER + level + 1
        copy_row(rows, row, row - 1)
        s = struct(g, rows, row)
        apply_action(g, s, seat, further[level][path[level]])
        path[level] += 1
        visited += 1
        if level + 1 < DEPTH and visited < MOST and not s.over and s.acting == 1 << seat:
            level += 1
            path[level], path[DEPTH + level] = 0, legal_actions(g, s, seat, further[level])
        else:
            best = max(best, state_value(g, rows, row, seat, net, sizes, desk))
    return best


def state_value(g, rows, row, seat, net, sizes, desk):
    """The value of a row for a seat; of a game that is over, its result."""
    _before, _first, _look, _near, _far, _further, _path, terms, out = desk
    s = struct(g, rows, row)
    if s.over:
        returns(g, s, out)
        return (out[seat] - terms[MIDDLE]) / terms[UNIT]
    copy_row(rows, VIEW, row)
    conceal(g, struct(g, rows, VIEW), seat)
    return standing(g, rows, VIEW, seat, terms, out) + net_value(g, rows, VIEW, seat, net, sizes, desk)


def standing(g, rows, row, seat, terms, out):
    """What a concealed row counts for a seat as it stands; 0 in games where that tells nothing."""
    if terms[STANDS] == 0.0:
        return 0.0
    returns(g, struct(g, rows, row), out)
    return (out[seat] - terms[MIDDLE]) / terms[UNIT]


def net_value(g, rows, row, seat, net, sizes, desk):
    """What the net tells of a concealed row, from where `begin_at` began."""
    before, first, look, near, far, further, _path, _terms, out = desk
    sense(g, rows, row, seat, sizes, look)
    for j in range(sizes[NEAR]):
        near[j] = first[j]
    for i in range(sizes[INPUTS]):
        if look[i] != before[i]:
            add(net, i * sizes[NEAR], 1.0 * look[i] - 1.0 * before[i], near, sizes[NEAR])
    return conclude(net, sizes, near, far, further[0], 0, out)


def list_and_value(g, rows, seat, net, sizes, worlds, desk, actions, rng, worths):
    """List the legal actions of the concealed struct in row 0, and value them; returns how many there are.

    The worlds are always the same for the same knowledge.
    """
    rewind(rng, 0)
    count = legal_actions(g, struct(g, rows, 0), seat, actions)
    action_values(g, rows, seat, net, sizes, worlds, desk, actions, count, rng, worths)
    return count
