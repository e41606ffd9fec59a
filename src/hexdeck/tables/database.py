"""The database of a URL: its schema; opened for one writer, locked against a second one, migrated, copied."""

import contextlib
import logging
import os
import sqlite3
import sys
from pathlib import Path
from typing import IO, Any

import platformdirs
from sqlalchemy import (
    Boolean,
    Column,
    Connection,
    Engine,
    Float,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    String,
    Table,
    create_engine,
    event,
    insert,
    inspect,
    make_url,
    text,
)
from sqlalchemy import Text as LongText
from sqlalchemy.engine import URL
from sqlalchemy.exc import ArgumentError, DBAPIError, NoSuchModuleError

from hexdeck.engine.errors import BadOption
from hexdeck.engine.text import Text, _, say
from hexdeck.tables.errors import BadStore

MIGRATIONS = Path(__file__).parent / "migrations"
PRIVATE = 0o600
PRAGMAS = "journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON", "busy_timeout=5000", "secure_delete=ON"
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

    def serve_at(self, address: str) -> None:
        """Note the address at which these tables are served, for whoever wants to open them a second time."""
        if self._lock:
            with contextlib.suppress(OSError):  # it is no more than a help
                os.write(self._lock.fileno(), f"{address} {os.getpid()}".encode())

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
    puts beside it. With `create` it is there then. Only the default's folder is made: another may be a slip.
    """
    if not path.parent.is_dir() and path != Path(str(parsed(default_url()).database)):
        raise cannot_open(str(path), say("there is no folder {folder}", folder=str(path.parent)))
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
        with contextlib.suppress(OSError, ValueError), lock:
            lock.seek(0)
            address, process = lock.read().split()
            message = _(
                "Hexdeck is already running, at {address}: open that; or stop it, with Ctrl-C in its window (process "
                "{process}); or name another --database than {place}."
            )
            raise BadStore(say(message, address=address, process=process, place=str(path))) from None
        message = _(
            "Hexdeck is already running with these tables ({place}): use it, stop it, or name another --database."
        )
        raise BadStore(say(message, place=str(path))) from None
    with contextlib.suppress(OSError):  # where it was served before
        lock.truncate(0)
    return lock


def hold(lock: IO[str]) -> None:
    """Hold an open file for as long as it is open; raises OSError where another process holds it."""
    if sys.platform == "win32":
        import msvcrt

        lock.seek(0)  # the same byte for all
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
    return revision_of(connection) == REVISION


def revision_of(connection: Connection) -> str:
    """The newest migration of the tables, "" without any."""
    version = has_tables(connection) and connection.execute(text("SELECT version_num FROM alembic_version")).scalar()
    return str(version or "")


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


def not_newest(connection: Connection, address: str) -> BadStore:
    """The error of tables, read without a server, that aren't of this version."""
    if revision_of(connection) != EARLIER:
        return other_version(address)
    message = _("The tables in {place} were stored by an earlier hexdeck; hexdeck serve brings them up to date.")
    return BadStore(say(message, place=address))


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
    if not copy.is_file():
        raise BadStore(say("There is no file {file}.", file=str(copy)))
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


# --- the schema -------------------------------------------------------------------------------------------------------
# New databases are made from it; `migrations` bring older ones up to date.
REVISION, EARLIER = "0.2", "0.1"  # the newest migration, and the one before
UNFINISHED = ("waiting", "playing")  # states of a table whose match isn't over
metadata = MetaData()


def _table(name: str, *columns: Column[Any]) -> Table:
    return Table(name, metadata, *columns)


def _part(name: str, *columns: Column[Any], key: bool = True) -> Table:
    """A table whose rows belong to one of `tables`, and are deleted with it."""
    own = ForeignKey("tables.id", ondelete="CASCADE")
    return _table(name, Column("table", String(24), own, primary_key=key, nullable=False), *columns)


versions = _table("alembic_version", Column("version_num", String(32), primary_key=True))

tables = _table(
    "tables",
    Column("id", String(24), primary_key=True),
    Column("game", String(64), nullable=False),
    Column("players", Integer, nullable=False),
    Column("options", LongText, nullable=False),  # JSON
    Column("terms", LongText, nullable=False),  # JSON: clock, who may watch, language, host
    Column("seats", LongText, nullable=False),  # JSON
    Column("secret", LargeBinary, nullable=False),
    Column("invites", LargeBinary, nullable=False),  # the key of invitations
    Column("version", Integer, nullable=False),
    Column("state", String(16), nullable=False),
    Column("rules", Integer, nullable=False),  # version of the struct
    Column("struct", LargeBinary, nullable=True),
    Column("bots", Boolean, nullable=False),  # whether a bot of the server is to act
    Column("runner", String(24), nullable=False),  # the process that wrote last; it lets the bots think
    Column("due", Float, nullable=True),  # when the first clock runs out
    Column("rematch", String(24), nullable=True),
    Column("made", Float, nullable=False),
    Column("changed", Float, nullable=False),
    Column("acting", Integer, nullable=False),  # a bit for each seat that may act
    Column("used", Boolean, nullable=False),  # whether a player has moved or joined
    Column("day", String(10), nullable=True),  # whose deal of the day it is
    Column("result", LongText, nullable=True),  # JSON: how its match ended; none where its game can't say
)
Index("tables_changed", tables.c.changed)
Index("tables_state", tables.c.state)
Index("tables_due", tables.c.due)
Index("tables_day", tables.c.day)

