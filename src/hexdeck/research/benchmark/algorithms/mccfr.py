"""External-sampling Monte Carlo CFR."""

from collections.abc import Iterator

from hexdeck.research.benchmark.task import Given, Task, on_demand

TITLE, WORK, VERSION = "MCCFR, external sampling", "iterations", 1
PAPER = "Lanctot, Waugh, Zinkevich and Bowling 2009, Monte Carlo sampling for regret minimization in extensive games"


def learn(task: Task) -> Iterator[tuple[int, Given]]:
    """One sample for each seat in an iteration; the average policy."""
    for step, average in task.tree.external_sampling_steps(task.seed):
        yield step, on_demand(average)
