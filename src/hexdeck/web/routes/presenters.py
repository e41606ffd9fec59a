"""From a live table and its viewer to the models of its page. Nothing here knows a game."""

from __future__ import annotations

import functools
import io
import math
from time import perf_counter
from typing import Any

import segno

from hexdeck.bots.advice.analysis import turning_point
from hexdeck.engine.play import coach, score
from hexdeck.engine.play.coach import Lesson
from hexdeck.engine.play.score import Row, ScoreSheet, winners
from hexdeck.engine.text import Text
from hexdeck.tables.model import device, timing
from hexdeck.tables.model.entries import OVER, PLAYING, WAITING, Result, places_of, result_of
from hexdeck.tables.model.live import LiveTable
from hexdeck.tables.model.seats import BOT, DAILY
from hexdeck.tables.service import commands, new_tables
from hexdeck.tables.service.daily import SEAT, Field
from hexdeck.tables.service.feedback import is_asked
from hexdeck.tables.service.new_tables import SeriesMatch, finished_matches, sheet_of
from hexdeck.web.html.models import (
    Chat,
    ChatLine,
    Clock,
    Compared,
    Invite,
    JoinCode,
    Over,
    ScoreLine,
    Scores,
    SeatLine,
    SeriesLine,
    Share,
    SharedDevice,
    Site,
    TablePage,
    TurningPoint,
)
from hexdeck.web.html.table_page import screen_parts, steps, table_parts
from hexdeck.web.live.server_state import ServerState
from hexdeck.web.live.streams import Frame, Parts, Told
from hexdeck.web.ops.addresses import is_loopback

# --- the score sheet --------------------------------------------------------------------------------------------------
MOST = 60  # rows that a page shows: the last


def scores(table: LiveTable) -> Scores | None:
    """The score sheet of a table, made anew when a deal has ended; None while it is empty."""
    sheet, kept = sheet_of(table), table.kept_scores
    if kept is None or kept[0] is not sheet or kept[1] is not table.terms.past or kept[2] != table.state:
        kept = table.kept_scores = sheet, table.terms.past, table.state, made_scores(table, sheet)
    found: Scores | None = kept[3]
    return found


def made_scores(table: LiveTable, sheet: ScoreSheet | None) -> Scores | None:
    """The same from the sheet of its match."""
    matches = finished_matches(table)
    if sheet is None or not sheet.titles or not (sheet.rows or matches):
        return None
    columns = columns_of(sheet.teams, len(table.seats))
    firsts = [seats[0] for seats in columns]
    lines = tuple(deal_line(row, firsts) for row in sheet.rows[-MOST:])
    series = tuple(series_line(number, each, firsts) for number, each in enumerate(matches, 1))
    wins = tuple(sum(each.won[seat] for each in matches) for seat in firsts)
    totals = tuple(tuple(total[seat] for total in sheet.totals) for seat in firsts)
    signed = any(map(any, sheet.start))
    ids, titles = zip(*sheet.titles, strict=True)
    return Scores(columns, ids, lines, totals, series, wins, bool(sheet.teams), signed, sheet.unit, titles)


def deal_line(row: Row, firsts: list[int]) -> ScoreLine:
    """A deal as a line."""
    pairs = tuple(zip(row.gains, row.totals, strict=True))
    return ScoreLine(row.number, tuple(tuple((gain[seat], total[seat]) for gain, total in pairs) for seat in firsts))


def series_line(number: int, match: SeriesMatch, firsts: list[int]) -> SeriesLine:
    """A match of the series as a line."""
    cells = tuple((match.won[seat], tuple(total[seat] for total in match.totals)) for seat in firsts)
    return SeriesLine(number, match.table, cells)


def columns_of(sides: tuple[int, ...], seats: int) -> tuple[tuple[int, ...], ...]:
    """The seats of each column: of each team, or each seat alone."""
    if not sides:
        return tuple((seat,) for seat in range(seats))
    return tuple(tuple(seat for seat in range(seats) if sides[seat] == side) for side in sorted(set(sides)))


