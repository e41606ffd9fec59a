"""The store: one thread reads and writes the rows of tables, and tells of what was stored.

Its jobs wait in a queue and share transactions, and so an fsync. News goes to this process, and to others that share a
PostgreSQL database.

What is deleted is overwritten in the file of an SQLite database (`secure_delete`), and its log is emptied. Copies made
before still hold it.
"""

import contextlib
import functools
import json
import logging
import queue
import sqlite3
import threading
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import Future
from dataclasses import asdict, dataclass, field
from random import Random
from typing import Any, TypeVar

from sqlalchemy import ColumnElement, Connection, Engine, Table, and_, bindparam, delete, func, insert, select, update
from sqlalchemy import text as sql
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.exc import SQLAlchemyError

from hexdeck.engine.text import say
from hexdeck.tables.database import (
    UNFINISHED,
    Database,
    analyses,
    attempts,
    carries,
    codes,
    events,
    feedback,
    holders,
    keys,
    messages,
    subscriptions,
    tables,
    tickets,
)
from hexdeck.tables.entries import MESSAGES_KEPT, Message, compact_json, news_number
from hexdeck.tables.errors import Stale, Unavailable
from hexdeck.tables.fair import TICKET_LASTS, Promise, ticket_spent
from hexdeck.tables.keys import SYSTEM

LOG = logging.getLogger("hexdeck.tables")
T = TypeVar("T")
MOST_JOBS = 256  # jobs in one transaction
News = Sequence[tuple[str, int]]  # tables and their new versions, or the numbers of new messages (`news_number`)
NewsHandler = Callable[[News], None]
Viewers = tuple[str, list[int], int]  # a table, the seats whose pages are open, the number of spectators
PresenceHandler = Callable[[str, Sequence[Viewers], bool], None]  # a process, its viewers, whether it asks for ours
NEWS_CHANNEL, PRESENCE_CHANNEL = "hexdeck_news", "hexdeck_here"
LONGEST_NOTIFICATION = 7500  # bytes of a notification; PostgreSQL takes 7999
RETRY_AFTER = 0.5  # seconds before a lost connection is opened again
PROMISE_KEY = "promises"
Row = dict[str, Any]
CHANGE = update(tables).where(tables.c.id == bindparam("changed_table"))
ROW = select(tables).where(tables.c.id == bindparam("table"))
LATER = (
    select(events)
    .where(events.c.table == bindparam("table"), events.c.version > bindparam("after"))
    .where(events.c.version <= bindparam("last"))
    .order_by(events.c.version)
)
# what is deleted with a table
PARTS_OF_TABLE = analyses, attempts, carries, codes, feedback, holders, messages, subscriptions, events
NAMES_IN_FACTS = ("name", "other")  # what sentences about a seat call the names in it
RENAMED = "name"  # the kind of entries that hold two of them
PUSH_KEY = "push"
MOST_EACH = 5  # browsers of a seat; the newest
MOST_MISSED = 500  # turns that are looked at again when a server starts


def known_code(connection: Connection, table: str) -> str:
    """The code of a table, "" without one."""
    return str(connection.execute(select(codes.c.code).where(codes.c.table == table)).scalar() or "")


def database_key(connection: Connection, source: Random = SYSTEM) -> bytes:
    """The key that secrets follow from, one for all processes of a database; drawn when first asked for."""
    insert_if_absent(connection, keys, {"name": PROMISE_KEY, "value": source.randbytes(32)})
    return bytes(connection.execute(select(keys.c.value).where(keys.c.name == PROMISE_KEY)).scalar_one())


def has_clock(clock: str) -> ColumnElement[bool]:
    """The condition of tables with a kind of clock, by their terms (see `compact_json`)."""
    return tables.c.terms.contains(f'"clock":"{clock}"')


@dataclass(frozen=True)
class Stored:
    """A table as it is stored: its row, its events after a version, and its chat messages after a number.

    `code`: its code for guests, "" without one; only where the whole table is read.
    """

    row: Row
    events: tuple[Row, ...]
    messages: tuple[Message, ...] = ()
    code: str = ""


