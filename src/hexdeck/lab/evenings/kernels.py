"""Kernels that play whole matches and keep how each deal began: plain functions, interpreted or compiled.

They call only functions of the engine and of this file.
"""

from hexdeck.engine.backends.kernels import begin, decide, draw_chance, lowest
from hexdeck.engine.contract import apply_action, copy_row, legal_actions
from hexdeck.engine.random import rewind

KEPT = 6  # the first row of structs that holds the beginning of a deal; rows before it are the driver's
KEPT_GAMES, KEPT_ROWS = range(2)  # entries of `state`

ENTRIES = ("keep_deals",)  # what Python calls
TYPES = {"whose": "int64[::1]"}


def keep_deals(g, rows, policies, actions, weights, rng, generators, first, games, whose, state):
    """Play the same games as `engine.backends.kernels.simulate`, and keep the structs between deals.

    Row KEPT + k of `rows` is a struct where a deal begins, or at the end of a match; `whose[k]` is the match, counted
    from 0. Only whole matches are kept: it stops after `games`, or where there is no room for the next. `state` int64
    (2): how many matches and how many rows were kept.
    """
    state[KEPT_GAMES], state[KEPT_ROWS] = 0, 0
    size = 0
    for k in range(games):
        s = begin(g, rows)
        for seat in range(s.seats):
            rewind(generators[seat], first + k)
        deal = 0
        while not s.over and size < whose.shape[0]:
            if s.deal != deal:
                deal = s.deal
                copy_row(rows, KEPT + size, 0)
                whose[size] = k
                size += 1
            if s.acting == 0:
                draw_chance(g, s, weights, rng, first + k)
                continue
            seat = lowest(s.acting)
            count = legal_actions(g, s, seat, actions)
            apply_action(g, s, seat, decide(g, rows, policies[seat], seat, actions, count, generators[seat]))
        if not s.over or size == whose.shape[0]:
            return
        copy_row(rows, KEPT + size, 0)
        whose[size] = k
        size += 1
        state[KEPT_GAMES], state[KEPT_ROWS] = k + 1, size
