"""Faults planted on purpose, each a mistake that somebody could make: evenings must find them.

What is planted is replaced in the application while an evening is played, and put back after it.
"""

import contextlib
import itertools
from collections.abc import AsyncIterator, Callable, Iterator
from dataclasses import asdict
from typing import Any
from unittest.mock import patch

from sqlalchemy import delete, select

from hexdeck.tables import daily, feedback, holders, rows
from hexdeck.tables.database import insert_if_absent
from hexdeck.tables.holders import store_answer
from hexdeck.tables.live import LiveTable
from hexdeck.tables.registry import TableRegistry
from hexdeck.tables.runner import Runner
from hexdeck.tables.schema import answers
from hexdeck.tables.schema import feedback as feedback_table
from hexdeck.web.routes import daily as daily_routes
from hexdeck.web.routes import requests


@contextlib.contextmanager
def acknowledged_before_it_is_stored() -> Iterator[None]:
    """A move is told to be made as soon as the store has been asked."""

    async def early(registry: TableRegistry, job: Any, news: Any) -> Any:
        registry.store.submit(job, news)
        return True

    with patch.object(TableRegistry, "run_announced", early):
        yield


@contextlib.contextmanager
def without_a_lock() -> Iterator[None]:
    """Two requests may be at the same table at once."""

    @contextlib.asynccontextmanager
    async def reading(registry: TableRegistry, id: str) -> AsyncIterator[LiveTable]:
        yield await registry.table(id)

    with patch.object(TableRegistry, "reading", reading):
        yield


@contextlib.contextmanager
def any_version_is_current() -> Iterator[None]:
    """The second click of a double click is a move, too, if it can be."""
    with patch.object(LiveTable, "is_current_for", lambda _table, _seat, _version: True):
        yield


@contextlib.contextmanager
def holders_remembered_for_ever() -> Iterator[None]:
    """Whoever lost a seat to the host may look into the hand of whoever has it now."""
    with (
        patch.object(TableRegistry, "forget_holders", lambda _registry, _id: None),
        patch.object(LiveTable, "freed", lambda _table, _seat: 0),
    ):
        yield


@contextlib.contextmanager
def orphans_left_alone() -> Iterator[None]:
    """The bots of a process that is gone wait for it."""

    async def nothing(_runner: Runner) -> None:
        return

    with patch.object(Runner, "_take_over_orphans", nothing), patch.object(Runner, "_days", nothing):
        yield


@contextlib.contextmanager
def refused_and_silent() -> Iterator[None]:
    """Whoever was second at storing learns what the first has stored, and tells nobody (evenings found this one)."""
    attempt, refresh = TableRegistry._attempt, TableRegistry.refresh

    async def change(registry: TableRegistry, id: str, draft: Any, holder: Any = None) -> LiveTable:
        async with registry.reading(id) as table:
            for _ in range(6):
                if await attempt(registry, table, draft, holder):
                    return table
                await refresh(registry, table)
        raise AssertionError

    with patch.object(TableRegistry, "change", change):
        yield


FAULTS: dict[str, tuple[Callable[[], Any], str]] = {
    "acknowledged before it is stored": (acknowledged_before_it_is_stored, "acknowledged and isn't stored"),
    "without a lock": (without_a_lock, ""),
    "any version is current": (any_version_is_current, "twice"),
}  # each with what evenings say of it; the others are met in stories, see `test_planted`


# --- beside and after a match -----------------------------------------------------------------------------------------
def the_last_answer_counts() -> Any:
    """Whoever answers a puzzle twice has solved it the second time."""

    def store(connection: Any, token: str, puzzle: str, answer: Any, at: float) -> bool:
        one = answers.c.token == token, answers.c.puzzle == puzzle
        connection.execute(delete(answers).where(*one))
        return store_answer(connection, token, puzzle, answer, at)

    return patch.object(daily_routes, "store_answer", store)


def only_the_first_opinion() -> Any:
    """What somebody says a second time of a match is thanked for, and lost."""

    def store(connection: Any, table: str, given: Any) -> None:
        insert_if_absent(connection, feedback_table, {"table": table, **asdict(given)})

    return patch.object(feedback, "store_feedback", store)


@contextlib.contextmanager
def a_deal_as_often_as_one_likes() -> Iterator[None]:
    """Whoever presses the button of a deal gets a new table with the same cards."""

    async def none(*_given: Any) -> dict[str, Any]:
        return {}

    drawn = itertools.count()
    fresh = patch.object(daily, "deal_id", lambda *_given: f"again-{next(drawn):06}")
    with fresh, patch.object(daily_routes, "own_deals", none):
        yield


def an_open_deal() -> Any:
    """Anybody may look at a deal that they could still play."""

    async def may(*_given: Any) -> None:
        return

    return patch.object(requests, "assert_unseen", may)


def opinions_outlast_people() -> Any:
    """What somebody who has left for good said of the match stays."""
    return patch.object(rows, "feedback", rows.carries)


def forgotten_at_a_glance() -> Any:
    """Answers to puzzles are said to be forgotten, and stay."""
    return patch.object(holders, "erase_answers", lambda _connection, token: None)


def anybodys_file() -> Any:
    """The file of what is kept of somebody has what others said of the match."""

    def everybodys(connection: Any, part: Any, table: str, _seat: int) -> list[Any]:
        return [dict(row) for row in connection.execute(select(part).where(part.c.table == table)).mappings()]

    return patch.object(holders, "_rows_of_seat", everybodys)


PASTIME_FAULTS: dict[str, tuple[Callable[[], Any], str]] = {
    "the last answer counts": (the_last_answer_counts, "to puzzle"),
    "only the first opinion": (only_the_first_opinion, "is kept"),
    "a deal as often as one likes": (a_deal_as_often_as_one_likes, "pressed a button twice and got"),
    "an open deal": (an_open_deal, "can still be dealt it"),
    "opinions outlast people": (opinions_outlast_people, "feedback still has something of them"),
    "forgotten at a glance": (forgotten_at_a_glance, "is still there"),
    "anybody's file": (anybodys_file, "got what somebody else said"),
}
