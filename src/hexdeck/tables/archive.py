"""What is done with stored tables without a server: matches that are over are read, and all is checked.

Nothing is changed, and a server may run meanwhile. `live.LiveTable.replayer` plays stored events again.
"""

import contextlib
import functools
import os
import platform
import shutil
import sqlite3
import stat
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from sqlalchemy import Connection, Engine, create_engine, func, or_, select, text
from sqlalchemy.engine import URL
from sqlalchemy.exc import DBAPIError, NoSuchModuleError
from sqlalchemy.pool import NullPool

import hexdeck
from hexdeck.engine.errors import HexdeckError
from hexdeck.engine.layout import added_since
from hexdeck.engine.play.record import Record
from hexdeck.engine.text import Text, _, count, say, say_n
from hexdeck.lab.log import PlayedMatch
from hexdeck.tables import database, rows
from hexdeck.tables.database import events, holders, keys, tables
from hexdeck.tables.entries import ANYONE, ENDED, OVER, PERSON
from hexdeck.tables.errors import BadStore, GameMissing
from hexdeck.tables.fair import Proof, check_draws, commitment
from hexdeck.tables.feedback import Feedback, feedback_of
from hexdeck.tables.live import LiveTable
from hexdeck.tables.registry import table_from_rows
from hexdeck.tables.rows import PROMISE_KEY

SHARED, PROGRAM = "shared", "program"  # who played a seat, besides a person, or one of our bots
GOING, CLOSED, OLDER, DAMAGED = "going", "closed", "older", "damaged"  # why a table was left out
CHANGES_HANDS = {"bot", "back", "free", "sit"}  # kinds of entries after which another player or bot plays a seat
OK, NOTE, WRONG = "ok", "note", "wrong"  # a note is worth knowing; nothing needs to be done
MEGABYTE = 1 << 20
LEAST_FREE = 100 * MEGABYTE  # the log of changes needs room, too
LEAST_KEY, HASHED = 16, 64  # bytes of a key; characters of a token as it is stored
MOST_NAMED = 5  # tables that a line names
OTHERS, WRITABLE = 0o077, 0o022  # what others may do with a file; who may write besides its owner
Tick = Callable[[int, int], None]  # of so many tables, how many have been looked at


class Archive:
    """The tables of a database, read-only; raises BadStore where it can't be read.

    `left_out` counts the tables of the last game that were left out, by reason.
    """

    def __init__(self, url: str) -> None:
        self.url = database.parsed(url)
        self.is_file = self.url.get_backend_name() == "sqlite"
        self.place = database.place_of(self.url)
        self.left_out: Counter[str] = Counter()
        if self.is_file and not Path(str(self.url.database)).is_file():
            raise BadStore(say("There is no file {place}.", place=self.place))
        with self._connected() as connection:
            if not database.has_tables(connection):
                raise BadStore(say("There are no tables in {place}.", place=self.place))
            if not database.is_newest(connection):
                raise database.not_newest(connection, self.place)

    @functools.cached_property
    def _engine(self) -> Engine:
        return reading_engine(self.url)

    def close(self) -> None:
        """Close the database."""
        self._engine.dispose()

    def count(self, game: str) -> int:
        """How many tables of a game are over."""
        return self._states(game)[OVER]

    def matches(self, game: str) -> Iterator[PlayedMatch]:
        """Every match of a game that is over and can be replayed by the present rules, the oldest first."""
        states = self._states(game)
        self.left_out = Counter({GOING: sum(states.values()) - states[OVER] - states[ENDED], CLOSED: states[ENDED]})
        query = select(tables.c.id).where(tables.c.game == game, tables.c.state == OVER)
        with self._connected() as connection:
            ids = list(connection.execute(query.order_by(tables.c.made, tables.c.id)).scalars())
        for id in ids:
            with self._connected() as connection:
                stored, feedback = rows.read_table(connection, id), feedback_of(connection, id)
            match = self._replayed(stored, feedback) if stored and stored.row["state"] == OVER else None
            if match is not None:
                yield match

    def _replayed(self, stored: rows.Stored, feedback: tuple[Feedback, ...]) -> PlayedMatch | None:
        """The match of a table; None, and counted, where it can't be replayed."""
        try:
            table = table_from_rows(stored)
        except GameMissing:
            self.left_out[OLDER] += 1
            return None
        except (HexdeckError, LookupError, TypeError, ValueError):
            self.left_out[DAMAGED] += 1
            return None
        if added_since(table.game.rules.STRUCT, stored.row["rules"]) is None:
            self.left_out[OLDER] += 1
            return None
        if table.match is None or not table.match.over:
            self.left_out[DAMAGED] += 1
            return None
        times = tuple(entry.at for entry in table.valid_entries for _pair in entry.pairs)
        path = f"/replay/{table.id}" if table.terms.watch == ANYONE else ""
        return PlayedMatch(table.match, players_of(table), times, path, feedback)

    def _states(self, game: str) -> Counter[str]:
        query = select(tables.c.state, func.count()).where(tables.c.game == game).group_by(tables.c.state)
        with self._connected() as connection:
            return Counter({str(state): int(count) for state, count in connection.execute(query)})

    @contextlib.contextmanager
    def _connected(self) -> Iterator[Connection]:
        try:
            with self._engine.connect() as plain:
                yield plain if self.is_file else plain.execution_options(postgresql_readonly=True)
        except (DBAPIError, NoSuchModuleError, ModuleNotFoundError, OSError) as error:
            raise database.cannot_open(self.place, database.reason_of(error)) from None


