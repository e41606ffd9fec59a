"""Information-set Monte Carlo tree search over re-dealt worlds (Cowling, Powley, Whitehouse 2012, multiple observers).

One tree for all worlds: a node is the information set of the seat that acts in it. It needs nothing of a game but the
contract, so it plays every game. Plain functions, interpreted or compiled by `engine.backends`.

A tree is three arrays. `keys` int64 (slots, 2) is a hash table from information-set keys to where their actions are
kept; `visits` int64 counts how often each action was tried, `visits[0]` the places in use; `sums` float64 (actions, 2)
holds the sum of the utilities that an action brought, and of their squares. An information set has the same legal
actions in all worlds, so an action is kept by its index among them. `bounds` float64 (2) holds the lowest and the
highest utility seen.
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
PROBES = 64  # slots of the hash table that are looked at for a key
EXPLORATION = 0.7  # constant of UCB1, in units of the distance between the lowest and the highest utility seen

# the types of a tree as `search_action` takes it
TREE = "Tuple((int64[:, ::1], int64[::1], float64[:, ::1], int64[:, ::1], float64[::1], float64[::1], int64[::1]))"
ENTRIES = ("search",)  # what Python calls
TYPES = {
    "bounds": "float64[::1]",
    "keys": "int64[:, ::1]",
    "path": "int64[:, ::1]",
    "sums": "float64[:, ::1]",
    "utilities": "float64[::1]",
    "visits": "int64[::1]",
}


def search(g, rows, seat, rollouts, actions, weights, rng, keys, visits, sums, path, utilities, bounds, simulations):
    """Play `simulations` games from worlds the seat thinks possible; returns where the root's actions are kept.

    Row `ROOT` holds the concealed struct; the tree is empty: zeros, `visits[0]` 1. `rollouts` is the policy that plays
    on where the tree ends; `path` int64 (depth, 2) and `utilities` float64 (seats) are written over. -1 where nothing
    has been tried.
    """
    for _ in range(simulations):
        copy_row(rows, WORLD, ROOT)
        w = struct(g, rows, WORLD)
        resample(g, w, seat, rng)
        depth = play_through(g, rows, w, seat, rollouts, actions, weights, rng, keys, visits, sums, path, bounds)
        returns(g, w, utilities)
        backpropagate(w, utilities, depth, path, visits, sums, bounds)
    copy_row(rows, VIEW, ROOT)
    slot = slot_of(keys, information_key(rows, VIEW))
    return keys[slot, 1] if slot >= 0 else -1


def search_action(g, rows, seat, tree, actions, count, weights, rng):
    """The action tried most often in a search from the concealed struct in row `ROOT`; `actions` are its legal ones.

    `tree`: keys, visits, sums, path, utilities and bounds as for `search`, and int64 (2): the number of simulations,
    and the policy that plays on.
    """
    keys, visits, sums, path, utilities, bounds, settings = tree
    clear(keys, visits, sums, bounds)
    first = search(
        g, rows, seat, settings[1], actions, weights, rng, keys, visits, sums, path, utilities, bounds, settings[0]
    )
    best = 0
    for k in range(count):
        if first > 0 and visits[first + k] > visits[first + best]:
            best = k
    legal_actions(g, struct(g, rows, ROOT), seat, actions)
    return actions[best]


def clear(keys, visits, sums, bounds):
    """Empty a tree."""
    for slot in range(keys.shape[0]):
        keys[slot, 0], keys[slot, 1] = 0, 0
    for at in range(max(1, visits[0])):
        visits[at], sums[at, 0], sums[at, 1] = 0, 0.0, 0.0
    visits[0], bounds[0], bounds[1] = 1, 1e300, -1e300


def play_through(g, rows, w, searcher, rollouts, actions, weights, rng, keys, visits, sums, path, bounds):
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
        chosen = rollout_choice(g, view, rollouts, seat, actions, count, rng)
        if inside:
            slot = slot_of(keys, information_key(rows, VIEW))
            first = keys[slot, 1] if slot >= 0 else 0
            if first > 0:
                chosen = ucb_choice(visits, sums, first, count, bounds, chosen)
            else:
                inside = False
                first = expand(keys, visits, slot, count)
            if first > 0:
                path[depth, 0], path[depth, 1] = first + chosen, seat
                depth += 1
        apply_action(g, w, seat, actions[chosen])
    return depth


def rollout_choice(g, view, rollouts, seat, actions, count, rng):
    """What the rollout policy chooses, as an index among the legal actions."""
    if rollouts == RANDOM:
        return below(rng, count)
    action = strategy(g, view, rollouts, seat, actions, count, rng)
    for k in range(count):
        if actions[k] == action:
            return k
    return 0


def slot_of(keys, key):
    """The slot of a key in the hash table (linear probing): its own, or an empty one that it gets; -1 without one."""
    size = keys.shape[0]
    slot = (key >> 20) % size
    for _ in range(PROBES):
        if keys[slot, 1] == 0:
            keys[slot, 0] = key
        if keys[slot, 0] == key:
            return slot
        slot = slot + 1 if slot + 1 < size else 0
    return -1


def expand(keys, visits, slot, count):
    """Add an information set with so many actions; returns where its first action is kept, or 0 without room."""
    first = visits[0]
    if slot < 0 or first + count > visits.shape[0]:
        return 0
    keys[slot, 1] = first
    visits[0] += count
    return first


def ucb_choice(visits, sums, first, count, bounds, untried):
    """The index of the action of highest upper confidence bound (UCB1); an action never tried comes first."""
    trials = 0
    for k in range(first, first + count):
        trials += visits[k]
    best, highest = untried, -1e300
    reach = EXPLORATION * (bounds[1] - bounds[0]) * math.sqrt(math.log(trials + 1.0))
    for k in range(count):
        n = visits[first + k]
        if n == 0:
            return k if visits[first + untried] else untried
        bound = sums[first + k, 0] / n + reach / math.sqrt(n)
        if bound > highest:
            best, highest = k, bound
    return best


def backpropagate(w, utilities, depth, path, visits, sums, bounds):
    """Credit the result of a game to the actions chosen on the path."""
    for p in range(w.seats):
        bounds[0], bounds[1] = min(bounds[0], utilities[p]), max(bounds[1], utilities[p])
    for k in range(depth):
        at, utility = path[k, 0], utilities[path[k, 1]]
        visits[at] += 1
        sums[at, 0] += utility
        sums[at, 1] += utility * utility
