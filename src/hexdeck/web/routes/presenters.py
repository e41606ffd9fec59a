"""From a live table and who looks at it to what its page is told. Nothing here knows a game."""

from __future__ import annotations

import math
from collections.abc import Sequence

from hexdeck.engine.play import coach
from hexdeck.engine.play.coach import Lesson
from hexdeck.engine.play.score import winners
from hexdeck.engine.text import Text
from hexdeck.tables.model import device
from hexdeck.tables.model.live import OVER, PLAYING, WAITING, LiveTable
from hexdeck.tables.model.seats import BOT
from hexdeck.tables.service import commands
from hexdeck.web.html import pages
from hexdeck.web.html.links import invites, is_here
from hexdeck.web.html.page_models import Clock, Over, SeatLine, Shared, Site, TablePage
from hexdeck.web.html.said import talk_of
from hexdeck.web.html.scores import scores
from hexdeck.web.live.server_state import ServerState, timer
from hexdeck.web.live.streams import event

TICK = 5.0  # seconds for which a page with a clock is still right


def lines(place: ServerState, table: LiveTable, seat: int = -1) -> tuple[SeatLine, ...]:
    """Who sits where, as a seat (-1: the public) knows it."""
    acting, over = table.view(seat).acting, table.state == OVER
    choosing = len(acting) > 0 and not over
    out = []
    for number, each in enumerate(table.seats):
        here = each.kind == BOT or place.streams.present(table.id, number if each.device is None else each.device)
        out.append(SeatLine(number, each.name, each.kind, each.level if each.kind == BOT else "", here,
                            choosing and has_chosen(table, number, acting), number == table.terms.host,
                            each.owner and not each.remote, each.muted))  # fmt: skip
    return tuple(out)


def has_chosen(table: LiveTable, number: int, acting: tuple[int, ...]) -> bool:
    """Whether a seat has chosen while others still do: it moved, and nothing public came of it yet."""
    return number not in acting and table.moved[number] > table.calm


def clock(table: LiveTable, seat: int, now: float) -> Clock | None:
    """The time that is left to a seat; where its own clock stands, to whoever has least."""
    running = [(each.due, number) for number, each in enumerate(table.seats) if each.due is not None]
    if not running:
        return None
    due, whose = min(running, key=lambda each: (each[1] != seat, each[0]))
    name = "" if whose == seat else table.seats[whose].name
    return Clock(table.terms.clock, max(0, math.ceil(due - now)), name)


def over(table: LiveTable, seat: int) -> Over | None:
    """What comes with the end, for a seat (-1: the public)."""
    if table.state != OVER:
        return None
    returns, won = (table.match.returns(), winners(table.match)) if table.match else ((), ())
    asked = next((entry.seat for entry in table.entries if entry.kind == "rematch" and entry.seat >= 0), None)
    added = tuple(number for number, each in enumerate(table.seats) if each.adds)
    mine = table.seats[seat].adds if seat >= 0 else ""
    return Over(
        table.id, table.secret.hex(), table.rematch or "", places(returns), won, asked, table.promised, added, mine
    )


def places(returns: Sequence[float]) -> tuple[int, ...]:
    """Who did how well: 1 for the best, equals share a place."""
    return tuple(1 + sum(other > each for other in returns) for each in returns)


def table_page(place: ServerState, site: Site, table: LiveTable, holder: int) -> TablePage:
    """What the page is told of who holds a seat (-1: the public)."""
    waiting, seat = table.state == WAITING, device.eyes(table, holder)
    return TablePage(
        site, table.id, table.seen(seat), table.view(seat), lines(place, table, seat), None if seat < 0 else seat,
        holder == table.terms.host, len(table.news(seat)), clock(table, seat, place.hall.clock()), over(table, seat),
        place.streams.spectators(table.id), table.commitment, waiting,
        invites=invites(table, site.base) if waiting and holder >= 0 else (), near=not is_here(site.base),
        lan=place.settings.lan, may_retract=may_retract(table, seat), may_host=may_host(place, table, holder),
        talk=talk_of(table, seat, place.hall.clock()), shared=shared(table, holder),
        scores=table.kept("scores", lambda: scores(table)), sides=table.sides,
        hints=table.terms.hints, coached=coached(table, seat), lesson=lesson(table, seat),
        scored=scored(table, seat),
    )  # fmt: skip


def coached(table: LiveTable, seat: int) -> bool | None:
    """Whether a seat wants decisions explained; None where nobody can explain them."""
    return table.seats[seat].coached if seat >= 0 and table.game.definition.coach else None


def lesson(table: LiveTable, seat: int) -> Lesson | None:
    """What a seat is taught now, if it wants to be."""
    if seat not in table.acting or not table.seats[seat].coached or table.seats[seat].local or table.match is None:
        return None
    found: Lesson | None = table.kept(("lesson", seat), lambda: coach.lesson(table.match, seat))
    return found


def scored(table: LiveTable, seat: int) -> tuple[Text, ...]:
    """How the match was scored, for a seat that was taught."""
    if seat < 0 or table.match is None or table.state != OVER or not table.seats[seat].coached:
        return ()
    return tuple(coach.scored(table.match, seat))


def shared(table: LiveTable, holder: int) -> Shared | None:
    """What is told of a device that several people share."""
    group = device.group(table.seats, holder)
    if len(group) < 2:
        return None
    covered = table.state == PLAYING and device.eyes(table, holder) == device.COVERED
    wanted = device.wanted(table, holder)
    return Shared(group, covered, group if wanted is None else (wanted,))


def may_retract(table: LiveTable, seat: int) -> bool:
    """Whether a seat's choice can still be taken back, by who made it."""
    mine = seat >= 0 and table.state == PLAYING and not table.seats[seat].local
    return mine and len(table.acting) > 0 and has_chosen(table, seat, table.acting)


def may_host(place: ServerState, table: LiveTable, seat: int) -> bool:
    """Whether a seat may become host in the place of one who is away."""
    return seat >= 0 and commands.may_host(table, seat, place.away(table, commands.HOST_AWAY), place.hall.clock())


def frame(place: ServerState, table: LiveTable, seat: int, site: Site) -> bytes:
    """The part of the page that changes of who holds a seat, as an event of its stream.

    It is made once for all who see the same: the newest for spectators in each language is kept. A seat has one reader,
    and its page is large: it is made again when it is wanted again.
    """
    there = tuple(place.streams.present(table.id, number) for number in range(len(table.seats)))
    tick = int(place.hall.clock() / TICK) if table.due is not None else 0
    mark, key = (there, place.streams.spectators(table.id), tick, table.spoken), ("frame", seat, site.lang)
    if seat < 0 and key in table.made and table.made[key][0] == mark:
        kept: bytes = table.made[key][1]
        return kept
    began = timer()
    shown = Site(site.lang, prefix=site.prefix, path=f"/table/{table.id}", base=site.base)
    made = event("table", pages.table_main(table_page(place, shown, table, seat)))
    place.metrics.rendered.observe(timer() - began)
    if seat < 0:
        table.made[key] = mark, made
    elif table.acting != (seat,):  # who is alone to move is asked about again soon
        table.unmake(device.eyes(table, seat))
    return made
