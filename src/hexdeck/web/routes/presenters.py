"""From a live table and its viewer to the models of its page. Nothing here knows a game."""

import functools
import io
import math
from base64 import b64encode
from dataclasses import asdict, replace
from time import perf_counter
from typing import Any

import segno

from hexdeck.bots.advice.analysis import turning_point
from hexdeck.engine.play import coach, score
from hexdeck.engine.play.coach import Lesson
from hexdeck.engine.play.score import winners
from hexdeck.engine.play.story import deciding_places, scored_on_boards
from hexdeck.engine.text import Text
from hexdeck.tables import commands
from hexdeck.tables.chat import remarks
from hexdeck.tables.commands import finished_matches, sheet_of
from hexdeck.tables.daily import SEAT, Field
from hexdeck.tables.entries import BOT, DAILY, OVER, PLAYING, WAITING, Result, result_of
from hexdeck.tables.feedback import is_asked
from hexdeck.tables.live import COVERED, LiveTable, beats_for, is_turn, next_to_decide, seats_sharing, viewing_seat
from hexdeck.web.html import rendering
from hexdeck.web.html.rendering import Site, TablePage
from hexdeck.web.html.table_page import steps, table_main, television_main
from hexdeck.web.server.middleware import is_loopback
from hexdeck.web.server.state import ServerState, StreamFrame, server_sent_event

# --- the score sheet --------------------------------------------------------------------------------------------------
MOST = 60  # rows that a page shows: the last


def scores(table: LiveTable) -> rendering.Scores | None:
    """The score sheet of a table; None while it is empty."""
    sheet, matches = sheet_of(table), finished_matches(table)
    if sheet is None or not sheet.titles or not (sheet.rows or matches):
        return None
    columns = columns_of(sheet.teams, len(table.seats))
    firsts = [seats[0] for seats in columns]
    lines, series = list[rendering.ScoreLine](), list[rendering.SeriesLine]()
    for row in sheet.rows[-MOST:]:
        pairs = tuple(zip(row.gains, row.totals, strict=True))
        deal = tuple(tuple((gain[seat], total[seat]) for gain, total in pairs) for seat in firsts)
        lines.append(rendering.ScoreLine(row.number, deal))
    for number, match in enumerate(matches, 1):
        cells = tuple((match.won[seat], tuple(total[seat] for total in match.totals)) for seat in firsts)
        series.append(rendering.SeriesLine(number, match.table, cells))
    wins = tuple(sum(match.won[seat] for match in matches) for seat in firsts)
    totals = tuple(tuple(total[seat] for total in sheet.totals) for seat in firsts)
    signed = any(map(any, sheet.start))
    ids, titles = zip(*sheet.titles, strict=True)
    return rendering.Scores(
        columns, ids, tuple(lines), totals, tuple(series), wins, bool(sheet.teams), signed, sheet.unit, titles
    )


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


def invite_link(address: str, seat: int | None, code: str = "") -> rendering.Invite:
    """A link with its QR code."""
    return rendering.Invite(seat, address, qr_code(address), code)


def invites(table: LiveTable, base: str) -> tuple[rendering.Invite, ...]:
    """The links to the free seats of a table; `base`: where the site begins for the player who follows them."""
    return tuple(
        invite_link(f"{base}/join/{token}", seat, f"{table.code}{seat + 1}" if table.code else "")
        for seat, token in commands.invitations(table).items()
    )


def join_code(table: LiveTable, base: str) -> rendering.JoinCode | None:
    """The code that leads to a free seat of a table; None where no seat is free, or no code is drawn."""
    if not table.code or not commands.seats_free(table):
        return None
    address = f"{base}/j/{table.code}"
    return rendering.JoinCode(table.code, address, qr_code(address), f"{base}/j".partition("://")[2])


CHAT_LINES = 30  # that a page shows
FRESH = 12.0  # seconds for which the newest is shown over the table
TICK = 5.0  # seconds for which a page with a clock may be sent again


# --- the page ---------------------------------------------------------------------------------------------------------
def television_page(server: ServerState, site: Site, table: LiveTable) -> TablePage:
    """The page of a screen that all look at, whoever opened it: what the public knows, and nothing to press.

    It tells how to join where the table was set up for a screen; elsewhere anybody may open it who may only watch.
    """
    return TablePage(
        site,
        table.id,
        table.version_for(-1),
        table.view(-1),
        seat_lines(server, table),
        clock=clock(table, -1, server.registry.clock()),
        over=over(server, table, -1),
        waiting=table.state == WAITING,
        joining=join_code(table, site.base) if table.terms.screen else None,
        team_of=table.team_of,
        screen=True,
    )


