"""A reader's own seats: tables, invitations, leaving, matches played, carrying seats."""

import functools
import json
from collections.abc import Sequence

from starlette.responses import Response

from hexdeck.engine.discovery.definition import playable
from hexdeck.engine.errors import BadOption
from hexdeck.engine.text import Text, say, say_n
from hexdeck.tables import commands, holders, rows
from hexdeck.tables.daily import day_at
from hexdeck.tables.entries import ANYONE, OPEN, OVER, PLAYING, WAITING, TableSeat, seats_of
from hexdeck.tables.errors import NoTable, NotYours, Stale
from hexdeck.tables.holders import Carried, answers_of, own_data, solved_by, tallies_of
from hexdeck.tables.keys import hashed, is_valid_invitation, parse_invitation, unknown_invitation
from hexdeck.tables.live import LiveTable, seats_sharing
from hexdeck.tables.player_names import checked_name, free_name
from hexdeck.tables.rows import Row
from hexdeck.web.html import pages
from hexdeck.web.html.pages import PlayedSection
from hexdeck.web.html.rendering import TableLine
from hexdeck.web.routes import presenters
from hexdeck.web.routes.daily import my_deals
from hexdeck.web.routes.presenters import invite_link, invites, join_code
from hexdeck.web.routes.requests import BUNDLE, CARRYING, COOKIE, NAME, NO_STORE, SiteRequest
from hexdeck.web.server.middleware import is_loopback
from hexdeck.web.server.state import ServerState

LISTED = 40  # of a reader's tables, how many are listed
CARRIED_FOR = 600  # seconds for which a link that carries a seat is good


# --- the list of tables -----------------------------------------------------------------------------------------------
async def tables(request: SiteRequest) -> Response:
    """The reader's tables."""
    return request.html_response(pages.tables(request.site(), await my_tables(request)))


