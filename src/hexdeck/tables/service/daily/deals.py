"""The deal of the day: a table of its own for each person, with the same cards and the same bots.

The cards follow from a key that never leaves the database, so nobody can work them out before they have played. They
are the same at all tables of a deal, so whoever can still play it sees none of the others (`assert_unseen`) until the
day is over.
"""

from __future__ import annotations

import functools
import hashlib
import hmac
from base64 import urlsafe_b64encode
from dataclasses import replace

from hexdeck.engine.discovery.definition import playable
from hexdeck.engine.text import say
from hexdeck.simulation.game import Game
from hexdeck.tables.errors import NoTable, NotYours, Stale
from hexdeck.tables.keys import new_token
from hexdeck.tables.model.entries import OVER, Entry, Terms
from hexdeck.tables.model.live import LiveTable
from hexdeck.tables.service.daily.dates import day_at, end_of, is_over
from hexdeck.tables.service.drafts import public_fact, with_deal
from hexdeck.tables.service.new_tables import against_bots, checked, seats_for
from hexdeck.tables.service.registry import TableRegistry
from hexdeck.tables.storage.daily.deals import Row, deals_of
from hexdeck.tables.storage.promises import Promise

SEAT = 0  # of the person, in every deal


def deal_secret(key: bytes, game: str, day: str) -> bytes:
    """The secret behind the cards of a game on a day, by the key of the database."""
    return hmac.new(key, f"cards of {game} on {day}".encode(), hashlib.sha256).digest()


def deal_id(key: bytes, game: str, day: str, token: str) -> str:
    """The id of the table with a deal for a hashed token: asking twice at once makes one table."""
    digest = hmac.new(key, f"table of {game} on {day} for {token}".encode(), hashlib.sha256).digest()
    return urlsafe_b64encode(digest[:9]).decode()


async def own_deals(registry: TableRegistry, token: str, day: str) -> dict[str, Row]:
    """The deals of a day that a hashed token holds, by game; those that are over count first."""
    found = await registry.run_job(functools.partial(deals_of, token=token, day=day)) if token else []
    return {row["game"]: row for row in sorted(found, key=lambda row: bool(row["state"] == OVER))}


async def begin_deal(
    registry: TableRegistry, name: str, called: str, guest: str, token: str, asker: str = ""
) -> LiveTable:
    """Create the table with today's deal of a game for a hashed token, which holds no such table yet.

    `called`: their name; `guest`: what they are called without one. Raises Stale where they had such a table and
    deleted it: they have seen the cards.
    """
    if name not in playable():
        raise NoTable(say("There is no deal of the day of this game."))
    now, source = registry.clock(), registry.runtime.random
    day = day_at(now)
    setup = checked(replace(against_bots(Game.at_table(name), called), guest=guest))
    secret, id = deal_secret(registry.key, name, day), deal_id(registry.key, name, day, token)
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
    """Whether a table shows nobody cards that they could still be dealt: no deal of the day, or one of a day before."""
    return not table.terms.day or is_over(table.terms.day, now)


async def assert_unseen(registry: TableRegistry, table: LiveTable, token: str) -> None:
    """Raise NotYours where whoever has a hashed token ("": none) and no seat at a table could still be dealt its cards.

    Once they have finished the same deal, they may look.
    """
    if is_open(table, registry.clock()):
        return
    found = await registry.run_job(functools.partial(deals_of, token=token, day=table.terms.day)) if token else []
    states = {row["state"] for row in found if row["game"] == table.game.name}
    if states != {OVER}:
        raise NotYours(say("These are the cards of the day: play them yourself first, or come back tomorrow."))


def choices_key(table: LiveTable) -> bytes:
    """The key from which the choices of its bots follow: the same at all tables of a deal; b"" at other tables."""
    return hmac.new(table.secret, b"choices of bots", hashlib.sha256).digest() if table.terms.day else b""
