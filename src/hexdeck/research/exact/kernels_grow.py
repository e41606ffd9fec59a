"""Kernels that grow game trees: plain functions, interpreted or compiled.

A tree lies in arrays, in the order of a walk that goes deep first: `parents` int32 (-1: the root), `actors` int8 (a
seat, CHANCE, or OVER), `edges` int16 (which of its parent's choices leads here), `parts` float64 (the probability of
that choice where chance makes it), `owners` int32 (the information set, or which of the `ends`, float64 (ends, seats)).
An information set has its seat, its key, and `slots` int32: where its choices begin in a policy, and where they end.
A policy is float64, a probability for each choice of each information set.
"""

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

KNOWN, FIRST = 1, 3  # rows: what a seat knows; from here on the deals that are given, then the way down
OVER = -2
TOP, NODES, SETS, SLOTS, ENDS = range(5)  # of `state`: the level reached, and how much is there of each
COUNT, CURSOR, NODE = range(3)  # of a level: its choices, the next of them, its node
EMPTY = -1

ENTRIES = ("deal_on", "tell_deals_apart", "plant", "grow", "index_sets")  # what Python calls
TYPES = {
    "actors": "int8[::1]",
    "chances": "float64[:, ::1]",
    "choices": "int16[:, ::1]",
    "edges": "int16[::1]",
    "ends": "float64[:, ::1]",
    "froms": "int64[::1]",
    "keys": "int64[::1]",
    "levels": "int32[:, ::1]",
    "names": "int16[::1]",
    "owners": "int32[::1]",
    "parents": "int32[::1]",
    "parts": "float64[::1]",
    "seats": "int8[::1]",
    "shares": "float64[::1]",
    "slots": "int32[::1]",
    "table": "int32[::1]",
}


def plant(
    g,
    rows,
    choices,
    chances,
    levels,
    weights,
    out,
    parents,
    actors,
    edges,
    parts,
    owners,
    ends,
    seats,
    keys,
    slots,
    names,
    table,
    state,
    shares,
):
    """Begin a tree with its root: a match's beginning, or chance giving one of the deals, where there are `shares`."""
    state[TOP], state[NODES], state[SETS], state[SLOTS], state[ENDS] = 0, 0, 0, 0, 0
    if shares.shape[0] > 0:
        parents[0], actors[0], owners[0], parts[0] = -1, CHANCE, -1, 1.0
        levels[0, CURSOR], levels[0, COUNT], levels[0, NODE] = 0, shares.shape[0], 0
        state[NODES] = 1
    else:
        copy_row(rows, FIRST, TEMPLATE)
        start(g, struct(g, rows, FIRST))
        enter(
            g,
            rows,
            choices,
            chances,
            levels,
            weights,
            out,
            parents,
            actors,
            edges,
            parts,
            owners,
            ends,
            seats,
            keys,
            slots,
            names,
            table,
            state,
            0,
            -1,
            0,
            1.0,
            FIRST,
        )


def grow(
    g,
    rows,
    choices,
    chances,
    levels,
    weights,
    out,
    parents,
    actors,
    edges,
    parts,
    owners,
    ends,
    seats,
    keys,
    slots,
    names,
    table,
    state,
    shares,
):
    """Grow until all is there (1), or until an array has no room for one node more (0): give more, and call again."""
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
            enter(
                g,
                rows,
                choices,
                chances,
                levels,
                weights,
                out,
                parents,
                actors,
                edges,
                parts,
                owners,
                ends,
                seats,
                keys,
                slots,
                names,
                table,
                state,
                d + 1,
                node,
                edge,
                part,
                row,
            )
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


def enter(
    g,
    rows,
    choices,
    chances,
    levels,
    weights,
    out,
    parents,
    actors,
    edges,
    parts,
    owners,
    ends,
    seats,
    keys,
    slots,
    names,
    table,
    state,
    d,
    parent,
    edge,
    part,
    row,
):
    """Write the node of the struct in a row, on a level, and what can happen there."""
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
        actors[node], owners[node] = CHANCE, -1
        levels[d, COUNT] = list_outcomes(g, s, d, choices, chances, weights)


def list_outcomes(g, s, d, choices, chances, weights):
    """Write chance's outcomes with their probabilities; returns how many there are."""
    total, count = chance_weights(g, s, weights), 0
    for outcome in range(weights.shape[0]):
        if weights[outcome]:
            choices[d, count], chances[d, count] = outcome, weights[outcome] / total
            count += 1
    return count


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
