"""Kernels that play whole games and count what happens: plain functions, interpreted or compiled by `engine.backends`.

They call only functions of the engine, of `bots` and of this file: `store.code_hash` covers exactly these sources, so
stale machine code is never used.
"""

from hexdeck.bots.search.rollout import NEVER, ROOT, TRIAL, WORKSPACE, WORLD, play_on
from hexdeck.engine.backends.kernels import begin, decide, draw_chance, lowest
from hexdeck.engine.contract import (
    apply_action,
    conceal,
    copy_row,
    legal_actions,
    observe,
    resample,
    returns,
    struct,
)
from hexdeck.engine.random import rewind

DECISIONS, CHANCES, CHOICES, LEGAL, TURNS, DEALS, ENDING, STARTER, HISTORY, LAPS, PAUSES = range(11)  # counter columns
COUNTERS = 11
NOBODY = -1
LOG_GAME, LOG_SEAT, LOG_ACTION, LOG_LEGAL = range(4)  # columns of a decision log
LOGGED_GAMES, LOGGED_ROWS = range(2)  # entries of its `state`

POSITIONS = 6  # the first row of structs that holds a logged position; rows before it are the driver's

ENTRIES = (
    "count_games",
    "compute_metrics",
    "log_decisions",
    "log_steps",
    "sample_outcomes",
    "sample_choices",
)  # what Python calls
TYPES = {
    "cards": "int64[::1]",
    "counters": "int64[:, ::1]",
    "dice": "int64[::1]",
    "hands": "int8[:, ::1]",
    "kind": "int16[::1]",
    "kind_counts": "int32[:, ::1]",
    "legal": "int8[:, ::1]",
    "log": "int32[:, ::1]",
    "metrics": "float64[:, ::1]",
    "seen": "int8[::1]",
    "tried": "int64[::1]",
    "workspace": WORKSPACE,
    "results": "float64[:, ::1]",
    "won": "float64[:, ::1]",
}


def count_games(g, rows, policies, actions, weights, rng, generators, first, kind, results, counters, kind_counts, out):
    """Play the same games as `engine.backends.kernels.simulate` and count each in a row of three arrays.

    `results` float64 (games, seats): utilities. `counters` int64 (games, COUNTERS), zeros before: DECISIONS by seats,
    CHOICES of them with several legal actions, LEGAL actions at these in all, draws of CHANCES, TURNS, DEALS, LAPS (a
    new one begins when a seat's turn comes again), PAUSES (choices, simultaneous ones counted once), the ENDING, the
    STARTER (the first seat to choose alone) and the HISTORY. `kind_counts` int32 (games, kinds), zeros before: actions
    by `kind`, int16 by action id.
    """
    for k in range(results.shape[0]):
        s = begin(g, rows)
        for seat in range(s.seats):
            rewind(generators[seat], first + k)
        count_game(g, rows, s, policies, actions, weights, rng, generators, first + k, kind, counters, kind_counts, k)
        returns(g, s, out)
        for seat in range(s.seats):
            results[k, seat] = out[seat]


def count_game(g, rows, s, policies, actions, weights, rng, generators, number, kind, counters, kind_counts, k):
    """Play the game that begins in `s` to its end and count it in row `k`; `number` is its match number."""
    counters[k, STARTER] = NOBODY
    mover, together, since, acted, paused = NOBODY, False, s.history, 0, False
    while not s.over:
        if s.acting == 0:
            draw_chance(g, s, weights, rng, number)
            counters[k, CHANCES] += 1
            together = False
            continue
        seat = lowest(s.acting)
        count = legal_actions(g, s, seat, actions)
        if not together or s.history != since:  # simultaneous choices enter the history once all have chosen
            paused = False
        if s.acting & (s.acting - 1) != 0:
            together, since = True, s.history
        elif s.history != since:
            together = False
        if count > 1:
            counters[k, CHOICES] += 1
            counters[k, LEGAL] += count
            counters[k, PAUSES] += not paused
            paused = together
            if counters[k, STARTER] == NOBODY and not together:
                counters[k, STARTER] = seat
        if seat != mover:
            counters[k, TURNS] += 1
            acted = acted_this_lap(acted, seat)
            counters[k, LAPS] += acted == 1 << seat
        mover = seat
        action = decide(g, rows, policies[seat], seat, actions, count, generators[seat])
        apply_action(g, s, seat, action)
        kind_counts[k, kind[action]] += 1
        counters[k, DECISIONS] += 1
    counters[k, DEALS], counters[k, ENDING], counters[k, HISTORY] = s.deal, s.ending, s.history