# --- links that bring others to a table, and their QR codes -----------------------------------------------------------
@functools.lru_cache(256)
def qr_code(address: str) -> str:
    """A QR code as an SVG element."""
    out = io.BytesIO()
    segno.make(address, micro=False).save(
        out, kind="svg", xmldecl=False, svgns=True, omitsize=True, border=2, dark="#000", light="#fff", nl=False
    )
    return out.getvalue().decode()


def invite_link(address: str, seat: int | None, code: str = "") -> Invite:
    """A link with its QR code."""
    return Invite(seat, address, qr_code(address), code)


def invites(table: LiveTable, base: str) -> tuple[Invite, ...]:
    """The links to the free seats of a table; `base`: where the site begins for whoever follows them."""
    return tuple(
        invite_link(f"{base}/join/{token}", seat, f"{table.code}{seat + 1}" if table.code else "")
        for seat, token in new_tables.invitations(table).items()
    )


def join_code(table: LiveTable, base: str) -> JoinCode | None:
    """The code that leads to a free seat of a table; None where no seat is free, or no code is drawn."""
    if not table.code or not new_tables.seats_free(table):
        return None
    address = f"{base}/j/{table.code}"
    return JoinCode(table.code, address, qr_code(address), f"{base}/j".partition("://")[2])


CHAT_LINES = 30  # that a page shows
FRESH = 12.0  # seconds for which the newest is shown over the table
TICK = 5.0  # seconds for which a page with a clock may be sent again


# --- the page ---------------------------------------------------------------------------------------------------------
def screen_page(server: ServerState, site: Site, table: LiveTable) -> TablePage:
    """The page of a screen that all look at, whoever opened it: what the public knows, and nothing to press.

    It tells how to join where the table was set up for a screen; elsewhere anybody may open it who may only watch.
    """
    return TablePage(
        site, table.id, table.version_for(-1), table.view(-1), seat_lines(server, table),
        clock=clock(table, -1, server.registry.clock()), over=over(server, table, -1), waiting=table.state == WAITING,
        joining=join_code(table, site.base) if table.terms.screen else None, team_of=table.team_of, screen=True,
    )  # fmt: skip


def table_page(server: ServerState, site: Site, table: LiveTable, holder: int) -> TablePage:
    """The page of a table for the holder of a seat (-1: the public)."""
    waiting, seat, now = table.state == WAITING, device.viewing_seat(table, holder), server.registry.clock()
    return TablePage(
        site, table.id, table.version_for(seat), table.view(seat), seat_lines(server, table, seat),
        me=None if seat < 0 else seat, host=holder == table.terms.host, news=len(table.news(seat)),
        clock=clock(table, seat, now), over=over(server, table, seat), watching=server.streams.spectators(table.id),
        promise=table.commitment, waiting=waiting, invites=invites(table, site.base) if waiting and holder >= 0 else (),
        joining=join_code(table, site.base) if waiting and holder >= 0 else None,
        reachable=not is_loopback(site.base), lan=server.settings.lan, may_retract=may_retract(table, seat),
        asides=tuple((each, each.about in table.seats[seat].asides) for each in table.asides(seat)),
        may_host=may_host(server, table, holder), hints=table.terms.hints, coached=coached(table, seat),
        lesson=lesson(table, seat), scored=scored(table, seat), chat=chat_of(table, seat, now),
        shared=shared_device(table, holder), scores=table.cached("scores", lambda: scores(table)),
        team_of=table.team_of, turn=device.is_turn(table, holder), days=table.terms.clock == DAILY,
        push_key=server.calls.public_key, of_day=bool(table.terms.day), hand=table.terms.screen and holder >= 0,
        screen_at=f"{site.base}/tv".partition("://")[2] if table.terms.screen else "",
    )  # fmt: skip


