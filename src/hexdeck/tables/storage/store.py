"""The one thread that reads and writes the database: jobs wait in a queue and share transactions, and so an fsync."""

from __future__ import annotations

import logging
import queue
import sqlite3
import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field
from typing import Any, TypeVar

from sqlalchemy import Connection
from sqlalchemy.exc import SQLAlchemyError

from hexdeck.engine.text import say
from hexdeck.tables.errors import Unavailable
from hexdeck.tables.storage.database import Database

LOG = logging.getLogger("hexdeck.tables")
T = TypeVar("T")
News = Sequence[tuple[str, int]]  # tables and their new versions
MOST = 256  # jobs in one transaction


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
        self, database: Database, announce: Callable[[News], None] = lambda _: None,
        timed: Callable[[int, float], None] = lambda _jobs, _seconds: None,
    ) -> None:  # fmt: skip
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
            while len(batch) < MOST and not self._jobs.empty():
                following = self._jobs.get()
                if following is None:
                    stop = True
                    break
                batch.append(following)
            self._commit([each for each in batch if each.done.set_running_or_notify_cancel()])
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