def acted_this_lap(acted, seat):
    """The seats with a turn in this lap, as bits, once `seat` has one; a seat's second turn begins a new lap."""
    return 1 << seat if acted >> seat & 1 else acted | 1 << seat


def compute_metrics(results, counters, kind_counts, endings, metrics):
    """Write the metrics of each game to a row of `metrics` (float64), in the order of `metrics.metric_names`."""
    seats, kinds = results.shape[1], kind_counts.shape[1]
    for k in range(results.shape[0]):
        best, worst, total = results[k, 0], results[k, 0], 0.0
        for p in range(seats):
            best, worst, total = max(best, results[k, p]), min(worst, results[k, p]), total + results[k, p]
        firsts, lasts = 0, 0
        for p in range(seats):
            firsts += results[k, p] == best
            lasts += results[k, p] == worst
        starter = counters[k, STARTER]
        for p in range(seats):
            metrics[k, p] = results[k, p]
            metrics[k, seats + p] = (results[k, p] == best) / firsts
            metrics[k, 2 * seats + p] = (results[k, p] == worst) / lasts
            metrics[k, 3 * seats + p] = p == starter
            metrics[k, 4 * seats + p] = results[k, p] - total / seats
        at = 5 * seats
        for ending in range(1, endings):
            metrics[k, at] = counters[k, ENDING] == ending
            at += 1
        for kind in range(kinds):
            metrics[k, at + kind] = kind_counts[k, kind]
            metrics[k, at + kinds + kind] = kind_counts[k, kind] > 0
        at += 2 * kinds
        metrics[k, at] = firsts > 1
        metrics[k, at + 1] = results[k, starter] - total / seats if starter >= 0 else 0.0
        metrics[k, at + 2] = metrics[k, seats + starter] if starter >= 0 else 1.0 / seats
        metrics[k, at + 3] = metrics[k, 2 * seats + starter] if starter >= 0 else 1.0 / seats
        compute_lengths(counters, k, metrics, at + 4)


def compute_lengths(counters, k, metrics, at):
    """Write the metrics of game `k`'s length to its row, from column `at` on."""
    decisions, choices = counters[k, DECISIONS], counters[k, CHOICES]
    metrics[k, at], metrics[k, at + 1], metrics[k, at + 2] = counters[k, DEALS], counters[k, TURNS], decisions
    metrics[k, at + 3], metrics[k, at + 4] = choices, counters[k, CHANCES]
    metrics[k, at + 5] = 1.0 - choices / max(decisions, 1)
    metrics[k, at + 6] = counters[k, LEGAL] / max(choices, 1) if choices else 1.0
    metrics[k, at + 7], metrics[k, at + 8] = counters[k, LAPS], counters[k, PAUSES]


def log_decisions(g, rows, policies, actions, weights, rng, generators, first, games, log, state):
    """Play the same games as `count_games` and log each decision: int32 rows of game, seat, action, legal actions.

    Only whole games are logged: it stops after `games`, or where `log` has no room for the next one. `state` int64 (2):
    how many games and how many rows were logged.
    """
    state[LOGGED_GAMES], state[LOGGED_ROWS] = 0, 0
    size = 0
    for k in range(games):
        s = begin(g, rows)
        for seat in range(s.seats):
            rewind(generators[seat], first + k)
        while not s.over and size < log.shape[0]:
            if s.acting == 0:
                draw_chance(g, s, weights, rng, first + k)
                continue
            seat = lowest(s.acting)
            count = legal_actions(g, s, seat, actions)
            action = decide(g, rows, policies[seat], seat, actions, count, generators[seat])
            apply_action(g, s, seat, action)
            log[size, LOG_GAME], log[size, LOG_SEAT] = k, seat
            log[size, LOG_ACTION], log[size, LOG_LEGAL] = action, count
            size += 1
        while not s.over and s.acting == 0:
            draw_chance(g, s, weights, rng, first + k)
        if not s.over:
            return
        state[LOGGED_GAMES], state[LOGGED_ROWS] = k + 1, size