def stream_frame(
    server: ServerState, table: LiveTable, holder: int, site: Site, since: int, *, screen: bool = False
) -> Frame:
    """What a stream sends to a holder's page that shows a version (-1: none); `screen`: to one that all look at."""
    kept = kept_frame(server, table, site, since, screen=screen) if holder < 0 else None
    if kept is not None:
        return kept
    began, there = perf_counter(), site_of_stream(table, site)
    page = screen_page(server, there, table) if screen else table_page(server, there, table, holder)
    told = beats(server, table, holder, site, since, page)
    made = Frame(page.version, frame(server, table, holder, site, screen=screen, page=page), told)
    server.metrics.rendered.observe(perf_counter() - began)
    if holder < 0:
        table.cache["sent", site.lang, since, screen] = mark_of(server, table, site, screen), made
    return made


def kept_frame(server: ServerState, table: LiveTable, site: Site, since: int, *, screen: bool = False) -> Frame | None:
    """What was made for another spectator who saw the same; it shows what is stored, so no lock is needed."""
    mark, kept = table.cache.get(("sent", site.lang, since, screen), (None, None))
    return kept if kept is not None and mark == mark_of(server, table, site, screen) else None


def joined_at(site: Site, screen: bool) -> str:
    """What tells a screen's page from others that are made for spectators: it says how to join, at its own address."""
    return f"tv {site.base}" if screen else ""


def mark_of(server: ServerState, table: LiveTable, site: Site, screen: bool) -> tuple[Any, ...]:
    """What pages show that changes without a new version: who is there, how many watch, clocks, the chat, the address.

    Only the page that was made last is kept: a name can be asked for in any number of ways.
    """
    tick, streams = int(server.registry.clock() / TICK) if table.due is not None else 0, server.streams
    return streams.viewed(table.id), streams.spectators(table.id), tick, table.last_message, joined_at(site, screen)


def frame(
    server: ServerState, table: LiveTable, holder: int, site: Site, *, screen: bool = False,
    page: TablePage | None = None,
) -> Parts:  # fmt: skip
    """The part of a holder's page that changes, for its stream.

    For spectators it is made once in each language, and kept while it stays the same. A seat has one reader, and its
    page is large: it is made again whenever it is wanted. `page`: what it shows, if that is made already.
    """
    mark, key = mark_of(server, table, site, screen), ("frame", holder, site.lang, screen)
    if holder < 0 and key in table.cache and table.cache[key][0] == mark:
        kept: Parts = table.cache[key][1]
        return kept
    if screen:
        made = Parts(screen_parts(page or screen_page(server, site_of_stream(table, site), table)), "table")
    else:
        shown = page or table_page(server, site_of_stream(table, site), table, holder)
        made = Parts(table_parts(shown), "table")
    if holder < 0:
        table.cache[key] = mark, made
    elif table.acting != (holder,):  # whoever is alone to move asks for its view again soon
        table.drop_view(device.viewing_seat(table, holder))
    return made


def site_of_stream(table: LiveTable, site: Site) -> Site:
    """The site as a stream's pages know it, which nobody asked for anything."""
    return known_site(site.lang, site.prefix, f"/table/{table.id}", site.base)


@functools.lru_cache(4096)
def known_site(lang: str, prefix: str, path: str, base: str) -> Site:
    """The same, one object for all its pages."""
    return Site(lang, prefix=prefix, path=path, base=base)


def beats(
    server: ServerState, table: LiveTable, holder: int, site: Site, since: int, page: TablePage | None = None
) -> Told | None:
    """What happened since a version, step by step, which a stream sends before the newest view.

    None where the page goes to the newest view at once: before the deal, or too far behind. A device that is about
    to be covered shows what the public sees. `page`: the holder's, if it is made already.
    """
    seat = device.viewing_seat(table, holder)
    found = timing.beats_for(table, seat, since) if table.pace else ()
    if not found:
        return None
    page = page or table_page(server, site_of_stream(table, site), table, holder)
    return Told(steps(page, found, since))


# --- seats and clocks -------------------------------------------------------------------------------------------------
seat_line = functools.lru_cache(16_384)(SeatLine)  # one object for all that are the same