events = _part(
    "events",
    Column("version", Integer, primary_key=True),  # together the compare-and-set
    Column("kind", String(16), nullable=False),
    Column("seat", Integer, nullable=False),
    Column("event", LongText, nullable=False),  # JSON: the events of the match, as records write them
    Column("facts", LongText, nullable=False),  # JSON: the facts of each
    Column("at", Float, nullable=False),
)

holders = _table(
    "holders",
    Column("token", String(64), primary_key=True),  # hashed
    Column("table", String(24), ForeignKey("tables.id", ondelete="CASCADE"), primary_key=True),
    Column("seat", Integer, nullable=False),
)
Index("holders_table", holders.c.table)

messages = _part(
    "messages",
    Column("number", Integer, primary_key=True),  # from 0; together the compare-and-set
    Column("seat", Integer, nullable=False),
    Column("name", String(64), nullable=False),
    Column("phrase", String(16), nullable=False),  # the id of a phrase, or empty
    Column("words", LongText, nullable=False),
    Column("at", Float, nullable=False),
)

carries = _part(
    "carries",
    Column("token", String(64), primary_key=True),  # hashed
    Column("seat", Integer, nullable=False),
    Column("until", Float, nullable=False),
    key=False,
)
Index("carries_table", carries.c.table)

bundles = _table(
    "bundles",
    Column("token", String(64), primary_key=True),  # of a link that carries all seats of a browser, hashed
    Column("holder", String(64), nullable=False, unique=True),  # the token that holds them, hashed
    Column("until", Float, nullable=False),
)

fields = _table(
    "fields",
    Column("day", String(10), primary_key=True),
    Column("game", String(64), primary_key=True),
    Column("level", String(16), primary_key=True),  # of the bots that played its deal
    Column("games", Integer, nullable=False),
    Column("won", Integer, nullable=False),
)

codes = _part("codes", Column("code", String(12), primary_key=True), key=False)
Index("codes_table", codes.c.table, unique=True)

feedback = _part(
    "feedback",
    Column("seat", Integer, primary_key=True),
    Column("again", Integer),  # whether they would play again: -1 no, 0 perhaps, 1 yes
    Column("best", Integer),  # the ply of a move, as are the next two: the best moment
    Column("drag", Integer),  # where it dragged
    Column("lookup", Integer),  # where a rule had to be looked up
    Column("confused", LongText, nullable=False),
    Column("words", LongText, nullable=False),
    Column("at", Float, nullable=False),
)

attempts = _part(
    "attempts",
    Column("seat", Integer, primary_key=True),
    Column("ply", Integer, primary_key=True),  # of a decision that cost something
    Column("solved", Boolean, nullable=False),
)

analyses = _part(
    "analyses",
    Column("seat", Integer, primary_key=True),
    Column("data", LongText, nullable=False),  # JSON
)

answers = _table(
    "answers",
    Column("token", String(64), primary_key=True),  # of the browser that answered, hashed
    Column("puzzle", String(16), primary_key=True),  # its key
    Column("move", String(64), nullable=False),  # the name of an action
    Column("solved", Boolean, nullable=False),
    Column("at", Float, nullable=False),
)
Index("answers_at", answers.c.at)

subscriptions = _part(
    "subscriptions",
    Column("browser", String(64), primary_key=True),  # a hash of its endpoint
    Column("seat", Integer, nullable=False),
    Column("endpoint", LongText, nullable=False),  # where messages for it go
    Column("public", LargeBinary, nullable=False),  # its key, for which they are encrypted
    Column("secret", LargeBinary, nullable=False),
    Column("site", String(255), nullable=False),  # where it was when it asked, or empty
    Column("made", Float, nullable=False),
    Column("told", Integer, nullable=False),  # the last turn that it was told of
)
Index("subscriptions_browser", subscriptions.c.browser)

keys = _table("keys", Column("name", String(16), primary_key=True), Column("value", LargeBinary, nullable=False))

tickets = _table(
    "tickets",
    Column("ticket", String(64), primary_key=True),  # of a promise that was used
    Column("until", Float, nullable=False),
)
Index("tickets_until", tickets.c.until)
