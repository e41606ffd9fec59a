"""The state of one running server: its tables, streams, bots, limits and metrics, and how a change reaches them.

Processes that share a database exchange presence: each sends its viewers when they change, and all of them again now
and then, since messages may be lost.
"""

import asyncio
import contextlib
import itertools
import logging
import math
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from concurrent.futures import Future
from typing import TypeVar

from hexdeck.engine.errors import HexdeckError
from hexdeck.engine.text import say
from hexdeck.tables import commands, rows
from hexdeck.tables.advice import Analyses, Hints
from hexdeck.tables.daily import Fields
from hexdeck.tables.entries import CHOICE, MOVE, PLAYING, Entry
from hexdeck.tables.errors import TableError, TooMany, Unavailable
from hexdeck.tables.live import LiveTable, note_shown
from hexdeck.tables.registry import Runtime, TableRegistry
from hexdeck.tables.rows import Viewers
from hexdeck.tables.runner import Runner
from hexdeck.web.server.middleware import REQUESTS, Metrics, RateLimiter, Refusals
from hexdeck.web.server.push import Calls
from hexdeck.web.server.settings import Limits, Settings
from hexdeck.web.server.streams import LINGER, Streams

LOG = logging.getLogger("hexdeck.web")
T = TypeVar("T")
HEALTH_TIMEOUT, HEALTH_EVERY = 2, 1  # seconds


class ServerState:
    """A server's tables and all that serves them. `runtime`: the machine that it runs on."""

    def __init__(self, settings: Settings, runtime: Runtime) -> None:
        self.settings, self.runtime = settings, runtime
        self.streams = Streams(settings.limits, self._count_viewers, runtime.monotonic)
        self.metrics = Metrics(lambda: len(self.registry.tables), lambda: self.streams.count)
        self.refusals = Refusals(REQUESTS, self.metrics.refused_requests)
        self.registry = TableRegistry(
            runtime.database(settings.database), timed=self.metrics.committed, runtime=runtime
        )
        self.presence = PresenceSync(self.registry, self.streams)
        thinker = runtime.thinker()
        self.runner = Runner(
            self.registry, settings.pause, settings.keep, thinker, waits=self._somebody_waits, timed=self._time_thought
        )
        self.registry.on_change, self.registry.on_entry = self._table_changed, self._count_entry
        self.limits = ServerLimits(settings.limits, self.registry)
        self.hints = Hints(thinker)
        self._checked: asyncio.Future[bool] | None = None  # the last look whether all is well
        self._checked_at, self._fault = 0.0, ""
        self.analyses = Analyses(thinker, self.registry.store)
        self.fields = Fields(thinker, self.registry)
        self.calls = Calls(self.registry, settings.push, self.streams.present, self.metrics.calls)

    async def open(self) -> None:
        """Start serving tables."""
        await self.registry.open()
        self.presence.open()
        await self.calls.open()
        await self.runner.open()

    async def close(self) -> None:
        """Stop streams, bots and storage, in this order."""
        self.calls.close()
        await self.presence.close()
        self.streams.end()
        self.runner.close()
        await self.registry.close()

    async def is_healthy(self) -> bool:
        """Whether the tables can be read and written in time; found out now and then, however many ask."""
        if self._checked is None or self.runtime.monotonic() - self._checked_at > HEALTH_EVERY:
            self._checked, self._checked_at = asyncio.ensure_future(self._check()), self.runtime.monotonic()
        return await asyncio.shield(self._checked) and not self.streams.ended

    async def _check(self) -> bool:
        try:
            async with asyncio.timeout(HEALTH_TIMEOUT):
                await self.registry.run_job(rows.write_nothing if self.registry.database.is_file else rows.read_nothing)
        except (TimeoutError, TableError) as error:
            self._note_fault(f"{error.__cause__ or error}" or f"nothing within {HEALTH_TIMEOUT} seconds")
            return False
        self._note_fault("")
        return True

    def _note_fault(self, fault: str) -> None:
        """Log once when tables can't be read or written any more, and once when they can again."""
        if fault and not self._fault:
            LOG.warning("tables can't be read or written", extra={"why": fault})
        elif self._fault and not fault:
            LOG.warning("tables can be read and written again")
        self._fault = fault

    # --- a table changed ----------------------------------------------------------------------------------------------
    def _table_changed(self, table: LiveTable) -> None:
        self._set_pace(table)
        note_shown(table, self.registry.clock())
        self.streams.wake(table.id)
        self.runner.wake(table)
        self.calls.look(table)
        for number, seat in enumerate(table.seats):
            if seat.awaited and self.streams.present(table.id, number):
                self.start_first_clock(table, number)

    def _count_entry(self, table: LiveTable, entry: Entry) -> None:
        if entry.kind in (MOVE, CHOICE):
            self.metrics.moves.labels(table.game.name, table.seats[entry.seat].kind).inc()
        else:
            self.metrics.changes.labels(entry.kind).inc()

    def _time_thought(self, table: LiveTable, seconds: float) -> None:
        self.metrics.thoughts.labels(table.game.name).observe(seconds)

    # --- who is there -------------------------------------------------------------------------------------------------
    def _count_viewers(self, id: str, change: int) -> None:
        self.registry.count_viewers(id, change)
        if id in self.registry.tables:
            self._set_pace(self.registry.tables[id])
            if change > 0:
                self.runner.wake(self.registry.tables[id])
        if change > 0:
            self.presence.viewers_changed(id, ask=self.registry.watched[id] == change)
        elif self.registry.fanout.shared:
            call_later = asyncio.get_running_loop().call_later
            call_later(LINGER, lambda: self.presence.viewers_changed(id, ask=False))

    def _somebody_waits(self, id: str) -> bool:
        """Whether somebody views a table, here or elsewhere, or has asked for it lately."""
        return id in self.registry.watched or self.streams.remote.anybody(id) or self.registry.interest.waits(id)

    def holder_asks(self, id: str, address: str) -> None:
        """Somebody who holds a seat asks for something at a table: its bots, if it is their turn, move for them."""
        self.registry.interest.note(id, address)
        if id in self.registry.tables:
            self.runner.wake(self.registry.tables[id])

    def _set_pace(self, table: LiveTable) -> None:
        """Take note of how fast those who look at a table want to see what happens; where bots don't wait, at once."""
        if self.settings.pause:
            table.pace = self.streams.pace(table.id)

    def start_first_clock(self, table: LiveTable, seat: int, *, opened: bool = True) -> None:
        """A seat asks for its page: start its first clock if that waited for it; once it is `opened`, bots may move."""
        table.seen = table.seen or (seat >= 0 and opened)
        if seat >= 0 and table.seats[seat].awaited and table.state == PLAYING:
            self.registry.spawn(self._page_opened(table.id, seat))

    async def _page_opened(self, id: str, seat: int) -> None:
        with contextlib.suppress(HexdeckError):  # it was opened already, or the table is gone
            await self.registry.change(id, commands.page_opened(seat, self.registry.clock()))

    def host_away(self, table: LiveTable, seconds: float) -> bool:
        """Whether the host's page has been closed for that long."""
        return self.streams.absent(table.id, table.terms.host) >= seconds