def seat_lines(server: ServerState, table: LiveTable, seat: int = -1) -> tuple[SeatLine, ...]:
    """Who sits where, as a seat (-1: the public) knows it."""
    acting, viewed = table.view(seat).acting, server.streams.viewed(table.id)
    found: tuple[SeatLine, ...] = table.cached(("seats", acting, viewed), lambda: made_lines(table, acting, viewed))
    return found


def made_lines(table: LiveTable, acting: tuple[int, ...], viewed: frozenset[int]) -> tuple[SeatLine, ...]:
    """The same; `acting`: who may act, as that seat knows it; `viewed`: the seats whose pages are open."""
    choosing = len(acting) > 0 and table.state != OVER
    out = []
    for number, each in enumerate(table.seats):
        here = each.kind == BOT or (number if each.device is None else each.device) in viewed
        out.append(seat_line(number, each.name, each.kind, each.level if each.kind == BOT else "", here,
                             choosing and has_chosen(table, number, acting), number == table.terms.host and each.owner,
                             each.owner and not each.remote, each.muted))  # fmt: skip
    return tuple(out)


def has_chosen(table: LiveTable, number: int, acting: tuple[int, ...]) -> bool:
    """Whether a seat has made its secret choice while others still choose."""
    return number not in acting and table.moved_at[number] > table.public_version


def clock(table: LiveTable, seat: int, now: float) -> Clock | None:
    """The clock of a seat if it is running, else of the seat with the least time left."""
    running = [(each.due, number) for number, each in enumerate(table.seats) if each.due is not None]
    if not running:
        return None
    due, whose = min(running, key=lambda each: (each[1] != seat, each[0]))
    name = "" if whose == seat else table.seats[whose].name
    return Clock(table.terms.clock, max(0, math.ceil(due - now)), name)


# --- the chat ---------------------------------------------------------------------------------------------------------
def chat_of(table: LiveTable, seat: int, now: float) -> Chat | None:
    """The chat as a seat (-1: the public) reads it; None where there is nobody to talk to."""
    people = {number for number, each in enumerate(table.seats) if each.owner and not each.program}
    if len(people) < 2 and not table.messages:
        return None
    lines = said(table)
    fresh = bool(lines) and table.messages[-1].seat != seat and now - table.messages[-1].at < FRESH
    speaks = seat in people and not table.seats[seat].muted
    return Chat(lines, speaks, table.terms.words, fresh, seat in people)


def said(table: LiveTable) -> tuple[ChatLine, ...]:
    """The end of the chat, made once until more is said."""
    last, lines = table.cache.get("said", (-1, ()))
    if last != table.last_message:
        last, lines = table.cache["said"] = table.last_message, chat_lines(table)
    return tuple(lines)


def chat_lines(table: LiveTable) -> tuple[ChatLine, ...]:
    """The end of the chat, the same for all."""
    last = table.messages[-CHAT_LINES:]
    return tuple(ChatLine(each.number, each.seat, each.name, each.phrase, each.words) for each in last)


# --- the end ----------------------------------------------------------------------------------------------------------
def over(server: ServerState, table: LiveTable, seat: int) -> Over | None:
    """What the page of a seat (-1: the public) shows at the end; None before it."""
    if table.state != OVER:
        return None
    returns, won = (table.match.returns(), winners(table.match)) if table.match else ((), ())
    asked = next((entry.seat for entry in table.entries if entry.kind == "rematch" and entry.seat >= 0), None)
    added = tuple(number for number, each in enumerate(table.seats) if each.adds)
    return Over(
        table.id, table.secret.hex(), table.rematch or "", places_of(returns), won, rematch_by=asked,
        rematch_promise=table.rematch_commitment, contributors=added,
        contribution=table.seats[seat].adds if seat >= 0 else "",
        lead=score.winning_lead(table.match, won, table.team_of) if table.match else None,
        decided=score.decision_line(table.match, seat) if table.match else None,
        turning=known_turning_point(server, table, seat), asks=is_asked(table, seat),
        compared=known_comparison(server, table, seat),
    )  # fmt: skip


