"""Kernels that grow game trees, value and improve policies in them, and help learners: interpreted or compiled.

A tree lies in arrays, in the order of a walk that goes deep first: `parents` int32 (-1: the root), `actors` int8 (a
seat, CHANCE, or OVER), `edges` int16 (which of its parent's choices leads here), `parts` float64 (the probability of
that choice where chance makes it), `owners` int32 (the information set, or which of the `ends`, float64 (ends, seats)).
An information set has its seat, its key, and `slots` int32: where its choices begin in a policy, and where they end.
A policy is float64, a probability for each choice of each information set. `nodes` is all arrays of nodes in a tuple.

While it grows, `tree` is a tuple of all these arrays, the names of choices and the hash table of sets; `level` is the
way down: for each level the choices there, their chances, and how many, which is next, and of which node.
"""

from hexdeck.bots.nets.inference import encode
from hexdeck.engine.backends.kernels import CHANCE, TEMPLATE, event, lowest
from hexdeck.engine.contract import (
    chance_weights,
    conceal,
    copy_row,
    information_key,
    legal_actions,
    returns,
    start,
    struct,
)
from hexdeck.engine.layout import M63, ODD
from hexdeck.engine.random import below

KNOWN, FIRST = 1, 3  # rows: what a seat knows; from here on the deals that are given, then the way down
OVER = -2
TOP, NODES, SETS, SLOTS, ENDS = range(5)  # of `state`: the level reached, and how much is there of each
COUNT, CURSOR, NODE = range(3)  # of a level: its choices, the next of them, its node
EMPTY = -1
UNIT = 1 << 30  # a random number below it says which choice is taken

BYTES, SHORTS, INTS, LONGS, REALS = "int8[::1]", "int16[::1]", "int32[::1]", "int64[::1]", "float64[::1]"
NODE_TYPES = f"{INTS}, {BYTES}, {SHORTS}, {REALS}, {INTS}, float64[:, ::1]"  # parents, actors, …, ends
ENTRIES = (  # what Python calls
    *("deal_on", "tell_deals_apart", "plant", "grow", "index_sets"),
    *("weigh_policy", "respond", "improve", "measure_subtrees", "sample"),
    *("weigh_choices", "show_sets", "encode_sets", "solve_openly", "vote"),
)
TYPES = {
    **dict.fromkeys(("actors", "inputs", "met", "seats"), BYTES),
    **dict.fromkeys(("choices", "edges"), SHORTS),
    **dict.fromkeys(("best", "deep", "order", "owners", "parents", "sizes", "slots", "table"), INTS),
    **dict.fromkeys(("begins", "froms", "keys", "net_sizes", "places", "visits"), LONGS),
    **dict.fromkeys(("average", "bonus", "far", "gains", "likely", "own", "parts", "policy", "reach"), REALS),
    **dict.fromkeys(("regrets", "shares", "sums", "values"), REALS),
    "cells": "int8[:, ::1]",
    "ends": "float64[:, ::1]",
    "level": "Tuple((int16[:, ::1], float64[:, ::1], int32[:, ::1]))",
    "nodes": f"Tuple(({NODE_TYPES}))",
    "path": "int32[:, ::1]",
    "tree": f"Tuple(({NODE_TYPES}, {BYTES}, {LONGS}, {INTS}, {SHORTS}, {INTS}))",
    "weight": "float64",
    "worth": "float64[:, ::1]",
}


# --- growing ----------------------------------------------------------------------------------------------------------
def plant(g, rows, level, weights, out, tree, state, shares):
    """Begin a tree with its root: a match's beginning, or chance giving one of the deals, where there are `shares`."""
    state[TOP], state[NODES], state[SETS], state[SLOTS], state[ENDS] = 0, 0, 0, 0, 0
    if shares.shape[0] > 0:
        parents, actors, owners, parts, levels = tree[0], tree[1], tree[4], tree[3], level[2]
        parents[0], actors[0], owners[0], parts[0] = -1, CHANCE, -1, 1.0
        levels[0, CURSOR], levels[0, COUNT], levels[0, NODE] = 0, shares.shape[0], 0
        state[NODES] = 1
    else:
        copy_row(rows, FIRST, TEMPLATE)
        start(g, struct(g, rows, FIRST))
        enter(g, rows, level, weights, out, tree, state, 0, -1, 0, 1.0, FIRST)


