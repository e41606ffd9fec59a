"""What each page shows: plain facts, filled in by the handlers and made into HTML by `pages` and `table_page`.

Nothing in here may hold more than the reader knows: a view is the reader's own, and all else is public.
"""

from dataclasses import dataclass

from hexdeck.bots.advice.analysis import Decision
from hexdeck.engine.play.coach import Lesson
from hexdeck.engine.study import Measure
from hexdeck.engine.text import Text
from hexdeck.engine.view import Aside, View
from hexdeck.tables.daily import MATCHES
from hexdeck.tables.entries import Message

THEMES = ("auto", "light", "dark")
PACES = ("slow", "normal", "quick")  # in which what happens is shown


@dataclass(frozen=True)
class Site:
    """What every page needs: the reader's language, theme and pace, where the site begins, and the page's own path.

    `prefix`: "" or a path like "/cards", which begins all addresses. `path`: this page, without the prefix, for the
    settings to lead back to. `notice`: a sentence shown above the page, such as a refusal. `base`: where the site
    begins for other devices, like "http://HOST/cards". `own_base`: the same where the server knows itself by
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
    own_base: str = ""
    workshop: bool = False


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


# --- the score sheet --------------------------------------------------------------------------------------------------
@dataclass(frozen=True)
class ScoreLine:
    """A deal: its number, and for each column and tally what it brought and the total after it."""

    number: int
    cells: tuple[tuple[tuple[int, int], ...], ...]


@dataclass(frozen=True)
class SeriesLine:
    """An earlier match of the series: its number, its table, and for each column whether it won, and the totals."""

    number: int
    table: str
    cells: tuple[tuple[bool, tuple[int, ...]], ...]


@dataclass(frozen=True)
class Scores:
    """The score sheet. `columns`: the seats of each column; `teams`: columns are teams; `signed`: gains have a sign.

    `ids`: what is counted. They and the game determine the words for it (`titles`) and for a row (`unit`).
    """

    columns: tuple[tuple[int, ...], ...]
    ids: tuple[str, ...]
    lines: tuple[ScoreLine, ...]
    totals: tuple[tuple[int, ...], ...]
    series: tuple[SeriesLine, ...]
    wins: tuple[int, ...]
    teams: bool
    signed: bool
    unit: Text
    titles: tuple[Text, ...]


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
        return sum(share.games for share in self.levels), MATCHES * len(self.levels)


# --- the table --------------------------------------------------------------------------------------------------------
@dataclass(frozen=True)
class Clock:
    """The clock: `kind` is a key of `CLOCKS`, `left` the seconds that were left when the page was made.

    `whose`: the name of whose time it is; empty where it is the reader's own.
    """

    kind: str
    left: int
    whose: str = ""


@dataclass(frozen=True)
class TurningPoint:
    """The decision of a seat by which a match turned, and its deal, from 1 (0: there was just one)."""

    seat: int
    decision: Decision
    measure: Measure
    deal: int = 0


@dataclass(frozen=True)
class Over:
    """What the page shows at the end: the replay's id, the secret behind the cards, the table of the rematch.

    `places`: the place of each seat, from 1; equals share one. `won`: whether each seat won. `rematch_by`: the seat
    that asked for the rematch. `rematch_promise`: the hash of the rematch's secret, until there is a rematch.
    `contributors`: the seats that added words to its shuffle; `contribution`: the reader's own words. `lead`: by what
    it was won, where a win is counted and one seat or team has won. `decided`: what decided it, where that says more
    than who won, `deciding`: where the cards lie that did. `turning`: the turning point, if it is known.
    `asks`: the reader may say what they thought. `compared`: how others did, where it was the reader's deal of the day.
    """

    replay: str
    secret: str = ""
    rematch: str = ""
    places: tuple[int, ...] = ()
    won: tuple[bool, ...] = ()
    rematch_by: int | None = None
    rematch_promise: str = ""
    contributors: tuple[int, ...] = ()
    contribution: str = ""
    lead: Text | None = None
    decided: Text | None = None
    deciding: tuple[str, ...] = ()
    turning: TurningPoint | None = None
    asks: bool = False
    compared: Compared | None = None


@dataclass(frozen=True)
class Hint:
    """The best moves for the reader, best first (label, result and reason of each), and what the results rest on.

    `only`: there is only one legal move.
    """

    moves: tuple[tuple[Text, Text, Text | None], ...]
    premises: tuple[Text, ...] = ()
    only: bool = False


@dataclass(frozen=True)
class Chat:
    """The chat of a table, the newest message last.

    `may_speak`: the reader may write; `own_words`: in their own words, not just phrases. `fresh`: the newest message
    came just now, from somebody else. `is_seated`: the reader is a person at the table.
    """

    lines: tuple[Message, ...] = ()
    may_speak: bool = False
    own_words: bool = True
    fresh: bool = False
    is_seated: bool = False


@dataclass(frozen=True)
class SharedDevice:
    """A device that several people share: their seats, whether the cards are `covered`, who may take it `next`."""

    seats: tuple[int, ...]
    covered: bool = False
    next: tuple[int, ...] = ()


@dataclass(frozen=True)
class TablePage:
    """A table as one reader sees it; only `site` and `hint` depend on who asks for a seat's page.

    `me`: the reader's seat, None for a spectator. `host`: the reader is the host. `news`: how many of the log's last
    lines came after the reader's last move. `promise`: the hash that is shown before the deal. `waiting`: the cards
    aren't dealt yet. `ended`: why the match can't be resumed, if it can't. `invites`: the links to open seats, while it
    waits; `joining`: its code for guests; `reachable`: others on this network can follow them (`lan`: under another
    address). `may_retract`: the reader's choice can still be taken back. `asides`: what the reader may say of
    others, and whether they have. `may_host`: the reader may become host, since
    the host is away. `hints`: players may ask for hints; `hint`: the one that the reader asked for. `coached`: the
    coach explains decisions to the reader (None: this game has no coach); `lesson`: what it explains now; `scored`: how
    the match was scored. `chat`: None where there is nobody to talk to. `shared`: the reader's device, if several
    people share it. `scores`: the score sheet, once it has rows. `team_of`: the team of each seat, empty where
    everybody plays alone. `screen`: the page of a screen that all look at, which has nothing to press. `hand`: such a
    screen shows the table, so that this page is the reader's hand; `screen_at`: where the screen is opened, without
    `http://`. `turn`: it is the turn of somebody on the reader's device (see `tables/live.py`). `days`: a match
    of days, a move a day. `push_key`: what the reader's browser asks its push service with; empty where nobody is
    called. `of_day`: it is a deal of the day.
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
    joining: JoinCode | None = None
    reachable: bool = True
    lan: bool = False
    may_retract: bool = False
    asides: tuple[tuple[Aside, bool], ...] = ()
    may_host: bool = False
    hints: bool = False
    hint: Hint | None = None
    coached: bool | None = None
    lesson: Lesson | None = None
    scored: tuple[Text, ...] = ()
    chat: Chat | None = None
    shared: SharedDevice | None = None
    scores: Scores | None = None
    team_of: tuple[int, ...] = ()
    screen: bool = False
    hand: bool = False
    screen_at: str = ""
    turn: bool = False
    days: bool = False
    push_key: str = ""
    of_day: bool = False

    @property
    def is_seated(self) -> bool:
        """Whether the reader has a seat, if only one whose cards are covered now."""
        return self.me is not None or self.shared is not None

    @property
    def own_seats(self) -> tuple[int, ...]:
        """The seats that play on the reader's device."""
        if self.shared:
            return self.shared.seats
        return () if self.me is None else (self.me,)

    @property
    def teams(self) -> tuple[tuple[SeatLine, ...], ...]:
        """The seats of each team; empty where everybody plays alone."""
        pairs = tuple(zip(self.seats, self.team_of, strict=True)) if self.team_of else ()
        return tuple(tuple(line for line, team in pairs if team == number) for number in sorted(set(self.team_of)))
