"""All tables that a process serves: loaded, changed one at a time, kept in memory while they are needed.

A change reads the table, drafts, stores (the key of its event is the compare-and-set), and is acknowledged and
announced only after the commit. Everything here runs in one event loop. The functions before the registry convert live
tables to rows of the database, and back.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
import random
import time
from collections import OrderedDict
from collections.abc import AsyncIterator, Callable, Sequence
from dataclasses import replace
from typing import Any, Concatenate, ParamSpec, TypeVar

from sqlalchemy import Connection

from hexdeck.engine.backends.kernels import CHANCE
from hexdeck.engine.discovery.definition import GameDefinition, definition
from hexdeck.engine.discovery.finding import find_game, places
from hexdeck.engine.errors import BadRecord, HexdeckError
from hexdeck.engine.layout import bytes_at, options_at
from hexdeck.engine.play.game import quickest_backend, raw
from hexdeck.engine.play.match import event_ids
from hexdeck.engine.text import Text, _, say
from hexdeck.engine.view import Event, everyone, fact_from_data
from hexdeck.simulation.game import Game
from hexdeck.tables import codes, entries, fair, rows
from hexdeck.tables.database import Database
from hexdeck.tables.entries import Draft, Entry, TableSeat, Terms
from hexdeck.tables.errors import GameMissing, NotResumable, Stale, TableError, Unavailable, no_table
from hexdeck.tables.fair import Promise
from hexdeck.tables.keys import SYSTEM, is_id, new_token
from hexdeck.tables.live import Drafter, LiveTable, played_by_server
from hexdeck.tables.rows import Row
from hexdeck.tables.thinker import Interest, Recent, Thinker

LOG = logging.getLogger("hexdeck.tables")
P = ParamSpec("P")
T = TypeVar("T")
MOST_LIVE = 4096  # tables in memory
TRIES = 6  # how often a change is drafted anew when another process was first
MOST_POSTPONED = 3600.0  # seconds that a clock which ran out while no server ran goes on for
POLL_EVERY = 5.0  # seconds between polls of the versions of watched tables


# --- to rows ----------------------------------------------------------------------------------------------------------
def entry_row(table: LiveTable, entry: Entry) -> Row:
    """The row of an entry."""
    facts = [[fact.data() for fact in facts] for facts in entry.facts]
    return {
        "table": table.id,
        "version": entry.version,
        "kind": entry.kind,
        "seat": entry.seat,
        "event": entries.compact_json(event_texts(table.game, entry)),
        "facts": entries.compact_json(facts),
        "at": entry.at,
    }


def event_texts(game: Game, entry: Entry) -> list[str]:
    """The events of an entry, as records write them."""
    rules = game.rules
    events = ((seat, id, (rules.OUTCOMES if seat == CHANCE else rules.ACTIONS)[id]) for seat, id in entry.pairs)
    return [Event(*event).recorded for event in events]


def changed_columns(table: LiveTable, draft: Draft, runner: str) -> Row:
    """The columns of a table's row that a draft changes; the match is at the draft's position already."""
    acting = table.match.acting if table.match and draft.state == entries.PLAYING else ()
    due = [seat.due for seat in draft.seats if seat.due is not None]
    # it is in use from now on if a player moves or joins, or the table is a rematch
    moved = (
        entry.kind in (entries.MOVE, entries.CHOICE) and not draft.seats[entry.seat].local for entry in draft.entries
    )
    used = any(moved) or any(entry.kind == "sit" for entry in draft.entries) or bool(draft.terms.past)
    return ({"used": True} if used else {}) | {
        "terms": entries.compact_json(vars(draft.terms)),
        "seats": seats_text(draft.seats),
        "version": draft.entries[-1].version,
        "state": draft.state,
        "rules": table.game.definition.struct_version,
        "struct": raw(table.match.rows)[0].tobytes() if table.match else None,
        "bots": bool(acting and table.match and played_by_server(table.match, draft.seats)),
        "acting": sum(1 << seat for seat in acting),
        "runner": runner,
        "due": min(due, default=None) if draft.state == entries.PLAYING else None,
        "rematch": draft.rematch or table.rematch,
        "result": result_text(table, draft.entries) if draft.state == entries.OVER else None,
        "changed": draft.entries[-1].at,
    }


def result_text(table: LiveTable, new: Sequence[Entry] = ()) -> str | None:
    """The result of a table whose match is over, as it is stored; None where its game can't say."""
    assert table.match is not None
    try:
        return entries.compact_json(entries.result_of(table.match, [*table.entries, *new]).data())
    except Exception:  # a game from outside may do anything; the last move is stored nevertheless
        LOG.exception("a game can't say how its match ended")
        return None