def reading_engine(url: URL) -> Engine:
    """An engine that only reads a database, and creates no file."""
    if url.get_backend_name() != "sqlite":
        return create_engine(url, poolclass=NullPool)
    address = f"{Path(str(url.database)).absolute().as_uri()}?mode=ro"
    return create_engine("sqlite://", creator=lambda: sqlite3.connect(address, uri=True), poolclass=NullPool)


def players_of(table: LiveTable) -> tuple[str, ...]:
    """Who played each seat."""
    dealt = next(k for k, entry in enumerate(table.entries) if entry.kind == "start")
    changed = {entry.seat for entry in table.entries[dealt:] if entry.kind in CHANGES_HANDS}
    out = []
    for number, seat in enumerate(table.seats):
        own = PERSON if seat.kind == PERSON else PROGRAM if seat.remote else seat.level
        out.append(SHARED if number in changed else own)
    return tuple(out)


@dataclass(frozen=True)
class CheckLine:
    """One line: what was looked at, how it is (OK, NOTE or WRONG), and the tables that something is wrong with."""

    what: str
    state: str
    text: Text
    tables: tuple[str, ...] = ()


def examine(address: str, tick: Tick = lambda _done, _of: None) -> Iterator[CheckLine]:
    """Look at the tables of a database; raises BadOption for what can be none."""
    url = database.parsed(address)
    is_file, file = url.get_backend_name() == "sqlite", Path(str(url.database))
    yield versions()
    if is_file:
        if not file.is_file():
            yield CheckLine("database", WRONG, say("There are no tables in {place}.", place=str(file)))
            return
        yield modes(file)
        yield room(file)
    try:
        with reading_engine(url).connect() as connection:
            sound = soundness(connection)
            yield sound
            if not database.is_newest(connection):
                yield CheckLine("schema", WRONG, database.not_newest(connection, database.place_of(url)).text)
            elif sound.state == OK:
                yield kept_keys(connection)
                yield whole_rows(connection)
                yield matches(connection, tick)
    except (DBAPIError, NoSuchModuleError, ModuleNotFoundError) as error:
        yield CheckLine(
            "database", WRONG, say("The database can't be read: {reason}.", reason=database.reason_of(error))
        )


