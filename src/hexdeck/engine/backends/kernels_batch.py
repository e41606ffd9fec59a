"""Many matches stepped at once, each in an environment: plain functions, interpreted or compiled once for all games.

`rows` holds structs: row `KNOWN` what a seat knows, `TEMPLATE` options and seats, from `FIRST` on the matches. `out` is
what callers read, a row or a number for each environment: observations int8, masks bool, lists int16, counts int32,
seats int8, acting int32, rewards float64, ends bool, weights int32. `envs` is the batch's own: a generator for each
environment, its match number int64, whether its match is over and has been told so, bool, a generator for bots, one
for random choices of the caller, whether its match has begun in this step, bool, and the seat of whose bot, a `GUEST`,
a choice is awaited, int8, or -1. `terms`, int64: whether chance acts by itself, whether an environment goes on with
its next match, how far apart the numbers of its matches are, who looks at a match that is over, the caller's seats as
bits, then for each seat the policy of `kernels` that plays it, `CALLER`, or `GUEST`: who is asked in between, where
there is a choice.
"""

from hexdeck.engine.backends.kernels import CHANCE, RANDOM, TEMPLATE, draw_chance, event, lowest, playable, strategy
from hexdeck.engine.contract import (
    apply_action,
    chance_weights,
    conceal,
    copy_row,
    illegal_reason,
    legal_actions,
    observe,
    returns,
    start,
    struct,
)
from hexdeck.engine.random import below, pick, rewind

KNOWN, FIRST = 1, 3  # rows: what a seat knows, the first environment
DEALT, AGAIN, STRIDE, EYE, CALLERS, PLAYED_BY = range(6)  # of `terms`
CALLER, GUEST = -1, -2
OBSERVATIONS, MASKS, LISTS, COUNTS, SEATS, ACTING, REWARDS, ENDS, WEIGHTS = range(9)  # of `out`
DICE, NUMBERS, RESTING, BOT_RNGS, CALLER_RNGS, FRESH, AWAITED = range(7)  # of `envs`

ENTRIES = ("first_fault", "step_envs", "answer_envs", "begin_envs", "choose_at_random")  # what Python calls
TYPES = {
    "answers": "int64[::1]",
    "chosen": "int64[::1]",
    "envs": "Tuple((int64[:, ::1], int64[::1], boolean[::1], int64[:, ::1], int64[:, ::1], boolean[::1], int8[::1]))",
    "out": "Tuple((int8[:, ::1], boolean[:, ::1], int16[:, ::1], int32[::1], int8[::1], int32[::1], "
    "float64[:, ::1], boolean[::1], int32[:, ::1]))",
    "terms": "int64[::1]",
    "utility": "float64[::1]",
}


def asked(s, terms):
    """Who is to act: the lowest of the caller's seats that may; -1 where none of them is. Bots come after."""
    return lowest(s.acting & terms[CALLERS])


def first_fault(g, rows, chosen, weights, terms, count):
    """The first environment whose choice, one of `count` actions or an outcome, can't happen; -1 if there is none.

    Where a match is over nothing can be chosen, and whatever is given does no harm.
    """
    for k in range(chosen.shape[0]):
        s = struct(g, rows, FIRST + k)
        seat = asked(s, terms)
        if seat >= 0:
            if chosen[k] < 0 or chosen[k] >= count or illegal_reason(g, s, seat, chosen[k]) != 0:
                return k
        elif not s.over and not playable(g, s, CHANCE, chosen[k], weights, count):
            return k
    return -1


def step_envs(g, rows, chosen, out, envs, weights, utility, terms):
    """In every environment the seat that is asked, or chance, does what was chosen; then what comes next is written."""
    for k in range(chosen.shape[0]):
        s = struct(g, rows, FIRST + k)
        envs[FRESH][k] = False
        if not s.over:
            event(g, s, asked(s, terms), chosen[k])
            go_on(g, rows, k, out, envs, weights, terms)
        conclude(g, rows, k, out, envs, weights, utility, terms)
        show(g, rows, k, out, weights, terms)


def answer_envs(g, rows, answers, out, envs, weights, utility, terms):
    """In every environment where a bot's choice is awaited it is made; then what comes next is written.

    A match that began in this step and is over already is told of in the next one.
    """
    for k in range(answers.shape[0]):
        if envs[AWAITED][k] >= 0:
            s = struct(g, rows, FIRST + k)
            event(g, s, envs[AWAITED][k], answers[k])
            envs[AWAITED][k] = -1
            go_on(g, rows, k, out, envs, weights, terms)
            if s.over and not envs[FRESH][k]:
                conclude(g, rows, k, out, envs, weights, utility, terms)
            show(g, rows, k, out, weights, terms)