async def my_tables(request: SiteRequest) -> list[TableLine]:
    """The reader's tables: where it is their turn first, then the last changed first."""
    if not request.reader.token:
        return []
    lines = []
    for row in await request.registry.run_job(rows.tables_of, request.reader.hashed_token, LISTED):
        seats, minutes = seats_of(json.loads(row["seats"])), int(max(0.0, request.now - row["changed"]) // 60)
        names = tuple(seat.name for seat in seats if seat.kind != OPEN)
        kind, free = _kind(row, seats), len(seats) - len(names)
        lines.append(TableLine(row["table"], row["game"], names, kind, minutes, free))
    return sorted(lines, key=lambda line: line.kind != "turn")


def _kind(row: Row, seats: tuple[TableSeat, ...]) -> str:
    """What a table waits for, as its reader sees it (see `TableLine`)."""
    seat, acting = row["seat"], row["acting"]
    if row["game"] not in playable():
        return "missing"
    if row["state"] != PLAYING:
        return str(row["state"])
    if seats[seat].local:
        return "bot"
    return "turn" if any(acting >> shared & 1 for shared in seats_sharing(seats, seat)) else "others"


# --- leaving for good -------------------------------------------------------------------------------------------------
async def leave_page(request: SiteRequest) -> Response:
    """What leaving for good deletes, and the buttons for it."""
    id, seat = request.table_id, await request.require_holder()
    held = await request.registry.run_job(rows.holders_of, id)
    async with request.registry.reading(id) as table:
        site = request.table_site(table, "/leave")
        alone = all(holder["seat"] == seat for holder in held)
        facts = {"table_id": id, "alone": alone, "host": table.terms.host == seat}
        return request.html_response(pages.game_page("leave.html", site, table.game.name, **facts))


async def leave(request: SiteRequest) -> Response:
    """Delete what is kept of the reader at a table."""
    await holders.leave_table(request.registry, request.table_id, await request.require_holder())
    return request.redirect("/tables")


async def leave_all(request: SiteRequest) -> Response:
    """Delete what is kept of the reader at all their tables, and the cookies that hold them and their name."""
    if request.reader.token:
        await holders.leave_everywhere(request.registry, request.reader.hashed_token)
    answer = request.redirect("/tables")
    for name in (NAME, *(request.own_cookie(name) for name in (COOKIE, CARRYING, BUNDLE))):
        answer.delete_cookie(name, path=request.server.settings.prefix or "/", httponly=True, samesite="lax")
    return answer


async def delete(request: SiteRequest) -> Response:
    """The host deletes a table."""
    await holders.delete_table(request.registry, request.table_id, await request.require_holder())
    return request.redirect("/tables")


# --- inviting and joining ---------------------------------------------------------------------------------------------
async def invite(request: SiteRequest) -> Response:
    """The links to the free seats of a table, for those who sit there."""
    holder, site, registry = await request.require_holder(), request.site(), request.registry
    table = await registry.table(request.table_id)
    if table.terms.day:
        raise Stale(say("A deal of the day is for one person: play it at a table of your own."))
    await commands.draw_code(registry, table)
    async with registry.reading(request.table_id) as table:
        links = list(invites(table, site.base))
        if table.terms.watch == ANYONE:
            links.append(invite_link(f"{site.base}/table/{table.id}", None))
        html = pages.game_page(
            "invite.html",
            site,
            table.game.name,
            table_id=table.id,
            invites=links,
            joining=join_code(table, site.base),
            reachable=not is_loopback(site.base),
            for_lan=request.server.settings.for_lan,
            guest=holder != table.terms.host,
            name=table.seats[holder].name,
        )
    return request.html_response(html, secret=True)


async def invited_seat(server: ServerState, token: str) -> tuple[LiveTable, int]:
    """The table and the seat of an invitation; raises NoTable."""
    id, seat = parse_invitation(token)
    table = await server.registry.table(id)
    freed = table.seats[seat].freed if seat < table.game.players else -1
    if freed < 0 or not is_valid_invitation(token, id, seat, table.invitation_key, freed):
        raise unknown_invitation()
    return table, seat


async def join_page(request: SiteRequest) -> Response:
    """The page of an invitation; opening it takes nothing. A player who sits at the table already is led to it."""
    token = request.path_params["token"]
    request.server.limits.allow_join(request.address)
    table, seat = await invited_seat(request.server, token)
    return await join_response(request, table, seat, f"/join/{token}")


async def join_response(
    request: SiteRequest,
    live: LiveTable,
    seat: int | None,
    at: str,
    name: str = "",
    contribution: str = "",
    why: Text | None = None,
) -> Response:
    """The page of an invitation to a seat (None: no seat is free), whose form is sent to a path.

    `name`: what the reader can be called, since somebody else at the table has their name; `contribution`: their words;
    `why` their name is refused.
    """
    server = request.server
    if await request.find_holder(live.id) >= 0:
        return request.redirect(f"/table/{live.id}")
    async with server.registry.reading(live.id) as table:
        is_taken = seat is None or table.seats[seat].owner or table.state == OVER
        site, lines = request.site(why, "/", lang=table.terms.lang), presenters.seat_lines(server, table)
        html = pages.game_page(
            "join.html",
            site,
            table.game.name,
            at=at,
            seats=lines,
            seat=-1 if seat is None else seat,
            taken=is_taken,
            full=seat is None,
            promise=table.commitment if table.state == WAITING else "",
            name=name or request.reader.name,
            namesake=bool(name),
            own_words=contribution,
            watch=f"/table/{table.id}" if table.terms.watch == ANYONE else "",
            host=table.names[table.terms.host] if table.seats[table.terms.host].owner else "",
        )
    return request.html_response(html, secret=True, seats=True)


async def join(request: SiteRequest) -> Response:
    """Take a seat."""
    request.server.limits.allow_join(request.address)
    table, seat = await invited_seat(request.server, request.path_params["token"])
    return await take_seat(request, table, [seat], f"/join/{request.path_params['token']}")


async def take_seat(request: SiteRequest, table: LiveTable, seats: Sequence[int], at: str) -> Response:
    """Give the reader the first of these seats that is free still, unless they sit at the table; raises Stale.

    Whoever is called like somebody else there gets the form once more, sent to the same path, with a name of their own.
    """
    registry, fields, token = request.registry, await request.read_form(), await request.token_for_seat()
    name, contribution = fields.text("name"), fields.text("contribution")
    try:
        chosen = checked_name(name)
    except BadOption as error:
        return await join_response(request, table, next(iter(seats), None), at, "", contribution, error.text)
    nickname = chosen or request.guest_name(table.terms.lang)
    at_table = request.redirect(f"/table/{table.id}")
    own = free_name(nickname, [chair.name for chair in table.seats if chair.owner], 0)
    is_new = await registry.seat_of(table.id, hashed(token)) is None
    if chosen and own != nickname and seats and is_new:
        return await join_response(request, table, seats[0], at, own, contribution)
    refused = Stale(say("Every seat is taken."))
    for seat in seats:
        if await registry.seat_of(table.id, hashed(token)) is not None:
            return at_table  # or the button was pressed twice
        holder = {"token": hashed(token), "table": table.id, "seat": seat}
        try:
            await registry.change(table.id, commands.sit(seat, nickname, "", contribution, request.now), holder)
        except Stale as error:
            refused = error
        else:
            registry.remember_holder(table.id, hashed(token), seat)
            return request.with_name_cookie(request.with_token_cookie(at_table, token), name)
    if await registry.seat_of(table.id, hashed(token)) is None:
        raise refused
    return at_table


# --- taking a seat to another device ----------------------------------------------------------------------------------
async def carry(request: SiteRequest) -> Response:
    """Make a link that gives another device the reader's seat, once; the next page shows it."""
    token, id, seat = request.fresh_token(), request.table_id, await request.require_holder()
    row = {"token": hashed(token), "table": id, "seat": seat, "until": request.now + CARRIED_FOR}
    await request.registry.run_job(holders.carry, row)
    answer = request.redirect(f"/table/{id}/carry")
    request.set_cookie(answer, request.own_cookie(CARRYING), token, CARRIED_FOR)
    return answer


async def carry_all(request: SiteRequest) -> Response:
    """Make a link that gives another device all seats of the reader, once; the next page shows it."""
    token, at, holder = request.fresh_token(), request.now, request.reader.hashed_token
    if not await request.known_token():
        raise NotYours(say("This browser has no seats yet, so there is nothing to take along."))
    await request.registry.run_job(holders.store_bundle, hashed(token), holder, at + CARRIED_FOR, at)
    answer = request.redirect("/me/carry")
    request.set_cookie(answer, request.own_cookie(BUNDLE), token, CARRIED_FOR)
    return answer


async def carried(request: SiteRequest) -> Response:
    """The last link for the seat that was made on this device, while it can be used."""
    token = request.cookies.get(request.own_cookie(CARRYING), "")
    own = Carried(request.table_id, await request.require_holder())
    return await carry_response(request, token, own, f"/carry/{token}")


async def carried_all(request: SiteRequest) -> Response:
    """The last link for all seats that was made on this device, while it can be used."""
    token, own = request.cookies.get(request.own_cookie(BUNDLE), ""), Carried(holder=request.reader.hashed_token)
    return await carry_response(request, token, own, f"/bring/{token}")


async def carry_page(request: SiteRequest) -> Response:
    """The page of such a link; opening it takes nothing."""
    request.server.limits.allow_join(request.address)
    return await carry_response(request, request.path_params["token"], None)


async def carry_response(request: SiteRequest, token: str, own: Carried | None, path: str = "") -> Response:
    """The page of a link: on the device that has the seats (`own`) the link at its path, on another what it gives."""
    registry = request.registry
    carried = await registry.run_job(holders.carried, hashed(token), request.now)
    if carried is None or own not in (None, carried):
        raise carry_link_spent()
    site = request.site(path="/" if own is None else request.url.path)
    link = invite_link(f"{site.base}{path}", None) if own else None
    if carried.table:
        async with registry.reading(carried.table) as table:
            facts = {"table_id": table.id, "name": table.seats[carried.seat].name, "link": link, "token": token}
            html = pages.game_page("carry.html", site, table.game.name, **facts)
    else:
        html = pages.page("day_bundle.html", site, link=link, token=token)
    return request.html_response(html, secret=True, seats=own is None)


async def take_carried(request: SiteRequest) -> Response:
    """Take the seats of such a link to this device, too."""
    registry, link, at = request.registry, hashed(request.path_params["token"]), request.now
    request.server.limits.allow_join(request.address)
    token = await request.token_for_seat()
    seats = await registry.run_job(holders.take_carried, link, hashed(token), at, day_at(at))
    if seats is None:
        raise carry_link_spent()
    for table, seat in seats.items():
        registry.remember_holder(table, hashed(token), seat)
    path = f"/table/{next(iter(seats))}" if seats and request.url.path.startswith("/carry/") else "/me"
    return request.with_token_cookie(request.redirect(path), token)


def carry_link_spent() -> NoTable:
    """The refusal of a link that was used already, or is too old."""
    return NoTable(say("This link has already been used, or is too old; make another on the device that has the seat."))


# --- what a player has played -----------------------------------------------------------------------------------------
async def my_page(request: SiteRequest) -> Response:
    """What the reader has played, and today's deals."""
    token = request.reader.hashed_token
    tallies, going = await tallies_of(request.registry, token), sum(line.goes_on for line in await my_tables(request))
    solved = await request.registry.run_job(solved_by, token, ())
    parts = []
    if going:
        line = say_n("{n} match goes on.", "{n} matches go on.", going)
        parts.append(PlayedSection(say("Still to be played"), line, "/tables", say("My tables")))
    line = say_n(
        "{solved} of {n} puzzle solved.", "{solved} of {n} puzzles solved.", solved.total, solved=solved.solved
    )
    line = line if solved.total else say("Three new ones every day.")
    parts.append(PlayedSection(say("Puzzles"), line, "/puzzles", say("Puzzles")))
    html = pages.my_page(request.site(), day_at(request.now), await my_deals(request), tallies, parts)
    return request.html_response(html)


async def own_file(request: SiteRequest) -> Response:
    """All that is kept of the reader, as JSON."""
    parts = await own_data(request.registry, request.reader.hashed_token)
    puzzles = await request.registry.run_job(answers_of, request.reader.hashed_token)
    data = {"name": request.reader.name, "tables": parts, "puzzles": puzzles}
    headers = {"content-disposition": 'attachment; filename="hexdeck-my-data.json"', **NO_STORE}
    text = await request.long_work(functools.partial(json.dumps, data, ensure_ascii=False, indent=1))
    return Response(text + "\n", media_type="application/json", headers=headers)
