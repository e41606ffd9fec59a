"""Kernels of the lab: plain functions, interpreted or compiled by `engine.backends`.

They count what a log says, or sample how a position may go on. They call only functions of the engine, of `bots` and of
this file: `store.code_hash` covers exactly these sources, so stale machine code is never used.
"""

from hexdeck.bots.search.rollout import NEVER, ROOT, TRIAL, WORKSPACE, WORLD, play_on
from hexdeck.engine.backends.kernels import begin, event
from hexdeck.engine.backends.kernels_games import (
    END_CHANCES,
    END_ENDING,
    END_HISTORY,
    END_MOVES,
    END_ROWS,
    LOG_ACTING,
    LOG_ACTION,
    LOG_CHANCES,
    LOG_DEAL,
    LOG_FLAGS,
    LOG_LEGAL,
    LOG_SEAT,
    NEWS,
    NOBODY,
)
from hexdeck.engine.contract import apply_action, conceal, copy_row, resample, returns, struct
from hexdeck.engine.random import rewind
from hexdeck.engine.study import ENDLESS

DECISIONS, CHANCES, CHOICES, LEGAL, TURNS, DEALS, ENDING, STARTER, HISTORY, LAPS, PAUSES = range(11)  # counter columns
COUNTERS = 11

ENTRIES = ("count_log", "sample_outcomes", "sample_choices")  # what Python calls
TYPES = {
    "cards": "int64[::1]",
    "counters": "int64[:, ::1]",
    "dice": "int64[::1]",
    "ends": "int64[:, ::1]",
    "kind": "int16[::1]",
    "kind_counts": "int32[:, ::1]",
    "log": "int32[:, ::1]",
    "plies": "int64[::1]",
    "tried": "int64[::1]",
    "workspace": WORKSPACE,
    "won": "float64[:, ::1]",
}


# --- counting ---------------------------------------------------------------------------------------------------------
def count_log(log, ends, kind, counters, kind_counts):
    """Count the games of a log, each in a row of two arrays, zeros before.

    `counters` int64 (games, COUNTERS): DECISIONS by seats, CHOICES of them with several legal actions, LEGAL actions at
    these in all, draws of CHANCES, TURNS, DEALS, LAPS (a new one begins when a seat's turn comes again), PAUSES
    (choices, simultaneous ones counted once), the ENDING, the STARTER (the first seat to choose alone) and the HISTORY.
    `kind_counts` int32 (games, kinds): actions by `kind`, int16 by action id.
    """
    begun = 0
    for k in range(ends.shape[0]):
        last = ends[k, END_ROWS] - 1
        count_game(log, begun, last, kind, counters, kind_counts, k)
        counters[k, DECISIONS], counters[k, CHANCES] = ends[k, END_MOVES], ends[k, END_CHANCES]
        counters[k, DEALS] = log[last, LOG_DEAL]
        counters[k, ENDING], counters[k, HISTORY] = ends[k, END_ENDING], ends[k, END_HISTORY]
        begun = last + 1


def count_game(log, begun, last, kind, counters, kind_counts, k):
    """Count the decisions of game `k`, which are the rows of its log from `begun` to before `last`."""
    choices, legal, turns, laps, pauses, starter = 0, 0, 0, 0, 0, NOBODY
    mover, together, acted, paused = NOBODY, False, 0, False
    for i in range(begun, last):
        seat = log[i, LOG_SEAT]
        goes_on = together and log[i, LOG_CHANCES] == 0 and log[i, LOG_FLAGS] & NEWS == 0
        paused = paused and goes_on  # simultaneous choices enter the history once all have chosen
        together = goes_on or log[i, LOG_ACTING] & (log[i, LOG_ACTING] - 1) != 0
        if log[i, LOG_LEGAL] > 1:
            choices += 1
            legal += log[i, LOG_LEGAL]
            pauses += not paused
            paused = together
            if starter == NOBODY and not together:
                starter = seat
        if seat != mover:
            turns += 1
            acted = 1 << seat if acted >> seat & 1 else acted | 1 << seat  # a second turn begins a new lap
            laps += acted == 1 << seat
        mover = seat
        kind_counts[k, kind[log[i, LOG_ACTION]]] += 1
    counters[k, CHOICES], counters[k, LEGAL], counters[k, TURNS] = choices, legal, turns
    counters[k, LAPS], counters[k, PAUSES], counters[k, STARTER] = laps, pauses, starter


# --- sampling ---------------------------------------------------------------------------------------------------------
def sample_outcomes(
    g, rows, policy, workspace, actions, weights, rng, cards, dice, log, plies, stream, apart, worlds, won, out
):
    """Sample how a match ends from some plies on: `worlds` rows of `won` (float64) for each of `plies` (ascending).

    `log` int32 (events, 2): the seat and the id of each event. Each world is resampled from what the public knows then;
    all seats play on by `policy` to the end. `rng` resamples, from a `stream` of its own for each ply; `workspace` is
    the policy's workspace (see `bots.search.rollout`); `cards` and `dice` are the generators of the games played on.
    Worlds of two plies have numbers that are so far `apart`.
    """
    begin(g, rows)
    copy_row(rows, WORLD, ROOT)
    at = 0
    for k in range(plies.shape[0]):
        for ply in range(at, plies[k]):
            event(g, struct(g, rows, WORLD), log[ply, 0], log[ply, 1])
        at = plies[k]
        copy_row(rows, ROOT, WORLD)
        conceal(g, struct(g, rows, ROOT), NOBODY)
        rewind(rng, stream + k)
        for world in range(worlds):
            copy_row(rows, TRIAL, ROOT)
            s, number = struct(g, rows, TRIAL), (stream + k) * apart + world
            resample(g, s, NOBODY, rng)
            rewind(dice, number)
            play_on(g, rows, s, policy, workspace, actions, weights, cards, dice, number, ENDLESS, NEVER)
            returns(g, s, out)
            for p in range(s.seats):
                won[k * worlds + world, p] = out[p]


def sample_choices(
    g, rows, seat, policy, workspace, actions, weights, rng, cards, dice, tried, first, worlds, horizon, won, out
):
    """Sample results after each action of `tried` (int64) by a seat, from row ROOT as the seat knows it.

    `won` float64 (worlds * actions, seats): a row for each action of the first world, then of the next. In a world all
    actions meet the same cards and dice; they are those that `bots.search.rollout.try_actions` meets.
    """
    count = tried.shape[0]
    for world in range(worlds):
        copy_row(rows, WORLD, ROOT)
        resample(g, struct(g, rows, WORLD), seat, rng)
        for k in range(count):
            copy_row(rows, TRIAL, WORLD)
            rewind(dice, first + world)
            s = struct(g, rows, TRIAL)
            apply_action(g, s, seat, tried[k])
            play_on(g, rows, s, policy, workspace, actions, weights, cards, dice, first + world, horizon, NEVER)
            returns(g, s, out)
            for p in range(s.seats):
                won[world * count + k, p] = out[p]
