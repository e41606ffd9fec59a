"""How long everything takes, and what goes wrong when: drawn from the seed."""

import math
from random import Random
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tests.evenings.world import World


class Weather:
    """The troubles of an evening, each while its spell lasts. `calm`: no more of them."""

    def __init__(self, world: "World") -> None:
        self.world, self.rng, self.calm = world, Random(f"{world.seed} weather"), False
        self.slow_until = self.failing_until = 0.0
        self.deaf_until: dict[str, float] = {}
        self.loss = self.rng.choice([0.0, 0.0, 0.01, 0.05])  # of requests whose sender is cut off meanwhile

    @property
    def now(self) -> float:
        return self.world.loop.time()

    def _about(self, mean: float, most: float = math.inf) -> float:
        return min(most, self.rng.expovariate(1 / mean))

    # --- how long things take -----------------------------------------------------------------------------------------
    def wire_delay(self) -> float:
        """Seconds from a browser to the server, or back."""
        return 0.005 + self._about(0.03, 2)

    def store_delay(self) -> float:
        """Seconds until the store comes to its next batch, and has written it."""
        return self._about(0.8, 4) if self.now < self.slow_until else 0.0005 + self._about(0.004)

    def commit_delay(self) -> float:
        """Seconds from when something is stored until the application knows."""
        return self._about(0.001, 0.1)

    def job_delay(self) -> float:
        return self._about(0.003, 0.1)

    def news_delay(self) -> float:
        return self._about(0.004, 1)

    def thought(self) -> float:
        return self._about(0.08, 8)

    def silence(self) -> float:
        """Seconds after which a server notices that a network is gone: at once, or as late as TCP gives up."""
        return 0.01 if self.rng.random() < 0.5 else self._about(20, 90)

    # --- what goes wrong ----------------------------------------------------------------------------------------------
    def store_fails(self) -> bool:
        return self.now < self.failing_until and self.rng.random() < 0.5

    def is_deaf(self, process: str) -> bool:
        return self.now < self.deaf_until.get(process, 0)

    def cuts_off(self) -> bool:
        """Whether a request's sender loses the network meanwhile."""
        return not self.calm and self.rng.random() < self.loss

    def clears(self) -> None:
        self.calm, self.slow_until, self.failing_until, self.loss = True, 0.0, 0.0, 0.0
        self.deaf_until.clear()
