"""Kernels that play whole games in which one seat is bent: a plain line of rules decides what its bot may choose.

Plain functions, interpreted or compiled by `engine.backends`.
"""

from hexdeck.engine.backends.kernels import begin, decide, draw_chance, lowest
from hexdeck.engine.contract import apply_action, conceal, copy_row, legal_actions, observe, returns, struct
from hexdeck.engine.random import rewind

CLAUSE, BEGIN, END, LOW, HIGH, HOLDS = range(6)  # columns of `terms`
APPLIED, CHANGED = range(2)  # columns of `counts`
NONE = -1

ENTRIES = ("play_bent",)  # what Python calls
TYPES = {
    "allowed": "int8[:, ::1]",
    "bent": "int64[::1]",
    "counts": "int64[:, ::1]",
    "part": "int16[::1]",
    "results": "float64[:, ::1]",
    "seen": "int8[::1]",
    "terms": "int64[:, ::1]",
}


def play_bent(
    g, rows, policies, actions, weights, rng, generators, first, bent, terms, allowed, part, seen, results, counts, out
):
    """Play the same games as `engine.backends.kernels.simulate`, but in game k seat `bent[k]` is bent.

    `allowed` int8 (clauses, actions) has 1 for each action that a clause allows; a row of `terms` is a condition of
    the clause CLAUSE: the sum of what is observed from BEGIN to END is from LOW to HIGH if HOLDS, else it isn't. Where
    the bot would choose something else, it chooses again among what is allowed. `counts` int64 (games, 2), zeros
    before: decisions at which a clause APPLIED, and that it CHANGED. `part` and `seen` have room for actions and for an
    observation.
    """
    for k in range(results.shape[0]):
        s = begin(g, rows)
        for seat in range(s.seats):
            rewind(generators[seat], first + k)
        while not s.over:
            if s.acting == 0:
                draw_chance(g, s, weights, rng, first + k)
                continue
            seat = lowest(s.acting)
            count = legal_actions(g, s, seat, actions)
            action = decide(g, rows, policies[seat], seat, actions, count, generators[seat])
            if seat == bent[k] and count > 1:
                left = restricted(g, rows, seat, actions, count, terms, allowed, part, seen)
                if left:
                    counts[k, APPLIED] += 1
                    if not is_among(part, left, action):
                        counts[k, CHANGED] += 1
                        action = choose_again(g, rows, policies[seat], seat, part, left, generators[seat])
            apply_action(g, s, seat, action)
        returns(g, s, out)
        for seat in range(s.seats):
            results[k, seat] = out[seat]


def restricted(g, rows, seat, actions, count, terms, allowed, part, seen):
    """Write to `part` what the first clause that holds and forbids something allows; how many, 0 if there is none."""
    copy_row(rows, 1, 0)
    known = struct(g, rows, 1)
    conceal(g, known, seat)
    observe(g, known, seat, seen)
    for clause in range(allowed.shape[0]):
        left = 0
        for i in range(count):
            if allowed[clause, actions[i]]:
                part[left] = actions[i]
                left += 1
        if 0 < left < count and holds(clause, terms, seen):
            return left
    return 0


def holds(clause, terms, seen):
    """Whether all conditions of a clause hold of what is seen."""
    for k in range(terms.shape[0]):
        if terms[k, CLAUSE] == clause:
            total = 0
            for i in range(terms[k, BEGIN], terms[k, END]):
                total += seen[i]
            if (terms[k, LOW] <= total <= terms[k, HIGH]) != (terms[k, HOLDS] == 1):
                return False
    return True


def choose_again(g, rows, policy, seat, part, left, rng):
    """What a policy chooses of a part of the actions; the first of them where it insists on another."""
    if left == 1:
        return part[0]
    action = decide(g, rows, policy, seat, part, left, rng)
    return action if is_among(part, left, action) else part[0]


def is_among(part, left, action):
    """Whether an action is among the first ones of a list."""
    for i in range(left):
        if part[i] == action:
            return True
    return False
