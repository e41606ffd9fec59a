"""Generic loops over any game: plain functions, interpreted or compiled once for all games by `backends`.

Arrays that callers own, `work` of a driver: `rows` holds structs, row 0 the game in progress, row 1 what a seat knows.
"""

from __future__ import annotations

from hexdeck.engine.cards import size
from hexdeck.engine.contract import (
    apply_action,
    apply_chance,
    chance_outcome,
    chance_total,
    chance_weights,
    choose,
    conceal,
    copy_row,
    gentle,
    illegal_reason,
    information_key,
    legal_actions,
    observe,
    resample,
    returns,
    start,
    struct,
)
from hexdeck.engine.endless import expect_decision, expect_end
from hexdeck.engine.random import AT, HELD, below, chance_draw, rewind

TEMPLATE = 2  # the row that holds options and number of seats, all else zero
CHANCE = -1
EVERYBODY = -1  # as bits
RANDOM, HOUSE, GENTLE = 0, 1, 2  # policies that compiled code knows
FOLLOW = 4  # one that plays a script in place of a generator: it begins at SCRIPT, TOLD is how much of it was read
TOLD, SCRIPT = AT + 1, HELD

# what `play` answers besides the index of a reason
PLAYED, NOT_ACTING, OVER, UNKNOWN_ACTION, NOT_AT_END = 0, -1, -2, -3, -4

ENTRIES = (
    "play",
    "proceed",
    "look_row",
    "deal",
    "begin_row",
    "resume",
    "repeat",
    "list_legal",
    "test_action",
    "weigh",
    "conceal_row",
    "redeal_row",
    "observe_row",
    "results",
    "row_key",
    "random_games",
    "choose_row",
)  # what Python calls
TYPES = {
    "lengths": "int64[:, ::1]",
    "log": "int16[:, ::1]",
    "seen": "int8[::1]",
}


def settle(g, s, weights, rng, number, log, size):
    """Let chance act until a seat must or the log is full; returns the number of events now in the log."""
    before = size
    while s.acting == 0 and s.over == 0 and size < log.shape[0]:
        expect_decision(size - before)
        log[size, 0], log[size, 1] = CHANCE, draw_chance(g, s, weights, rng, number)
        size += 1
    return size


def draw_chance(g, s, weights, rng, number):
    """Chance acts once, as in the match of that number; returns the outcome."""
    expect_decision(s.draws)
    total = chance_total(g, s, weights)
    outcome = chance_outcome(g, s, weights, chance_draw(rng, number, s.deal, s.draws, total))
    s.draws += 1
    apply_chance(g, s, outcome)
    return outcome


def play(g, rows, seat, action, actions, weights, rng, log, state):
    """One call of `Match.play`: check, apply, log, let chance act if dealt, list the next actor's moves.

    Gives PLAYED; else, and then nothing has changed, a negative fault or the number of the reason against the move.
    `state`, int64: 0 the ply; 1 the length of the log; 2 the lowest seat to act or -1; 3 how many actions it has;
    4 the match's number; 5 whether chance acts by itself; 6 the seats to act, as bits; 7 whether it is over; 8 whose
    actions are listed. The log must have room for one event.
    """
    if state[0] != state[1]:
        return NOT_AT_END
    s = struct(g, rows, 0)
    if s.over:
        return OVER
    if seat < 0 or seat >= s.seats or not (s.acting >> seat) & 1:
        return NOT_ACTING
    if action < 0 or action >= actions.shape[0]:
        return UNKNOWN_ACTION
    reason = illegal_reason(g, s, seat, action)
    if reason == PLAYED:
        event(g, s, seat, action)
        log[state[0], 0], log[state[0], 1] = seat, action
        state[0] += 1
        state[1] += 1
        proceed(g, rows, actions, weights, rng, log, state)
    return reason


def proceed(g, rows, actions, weights, rng, log, state):
    """Let chance act if dealt and at the end of the log; then list the actions of the lowest seat to act."""
    s = struct(g, rows, 0)
    if state[5] and state[0] == state[1]:
        state[0] = settle(g, s, weights, rng, state[4], log, state[0])
        state[1] = state[0]
    look(g, s, actions, state)


def look(g, s, actions, state):
    """Write who is to act and the actions of the lowest such seat."""
    state[2], state[6], state[7], state[8] = lowest(s.acting), s.acting, s.over, lowest(s.acting)
    state[3] = legal_actions(g, s, state[2], actions) if s.acting else 0


def look_row(g, rows, actions, state):
    """The same for the match in row 0, for callers that are not kernels."""
    look(g, struct(g, rows, 0), actions, state)


def deal(g, rows, outcome, weights):
    """Chance's outcome takes effect if it can; returns whether it could."""
    s = struct(g, rows, 0)
    possible = playable(g, s, CHANCE, outcome, weights, 0)
    if possible:
        event(g, s, CHANCE, outcome)
    return possible


def lowest(bits):
    """The lowest set bit of a mask of seats, or -1; without branches, which random play would make expensive."""
    return size((bits & -bits) - 1) if bits else -1


def sample_chance(g, s, weights, rng):
    """Chance acts once or more, by numbers read from a generator in order.

    In compiled backends a game's own `sample_chance(s, rng)` takes its place: with the same numbers it does the same,
    sooner.
    """
    total = chance_total(g, s, weights)
    apply_chance(g, s, chance_outcome(g, s, weights, below(rng, total)))


def play_out(g, s, weights, actions, rng):
    """Play uniformly at random to the end; where there is no choice no number is drawn."""
    events = 0
    while not s.over:
        expect_end(events)
        events += 1
        if s.acting == 0:
            sample_chance(g, s, weights, rng)
        else:
            seat = lowest(s.acting)
            count = legal_actions(g, s, seat, actions)
            apply_action(g, s, seat, actions[below(rng, count) if count > 1 else 0])