def read_table(connection: Connection, table: str, after: int = -1, last_message: int | None = -1) -> Stored | None:
    """A table with its events after a version and its messages after a number; None where there is no such table.

    `last_message`: None where messages aren't wanted.
    """
    row = connection.execute(ROW, {"table": table}).mappings().first()
    if row is None:
        return None
    entries = connection.execute(LATER, {"table": table, "after": after, "last": row["version"]}).mappings()
    new_messages = tuple[Message, ...]()
    if last_message is not None:
        columns = (column for column in messages.c if column.name != "table")
        since = and_(messages.c.table == table, messages.c.number > last_message)
        query = select(*columns).where(since).order_by(messages.c.number)
        new_messages = tuple(Message(**message) for message in connection.execute(query).mappings())
    code = known_code(connection, table) if after < 0 else ""
    return Stored(dict(row), tuple(map(dict, entries)), new_messages, code)


def insert_table(
    connection: Connection, row: Row, first: Sequence[Row], seated: Iterable[Row], promise: Promise | None = None
) -> bool:
    """Store a new table; False, and nothing has changed, if it exists already.

    `promise`: the promise that it was created with; raises Stale where it was used before.
    """
    if promise is not None:
        expired = tickets.c.until < row["made"] - TICKET_LASTS  # no process's clock is that wrong
        connection.execute(delete(tickets).where(expired))
        ticket = {"ticket": promise.ticket, "until": promise.until}
        if not insert_if_absent(connection, tickets, ticket):
            raise ticket_spent()
    if not insert_if_absent(connection, tables, row):
        return False
    connection.execute(insert(events), list(first))
    for holder in seated:
        connection.execute(insert(holders), holder)
    return True


def append_entries(
    connection: Connection,
    table: str,
    new: Sequence[Row],
    changes: Row,
    holder: Row | None = None,
    vacated: int | None = None,
    erased: Mapping[int, str] | None = None,
) -> bool:
    """Append events and update the table's row; False, and nothing has changed, if another process was first.

    `holder`: a token that gets a seat; raises Stale if it holds one at this table already. `vacated`: a seat that loses
    its holder. `erased`: seats whose players left for good, with the names that stand in for theirs.
    """
    if not insert_if_absent(connection, events, new[0]):  # this is the compare-and-set
        return False
    if len(new) > 1:
        connection.execute(insert(events), list(new[1:]))
    connection.execute(CHANGE, {**changes, "changed_table": table})
    if vacated is not None:  # links that carry the seat elsewhere, and browsers that are told of its turns, go too
        for part in (carries, holders, subscriptions):
            connection.execute(delete(part).where(and_(part.c.table == table, part.c.seat == vacated)))
    if erased:
        erase_seats(connection, table, erased)
    if holder:
        if seat_of(connection, table, holder["token"]) is not None:
            raise Stale(say("You are already at this table."))
        connection.execute(insert(holders), holder)
    return True


def amend_table(connection: Connection, id: str, version: int, changes: Row) -> bool:
    """Change columns of a table's row that make no new version; whether it still has that version."""
    change = update(tables).where(and_(tables.c.id == id, tables.c.version == version)).values(**changes)
    return bool(connection.execute(change).rowcount)


def holders_of(connection: Connection, table: str) -> list[Row]:
    """The holders of a table's seats."""
    return [dict(row) for row in connection.execute(select(holders).where(holders.c.table == table)).mappings()]


def seat_of(connection: Connection, table: str, token: str) -> int | None:
    """The seat that a hashed token holds at a table."""
    held = and_(holders.c.table == table, holders.c.token == token)
    return connection.execute(select(holders.c.seat).where(held)).scalar()


def tables_of(connection: Connection, token: str, limit: int) -> list[Row]:
    """The tables where a hashed token holds a seat: where that seat is to act first, then the last changed first.

    The columns are `table` and `seat`, and what lists show: `game`, `seats`, `state`, `acting`, `changed`.
    """
    columns = tables.c.game, tables.c.seats, tables.c.state, tables.c.acting, tables.c.changed
    joined = select(holders.c.table, holders.c.seat, *columns).join(tables, tables.c.id == holders.c.table)
    bit = tables.c.acting.bitwise_rshift(holders.c.seat).bitwise_and(1)
    query = joined.where(holders.c.token == token).order_by(bit.desc(), tables.c.changed.desc()).limit(limit)
    return [dict(row) for row in connection.execute(query).mappings()]