def table_page(server: ServerState, site: Site, table: LiveTable, holder: int) -> TablePage:
    """The page of a table for the holder of a seat (-1: the public)."""
    waiting, seat, now = table.state == WAITING, viewing_seat(table, holder), server.registry.clock()
    return TablePage(
        site,
        table.id,
        table.version_for(seat),
        table.view(seat),
        seat_lines(server, table, seat),
        me=None if seat < 0 else seat,
        host=holder == table.terms.host,
        news=len(table.news(seat)),
        clock=clock(table, seat, now),
        over=over(server, table, seat),
        watching=server.streams.spectators(table.id),
        promise=table.commitment,
        waiting=waiting,
        invites=invites(table, site.base) if waiting and holder >= 0 else (),
        joining=join_code(table, site.base) if waiting and holder >= 0 else None,
        reachable=not is_loopback(site.base),
        for_lan=server.settings.for_lan,
        may_retract=may_retract(table, seat),
        asides=tuple((aside, aside.about in table.seats[seat].asides) for aside in table.asides(seat)),
        may_host=may_host(server, table, holder),
        hints=table.terms.hints,
        coached=coached(table, seat),
        lesson=lesson(table, seat),
        scored=scored(table, seat),
        chat=chat_of(table, seat, now),
        shared=shared_device(table, holder),
        scores=table.cached("scores", lambda: scores(table)),
        team_of=table.team_of,
        turn=is_turn(table, holder),
        days=table.terms.clock == DAILY,
        push_key=server.calls.public_key,
        of_day=bool(table.terms.day),
        hand=table.terms.screen and holder >= 0,
        screen_at=screen_address(server, site, table),
    )


def screen_address(server: ServerState, site: Site, table: LiveTable) -> str:
    """Where a screen for all is opened, without `http://`; "" where one shows the table, or none is to."""
    wanted = table.terms.screen and not server.streams.has_screen(table.id)
    return f"{site.base}/tv".partition("://")[2] if wanted else ""


def stream_frame(
    server: ServerState, table: LiveTable, holder: int, site: Site, since: int, *, screen: bool = False
) -> StreamFrame:
    """What a stream sends to a holder's page that shows a version (-1: none); `screen`: to one that all look at.

    For spectators it is made once. A seat has one reader, and its page is large: it is made again when it is wanted.
    """
    if holder < 0 and (earlier := kept_frame(server, table, site, since, screen=screen)):
        return earlier
    began = perf_counter()
    site = Site(site.lang, prefix=site.prefix, path=f"/table/{table.id}", base=site.base)
    page = television_page(server, site, table) if screen else table_page(server, site, table, holder)
    view = server_sent_event("table", television_main(page) if screen else table_main(page))
    frame = StreamFrame(page.version, view, beats(table, holder, since, page))
    server.metrics.rendered.observe(perf_counter() - began)
    if holder < 0:
        table.cache["frame", site.lang, since, screen] = mark_of(server, table, site, screen), frame
    elif table.acting != (holder,):  # who is alone to move asks for its view again soon
        table.cache.pop(("view", viewing_seat(table, holder)), None)  # it is large
    return frame


def kept_frame(
    server: ServerState, table: LiveTable, site: Site, since: int, *, screen: bool = False
) -> StreamFrame | None:
    """What was made for another spectator who saw the same; it shows what is stored, so no lock is needed."""
    mark, frame = table.cache.get(("frame", site.lang, since, screen), (None, None))
    return frame if mark == mark_of(server, table, site, screen) else None


def mark_of(server: ServerState, table: LiveTable, site: Site, screen: bool) -> tuple[Any, ...]:
    """What pages show that changes without a new version: who is there, how many watch, clocks, the chat, the address.

    Only the page that was made last is kept: a name can be asked for in any number of ways. A screen says how to join,
    at its own address.
    """
    tick, streams = int(server.registry.clock() / TICK) if table.due is not None else 0, server.streams
    address = site.base if screen else ""
    return streams.viewed(table.id), streams.spectators(table.id), tick, table.last_message, address


def beats(table: LiveTable, holder: int, since: int, page: TablePage) -> bytes:
    """What happened since a version, step by step, which a stream sends before the newest view.

    Nothing where the page goes to the newest view at once: before the deal, or too far behind. A device that is about
    to be covered shows what the public sees.
    """
    seat = viewing_seat(table, holder)
    story = beats_for(table, seat, since) if table.pace else ()
    return server_sent_event("beats", steps(page, story, since, remarks(table, since))) if story else b""


