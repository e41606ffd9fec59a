"""Whole games between bots, and logs of them: plain functions, interpreted or compiled once for all games.

Simulations and the lab play by this loop. Others are there where a bot is asked in between (`bots.players.scripted`,
whose scripts this one plays), where games are stepped from outside, and where nets learn from what they thought.
"""

from hexdeck.engine.backends.kernels import RANDOM, begin_match, decide, draw_chance, lowest, play_random
from hexdeck.engine.contract import apply_action, conceal, copy_row, legal_actions, observe, returns, struct
from hexdeck.engine.endless import expect_end

NOBODY = -1
LOG_GAME, LOG_SEAT, LOG_ACTION, LOG_LEGAL, LOG_ACTING, LOG_CHANCES, LOG_FLAGS, LOG_DEAL = range(8)  # columns of a log
LOGGED = 8
NEWS, APPLIED, CHANGED = 1, 2, 4  # bits of LOG_FLAGS
END_MOVES, END_CHANCES, END_ENDING, END_HISTORY, END_ROWS, END_KEPT = range(6)  # columns of `ends`
ENDS = 6
NOTHING, DEALS_ONLY, EVERYTHING = range(3)  # what is kept besides the log
KEPT = 6  # the first row of structs that holds a position that is kept; rows before it are the driver's
CLAUSE, BEGIN, END, LOW, HIGH, HOLDS = range(6)  # columns of `terms`
TERMS = 6

ENTRIES = ("play_games",)  # what Python calls
APART = ("keep_view", "restricted", "choose_again")  # long, and seldom called: backends don't inline them
TYPES = {
    "bend": "Tuple((int64[::1], int64[:, ::1], int8[:, ::1], int16[::1]))",
    "ends": "int64[:, ::1]",
    "log": "int32[:, ::1]",
    "results": "float64[:, ::1]",
    "views": "Tuple((int8[:, ::1], int8[:, ::1], int64, int8[::1]))",
}


def play_games(
    g, rows, policies, actions, weights, rng, generators, first, keep, room, log, views, bend, ends, results, out
):
    """Play whole games between policies (a number per seat), a row of `results` and `ends` for each, and log them.

    `generators` holds a generator per seat; game k uses match number `first` + k in all of them, so that results don't
    depend on how games are spread over threads. `results` float64 (games, seats): utilities. `ends` int64 (games,
    ENDS): moves, chance events, the ending, the history, and how many rows and positions there are up to here.

    A row of `log` (int32) is a decision: LOG_GAME from 0, LOG_SEAT, LOG_ACTION, how many actions are LOG_LEGAL, who may
    act (LOG_ACTING, as bits), LOG_CHANCES drawn since the decision before, LOG_FLAGS and LOG_DEAL. NEWS: the history
    isn't what it was at the decision before. After a game's last decision comes a row with seat NOBODY. Only whole
    games are logged: it stops where there is no room for the next, and returns how many there are. A log without rows
    is no log: all games are played.

    What to `keep`: of EVERYTHING, the position of each row, that is, row KEPT + k of `rows`, and `views` is (legal,
    hands, hand_at, seen): in row k of `legal` a 1 for each legal action (zeros before); in row k of `hands` the cards
    that the seat observes from `hand_at` on, as many as it has columns; `seen` has room for an observation. Of
    DEALS_ONLY, the positions where a deal begins or a game ends. `room`: for how many positions.

    `bend` is (seats, terms, allowed, part): in game k seat `seats[k]` is bent, if that isn't empty: where the clauses
    rule out what its bot would choose, it chooses again among what they allow. APPLIED: a clause ruled something out;
    CHANGED: it changed the choice; see `restricted`. `part` has room for actions.
    """
    legal, hands, hand_at, seen = views
    bent, terms, allowed, part = bend
    size, kept, logs = 0, 0, log.shape[0] > 0
    free = 0 if logs else random_seats(policies)
    for k in range(results.shape[0]):
        s = begin_match(g, rows, generators, first + k)
        curbed = bent[k] if bent.shape[0] else NOBODY
        moves, chances, drawn, history, deal = 0, 0, 0, s.history, 0
        ends[k, END_MOVES], ends[k, END_CHANCES] = 0, 0
        while not s.over and (size < log.shape[0] or not logs) and kept < room:
            expect_end(moves + chances)
            if keep == DEALS_ONLY and s.deal != deal:
                copy_row(rows, KEPT + kept, 0)
                kept, deal = kept + 1, s.deal
            if s.acting == 0:
                draw_chance(g, s, weights, rng, first + k)
                chances += 1
                continue
            seat = lowest(s.acting)
            if (free >> seat) & 1:
                play_random(g, s, weights, actions, rng, generators, first + k, free, ends, k)
                continue
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
                flags |= bent_flags(part, left, action)
                if flags & CHANGED:
                    action = choose_again(g, rows, policies[seat], seat, part, left, generators[seat])
            size = write_row(log, size, k, seat, action, count, s.acting, chances - drawn, flags, s.deal)
            moves, drawn = moves + 1, chances
            apply_action(g, s, seat, action)
        if not s.over or (logs and size == log.shape[0]) or kept == room:
            return k
        if keep:
            copy_row(rows, KEPT + kept, 0)
            kept += 1
        flags = NEWS if s.history != history else 0
        size = write_row(log, size, k, NOBODY, 0, 0, 0, chances - drawn, flags, s.deal)
        ends[k, END_MOVES], ends[k, END_CHANCES] = ends[k, END_MOVES] + moves, ends[k, END_CHANCES] + chances
        ends[k, END_ROWS], ends[k, END_KEPT] = size, kept
        write_end(g, s, ends, results, out, k)
    return results.shape[0]


def random_seats(policies):
    """The seats that choose at random, as bits: nothing is written of what they do where games aren't logged."""
    seats = 0
    for seat in range(policies.shape[0]):
        seats |= (policies[seat] == RANDOM) << seat
    return seats


def write_end(g, s, ends, results, out, k):
    """Write how a game ended."""
    ends[k, END_ENDING], ends[k, END_HISTORY] = s.ending, s.history
    returns(g, s, out)
    for seat in range(s.seats):
        results[k, seat] = out[seat]


def write_row(log, size, k, seat, action, count, acting, chances, flags, deal):
    """Write a row of a log, if there is one; returns the number of the next."""
    if log.shape[0] == 0:
        return size
    log[size, LOG_GAME], log[size, LOG_SEAT], log[size, LOG_ACTION], log[size, LOG_LEGAL] = k, seat, action, count
    log[size, LOG_ACTING], log[size, LOG_CHANCES] = acting, chances
    log[size, LOG_FLAGS], log[size, LOG_DEAL] = flags, deal
    return size + 1


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


def bent_flags(part, left, action):
    """What clauses do that leave these actions, or 0 if none does anything, where a bot would choose this one."""
    if left == 0:
        return 0
    return APPLIED if is_among(part, left, action) else APPLIED | CHANGED


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