def grow(g, rows, level, weights, out, tree, state, shares):
    """Grow until all is there (1), or until an array has no room for one node more (0): give more, and call again."""
    choices, chances, levels = level
    parents, actors, _edges, _parts, _owners, ends, _seats, keys, _slots, names, table = tree
    base = FIRST + shares.shape[0]
    while state[TOP] >= 0:
        d = state[TOP]
        k = levels[d, CURSOR]
        if k == levels[d, COUNT]:
            state[TOP] -= 1
        elif is_full(choices, parents, ends, keys, names, table, state):
            return 0
        else:
            node, row = levels[d, NODE], base + d + 1
            levels[d, CURSOR], state[TOP] = k + 1, d + 1
            if node == 0 and base > FIRST:
                copy_row(rows, row, FIRST + k)
                edge, part = 0, shares[k]
            else:
                copy_row(rows, row, row - 1)
                event(g, struct(g, rows, row), int(actors[node]), int(choices[d, k]))
                edge, part = k, chances[d, k]
            enter(g, rows, level, weights, out, tree, state, d + 1, node, edge, part, row)
    return 1


def is_full(choices, parents, ends, keys, names, table, state):
    """Whether one node more has no room in some array."""
    return (
        state[NODES] >= parents.shape[0]
        or state[ENDS] >= ends.shape[0]
        or state[SETS] >= keys.shape[0]
        or 2 * state[SETS] >= table.shape[0]
        or state[SLOTS] + choices.shape[1] > names.shape[0]
        or state[TOP] + 2 > choices.shape[0]
    )


def enter(g, rows, level, weights, out, tree, state, d, parent, edge, part, row):
    """Write the node of the struct in a row, on a level, and what can happen there."""
    choices, chances, levels = level
    parents, actors, edges, parts, owners, ends, seats, keys, slots, names, table = tree
    s, node = struct(g, rows, row), state[NODES]
    parents[node], edges[node], parts[node] = parent, edge, part
    levels[d, CURSOR], levels[d, COUNT], levels[d, NODE] = 0, 0, node
    state[NODES] += 1
    if s.over:
        returns(g, s, out)
        actors[node], owners[node] = OVER, state[ENDS]
        for p in range(s.seats):
            ends[state[ENDS], p] = out[p]
        state[ENDS] += 1
    elif s.acting:
        seat = lowest(s.acting)
        count = legal_actions(g, s, seat, choices[d])
        actors[node], levels[d, COUNT] = seat, count
        for k in range(count):
            chances[d, k] = 1.0
        owners[node] = set_of(g, rows, row, d, seat, count, choices, seats, keys, slots, names, table, state)
    else:
        actors[node], owners[node], count = CHANCE, -1, 0
        total = chance_weights(g, s, weights)
        for outcome in range(weights.shape[0]):
            if weights[outcome]:
                choices[d, count], chances[d, count] = outcome, weights[outcome] / total
                count += 1
        levels[d, COUNT] = count


def set_of(g, rows, row, d, seat, count, choices, seats, keys, slots, names, table, state):
    """The information set of the seat to act, which is added if it is new."""
    copy_row(rows, KNOWN, row)
    conceal(g, struct(g, rows, KNOWN), seat)
    key = information_key(rows, KNOWN)
    at = place_of(key, seat, keys, seats, table)
    if table[at] == EMPTY:
        number, first = state[SETS], state[SLOTS]
        table[at], keys[number], seats[number] = number, key, seat
        slots[number], slots[number + 1] = first, first + count
        for k in range(count):
            names[first + k] = choices[d, k]
        state[SETS] += 1
        state[SLOTS] += count
    return table[at]


def place_of(key, seat, keys, seats, table):
    """Where an information set is in the table, or could be."""
    mask = table.shape[0] - 1
    at = (((key ^ (seat + 1)) * ODD) & M63) >> 20 & mask
    while table[at] != EMPTY and (keys[table[at]] != key or seats[table[at]] != seat):
        at = (at + 1) & mask
    return at