def newest(connection: Connection, ids: Sequence[str]) -> list[tuple[str, int]]:
    """The newest versions of some tables, and their last messages, as news (see `news_number`)."""
    versions = connection.execute(select(tables.c.id, tables.c.version).where(tables.c.id.in_(ids)))
    last = select(messages.c.table, func.max(messages.c.number)).where(messages.c.table.in_(ids))
    numbers = connection.execute(last.group_by(messages.c.table))
    return [*map(tuple, versions), *((table, news_number(number)) for table, number in numbers)]


def postpone(connection: Connection, to: float, clock: str) -> int:
    """Let no clock of a kind run out before a time: after a pause of the server no player is late."""
    return connection.execute(update(tables).where(tables.c.due < to, has_clock(clock)).values(due=to)).rowcount


def left_to_bots(
    connection: Connection, before: float, without: Iterable[str], clock: str, limit: int = 200
) -> list[str]:
    """Tables with a kind of clock where a bot is to act and nothing has happened since a time."""
    idle = and_(tables.c.bots, tables.c.changed <= before, tables.c.state == "playing", has_clock(clock))
    statement = select(tables.c.id).where(idle, tables.c.id.not_in(list(without))).limit(limit)
    return list(connection.execute(statement).scalars())


def overdue(connection: Connection, now: float, without: Iterable[str] = (), limit: int = 200) -> list[str]:
    """Tables where a clock has run out."""
    statement = select(tables.c.id).where(tables.c.due <= now, tables.c.id.not_in(list(without))).limit(limit)
    return list(connection.execute(statement).scalars())


def unfinished(connection: Connection) -> int:
    """The number of tables that aren't over."""
    query = select(func.count()).select_from(tables).where(tables.c.state.in_(UNFINISHED))
    return int(connection.execute(query).scalar() or 0)


def still_unfinished(connection: Connection, ids: Sequence[str]) -> list[str]:
    """Which of some tables are there and aren't over."""
    statement = select(tables.c.id).where(tables.c.id.in_(ids), tables.c.state.in_(UNFINISHED))
    return list(connection.execute(statement).scalars())


def try_out(connection: Connection, write: bool) -> None:
    """Read, or write what is there already: that can't be done on a full disk, or while others lock a file."""
    connection.execute(update(keys).values(value=keys.c.value) if write else select(1))


def delete_tables(connection: Connection, ids: Sequence[str]) -> int:
    """Delete tables with all that belongs to them; returns how many were there."""
    for part in PARTS_OF_TABLE:
        connection.execute(delete(part).where(part.c.table.in_(ids)))
    return connection.execute(delete(tables).where(tables.c.id.in_(ids))).rowcount


def erase_seats(connection: Connection, table: str, names: Mapping[int, str]) -> None:
    """Delete what was left in some seats, by the names that stand in for theirs: who held them, names and messages.

    What earlier holders left, who were removed from a seat, stays.
    """
    for seat, name in names.items():
        of_seat = and_(events.c.table == table, events.c.seat == seat)
        sat = select(events.c.version, events.c.at).where(of_seat, events.c.kind == "sit")
        row = connection.execute(sat.order_by(events.c.version.desc()).limit(1)).first()
        since, at = (row.version, row.at) if row else (0, 0.0)  # they sat down, or were there from the beginning
        about = select(events).where(of_seat, events.c.version >= since, events.c.event == "[]")
        for entry in connection.execute(about).all():  # sentences about new names go
            stored = [] if entry.kind == RENAMED else json.loads(entry.facts)
            facts = compact_json([[_renamed(fact, name) for fact in group] for group in stored])
            of_version = and_(events.c.table == table, events.c.version == entry.version)
            connection.execute(update(events).where(of_version).values(facts=facts))
        own_messages = and_(messages.c.table == table, messages.c.seat == seat, messages.c.at >= at)
        connection.execute(delete(messages).where(own_messages))
        for part in (attempts, carries, feedback, holders, subscriptions):
            connection.execute(delete(part).where(and_(part.c.table == table, part.c.seat == seat)))


