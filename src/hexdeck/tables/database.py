"""The database of a URL: opened for one writer, locked against a second one, migrated, copied.

One thread reads and writes it: jobs wait in a queue and share transactions, and so an fsync. News of what was stored
goes to this process, and to others that share a PostgreSQL database.
"""

import contextlib
import functools
import json
import logging
import os
import queue
import sqlite3
import sys
import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any, TypeVar

import platformdirs
from sqlalchemy import Connection, Engine, Table, create_engine, event, insert, inspect, make_url, text
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.engine import URL
from sqlalchemy.exc import ArgumentError, DBAPIError, NoSuchModuleError, SQLAlchemyError

from hexdeck.engine.errors import BadOption
from hexdeck.engine.text import Text, _, say
from hexdeck.tables.errors import BadStore, Unavailable
from hexdeck.tables.schema import REVISION, metadata, versions

MIGRATIONS = Path(__file__).parent / "migrations"
PRIVATE = 0o600
PRAGMAS = "journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON", "busy_timeout=5000", "secure_delete=ON"
MIGRATING = 0x6865786465636B  # the advisory lock of PostgreSQL that holds while migrations run
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


def default_url() -> str:
    """The URL of a file in the user's data folder."""
    return f"sqlite:///{Path(platformdirs.user_data_dir('hexdeck')) / 'tables.db'}"


def parsed(database: str) -> URL:
    """The URL of a database (the path of a file means SQLite); raises BadOption."""
    try:
        url = make_url(database if "://" in database else f"sqlite:///{Path(database).expanduser().absolute()}")
    except ArgumentError:
        raise BadOption(_refused(database)) from None
    if url.get_backend_name() == "postgresql":
        return url.set(drivername="postgresql+psycopg")
    if url.drivername != "sqlite" or not url.database or url.database == ":memory:":
        raise BadOption(_refused(database))
    return url


def place_of(url: URL) -> str:
    """Where a database is: the path of its file, or the URL of its server without a password and a driver."""
    if url.get_backend_name() == "sqlite":
        return str(url.database)
    return url.set(drivername=url.get_backend_name()).render_as_string(hide_password=True)


def _refused(database: str) -> Any:
    text = _("Tables can't be kept in {given}; name a file, sqlite:///PATH or postgresql://USER@HOST/NAME.")
    return say(text, given=database.rsplit("@", maxsplit=1)[-1])


class Database:
    """An engine whose tables are up to date. `place` says where it is, without a password."""

    def __init__(self, database: str) -> None:
        self.url = parsed(database)
        self.is_file = self.url.get_backend_name() == "sqlite"
        self.place = place_of(self.url)
        self._lock = locked(Path(str(self.url.database))) if self.is_file else None
        try:
            self.engine = _engine(self.url)
            with self.engine.begin() as connection:
                migrate(connection)
        except (DBAPIError, NoSuchModuleError, ModuleNotFoundError) as error:
            self.close()
            raise cannot_open(self.place, reason_of(error)) from None
        except BadStore:
            self.close()
            raise

    def close(self) -> None:
        """Close it, and release the lock."""
        with contextlib.suppress(AttributeError):
            self.engine.dispose()
        if self._lock:
            self._lock.close()


def reason_of(error: Exception) -> str | Text:
    """What a driver says first of an error, without a full stop; what to install where there is no driver."""
    if isinstance(error, ModuleNotFoundError):
        text = _("it needs {missing}; pip install '.[postgres]' in Hexdeck's folder installs it")
        return say(text, missing=str(error.name))
    first = str(getattr(error, "orig", error)).strip().partition("\n")[0]
    return " ".join(first.split()).rstrip(".") or type(error).__name__


def side_files(path: Path) -> tuple[Path, Path]:
    """The files that SQLite puts beside a database: what was written lately, and where in it."""
    return path.with_name(f"{path.name}-wal"), path.with_name(f"{path.name}-shm")


def cannot_open(address: str, reason: str | Text) -> BadStore:
    """The error of a database that can't be opened."""
    return BadStore(say("The tables in {place} can't be opened: {reason}.", place=address, reason=reason))


def _engine(url: URL) -> Engine:
    if url.get_backend_name() != "sqlite":
        return create_engine(url, pool_size=2, pool_pre_ping=True)  # the server may have been started anew
    engine = create_engine(url, pool_size=1, max_overflow=0, connect_args={"check_same_thread": False})

    @event.listens_for(engine, "connect")
    def prepare(connection: Any, _record: Any) -> None:
        connection.isolation_level = None  # Python begins no transactions of its own: it leaves migrations out of them
        for pragma in PRAGMAS:
            connection.execute(f"PRAGMA {pragma}").close()

    @event.listens_for(engine, "begin")
    def begin(connection: Connection) -> None:
        connection.exec_driver_sql("BEGIN").close()

    return engine


def locked(path: Path, *, create: bool = True) -> IO[str]:
    """Lock a file beside the database: SQLite before 3.51.3 may corrupt its log when two processes write.

    The database's own file, with cards that are still secret, opens only to its owner; so do those that SQLite
    puts beside it. With `create` it is there then.
    """
    try:
        missing = [parent for parent in (path.parent, *path.parent.parents) if not parent.exists()]
        path.parent.mkdir(parents=True, exist_ok=True)
        for parent in reversed(missing):  # so that they stay
            sync_folder(parent.parent)
        lock = path.with_name(path.name + ".lock").open("a+")
        if create:
            path.touch(mode=PRIVATE)
            for file in (path, *filter(Path.exists, side_files(path))):
                file.chmod(file.stat().st_mode & PRIVATE)
            sync_folder(path.parent)
    except OSError as error:
        reason = error.strerror or type(error).__name__
        raise cannot_open(str(path), reason) from None
    try:
        hold(lock)
    except OSError:
        lock.close()
        message = _("Another hexdeck serves the tables in {place}; stop it, or name another --database.")
        raise BadStore(say(message, place=str(path))) from None
    return lock