def seats_text(seats: tuple[TableSeat, ...]) -> str:
    """Seats as they are stored."""
    return entries.compact_json([seat.data() for seat in seats])


# --- from rows --------------------------------------------------------------------------------------------------------
def terms_of(text: str) -> Terms:
    """The terms of their stored text."""
    terms = Terms(**json.loads(text))
    return replace(terms, past=tuple(terms.past))


def table_from_rows(stored: rows.Stored) -> LiveTable:
    """The table of its rows, its match replayed from its events. Raises NotResumable or GameMissing."""
    row = stored.row
    assert_going(stored)
    played = game_of(row)  # first: what newer rules have stored can't be read further
    terms, seats = terms_of(row["terms"]), entries.seats_of(json.loads(row["seats"]))
    table = LiveTable(row["id"], played, terms, seats, row["secret"], row["invites"])
    table.code = stored.code
    extend(table, stored)
    table.add_messages(stored.messages)
    return table


def game_of(row: Row) -> Game:
    """The game of a row. Raises GameMissing where it can't be played now, what `not_resumable` makes where it changed.

    Where the table's rules are newer than ours it raises TableError.
    """
    try:
        chosen = definition(find_game(row["game"]))
    except HexdeckError as error:
        text = _("This table is waiting for its game: {game} can't be played on this server just now.")
        raise GameMissing(say(text, game=row["game"])) from error
    assert_known(row, chosen.struct_version)
    try:  # the options of a row are those of the version that it was set up with
        options = {**options_at(chosen.rules.STRUCT, 0), **json.loads(row["options"])}
        return Game.stored(chosen.name, row["players"], options)
    except HexdeckError as error:
        raise not_resumable(chosen, error.text) from None


def assert_known(row: Row, version: int) -> None:
    """Raise TableError where a table's rules are newer than those that are known."""
    if row["rules"] > version:
        text = _("This table follows newer rules of {game} than this server knows; update hexdeck.")
        raise TableError(say(text, game=row["game"]))


def extend(table: LiveTable, stored: rows.Stored) -> None:
    """Take over what other processes stored since the table's version; raises `not_resumable` if it doesn't follow.

    Raises TableError where another process, which was updated, goes on by newer rules.
    """
    row, old_count, played = stored.row, len(table.entries), table.game.definition
    assert_known(row, played.struct_version)
    assert_going(stored)
    try:
        for entry in stored.events:
            pairs = tuple(event_ids(table.game, k, text) for k, text in enumerate(json.loads(entry["event"])))
            facts = tuple(tuple(map(fact_from_data, group)) for group in json.loads(entry["facts"]))
            table.entries.append(Entry(entry["version"], entry["kind"], entry["seat"], pairs, facts, entry["at"]))
    except (BadRecord, ValueError, KeyError) as error:
        raise not_resumable(played, error.text if isinstance(error, BadRecord) else say("it is damaged")) from None
    table.terms, table.seats = terms_of(row["terms"]), entries.seats_of(json.loads(row["seats"]))
    if row["struct"] is not None:
        news = table.entries[old_count:]
        if table.match is None or any(entry.kind == entries.RETRACT for entry in news):
            bad = table.restore(quickest_backend(played), table.pairs, table.facts)
        else:
            bad = table.follow(tuple(pair for entry in news for pair in entry.pairs))
        if bad >= 0:
            raise not_resumable(played, say("event {event} is no longer possible", event=bad))
        assert table.match is not None
        # what rules of that version can't tell, isn't compared
        position = bytes_at(table.game.rules.STRUCT, row["rules"], raw(table.match.rows)[0].tobytes())
        if position is not None and position != bytes(row["struct"]):
            raise not_resumable(played, say("its events don't lead to the position it was in"))
    table.version, table.state = row["version"], row["state"]
    table.runner, table.rematch = row["runner"], row["rematch"]
    table.recount_progress()
    table.cache.clear()


