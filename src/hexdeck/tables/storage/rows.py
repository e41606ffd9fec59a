"""Jobs for the store: read and write the rows of tables, events, holders and carried seats."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, and_, bindparam, delete, func, insert, select, update

from hexdeck.engine.text import say
from hexdeck.tables.errors import Stale
from hexdeck.tables.storage.codes import known_code
from hexdeck.tables.storage.daily.bundles import still_plays
from hexdeck.tables.storage.erasing import erase_seats
from hexdeck.tables.storage.messages import Message, messages_since
from hexdeck.tables.storage.once import insert_if_absent
from hexdeck.tables.storage.promises import Promise, use_ticket
from hexdeck.tables.storage.pruning import UNFINISHED, has_clock
from hexdeck.tables.storage.ready import ready
from hexdeck.tables.storage.schema import carries, events, holders, keys, subscriptions, tables

Row = dict[str, Any]
Finder = Callable[[Connection], list[str]]
CHANGE = update(tables).where(tables.c.id == bindparam("changed_table"))
ROW = select(tables).where(tables.c.id == bindparam("table"))
LATER = (
    select(events)
    .where(events.c.table == bindparam("table"), events.c.version > bindparam("after"))
    .where(events.c.version <= bindparam("last"))
    .order_by(events.c.version)
)


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
    found = connection.execute(LATER, {"table": table, "after": after, "last": row["version"]}).mappings()
    messages = () if last_message is None else messages_since(connection, table, last_message)
    code = known_code(connection, table) if after < 0 else ""
    return Stored(dict(row), tuple(map(dict, found)), messages, code)


def insert_table(
    connection: Connection, row: Row, first: Sequence[Row], seated: Iterable[Row], promise: Promise | None = None
) -> bool:
    """Store a new table; False, and nothing has changed, if it exists already.

    `promise`: the promise that it was created with; raises Stale where it was used before.
    """
    if promise is not None:
        use_ticket(connection, promise, row["made"])
    if not insert_if_absent(connection, tables, row):
        return False
    connection.execute(insert(events), list(first))
    for holder in seated:
        connection.execute(insert(holders), holder)
    return True


def append_entries(
    connection: Connection, table: str, new: Sequence[Row], changes: Row, holder: Row | None = None,
    vacated: int | None = None, erased: Mapping[int, str] | None = None,
) -> bool:  # fmt: skip
    """Append events and update the table's row; False, and nothing has changed, if somebody else was first.

    `holder`: a token that gets a seat; raises Stale if it holds one at this table already. `vacated`: a seat that loses
    its holder. `erased`: seats of which nothing is kept that somebody left there, with the names that stand in.
    """
    if not insert_if_absent(connection, events, new[0]):  # this is the compare-and-set
        return False
    if len(new) > 1:
        connection.execute(insert(events), list(new[1:]))
    ready(connection.dialect, CHANGE, tuple(changes)).run(connection, {**changes, "changed_table": table})
    if vacated is not None:
        vacate(connection, table, vacated)
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


def vacate(connection: Connection, table: str, seat: int) -> None:
    """Remove the holder of a seat, links that carry it elsewhere, and browsers that are told of its turns."""
    for part in (carries, holders, subscriptions):
        connection.execute(delete(part).where(and_(part.c.table == table, part.c.seat == seat)))


def holders_of(connection: Connection, table: str) -> list[Row]:
    """The holders of a table's seats."""
    return [dict(row) for row in connection.execute(select(holders).where(holders.c.table == table)).mappings()]


def seat_of(connection: Connection, table: str, token: str) -> int | None:
    """The seat that a hashed token holds at a table."""
    wanted = and_(holders.c.table == table, holders.c.token == token)
    found: int | None = connection.execute(select(holders.c.seat).where(wanted)).scalar()
    return found