def deal_on(g, rows, weights, shares, froms, state):
    """Let chance act once in the structs from `state[0]` to `state[1]`, which wait for it; all that comes is written.

    It is put behind them, with its probability, and where it comes from; `state[1]` becomes its end. What doesn't wait
    is copied. Returns 0 where there is no room.
    """
    end = state[1]
    for k in range(state[0], end):
        s = struct(g, rows, k)
        if s.over or s.acting:
            if state[1] >= shares.shape[0]:
                return 0
            copy_row(rows, state[1], k)
            shares[state[1]], froms[state[1]] = shares[k], k
            state[1] += 1
        else:
            total = chance_weights(g, s, weights)
            for outcome in range(weights.shape[0]):
                if weights[outcome]:
                    if state[1] >= shares.shape[0]:
                        return 0
                    copy_row(rows, state[1], k)
                    event(g, struct(g, rows, state[1]), CHANCE, outcome)
                    shares[state[1]], froms[state[1]] = shares[k] * weights[outcome] / total, k
                    state[1] += 1
    return 1


def tell_deals_apart(g, rows, keys, seat):
    """Write a seat's information-set keys in the structs from row FIRST on."""
    for k in range(keys.shape[0]):
        copy_row(rows, KNOWN, FIRST + k)
        conceal(g, struct(g, rows, KNOWN), seat)
        keys[k] = information_key(rows, KNOWN)


def index_sets(seats, keys, table, count):
    """Fill an empty table with so many information sets."""
    for number in range(count):
        table[place_of(int(keys[number]), int(seats[number]), keys, seats, table)] = number


# --- values -----------------------------------------------------------------------------------------------------------
def probability(n, parents, actors, edges, parts, owners, slots, policy):
    """The probability that a node's parent leads to it."""
    parent = parents[n]
    if actors[parent] == CHANCE:
        return parts[n]
    return policy[slots[owners[parent]] + edges[n]]


def weigh_policy(nodes, slots, policy, values, seat):
    """What a seat gets when all play by a policy; `values`: a number for each node, written."""
    parents, actors, edges, parts, owners, ends = nodes
    for n in range(parents.shape[0]):
        values[n] = ends[owners[n], seat] if actors[n] == OVER else 0.0
    for n in range(parents.shape[0] - 1, 0, -1):
        values[parents[n]] += values[n] * probability(n, parents, actors, edges, parts, owners, slots, policy)
    return values[0]


def reach_by_others(parents, actors, edges, parts, owners, slots, policy, reach, seat):
    """How likely all but one seat, and chance, let it come to each node."""
    reach[0] = 1.0
    for n in range(1, parents.shape[0]):
        reach[n] = reach[parents[n]]
        if actors[parents[n]] != seat:
            reach[n] *= probability(n, parents, actors, edges, parts, owners, slots, policy)


def respond(nodes, slots, policy, gains, best, reach, values, deep, order, sizes, seat):
    """What a seat gets by its best response, while all others play by a policy.

    Nodes are taken by how many choices of its own the seat has made, the most first: it remembers them, so that all
    nodes of an information set come together. `gains`: for each choice what it brings, weighed by how likely others
    and chance let it come to that; `best`: the choice of each information set, the first of equal ones; the rest is
    for working: numbers for each node, and `sizes` for each number of choices.
    """
    parents, actors, edges, parts, owners, ends = nodes
    level = by_own_choices(parents, actors, deep, order, sizes, seat)
    reach_by_others(parents, actors, edges, parts, owners, slots, policy, reach, seat)
    for slot in range(gains.shape[0]):
        gains[slot] = 0.0
    for n in range(parents.shape[0]):
        values[n] = ends[owners[n], seat] if actors[n] == OVER else 0.0
    end = later = parents.shape[0]
    while level >= 0:
        first = end - sizes[level]
        choose_best(actors, owners, slots, gains, best, order, seat, first, end)
        for k in range(end, later):  # what was chosen is what these choices are worth
            n = order[k]
            if actors[parents[n]] == seat and edges[n] == best[owners[parents[n]]]:
                values[parents[n]] = values[n]
        for k in range(end - 1, first - 1, -1):
            pass_up(order[k], parents, actors, edges, parts, owners, slots, policy, gains, reach, values, seat)
        end, later, level = first, end, level - 1
    return values[0]


