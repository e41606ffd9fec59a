"""One server: its tables, streams, bots and measures; and who asks."""

from __future__ import annotations

import asyncio
import contextlib
import math
import time
from collections.abc import AsyncIterator
from dataclasses import dataclass
from urllib.parse import parse_qsl

from starlette.requests import Request

from hexdeck.engine.errors import HexdeckError
from hexdeck.engine.text import LANGUAGES, Text, say
from hexdeck.tables.errors import NotYours, TableError, TooMany
from hexdeck.tables.keys import LONGEST_TOKEN, hashed, new_token
from hexdeck.tables.model import device
from hexdeck.tables.model.live import ANYONE, CHOICE, MOVE, PLAYING, Entry, LiveTable
from hexdeck.tables.service import commands
from hexdeck.tables.service.analyses import Analyses
from hexdeck.tables.service.hints import Hints
from hexdeck.tables.service.registry import TableRegistry
from hexdeck.tables.service.runner import Runner
from hexdeck.tables.storage import rows
from hexdeck.tables.storage.database import Database
from hexdeck.web.html.links import is_here
from hexdeck.web.html.page_models import THEMES, Site
from hexdeck.web.live.presence import Presence
from hexdeck.web.live.streams import LINGER, Streams
from hexdeck.web.ops.metrics import Metrics
from hexdeck.web.ops.middleware import Rates, address_of
from hexdeck.web.ops.settings import Settings

COOKIE = "hexdeck"
KEPT_FOR = 400 * 24 * 3600  # seconds: the longest that browsers keep a cookie
MOST_FIELDS = 100
COUNT_AGAIN = 60.0  # seconds after which tables that aren't over are counted anew


class TooLong(TableError):
    """A body that is longer than is taken."""

    status = 413


class ServerState:
    """A server's tables and all that serves them."""

    def __init__(self, settings: Settings) -> None:
        self.settings, limits = settings, settings.limits
        self.streams = Streams(limits, self._watch)
        self.metrics = Metrics(lambda: len(self.hall.tables), lambda: self.streams.count)
        self.hall = TableRegistry(Database(settings.database), timed=self.metrics.committed)
        self.company = Presence(self.hall, self.streams)
        self.runner = Runner(self.hall, settings.pause, settings.keep_days, timed=self._thought)
        self.hall.changed, self.hall.counted = self._changed, self._counted
        self.makes, self.takes, self.asks = Rates(*limits.makes), Rates(*limits.takes), Rates(*limits.hints)
        self.hints = Hints()
        self.analyses = Analyses(self.hints.thinker, self.hall.store)
        self._tables, self._counted_at = 0, -math.inf

    async def open(self) -> None:
        """Begin."""
        await self.hall.open()
        self.company.open()
        await self.runner.open()

    async def close(self) -> None:
        """End streams, bots and storage, in this order."""
        await self.company.close()
        self.streams.end()
        self.runner.close()
        self.hints.close()
        await self.hall.close()

    def _watch(self, id: str, more: int) -> None:
        self.hall.watch(id, more)
        if more > 0:
            self.company.changed(id, ask=self.hall.watched[id] == more)
        elif self.hall.fanout.shared:
            later = asyncio.get_running_loop().call_later
            later(LINGER, lambda: self.company.changed(id, ask=False))

    def _changed(self, table: LiveTable) -> None:
        self.streams.wake(table.id)
        self.runner.wake(table)
        for seat, each in enumerate(table.seats):
            if each.awaited and self.streams.present(table.id, seat):
                self.saw(table, seat)

    def saw(self, table: LiveTable, seat: int) -> None:
        """Somebody looks at the table from a seat: if it was waited for, its first clock starts."""
        if seat >= 0 and table.seats[seat].awaited and table.state == PLAYING:
            self.hall.spawn(self._opened(table.id, seat))

    async def _opened(self, id: str, seat: int) -> None:
        with contextlib.suppress(HexdeckError):  # it was opened already, or the table is gone
            await self.hall.change(id, commands.opened(seat, self.hall.clock()))

    def away(self, table: LiveTable, seconds: float) -> bool:
        """Whether nobody has had the host's page open for so long."""
        return self.streams.absent(table.id, table.terms.host) >= seconds

    def _counted(self, table: LiveTable, entry: Entry) -> None:
        if entry.kind in (MOVE, CHOICE):
            self.metrics.moves.labels(table.game.name, table.seats[entry.seat].kind).inc()
        else:
            self.metrics.changes.labels(entry.kind).inc()

    def _thought(self, table: LiveTable, seconds: float) -> None:
        self.metrics.thoughts.labels(table.game.name).observe(seconds)

    # --- limits -------------------------------------------------------------------------------------------------------
    async def allow_table(self, request: Request) -> None:
        """Raise TooMany when no table may be made now, from there."""
        if not self.makes.allows(address_of(request.scope)):
            raise TooMany(say("Too many tables were set from your address; wait a minute."))
        if not await self.room():
            raise TooMany(say("All tables here are taken; try again later."))

    async def room(self) -> bool:
        """Whether one more table may be made. They are counted anew only now and then, and before one is refused."""
        now, most = self.hall.clock(), self.settings.limits.tables
        if self._tables >= most or abs(now - self._counted_at) > COUNT_AGAIN:
            self._tables, self._counted_at = await self.hall.ask(rows.unfinished), now
        self._tables += 1
        return self._tables <= most

    def allow_take(self, request: Request) -> None:
        """Raise TooMany when too many invitations were tried from there."""
        if not self.takes.allows(address_of(request.scope)):
            raise TooMany(say("Too many requests from your address; wait a moment."))