def not_resumable(played: GameDefinition, reason: Text) -> TableError:
    """The error for a table that can't be resumed, with the reason; what isn't ours may be put back any time."""
    if not played.own:
        text = _("The rules of {game} have changed since ({reason}); this table comes back when they are put back.")
        return GameMissing(say(text, game=played.name, reason=reason))
    text = _("This table can't be resumed: the game has changed since it was saved ({reason}).")
    return NotResumable(say(text, reason=reason))


def assert_going(stored: rows.Stored) -> None:
    """Raise NotResumable, with the sentence that a table ended with, where it has ended."""
    if stored.row["state"] == entries.ENDED:
        ((fact, *_others),) = json.loads(stored.events[-1]["facts"])
        raise NotResumable(fact_from_data(fact).text)


class Runtime:
    """A real machine. `random`: the system's own generator, which is unpredictable."""

    random: random.Random = SYSTEM

    def clock(self) -> float:
        """The time, in seconds since 1970; it may be set back."""
        return time.time()

    def monotonic(self) -> float:
        """The seconds since some moment; they only grow, also while the machine sleeps where it can tell."""
        return time.clock_gettime(time.CLOCK_BOOTTIME) if hasattr(time, "CLOCK_BOOTTIME") else time.monotonic()

    def worked(self) -> float:
        """The seconds of a processor that this thread has worked."""
        return time.thread_time()

    def database(self, url: str) -> Database:
        """Open a database; raises BadStore or BadOption."""
        return Database(url)

    def store(self, database: Database, announce: rows.NewsHandler, timed: Callable[[int, float], None]) -> rows.Store:
        """The thread that reads and writes a database."""
        return rows.Store(database, announce, timed)

    def thinker(self) -> Thinker:
        """The threads in which bots think."""
        return Thinker(random=self.random)

    def fanout(self, database: Database, process: str) -> rows.Fanout:
        """The fan-out that fits a database."""
        if database.is_file:
            return rows.Fanout()
        return rows.PostgresFanout(database.engine, process)


