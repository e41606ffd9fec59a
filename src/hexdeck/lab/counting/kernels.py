"""Loops that play whole games and count what happens: plain functions, interpreted or compiled by `engine.backends`.

Everything that they call is in the engine, in `bots` or in this file, so that no stale machine code is ever used.
"""

from hexdeck.bots.nets.inference import draw_chance
from hexdeck.bots.search.rollout import MIND, NEVER, ROOT, TRIAL, play_on
from hexdeck.engine.backends.kernels import begin, decide, lowest
from hexdeck.engine.contract import apply_action, copy_row, legal_actions, resample, returns, struct
from hexdeck.engine.random import rewind

DECISIONS, CHANCES, CHOICES, LEGAL, TURNS, DEALS, ENDING, STARTER, HISTORY, LAPS, PAUSES = range(11)  # of figures
FIGURES = 11
NOBODY = -1
EVENT_GAME, EVENT_SEAT, EVENT_ID, EVENT_LEGAL = range(4)  # columns of a chronicle
GAMES, EVENTS = range(2)  # how many of each a chronicle holds

ENTRIES = ("gather", "reckon", "chronicle", "foresee")  # what Python calls
TYPES = {
    "cards": "int64[::1]",
    "dice": "int64[::1]",
    "figures": "int64[:, ::1]",
    "kind": "int16[::1]",
    "log": "int32[:, ::1]",
    "measures": "float64[:, ::1]",
    "mind": MIND,
    "results": "float64[:, ::1]",
    "tally": "int32[:, ::1]",
    "won": "float64[:, ::1]",
}


def gather(g, rows, policies, actions, weights, rng, minds, first, kind, results, figures, tally, out):
    """Play whole games between policies as `engine.kernels.simulate` does, the same ones, and count.

    A row of `results` (float64, games x seats), `figures` (int64, games x FIGURES) and `tally` (int32, games x kinds)
    for each; `kind` is the kind of every action. LAPS: a new one begins when somebody's turn comes again. PAUSES: times
    that somebody has a choice, those of several at the same time counted once.
    """
    for k in range(results.shape[0]):
        s = begin(g, rows)
        for seat in range(s.seats):
            rewind(minds[seat], first + k)
        mover, starter, crowd, since = NOBODY, NOBODY, False, s.history
        decisions, chances, choices, listed, turns, laps, taken, pauses, paused = 0, 0, 0, 0, 0, 0, 0, 0, False
        while not s.over:
            if s.acting == 0:
                draw_chance(g, s, weights, rng, first + k)
                chances += 1
                crowd = False
                continue
            seat = lowest(s.acting)
            count = legal_actions(g, s, seat, actions)
            if not crowd or s.history != since:  # what several choose at once enters the history when all have chosen
                paused = False
            if s.acting & (s.acting - 1) != 0:
                crowd, since = True, s.history
            elif s.history != since:
                crowd = False
            if count > 1:
                choices += 1
                listed += count
                pauses += not paused
                paused = crowd
                if starter == NOBODY and not crowd:
                    starter = seat
            if seat != mover:
                turns += 1
                taken = turned(taken, seat)
                laps += taken == 1 << seat
            mover = seat
            action = decide(g, rows, policies[seat], seat, actions, count, minds[seat])
            apply_action(g, s, seat, action)
            tally[k, kind[action]] += 1
            decisions += 1
        figures[k, DECISIONS], figures[k, CHANCES], figures[k, CHOICES] = decisions, chances, choices
        figures[k, LEGAL], figures[k, TURNS], figures[k, DEALS] = listed, turns, s.deal
        figures[k, ENDING], figures[k, STARTER], figures[k, HISTORY] = s.ending, starter, s.history
        figures[k, LAPS], figures[k, PAUSES] = laps, pauses
        returns(g, s, out)
        for seat in range(s.seats):
            results[k, seat] = out[seat]


def turned(taken, seat):
    """The seats, as bits, that had a turn in this round, once it is this seat's: where it had one, a new round's."""
    return 1 << seat if taken >> seat & 1 else taken | 1 << seat


