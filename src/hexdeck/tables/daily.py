"""The deal of the day: for each game the same cards for every player of a server, against the same bots.

Each player has a table of their own. The cards follow from a key that never leaves the database, so no player can
work them out before playing. They are the same at all tables of a deal, so a player who can still play it sees none
of the others (`assert_unseen`) until the day is over. A day is one of the server's own clock, in its own time zone.

The field of a deal says how many of 200 bots of each level won with the same cards in the same seat. It is played when
a player first asks for it, a few matches at a time, and only while nothing else waits for a thread.
"""

import hashlib
import hmac
import json
import logging
import time
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from datetime import UTC, date, datetime, timedelta
from functools import partial
from typing import Any

from sqlalchemy import Connection, and_, delete, func, select

from hexdeck.bots.bot import Bot
from hexdeck.bots.players.levels import LEVELS, levels_of, usual_bot
from hexdeck.bots.players.roster import bot, playing_now
from hexdeck.engine.discovery.definition import playable
from hexdeck.engine.play.game import default_backend, quickest_backend
from hexdeck.engine.play.score import winners
from hexdeck.engine.text import Text, say
from hexdeck.simulation.game import Game
from hexdeck.tables.commands import against_bots, checked, public_fact, seats_for, with_deal
from hexdeck.tables.database import fields, holders, tables
from hexdeck.tables.entries import OVER, PERSON, Entry, Result, TableSeat, Terms, seats_of, stored_result
from hexdeck.tables.errors import NoTable, NotYours, Stale
from hexdeck.tables.fair import Promise, chance_key
from hexdeck.tables.keys import id_from, new_token
from hexdeck.tables.live import LiveTable
from hexdeck.tables.registry import TableRegistry
from hexdeck.tables.rows import insert_if_absent
from hexdeck.tables.thinker import LAST, Recent, Thinker, same_choice

Row = dict[str, Any]
MOST_ROWS = 1000  # rows of a day's deal
SEAT = 0  # of the person, in every deal
LOG = logging.getLogger("hexdeck.tables")
MATCHES = 200  # of each level
MATCHES_AT_ONCE = 4  # matches in one job
DAYS_KEPT = 60
MOST_FIELDS = 200  # fields in memory


def date_at(now: float) -> date:
    """The date of a time in seconds since 1970."""
    return local_time(now).date()


def day_at(now: float) -> str:
    """The date of a time as a text, as in 2026-11-26."""
    return date_at(now).isoformat()


def end_of(day: str) -> float:
    """When a day ends."""
    following = date.fromisoformat(day) + timedelta(1)
    return time.mktime((following.year, following.month, following.day, 0, 0, 0, 0, 0, -1))


def day_is_over(day: str, now: float) -> bool:
    """Whether a day is over."""
    return now >= end_of(day)


def days_before(day: str, number: int) -> str:
    """The date so many days before a day."""
    return (date.fromisoformat(day) - timedelta(number)).isoformat()


def zone_at(now: float) -> str:
    """The server's time zone at a time, as in CET (UTC+01:00), or UTC."""
    local = local_time(now)
    name, offset = local.tzname() or "", local.strftime("%z")
    if not local.utcoffset():
        return "UTC"
    from_utc = f"UTC{offset[:3]}:{offset[3:5]}"
    return f"{name} ({from_utc})" if name.isalpha() else from_utc


def local_time(now: float) -> datetime:
    """A time where the server is."""
    return datetime.fromtimestamp(now, UTC).astimezone()


def deals_of(connection: Connection, token: str, day: str) -> list[Row]:
    """The tables with deals of a day that a hashed token holds: `id`, `game`, `state`, `result` and `seat`."""
    columns = tables.c.id, tables.c.game, tables.c.state, tables.c.result, holders.c.seat
    query = select(*columns).join(tables, tables.c.id == holders.c.table)
    own = query.where(holders.c.token == token, tables.c.day == day).order_by(tables.c.made)
    return [dict(row) for row in connection.execute(own).mappings()]


def deal_secret(key: bytes, game: str, day: str) -> bytes:
    """The secret behind the cards of a game on a day, by the key of the database."""
    return hmac.new(key, f"cards of {game} on {day}".encode(), hashlib.sha256).digest()


async def own_deals(registry: TableRegistry, token: str, day: str) -> dict[str, Row]:
    """The deals of a day that a hashed token holds, by game; those that are over count first."""
    deals = await registry.run_job(deals_of, token, day) if token else []
    return {row["game"]: row for row in sorted(deals, key=lambda row: bool(row["state"] == OVER))}


