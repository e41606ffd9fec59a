"""Pages of a table where people talk, share a device, and keep score over an evening: for the gallery."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from hexdeck.engine.text import say
from hexdeck.tables.entries import Message
from hexdeck.web.html import table_page
from hexdeck.web.html.rendering import Chat, ScoreLine, Scores, SeriesLine, SharedDevice, TablePage

LONG = "A very long sentence, as people write them when they have lost their patience, " * 2
SAID = (
    Message(0, 1, "Bram", "luck", "", 0.0),
    Message(1, 0, "Anna", "", "Who dealt me this hand?", 0.0),
    Message(2, 2, "Cleo", "ha", "", 0.0),
    Message(3, 1, "Bram", "", LONG, 0.0),
)
SERIES = (SeriesLine(1, "a1b2c3", ((True, (12,)), (False, (7,)))),)
CELLS = (((5, 5),), ((0, 0),), ((11, 11),), ((2, 2),)), (((3, 8),), ((6, 6),), ((0, 11),), ((4, 6),))
SHEET = Scores(
    ((0,), (1,), (2,), (3,)),
    ("total",),
    tuple(ScoreLine(number, cells) for number, cells in enumerate(CELLS, 1)),
    ((8,), (6,), (11,), (6,)),
    (),
    (0, 0, 0, 0),
    False,
    False,
    say("Round"),
    (say("Points"),),
)


def company(page: TablePage, watched: TablePage) -> Iterator[tuple[str, str]]:
    """Such pages, made from those of a seat and of the public in the middle of a match."""
    here = replace(page, seats=tuple(replace(line, owner=True, muted=line.number == 2) for line in page.seats))
    yield "talking", table_page.table(replace(here, chat=Chat(SAID, True, True, True, True)))
    yield "phrases", table_page.table(replace(here, host=False, chat=Chat((), True, False, False, True)))
    sharing = tuple(replace(line, kind="person", owner=True) for line in page.seats)
    yield (
        "shared",
        table_page.table(replace(page, seats=sharing, clock=None, shared=SharedDevice((0, 1, 2, 3), False, (0,)))),
    )
    covered = replace(watched, seats=sharing, clock=None)
    yield "curtain", table_page.table(replace(covered, shared=SharedDevice((0, 1, 2, 3), True, (1,))))
    yield "sheet", table_page.table(replace(page, scores=SHEET))
    teams = replace(SHEET, columns=((0, 2), (1, 3)), teams=True, lines=(), totals=((), ()), series=SERIES, wins=(1, 0))
    yield "teams", table_page.table(replace(page, scores=teams, team_of=(0, 1, 0, 1), clock=None))
    yield "covered", table_page.table(replace(covered, shared=SharedDevice((0, 1), True, (0, 1))))