# --- presence ---------------------------------------------------------------------------------------------------------
SEND_DELAY = 0.1  # seconds in which changes are collected into one message
REPEAT_EVERY = 15.0  # seconds after which everything is sent again


class PresenceSync:
    """Sends this process's viewers to the others, and passes on what they send to the streams here."""

    def __init__(self, registry: TableRegistry, streams: Streams) -> None:
        self.registry, self.streams = registry, streams
        self._due: dict[str, bool] = {}  # tables whose viewers are to be sent, and whether to ask the others for theirs
        self._announced: dict[str, None] = {}  # tables where the others know of viewers here

    def open(self) -> None:
        """Start, if there can be other processes."""
        if self.registry.fanout.shared:
            self.registry.on_presence = self._receive
            self.registry.spawn(self._repeat())

    async def close(self) -> None:
        """Tell the others that nobody is here any more."""
        if self.registry.fanout.shared:
            await self._send([(table, [], 0) for table in self._announced], ask=False)

    def viewers_changed(self, table: str, *, ask: bool) -> None:
        """The viewers of a table changed here; `ask`: the others should send theirs of this table, too."""
        if self.registry.fanout.shared:
            if not self._due:
                asyncio.get_running_loop().call_later(SEND_DELAY, self._send_due)
            self._due[table] = self._due.get(table, False) or ask

    def _viewers_of(self, table: str) -> Viewers:
        readers = self.streams.by_table.get(table)
        return (table, sorted(readers.viewed), len(readers.crowd)) if readers else (table, [], 0)

    def _send_due(self) -> None:
        due, self._due = self._due, {}
        for ask in (True, False):
            if viewers := [self._viewers_of(table) for table, asks in due.items() if asks == ask]:
                self.registry.spawn(self._send(viewers, ask=ask))

    async def _send(self, viewers: Sequence[Viewers], *, ask: bool) -> None:
        for table, seats, count in viewers:
            self._announced.pop(table, None)
            if seats or count:
                self._announced[table] = None
        await self.registry.send_presence(viewers, ask)

    async def _repeat(self) -> None:
        while True:
            await asyncio.sleep(REPEAT_EVERY)
            self.streams.viewers_changed(self.streams.remote.expire())
            await self._send([self._viewers_of(table) for table in list(self.streams.by_table)], ask=False)

    def _receive(self, process: str, viewers: Sequence[Viewers], ask: bool) -> None:
        self.streams.viewers_changed(self.streams.remote.update(process, viewers))
        for table, _, _ in viewers:
            if ask and table in self.streams.by_table:
                self.viewers_changed(table, ask=False)


