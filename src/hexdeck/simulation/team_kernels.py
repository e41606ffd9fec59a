"""Threads that step a batch together, without Python: each waits there for what the caller asks, and does its parts.

A batch is cut into parts of `size` environments, each with structs of its own (`FIRST` + size rows); a thread has some
of them for itself, so that they stay in its processor's cache, and takes others' when it is done with those. `board`,
int64, is what threads tell each other by: what is asked (`ASKED`), how many parts are done (`DONE`), whether it is all
over (`END`), how many parts the helpers did (`HELPED`), whether an error in one ended it (`FAULT`), and for each thread
the next of its parts (`NEXT`), with the number of the task above it, and the end of its parts (`LAST`). Places lie far
apart, so that no two threads want the same line of memory. `own` is what each thread has for itself.
"""

from hexdeck.engine.backends.kernels import add, give_way, load, pause, store
from hexdeck.engine.backends.kernels_batch import FIRST, begin_envs, choose_at_random, first_fault, step_envs
from hexdeck.engine.backends.kernels_batch import TYPES as STEPPED

CHECK, STEP, CHOOSE, BEGIN = range(4)  # what is asked
LINE = 16  # words from one place of the board to the next
ASKED, DONE, END, HELPED, FAULT, NEXT = (LINE * k for k in range(6))
LAST = 1  # behind the next part of a thread
TASK = 1 << 24  # the number of a task is counted in these; below it is a part
PATIENCE = 40  # looks until a waiting thread offers its processor to others

APART = ("do",)  # long, and used in several places
ENTRIES = ("ask", "ask_step", "help_out")  # what Python calls
TYPES = {name: STEPPED[name] for name in ("chosen", "envs", "out", "terms")}
TYPES |= {"board": "int64[::1]", "faults": "int64[::1]", "own": "Tuple((int32[:, ::1], float64[:, ::1]))"}


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