def conclude(g, rows, k, out, envs, weights, utility, terms):
    """The rewards of an env: nothing, or, when its match has ended, the utilities; then its next match may begin."""
    s = struct(g, rows, FIRST + k)
    rewards = out[REWARDS][k]
    for p in range(rewards.shape[0]):
        rewards[p] = 0
    if s.over and not envs[RESTING][k]:
        returns(g, s, utility)
        for p in range(rewards.shape[0]):
            rewards[p] = utility[p]
        envs[RESTING][k] = True
    out[ENDS][k] = envs[RESTING][k]
    if envs[RESTING][k] and terms[AGAIN]:
        envs[NUMBERS][k] += terms[STRIDE]
        begin(g, rows, k, out, envs, weights, terms)


def begin(g, rows, k, out, envs, weights, terms):
    """An environment's match begins; what bots throw follows from its number, as cards do."""
    copy_row(rows, FIRST + k, TEMPLATE)
    s = struct(g, rows, FIRST + k)
    start(g, s)
    rewind(envs[BOT_RNGS][k], envs[NUMBERS][k])
    envs[RESTING][k], envs[FRESH][k], envs[AWAITED][k] = False, True, -1
    go_on(g, rows, k, out, envs, weights, terms)


def begin_envs(g, rows, chosen, out, envs, weights, terms):
    """In every env that is chosen the match with the env's number begins, and is written; the others stay."""
    for k in range(chosen.shape[0]):
        if chosen[k]:
            begin(g, rows, k, out, envs, weights, terms)
            out[ENDS][k] = False
            for p in range(out[REWARDS][k].shape[0]):
                out[REWARDS][k][p] = 0
            show(g, rows, k, out, weights, terms)


def go_on(g, rows, k, out, envs, weights, terms):
    """Let chance and bots act until the caller must or the match is over; bots not before the caller's seats have."""
    s = struct(g, rows, FIRST + k)
    if terms[DEALT]:
        settle(g, s, weights, envs[DICE][k], envs[NUMBERS][k])
    while s.acting and asked(s, terms) < 0:
        seat = lowest(s.acting)
        count = legal_actions(g, s, seat, out[LISTS][k])
        if terms[PLAYED_BY + seat] == GUEST and count > 1:
            envs[AWAITED][k] = seat
            return
        apply_action(
            g, s, seat, decide(g, rows, k, terms[PLAYED_BY + seat], seat, out[LISTS][k], count, envs[BOT_RNGS][k])
        )
        if terms[DEALT]:
            settle(g, s, weights, envs[DICE][k], envs[NUMBERS][k])


def decide(g, rows, k, policy, seat, actions, count, rng):
    """What a policy chooses from what the seat knows."""
    if policy == RANDOM:
        return actions[below(rng, count)]
    if policy == GUEST:
        return actions[0]
    copy_row(rows, KNOWN, FIRST + k)
    known = struct(g, rows, KNOWN)
    conceal(g, known, seat)
    return strategy(g, known, policy, seat, actions, count, rng)


def settle(g, s, weights, rng, number):
    """Let chance act until a seat must or the match is over: the same draws as in any match of that number."""
    while s.acting == 0 and s.over == 0:
        draw_chance(g, s, weights, rng, number)


def show(g, rows, k, out, weights, terms):
    """Write who is to act, what that seat knows and may do; else what the public knows, and chance's weights.

    Nothing stays of what was there for others: lists end in -1, and weights are 0 where chance isn't handed out. The
    mask of a match that is over is all true.
    """
    s = struct(g, rows, FIRST + k)
    seat = asked(s, terms)
    out[SEATS][k], out[ACTING][k] = seat, s.acting
    mask, ids = out[MASKS][k], out[LISTS][k]
    for action in range(mask.shape[0]):
        mask[action] = s.over != 0
    count = legal_actions(g, s, seat, ids) if seat >= 0 else 0
    for j in range(count):
        mask[ids[j]] = True
    for j in range(count, ids.shape[0]):
        ids[j] = -1
    out[COUNTS][k] = count
    if seat < 0 or not terms[DEALT]:
        show_weights(g, s, out[WEIGHTS][k], weights)
    copy_row(rows, KNOWN, FIRST + k)
    known = struct(g, rows, KNOWN)
    eye = terms[EYE] if s.over else seat
    conceal(g, known, eye)
    observe(g, known, eye, out[OBSERVATIONS][k])


def show_weights(g, s, shown, weights):
    """Tell the weights of chance's outcomes, all 0 when the match is over or a seat is to act."""
    open_now = not s.over and not s.acting
    if open_now:
        chance_weights(g, s, weights)
    for outcome in range(shown.shape[0]):
        shown[outcome] = weights[outcome] if open_now else 0


def choose_at_random(out, envs, chosen):
    """A uniformly random choice in every env: of the legal actions, or an outcome as often as its weight says."""
    for k in range(chosen.shape[0]):
        count, rng = out[COUNTS][k], envs[CALLER_RNGS][k]
        if count:
            chosen[k] = out[LISTS][k][below(rng, count)] if count > 1 else out[LISTS][k][0]
        else:
            weights, total = out[WEIGHTS][k], 0
            for outcome in range(weights.shape[0]):
                total += weights[outcome]
            chosen[k] = pick(weights, weights.shape[0], below(rng, total)) if total else 0
