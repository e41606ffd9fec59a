"""An event loop whose clock is its own: when nothing is left to do, it is the time of whatever comes next."""

import asyncio
import selectors
from collections.abc import Callable
from typing import Any

MOST_AT_ONCE = 200_000  # rounds of the loop without time passing: something goes round in circles


class Stuck(Exception):
    """Nothing can ever happen again, or something goes on for ever in no time."""


class Still(selectors.SelectSelector):
    """Waits for nobody: it turns the clock of a loop on instead."""

    def __init__(self) -> None:
        super().__init__()
        self.now, self.rounds = 0.0, 0

    def select(self, timeout: float | None = None) -> list[Any]:
        if timeout is None:
            raise Stuck("everybody waits, and nothing will come")
        self.rounds = 0 if timeout > 0 else self.rounds + 1
        if self.rounds > MOST_AT_ONCE:
            raise Stuck("the same goes on and on, and no time passes")
        self.now += max(0.0, timeout)
        return []


class VirtualLoop(asyncio.SelectorEventLoop):
    """The loop. `delay` gives how long a job of an executor takes; it is done in the loop itself."""

    def __init__(self, delay: Callable[[], float]) -> None:
        self.still, self.delay = Still(), delay
        super().__init__(self.still)
        self._clock_resolution = 1e-9

    def time(self) -> float:
        """The seconds since the beginning."""
        return self.still.now

    def run_in_executor(self, _executor: Any, function: Any, *arguments: Any) -> Any:  # type: ignore[override]
        """Do a job a little later."""
        future = self.create_future()

        def work() -> None:
            if future.cancelled():
                return
            try:
                future.set_result(function(*arguments))
            except BaseException as error:
                future.set_exception(error)

        self.call_later(self.delay(), work)
        return future

    def _write_to_self(self) -> None:
        """Nobody has to be woken: there is only one thread."""