def reckon(results, figures, tally, endings, measures):
    """The measures of each game, in the order of `metrics.names`, written to a row of `measures` (float64)."""
    seats, kinds = results.shape[1], tally.shape[1]
    for k in range(results.shape[0]):
        best, worst, total = results[k, 0], results[k, 0], 0.0
        for p in range(seats):
            best, worst, total = max(best, results[k, p]), min(worst, results[k, p]), total + results[k, p]
        firsts, lasts = 0, 0
        for p in range(seats):
            firsts += results[k, p] == best
            lasts += results[k, p] == worst
        starter = figures[k, STARTER]
        for p in range(seats):
            measures[k, p] = results[k, p]
            measures[k, seats + p] = (results[k, p] == best) / firsts
            measures[k, 2 * seats + p] = (results[k, p] == worst) / lasts
            measures[k, 3 * seats + p] = p == starter
        at = 4 * seats
        for ending in range(1, endings):
            measures[k, at] = figures[k, ENDING] == ending
            at += 1
        for kind in range(kinds):
            measures[k, at + kind] = tally[k, kind]
            measures[k, at + kinds + kind] = tally[k, kind] > 0
        at += 2 * kinds
        measures[k, at] = firsts > 1
        measures[k, at + 1] = results[k, starter] - total / seats if starter >= 0 else 0.0
        measures[k, at + 2] = measures[k, seats + starter] if starter >= 0 else 1.0 / seats
        measures[k, at + 3] = measures[k, 2 * seats + starter] if starter >= 0 else 1.0 / seats
        reckon_lengths(figures, k, measures, at + 4)


def reckon_lengths(figures, k, measures, at):
    """The measures of a game's length."""
    decisions, choices = figures[k, DECISIONS], figures[k, CHOICES]
    measures[k, at], measures[k, at + 1], measures[k, at + 2] = figures[k, DEALS], figures[k, TURNS], decisions
    measures[k, at + 3], measures[k, at + 4] = choices, figures[k, CHANCES]
    measures[k, at + 5] = 1.0 - choices / max(decisions, 1)
    measures[k, at + 6] = figures[k, LEGAL] / max(choices, 1) if choices else 1.0
    measures[k, at + 7], measures[k, at + 8] = figures[k, LAPS], figures[k, PAUSES]


def chronicle(g, rows, policies, actions, weights, rng, minds, first, games, log, state):
    """Play the same games as `gather` and write each decision in a row of `log` (int32): game, seat, id, legal actions.

    Whole games only: it stops after `games`, or where the log has no room for the next one. `state` (int64, 2): how
    many games and rows were written.
    """
    state[GAMES], state[EVENTS] = 0, 0
    size = 0
    for k in range(games):
        s = begin(g, rows)
        for seat in range(s.seats):
            rewind(minds[seat], first + k)
        while not s.over and size < log.shape[0]:
            if s.acting == 0:
                draw_chance(g, s, weights, rng, first + k)
                continue
            seat = lowest(s.acting)
            count = legal_actions(g, s, seat, actions)
            action = decide(g, rows, policies[seat], seat, actions, count, minds[seat])
            apply_action(g, s, seat, action)
            log[size, EVENT_GAME], log[size, EVENT_SEAT] = k, seat
            log[size, EVENT_ID], log[size, EVENT_LEGAL] = action, count
            size += 1
        while not s.over and s.acting == 0:
            draw_chance(g, s, weights, rng, first + k)
        if not s.over:
            return
        state[GAMES], state[EVENTS] = k + 1, size


def foresee(g, rows, seat, policy, mind, actions, weights, rng, cards, dice, first, horizon, won, out):
    """What the struct in row ROOT, concealed for `seat`, may come to: a world in each row of `won` (float64).

    In each world, dealt anew as the seat thinks possible, all seats play on by the policy; after `horizon` decisions
    with a choice a game counts as it stands. `rng` deals worlds, the policy thinks with `mind` (see
    `bots.search.rollout`), `cards` and `dice` serve the games played in them.
    """
    for world in range(won.shape[0]):
        copy_row(rows, TRIAL, ROOT)
        s = struct(g, rows, TRIAL)
        resample(g, s, seat, rng)
        rewind(dice, first + world)
        play_on(g, rows, s, policy, mind, actions, weights, cards, dice, first + world, horizon, NEVER)
        returns(g, s, out)
        for p in range(s.seats):
            won[world, p] = out[p]
