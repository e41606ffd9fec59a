"""Faults planted on purpose, each a mistake that somebody could make: evenings must find them.

What is planted is replaced in the application while an evening is played, and put back after it.
"""

import contextlib
from collections.abc import AsyncIterator, Callable, Iterator
from typing import Any
from unittest.mock import patch

from hexdeck.tables.model.live import LiveTable
from hexdeck.tables.service.registry import TableRegistry
from hexdeck.tables.service.runner import Runner


@contextlib.contextmanager
def acknowledged_before_it_is_stored() -> Iterator[None]:
    """A move is told to be made as soon as the store has been asked."""
    run_job = TableRegistry.run_job

    async def early(registry: TableRegistry, work: Any, news: Any = None) -> Any:
        if news is None:
            return await run_job(registry, work)
        registry.store.submit(work, news)
        return True

    with patch.object(TableRegistry, "run_job", early):
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
        patch.object(TableRegistry, "_forget_holders", lambda _registry, _id, _news: None),
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
    "holders remembered for ever": (holders_remembered_for_ever, "see"),
    "refused and silent": (refused_and_silent, "still sees version"),
}  # each with what evenings say of it