def erase_unplayable(connection: Connection, table: str, seat: int, name: str) -> bool:
    """Erase a seat of a table that can't be played any more, in its row too; False where there is no such table."""
    text = connection.execute(select(tables.c.seats).where(tables.c.id == table)).scalar()
    if text is None:
        return False
    seats = json.loads(text)
    names = {number: name for number, chair in enumerate(seats) if seat in (number, chair.get("device"))}
    for number in names:
        seats[number] |= {"name": name, "owner": False, "adds": ""}
    connection.execute(update(tables).where(tables.c.id == table).values(seats=compact_json(seats)))
    erase_seats(connection, table, names)
    return True


def _renamed(fact: dict[str, Any], name: str) -> dict[str, Any]:
    """A stored fact with another name."""
    args = fact["text"].get("args", {})
    changed = {key: name for key in NAMES_IN_FACTS if isinstance(args.get(key), str)}
    return {**fact, "text": {**fact["text"], "args": {**args, **changed}}} if changed else fact


def empty_log(connection: Connection) -> None:
    """Empty the log of changes beside an SQLite file, where what was deleted would stay for a while.

    Not in a transaction that has written: with such jobs it fails, and is done again alone.
    """
    if connection.dialect.name == "sqlite":
        connection.exec_driver_sql("PRAGMA wal_checkpoint(TRUNCATE)").close()


def missing(connection: Connection, ids: Sequence[str]) -> list[str]:
    """Which of some tables aren't there."""
    stored = set(connection.execute(select(tables.c.id).where(tables.c.id.in_(ids))).scalars())
    return [id for id in ids if id not in stored]


def store_message(connection: Connection, table: str, message: Message) -> bool:
    """Store a message unless its number is taken; the oldest is deleted where there are too many."""
    if not insert_if_absent(connection, messages, {"table": table, **asdict(message)}):
        return False
    old = and_(messages.c.table == table, messages.c.number <= message.number - MESSAGES_KEPT)
    connection.execute(delete(messages).where(old))
    return True


def push_key(connection: Connection, new: bytes) -> bytes:
    """The key that signs messages, one for all processes of a database; `new`: it from now on, if there is none."""
    insert_if_absent(connection, keys, {"name": PUSH_KEY, "value": new})
    return bytes(connection.execute(select(keys.c.value).where(keys.c.name == PUSH_KEY)).scalar_one())


def subscribe(connection: Connection, row: Row) -> bool:
    """Store that a browser wants to be told of a seat's turns; those that have it for longest make room."""
    of_table = subscriptions.c.table == row["table"]
    if not insert_if_absent(connection, subscriptions, row):
        subscription = and_(of_table, subscriptions.c.browser == row["browser"])
        connection.execute(update(subscriptions).where(subscription).values(row))
    of_seat = and_(of_table, subscriptions.c.seat == row["seat"])
    newest = select(subscriptions.c.browser).where(of_seat).order_by(subscriptions.c.made.desc()).limit(MOST_EACH)
    browsers = list(connection.execute(newest).scalars())
    connection.execute(delete(subscriptions).where(of_seat, subscriptions.c.browser.not_in(browsers)))
    return True


def unsubscribe(connection: Connection, browser: str) -> int:
    """Forget a browser, at all tables."""
    return connection.execute(delete(subscriptions).where(subscriptions.c.browser == browser)).rowcount


def claim_turn(connection: Connection, table: str, seat: int, turn: int) -> list[Row]:
    """The browsers to be told of a turn, each once, whichever process asks."""
    untold = and_(subscriptions.c.table == table, subscriptions.c.seat == seat, subscriptions.c.told < turn)
    statement = update(subscriptions).where(untold).values(told=turn).returning(*subscriptions.c)
    return [dict(row) for row in connection.execute(statement).mappings()]


def follow_rematch(connection: Connection, old: str, new: str, seats: dict[int, int]) -> None:
    """Let the browsers of a table be told of another's turns, too; `seats`: who sits where there."""
    stored = connection.execute(select(subscriptions).where(subscriptions.c.table == old)).mappings()
    for row in [dict(row) for row in stored if row["seat"] in seats]:
        insert_if_absent(connection, subscriptions, row | {"table": new, "seat": seats[row["seat"]], "told": -1})


