"""Whole games between nets and strategies in compiled code: `collect_selfplay` records decisions, `contest` results.

Who sits where is an int64 array (games, seats): 0 and up is a net of the stack, -1 - p the policy p of
`engine.kernels`, `SEARCH` a tree search with `seeker` (see `search.sought`). `heats`, float64, are the temperatures of
the nets. In `collect_selfplay` only the decisions of net 0 are recorded, and only where there is a choice. Plain
functions, interpreted or compiled by `engine.backends`; the arrays are their callers'.
"""

import math

from hexdeck.bots.nets.inference import INPUTS, draw_chance, ponder, throw
from hexdeck.bots.search.tree import ROOT, SEEKER, sought
from hexdeck.engine.backends.kernels import begin, decide, lowest
from hexdeck.engine.contract import (
    apply_action,
    conceal,
    copy_row,
    legal_actions,
    returns,
    struct,
)
from hexdeck.engine.random import rewind

RANDOM, HOUSE, GENTLE, SEARCH = -1, -2, -3, -4
LOGP, VALUE, ADVANTAGE, TARGET = range(4)  # columns of `facts`
STANDING = LOGP  # in its place where values are learned: the part of the value that isn't the net's
SIZE, GAMES, MOVES = range(3)  # of `state`

ENTRIES = ("collect_selfplay", "contest")  # what Python calls
TYPES = {
    "allowed": "boolean[:, ::1]",
    "chosen": "int16[::1]",
    "facts": "float32[:, ::1]",
    "mind": "int64[::1]",
    "numbers": "int64[::1]",
    "results": "float64[:, ::1]",
    "seeker": SEEKER,
    "seen": "int8[:, ::1]",
    "table": "int64[:, ::1]",
    "who": "int8[::1]",
}


def collect_selfplay(  # type: ignore[no-untyped-def]
             g, rows, table, nets, heats, sizes, seeker, units, actions, weights, rng, mind, look, near, far, odds,
             out, number, seen, allowed, chosen, who, facts, state):  # fmt: skip
    """Play game after game until the table of players or the room for decisions ends; a game cut short doesn't count.

    `units`, float64: the middle and the unit of utility, and lambda of the advantages. Game k is match `number` + k.
    Of each decision: `seen` int8 (room, inputs), `allowed` bool (room, actions), `chosen` int16, `who` int8, `facts`
    float32 (room, 4) log-probability, value, advantage, target. `state`, int64: how many decisions are recorded, games
    played to their end, moves.
    """
    for k in range(table.shape[0]):
        s = begin(g, rows)
        rewind(mind, number + k)
        size = state[SIZE]
        while not s.over:
            if s.acting == 0:
                draw_chance(g, s, weights, rng, number + k)
                continue
            seat = lowest(s.acting)
            count = legal_actions(g, s, seat, actions)
            policy = table[k, seat]
            action = actions[0]
            if count > 1 and policy < 0:
                action = other(g, rows, policy, seat, seeker, actions, count, weights, mind)
            elif count > 1:
                value = ponder(g, rows, seat, nets[policy], sizes, heats[policy], look, near, far, actions, count, odds)
                at = throw(odds, count, mind)
                action = actions[at]
                if policy == 0:
                    if size == seen.shape[0]:
                        return
                    note(sizes, look, actions, count, action, seen, allowed, chosen, size)
                    facts[size, LOGP], facts[size, VALUE], who[size] = math.log(odds[at] + 1e-30), value, seat
                    size += 1
            apply_action(g, s, seat, action)
            state[MOVES] += 1
        returns(g, s, out)
        credit(s, out, units, who, facts, state[SIZE], size, odds)
        state[SIZE] = size
        state[GAMES] += 1


def other(g, rows, policy, seat, seeker, actions, count, weights, mind):  # type: ignore[no-untyped-def]
    """What chooses who is no net."""
    if policy != SEARCH:
        return decide(g, rows, -1 - policy, seat, actions, count, mind)
    copy_row(rows, ROOT, 0)
    conceal(g, struct(g, rows, ROOT), seat)
    return sought(g, rows, seat, seeker, actions, count, weights, mind)


def note(sizes, look, actions, count, action, seen, allowed, chosen, at):  # type: ignore[no-untyped-def]
    """Write down a decision."""
    for i in range(sizes[INPUTS]):
        seen[at, i] = look[i]
    for a in range(allowed.shape[1]):
        allowed[at, a] = 0
    for k in range(count):
        allowed[at, actions[k]] = 1
    chosen[at] = action


def credit(s, out, units, who, facts, first, end, work):  # type: ignore[no-untyped-def]
    """Generalised advantages (Schulman and others 2016), undiscounted, of each seat's decisions in one game.

    `work`, float64: at least two numbers a seat.
    """
    for p in range(s.seats):
        work[2 * p], work[2 * p + 1] = (out[p] - units[0]) / units[1], 0.0
    for i in range(end - 1, first - 1, -1):
        p = 2 * who[i]
        work[p + 1] = work[p] - facts[i, VALUE] + units[2] * work[p + 1]
        work[p] = 1.0 * facts[i, VALUE]
        facts[i, ADVANTAGE] = work[p + 1]
        facts[i, TARGET] = work[p + 1] + work[p]


def contest(g, rows, table, nets, heats, sizes, seeker, actions, weights, rng, mind, look, near, far, odds, out,  # type: ignore[no-untyped-def]
            numbers, results):  # fmt: skip
    """Play the games of the table; `results`, float64 (games, seats), gets the utilities.

    Game k is match `numbers[k]`, so that deals can be played again with other seats.
    """
    for k in range(table.shape[0]):
        s = begin(g, rows)
        rewind(mind, k)
        while not s.over:
            if s.acting == 0:
                draw_chance(g, s, weights, rng, numbers[k])
                continue
            seat = lowest(s.acting)
            count = legal_actions(g, s, seat, actions)
            policy = table[k, seat]
            action = actions[0]
            if count > 1 and policy < 0:
                action = other(g, rows, policy, seat, seeker, actions, count, weights, mind)
            elif count > 1:
                ponder(g, rows, seat, nets[policy], sizes, heats[policy], look, near, far, actions, count, odds)
                action = actions[throw(odds, count, mind)]
            apply_action(g, s, seat, action)
        returns(g, s, out)
        for p in range(s.seats):
            results[k, p] = out[p]
