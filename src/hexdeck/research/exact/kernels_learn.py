"""Kernels that learners share on the trees of `kernels_grow`: plain functions, interpreted or compiled."""

from hexdeck.bots.nets.inference import encode
from hexdeck.engine.backends.kernels import CHANCE, TEMPLATE, event
from hexdeck.engine.contract import chance_weights, conceal, copy_row, legal_actions, start, struct
from hexdeck.engine.random import below
from hexdeck.research.exact.kernels_grow import FIRST, KNOWN, OVER
from hexdeck.research.exact.kernels_policy import UNIT, probability, reach_by_oneself, reach_by_others

ENTRIES = ("weigh_choices", "show_sets", "encode_sets", "solve_openly", "vote")  # what Python calls
TYPES = {
    "actors": "int8[::1]",
    "begins": "int64[::1]",
    "bonus": "float64[::1]",
    "cells": "int8[:, ::1]",
    "choices": "int16[::1]",
    "deep": "int32[::1]",
    "edges": "int16[::1]",
    "ends": "float64[:, ::1]",
    "far": "float64[::1]",
    "gains": "float64[::1]",
    "inputs": "int8[::1]",
    "likely": "float64[::1]",
    "met": "int8[::1]",
    "own": "float64[::1]",
    "owners": "int32[::1]",
    "parents": "int32[::1]",
    "parts": "float64[::1]",
    "places": "int64[::1]",
    "policy": "float64[::1]",
    "reach": "float64[::1]",
    "seats": "int8[::1]",
    "slots": "int32[::1]",
    "sums": "float64[::1]",
    "values": "float64[::1]",
    "worth": "float64[:, ::1]",
}


def weigh_choices(
    parents, actors, edges, parts, owners, ends, seats, slots, policy, bonus, gains, far, own, reach, values, seat
):
    """What each choice of a seat brings it while all play by a policy, weighed by how likely others let it come there.

    Written for its information sets: `gains` of their choices, `far` (the sum of those likelihoods), `own` (how likely
    the seat itself lets it come there). `bonus`: what is added to its utility whenever somebody makes a choice.
    """
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


def encode_sets(g, rows, seats, sizes, inputs, cells):
    """Write the input of a net of these sizes for what is known in each information set, a row each."""
    for number in range(seats.shape[0]):
        encode(g, rows, number, seats[number], sizes, inputs)
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