# --- the computer -----------------------------------------------------------------------------------------------------
def versions() -> CheckLine:
    """What runs here."""
    text = say(
        "hexdeck {hexdeck}, Python {python}, SQLite {sqlite}.",
        hexdeck=hexdeck.__version__,
        python=platform.python_version(),
        sqlite=sqlite3.sqlite_version,
    )
    return CheckLine("versions", OK, text)


def modes(path: Path) -> CheckLine:
    """Whether the files open only to their owner, and can't be replaced by other users."""
    if os.name == "nt":
        return CheckLine("files", NOTE, say("This system has no file modes to look at."))
    for file in filter(Path.exists, (path, *database.side_files(path))):
        mode = stat.S_IMODE(file.stat().st_mode)
        if mode & OTHERS:
            text = _("{file} opens to other users (mode {mode}); chmod 600 closes it.")
            return CheckLine("files", WRONG, say(text, file=str(file), mode=f"{mode:03o}"))
    folder = path.resolve().parent
    mode = stat.S_IMODE(folder.stat().st_mode)
    if mode & WRITABLE and not mode & stat.S_ISVTX:
        text = _("Other users may change the folder {folder} (mode {mode}); chmod go-w closes it.")
        return CheckLine("files", WRONG, say(text, folder=str(folder), mode=f"{mode:03o}"))
    return CheckLine("files", OK, say("The files open only to their owner."))


