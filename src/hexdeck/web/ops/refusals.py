"""Lines of the log about what was refused: one for each reason, then one a minute while there is more."""

from __future__ import annotations

import logging
import math
from collections import Counter
from typing import Any

LOG = logging.getLogger("hexdeck.web")
LOG_EVERY = 60.0  # seconds between two lines of the log about the same
MOST_NAMED = 1000  # networks that are counted between two such lines
CONNECTIONS, REQUESTS = "connections refused or cut", "requests refused"  # what is logged


class Refusals:
    """Counts refusals by reason, in a metric too; each reason is logged at once, then once a minute while it goes on.

    `what` was refused. The reasons are few, and hold nothing that somebody sent.
    """

    def __init__(self, what: str, metric: Any) -> None:
        self.what, self.metric = what, metric
        self._since: dict[str, Counter[str]] = {}  # for each reason whose networks were refused since it was logged
        self._examples: dict[str, str] = {}
        self._logged_at: dict[str, float] = {}

    def note(self, why: str, network: str, example: str = "") -> None:
        """Something of a network was refused; `example`: what it sent, where that is safe to log."""
        self.metric.labels(why).inc()
        since = self._since.setdefault(why, Counter())
        since[network if network in since or len(since) < MOST_NAMED else "others"] += 1
        if example:
            self._examples[why] = example

    def log(self, now: float, **more: Any) -> None:
        """Log what wasn't logged yet, each line with `more`."""
        for why, since in list(self._since.items()):
            if now - self._logged_at.get(why, -math.inf) >= LOG_EVERY:
                (most, of_it), *_ = since.most_common(1)
                example = {"example": self._examples.pop(why)} if why in self._examples else {}
                LOG.warning(self.what, extra={
                    "why": why, "count": since.total(), "networks": len(since), "most": most, "of_it": of_it,
                    **example, **more,
                })  # fmt: skip
                self._logged_at[why] = now
                del self._since[why]
