"""What the pages about deals of the day, and about what somebody has played, show."""

from __future__ import annotations

from dataclasses import dataclass

from hexdeck.engine.text import Text
from hexdeck.tables.service.daily.field import MATCHES
from hexdeck.web.html.page_models import GamePage, Invite, Page

OPEN, GOING, DONE = "open", "going", "done"  # what a deal is to its reader


@dataclass(frozen=True)
class Share:
    """How many of so many matches bots of a level, or people ("people"), have won; `done`: all were played."""

    who: str
    won: int
    games: int
    done: bool = True


@dataclass(frozen=True)
class Compared:
    """How the reader did with a deal, beside bots with the same cards, the gentlest first, and other people.

    `day`: whose deal it is. `counts`: the reader played it alone, to the end. `done`: nothing more will be known of the
    bots.
    """

    game: str
    day: str
    won: bool
    levels: tuple[Share, ...] = ()
    people: Share | None = None
    counts: bool = True
    done: bool = False

    @property
    def progress(self) -> tuple[int, int]:
        """How many matches bots have played, and how many they will have played."""
        return sum(each.games for each in self.levels), MATCHES * len(self.levels)


@dataclass(frozen=True)
class DealLine:
    """A deal of the day as its reader sees it: OPEN, GOING or DONE; then how it ended, and whether they won."""

    game: str
    kind: str
    table_id: str = ""
    told: Text | None = None
    won: bool = False


@dataclass(frozen=True)
class DaysPage(Page):
    """Today's deals. `time`: of the server, as in 21:04; `zone`: its time zone; `name`: which the reader chose last."""

    day: str
    time: str
    zone: str
    deals: tuple[DealLine, ...]
    name: str = ""


@dataclass(frozen=True)
class Other:
    """How somebody did with a deal; `mine`: the reader."""

    name: str
    won: bool
    told: Text
    mine: bool
    table_id: str


@dataclass(frozen=True)
class DealPage(GamePage):
    """How the reader did with a deal of the day, beside bots and other people, the best first."""

    day: str
    zone: str
    table_id: str
    told: Text
    compared: Compared
    others: tuple[Other, ...]


@dataclass(frozen=True)
class GameTally:
    """What the reader has played of a game: matches, wins, and the best of them, if one is better than others.

    `share`: the ends of the 95 % interval of the share that they win, in percent; None where it would say nothing.
    """

    game: str
    played: int
    won: int
    best: Text | None
    best_at: str
    share: tuple[int, int] | None


@dataclass(frozen=True)
class Section:
    """A part of the page of what somebody has played: a heading, a line, and where more of it is."""

    title: Text
    line: Text
    path: str
    link: Text


@dataclass(frozen=True)
class MinePage(Page):
    """What the reader has played; `days`: how many deals of the day they finished; `sections`: what else there is."""

    day: str
    deals: tuple[DealLine, ...]
    tallies: tuple[GameTally, ...]
    enough: int
    sections: tuple[Section, ...] = ()


@dataclass(frozen=True)
class BundlePage(Page):
    """Taking all seats to another device: `link` on the one that has them, the `token` of the link on the other."""

    link: Invite | None = None
    token: str = ""
