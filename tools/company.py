"""Pages of a table where people talk, share a device, and keep score over an evening: for the gallery."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from hexdeck.web import pages
from hexdeck.web.contexts import TablePage, Talk, TalkLine

SAID = (
    TalkLine(0, 1, "Bram", "luck"), TalkLine(1, 0, "Anna", "", "Who dealt me this hand?"), TalkLine(2, 2, "Cleo", "ha"),
    TalkLine(3, 1, "Bram", "", "A very long sentence, as people write them when they have lost their patience, " * 2),
)  # fmt: skip


def company(page: TablePage) -> Iterator[tuple[str, str]]:
    """Such pages, made from one of a table in the middle of a match."""
    here = replace(page, seats=tuple(replace(line, owner=True, muted=line.number == 2) for line in page.seats))
    yield "talking", pages.table(replace(here, talk=Talk(SAID, True, True, True, True)))
    yield "phrases", pages.table(replace(here, host=False, talk=Talk((), True, False, False, True)))