class TableRegistry:
    """The tables of a database, as one process serves them.

    `on_change` is called for every table of which this process learns a new version, `on_entry` for every entry that it
    stored, `on_presence` when another process sends who views tables there.
    """

    def __init__(
        self,
        database: Database,
        *,
        most_live: int = MOST_LIVE,
        clock: Callable[[], float] | None = None,
        timed: Callable[[int, float], None] = lambda _jobs, _seconds: None,
        runtime: Runtime | None = None,
    ) -> None:
        self.runtime = runtime or Runtime()
        self.process = new_token(self.runtime.random, 9)
        self.database, self.most_live, self.clock = database, most_live, clock or self.runtime.clock
        self.fanout = self.runtime.fanout(database, self.process)
        self.store = self.runtime.store(database, self.fanout.publish, timed)
        self.tables: OrderedDict[str, LiveTable] = OrderedDict()
        self.watched: dict[str, int] = {}  # tables that are viewed, and by how many
        self.interest = Interest(self.runtime.monotonic)
        self.on_change: Callable[[LiveTable], None] = lambda _table: None
        self.on_entry: Callable[[LiveTable, Entry], None] = lambda _table, _entry: None
        self.on_presence: rows.PresenceHandler = lambda _process, _viewers, _ask: None
        self._loading: dict[str, asyncio.Task[LiveTable]] = {}
        self._holders = Recent[tuple[str, str], int | None](4 * most_live)
        self._tasks: dict[asyncio.Task[Any], None] = {}  # in the order of their beginning

    # --- beginning and end --------------------------------------------------------------------------------------------
    async def open(self) -> None:
        """Subscribe to news; seats that were to move while no server ran get the time that their clocks allow."""
        self.loop = asyncio.get_running_loop()
        self.fanout.subscribe(
            lambda news: self._soon(self._handle_news, list(news)),
            lambda process, viewers, ask: self._soon(self.on_presence, process, viewers, ask),
        )
        await self.postpone_clocks()
        self.key = await self.run_job(rows.database_key, self.runtime.random)
        self.spawn(self._poll())

    async def postpone_clocks(self) -> None:
        """Give seats that were to move while no process ran the time that their clocks allow, an hour at most."""
        if self.database.is_file:
            for clock, seconds in entries.CLOCKS.items():
                until = self.clock() + min(seconds or 0.0, MOST_POSTPONED)
                await self.run_job(rows.postpone, until, clock)

    async def close(self) -> None:
        """Stop; what was given to the store is still stored."""
        for task in list(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await asyncio.get_running_loop().run_in_executor(None, self.store.close)
        self.fanout.close()

    def spawn(self, work: Any) -> asyncio.Task[Any]:
        """Run something in the background, until the registry closes; what it raises is logged."""

        def log_failure(finished: asyncio.Task[Any]) -> None:
            if not finished.cancelled() and (error := finished.exception()) is not None:
                LOG.error("a background task has failed", exc_info=error)

        task = self._start(work)
        task.add_done_callback(log_failure)
        return task

    def _start(self, work: Any) -> asyncio.Task[Any]:
        task = asyncio.get_running_loop().create_task(work)
        self._tasks[task] = None
        task.add_done_callback(lambda done: self._tasks.pop(done, None))
        return task

    async def run_job(self, job: Callable[Concatenate[Connection, P], T], *args: P.args, **options: P.kwargs) -> T:
        """Run a job on the store's connection; returns after the commit."""
        return await asyncio.wrap_future(self.store.submit(lambda connection: job(connection, *args, **options)))

    async def run_announced(self, job: Callable[[Connection], T], news: tuple[str, int]) -> T:
        """Run a job, and announce a table's new version after the commit if the result is true."""
        return await asyncio.wrap_future(self.store.submit(job, news))

    # --- news ---------------------------------------------------------------------------------------------------------
    def _soon(self, handle: Callable[..., None], *news: Any) -> None:
        with contextlib.suppress(RuntimeError):  # the loop has ended
            self.loop.call_soon_threadsafe(handle, *news)

    async def send_presence(self, viewers: Sequence[rows.Viewers], ask: bool) -> None:
        """Send the other processes who views tables here; `ask`: they should send theirs."""
        if viewers:
            await self.loop.run_in_executor(None, self.fanout.send_presence, viewers, ask)

    def _handle_news(self, news: rows.News) -> None:
        for id, version in news:
            table = self.tables.get(id)
            if table is None:
                self.forget_holders(id)  # another token may hold a seat of it by now
                if id in self.watched or id in self._loading:
                    self.spawn(self._load_again(id, version))
            elif table.is_news(version):
                if id in self.watched or table.lock.locked():
                    self.spawn(self._catch_up(table, version))
                else:  # it isn't needed here just now: whoever asks for it loads it again
                    self.forget(id)
                    self.forget_holders(id)

    async def _load_again(self, id: str, version: int) -> None:
        """Load a table that was dropped while pages show it, or of which there was news while it was loaded."""
        with contextlib.suppress(TableError):  # it was deleted, or can't be read just now
            await self._catch_up(await self.table(id), version)

    async def _catch_up(self, table: LiveTable, version: int) -> None:
        with contextlib.suppress(TableError):  # the next reader of the table is told
            async with table.lock:  # by then, what this process stored itself is adopted
                if table.is_news(version):
                    try:
                        changed = await self.refresh(table, messages=version < 0)
                    except TableError:  # it was deleted, or can't go on here: its pages are told
                        self.on_change(table)
                        raise
                    if changed:
                        self.on_change(table)

    async def _poll(self) -> None:
        """Now and then look for news that was lost."""
        while True:
            await asyncio.sleep(POLL_EVERY)
            if self.watched and not self.database.is_file:
                with contextlib.suppress(Unavailable):
                    watched = list(self.watched)
                    self._handle_news(await self.run_job(rows.newest, watched))

    async def refresh(self, table: LiveTable, *, messages: bool = True) -> bool:
        """Load what others have stored since, `messages` too; returns whether there was anything. Needs its lock."""
        stored = await self._read(table, table.version, table.last_message if messages else None)
        has_messages = table.add_messages(stored.messages)
        if stored.row["version"] == table.version:
            return has_messages
        if any(
            row["kind"] in (entries.ERASE, entries.RETRACT) for row in stored.events
        ):  # what is older has changed, too
            await self._reload(table)
            return True
        try:
            extend(table, stored)
        except TableError:  # it has ended, or goes on by rules that only a newer server knows
            self.forget(table.id)
            raise
        news = table.entries[-len(stored.events) :]
        if entries.frees(news):
            self.forget_holders(table.id)
            table.code = await self.run_job(rows.known_code, table.id)
        return True

    async def _read(self, table: LiveTable, after: int = -1, last: int | None = -1) -> rows.Stored:
        stored = await self.run_job(rows.read_table, table.id, after, last)
        if stored is None:
            self.forget(table.id)
            raise no_table()
        return stored

    async def _reload(self, table: LiveTable) -> None:
        """Load all of a table anew, its match in another thread. Needs its lock."""
        stored = await self._read(table)
        self.forget_holders(table.id)
        try:
            table.replace_by(await asyncio.get_running_loop().run_in_executor(None, table_from_rows, stored))
        except BaseException:
            self.forget(table.id)
            raise

    # --- finding tables -----------------------------------------------------------------------------------------------
    async def table(self, id: str) -> LiveTable:
        """The table of that id; raises NoTable, GameMissing or NotResumable."""
        table = self.tables.get(id)
        if table is not None and table.game.name in places():
            self.tables.move_to_end(id)
            return table
        if id not in self._loading:
            self._loading[id] = self._start(self._load(id))
            self._loading[id].add_done_callback(lambda _: self._loading.pop(id, None))
        return await asyncio.shield(self._loading[id])

    @contextlib.asynccontextmanager
    async def reading(self, id: str, *, newest: bool = True) -> AsyncIterator[LiveTable]:
        """The table, locked: what is drafted but not stored yet can't be seen.

        `newest`: as it is stored, also where another process was killed before it told of what it stored; False where
        nothing goes back without it: a stream begins with a read, and what is stored after a change is compared.
        """
        while True:
            table = await self.table(id)
            async with table.lock:
                if newest and self.fanout.shared:
                    await self._make_sure(table)
                if self.tables.get(id) is table:  # otherwise it was loaded again meanwhile
                    yield table
                    return

    async def _make_sure(self, table: LiveTable) -> None:
        with contextlib.suppress(Unavailable):  # then it is shown as it was
            stored = await self.run_job(rows.newest, [table.id])
            if any(table.is_news(version) for _, version in stored) and await self.refresh(table):
                self.on_change(table)

    async def _load(self, id: str) -> LiveTable:
        stored = await self.run_job(rows.read_table, id) if is_id(id) else None
        if stored is None:
            raise no_table()
        try:
            table = await asyncio.get_running_loop().run_in_executor(None, table_from_rows, stored)
        except NotResumable as broken:
            row, version = stored.row, stored.row["version"] + 1
            if row["state"] != entries.ENDED:  # store the sentence that it ends with
                facts = entries.compact_json([[fact.data() for fact in everyone(broken.text)]])
                entry = {"table": id, "version": version, "kind": "ended", "seat": -1, "event": "[]", "facts": facts}
                changes = {"version": version, "state": entries.ENDED, "bots": False, "due": None}
                await self.run_job(rows.append_entries, id, [entry | {"at": self.clock()}], changes)
            raise
        self.keep(table)
        self.on_change(table)
        return table

    def keep(self, table: LiveTable) -> None:
        """Keep a table in memory; the least recently used ones go if there are too many, unless they are watched."""
        self.tables[table.id] = table
        for id in list(self.tables)[: max(0, len(self.tables) - self.most_live)]:
            if id not in self.watched and not self.tables[id].lock.locked():
                self.forget(id)

    def forget(self, id: str) -> None:
        """Drop a table from memory."""
        self.tables.pop(id, None)

    def promise(self, ticket: str = "") -> Promise:
        """The promise of a ticket, or a new one; raises Stale for a ticket that is too old."""
        now, source = self.clock(), self.runtime.random
        return fair.promise_of(self.key, ticket, now) if ticket else fair.new_promise(self.key, now, source)

    # --- changing tables ----------------------------------------------------------------------------------------------
    async def change(self, id: str, draft: Drafter, holder: rows.Row | None = None) -> LiveTable:
        """Change a table: draft, store, adopt. If another process was first, it is drafted anew.

        What the drafter raises is raised, and nothing has changed. Raises Stale if others are first again and again.
        """
        async with self.reading(id, newest=False) as table:
            for _ in range(TRIES):
                try:
                    drafted = draft(table)
                except BaseException:
                    table.undo()
                    raise
                if await self._store(table, drafted, holder):
                    return table
                table.undo()
                if await self.refresh(table):
                    self.on_change(table)  # the news, which comes later, tells pages here nothing new
        raise Stale(say("The table has moved on; look again."))

    async def amend(self, id: str, change: Callable[[LiveTable], tuple[TableSeat, ...]]) -> None:
        """Change what is kept beside the seats, without a new version: other seats don't notice.

        What `change` raises is raised. Raises Stale if another process was first again and again.
        """
        async with self.reading(id, newest=False) as table:
            for _ in range(TRIES):
                if not self.database.is_file:
                    await self.read_asides(table)
                seats = change(table)
                changes = {"seats": seats_text(seats)}
                if await self.run_job(rows.amend_table, id, table.version, changes):
                    table.seats = seats
                    table.cache.clear()
                    return
                if await self.refresh(table):
                    self.on_change(table)
        raise Stale(say("The table has moved on; look again."))

    async def read_asides(self, table: LiveTable) -> None:
        """Read what was said aside through other processes. Needs its lock."""
        stored = await self._read(table, table.version)
        if stored.row["version"] == table.version:
            table.seats = entries.seats_of(json.loads(stored.row["seats"]))

    async def _store(self, table: LiveTable, drafted: Draft, holder: rows.Row | None) -> bool:
        """Store what was drafted, and adopt it; False where another process was first."""
        try:  # a game from outside may fail when it is asked whose turn it is
            new, columns = (
                [entry_row(table, entry) for entry in drafted.entries],
                changed_columns(table, drafted, self.process),
            )
        except HexdeckError:
            self.forget(table.id)
            raise
        erased = {seat: drafted.seats[seat].name for seat in drafted.erased}
        changed = new, columns, holder, drafted.vacated, erased
        renewed = list[str]()

        def job(connection: Connection) -> bool:
            stored = rows.append_entries(connection, table.id, *changed)
            if stored and entries.frees(drafted.entries):
                renewed[:] = [codes.renew_code(connection, table.id, self.runtime.random)]
            return stored

        waiting = asyncio.ensure_future(self.run_announced(job, (table.id, drafted.entries[-1].version)))
        try:
            stored = await asyncio.shield(waiting)
        except BaseException:  # it may be stored nevertheless, or the client is gone: load it again
            self.forget(table.id)
            raise
        if not stored:
            return False
        table.code = renewed[0] if renewed else table.code
        table.adopt(drafted, self.process)
        if entries.frees(drafted.entries):
            self.forget_holders(table.id)
        if drafted.erased:
            await asyncio.shield(self._start(self._reload(table)))
        for entry in drafted.entries:
            self.on_entry(table, entry)
        self.on_change(table)
        return True

    async def add(
        self, table: LiveTable, drafted: Draft, holders: Sequence[rows.Row], promise: Promise | None = None
    ) -> LiveTable:
        """Store a new table; returns the table of that id that exists already, if there is one.

        `promise`: the promise that it was created with; raises Stale where it was used before.
        """
        row = {
            "id": table.id,
            "game": table.game.name,
            "players": table.game.players,
            "options": entries.compact_json(dict(table.game.options)),
            "secret": table.secret,
            "invites": table.invitation_key,
            "made": drafted.entries[0].at,
            "day": table.terms.day or None,
            "used": False,
        } | changed_columns(table, drafted, self.process)
        new, coded = [entry_row(table, entry) for entry in drafted.entries], drafted.state == entries.WAITING

        def insert(connection: Connection) -> str | None:
            inserted = rows.insert_table(connection, row, new, holders, promise)
            return (codes.code_of(connection, table.id, self.runtime.random) if coded else "") if inserted else None

        code = await self.run_job(insert)
        if code is None:
            return await self.table(table.id)
        table.code = code
        table.adopt(drafted, self.process)
        self.keep(table)
        for entry in drafted.entries:
            self.on_entry(table, entry)
        self.on_change(table)
        return table

    async def delete(self, id: str) -> None:
        """Delete a table with all that belongs to it; its pages are told. Raises NoTable."""
        table = self.tables.get(id)
        async with contextlib.nullcontext() if table is None else table.lock:
            version = table.version if table else 0
            if not await self.run_announced(lambda connection: rows.delete_tables(connection, [id]), (id, version + 1)):
                raise no_table()
            self.forget(id)
            self.forget_holders(id)
        if table is not None:
            self.on_change(table)
        await self.run_job(rows.empty_log)

    # --- who holds what -----------------------------------------------------------------------------------------------
    async def seat_of(self, id: str, token: str) -> int | None:
        """The seat that a hashed token holds at a table, or None."""
        if not is_id(id):
            return None
        key = id, token
        if key in self._holders:
            return self._holders[key]
        seat: int | None = await self.run_job(rows.seat_of, id, token)
        if seat is not None and id in self.tables:  # else news of another holder might come before it is remembered
            self._holders[key] = seat
        return seat

    def remember_holder(self, id: str, token: str, seat: int) -> None:
        """Remember that a hashed token holds a seat."""
        self._holders[id, token] = seat

    def forget_holders(self, id: str) -> None:
        """Forget who holds the seats of a table, so that it is looked up again."""
        for key in [key for key in self._holders if key[0] == id]:
            del self._holders[key]

    def count_viewers(self, id: str, change: int) -> None:
        """Count the viewers of a table."""
        self.watched[id] = self.watched.get(id, 0) + change
        if change > 0 and id not in self.tables:
            self.spawn(self._load_again(id, 0))
        if self.watched[id] <= 0:
            del self.watched[id]
