"""Pages of a table where people talk, share a device, and keep score over an evening: for the gallery."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from hexdeck.web import pages
from hexdeck.web.contexts import Shared, TablePage, Talk, TalkLine

SAID = (
    TalkLine(0, 1, "Bram", "luck"), TalkLine(1, 0, "Anna", "", "Who dealt me this hand?"), TalkLine(2, 2, "Cleo", "ha"),
    TalkLine(3, 1, "Bram", "", "A very long sentence, as people write them when they have lost their patience, " * 2),
)  # fmt: skip


def company(page: TablePage, watched: TablePage) -> Iterator[tuple[str, str]]:
    """Such pages, made from those of a seat and of the public in the middle of a match."""
    here = replace(page, seats=tuple(replace(line, owner=True, muted=line.number == 2) for line in page.seats))
    yield "talking", pages.table(replace(here, talk=Talk(SAID, True, True, True, True)))
    yield "phrases", pages.table(replace(here, host=False, talk=Talk((), True, False, False, True)))
    sharing = tuple(replace(line, kind="person", owner=True) for line in page.seats)
    yield "shared", pages.table(replace(page, seats=sharing, clock=None, shared=Shared((0, 1, 2, 3), False, (0,))))
    covered = replace(watched, seats=sharing, clock=None)
    yield "curtain", pages.table(replace(covered, shared=Shared((0, 1, 2, 3), True, (1,))))
    yield "covered", pages.table(replace(covered, shared=Shared((0, 1), True, (0, 1))))