def play_random(g, s, weights, actions, rng, generators, number, free, lengths, k):
    """Play on until the match is over, or a seat is to act that isn't `free` (bits): those choose any legal action.

    Chance is as in match `number`; `generators` holds a generator per seat; row k of `lengths` counts moves and chance
    events.
    """
    moves, chances = 0, 0
    while not s.over and (s.acting == 0 or (free >> lowest(s.acting)) & 1):
        expect_end(moves + chances)
        if s.acting == 0:
            draw_chance(g, s, weights, rng, number)
            chances += 1
        else:
            seat = lowest(s.acting)
            count = legal_actions(g, s, seat, actions)
            apply_action(g, s, seat, actions[below(generators[seat], count)])
            moves += 1
    lengths[k, 0] += moves
    lengths[k, 1] += chances


def begin(g, rows):
    """A new game in row 0."""
    copy_row(rows, 0, TEMPLATE)
    s = struct(g, rows, 0)
    start(g, s)
    return s


def begin_match(g, rows, generators, number):
    """A match of that number in row 0, with the generators of its seats rewound to it."""
    s = begin(g, rows)
    for seat in range(s.seats):
        rewind(generators[seat], number)
    return s


def begin_row(g, rows):
    """A new game in row 0, for callers that are not kernels."""
    begin(g, rows)


def resume(g, rows, log, first, size, weights, actions):
    """Play the logged events from index `first` on in row 0; returns how many can be played, `size` if all."""
    s = struct(g, rows, 0)
    for k in range(first, size):
        if not playable(g, s, log[k, 0], log[k, 1], weights, actions.shape[0]):
            return k
        event(g, s, log[k, 0], log[k, 1])
    return size


def event(g, s, seat, action):
    """An event that can happen takes effect: a move, or chance's outcome."""
    if seat == CHANCE:
        s.draws += 1
        apply_chance(g, s, action)
    else:
        apply_action(g, s, seat, action)


def repeat(g, rows, row, seat, action):
    """The event takes effect in a row, unchecked: for retelling what has been played."""
    event(g, struct(g, rows, row), seat, action)


def list_legal(g, rows, row, seat, actions):
    """A seat's legal actions in a row; 0 for no such seat."""
    s = struct(g, rows, row)
    return legal_actions(g, s, seat, actions) if 0 <= seat < s.seats else 0


def test_action(g, rows, seat, action):
    """What `illegal_reason` says of an action in row 0."""
    return illegal_reason(g, struct(g, rows, 0), seat, action)


def weigh(g, rows, weights):
    """The weights of chance's outcomes in row 0; returns their sum, 0 when chance is not to act."""
    s = struct(g, rows, 0)
    if s.acting or s.over:
        return 0
    return chance_weights(g, s, weights)


def conceal_row(g, rows, to, source, seat):
    """What a seat knows of the struct in row `source`, written to row `to`."""
    copy_row(rows, to, source)
    conceal(g, struct(g, rows, to), seat)


def redeal_row(g, rows, to, source, seat, rng):
    """A world that a seat thinks possible of the struct in row `source`, written to row `to`."""
    copy_row(rows, to, source)
    resample(g, struct(g, rows, to), seat, rng)


def observe_row(g, rows, row, seat, seen):
    """The observation of a concealed row."""
    observe(g, struct(g, rows, row), seat, seen)


def results(g, rows, out):
    """The utility of each seat of the match in row 0, which is over."""
    returns(g, struct(g, rows, 0), out)


def row_key(rows, row):
    """The 63-bit hash of a row: the information-set key when it is concealed."""
    return information_key(rows, row)


def playable(g, s, seat, event, weights, count):
    """Whether an event can happen now: an outcome of chance, or one of `count` actions of a seat."""
    if s.over or event < 0:
        return False
    if seat == CHANCE:
        if s.acting != 0 or event >= weights.shape[0]:
            return False
        chance_weights(g, s, weights)
        return weights[event] > 0
    if not 0 <= seat < s.seats or event >= count:
        return False
    return (s.acting >> seat) & 1 == 1 and illegal_reason(g, s, seat, event) == 0


def random_games(g, rows, actions, weights, rng, generators, number, games, lengths):
    """Uniformly random play of whole games; adds player moves and chance events to `lengths` (int64, 1 × 2)."""
    for game in range(number, number + games):
        play_random(g, begin(g, rows), weights, actions, rng, generators, game, EVERYBODY, lengths, 0)


def decide(g, rows, row, policy, seat, actions, count, rng):
    """What a policy chooses from what the seat knows of the match in a row, written to row 1."""
    if policy == RANDOM:
        return actions[below(rng, count)]
    if policy == FOLLOW:
        rng[TOLD] += 1
        return rng[SCRIPT + rng[TOLD] - 1]
    copy_row(rows, 1, row)
    view = struct(g, rows, 1)
    conceal(g, view, seat)
    return strategy(g, view, policy, seat, actions, count, rng)


def strategy(g, view, policy, seat, actions, count, rng):
    """What a strategy of the game chooses from a concealed struct."""
    if policy == GENTLE:
        return gentle(g, view, seat, actions, count, rng)
    return choose(g, view, seat, actions, count, rng)


def choose_row(g, rows, policy, seat, actions, rng):
    """What a policy chooses from the concealed struct in row 0."""
    known = struct(g, rows, 0)
    count = legal_actions(g, known, seat, actions)
    if policy == RANDOM:
        return actions[below(rng, count)]
    return strategy(g, known, policy, seat, actions, count, rng)
