"""The open connections of a server: how many there may be, altogether and of one address, and which go when it is full.

A connection waits while no complete request of it is being answered. When the server is full, those that have waited
longest make room: half requests keep nobody out.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Protocol

from hexdeck.web.ops.addresses import Network, is_among
from hexdeck.web.ops.metrics import Metrics
from hexdeck.web.ops.refusals import CONNECTIONS, Refusals
from hexdeck.web.ops.settings import Limits

FULL, CROWDED = "the server is full", "too many connections of one address"


class Connection(Protocol):
    """A connection: `address` is its other end, `network` whose that is."""

    address: str
    network: str

    def check(self, now: float) -> None:
        """End it if something has taken too long."""

    def cut(self) -> None:
        """End it at once."""


class Connections:
    """The open connections. Those of `trusted` proxies bring many visitors, and are only counted altogether."""

    def __init__(self, limits: Limits, metrics: Metrics, trusted: Sequence[Network] = ()) -> None:
        self.limits, self.metrics, self.trusted = limits, metrics, trusted
        self.refusals = Refusals(CONNECTIONS, metrics.refused)
        self._open: set[Connection] = set()
        self._of_network: Counter[str] = Counter()
        self._waiting: dict[Connection, None] = {}  # those that have waited longest come first

    def __len__(self) -> int:
        return len(self._open)

    def admit(self, new: Connection) -> bool:
        """Count a new connection, and let it wait for a request; False, after noting why, where it can't be kept."""
        of_proxy = is_among(new.address, self.trusted)
        if not of_proxy and self._of_network[new.network] >= self.limits.connections_each:
            self.refusals.note(CROWDED, new.network)
            return False
        if len(self._open) >= self.limits.connections and not self._make_room():
            self.refusals.note(FULL, new.network)
            return False
        self._open.add(new)
        self._of_network[new.network] += 1
        self.waits(new)
        return True

    def _make_room(self) -> bool:
        """Cut the connection that has waited longest; False where none waits."""
        oldest = next(iter(self._waiting), None)
        if oldest is None:
            return False
        self.refusals.note(FULL, oldest.network)
        self.discard(oldest)
        oldest.cut()
        return True

    def discard(self, ended: Connection) -> None:
        """Forget a connection that has ended."""
        if ended in self._open:
            self._open.discard(ended)
            self._waiting.pop(ended, None)
            self._of_network[ended.network] -= 1
            if not self._of_network[ended.network]:
                del self._of_network[ended.network]

    def waits(self, one: Connection) -> None:
        """A connection waits for its next request from now on."""
        if one in self._open:
            self._waiting[one] = None

    def works(self, one: Connection) -> None:
        """A connection has sent a whole request, which is answered now."""
        self._waiting.pop(one, None)

    def sweep(self, now: float) -> None:
        """Now and then: end what has taken too long, and log what was refused."""
        for one in list(self._open):
            one.check(now)
        self.metrics.connections.set(len(self._open))
        self.refusals.log(now, open=len(self._open))
