"""Who waits for what happens at tables: when a seat's holder asked last, and from where. Nothing of it is stored."""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Callable

PATIENCE = 60.0  # seconds after a request for which its sender is taken to wait
MOST_KEPT = 20_000  # tables


class Interest:
    """The last request of a holder at each table."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self.clock = clock
        self._asked: OrderedDict[str, tuple[str, float]] = OrderedDict()

    def note(self, table: str, asker: str) -> None:
        """A holder at a table asked for something; `asker`: the network that this came from."""
        self._asked[table] = asker, self.clock()
        self._asked.move_to_end(table)
        while len(self._asked) > MOST_KEPT:
            self._asked.popitem(last=False)

    def asker(self, table: str) -> str:
        """Whom work for a table is counted for: who asked there last, else the table itself."""
        return self._asked[table][0] if table in self._asked else table

    def waits(self, table: str) -> bool:
        """Whether a holder has asked so lately that they are taken to wait."""
        return table in self._asked and self.clock() - self._asked[table][1] < PATIENCE