async def begin_deal(
    registry: TableRegistry, name: str, player: str, guest: str, token: str, asker: str = ""
) -> LiveTable:
    """Create the table with today's deal of a game for a hashed token, which holds no such table yet.

    `player`: their name; `guest`: what they are called without one. Raises Stale where they had such a table and
    deleted it: they have seen the cards.
    """
    if name not in playable():
        raise NoTable(say("There is no deal of the day of this game."))
    now, source = registry.clock(), registry.runtime.random
    day = day_at(now)
    setup = checked(replace(against_bots(Game.at_table(name), player), guest=guest))
    secret = deal_secret(registry.key, name, day)
    # asking twice at once makes one table
    digest = hmac.new(registry.key, f"table of {name} on {day} for {token}".encode(), hashlib.sha256).digest()
    id = id_from(digest)
    table = LiveTable(id, setup.game, Terms(host=SEAT, day=day), seats_for(setup), secret, new_token(source).encode())
    text = say("{name} sits down to the deal of the day.", name=table.seats[SEAT].name)
    first = Entry(0, "create", SEAT, facts=public_fact(text), at=now)
    draft = with_deal(table, (first,), table.seats, now)
    registry.interest.note(id, asker or id)
    holder = {"token": token, "table": id, "seat": SEAT}
    try:
        return await registry.add(table, draft, [holder], Promise(f"day {id}", secret, end_of(day)))
    except Stale:
        registry.interest.note(id, asker or id)
        raise Stale(say("You have already played this deal and deleted it; tomorrow there is another.")) from None


# --- what others may see ----------------------------------------------------------------------------------------------
def is_open(table: LiveTable, now: float) -> bool:
    """Whether a table may be watched: its cards can't be dealt to a watcher any more, as those of a deal of today."""
    return not table.terms.day or day_is_over(table.terms.day, now)


async def assert_unseen(registry: TableRegistry, table: LiveTable, token: str) -> None:
    """Raise NotYours where a watcher with a hashed token ("": none) could still be dealt a table's cards.

    Once they have finished the same deal, they may watch.
    """
    if is_open(table, registry.clock()):
        return
    deals = await registry.run_job(deals_of, token, table.terms.day) if token else []
    states = {row["state"] for row in deals if row["game"] == table.game.name}
    if states != {OVER}:
        raise NotYours(say("These are the cards of the day: play them yourself first, or come back tomorrow."))


@dataclass(frozen=True)
class Standing:
    """A player's result with a deal: the table, the name, whether they won, and its caption."""

    table: str
    name: str
    won: bool
    told: Text


def ranked(ended: Iterable[tuple[str, str, str]], day: str) -> tuple[Standing, ...]:
    """The standings of the tables where a day's deal was played: each its id, seats and result, as they are stored."""
    results = list[tuple[Result, str, str]]()
    for id, seats, text in ended:
        (seat,), result = seats_of(json.loads(seats)[SEAT : SEAT + 1]), stored_result(text)
        if counts(seat, result) and result.at < end_of(day):
            results.append((result, id, seat.name))
    results.sort(key=lambda entry: (-entry[0].utilities[SEAT], entry[0].at))
    return tuple(Standing(id, name, result.won[SEAT], result.captions[SEAT]) for result, id, name in results)


def counts(seat: TableSeat, result: Result) -> bool:
    """Whether a deal was played to its end by the person who began it, and they haven't left it for good."""
    return seat.owner and seat.kind == PERSON and SEAT not in result.stood_in


def field_of(connection: Connection, day: str, game: str) -> dict[str, tuple[int, int]]:
    """A job that finds, for each level that has played a deal, how many matches it played and how many it won."""
    query = select(fields.c.level, fields.c.games, fields.c.won).where(fields.c.day == day, fields.c.game == game)
    return {level: (games, won) for level, games, won in connection.execute(query)}


def store_field(connection: Connection, day: str, game: str, level: str, played: tuple[int, int], before: str) -> None:
    """Store how a level played a deal, unless another process has; delete what is of days before another."""
    connection.execute(delete(fields).where(fields.c.day < before))
    row = {"day": day, "game": game, "level": level, "games": played[0], "won": played[1]}
    insert_if_absent(connection, fields, row)


@dataclass
class LevelRecord:
    """How bots of a level fare with the cards: `won` of `games`, so far."""

    name: str
    games: int = 0
    won: int = 0

    @property
    def done(self) -> bool:
        """Whether all matches were played."""
        return self.games >= MATCHES


