"""Copies of a file of tables, made while a server writes to it; each is checked before it counts."""

from __future__ import annotations

import contextlib
import os
import sqlite3
from pathlib import Path

from hexdeck.engine.text import say
from hexdeck.tables.errors import BadStore
from hexdeck.tables.storage.database import PRIVATE, Database, cannot_open, locked, parsed
from hexdeck.tables.storage.durable import sync_folder


def file_of(given: str) -> Path:
    """The file of a database; raises BadStore for PostgreSQL, which has tools of its own."""
    url = parsed(given)
    if url.get_backend_name() != "sqlite":
        raise BadStore(say("PostgreSQL has pg_dump and pg_restore for this; here only files are copied."))
    return Path(str(url.database))


def back_up(given: str, to: Path) -> int:
    """Copy the tables of a database as they are now to a new file; returns how many. Raises BadStore."""
    return _copy(file_of(given), to)


def restore(given: str, copy: Path) -> int:
    """Put the tables of a copy where a database is wanted and none is yet; returns how many. Raises BadStore."""
    place = file_of(given)
    if place.exists():
        raise _taken(place)
    lock = locked(place, create=False)
    try:
        count = _copy(copy, place)
    finally:
        lock.close()
    Database(given).close()  # brings it up to date
    return count


def _copy(source: Path, to: Path) -> int:
    """Copy to a file beside the wanted one, check it, then give it its name."""
    if to.exists():
        raise _taken(to)
    beside = to.with_name(f"{to.name}.part")
    try:
        beside.unlink(missing_ok=True)
        beside.touch(mode=PRIVATE)
        with (
            contextlib.closing(sqlite3.connect(f"{source.absolute().as_uri()}?mode=ro", uri=True)) as there,
            contextlib.closing(sqlite3.connect(beside)) as here,
        ):
            there.backup(here)
            here.execute("PRAGMA journal_mode=DELETE")
            count = _checked(here, source)
        with beside.open("rb") as written:
            os.fsync(written.fileno())
        beside.rename(to)
        sync_folder(to.parent)
    except (OSError, sqlite3.Error) as error:
        raise cannot_open(str(source), str(getattr(error, "strerror", "") or error).rstrip(".")) from None
    finally:
        with contextlib.suppress(OSError):
            beside.unlink()
    return count


def _checked(copy: sqlite3.Connection, source: Path) -> int:
    """The number of tables in a sound copy; raises BadStore."""
    ((found,),) = copy.execute("PRAGMA integrity_check(1)")
    if found != "ok":
        raise cannot_open(str(source), say("the file is damaged"))
    ((count,),) = copy.execute("SELECT count(*) FROM tables")
    return int(count)


def _taken(place: Path) -> BadStore:
    return BadStore(say("{place} is there already; move it away, or name another file.", place=str(place)))