# --- seats and clocks -------------------------------------------------------------------------------------------------
def seat_lines(server: ServerState, table: LiveTable, seat: int = -1) -> tuple[rendering.SeatLine, ...]:
    """Who sits where, as a seat (-1: the public) knows it."""
    acting, viewed = table.view(seat).acting, server.streams.viewed(table.id)
    choosing = len(acting) > 0 and table.state != OVER
    return rendering.coloured(
        rendering.SeatLine(
            number,
            chair.name,
            chair.kind,
            chair.level if chair.kind == BOT else "",
            here=chair.kind == BOT or (number if chair.device is None else chair.device) in viewed,
            chosen=choosing and has_chosen(table, number, acting),
            host=number == table.terms.host and chair.owner,
            owner=chair.owner and not chair.remote,
            muted=chair.muted,
        )
        for number, chair in enumerate(table.seats)
    )


def has_chosen(table: LiveTable, number: int, acting: tuple[int, ...]) -> bool:
    """Whether a seat has made its secret choice while others still choose."""
    return number not in acting and table.moved_at[number] > table.public_version


def clock(table: LiveTable, seat: int, now: float) -> rendering.Clock | None:
    """The clock of a seat if it is running, else of the seat with the least time left."""
    running = [(chair.due, number) for number, chair in enumerate(table.seats) if chair.due is not None]
    if not running:
        return None
    due, number = min(running, key=lambda timer: (timer[1] != seat, timer[0]))
    name = "" if number == seat else table.seats[number].name
    return rendering.Clock(table.terms.clock, max(0, math.ceil(due - now)), name)


# --- a table as data -------------------------------------------------------------------------------------------------
MESSAGES_SENT, LINES_SENT = 20, 1_000  # chat messages and lines of the log that are sent with a table: the last
SEAT_FIELDS = ("name", "kind", "level", "owner", "remote", "due", "muted")


def table_data(table: LiveTable, seat: int, log_from: int = 0) -> dict[str, Any]:
    """A table as the holder of a seat (-1: the public) knows it; of the log the last lines, from an index on."""
    seat = viewing_seat(table, seat)
    view = table.view(seat)
    log_from = max(log_from, len(view.log) - LINES_SENT)
    data = {
        "table": table.id,
        "game": table.game.name,
        "rules": table.game.definition.struct_version,
        "options": dict(table.game.options),
        "state": table.state,
        "version": table.version_for(seat),
        "seat": seat if seat >= 0 else None,
        "clock": table.terms.clock,
        "lang": table.terms.lang,
        "hints": table.terms.hints,
        "commitment": table.commitment,
        "seats": [
            {"number": number, "host": number == table.terms.host}
            | {name: getattr(chair, name) for name in SEAT_FIELDS}
            for number, chair in enumerate(table.seats)
        ],
        "view": replace(view, log=view.log[log_from:]).data(),
        "log_from": log_from,
        "struct": None if table.match is None else b64encode(table.match.concealed(seat)).decode(),
        "rematch": table.rematch,
        "rematch_commitment": table.rematch_commitment or None,
        "words": table.terms.words,
        "messages": [asdict(message) for message in table.messages[-MESSAGES_SENT:]],
    }
    return data | ({"secret": table.secret.hex()} if table.state == OVER else {})


# --- the chat ---------------------------------------------------------------------------------------------------------
def chat_of(table: LiveTable, seat: int, now: float) -> rendering.Chat | None:
    """The chat as a seat (-1: the public) reads it; None where there is nobody to talk to."""
    people = {number for number, message in enumerate(table.seats) if message.owner and not message.program}
    if len(people) < 2 and not table.messages:
        return None
    lines = tuple(table.messages[-CHAT_LINES:])
    is_fresh = bool(lines) and table.messages[-1].seat != seat and now - table.messages[-1].at < FRESH
    speaks = seat in people and not table.seats[seat].muted
    return rendering.Chat(lines, speaks, table.terms.words, is_fresh, seat in people)


# --- the end ----------------------------------------------------------------------------------------------------------
def over(server: ServerState, table: LiveTable, seat: int) -> rendering.Over | None:
    """What the page of a seat (-1: the public) shows at the end; None before it."""
    if table.state != OVER:
        return None
    ranking, won = (score.places(table.match), winners(table.match)) if table.match else ((), ())
    asker = next((entry.seat for entry in table.entries if entry.kind == "rematch" and entry.seat >= 0), None)
    added = tuple(number for number, chair in enumerate(table.seats) if chair.adds)
    return rendering.Over(
        table.id,
        table.secret.hex(),
        table.rematch or "",
        ranking,
        won,
        rematch_by=asker,
        rematch_promise=table.rematch_commitment,
        contributors=added,
        contribution=table.seats[seat].adds if seat >= 0 else "",
        lead=score.winning_lead(table.match, won, table.team_of) if table.match else None,
        decided=score.decision_line(table.match, seat) if table.match else None,
        deciding=table.cached(
            ("deciding", seat), lambda: deciding_places(table.match, table.view(seat), won) if table.match else ()
        ),
        hands=table.cached(("hands",), lambda: scored_on_boards(table.match, table.view(-1)) if table.match else ()),
        turning=known_turning_point(server, table, seat),
        asks=is_asked(table, seat),
        compared=known_comparison(server, table, seat),
    )