# --- limits -----------------------------------------------------------------------------------------------------------
COUNT_EVERY = 60.0  # seconds after which unfinished tables are counted anew
DAY = 24 * 3600.0


class Holdings:
    """The tables that each address has begun here within a day."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self.clock = clock
        self._of: dict[str, dict[str, float]] = {}

    def add(self, address: str, table: str) -> None:
        """An address begins a table."""
        self._of.setdefault(address, {})[table] = self.clock()

    def discard(self, address: str, table: str) -> None:
        """A table isn't begun, or counts no more."""
        held = self._of.get(address, {})
        held.pop(table, None)
        if not held:
            self._of.pop(address, None)

    def of(self, address: str) -> list[str]:
        """The tables that count for an address."""
        before = self.clock() - DAY
        for table in [table for table, since in self._of.get(address, {}).items() if since < before]:
            self.discard(address, table)
        return list(self._of.get(address, {}))


class ServerLimits:
    """Rate limits by address, and a limit of unfinished tables."""

    def __init__(self, limits: Limits, registry: TableRegistry) -> None:
        self.registry, self.most_tables, self.part = registry, limits.tables, limits.tables_part
        rates = limits.creates, limits.joins, limits.hints, limits.codes
        limiters = (RateLimiter(*rate, registry.runtime.monotonic) for rate in rates)
        self.creates, self.joins, self.hints, self.codes = limiters
        self.holdings = Holdings(registry.clock)
        self._unfinished, self._counted_at, self._begun = 0, -math.inf, itertools.count()

    @contextlib.asynccontextmanager
    async def beginning(self, address: str) -> AsyncIterator[Callable[[str], None]]:
        """While an address creates a table; it tells its id. Raises TooMany where it may create none now."""
        if not self.creates.allows(address):
            raise TooMany(say("Too many new tables from your address; wait a minute."))
        placeholder = f"new {next(self._begun)}"
        self.holdings.add(address, placeholder)  # before anything is waited for: others may ask meanwhile
        try:
            if not await self.has_room():
                raise TooMany(say("This server has no room for another table; try again later."))
            if not await self.has_share(address):
                self._unfinished -= 1
                raise TooMany(say("Too many tables from your address aren't finished; finish one, or try again later."))
            yield lambda table: self.holdings.add(address, table)
        finally:
            self.holdings.discard(address, placeholder)

    async def has_share(self, address: str) -> bool:
        """Whether what an address has begun is a fair part of the room; it may always begin one table.

        The fuller the server is, the less that is, so that there is room for whoever comes next.
        """
        held = self.holdings.of(address)
        limit = max(1, (self.most_tables - self._unfinished + len(held)) // self.part)
        if len(held) <= limit:
            return True
        unfinished = set(await self.registry.run_job(rows.still_unfinished, held))
        for table in held:
            if table not in unfinished and not table.startswith("new "):
                self.holdings.discard(address, table)
        return len(self.holdings.of(address)) <= limit

    async def has_room(self) -> bool:
        """Whether one more table may be created; unfinished ones are counted now and then, and before a refusal."""
        now = self.registry.clock()
        if self._unfinished >= self.most_tables or abs(now - self._counted_at) > COUNT_EVERY:
            self._unfinished, self._counted_at = await self.registry.run_job(rows.unfinished), now
        self._unfinished += 1
        return self._unfinished <= self.most_tables

    def allow_join(self, address: str) -> None:
        """Raise TooMany where this address has tried too many invitations."""
        if not self.joins.allows(address):
            raise too_many_requests()

    @contextlib.contextmanager
    def trying_code(self, address: str) -> Iterator[None]:
        """While an address tries the code of a table; raises TooMany. It counts unless the code is right."""
        if not self.codes.allows(address):
            raise TooMany(say("Too many wrong codes from your address; wait a minute."))
        yield
        self.codes.give_back(address)


async def in_time(job: Future[T], seconds: float) -> T:
    """What comes of a job within so many seconds; raises Unavailable."""
    try:
        return await asyncio.wait_for(asyncio.wrap_future(job), seconds)
    except TimeoutError:
        raise Unavailable(say("This takes longer than usual; try again in a moment.")) from None


def too_many_requests() -> TooMany:
    """The refusal of an address that asks too often."""
    return TooMany(say("Too many requests from your address; wait a moment."))
