"""For how long tables are kept: briefly while nobody has played, longer once they are over."""

from __future__ import annotations

import functools
from collections.abc import Callable
from dataclasses import dataclass

from hexdeck.tables.model.seats import DAILY
from hexdeck.tables.service.registry import TableRegistry
from hexdeck.tables.storage.pruning import AT_ONCE, Deadlines, delete_outdated, outdated
from hexdeck.tables.storage.puzzles.answers import delete_answers_before

HOUR = 3600.0
DAY = 24 * HOUR
ANSWERED = 400 * DAY  # how long answers to puzzles are kept
INVITED = 7 * DAY  # how long an invitation to a match of days, or a deal of the day, may wait, at least


@dataclass(frozen=True)
class Keep:
    """For how long tables that don't change are kept, 0 for ever.

    `unused_hours`: while nobody has played or joined (a match of days, or a deal of the day: a week at least). `days`:
    while they aren't over. `finished_days`: after that; None: as long as before.
    """

    unused_hours: float = 1
    days: float = 0
    finished_days: float | None = None

    def deadlines(self, now: float) -> Deadlines:
        """The deadlines that follow at a time."""

        def since(span: float) -> float | None:
            return now - span if span else None

        unused, finished = self.unused_hours * HOUR, self.days if self.finished_days is None else self.finished_days
        return Deadlines(
            since(unused), since(self.days * DAY), since(finished * DAY),
            invited=since(unused and max(unused, INVITED)), slow=DAILY,
        )  # fmt: skip


KEEP = Keep()  # as long as servers keep them that aren't told otherwise


async def prune(
    registry: TableRegistry, deadlines: Deadlines, waits: Callable[[str], bool] = lambda _table: False
) -> int:
    """Delete tables that have missed a deadline and that nobody waits at, and old answers; returns how many tables."""
    await registry.run_job(functools.partial(delete_answers_before, at=registry.clock() - ANSWERED))
    found = await registry.run_job(functools.partial(outdated, deadlines=deadlines))
    old, count = [id for id in found if not waits(id)], 0
    for first in range(0, len(old), AT_ONCE):
        among = old[first : first + AT_ONCE]
        gone = await registry.run_job(functools.partial(delete_outdated, deadlines=deadlines, among=among))
        for id in gone:
            registry.forget(id)
        count += len(gone)
    return count