def turning_seat(table: LiveTable, seat: int) -> int:
    """The seat whose decisions tell a seat (-1: the public) where its match turned.

    Its own; for who won, and for the public, that of the best of those who didn't win.
    """
    if table.match is None:
        return max(seat, 0)
    won, ranks = winners(table.match), score.places_of(table.match.returns())
    losers = [number for number, wins in enumerate(won) if not wins]
    return min(losers, key=lambda number: ranks[number]) if losers and (seat < 0 or won[seat]) else max(seat, 0)


def known_turning_point(server: ServerState, table: LiveTable, seat: int) -> rendering.TurningPoint | None:
    """Where a match turned for a seat (-1: the public), if that is analysed and the cost is outside its interval."""
    analysis = server.analyses.finished(table, turning_seat(table, seat))
    point = turning_point(analysis.decisions) if analysis else None
    if analysis is None or point is None or analysis.measure is None:
        return None
    return rendering.TurningPoint(analysis.seat, point, analysis.measure, analysis.turned_in)


def known_comparison(server: ServerState, table: LiveTable, seat: int) -> rendering.Compared | None:
    """How bots fared with a seat's deal of the day, as far as that is known here; None where it had none."""
    if not table.terms.day or seat != SEAT or table.match is None:
        return None
    day, game = table.terms.day, table.game.name
    return compared_with(server.fields.field(day, game), game, day, result(table))


def compared_with(
    field: Field | None, game: str, day: str, ended: Result, people: rendering.Share | None = None
) -> rendering.Compared:
    """How the deal of a day ended for its player, beside bots and people."""
    levels = field.levels if field else ()
    shares = tuple(rendering.Share(level.name, level.won, level.games, level.done) for level in levels)
    is_done, counts = field is not None and field.done, SEAT not in ended.stood_in
    return rendering.Compared(game, day, ended.won[SEAT], shares, people, counts, is_done)


def result(table: LiveTable) -> Result:
    """How the match of a table that is over has ended."""
    match = table.match
    assert match is not None
    return table.cached("result", lambda: result_of(match, table.entries))


# --- the coach --------------------------------------------------------------------------------------------------------
def coached(table: LiveTable, seat: int) -> bool | None:
    """Whether the coach explains decisions to a seat; None where the game has no coach."""
    return table.seats[seat].coached if seat >= 0 and table.game.definition.coach is not None else None


def lesson(table: LiveTable, seat: int) -> Lesson | None:
    """What the coach explains to a seat now, if it wants to be coached."""
    match = table.match
    if seat not in table.acting or not table.seats[seat].coached or table.seats[seat].local or match is None:
        return None
    return table.cached(("lesson", seat), lambda: coach.lesson(match, seat))


def scored(table: LiveTable, seat: int) -> tuple[Text, ...]:
    """How the match was scored, for a seat that was coached."""
    if seat < 0 or table.match is None or table.state != OVER or not table.seats[seat].coached:
        return ()
    return tuple(coach.scored(table.match, seat))


# --- what the reader may do -------------------------------------------------------------------------------------------
def shared_device(table: LiveTable, holder: int) -> rendering.SharedDevice | None:
    """The holder's device, if several people share it."""
    seats = seats_sharing(table.seats, holder)
    if len(seats) < 2:
        return None
    covered = table.state == PLAYING and viewing_seat(table, holder) == COVERED
    next_ = next_to_decide(table, holder)
    return rendering.SharedDevice(seats, covered, seats if next_ is None else (next_,))


def may_retract(table: LiveTable, seat: int) -> bool:
    """Whether a seat's choice can still be taken back by the player who made it."""
    own = seat >= 0 and table.state == PLAYING and not table.seats[seat].local
    return own and len(table.acting) > 0 and has_chosen(table, seat, table.acting)


def may_host(server: ServerState, table: LiveTable, seat: int) -> bool:
    """Whether a seat may become host in place of one who is away."""
    if seat < 0:
        return False
    return commands.may_host(table, seat, server.host_away(table, commands.HOST_AWAY), server.registry.clock())
