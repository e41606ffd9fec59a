"""What each page shows besides a table's: plain facts, filled in by the handlers and made into HTML by `pages`.

Nothing in here may hold more than the reader knows: a view is the reader's own, and all else is public.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from hexdeck.bots.advice.analysis import Decision
from hexdeck.engine.beat import Beat
from hexdeck.engine.study import Measure
from hexdeck.engine.text import Text
from hexdeck.engine.view import View
from hexdeck.tables.signatures import SignedHead

THEMES = ("auto", "light", "dark")
PACES = ("slow", "normal", "quick")  # in which what happens is shown


@dataclass(frozen=True)
class Site:
    """What every page needs: the reader's language, theme and pace, where the site begins, and the page's own path.

    `prefix`: "" or a path like "/cards", which begins all addresses. `path`: this page, without the prefix, for the
    settings to lead back to. `notice`: a sentence shown above the page, such as a refusal. `base`: where the site
    begins for other devices, like "http://HOST/cards". `known`: the same where the server knows itself by
    that name, else "", so that no name which somebody else made up stands on a page for others to load. `workshop`:
    whether there is a workshop to lead to.
    """

    lang: str = "en"
    theme: str = "auto"
    prefix: str = ""
    path: str = "/"
    notice: Text | None = None
    base: str = ""
    pace: str = "normal"
    known: str = ""
    workshop: bool = False


@dataclass(frozen=True)
class Page:
    """A page of the site."""

    site: Site


@dataclass(frozen=True)
class GamePage(Page):
    """A page about one game, by its name."""

    game: str


# --- parts that several pages show ------------------------------------------------------------------------------------
@dataclass(frozen=True)
class DealPromise:
    """The promise of a new table's cards: the ticket that the form sends back, and the hash that it shows."""

    ticket: str
    hash: str


@dataclass(frozen=True)
class SeatLine:
    """Who sits on a seat: `kind` is "person", "bot" or "open"; `level` is a bot's.

    `here`: has the page open. `chosen`: has made its secret choice. `host`: is the host. `owner`: a person owns the
    seat, even if a bot plays on it now. `muted`: the host has muted it. `aside`: what the reader may say of them, in
    the reader's language, and whether they have said it.
    """

    number: int
    name: str
    kind: str
    level: str = ""
    here: bool = True
    chosen: bool = False
    host: bool = False
    owner: bool = False
    muted: bool = False
    aside: tuple[str, bool] | None = None


@dataclass(frozen=True)
class Invite:
    """A link to an open seat, or for watching (seat None), and its QR code as an SVG element.

    `code`: the letters and the number that lead to the seat, to be read out; "" without any.
    """

    seat: int | None
    address: str
    qr: str
    code: str = ""


@dataclass(frozen=True)
class JoinCode:
    """A code that leads to a free seat of a table: its letters, the link that ends in them, and its QR code.

    `typed_at`: where it can be typed in, without `http://`.
    """

    code: str
    address: str
    qr: str
    typed_at: str


# --- the site ---------------------------------------------------------------------------------------------------------
@dataclass(frozen=True)
class StartPage(Page):
    """The start page; `tables`: how many of the reader's tables aren't over; `dealt`: how many of today's deals are."""

    promised: DealPromise
    tables: int = 0
    dealt: int = 0


@dataclass(frozen=True)
class TableLine:
    """One of the reader's tables; `minutes`: since it changed.

    `kind`: "waiting" (for people), "mine" or "others" (to move), "bot" (one plays for the reader), "over", "ended" (it
    can't be resumed), "missing" (its game isn't there or doesn't work now).
    """

    table_id: str
    game: str
    names: tuple[str, ...]
    kind: str
    minutes: int

    @property
    def goes_on(self) -> bool:
        """Whether its match isn't over and can be played now."""
        return self.kind not in {"over", "ended", "missing"}


@dataclass(frozen=True)
class TablesPage(Page):
    """The reader's tables."""

    tables: tuple[TableLine, ...]


@dataclass(frozen=True)
class AboutPage(Page):
    """The page about the site."""

    version: str


@dataclass(frozen=True)
class PrivacyPage(Page):
    """The page about what is kept of people; `kept`: for how long tables are; `messages`: how many of a chat.

    `answers`: for how many days answers to puzzles are kept.
    """

    kept: tuple[Text, ...]
    messages: int
    answers: int


@dataclass(frozen=True)
class ErrorPage(Page):
    """A refusal, with its HTTP status; `report`: where a report of it is made, where something broke."""

    status: int
    text: Text
    report: str = ""


@dataclass(frozen=True)
class ReportPage(Page):
    """A report of what went wrong; `back`: where the reader came from, `fault`: what the page said."""

    text: str
    back: str = "/"
    fault: str = ""


# --- games ------------------------------------------------------------------------------------------------------------
@dataclass(frozen=True)
class Level:
    """A bot that can be chosen for a seat: its name, as the form sends it, and how well it plays."""

    name: str
    label: Text


@dataclass(frozen=True)
class NewPage(GamePage):
    """The form for a new table; `given`: its fields as they were sent, to be shown again after a refusal."""

    players: int
    levels: tuple[Level, ...]
    promised: DealPromise
    usual: str = "steady"
    given: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class RulesPage(GamePage):
    """The rules of a game; `printable`: whether this server makes PDFs."""

    promised: DealPromise
    printable: bool


