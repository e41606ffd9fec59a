"""What the page of a table shows: plain facts of what its reader may know, filled in by `routes/presenters.py`."""

from __future__ import annotations

from dataclasses import dataclass

from hexdeck.bots.advice.analysis import Decision
from hexdeck.engine.play.coach import Lesson
from hexdeck.engine.study import Measure
from hexdeck.engine.text import Text
from hexdeck.engine.view import Aside, View
from hexdeck.web.html.page_models import Invite, JoinCode, Page, SeatLine
from hexdeck.web.html.scores import Scores
from hexdeck.web.html.tomorrow.models import Compared


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
    than who won. `turning`: the turning point, if it is known. `asks`: the reader may say what they thought.
    `compared`: how others did, where it was the reader's deal of the day.
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
class ChatLine:
    """A chat message, under the name that its seat had then: a phrase, by its id, or the seat's own words."""

    number: int
    seat: int
    name: str
    phrase: str = ""
    words: str = ""


@dataclass(frozen=True)
class Chat:
    """The chat of a table, the newest message last.

    `may_speak`: the reader may write; `own_words`: in their own words, not just phrases. `fresh`: the newest message
    came just now, from somebody else. `is_seated`: the reader is a person at the table.
    """

    lines: tuple[ChatLine, ...] = ()
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
class TablePage(Page):
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
    `http://`. `turn`: it is the turn of somebody on the reader's device (see `tables/model/turns.py`). `seal`: of the
    words that the reader is to show now, before the deal. `days`: a match of days, a move a day. `push_key`: what the
    reader's browser asks its push service with; empty where nobody is called. `of_day`: it is a deal of the day.
    """

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
    seal: str = ""
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
    def teams(self) -> tuple[tuple[SeatLine, ...], ...]:
        """The seats of each team; empty where everybody plays alone."""
        pairs = tuple(zip(self.seats, self.team_of, strict=True)) if self.team_of else ()
        return tuple(tuple(line for line, team in pairs if team == each) for each in sorted(set(self.team_of)))