def choose_best(actors, owners, slots, gains, best, order, seat, first, end):
    """The choice that brings most in each information set of a seat among some nodes."""
    for k in range(first, end):
        if actors[order[k]] == seat:
            number = owners[order[k]]
            begin = slots[number]
            best[number] = 0
            for slot in range(begin, slots[number + 1]):
                if gains[slot] > gains[begin + best[number]]:
                    best[number] = slot - begin


def pass_up(n, parents, actors, edges, parts, owners, slots, policy, gains, reach, values, seat):
    """Add what a node is worth to its parent, or to the choice of a seat's own that leads to it."""
    if n > 0:
        parent = parents[n]
        if actors[parent] == seat:
            gains[slots[owners[parent]] + edges[n]] += reach[n] * values[n]
        else:
            values[parent] += values[n] * probability(n, parents, actors, edges, parts, owners, slots, policy)


def by_own_choices(parents, actors, deep, order, sizes, seat):
    """Sort the nodes by how many choices of its own the seat has made, `sizes` of each number; returns the most."""
    most, first = 0, 0
    for k in range(sizes.shape[0]):
        sizes[k] = 0
    for n in range(parents.shape[0]):
        deep[n] = 0 if n == 0 else deep[parents[n]] + (actors[parents[n]] == seat)
        sizes[deep[n]] += 1
        most = max(most, deep[n])
    for k in range(most + 1):  # where each begins, while the nodes are put there
        size = sizes[k]
        sizes[k] = first
        first += size
    for n in range(parents.shape[0]):
        order[sizes[deep[n]]] = n
        sizes[deep[n]] += 1
    for k in range(most, 0, -1):
        sizes[k] -= sizes[k - 1]
    return most


# --- learning ---------------------------------------------------------------------------------------------------------
def improve(nodes, seats, slots, policy, regrets, average, gains, own, reach, values, weight, seat):
    """One step of CFR+ for a seat (Tammelin 2014): regrets that never fall below 0, averages that count later more.

    `own`: for each information set how likely its seat lets it come to that. `weight`: of this step in the average.
    """
    parents, actors, edges, parts, owners, ends = nodes
    reach_by_others(parents, actors, edges, parts, owners, slots, policy, reach, seat)
    for slot in range(gains.shape[0]):
        gains[slot] = 0.0
    for n in range(parents.shape[0]):
        values[n] = ends[owners[n], seat] if actors[n] == OVER else 0.0
    for n in range(parents.shape[0] - 1, 0, -1):
        parent, part = parents[n], probability(n, parents, actors, edges, parts, owners, slots, policy)
        values[parent] += values[n] * part
        if actors[parent] == seat:
            gains[slots[owners[parent]] + edges[n]] += reach[n] * values[n]
    reach_by_oneself(parents, actors, edges, owners, slots, policy, own, values, seat)
    for number in range(seats.shape[0]):
        if seats[number] == seat:
            regret(slots[number], slots[number + 1], policy, regrets, average, gains, weight * own[number])


def reach_by_oneself(parents, actors, edges, owners, slots, policy, own, values, seat):
    """How likely a seat itself lets it come to each of its information sets."""
    values[0] = 1.0
    for n in range(parents.shape[0]):
        if n > 0:
            parent = parents[n]
            values[n] = values[parent]
            if actors[parent] == seat:
                values[n] *= policy[slots[owners[parent]] + edges[n]]
        if actors[n] == seat:
            own[owners[n]] = values[n]


def regret(first, end, policy, regrets, average, gains, weight):
    """Add what an information set regrets, and its policy to the average; then its policy follows its regrets."""
    usual, total = 0.0, 0.0
    for slot in range(first, end):
        usual += policy[slot] * gains[slot]
    for slot in range(first, end):
        average[slot] += weight * policy[slot]
        regrets[slot] = max(0.0, regrets[slot] + gains[slot] - usual)
        total += regrets[slot]
    for slot in range(first, end):
        policy[slot] = regrets[slot] / total if total > 0 else 1.0 / (end - first)


# --- sampling ---------------------------------------------------------------------------------------------------------
def measure_subtrees(parents, sizes):
    """Write how many nodes each subtree has."""
    for n in range(parents.shape[0]):
        sizes[n] = 1
    for n in range(parents.shape[0] - 1, 0, -1):
        sizes[parents[n]] += sizes[n]