@dataclass(frozen=True)
class ExamplePage(Page):
    """A game's worked example at one of its steps, counted from 1: the view with open cards, and the passage."""

    step: int
    steps: int
    view: View
    passage: str


# --- seats ------------------------------------------------------------------------------------------------------------
@dataclass(frozen=True)
class JoinPage(GamePage):
    """An invitation to a seat, whose form is sent to the path `at`; `taken`: somebody else was quicker.

    `full`: by a code, where no seat is free; `watch`: the path where such a guest may watch, "" without one. `promise`:
    the hash that is shown before the deal, while words that the seat adds still change the cards. `name`: the name that
    the reader chose last.
    """

    at: str
    seats: tuple[SeatLine, ...]
    seat: int
    taken: bool = False
    promise: str = ""
    name: str = ""
    full: bool = False
    watch: str = ""


@dataclass(frozen=True)
class CodePage(Page):
    """A field for the code of a table, with what was typed there before."""

    typed: str = ""


@dataclass(frozen=True)
class ScreenPage(CodePage):
    """Where a television is made the table: a new one of some game, or that of a code."""


@dataclass(frozen=True)
class InvitePage(GamePage):
    """The links of a table; `reachable`: other devices here can follow them (`lan`: under another address).

    `joining`: its code, while a seat is free. `name`: of whoever invites.
    """

    table_id: str
    invites: tuple[Invite, ...]
    reachable: bool = True
    lan: bool = False
    joining: JoinCode | None = None
    name: str = ""


@dataclass(frozen=True)
class LeavePage(GamePage):
    """Leaving a table for good; `alone`: nobody else holds a seat there; `host`: the reader is its host."""

    table_id: str
    alone: bool
    host: bool


@dataclass(frozen=True)
class AgainPage(Page):
    """A decision of the reader's that cost something, to be made once more, from what the seat knew (`view`).

    `number`: of the decision, from 1; `solved`: of each decision, None where it wasn't tried again. `decision`: None
    where none cost anything. `told`: what the move that was tried just now would have brought.
    """

    table_id: str
    seat: int
    view: View
    seats: tuple[SeatLine, ...]
    number: int
    solved: tuple[bool | None, ...]
    decision: Decision | None
    told: Text | None = None


@dataclass(frozen=True)
class FeedbackPage(GamePage):
    """The questions after a match; `said`: what the reader said before, `longest`: the most characters of an answer."""

    table_id: str
    said: Mapping[str, Any]
    longest: int


@dataclass(frozen=True)
class CarryPage(GamePage):
    """Taking a seat to another device: `link` on the device that has the seat, the `token` of the link on the other."""

    name: str
    table_id: str = ""
    token: str = ""
    link: Invite | None = None


# --- matches ----------------------------------------------------------------------------------------------------------
@dataclass(frozen=True)
class FairPage(GamePage):
    """How a table's cards are dealt: `promise` is the hash of its secret, which is shown when the match is over.

    `added`: what each seat added, None where the reader may not know it yet. `rematch` and `rematch_added`: the same of
    the rematch. `seals`: the hashes of sealed words, by seat. `head`: the head of the table's chain that everybody may
    see, "" without a chain; `signed`: the same as the server signed it, None where it signs nothing.
    """

    table_id: str
    promise: str
    seats: tuple[SeatLine, ...]
    me: int | None
    added: tuple[str | None, ...]
    secret: str = ""
    rematch: str = ""
    rematch_added: tuple[str | None, ...] = ()
    seals: tuple[str, ...] = ()
    head: str = ""
    signed: SignedHead | None = None


@dataclass(frozen=True)
class ReplayPage(Page):
    """A match at one ply, from a seat's eyes (None: open cards).

    `stops`: the plies to step through; `step`: the index of this one. `lines`: what the log says of it, `beats` how it
    came about since the stop before. `share`: the page's address for others, who can open it unless the table is
    `private`. `seats`: who sat where, if that is known.
    """

    replay_id: str
    stops: tuple[int, ...]
    step: int
    seat: int | None
    view: View
    lines: tuple[Text, ...] = ()
    share: str = ""
    rematch: str = ""
    private: bool = False
    beats: tuple[Beat, ...] = ()
    seats: tuple[SeatLine, ...] = ()

    @property
    def ply(self) -> int:
        """The ply that is shown."""
        return self.stops[self.step]


@dataclass(frozen=True)
class AnalysisPage(GamePage):
    """A seat's decisions in a match that is over: `found` of `total`, which is -1 until they are counted.

    `known`: how many are found. `summary` and `measure`: sentences about the whole, and how results are said, when it
    is `done`. `result`: the utility that the match brought. `own`: the seat is the reader's.
    """

    table_id: str
    names: tuple[str, ...]
    seat: int
    done: bool
    failed: bool
    known: int
    total: int
    found: tuple[Decision, ...] = ()
    summary: tuple[Text, ...] = ()
    measure: Measure | None = None
    result: float | None = None
    own: bool = False
