"""Kernels of the lab: plain functions, interpreted or compiled by `engine.backends`.

One plays whole games and logs them; the others count what a log says, or sample how a position may go on. They call
only functions of the engine, of `bots` and of this file: `store.code_hash` covers exactly these sources, so stale
machine code is never used.
"""

from hexdeck.bots.search.rollout import NEVER, ROOT, TRIAL, WORKSPACE, WORLD, play_on
from hexdeck.engine.backends.kernels import begin, decide, draw_chance, event, lowest
from hexdeck.engine.contract import apply_action, conceal, copy_row, legal_actions, observe, resample, returns, struct
from hexdeck.engine.random import rewind
from hexdeck.engine.study import ENDLESS

DECISIONS, CHANCES, CHOICES, LEGAL, TURNS, DEALS, ENDING, STARTER, HISTORY, LAPS, PAUSES = range(11)  # counter columns
COUNTERS = 11
NOBODY = -1
LOG_GAME, LOG_SEAT, LOG_ACTION, LOG_LEGAL, LOG_ACTING, LOG_CHANCES, LOG_FLAGS, LOG_DEAL = range(8)  # columns of a log
LOGGED = 8
NEWS, APPLIED, CHANGED = 1, 2, 4  # bits of LOG_FLAGS
END_ENDING, END_HISTORY, END_ROWS, END_KEPT = range(4)  # columns of `ends`
ENDS = 4
NOTHING, DEALS_ONLY, EVERYTHING = range(3)  # what is kept besides the log
KEPT = 6  # the first row of structs that holds a position that is kept; rows before it are the driver's
CLAUSE, BEGIN, END, LOW, HIGH, HOLDS = range(6)  # columns of `terms`
TERMS = 6

ENTRIES = ("play_logs", "count_log", "sample_outcomes", "sample_choices")  # what Python calls
APART = ("keep_view", "restricted", "choose_again")  # long, and seldom called: backends don't inline them
TYPES = {
    "allowed": "int8[:, ::1]",
    "bent": "int64[::1]",
    "cards": "int64[::1]",
    "counters": "int64[:, ::1]",
    "dice": "int64[::1]",
    "ends": "int64[:, ::1]",
    "hands": "int8[:, ::1]",
    "kind": "int16[::1]",
    "kind_counts": "int32[:, ::1]",
    "legal": "int8[:, ::1]",
    "log": "int32[:, ::1]",
    "part": "int16[::1]",
    "plies": "int64[::1]",
    "results": "float64[:, ::1]",
    "seen": "int8[::1]",
    "terms": "int64[:, ::1]",
    "tried": "int64[::1]",
    "workspace": WORKSPACE,
    "won": "float64[:, ::1]",
}


# --- playing ----------------------------------------------------------------------------------------------------------
def play_logs(
    g, rows, policies, actions, weights, rng, generators, first, keep, room, legal, hands, hand_at, bent, terms,
    allowed, part, seen, log, ends, results, out,
):  # fmt: skip
    """Play the same games as `engine.backends.kernels.simulate`, one per row of `results`, and log every decision.

    Only whole games are logged: it stops where there is no room for the next, and returns how many there are. A row of
    `log` (int32) is a decision: LOG_GAME from 0, LOG_SEAT, LOG_ACTION, how many actions are LOG_LEGAL, who may act
    (LOG_ACTING, as bits), LOG_CHANCES drawn since the decision before, LOG_FLAGS and LOG_DEAL. NEWS: the history isn't
    what it was at the decision before. After a game's last decision comes a row with seat NOBODY. `ends` int64 (games,
    ENDS): the ending, the history, and how many rows and positions there are up to here. `results` float64 (games,
    seats): utilities.

    What to `keep`: of EVERYTHING, the position of each row, that is, row KEPT + k of `rows`; in row k of `legal` a 1
    for each legal action (zeros before); and in row k of `hands` the cards that the seat observes from `hand_at` on, as
    many as it has columns. Of DEALS_ONLY, the positions where a deal begins or a game ends. `room`: for how many.

    In game k seat `bent[k]` is bent, if `bent` isn't empty: where the clauses rule out what its bot would choose, it
    chooses again among what they allow. APPLIED: a clause ruled something out; CHANGED: it changed the choice; see
    `restricted`. `part` and `seen` have room for actions and for an observation.
    """
    size, kept = 0, 0
    for k in range(results.shape[0]):
        s = begin(g, rows)
        for seat in range(s.seats):
            rewind(generators[seat], first + k)
        curbed = bent[k] if bent.shape[0] else NOBODY
        chances, history, deal = 0, s.history, 0
        while not s.over and size < log.shape[0] and kept < room:
            if keep == DEALS_ONLY and s.deal != deal:
                copy_row(rows, KEPT + kept, 0)
                kept, deal = kept + 1, s.deal
            if s.acting == 0:
                draw_chance(g, s, weights, rng, first + k)
                chances += 1
                continue
            seat = lowest(s.acting)
            count = legal_actions(g, s, seat, actions)
            if keep == EVERYTHING:
                copy_row(rows, KEPT + kept, 0)
                kept += 1
                keep_view(g, rows, seat, actions, count, legal, hands, hand_at, seen, size)
            flags = NEWS if s.history != history else 0
            history = s.history
            action = decide(g, rows, 0, policies[seat], seat, actions, count, generators[seat])
            if seat == curbed and count > 1:
                left = restricted(g, rows, seat, actions, count, terms, allowed, part, seen)
                flags |= APPLIED if left else 0
                if left and not is_among(part, left, action):
                    flags |= CHANGED
                    action = choose_again(g, rows, policies[seat], seat, part, left, generators[seat])
            write_row(log, size, k, seat, action, count, s.acting, chances, flags, s.deal)
            size, chances = size + 1, 0
            apply_action(g, s, seat, action)
        if not s.over or size == log.shape[0] or kept == room:
            return k
        if keep:
            copy_row(rows, KEPT + kept, 0)
            kept += 1
        write_row(log, size, k, NOBODY, 0, 0, 0, chances, NEWS if s.history != history else 0, s.deal)
        size += 1
        ends[k, END_ENDING], ends[k, END_HISTORY] = s.ending, s.history
        ends[k, END_ROWS], ends[k, END_KEPT] = size, kept
        returns(g, s, out)
        for seat in range(s.seats):
            results[k, seat] = out[seat]
    return results.shape[0]