def place_of(request: Request) -> ServerState:
    """The server that a request came to."""
    found: ServerState = request.app.state.place
    return found


@dataclass(frozen=True)
class Reader:
    """Who asks, by cookie: the token if there is one, and the theme."""

    token: str
    theme: str

    @property
    def hashed(self) -> str:
        """What is stored of the token."""
        return hashed(self.token)


def reader(request: Request) -> Reader:
    """Who asks by cookie."""
    token = request.cookies.get(COOKIE, "")
    theme = request.cookies.get("theme", "")
    return Reader(token if 20 <= len(token) <= LONGEST_TOKEN else "", theme if theme in THEMES else THEMES[0])


async def token_to_hold(request: Request) -> str:
    """The token that is to hold a seat: the cookie's if it holds one already, else a new one.

    A token that nobody was given by us may be known to others, or guessed.
    """
    who, holds = reader(request), list[rows.Row]()
    if who.token:
        holds = await place_of(request).hall.ask(lambda connection: rows.tables_of(connection, who.hashed, 1))
    return who.token if holds else new_token()


def language(request: Request, table: str = "") -> str:
    """The language of the cookie, else the table's, else the first that the browser asks for, else the server's."""
    wanted = [request.cookies.get("lang", ""), table]
    wanted += [
        part.partition(";")[0].strip()[:2].lower() for part in request.headers.get("accept-language", "").split(",")
    ]
    return next((lang for lang in wanted[:20] if lang in LANGUAGES), place_of(request).settings.lang)


def site(request: Request, notice: Text | None = None, path: str | None = None, lang: str = "") -> Site:
    """What every page is told; `lang` is a table's language."""
    who, prefix = reader(request), place_of(request).settings.prefix
    here = request.url.path if path is None else path
    return Site(language(request, lang), who.theme, prefix, here, notice, base(request))


def base(request: Request) -> str:
    """Where the site begins, as others on the network reach it."""
    settings = place_of(request).settings
    shown = f"{request.url.scheme}://{request.headers.get('host', '')}"
    return (settings.near if is_here(shown) and settings.near else shown) + settings.prefix


async def form(request: Request) -> dict[str, list[str]]:
    """The fields of a form; raises TooLong or TableError."""
    most = place_of(request).settings.limits.body
    try:
        text = (await body(request, most)).decode("utf-8")
        pairs = parse_qsl(text, keep_blank_values=True, max_num_fields=MOST_FIELDS, strict_parsing=False)
    except ValueError:
        raise TableError(say("This form can't be read.")) from None
    out: dict[str, list[str]] = {}
    for name, value in pairs:
        out.setdefault(name, []).append(value.replace("\0", ""))
    return out


async def body(request: Request, most: int) -> bytes:
    """What was sent; raises TooLong."""
    parts, length = [], 0
    async for part in request.stream():
        length += len(part)
        if length > most:
            raise TooLong(say("That is too much; at most {bytes} bytes are taken.", bytes=most))
        parts.append(part)
    return b"".join(parts)


def first(fields: dict[str, list[str]], name: str) -> str:
    """A field's first value, or nothing."""
    return fields.get(name, [""])[0]


@contextlib.asynccontextmanager
async def looking(request: Request, id: str) -> AsyncIterator[tuple[LiveTable, int]]:
    """A table to look at and from whose eyes (-1: the public's); raises NotYours where nobody may watch.

    Where several people share a device it is who has it in hand (`tables/model/device.py`).
    """
    async with held(request, id) as (table, holder):
        yield table, device.eyes(table, holder)


@contextlib.asynccontextmanager
async def held(request: Request, id: str) -> AsyncIterator[tuple[LiveTable, int]]:
    """A table and the seat that is held there by who asks (-1: none); raises NotYours where nobody may watch."""
    place = place_of(request)
    seat = await holder_of(request, id)
    async with place.hall.reading(id) as table:
        may_watch(table, seat)
        place.saw(table, seat)
        yield table, seat


async def holder_of(request: Request, id: str) -> int:
    """The seat that the cookie holds at a table, or -1."""
    who = reader(request)
    found = await place_of(request).hall.seat_of(id, who.hashed) if who.token else None
    return -1 if found is None else found


def may_watch(table: LiveTable, seat: int) -> None:
    """Raise NotYours when somebody without a seat may not look."""
    if seat < 0 and table.terms.watch != ANYONE:
        raise NotYours(say("Only those who sit at this table may look at it."))


async def own_seat(request: Request, id: str) -> int:
    """The seat that plays where this is asked; raises NotYours for a spectator, Stale where a device is covered."""
    return device.in_hand(await place_of(request).hall.table(id), await held_seat(request, id))


async def held_seat(request: Request, id: str) -> int:
    """The seat whose token it is that asks, whoever has the device in hand; raises NotYours for a spectator."""
    seat = await holder_of(request, id)
    if seat < 0:
        await place_of(request).hall.table(id)
        raise NotYours(say("You have no seat at this table."))
    return seat


def timer() -> float:
    """A clock to measure with."""
    return time.perf_counter()


async def alive(place: ServerState) -> bool:
    """Whether the tables can be read, within two seconds."""
    try:
        async with asyncio.timeout(2):
            await place.hall.ask(lambda connection: connection.exec_driver_sql("SELECT 1").scalar())
    except (TimeoutError, TableError):
        return False
    return not place.streams.ended
