"""What each page is told: plain facts, filled in by the handlers, turned into HTML by `pages`.

Nothing in here may hold more than the reader knows: a view is the reader's own, and all else is public.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from hexdeck.bots.advice.analysis import Decision
from hexdeck.engine.measure import Measure
from hexdeck.engine.play.coach import Lesson
from hexdeck.engine.text import Text
from hexdeck.engine.view import View
from hexdeck.web.html.scores import Scores

THEMES = ("auto", "light", "dark")


@dataclass(frozen=True)
class Site:
    """What every page needs: the reader's language and theme, where the site begins, and the page's own address.

    `prefix` is "" or like "/cards": all addresses begin with it. `path` is this page without the prefix: where the
    settings lead back to. `notice` is one sentence to show above the page: what was refused, and why. `base`: where the
    site begins for others, `http://HOST/cards`.
    """

    lang: str = "en"
    theme: str = "auto"
    prefix: str = ""
    path: str = "/"
    notice: Text | None = None
    base: str = ""


@dataclass(frozen=True)
class Promised:
    """A promise that a form keeps to: its ticket, and the hash of the secret, which is shown."""

    ticket: str
    hash: str


@dataclass(frozen=True)
class StartPage:
    """The first page; `tables` counts the reader's own tables that aren't over."""

    site: Site
    promised: Promised
    tables: int = 0


@dataclass(frozen=True)
class Level:
    """A bot that can be chosen for a seat: what the form sends, and what is known of it."""

    name: str
    label: Text


@dataclass(frozen=True)
class NewPage:
    """Setting a table of one game; `given` is what the form held, to be shown again when something was refused."""

    site: Site
    game: str
    players: int
    levels: tuple[Level, ...]
    promised: Promised
    usual: str = "steady"
    given: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class SeatLine:
    """Who sits on a seat: `kind` is "person", "bot" or "open"; `level` is a bot's.

    `here`: has the page open. `chosen`: has made its secret choice. `host`: set the table. `muted`: silenced by them.
    `owner`: a person owns the seat, also where a bot plays on it now.
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


@dataclass(frozen=True)
class Clock:
    """Time to choose: `kind` is "relaxed" or "brisk"; `left` is the seconds that were left when the page was made.

    `whose` is the name of whose time it is, empty where it is the reader's own.
    """

    kind: str
    left: int
    whose: str = ""


@dataclass(frozen=True)
class Over:
    """What comes with the end: the replay's address part, the secret behind the cards, the table of a rematch.

    `places`: how well each seat did, from 1; equals share a place; `won`: whether it did. `asked`: the seat that asked
    for the rematch. `promise`: the hash of its secret, until it is there; `added`: who added words; `mine`: own ones.
    """

    replay: str
    secret: str = ""
    rematch: str = ""
    places: tuple[int, ...] = ()
    won: tuple[bool, ...] = ()
    asked: int | None = None
    promise: str = ""
    added: tuple[int, ...] = ()
    mine: str = ""


@dataclass(frozen=True)
class Invite:
    """A link to an open seat, or to watch (seat None), and its QR code as an SVG element."""

    seat: int | None
    address: str
    qr: str


@dataclass(frozen=True)
class Hint:
    """The best moves of the reader, the best first: in words, what each brings, and why; then what that stands on.

    `only`: there is but one thing to do.
    """

    moves: tuple[tuple[Text, Text, Text | None], ...]
    premises: tuple[Text, ...] = ()
    only: bool = False


@dataclass(frozen=True)
class TalkLine:
    """Something that a seat said under the name that it had then: a phrase, by its id, or words of its own."""

    number: int
    seat: int
    name: str
    phrase: str = ""
    words: str = ""


@dataclass(frozen=True)
class Talk:
    """What was said at a table, the newest last.

    `speaks`: the reader may say something, `open`: in words of their own. `fresh`: the newest was said just now, by
    another. `sits`: the reader is a person at the table.
    """

    lines: tuple[TalkLine, ...] = ()
    speaks: bool = False
    open: bool = True
    fresh: bool = False
    sits: bool = False


@dataclass(frozen=True)
class Shared:
    """A device that several people play on: their seats, whether the cards are `covered`, who may take it `next`."""

    seats: tuple[int, ...]
    covered: bool = False
    next: tuple[int, ...] = ()


