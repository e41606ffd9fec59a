"""What happens at tables by itself: bots move, forced moves are made, clocks run out, old tables are deleted.

Bots move while a player waits for it, and go on when one comes back; in a match of days they always move. Their
thinking isn't stored: after a crash, the process that serves the table lets them think again. Among several processes,
the one that wrote last lets them think; another takes over when nothing has happened for a while.
"""

import asyncio
import contextlib
import functools
import logging
from collections.abc import Awaitable, Callable, Iterable, Sequence
from dataclasses import dataclass, field

from sqlalchemy import ColumnElement, Connection, and_, delete, not_, or_, select

from hexdeck.engine.discovery.finding import places
from hexdeck.engine.errors import GameIsOver, HexdeckError, IllegalMove, RuleFault, UnknownGame
from hexdeck.engine.text import Text
from hexdeck.tables import commands, live, rows
from hexdeck.tables.database import UNFINISHED, answers, tables
from hexdeck.tables.entries import DAILY, HALT
from hexdeck.tables.errors import Stale, TableError, Unavailable
from hexdeck.tables.live import LiveTable
from hexdeck.tables.registry import TableRegistry
from hexdeck.tables.thinker import Thinker

AT_ONCE = 200  # tables that are deleted in one transaction
HOUR = 3600.0
DAY = 24 * HOUR
ANSWERED = 400 * DAY  # how long answers to puzzles are kept
INVITED = 7 * DAY  # how long an invitation to a match of days, or a deal of the day, may wait, at least
LOG = logging.getLogger("hexdeck.tables")
ORPHANED_AFTER = 15.0  # seconds after which another process lets the bots of a table think
CLOCKS_EVERY = 1.0  # seconds between checks of clocks
STOPPED = 10.0  # seconds that such a check comes late by where this process was suspended, or its machine slept
DAYS_EVERY = 60.0  # seconds between looks for matches of days that wait for a bot
PRUNE_EVERY = 600.0  # seconds between deletions of old tables
RETRY_AFTER = 60.0  # seconds for which a table that can't go on by itself is left alone
LOOK_EVERY = 0.05  # seconds between looks whether a person's page is open


@dataclass(frozen=True)
class Retention:
    """For how long tables that don't change are kept, 0 for ever.

    `unused_hours`: until a player has moved or joined (a match of days, or a deal of the day: a week at least).
    `days`: while they aren't over. `finished_days`: after that; None: as long as before.
    """

    unused_hours: float = 1
    days: float = 0
    finished_days: float | None = None

    def expired(self, now: float) -> ColumnElement[bool] | None:
        """The condition of tables that may be deleted at a time; None where all are kept."""
        unused, finished = self.unused_hours * HOUR, self.days if self.finished_days is None else self.finished_days
        unfinished, waits = tables.c.state.in_(UNFINISHED), or_(rows.has_clock(DAILY), tables.c.day.is_not(None))
        kinds = (
            (unused, and_(unfinished, tables.c.used.is_(False), not_(waits))),
            (unused and max(unused, INVITED), and_(unfinished, tables.c.used.is_(False), waits)),
            (self.days * DAY, unfinished),
            (finished * DAY, not_(unfinished)),
        )
        conditions = [and_(kind, tables.c.changed < now - span) for span, kind in kinds if span]
        return or_(*conditions) if conditions else None


RETENTION = Retention()  # as long as servers keep them that aren't told otherwise


async def prune(
    registry: TableRegistry, keep: Retention, now: float, waits: Callable[[str], bool] = lambda _table: False
) -> int:
    """Delete tables that have expired and that no player waits at, and old answers; returns how many tables."""
    too_old = delete(answers).where(answers.c.at < registry.clock() - ANSWERED)
    await registry.run_job(lambda connection: connection.execute(too_old).rowcount)
    expired = keep.expired(now)
    if expired is None:
        return 0

    def delete_among(connection: Connection, ids: Sequence[str]) -> list[str]:
        deleted = list(connection.execute(select(tables.c.id).where(tables.c.id.in_(ids), expired)).scalars())
        rows.delete_tables(connection, deleted)
        return deleted

    query, count = select(tables.c.id).where(expired), 0
    ids = await registry.run_job(lambda connection: connection.execute(query).scalars().all())
    old = [id for id in ids if not waits(id)]
    for first in range(0, len(old), AT_ONCE):
        deleted = await registry.run_job(delete_among, old[first : first + AT_ONCE])
        for id in deleted:
            registry.forget(id)
        count += len(deleted)
    return count