def log_steps(
    g, rows, policies, actions, weights, rng, generators, first, results, log, legal, hands, hand_at, seen, state, out
):
    """Play the same games as `count_games`, one per row of `results`, and log each decision with its position.

    Row k of `log` is as `log_decisions` writes it; row POSITIONS + k of `rows` is the position, row k of `legal` has a
    1 for each legal action (zeros before), row k of `hands` the cards that the seat observes from `hand_at` on, as many
    as it has columns. After a game's last decision comes a row with seat NOBODY and the position at the end. Only whole
    games are logged; `state` is as in `log_decisions`, `seen` has room for an observation.
    """
    state[LOGGED_GAMES], state[LOGGED_ROWS] = 0, 0
    size = 0
    for k in range(results.shape[0]):
        s = begin(g, rows)
        for seat in range(s.seats):
            rewind(generators[seat], first + k)
        while not s.over and size < log.shape[0]:
            if s.acting == 0:
                draw_chance(g, s, weights, rng, first + k)
                continue
            seat = lowest(s.acting)
            count = legal_actions(g, s, seat, actions)
            log_position(g, rows, seat, actions, count, legal, hands, hand_at, seen, size)
            action = decide(g, rows, policies[seat], seat, actions, count, generators[seat])
            apply_action(g, s, seat, action)
            log[size, LOG_GAME], log[size, LOG_SEAT] = k, seat
            log[size, LOG_ACTION], log[size, LOG_LEGAL] = action, count
            size += 1
        if not s.over or size == log.shape[0]:
            return
        copy_row(rows, POSITIONS + size, 0)
        log[size, LOG_GAME], log[size, LOG_SEAT], log[size, LOG_ACTION], log[size, LOG_LEGAL] = k, NOBODY, 0, 0
        size += 1
        returns(g, s, out)
        for seat in range(s.seats):
            results[k, seat] = out[seat]
        state[LOGGED_GAMES], state[LOGGED_ROWS] = k + 1, size


def log_position(g, rows, seat, actions, count, legal, hands, hand_at, seen, k):
    """Log in row `k` the position in row 0, the actions that are legal, and the cards that the seat observes."""
    copy_row(rows, POSITIONS + k, 0)
    for i in range(count):
        legal[k, actions[i]] = 1
    if hands.shape[1]:
        copy_row(rows, 1, 0)
        known = struct(g, rows, 1)
        conceal(g, known, seat)
        observe(g, known, seat, seen)
        for i in range(hands.shape[1]):
            hands[k, i] = seen[hand_at + i]


def sample_outcomes(g, rows, seat, policy, workspace, actions, weights, rng, cards, dice, first, horizon, won, out):
    """Sample results of the position in row ROOT, concealed for `seat`: a row of `won` (float64) for each world.

    Each world is resampled from what the seat knows; then all seats play on by `policy`, and after `horizon` decisions
    with a choice the game counts as it stands. `rng` resamples; `workspace` is the policy's workspace (see
    `bots.search.rollout`); `cards` and `dice` are the generators of the games played on.
    """
    for world in range(won.shape[0]):
        copy_row(rows, TRIAL, ROOT)
        s = struct(g, rows, TRIAL)
        resample(g, s, seat, rng)
        rewind(dice, first + world)
        play_on(g, rows, s, policy, workspace, actions, weights, cards, dice, first + world, horizon, NEVER)
        returns(g, s, out)
        for p in range(s.seats):
            won[world, p] = out[p]


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