@dataclass
class Field:
    """What is known so far of how bots fare with the cards of a game's deal on a day, the gentlest level first.

    `failed`: it can't be played to the end.
    """

    game: Game
    day: str
    levels: list[LevelRecord] = field(default_factory=list)
    failed: bool = False

    @property
    def done(self) -> bool:
        """Whether nothing more will be known."""
        return self.failed or all(level.done for level in self.levels)


class DailyFields:
    """The fields of a process's database, played in the threads of a thinker."""

    def __init__(self, thinker: Thinker, registry: TableRegistry) -> None:
        self.thinker, self.registry = thinker, registry
        self._kept = Recent[tuple[str, str], Field](MOST_FIELDS)
        self._standings = Recent[tuple[str, str], tuple[Any, tuple[Standing, ...]]](MOST_FIELDS)

    def field(self, day: str, game: str) -> Field | None:
        """A field that was asked for, as far as it has come; nothing is started."""
        return self._kept.get((day, game))

    async def get(self, day: str, game: Game) -> Field:
        """A field, as far as it has come; what is missing of it is begun."""
        field = self._kept.get((day, game.name))
        if field is None:
            stored = await self.registry.run_job(field_of, day, game.name)
            field = self._kept.get((day, game.name))
        if field is None:
            levels = [name for name in levels_of(game) if name != LEVELS[-1]]
            field = Field(game, day, [LevelRecord(name, *stored.get(name, (0, 0))) for name in levels])
            self._kept[day, game.name] = field
            self._go_on(field)
        self._kept.move_to_end((day, game.name))
        return field

    async def standings(self, day: str, game: str) -> tuple[Standing, ...]:
        """How people fared with a deal, the best first, then the earliest: those who finished it themselves on its day.

        They are read again once a table of that deal has changed.
        """
        of_deal = and_(tables.c.day == day, tables.c.game == game, tables.c.result.is_not(None))
        state = select(func.count(), func.sum(tables.c.version), func.max(tables.c.changed)).where(of_deal)
        now = await self.registry.run_job(lambda connection: connection.execute(state).one())
        then, ranks = self._standings.get((day, game), (None, ()))
        if then != now:
            columns = select(tables.c.id, tables.c.seats, tables.c.result).where(of_deal).order_by(tables.c.id)
            ended = await self.registry.run_job(lambda connection: connection.execute(columns.limit(MOST_ROWS)).all())
            ranks = ranked([tuple(row) for row in ended], day)
            self._standings[day, game] = now, ranks
        return ranks

    def _go_on(self, field: Field) -> None:
        level = next((candidate for candidate in field.levels if not candidate.done), None)
        if level is not None:
            self.thinker.work(partial(self._play_some, field, level), LAST, f"{field.day} {field.game.name}")

    def _play_some(self, field: Field, level: LevelRecord) -> None:
        """Play the next few matches of a level; in a thread of the thinker. It is told as done after it is stored."""
        try:
            secret = deal_secret(self.registry.key, field.game.name, field.day)
            numbers = range(level.games, min(level.games + MATCHES_AT_ONCE, MATCHES))
            won = level.won + sum(has_won(field.game, secret, level.name, number) for number in numbers)
        except Exception:
            LOG.exception("the field of a deal can't be played")
            field.failed = True
            return
        if numbers.stop == MATCHES and quickest_backend(field.game.definition) == default_backend():
            before = days_before(field.day, DAYS_KEPT)
            stored = field.day, field.game.name, level.name, (MATCHES, won), before
            self.registry.store.submit(lambda connection: store_field(connection, *stored))
        level.won, level.games = won, numbers.stop
        self._go_on(field)


def has_won(game: Game, secret: bytes, level: str, number: int) -> bool:
    """Whether a bot of a level wins with the cards of a secret in the person's seat, against the usual bots.

    What bots choose follows from the secret and the number: each match is another one.
    """
    backend = quickest_backend(game.definition)
    key = hmac.new(secret, f"{level} {number}".encode(), hashlib.sha256).digest()
    names = [level if seat == SEAT else usual_bot(game) for seat in range(game.players)]
    ready: dict[str, Bot] = {name: bot(playing_now(name, game, backend), game, key, backend) for name in {*names}}
    match = game.match(by_hand=True, backend=backend)
    match.let_chance(chance_key(secret, [""] * game.players))
    while not match.over:
        seat = match.actor
        legal = match.legal_ids(seat)
        knowledge = match.concealed(seat) if len(legal) > 1 else b""
        match.play(seat, same_choice(ready[names[seat]], key, knowledge, seat) if knowledge else legal[0])
    return winners(match)[SEAT]