@dataclass
class Runner:
    """The bots, clocks and pruning of a registry.

    `pause`: seconds that a bot waits before a usual move that people watch (`thinking_pause`); 0: nothing waits for
    pages.
    `keep`: for how long tables are kept. `timed`: called with how long each bot thought. `waits`: whether a player
    waits for what happens at a table.
    """

    registry: TableRegistry
    pause: float = 0.8
    keep: Retention = RETENTION
    thinker: Thinker = field(default_factory=Thinker)
    waits: Callable[[str], bool] = lambda _table: True
    timed: Callable[[LiveTable, float], None] = lambda _table, _seconds: None

    def __post_init__(self) -> None:
        self._thinking: dict[str, asyncio.Task[None]] = {}
        self._left_alone: dict[str, float] = {}  # tables that can't go on by themselves, and until when
        self._ended = False

    async def open(self) -> None:
        """Start."""
        self.registry.spawn(self._clocks())
        self.registry.spawn(self._take_over_orphans())
        self.registry.spawn(self._prune())
        self.registry.spawn(self._days())

    def close(self) -> None:
        """Stop thinking; the registry stops the rest."""
        self._ended = True
        self.thinker.close()

    # --- bots ---------------------------------------------------------------------------------------------------------
    def wake(self, table: LiveTable) -> None:
        """Let the bots of a table think, if it is this process's turn to do that."""

        def thought_done(_task: asyncio.Task[None]) -> None:
            self._thinking.pop(table.id, None)
            newest = self.registry.tables.get(table.id)  # it may have changed since, or have been loaded again
            if newest is not None and not self._ended:
                self.wake(newest)

        waits = table.id in self._thinking or table.halted_at == table.version or table.game.name not in places()
        if self._is_ours(table) and not waits and self._goes_on(table) and table.played_by_server:
            task = self._thinking[table.id] = self.registry.spawn(self._think(table.id))
            task.add_done_callback(thought_done)

    def _goes_on(self, table: LiveTable) -> bool:
        """Whether bots move now: a player waits for it, or all come back once a day."""
        return table.terms.clock == DAILY or self.waits(table.id)

    def _is_ours(self, table: LiveTable) -> bool:
        """Whether this process lets the bots of a table think: a file has no other."""
        return table.runner == self.registry.process or self.registry.database.is_file

    async def _think(self, id: str) -> None:
        """Let bots move as long as it is their turn."""
        while True:
            try:
                if not await self._play_one(id):
                    return
            except Stale:
                continue
            except Unavailable:
                await asyncio.sleep(1)
            except (TableError, UnknownGame, GameIsOver):  # it is gone, or can't go on here
                return
            except RuleFault as error:
                with contextlib.suppress(TableError):
                    await self._halt(id, error.text)
                return
            except Exception:  # whatever is wrong, the match should go on
                LOG.exception("a bot can't move")
                await asyncio.sleep(ORPHANED_AFTER)

    async def _halt(self, id: str, why: Text) -> None:
        """Tell a table that a bot can't move, once."""
        table = await self.registry.table(id)
        if table.entries[-1].kind != HALT:
            table = await self.registry.change(id, commands.halt(why, self.registry.clock()))
        table.halted_at = table.version

    async def _play_one(self, id: str) -> bool:
        """Make one move of a bot, or a forced one; returns whether there was one to make, and a player who waits."""
        if not self._goes_on(await self.registry.table(id)):
            return False
        await self._wait_for_look(id)
        async with self.registry.reading(id, newest=False) as table:
            if not table.played_by_server or table.match is None:
                return False
            seat, version = table.played_by_server[0], table.version
            knowledge, level = table.match.concealed(seat), table.seats[seat].level
            key, again = table.choices_key, bool(table.terms.day)
            alone = all(table.seats[number].local for number in table.acting)
            forced, beats = seat in table.forced, live.still_shown(table, self.registry.clock())
            aside = live.asked_aside(table.match, seat) is not None
            thinking = live.thinking_pause(table.match, seat, self.pause)
            if aside and not self.registry.database.is_file:
                await self.registry.read_asides(table)
        if forced:
            delay = 0.0 if aside else live.forced_delay(self.pause, self.registry.runtime.random)
            await asyncio.sleep(delay + beats)
            await self.registry.change(id, commands.forced(seat, version, self.registry.clock()))
            return True
        began = self.registry.runtime.monotonic()
        asker = self.registry.interest.asker(id)
        chosen = self.thinker.choose(table.game, level, knowledge, seat, asker, id, key, again)
        action = await asyncio.wrap_future(chosen)
        took = self.registry.runtime.monotonic() - began
        self.timed(table, took)
        watched = alone and id in self.registry.watched
        pause = 0.0 if aside else thinking if watched else min(self.pause, live.UNWATCHED_DELAY)
        move_after = max(live.bot_delay(took, pause), beats)
        await asyncio.sleep(max(0.0, move_after - took))
        try:
            await self.registry.change(id, commands.move(seat, action, version, self.registry.clock(), local=True))
        except IllegalMove as error:
            if table.game.definition.own:
                raise
            raise RuleFault(error.text) from error
        return True

    async def _wait_for_look(self, id: str) -> None:
        """Wait until the page of a person's seat has been open since the deal, but not for long."""
        table, waited = await self.registry.table(id), 0.0
        while self.pause and waited < live.FIRST_LOOK and live.awaits_look(table, self.registry.clock()):
            await asyncio.sleep(LOOK_EVERY)
            waited += LOOK_EVERY

    async def _take_over_orphans(self) -> None:
        """Take over tables with players here whose bots no process has let think for a while."""
        while True:
            await asyncio.sleep(ORPHANED_AFTER / 3)
            before = self.registry.clock() - ORPHANED_AFTER
            for orphan in list(self.registry.tables.values()):
                if self._is_orphan(orphan, before):
                    with contextlib.suppress(TableError):
                        table = await self.registry.table(orphan.id)  # others may have gone on since
                        if self._is_orphan(table, before):
                            table.runner = self.registry.process
                            self.wake(table)

    def _is_orphan(self, table: LiveTable, before: float) -> bool:
        return not self._is_ours(table) and self.waits(table.id) and table.entries[-1].at <= before

    # --- time ---------------------------------------------------------------------------------------------------------
    async def _clocks(self) -> None:
        while True:
            began = self.registry.runtime.monotonic()
            await asyncio.sleep(CLOCKS_EVERY)
            if self.registry.runtime.monotonic() - began > STOPPED:
                with contextlib.suppress(Unavailable):
                    await self.registry.postpone_clocks()
            await self._for_each(rows.overdue, self.registry.clock(), self._expire)

    async def _expire(self, id: str) -> None:
        table, now = await self.registry.table(id), self.registry.clock()
        for number, seat in enumerate(table.seats):
            if seat.due is not None and seat.due <= now:
                with contextlib.suppress(Stale):
                    await self.registry.change(id, commands.give_to_bot(number, commands.BY_CLOCK, now))

    async def _days(self) -> None:
        """Let the bots of matches of days go on where a server stopped, or another process is gone."""
        while True:
            find = functools.partial(rows.left_to_bots, clock=DAILY)
            await self._for_each(find, self.registry.clock() - ORPHANED_AFTER, self._go_on)
            await asyncio.sleep(DAYS_EVERY)

    async def _go_on(self, id: str) -> None:
        table = await self.registry.table(id)
        if table.entries[-1].at <= self.registry.clock() - ORPHANED_AFTER:
            table.runner = self.registry.process
            self.wake(table)

    async def _prune(self) -> None:
        while True:
            try:
                await prune(self.registry, self.keep, self.registry.clock(), self.waits)
            except Unavailable as error:
                LOG.error("old tables can't be deleted", extra={"why": str(error)})
            await asyncio.sleep(PRUNE_EVERY)

    async def _for_each(
        self,
        find: Callable[[Connection, float, Iterable[str]], list[str]],
        at: float,
        do: Callable[[str], Awaitable[None]],
    ) -> None:
        """Do something with each table found at a time; one that fails is left alone for a while, and others go on."""
        now = self.registry.runtime.monotonic()
        self._left_alone = {id: until for id, until in self._left_alone.items() if until > now}
        try:
            ids = await self.registry.run_job(find, at, self._left_alone)
        except Unavailable:
            return
        for id in ids:
            try:
                await do(id)
            except (Stale, Unavailable) as error:  # the next time it may do
                LOG.error("a table can't go on just now", extra={"why": str(error)})
            except HexdeckError as error:
                self._left_alone[id] = now + RETRY_AFTER
                LOG.error("a table can't go on by itself", extra={"why": str(error.__cause__ or error)})
            except Exception:  # a game from outside may do anything
                self._left_alone[id] = now + RETRY_AFTER
                LOG.exception("a table can't go on by itself")