def missed_turns(connection: Connection) -> list[str]:
    """The tables where a seat with subscribed browsers is to act, the last changed first."""
    bit = tables.c.acting.bitwise_rshift(subscriptions.c.seat).bitwise_and(1)
    joined = select(tables.c.id).join(subscriptions, tables.c.id == subscriptions.c.table)
    query = joined.where(tables.c.state == "playing", bit == 1).distinct().order_by(tables.c.changed.desc())
    return list(connection.execute(query.add_columns(tables.c.changed).limit(MOST_MISSED)).scalars())


# --- the thread that does them, and news of what was stored -----------------------------------------------------------
@dataclass
class Job:
    """Something to do on the connection; its result is given to `done` after the commit.

    `news`: a table and its version after the commit, to be announced if the result is true.
    """

    work: Callable[[Connection], Any]
    news: tuple[str, int] | None = None
    done: Future[Any] = field(default_factory=Future)


class Store:
    """A database behind a queue. `announce` is called in its thread, once for every transaction with news."""

    def __init__(
        self,
        database: Database,
        announce: Callable[[News], None] = lambda _: None,
        timed: Callable[[int, float], None] = lambda _jobs, _seconds: None,
    ) -> None:
        self.database, self.announce, self.timed = database, announce, timed
        self._jobs: queue.SimpleQueue[Job | None] = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._run, name="hexdeck-store", daemon=True)
        self._thread.start()

    def submit(self, work: Callable[[Connection], T], news: tuple[str, int] | None = None) -> Future[T]:
        """Do something on the connection, in a transaction; the future is done after the commit."""
        job = Job(work, news)
        self._jobs.put(job)
        return job.done

    def close(self) -> None:
        """Finish what waits, then close the database."""
        self._jobs.put(None)
        self._thread.join()
        self.database.close()

    def _run(self) -> None:
        while (job := self._jobs.get()) is not None:
            batch = [job]
            while len(batch) < MOST_JOBS and not self._jobs.empty():
                following = self._jobs.get()
                if following is None:
                    self._jobs.put(None)  # it is the last, and ends the loop
                    break
                batch.append(following)
            self._commit([waiting for waiting in batch if waiting.done.set_running_or_notify_cancel()])

    def _commit(self, batch: list[Job]) -> None:
        """Run jobs in one transaction; if one of them fails, each in its own, so that a bad job fails alone.

        Where the commit itself fails, all may be stored nevertheless: none is run again.
        """
        began, results = time.perf_counter(), list[Any]()
        try:
            with self.database.engine.begin() as connection:
                for job in batch:
                    results.append(job.work(connection))
        except BaseException as error:
            if len(batch) > 1 and len(results) < len(batch):
                for job in batch:
                    self._commit([job])
            else:
                for job in batch:
                    job.done.set_exception(_as_table_error(error))
            return
        self.timed(len(batch), time.perf_counter() - began)
        self._finish(batch, results)

    def _finish(self, batch: list[Job], results: list[Any]) -> None:
        news = [job.news for job, result in zip(batch, results, strict=True) if job.news and result]
        for job, result in zip(batch, results, strict=True):
            job.done.set_result(result)
        if news:
            try:
                self.announce(news)
            except Exception:  # news may be lost; what is stored is stored
                LOG.exception("news can't be told")


def _as_table_error(error: BaseException) -> BaseException:
    if not isinstance(error, (SQLAlchemyError, sqlite3.Error)):
        return error
    unavailable = Unavailable(say("The tables can't be read or written just now; try again in a moment."))
    unavailable.__cause__ = error
    return unavailable


def insert_if_absent(connection: Connection, table: Table, row: dict[str, Any]) -> bool:
    """Insert a row unless its key is taken; returns whether it was inserted."""
    return connection.execute(_insertion(connection.dialect.name, table), row).first() is not None


@functools.cache
def _insertion(name: str, table: Table) -> Any:
    dialect: Any = postgresql if name == "postgresql" else sqlite
    return dialect.insert(table).on_conflict_do_nothing().returning(*table.primary_key.columns)


