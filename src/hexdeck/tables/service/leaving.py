"""Leaving a table for good: what is kept of somebody there is deleted. The last to leave takes the table along.

The moves stay, since the match is the others' too, and so do words that were added to its cards: without them nobody
could check these.
"""

from __future__ import annotations

import contextlib
import functools
from dataclasses import replace

from hexdeck.engine.text import say
from hexdeck.tables.errors import NoTable, NotYours, Stale, TableError, Unavailable
from hexdeck.tables.model.clocks import with_clocks
from hexdeck.tables.model.entries import ERASE, PLAYING, WAITING, Draft, Terms
from hexdeck.tables.model.live import Drafter, LiveTable
from hexdeck.tables.model.seats import Seat, free_name
from hexdeck.tables.service.commands import host_entry, vacated_seat
from hexdeck.tables.service.drafts import announcement, assert_seat, with_seat
from hexdeck.tables.service.registry import TableRegistry
from hexdeck.tables.storage import rows
from hexdeck.tables.storage.daily.bundles import forget_bundles
from hexdeck.tables.storage.erasing import empty_log, erase_unplayable, held_by
from hexdeck.tables.storage.puzzles.answers import erase_answers

NOBODY = "?"  # stands in for a name at a table that can't be played any more


async def leave_everywhere(registry: TableRegistry, token: str) -> int:
    """Leave every table where a hashed token holds a seat, and forget its link and puzzles; returns how many tables."""
    await registry.run_job(functools.partial(forget_bundles, holder=token))
    await forget_puzzles(registry, token)
    held = await registry.run_job(functools.partial(held_by, token=token))
    for id, seat in held:
        with contextlib.suppress(NoTable, Stale):  # it was deleted or left meanwhile
            await leave_table(registry, id, seat)
    return len(held)


async def forget_puzzles(registry: TableRegistry, token: str) -> None:
    """Delete all answers that a hashed token gave to puzzles."""
    await registry.run_job(functools.partial(erase_answers, token=token))
    await registry.run_job(empty_log)


async def leave_table(registry: TableRegistry, id: str, seat: int) -> None:
    """Delete what is kept of whoever holds a seat, and the table where nobody else holds one; raises Stale."""
    held = {holder["seat"] for holder in await registry.run_job(functools.partial(rows.holders_of, table=id))}
    if seat not in held:
        raise Stale(say("Nobody holds this seat any more."))
    if held == {seat}:
        await registry.delete(id)
        return
    try:
        await registry.table(id)
    except (NoTable, Unavailable):
        raise
    except TableError:  # it can't be played: now, or ever again
        await registry.run_job(functools.partial(erase_unplayable, table=id, seat=seat, name=NOBODY))
        registry.forget_holders(id)
    else:
        await registry.change(id, leave(seat, registry.clock()))
    await registry.run_job(empty_log)


async def delete_table(registry: TableRegistry, id: str, by: int) -> None:
    """The host deletes a table, for everybody; raises NotYours."""
    async with registry.reading(id) as table:
        if by != table.terms.host:
            raise NotYours(say("Only the host can delete a table."))
    await registry.delete(id)


def leave(seat: int, now: float) -> Drafter:
    """Whoever holds a seat leaves, with those who play on their device; a bot plays on, and somebody else is host."""

    def draft(table: LiveTable) -> Draft:
        assert_seat(table, seat)
        if not table.seats[seat].owner:
            raise Stale(say("Nobody holds this seat any more."))
        left = tuple(number for number, each in enumerate(table.seats) if seat in (number, each.device))
        seats = table.seats
        for number in left:
            seats = with_seat(seats, number, emptied(table, seats, number))
        text = say("Somebody has left. Their name and their messages are deleted.")
        entries, terms = [announcement(table, ERASE, seat, text, now)], table.terms
        heir = next_host(terms, seats)
        if heir is not None:
            entries.append(host_entry(entries[-1].version + 1, heir, now))
            terms = replace(terms, host=heir)
        if table.state in (WAITING, PLAYING):
            seats = with_clocks(table, seats, now)
        return Draft(tuple(entries), seats, table.state, terms, vacated=seat, erased=left)

    return draft


def emptied(table: LiveTable, seats: tuple[Seat, ...], number: int) -> Seat:
    """A seat without anything of whoever had it; who played a match that is over stays known: a person, or a bot."""
    old, others = seats[number], [each.name for each in seats]
    name = free_name("", others, number)
    if table.state in (WAITING, PLAYING):
        return replace(vacated_seat(table, old), name=name, adds="")
    level = "" if old.program else old.level
    return replace(old, name=name, level=level, owner=False, freed=old.freed + 1, coached=False, muted=False,
                   device=None, face=-1, adds="")  # fmt: skip


def next_host(terms: Terms, seats: tuple[Seat, ...]) -> int | None:
    """Who is host now that the host has left; None where the host is still there, or nobody is."""
    held = [number for number, each in enumerate(seats) if each.owner]
    return held[0] if held and terms.host not in held else None