@dataclass(frozen=True)
class TablePage:
    """A table as one reader sees it.

    `me` is None for a spectator. `news` counts the last lines of the log that came after the reader's last move.
    `promise`: the hash that is shown before the cards are dealt. `waiting`: seats are open and nothing is dealt.
    `ended`: why the match can't go on, where it can't. `invites`: the links to open seats, while it waits for people,
    and `near`: whether others on this network can follow them (`lan`: with another address). `may_retract`: the
    reader's choice can still be taken back. `may_host`: the host is away, and the reader can be host instead. `hints`:
    who sits here may ask for them; `hint`: what the reader asked for. `coached`: decisions are explained to the
    reader, this one by `lesson` if it is the first of its kind; `scored`: how the match was scored. `talk`: what
    people say, where there is somebody to talk to. `shared`: several people play on the reader's device. `scores`: the
    score sheet, once there is something on it; `sides`: the team of each seat, empty where everybody plays alone.
    Nothing in it but `site` and `hint` depends on who asks for a seat's page.
    """

    site: Site
    table_id: str
    version: int
    view: View
    seats: tuple[SeatLine, ...]
    me: int | None = None
    host: bool = False
    news: int = 0
    clock: Clock | None = None
    over: Over | None = None
    watching: int = 0
    promise: str = ""
    waiting: bool = False
    ended: Text | None = None
    invites: tuple[Invite, ...] = ()
    near: bool = True
    lan: bool = False
    may_retract: bool = False
    may_host: bool = False
    hints: bool = False
    hint: Hint | None = None
    coached: bool | None = None
    lesson: Lesson | None = None
    scored: tuple[Text, ...] = ()
    talk: Talk | None = None
    shared: Shared | None = None
    scores: Scores | None = None
    sides: tuple[int, ...] = ()

    @property
    def teams(self) -> tuple[tuple[SeatLine, ...], ...]:
        """Who plays together, team by team; empty where everybody plays alone."""
        pairs = tuple(zip(self.seats, self.sides, strict=True)) if self.sides else ()
        return tuple(tuple(line for line, side in pairs if side == team) for team in sorted(set(self.sides)))


@dataclass(frozen=True)
class JoinPage:
    """An invitation: GET shows it, POST takes the seat. `taken`: somebody else was quicker.

    `promise`: the hash that is shown before the cards are dealt, where what the seat adds still counts.
    """

    site: Site
    token: str
    game: str
    seats: tuple[SeatLine, ...]
    seat: int
    taken: bool = False
    promise: str = ""


@dataclass(frozen=True)
class InvitePage:
    """The links of a table; `near`: other devices on this network can reach them; `lan`: with another address."""

    site: Site
    table_id: str
    game: str
    invites: tuple[Invite, ...]
    near: bool = True
    lan: bool = False


@dataclass(frozen=True)
class CarryPage:
    """Carrying a seat to another device: the link with its code where it was made, else the question to take it."""

    site: Site
    game: str
    name: str
    table_id: str = ""
    token: str = ""
    link: Invite | None = None


@dataclass(frozen=True)
class FairPage:
    """How the cards of a table are made: `promise` is the hash of its secret, which is told when the match is over.

    `added`: what each seat added, None where the reader may not know it yet. `rematch`: the same of the rematch.
    """

    site: Site
    table_id: str
    game: str
    promise: str
    seats: tuple[SeatLine, ...]
    me: int | None
    added: tuple[str | None, ...]
    secret: str = ""
    rematch: str = ""
    rematch_added: tuple[str | None, ...] = ()


@dataclass(frozen=True)
class TableLine:
    """One of the reader's tables; `minutes`: since something happened there.

    `kind`: "waiting" for people, "mine" or "others" to move, "bot": one plays for them, "over", "ended": it can't.
    """

    table_id: str
    game: str
    names: tuple[str, ...]
    kind: str
    minutes: int

    @property
    def goes_on(self) -> bool:
        """Whether it isn't over."""
        return self.kind not in {"over", "ended"}


@dataclass(frozen=True)
class TablesPage:
    """The tables of the reader."""

    site: Site
    tables: tuple[TableLine, ...]


@dataclass(frozen=True)
class ReplayPage:
    """A match that can be looked back on: the view at a ply, from a seat's eyes (None: open cards).

    `stops`: the plies to stop at, `step` which of them this is. `share`: the page's address for others, who can open it
    unless the table is `private`.
    """

    site: Site
    replay_id: str
    stops: tuple[int, ...]
    step: int
    seat: int | None
    view: View
    told: tuple[Text, ...] = ()
    share: str = ""
    rematch: str = ""
    private: bool = False

    @property
    def ply(self) -> int:
        """The ply that is shown."""
        return self.stops[self.step]


@dataclass(frozen=True)
class AnalysisPage:
    """A seat's decisions in a match that is over: `found` of `total`, which is -1 until they are counted.

    `told` and `measure`: sentences about the whole and how results are said, when it is `done`.
    """

    site: Site
    table_id: str
    game: str
    names: tuple[str, ...]
    seat: int
    done: bool
    failed: bool
    known: int
    total: int
    found: tuple[Decision, ...] = ()
    told: tuple[Text, ...] = ()
    measure: Measure | None = None


@dataclass(frozen=True)
class ExamplePage:
    """A game's worked example at one of so many steps, counted from 1: the view with open cards, and the passage."""

    site: Site
    step: int
    steps: int
    view: View
    passage: str


@dataclass(frozen=True)
class RulesPage:
    """The rules of a game."""

    site: Site
    game: str
    promised: Promised


@dataclass(frozen=True)
class AboutPage:
    """About the site."""

    site: Site
    version: str


@dataclass(frozen=True)
class ErrorPage:
    """What went wrong, in a sentence."""

    site: Site
    status: int
    text: Text
