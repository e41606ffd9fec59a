"""The database of a URL: opened for one writer, locked against a second one, migrated, copied."""

from __future__ import annotations

import contextlib
import logging
import math
import os
import sqlite3
import time
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Any

import platformdirs
from sqlalchemy import Connection, Engine, create_engine, event, insert, inspect, make_url, text
from sqlalchemy.engine import URL
from sqlalchemy.exc import ArgumentError, DBAPIError, DisconnectionError, NoSuchModuleError

from hexdeck.engine.errors import BadOption
from hexdeck.engine.text import Text, _, say
from hexdeck.tables.errors import BadStore
from hexdeck.tables.storage.schema import REVISION, metadata, versions

try:
    import fcntl
except ImportError:  # no such locks on this system
    fcntl = None  # type: ignore[assignment]

MIGRATIONS = Path(__file__).parents[1] / "migrations"
PRIVATE = 0o600
PRAGMAS = "journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON", "busy_timeout=5000", "secure_delete=ON"
PING_AFTER = 1.0  # seconds without use after which a connection to a server is tested before it is used
MIGRATING = 0x6865786465636B  # the advisory lock of PostgreSQL that holds while migrations run


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

    _kept: Connection | None = None  # the one connection to a file, between transactions

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

    @contextlib.contextmanager
    def transaction(self) -> Iterator[Connection]:
        """A transaction of the one thread that writes; a file's connection stays open between them unless one fails."""
        if not self.is_file:
            with self.engine.begin() as connection:
                yield connection
            return
        self._kept = self._kept or self.engine.connect()
        try:
            with self._kept.begin():
                yield self._kept
        except BaseException:
            self._let_go()
            raise

    def _let_go(self) -> None:
        connection, self._kept = self._kept, None
        if connection is not None:
            connection.close()

    def close(self) -> None:
        """Close it, and release the lock."""
        self._let_go()
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


def beside(path: Path) -> tuple[Path, Path]:
    """The files that SQLite puts beside a database: what was written lately, and where in it."""
    return path.with_name(f"{path.name}-wal"), path.with_name(f"{path.name}-shm")


def cannot_open(address: str, reason: str | Text) -> BadStore:
    """The error of a database that can't be opened."""
    return BadStore(say("The tables in {place} can't be opened: {reason}.", place=address, reason=reason))


def _engine(url: URL) -> Engine:
    if url.get_backend_name() != "sqlite":
        return with_pings(create_engine(url, pool_size=2))
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


def with_pings(engine: Engine) -> Engine:
    """Have connections that weren't used for a while tested first: the database may have been started anew."""

    @event.listens_for(engine, "checkin")
    def note(_connection: Any, record: Any) -> None:
        record.info["used"] = time.monotonic()

    @event.listens_for(engine, "checkout")
    def test(connection: Any, record: Any, _proxy: Any) -> None:
        if time.monotonic() - record.info.get("used", math.inf) > PING_AFTER:
            try:
                engine.dialect.do_ping(connection)
            except engine.dialect.loaded_dbapi.Error as error:
                raise DisconnectionError from error

    return engine


def locked(path: Path, *, create: bool = True) -> IO[str]:
    """Lock a file beside the database: SQLite before 3.51.3 may corrupt its log when two processes write.

    The database's own file, with cards that are still secret, opens only to its owner; so do those that SQLite
    puts beside it. With `create` it is there then.
    """
    try:
        make_folder(path.parent)
        lock = path.with_name(path.name + ".lock").open("a+")
        if create:
            path.touch(mode=PRIVATE)
            for file in (path, *filter(Path.exists, beside(path))):
                file.chmod(file.stat().st_mode & PRIVATE)
            sync_folder(path.parent)
    except OSError as error:
        reason = error.strerror or type(error).__name__
        raise cannot_open(str(path), reason) from None
    try:
        if fcntl is not None:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        lock.close()
        message = _("Another hexdeck serves the tables in {place}; stop it, or name another --database.")
        raise BadStore(say(message, place=str(path))) from None
    return lock


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


def make_folder(folder: Path) -> None:
    """Make a folder, with those that it is in, so that it stays."""
    missing = [parent for parent in (folder, *folder.parents) if not parent.exists()]
    folder.mkdir(parents=True, exist_ok=True)
    for parent in reversed(missing):
        sync_folder(parent.parent)


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
            count = checked_copy(target, source)
        with part.open("rb") as file:
            os.fsync(file.fileno())
        part.rename(to)
        sync_folder(to.parent)
    except (OSError, sqlite3.Error) as error:
        raise cannot_open(str(source), str(getattr(error, "strerror", "") or error).rstrip(".")) from None
    finally:
        with contextlib.suppress(OSError):
            part.unlink()
    return count


def checked_copy(copy: sqlite3.Connection, source: Path) -> int:
    """The number of tables in a sound copy; raises BadStore."""
    ((verdict,),) = copy.execute("PRAGMA integrity_check(1)")
    if verdict != "ok":
        raise cannot_open(str(source), say("the file is damaged"))
    ((count,),) = copy.execute("SELECT count(*) FROM tables")
    return int(count)


def file_exists(file: Path) -> BadStore:
    """The error of a file that would be written over."""
    return BadStore(say("{place} is there already; move it away, or name another file.", place=str(file)))