def write_row(log, size, k, seat, action, count, acting, chances, flags, deal):
    """Write a row of a log."""
    log[size, LOG_GAME], log[size, LOG_SEAT], log[size, LOG_ACTION], log[size, LOG_LEGAL] = k, seat, action, count
    log[size, LOG_ACTING], log[size, LOG_CHANCES] = acting, chances
    log[size, LOG_FLAGS], log[size, LOG_DEAL] = flags, deal


def keep_view(g, rows, seat, actions, count, legal, hands, hand_at, seen, k):
    """Keep in row `k` which actions are legal, and the cards that the seat observes."""
    for i in range(count):
        legal[k, actions[i]] = 1
    if hands.shape[1]:
        copy_row(rows, 1, 0)
        view = struct(g, rows, 1)
        conceal(g, view, seat)
        observe(g, view, seat, seen)
        for i in range(hands.shape[1]):
            hands[k, i] = seen[hand_at + i]


def restricted(g, rows, seat, actions, count, terms, allowed, part, seen):
    """Write to `part` what the first clause that holds and forbids something allows; how many, 0 if there is none.

    `allowed` int8 (clauses, actions) has 1 for each action that a clause allows; a row of `terms` is a condition of
    the clause CLAUSE: the sum of what is observed from BEGIN to END is from LOW to HIGH if HOLDS, else it isn't.
    """
    copy_row(rows, 1, 0)
    view = struct(g, rows, 1)
    conceal(g, view, seat)
    observe(g, view, seat, seen)
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
    action = decide(g, rows, 0, policy, seat, part, left, rng)
    return action if is_among(part, left, action) else part[0]


def is_among(part, left, action):
    """Whether an action is among the first ones of a list."""
    for i in range(left):
        if part[i] == action:
            return True
    return False


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
        counters[k, CHANCES] += log[last, LOG_CHANCES]
        counters[k, DECISIONS], counters[k, DEALS] = last - begun, log[last, LOG_DEAL]
        counters[k, ENDING], counters[k, HISTORY] = ends[k, END_ENDING], ends[k, END_HISTORY]
        begun = last + 1


def count_game(log, begun, last, kind, counters, kind_counts, k):
    """Count the decisions of game `k`, which are the rows of its log from `begun` to before `last`."""
    chances, choices, legal, turns, laps, pauses, starter = 0, 0, 0, 0, 0, 0, NOBODY
    mover, together, acted, paused = NOBODY, False, 0, False
    for i in range(begun, last):
        seat = log[i, LOG_SEAT]
        goes_on = together and log[i, LOG_CHANCES] == 0 and log[i, LOG_FLAGS] & NEWS == 0
        paused = paused and goes_on  # simultaneous choices enter the history once all have chosen
        together = goes_on or log[i, LOG_ACTING] & (log[i, LOG_ACTING] - 1) != 0
        chances += log[i, LOG_CHANCES]
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
    counters[k, CHANCES], counters[k, CHOICES], counters[k, LEGAL], counters[k, TURNS] = chances, choices, legal, turns
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