def hold(lock: IO[str]) -> None:
    """Hold an open file for as long as it is open; raises OSError where another process holds it."""
    if sys.platform == "win32":
        import msvcrt

        msvcrt.locking(lock.fileno(), msvcrt.LK_NBLCK, 1)
    else:
        import fcntl

        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)


def migrate(connection: Connection) -> None:
    """Bring the schema up to date; one process at a time."""
    if connection.dialect.name == "postgresql":
        connection.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": MIGRATING})
    if not has_tables(connection):
        metadata.create_all(connection)
        connection.execute(insert(versions).values(version_num=REVISION))
    elif not is_newest(connection):
        _upgrade(connection)


def has_tables(connection: Connection) -> bool:
    """Whether some version of hexdeck has stored its tables here."""
    return inspect(connection).has_table("alembic_version")


def is_newest(connection: Connection) -> bool:
    """Whether the schema is the one that this hexdeck wants."""
    if not has_tables(connection):
        return False
    return list(connection.execute(text("SELECT version_num FROM alembic_version")).scalars()) == [REVISION]


def _upgrade(connection: Connection) -> None:
    from alembic.config import Config  # slow to import, and rarely needed
    from alembic.runtime.environment import EnvironmentContext
    from alembic.script import ScriptDirectory
    from alembic.util import CommandError

    logging.getLogger("alembic").setLevel(logging.WARNING)
    scripts = ScriptDirectory(str(MIGRATIONS), version_locations=[str(MIGRATIONS)])

    def steps(revision: Any, _context: Any) -> list[Any]:
        return scripts._upgrade_revs("head", revision)  # noqa: SLF001 - as Alembic's documentation does

    try:
        with EnvironmentContext(Config(), scripts, fn=steps) as migrations:
            migrations.configure(connection)
            migrations.run_migrations()
    except CommandError:
        raise other_version(place_of(connection.engine.url)) from None


def other_version(address: str) -> BadStore:
    """The error of tables that another version of hexdeck has stored."""
    text = _(
        "The tables in {place} were stored by another version of hexdeck: serve them with that version, or name "
        "another --database."
    )
    return BadStore(say(text, place=address))


def sync_folder(folder: Path) -> None:
    """Put the names in a folder on the disk."""
    if os.name == "nt":  # no folder can be opened there
        return
    opened = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(opened)
    finally:
        os.close(opened)


def file_of(database: str) -> Path:
    """The file of a database; raises BadStore for PostgreSQL, which has tools of its own."""
    url = parsed(database)
    if url.get_backend_name() != "sqlite":
        raise BadStore(say("PostgreSQL has pg_dump and pg_restore for this; here only files are copied."))
    return Path(str(url.database))


def back_up(database: str, to: Path) -> int:
    """Copy the tables of a database as they are now to a new file; returns how many. Raises BadStore."""
    return _copy_file(file_of(database), to)


def restore(database: str, copy: Path) -> int:
    """Put the tables of a copy where a database is wanted and none is yet; returns how many. Raises BadStore."""
    file = file_of(database)
    if file.exists():
        raise file_exists(file)
    lock = locked(file, create=False)
    try:
        count = _copy_file(copy, file)
    finally:
        lock.close()
    Database(database).close()  # brings it up to date
    return count


def _copy_file(source: Path, to: Path) -> int:
    """Copy to a file beside the target, check it, then give it its name."""
    if to.exists():
        raise file_exists(to)
    part = to.with_name(f"{to.name}.part")
    try:
        part.unlink(missing_ok=True)
        part.touch(mode=PRIVATE)
        with (
            contextlib.closing(sqlite3.connect(f"{source.absolute().as_uri()}?mode=ro", uri=True)) as original,
            contextlib.closing(sqlite3.connect(part)) as target,
        ):
            original.backup(target)
            target.execute("PRAGMA journal_mode=DELETE")
            ((verdict,),) = target.execute("PRAGMA integrity_check(1)")
            if verdict != "ok":
                raise cannot_open(str(source), say("the file is damaged"))
            ((count,),) = target.execute("SELECT count(*) FROM tables")
        with part.open("rb") as file:
            os.fsync(file.fileno())
        part.rename(to)
        sync_folder(to.parent)
    except (OSError, sqlite3.Error) as error:
        if "not a database" in str(error) or "no such table" in str(error):
            raise BadStore(say("{file} isn't a copy made by hexdeck tables backup.", file=str(source))) from None
        raise cannot_open(str(source), str(getattr(error, "strerror", "") or error).rstrip(".")) from None
    finally:
        with contextlib.suppress(OSError):
            part.unlink()
    return int(count)


def file_exists(file: Path) -> BadStore:
    """The error of a file that would be written over."""
    return BadStore(say("{place} is there already; move it away, or name another file.", place=str(file)))


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
        statement = text("SELECT pg_notify(:channel, :payload)")
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
