"""Words of memory that several threads use at once, in compiled code; interpreted, one thread alone runs this.

`cells` is an int64 array. Each function is one indivisible step, and all threads see these steps in one order.
"""


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
