"""Information-set Monte Carlo tree search over re-dealt worlds (Cowling, Powley, Whitehouse 2012, multiple observers).

One tree for all worlds: a node is the information set of the seat that acts in it. It needs nothing of a game but the
contract, so it plays every game. Plain functions, interpreted or compiled by `engine.backends`.

A tree is three arrays: `keys` int64 (places, 2), a table of information-set keys and where their actions are kept;
`visits` int64 and `sums` float64 (actions, 2), how often an action was tried, and the sum of what it brought and of its
squares; place 0 of `visits` counts the places in use. An information set has the same legal actions in all worlds,
so an action is kept by its number among them.
"""

import math

from hexdeck.engine.backends.kernels import RANDOM, lowest, play_out, sample_chance, strategy
from hexdeck.engine.contract import (
    apply_action,
    conceal,
    copy_row,
    information_key,
    legal_actions,
    resample,
    returns,
    struct,
)
from hexdeck.engine.random import below

ROOT, WORLD, VIEW = 3, 4, 5  # rows
PROBES = 64  # places of the table that are looked at for a key
CURIOSITY = 0.7  # of UCB1, in units of the span between the lowest and the highest utility seen

# the types of a seeker, what searches that play along are given
SEEKER = "Tuple((int64[:, ::1], int64[::1], float64[:, ::1], int64[:, ::1], float64[::1], float64[::1], int64[::1]))"
ENTRIES = ("search",)  # what Python calls
TYPES = {
    "keys": "int64[:, ::1]",
    "path": "int64[:, ::1]",
    "span": "float64[::1]",
    "sums": "float64[:, ::1]",
    "visits": "int64[::1]",
}


def search(g, rows, seat, rollouts, actions, weights, rng, keys, visits, sums, path, out, span, simulations):
    """Play `simulations` games from worlds the seat thinks possible; returns where the root's actions are kept.

    Row `ROOT` holds the concealed struct; the tree is empty: zeros, `visits[0]` 1. `rollouts` is the policy that plays
    on where the tree ends; `path` int64 (depth, 2); `span` float64 (2), the lowest and the highest utility seen;
    `out` float64 (seats). -1 where nothing has been tried.
    """
    for _ in range(simulations):
        copy_row(rows, WORLD, ROOT)
        w = struct(g, rows, WORLD)
        resample(g, w, seat, rng)
        depth = descend(g, rows, w, seat, rollouts, actions, weights, rng, keys, visits, sums, path, span)
        returns(g, w, out)
        learn(w, out, depth, path, visits, sums, span)
    copy_row(rows, VIEW, ROOT)
    at = place_of(keys, information_key(rows, VIEW))
    return keys[at, 1] if at >= 0 else -1


def sought(g, rows, seat, seeker, actions, count, weights, rng):
    """The action tried most often in a search from the concealed struct in row `ROOT`; `actions` are its legal ones.

    `seeker`: keys, visits, sums, path, out, span as for `search`, and int64 (2): simulations, and who plays on.
    """
    keys, visits, sums, path, out, span, terms = seeker
    emptied(keys, visits, sums, span)
    first = search(g, rows, seat, terms[1], actions, weights, rng, keys, visits, sums, path, out, span, terms[0])
    best = 0
    for k in range(count):
        if first > 0 and visits[first + k] > visits[first + best]:
            best = k
    legal_actions(g, struct(g, rows, ROOT), seat, actions)
    return actions[best]


def emptied(keys, visits, sums, span):
    """Make a tree empty."""
    for at in range(keys.shape[0]):
        keys[at, 0], keys[at, 1] = 0, 0
    for at in range(max(1, visits[0])):
        visits[at], sums[at, 0], sums[at, 1] = 0, 0.0, 0.0
    visits[0], span[0], span[1] = 1, 1e300, -1e300


def descend(g, rows, w, searcher, rollouts, actions, weights, rng, keys, visits, sums, path, span):
    """Play the world to its end, by the tree while it reaches, then by the policy; returns the path's length.

    The `searcher`, who is to act, moves first: of a choice that several make at once it knows no more than the others.
    """
    depth, inside, first_mover = 0, True, searcher
    while not w.over:
        if w.acting == 0:
            sample_chance(g, w, weights, rng)
            continue
        seat = lowest(w.acting)
        if first_mover >= 0 and w.acting >> first_mover & 1:
            seat = first_mover
        first_mover = -1
        count = legal_actions(g, w, seat, actions)
        if count == 1:
            apply_action(g, w, seat, actions[0])
            continue
        inside = inside and depth < path.shape[0]
        if not inside and rollouts == RANDOM:
            apply_action(g, w, seat, actions[below(rng, count)])
            play_out(g, w, weights, actions, rng)
            break
        copy_row(rows, VIEW, WORLD)
        view = struct(g, rows, VIEW)
        conceal(g, view, seat)
        chosen = suggested(g, view, rollouts, seat, actions, count, rng)
        if inside:
            at = place_of(keys, information_key(rows, VIEW))
            first = keys[at, 1] if at >= 0 else 0
            if first > 0:
                chosen = promising(visits, sums, first, count, span, chosen)
            else:
                inside = False
                first = grown(keys, visits, at, count)
            if first > 0:
                path[depth, 0], path[depth, 1] = first + chosen, seat
                depth += 1
        apply_action(g, w, seat, actions[chosen])
    return depth


def suggested(g, view, rollouts, seat, actions, count, rng):
    """The number among the legal actions of what the policy would do."""
    if rollouts == RANDOM:
        return below(rng, count)
    action = strategy(g, view, rollouts, seat, actions, count, rng)
    for k in range(count):
        if actions[k] == action:
            return k
    return 0


def place_of(keys, key):
    """The place of a key in the table (linear probing), its own or an empty one that gets it; -1 without one."""
    size = keys.shape[0]
    at = (key >> 20) % size
    for _ in range(PROBES):
        if keys[at, 1] == 0:
            keys[at, 0] = key
        if keys[at, 0] == key:
            return at
        at = at + 1 if at + 1 < size else 0
    return -1


def grown(keys, visits, at, count):
    """Keep a new information set with so many actions; returns where its first is, or 0 when there is no room."""
    first = visits[0]
    if at < 0 or first + count > visits.shape[0]:
        return 0
    keys[at, 1] = first
    visits[0] += count
    return first


def promising(visits, sums, first, count, span, untried):
    """The number of the action of highest upper confidence bound (UCB1); one never tried comes first."""
    tried = 0
    for k in range(first, first + count):
        tried += visits[k]
    best, highest = untried, -1e300
    reach = CURIOSITY * (span[1] - span[0]) * math.sqrt(math.log(tried + 1.0))
    for k in range(count):
        n = visits[first + k]
        if n == 0:
            return k if visits[first + untried] else untried
        bound = sums[first + k, 0] / n + reach / math.sqrt(n)
        if bound > highest:
            best, highest = k, bound
    return best


def learn(w, out, depth, path, visits, sums, span):
    """Credit the result of a game to what was chosen on the path."""
    for p in range(w.seats):
        span[0], span[1] = min(span[0], out[p]), max(span[1], out[p])
    for k in range(depth):
        at, worth = path[k, 0], out[path[k, 1]]
        visits[at] += 1
        sums[at, 0] += worth
        sums[at, 1] += worth * worth