def sample(nodes, slots, policy, regrets, average, sizes, path, worth, rng, seat, times, visits):
    """External sampling for a seat, so many times (Lanctot et al. 2009, with averages where others act).

    All choices of the seat are tried, one of everybody else's and of chance's. `path`: the node of each level, the
    child that is tried, and which it is; `worth`: what the choices on each level bring; both are for working. `visits`
    counts the decisions that are met.
    """
    parents, actors, edges, parts, owners, ends = nodes
    for _ in range(times):
        d, going_down, value = 0, True, 0.0
        path[0, 0] = 0
        while d >= 0:
            n = path[d, 0]
            if going_down:
                if actors[n] == OVER:
                    value, going_down, d = ends[owners[n], seat], False, d - 1
                else:
                    path[d, 1], path[d, 2] = n + 1, 0
                    if actors[n] >= 0:
                        visits[0] += 1
                        follow_regrets(slots[owners[n]], slots[owners[n] + 1], policy, regrets)
                    if actors[n] != seat:
                        path[d, 1] = drawn(n, parents, actors, edges, parts, owners, slots, policy, average, sizes, rng)
                    path[d + 1, 0], d = path[d, 1], d + 1
            elif actors[n] == seat:
                k = path[d, 2]
                worth[d, k] = value
                if k + 1 < slots[owners[n] + 1] - slots[owners[n]]:
                    path[d, 1], path[d, 2] = path[d, 1] + sizes[path[d, 1]], k + 1
                    path[d + 1, 0], d, going_down = path[d, 1], d + 1, True
                else:
                    value = regret_sampled(slots[owners[n]], slots[owners[n] + 1], policy, regrets, worth, d)
                    d -= 1
            else:
                d -= 1


def follow_regrets(first, end, policy, regrets):
    """The policy of an information set in proportion to its positive regrets."""
    total = 0.0
    for slot in range(first, end):
        total += max(0.0, regrets[slot])
    for slot in range(first, end):
        policy[slot] = max(0.0, regrets[slot]) / total if total > 0 else 1.0 / (end - first)


def drawn(n, parents, actors, edges, parts, owners, slots, policy, average, sizes, rng):
    """A child of a node, drawn by its probability; the policy of whoever acts is added to its average."""
    if actors[n] >= 0:
        for slot in range(slots[owners[n]], slots[owners[n] + 1]):
            average[slot] += policy[slot]
    remaining = (below(rng, UNIT) + 0.5) / UNIT
    child, end = n + 1, n + sizes[n]
    remaining -= probability(child, parents, actors, edges, parts, owners, slots, policy)
    while remaining > 0 and child + sizes[child] < end:
        child += sizes[child]
        remaining -= probability(child, parents, actors, edges, parts, owners, slots, policy)
    return child


def regret_sampled(first, end, policy, regrets, worth, d):
    """Add what an information set regrets, given what its choices were worth; returns what it was worth."""
    value = 0.0
    for slot in range(first, end):
        value += policy[slot] * worth[d, slot - first]
    for slot in range(first, end):
        regrets[slot] += worth[d, slot - first] - value
    return value


# --- for learners -----------------------------------------------------------------------------------------------------
def weigh_choices(nodes, seats, slots, policy, bonus, gains, far, own, reach, values, seat):
    """What each choice of a seat brings it while all play by a policy, weighed by how likely others let it come there.

    Written for its information sets: `gains` of their choices, `far` (the sum of those likelihoods), `own` (how likely
    the seat itself lets it come there). `bonus`: what is added to its utility whenever somebody makes a choice.
    """
    parents, actors, edges, parts, owners, ends = nodes
    reach_by_others(parents, actors, edges, parts, owners, slots, policy, reach, seat)
    for number in range(seats.shape[0]):
        if seats[number] == seat:
            far[number] = 0.0
            for slot in range(slots[number], slots[number + 1]):
                gains[slot] = 0.0
    for n in range(parents.shape[0]):
        values[n] = ends[owners[n], seat] if actors[n] == OVER else 0.0
        if actors[n] == seat:
            far[owners[n]] += reach[n]
    for n in range(parents.shape[0] - 1, 0, -1):
        parent, value = parents[n], values[n]
        if actors[parent] != CHANCE:
            value += bonus[slots[owners[parent]] + edges[n]]
        values[parent] += value * probability(n, parents, actors, edges, parts, owners, slots, policy)
        if actors[parent] == seat:
            gains[slots[owners[parent]] + edges[n]] += reach[n] * value
    reach_by_oneself(parents, actors, edges, owners, slots, policy, own, values, seat)


