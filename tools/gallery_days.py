"""The pages of the deals of the day, and of what somebody has played, for the gallery."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from hexdeck.engine.discovery.finding import game_names
from hexdeck.engine.text import say, say_n
from hexdeck.tables.holders import PlayerTally
from hexdeck.web.html import pages as days
from hexdeck.web.html import table_page
from hexdeck.web.html.pages import (
    DONE,
    GOING,
    OPEN,
    DealLine,
    Other,
    PlayedSection,
)
from hexdeck.web.html.rendering import Compared, Invite, Share, Site, TablePage

DAY, GAME = "2026-11-26", "hawthorn"
TOLD = say_n("ended with {n} chip", "ended with {n} chips", 89)
LEVELS = (Share("gentle", 59, 200), Share("steady", 52, 200), Share("sharp", 0, 60, done=False))
COMPARED = Compared(GAME, DAY, won=True, levels=LEVELS[:2], people=Share("people", 1, 3), done=True)


def deals() -> tuple[DealLine, ...]:
    """A day's deals: one is over, one goes on."""
    kinds = (OPEN, GOING, DONE, DONE)
    return tuple(
        DealLine(name, kinds[k % 4], "a1b2c3", TOLD if kinds[k % 4] == DONE else None, won=k == 2)
        for k, name in enumerate(game_names())
    )


def of_days(site: Site, over: TablePage, link: Invite) -> Iterator[tuple[str, str]]:
    """The pages; `over`: a table whose match is over, as it is after a deal of the day."""
    others = (Other("Cleo", True, TOLD, False, "d4e5f6"), Other("Anna", False, TOLD, True, "a1b2c3"))
    for there, end in ((site, ""), (replace(site, lang="nl"), "-nl")):
        yield f"today{end}", days.deals(there, DAY, deals(), time="21:04", zone="CET (UTC+01:00)", name="Anna")
        yield f"day{end}", days.deal(there, DAY, "a1b2c3", TOLD, COMPARED, others)
    going = replace(COMPARED, levels=LEVELS, people=None, done=False)
    yield "day-going", days.deal(site, DAY, "a1b2c3", TOLD, going, ())
    tallies = (PlayerTally(GAME, 24, 9, TOLD, "a1b2c3"), PlayerTally("cursed-hand", 3, 0, None, "a1b2c3"))
    more = PlayedSection(
        say("Still to be played"), say_n("{n} match goes on.", "{n} matches go on.", 2), "/tables", say("My tables")
    )
    yield "me", days.my_page(site, DAY, deals(), tallies, (more,))
    yield "bundle", days.page("day_bundle.html", site, link=link, token="")
    assert over.over is not None
    ended = replace(over.over, compared=replace(COMPARED, game=over.view.game))
    yield "day-over", table_page.table(replace(over, of_day=True, over=ended))
