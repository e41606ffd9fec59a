"""Reads matches that are over from the database, for those who study them.

Nothing is written, and a server may run meanwhile. Matches that aren't over are only counted.
"""

from __future__ import annotations

import contextlib
import sqlite3
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from sqlalchemy import Connection, Engine, create_engine, func, select
from sqlalchemy.exc import DBAPIError, NoSuchModuleError
from sqlalchemy.pool import NullPool

from hexdeck.engine.errors import HexdeckError
from hexdeck.engine.layout import added_since
from hexdeck.engine.text import say
from hexdeck.lab.log import PlayedMatch
from hexdeck.tables.errors import BadStore
from hexdeck.tables.model.entries import ANYONE, ENDED, OVER
from hexdeck.tables.model.live import LiveTable
from hexdeck.tables.model.seats import PERSON
from hexdeck.tables.service.codec import table_from_rows
from hexdeck.tables.service.feedback import Feedback, feedback_of
from hexdeck.tables.storage import rows
from hexdeck.tables.storage.database import (
    cannot_open,
    has_tables,
    is_newest,
    other_version,
    parsed,
    place_of,
    reason_of,
)
from hexdeck.tables.storage.schema import tables

SHARED, PROGRAM = "shared", "program"  # who played a seat, besides a person, or one of our bots
GOING, CLOSED, OLDER, DAMAGED = "going", "closed", "older", "damaged"  # why a table was left out
CHANGES_HANDS = {"bot", "back", "free", "sit"}  # kinds of entries after which another player or bot plays a seat


class Archive:
    """The tables of a database, read-only; raises BadStore where it can't be read.

    `left_out` counts the tables of the last game that were left out, by reason.
    """

    def __init__(self, database: str) -> None:
        url = parsed(database)
        self.is_file = url.get_backend_name() == "sqlite"
        self.place = place_of(url)
        self.left_out: Counter[str] = Counter()
        with self._opening():
            file = Path(str(url.database))
            self._engine = file_engine(file) if self.is_file else create_engine(url, poolclass=NullPool)
            with self._connected() as connection:
                newest, ours = is_newest(connection), has_tables(connection)
        if not ours:
            raise BadStore(say("There are no tables in {place}.", place=self.place))
        if not newest:
            raise other_version(self.place)

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
        with self._opening(), self._connected() as connection:
            ids = list(connection.execute(query.order_by(tables.c.made, tables.c.id)).scalars())
        for id in ids:
            with self._opening(), self._connected() as connection:
                stored, feedback = rows.read_table(connection, id), feedback_of(connection, id)
            match = self._kept(stored, feedback) if stored and stored.row["state"] == OVER else None
            if match is not None:
                yield match

    def _kept(self, stored: rows.Stored, feedback: tuple[Feedback, ...]) -> PlayedMatch | None:
        """The match of a table; None, and counted, where it can't be replayed."""
        try:
            table = table_from_rows(stored)
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
        with self._opening(), self._connected() as connection:
            return Counter({str(state): int(count) for state, count in connection.execute(query)})

    @contextlib.contextmanager
    def _connected(self) -> Iterator[Connection]:
        with self._engine.connect() as plain:
            yield plain if self.is_file else plain.execution_options(postgresql_readonly=True)

    @contextlib.contextmanager
    def _opening(self) -> Iterator[None]:
        try:
            yield
        except (DBAPIError, NoSuchModuleError, ModuleNotFoundError, OSError) as error:
            raise cannot_open(self.place, reason_of(error)) from None


def file_engine(path: Path) -> Engine:
    """An engine that only reads an SQLite file, and creates none."""
    address = f"{path.absolute().as_uri()}?mode=ro"
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