def turning_seat(table: LiveTable, seat: int) -> int:
    """The seat whose decisions tell a seat (-1: the public) where its match turned.

    Its own; for who won, and for the public, that of the best of those who didn't win.
    """
    if table.match is None:
        return max(seat, 0)
    won, places = winners(table.match), places_of(table.match.returns())
    others = [number for number, wins in enumerate(won) if not wins]
    return min(others, key=lambda number: places[number]) if others and (seat < 0 or won[seat]) else max(seat, 0)


def known_turning_point(server: ServerState, table: LiveTable, seat: int) -> TurningPoint | None:
    """Where a match turned for a seat (-1: the public), if that is analysed and the cost is outside its interval."""
    found = server.analyses.finished(table, turning_seat(table, seat))
    point = turning_point(found.decisions) if found else None
    if found is None or point is None or found.measure is None:
        return None
    return TurningPoint(found.seat, point, found.measure, found.turned_in)


def known_comparison(server: ServerState, table: LiveTable, seat: int) -> Compared | None:
    """How bots fared with a seat's deal of the day, as far as that is known here; None where it had none."""
    if not table.terms.day or seat != SEAT or table.match is None:
        return None
    day, game = table.terms.day, table.game.name
    return compared_with(server.fields.known(day, game), game, day, result(table))


def compared_with(
    field: Field | None, game: str, day: str, ended: Result, people: Share | None = None
) -> Compared:  # fmt: skip
    """How the deal of a day ended for its player, beside bots and people."""
    levels = field.levels if field else ()
    shares = tuple(Share(each.name, each.won, each.games, each.done) for each in levels)
    done, counts = field is not None and field.done, SEAT not in ended.stood_in
    return Compared(game, day, ended.won[SEAT], shares, people, counts, done)


def result(table: LiveTable) -> Result:
    """How the match of a table that is over has ended."""
    assert table.match is not None
    found: Result = table.cached("result", lambda: result_of(table.match, table.entries))
    return found


# --- the coach --------------------------------------------------------------------------------------------------------
def coached(table: LiveTable, seat: int) -> bool | None:
    """Whether the coach explains decisions to a seat; None where the game has no coach."""
    return table.seats[seat].coached if seat >= 0 and table.has_coach else None


def lesson(table: LiveTable, seat: int) -> Lesson | None:
    """What the coach explains to a seat now, if it wants to be coached."""
    if seat not in table.acting or not table.seats[seat].coached or table.seats[seat].local or table.match is None:
        return None
    found: Lesson | None = table.cached(("lesson", seat), lambda: coach.lesson(table.match, seat))
    return found


def scored(table: LiveTable, seat: int) -> tuple[Text, ...]:
    """How the match was scored, for a seat that was coached."""
    if seat < 0 or table.match is None or table.state != OVER or not table.seats[seat].coached:
        return ()
    return tuple(coach.scored(table.match, seat))


# --- what the reader may do -------------------------------------------------------------------------------------------
def shared_device(table: LiveTable, holder: int) -> SharedDevice | None:
    """The holder's device, if several people share it."""
    seats = device.seats_sharing(table.seats, holder)
    if len(seats) < 2:
        return None
    covered = table.state == PLAYING and device.viewing_seat(table, holder) == device.COVERED
    next_ = device.next_to_decide(table, holder)
    return SharedDevice(seats, covered, seats if next_ is None else (next_,))


def may_retract(table: LiveTable, seat: int) -> bool:
    """Whether a seat's choice can still be taken back by whoever made it."""
    own = seat >= 0 and table.state == PLAYING and not table.seats[seat].local
    return own and len(table.acting) > 0 and has_chosen(table, seat, table.acting)


def may_host(server: ServerState, table: LiveTable, seat: int) -> bool:
    """Whether a seat may become host in place of one who is away."""
    if seat < 0:
        return False
    return commands.may_host(table, seat, server.host_away(table, commands.HOST_AWAY), server.registry.clock())