def tables_of(connection: Connection, token: str, most: int) -> list[Row]:
    """The tables where a hashed token holds a seat: where that seat is to act first, then the last changed first.

    The columns are `table` and `seat`, and what lists show: `game`, `seats`, `state`, `acting`, `changed`.
    """
    shown = tables.c.game, tables.c.seats, tables.c.state, tables.c.acting, tables.c.changed
    joined = select(holders.c.table, holders.c.seat, *shown).join(tables, tables.c.id == holders.c.table)
    bit = tables.c.acting.bitwise_rshift(holders.c.seat).bitwise_and(1)
    wanted = joined.where(holders.c.token == token).order_by(bit.desc(), tables.c.changed.desc()).limit(most)
    return [dict(row) for row in connection.execute(wanted).mappings()]


def carry(connection: Connection, row: Row) -> bool:
    """Store a link that carries a seat; delete older ones of the same seat."""
    same = and_(carries.c.table == row["table"], carries.c.seat == row["seat"])
    connection.execute(delete(carries).where(same))
    connection.execute(insert(carries), row)
    return True


def carried(connection: Connection, token: str, now: float) -> tuple[str, int] | None:
    """The table and seat of a link that carries one, if it hasn't expired."""
    wanted = and_(carries.c.token == token, carries.c.until > now)
    row = connection.execute(select(carries.c.table, carries.c.seat).where(wanted)).first()
    return (row.table, row.seat) if row else None


def take_carried(connection: Connection, token: str, holder: str, now: float, today: str) -> tuple[str, int] | None:
    """Use such a link, once: the holder gets its seat, too. Raises Stale if they have another seat there."""
    found = carried(connection, token, now)
    if found is None or not connection.execute(delete(carries).where(carries.c.token == token)).rowcount:
        return None
    if still_plays(connection, found[0], holder, today):
        raise Stale(say("You are still playing this deal of the day yourself: finish it first."))
    already = seat_of(connection, found[0], holder)
    if already not in (None, found[1]):
        raise Stale(say("You already have another seat at this table."))
    if already is None:
        connection.execute(insert(holders), {"token": holder, "table": found[0], "seat": found[1]})
    return found


def newest(wanted: Sequence[str]) -> Callable[[Connection], dict[str, int]]:
    """A job that finds the newest versions of some tables."""
    statement = select(tables.c.id, tables.c.version).where(tables.c.id.in_(wanted))
    return lambda connection: {row.id: row.version for row in connection.execute(statement)}


def postpone(connection: Connection, to: float, clock: str) -> int:
    """Let no clock of a kind run out before a time: after a pause of the server nobody is late."""
    return connection.execute(update(tables).where(tables.c.due < to, has_clock(clock)).values(due=to)).rowcount


def left_to_bots(before: float, without: Iterable[str], clock: str, most: int = 200) -> Finder:
    """A job that finds tables with a kind of clock where a bot is to act and nothing has happened since a time."""
    idle = and_(tables.c.bots, tables.c.changed <= before, tables.c.state == "playing", has_clock(clock))
    statement = select(tables.c.id).where(idle, tables.c.id.not_in(list(without))).limit(most)
    return lambda connection: list(connection.execute(statement).scalars())


def overdue(now: float, without: Iterable[str] = (), most: int = 200) -> Finder:
    """A job that finds tables where a clock has run out."""
    statement = select(tables.c.id).where(tables.c.due <= now, tables.c.id.not_in(list(without))).limit(most)
    return lambda connection: list(connection.execute(statement).scalars())


def unfinished(connection: Connection) -> int:
    """The number of tables that aren't over."""
    wanted = select(func.count()).select_from(tables).where(tables.c.state.in_(UNFINISHED))
    return int(connection.execute(wanted).scalar() or 0)


def still_unfinished(wanted: Sequence[str]) -> Finder:
    """A job that finds which of some tables are there and aren't over."""
    statement = select(tables.c.id).where(tables.c.id.in_(wanted), tables.c.state.in_(UNFINISHED))
    return lambda connection: list(connection.execute(statement).scalars())


def read_nothing(connection: Connection) -> None:
    """Read, to see whether that can be done."""
    connection.execute(select(1))


def write_nothing(connection: Connection) -> None:
    """Write what is there already, to see whether that can be done: not on a full disk, or while others lock a file."""
    connection.execute(update(keys).values(value=keys.c.value))
