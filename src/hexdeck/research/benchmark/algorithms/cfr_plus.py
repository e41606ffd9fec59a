"""CFR+ on the whole tree."""

from collections.abc import Iterator

from hexdeck.research.benchmark.task import Given, Task, on_demand

TITLE, WORK, VERSION, DRAWS = "CFR+", "iterations", 1, False
PAPER = "Tammelin 2014, Solving large imperfect information games using CFR+"


def learn(task: Task) -> Iterator[tuple[int, Given]]:
    """Seats in turn; policies averaged with weights that grow with the iteration."""
    for step, average in task.tree.cfr_plus_steps():
        yield step, on_demand(average)