def show_sets(g, rows, parents, actors, edges, owners, deep, met, choices, weights, deals, levels):
    """Play the tree through again, and write in rows what the seat to act knows in each information set.

    Those rows lie behind the `deals` that chance begins with (from row FIRST on) and so many `levels` of the way down.
    """
    base, deal = FIRST + deals, 0
    for n in range(parents.shape[0]):
        deep[n] = 0 if n == 0 else deep[parents[n]] + 1
        row = base + deep[n]
        if n == 0:
            copy_row(rows, row, TEMPLATE)
            if deals == 0:
                start(g, struct(g, rows, row))
        elif deals > 0 and parents[n] == 0:
            copy_row(rows, row, FIRST + deal)
            deal += 1
        else:
            seat = int(actors[parents[n]])
            copy_row(rows, row, row - 1)
            event(g, struct(g, rows, row), seat, chosen(g, struct(g, rows, row), seat, edges[n], choices, weights))
        if actors[n] >= 0 and met[owners[n]] == 0:
            met[owners[n]] = 1
            copy_row(rows, KNOWN, row)
            conceal(g, struct(g, rows, KNOWN), actors[n])
            copy_row(rows, base + levels + owners[n], KNOWN)


def chosen(g, s, seat, edge, choices, weights):
    """The action or outcome behind a node's choice number `edge`."""
    if seat != CHANCE:
        legal_actions(g, s, seat, choices)
        return int(choices[edge])
    chance_weights(g, s, weights)
    remaining = int(edge)
    for outcome in range(weights.shape[0]):
        if weights[outcome]:
            if remaining == 0:
                return outcome
            remaining -= 1
    return 0


def encode_sets(g, rows, seats, net_sizes, inputs, cells):
    """Write the input of a net of these sizes for what is known in each information set, a row each."""
    for number in range(seats.shape[0]):
        encode(g, rows, number, seats[number], net_sizes, inputs)
        for k in range(inputs.shape[0]):
            cells[number, k] = inputs[k]


def solve_openly(parents, actors, parts, owners, ends, worth, reach, players):
    """What each node is worth to each seat if all see everything, and each does what is best for itself.

    `reach`: how likely chance alone lets it come to each node, as if all seats chose as that needs; written too.
    """
    reach[0] = 1.0
    for n in range(parents.shape[0]):
        if n > 0:
            reach[n] = reach[parents[n]] * (parts[n] if actors[parents[n]] == CHANCE else 1.0)
        for p in range(players):
            worth[n, p] = ends[owners[n], p] if actors[n] == OVER else 0.0 if actors[n] == CHANCE else -1e300
    for n in range(parents.shape[0] - 1, 0, -1):
        parent = parents[n]
        seat = actors[parent]
        better = seat >= 0 and worth[n, seat] >= worth[parent, seat]
        for p in range(players):
            if seat == CHANCE:
                worth[parent, p] += parts[n] * worth[n, p]
            elif better:
                worth[parent, p] = worth[n, p]


def vote(slots, begins, likely, places, values, sums, policy, rng, worlds, runs):
    """How often each choice is best on average over `worlds` that are drawn for an information set, in so many runs.

    The histories of set k are those from `begins[k]` to `begins[k + 1]`; `likely` adds up how likely they are; `values`
    has what their choices are worth, from `places` on.
    """
    for number in range(begins.shape[0] - 1):
        first, last = begins[number], begins[number + 1] - 1
        count = slots[number + 1] - slots[number]
        before = likely[first - 1] if first > 0 else 0.0
        for _ in range(runs):
            for k in range(count):
                sums[k] = 0.0
            for _ in range(worlds):
                at = before + (below(rng, UNIT) + 0.5) / UNIT * (likely[last] - before)
                low, high = first, last
                while low < high:
                    middle = (low + high) // 2
                    if likely[middle] < at:
                        low = middle + 1
                    else:
                        high = middle
                for k in range(count):
                    sums[k] += values[places[low] + k]
            best = 0
            for k in range(1, count):
                if sums[k] > sums[best]:
                    best = k
            policy[slots[number] + best] += 1.0 / runs