def room(file: Path) -> CheckLine:
    """Whether the disk has room for what comes, and for a copy."""
    free, size = shutil.disk_usage(file.resolve().parent).free, file.stat().st_size
    amounts = {"free": count(free // MEGABYTE), "size": count(-(-size // MEGABYTE))}
    if free < max(LEAST_FREE, size):
        wrong = say("Only {free} MB are free on the disk of the tables, which take {size} MB themselves.", **amounts)
        return CheckLine("disk", WRONG, wrong)
    return CheckLine("disk", OK, say("{free} MB are free; the tables take {size} MB.", **amounts))


# --- what is stored ---------------------------------------------------------------------------------------------------
def soundness(connection: Connection) -> CheckLine:
    """Whether the database holds together."""
    if connection.dialect.name != "sqlite":
        connection.execute(select(1))
        return CheckLine("database", OK, say("PostgreSQL answers; it checks its own files."))
    ((verdict,),) = connection.execute(text("PRAGMA integrity_check(1)"))
    strays = connection.execute(text("PRAGMA foreign_key_check")).fetchmany(1) if verdict == "ok" else []
    if verdict != "ok" or strays:
        wrong = say(
            "The database is damaged ({reason}); restore the last copy.",
            reason=say("rows without their table") if strays else " ".join(str(verdict).split()),
        )
        return CheckLine("database", WRONG, wrong)
    return CheckLine("database", OK, say("The database is sound."))


def kept_keys(connection: Connection) -> CheckLine:
    """Whether every key is there and of its own, and every token is hashed."""
    short = or_(func.length(tables.c.secret) < LEAST_KEY, func.length(tables.c.invites) < LEAST_KEY)
    shared = select(tables.c.secret).group_by(tables.c.secret).having(func.count() > 1)
    plain = select(holders.c.table).where(func.length(holders.c.token) != HASHED).distinct()
    for query, reason in (
        (select(tables.c.id).where(short), say("a key is too short")),
        (select(tables.c.id).where(tables.c.secret.in_(shared)), say("several tables have the same secret")),
        (plain, say("the token of a seat isn't hashed")),
    ):
        ids = tuple(connection.execute(query).scalars())
        if ids:
            return wrong_with("keys", reason, ids)
    key = connection.execute(select(keys.c.value).where(keys.c.name == PROMISE_KEY)).scalar()
    if key is not None and len(key) < LEAST_KEY:
        return CheckLine("keys", WRONG, say("The key of promises is too short; nobody may trust new cards."))
    return CheckLine("keys", OK, say("Every table has keys of its own, and tokens are kept as hashes."))


def whole_rows(connection: Connection) -> CheckLine:
    """Whether every table has all its entries, and every held seat exists."""
    entry_counts = select(events.c.table, func.count().label("n"), func.max(events.c.version).label("last"))
    of = entry_counts.group_by(events.c.table).subquery()
    joined = select(tables.c.id).outerjoin(of, of.c.table == tables.c.id)
    gaps = joined.where(or_(of.c.n.is_(None), of.c.last != tables.c.version, of.c.n != tables.c.version + 1))
    nowhere = select(tables.c.id).join(holders, holders.c.table == tables.c.id)
    nowhere = nowhere.where(or_(holders.c.seat < 0, holders.c.seat >= tables.c.players)).distinct()
    for query, reason in ((gaps, say("entries are missing")), (nowhere, say("somebody holds a seat that isn't there"))):
        ids = tuple(connection.execute(query).scalars())
        if ids:
            return wrong_with("entries", reason, ids)
    return CheckLine("entries", OK, say("Every table has all its entries."))


def wrong_with(subject: str, reason: Text, ids: Sequence[str]) -> CheckLine:
    """A finding about some tables."""
    text = say_n(
        "{n} table is damaged: {reason} ({tables}).",
        "{n} tables are damaged: {reason} ({tables}).",
        len(ids),
        reason=reason,
        tables=id_list(ids),
    )
    return CheckLine(subject, WRONG, text, tuple(ids))


def id_list(ids: Sequence[str]) -> str:
    """Some tables by their ids."""
    return ", ".join(ids[:MOST_NAMED]) + (", …" if len(ids) > MOST_NAMED else "")


# --- matches ----------------------------------------------------------------------------------------------------------
def matches(connection: Connection, tick: Tick) -> CheckLine:
    """Whether every match replays to where it is, and has the cards that follow from its secret."""
    ids = list(connection.execute(select(tables.c.id).order_by(tables.c.made, tables.c.id)).scalars())
    faults, waits, ended = dict[str, Text](), Counter[str](), 0
    for number, id in enumerate(ids, 1):
        stored = rows.read_table(connection, id)
        if stored is not None and stored.row["state"] == ENDED:
            ended += 1
        elif stored is not None:
            try:
                fault = fault_of(stored)
            except GameMissing:
                waits[stored.row["game"]] += 1
            else:
                if fault is not None and rows.read_table(connection, id) is not None:  # it wasn't deleted meanwhile
                    faults[id] = fault
        tick(number, len(ids))
    if faults:
        text = say_n(
            "{n} match isn't as it was played ({tables}). {reason}",
            "{n} matches aren't as they were played ({tables}). {reason}",
            len(faults),
            tables=id_list([*faults]),
            reason=next(iter(faults.values())),
        )
        return CheckLine("matches", WRONG, text, tuple(faults))
    if waits:
        text = say_n(
            "{n} table waits for a game that can't be played here: {games}.",
            "{n} tables wait for games that can't be played here: {games}.",
            waits.total(),
            games=", ".join(sorted(waits)),
        )
        return CheckLine("matches", NOTE, text)
    if ended:
        text = say_n(
            "All others replay; {n} table ended when its game changed.",
            "All others replay; {n} tables ended when their games changed.",
            ended,
        )
        return CheckLine("matches", NOTE, text)
    text = say_n(
        "The match of {n} table replays, with the cards that were promised.",
        "The matches of {n} tables replay, with the cards that were promised.",
        len(ids),
    )
    return CheckLine("matches", OK, text)


def fault_of(stored: rows.Stored) -> Text | None:
    """What is wrong with a table's match; raises GameMissing where that can't be told."""
    try:
        table = table_from_rows(stored)
        if table.match is not None:  # the cards must follow from its secret
            proof = Proof(table.secret, commitment(table.secret), tuple(seat.contribution for seat in table.seats))
            check_draws(Record.of(table.match), proof)
    except GameMissing:
        raise
    except HexdeckError as error:
        return error.text
    except (LookupError, TypeError, ValueError):
        return say("It can't be read.")
    return None