class Fanout:
    """News of tables for the process that serves a file; a subclass carries them to other processes, too.

    `publish` is called after a commit, in the store's thread; handlers in any thread. News may be lost, so subscribers
    also poll now and then. `shared`: whether there can be other processes.
    """

    shared = False
    _on_news: NewsHandler | None = None
    _on_presence: PresenceHandler | None = None

    def subscribe(self, on_news: NewsHandler, on_presence: PresenceHandler | None = None) -> None:
        """Call these handlers for news, and for who views tables through other processes."""
        self._on_news, self._on_presence = on_news, on_presence

    def publish(self, news: News) -> None:
        """Publish news to all processes, this one too."""
        if self._on_news:
            self._on_news(news)

    def send_presence(self, viewers: Sequence[Viewers], ask: bool) -> None:
        """Send the other processes who views tables through this one. It may block."""

    def close(self) -> None:
        """Stop."""
        self._on_news = self._on_presence = None


class PostgresFanout(Fanout):
    """The fan-out of processes that share a PostgreSQL database. A lost connection loses news, never moves."""

    shared = True

    def __init__(self, engine: Engine, process: str) -> None:
        self.engine, self.process, self._ended = engine, process, threading.Event()
        self._thread = threading.Thread(target=self._run, name="hexdeck-listen", daemon=True)

    def subscribe(self, on_news: NewsHandler, on_presence: PresenceHandler | None = None) -> None:
        """Call these handlers in a thread that waits for notifications."""
        super().subscribe(on_news, on_presence)
        self._thread.start()

    def publish(self, news: News) -> None:
        """Publish news to this process at once, and to the others by NOTIFY."""
        super().publish(news)
        self._send(NEWS_CHANNEL, payloads([self.process], news))

    def send_presence(self, viewers: Sequence[Viewers], ask: bool) -> None:
        """Send the others who views tables here, by NOTIFY."""
        self._send(PRESENCE_CHANNEL, payloads([self.process, ask], viewers))

    def _send(self, channel: str, texts: Sequence[str]) -> None:
        statement = sql("SELECT pg_notify(:channel, :payload)")
        with contextlib.suppress(SQLAlchemyError), self.engine.connect() as connection:
            connection.execution_options(isolation_level="AUTOCOMMIT")
            for payload in texts:
                connection.execute(statement, {"channel": channel, "payload": payload})

    def _run(self) -> None:
        import psycopg  # an extra

        address = self.engine.url.set(drivername="postgresql").render_as_string(hide_password=False)
        while not self._ended.is_set():
            try:
                with psycopg.connect(address, autocommit=True) as connection:
                    connection.execute(f"LISTEN {NEWS_CHANNEL}")
                    connection.execute(f"LISTEN {PRESENCE_CHANNEL}")
                    while not self._ended.is_set():
                        for note in connection.notifies(timeout=0.5, stop_after=1):
                            self._handle(note.channel, json.loads(note.payload))
            except (OSError, psycopg.Error):
                self._ended.wait(RETRY_AFTER)

    def _handle(self, channel: str, message: Any) -> None:
        if message[0] == self.process:
            return
        if channel == NEWS_CHANNEL and self._on_news:
            self._on_news([(table, version) for table, version in message[1]])
        elif channel == PRESENCE_CHANNEL and self._on_presence:
            self._on_presence(message[0], [(table, seats, count) for table, seats, count in message[2]], message[1])

    def close(self) -> None:
        """Stop, and close the connection."""
        self._ended.set()
        super().close()
        if self._thread.is_alive():
            self._thread.join(2)


def payloads(head: Sequence[Any], items: Sequence[Any]) -> list[str]:
    """The items in as few notifications as hold them, each beginning with the head."""
    parts, size = list[list[Any]]([[]]), 0
    for item in items:
        wide = len(json.dumps(item)) + 2
        if parts[-1] and size + wide > LONGEST_NOTIFICATION:
            parts.append([])
            size = 0
        parts[-1].append(item)
        size += wide
    return [json.dumps([*head, part]) for part in parts]
