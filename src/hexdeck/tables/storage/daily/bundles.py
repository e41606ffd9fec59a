"""Jobs for the store: links that give another browser all seats of one, each of them once, for a short while."""

from __future__ import annotations

from sqlalchemy import Connection, and_, delete, select, update

from hexdeck.tables.storage.once import insert_if_absent
from hexdeck.tables.storage.puzzles.answers import copy_answers
from hexdeck.tables.storage.schema import bundles, holders, tables


def store_bundle(connection: Connection, token: str, holder: str, until: float, now: float) -> None:
    """Store a link for all seats of a holder, in place of an older one; links that are too old go."""
    connection.execute(delete(bundles).where(bundles.c.until <= now))
    row = {"token": token, "holder": holder, "until": until}
    if not insert_if_absent(connection, bundles, row):
        connection.execute(update(bundles).where(bundles.c.holder == holder).values(row))


def holder_of(connection: Connection, token: str, now: float) -> str | None:
    """Whose seats a link carries, if it is good."""
    wanted = select(bundles.c.holder).where(bundles.c.token == token, bundles.c.until > now)
    found: str | None = connection.execute(wanted).scalar()
    return found


def take_bundle(connection: Connection, token: str, to: str, now: float, today: str) -> dict[str, int] | None:
    """Use a link, once: another holder gets its seats and its answers to puzzles too.

    Returns the seats by their tables, None for a spent link.

    Where they have another seat at a table, they keep that one. A deal of today that they still play themselves isn't
    given: it would show them their cards.
    """
    holder = holder_of(connection, token, now)
    if holder is None or not connection.execute(delete(bundles).where(bundles.c.token == token)).rowcount:
        return None
    given = dict[str, int]()
    held = select(holders.c.table, holders.c.seat).where(holders.c.token == holder)
    for table, seat in connection.execute(held.order_by(holders.c.table)).all():
        row = {"token": to, "table": table, "seat": seat}
        if not still_plays(connection, table, to, today) and insert_if_absent(connection, holders, row):
            given[table] = seat
    copy_answers(connection, holder, to)
    return given


def still_plays(connection: Connection, table: str, holder: str, today: str) -> bool:
    """Whether a table has a deal of today that a holder has begun at another table and not finished."""
    game = select(tables.c.game).where(tables.c.id == table, tables.c.day == today).scalar_subquery()
    own = and_(tables.c.day == today, tables.c.game == game, tables.c.id != table, tables.c.state != "over")
    mine = select(tables.c.id).join(holders, holders.c.table == tables.c.id).where(holders.c.token == holder, own)
    return connection.execute(mine.limit(1)).first() is not None


def forget_bundles(connection: Connection, holder: str) -> None:
    """Delete the link for all seats of a holder."""
    connection.execute(delete(bundles).where(bundles.c.holder == holder))
