"""The one thread that reads and writes the database: jobs wait in a queue and share transactions, and so an fsync.

Statements that run with every move are compiled once: SQLAlchemy writes them, and the driver runs them as they are. For
that their values must be what drivers take: numbers, texts, bytes. A file's connection has one reader, so that even its
cursor can be the driver's; to a server, SQLAlchemy watches for connections that are lost.
"""

from __future__ import annotations

import functools
import logging
import queue
import sqlite3
import threading
import time
from collections.abc import Callable, Mapping
from concurrent.futures import Future
from dataclasses import dataclass, field
from typing import Any, TypeVar

from sqlalchemy import Connection, Table
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.engine import Dialect
from sqlalchemy.exc import SQLAlchemyError

from hexdeck.engine.text import say
from hexdeck.tables.errors import Unavailable
from hexdeck.tables.storage.database import Database
from hexdeck.tables.storage.fanout import News

LOG = logging.getLogger("hexdeck.tables")
T = TypeVar("T")
MOST_JOBS = 256  # jobs in one transaction


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
            stop = False
            while len(batch) < MOST_JOBS and not self._jobs.empty():
                following = self._jobs.get()
                if following is None:
                    stop = True
                    break
                batch.append(following)
            self._commit([waiting for waiting in batch if waiting.done.set_running_or_notify_cancel()])
            if stop:
                return

    def _commit(self, batch: list[Job]) -> None:
        """Run jobs in one transaction; if one of them fails, each in its own, so that a bad job fails alone.

        Where the commit itself fails, all may be stored nevertheless: none is run again.
        """
        began, results = time.perf_counter(), list[Any]()
        try:
            with self.database.transaction() as connection:
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


class Compiled:
    """A statement of a dialect with values for these columns or parameters."""

    def __init__(self, dialect: Dialect, statement: Any, columns: tuple[str, ...]) -> None:
        compiled = statement.compile(dialect=dialect, column_keys=list(columns))
        self.text, self.order, self.is_file = str(compiled), compiled.positiontup, dialect.name == "sqlite"

    def first(self, connection: Connection, values: Mapping[str, Any]) -> Any:
        """Run it; returns the first row that it gives."""
        if self.is_file:
            return self._run_in_file(connection, values).fetchone()
        return connection.exec_driver_sql(self.text, dict(values)).first()

    def run(self, connection: Connection, values: Mapping[str, Any]) -> None:
        """Run it; it gives no rows."""
        if self.is_file:
            self._run_in_file(connection, values)
        else:
            connection.exec_driver_sql(self.text, dict(values))

    def _run_in_file(self, connection: Connection, values: Mapping[str, Any]) -> Any:
        driver: Any = connection.connection.dbapi_connection
        return driver.execute(self.text, tuple([values[name] for name in self.order or ()]))


@functools.lru_cache(256)
def compiled(dialect: Dialect, statement: Any, columns: tuple[str, ...]) -> Compiled:
    """A statement with values for these columns or parameters, compiled once for each database."""
    return Compiled(dialect, statement, columns)


def insert_if_absent(connection: Connection, table: Table, row: dict[str, Any]) -> bool:
    """Insert a row unless its key is taken; returns whether it was inserted."""
    statement = compiled(connection.dialect, _insertion(connection.dialect.name, table), tuple(row))
    return statement.first(connection, row) is not None


@functools.cache
def _insertion(name: str, table: Table) -> Any:
    dialect: Any = postgresql if name == "postgresql" else sqlite
    return dialect.insert(table).on_conflict_do_nothing().returning(*table.primary_key.columns)
