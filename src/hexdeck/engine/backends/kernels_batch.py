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

Threads step a batch together, without Python: each waits here for what the caller asks, and does its parts. A batch is
cut into parts of `size` environments, each with structs of its own (`FIRST` + size rows); a thread has some of them for
itself, so that they stay in its processor's cache, and takes others' when it is done with those. `board`,
int64, is what threads tell each other by: what is asked (`ASKED`), how many parts are done (`DONE`), whether it is all
over (`END`), how many parts the helpers did (`HELPED`), whether an error in one ended it (`FAULT`), and for each thread
the next of its parts (`NEXT`), with the number of the task above it, and the end of its parts (`LAST`). Places lie far
apart, so that no two threads want the same line of memory. `own` is what each thread has for itself.
"""

from hexdeck.engine.backends.kernels import CHANCE, TEMPLATE, decide, draw_chance, event, lowest, playable
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

CHECK, STEP, CHOOSE, BEGIN = range(4)  # what is asked
LINE = 16  # words from one place of the board to the next
ASKED, DONE, END, HELPED, FAULT, NEXT = (LINE * k for k in range(6))
LAST = 1  # behind the next part of a thread
TASK = 1 << 24  # the number of a task is counted in these; below it is a part
PATIENCE = 40  # looks until a waiting thread offers its processor to others

APART = ("do",)  # long, and used in several places
ENTRIES = (  # what Python calls
    *("first_fault", "step_envs", "answer_envs", "begin_envs", "choose_at_random"),
    *("ask", "ask_step", "help_out"),
)
TYPES = {
    "answers": "int64[::1]",
    "board": "int64[::1]",
    "chosen": "int64[::1]",
    "envs": "Tuple((int64[:, ::1], int64[::1], boolean[::1], int64[:, ::1], int64[:, ::1], boolean[::1], int8[::1]))",
    "faults": "int64[::1]",
    "out": "Tuple((int8[:, ::1], boolean[:, ::1], int16[:, ::1], int32[::1], int8[::1], int32[::1], "
    "float64[:, ::1], boolean[::1], int32[:, ::1]))",
    "own": "Tuple((int32[:, ::1], float64[:, ::1]))",
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
        policy, action = terms[PLAYED_BY + seat], out[LISTS][k][0]
        if policy != GUEST:
            action = decide(g, rows, FIRST + k, policy, seat, out[LISTS][k], count, envs[BOT_RNGS][k])
        apply_action(g, s, seat, action)
        if terms[DEALT]:
            settle(g, s, weights, envs[DICE][k], envs[NUMBERS][k])


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


# --- threads that step a batch together -------------------------------------------------------------------------------
def ask_step(g, rows, chosen, out, envs, own, terms, board, faults, size, threads, count):
    """Step all environments, unless a choice in one can't be; returns the first such environment, or -1."""
    ask(g, rows, chosen, out, envs, own, terms, board, faults, size, threads, count, CHECK)
    if load(board, FAULT):
        return -1
    for part in range(faults.shape[0]):
        if faults[part] >= 0:
            return part * size + faults[part]
    ask(g, rows, chosen, out, envs, own, terms, board, faults, size, threads, count, STEP)
    return -1


def ask(g, rows, chosen, out, envs, own, terms, board, faults, size, threads, count, what):
    """Have one thing done in all parts, by this thread (number 0) and by helpers that wait; alone with one thread.

    After an error in a helper not all of it is done.
    """
    if threads == 1:
        for part in range(faults.shape[0]):
            do(g, rows, chosen, out, envs, own, terms, faults, size, count, what, part, 0)
        return
    board[ASKED], board[DONE] = what, 0
    number = (load(board, NEXT) // TASK + 1) * TASK
    parts = faults.shape[0]
    for thread in range(threads - 1, -1, -1):
        store(board, NEXT + LINE * thread, number + first_part(parts, threads, thread))
    take_parts(g, rows, chosen, out, envs, own, terms, board, faults, size, threads, count, 0)
    looks = 0
    while load(board, DONE) < parts and load(board, FAULT) == 0:
        looks += 1
        wait(looks)


def help_out(g, rows, chosen, out, envs, own, terms, board, faults, size, threads, count, me, seen, looks):
    """Help with what is asked until nothing was for so many looks, or all is over; returns the last task's number."""
    looked = 0
    while looked < looks and load(board, END) == 0:
        number = load(board, NEXT + LINE * me) // TASK
        if number == seen:
            looked += 1
            wait(looked)
        else:
            seen, looked = number, 0
            done = take_parts(g, rows, chosen, out, envs, own, terms, board, faults, size, threads, count, me)
            add(board, HELPED, done)
    return seen


def take_parts(g, rows, chosen, out, envs, own, terms, board, faults, size, threads, count, me):
    """Do parts until all are taken, one's own first; returns how many."""
    done = 0
    for turn in range(threads):
        thread = me + turn if me + turn < threads else me + turn - threads
        last = board[NEXT + LINE * thread + LAST]
        part = add(board, NEXT + LINE * thread, 1) % TASK
        while part < last:
            do(g, rows, chosen, out, envs, own, terms, faults, size, count, board[ASKED], part, me)
            add(board, DONE, 1)
            done += 1
            part = add(board, NEXT + LINE * thread, 1) % TASK
    return done


def do(g, rows, chosen, out, envs, own, terms, faults, size, count, what, part, me):
    """One thing in one part: check what was chosen, play it, choose at random, or begin matches."""
    a, b, top = part * size, min(part * size + size, chosen.shape[0]), part * (FIRST + size)
    structs, mine, weights = rows[top : top + FIRST + b - a], chosen[a:b], own[0][me]
    its_envs = (envs[0][a:b], envs[1][a:b], envs[2][a:b], envs[3][a:b], envs[4][a:b], envs[5][a:b], envs[6][a:b])
    first = (out[0][a:b], out[1][a:b], out[2][a:b], out[3][a:b], out[4][a:b])
    shown = (*first, out[5][a:b], out[6][a:b], out[7][a:b], out[8][a:b])
    if what == CHECK:
        faults[part] = first_fault(g, structs, mine, weights, terms, count)
    elif what == STEP:
        step_envs(g, structs, mine, shown, its_envs, weights, own[1][me], terms)
    elif what == CHOOSE:
        choose_at_random(shown, its_envs, mine)
    else:
        begin_envs(g, structs, mine, shown, its_envs, weights, terms)


def first_part(parts, threads, thread):
    """The first of a thread's parts; the next thread's first is its end."""
    return parts * thread // threads


def wait(looks):
    """Wait a moment for another thread."""
    if looks % PATIENCE == 0:
        give_way()
    else:
        pause()


def load(cells, i):
    """The word in place i."""
    return cells[i]


def store(cells, i, value):
    """Put a value in place i."""
    cells[i] = value


def add(cells, i, n):
    """Add n to the word in place i; returns what it was before."""
    before = cells[i]
    cells[i] = before + n
    return before


def pause():
    """Tell the processor that this thread is waiting for another one."""


def give_way():
    """Let another thread have this processor, if one waits for it."""
