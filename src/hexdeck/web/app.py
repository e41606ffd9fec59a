"""The web application: which address leads to which handler."""

from __future__ import annotations

import contextlib
from collections.abc import AsyncIterator

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.routing import BaseRoute, Route

from hexdeck.engine.errors import HexdeckError
from hexdeck.tables.registry import Runtime
from hexdeck.web.routes import (
    advice,
    api,
    at_table,
    codes,
    daily,
    new_table,
    replays,
    seats,
    site_pages,
    television,
    workshop,
)
from hexdeck.web.routes.requests import SEAT, error_response, on_http_error, on_refusal
from hexdeck.web.server.middleware import RequestGuard
from hexdeck.web.server.settings import Settings
from hexdeck.web.server.state import ServerState
from hexdeck.web.server.workshop import Workshop

GET, POST = ["GET"], ["POST"]


def routes() -> list[BaseRoute]:
    """All addresses: tables, pages, deals, puzzles, chat, the workshop, the API; what is asked for most comes first."""
    return [*table_routes(), *site_routes(), *daily.routes(), *seats.routes(), *workshop.routes(), *api.routes()]


def site_routes() -> list[BaseRoute]:
    """The addresses of pages that are no table, and of files."""
    return [
        Route("/", new_table.home, methods=GET),
        Route("/play", new_table.play, methods=POST),
        Route("/new/{game}", new_table.new_table, methods=GET),
        Route("/tables", seats.tables, methods=GET),
        Route("/tables", new_table.create, methods=POST, name="create"),
        Route("/tables/leave", seats.leave_all, methods=POST),
        Route("/join/{token}", seats.join_page, methods=GET),
        Route("/join/{token}", seats.join, methods=POST),
        Route("/j", codes.type_code, methods=GET),
        Route("/j/{code}", codes.invitation, methods=GET),
        Route("/j/{code}", codes.take, methods=POST),
        Route("/tv", television.choose, methods=GET),
        Route("/carry/{token}", seats.carry_page, methods=GET),
        Route("/carry/{token}", seats.take_carried, methods=POST),
        Route("/replay/{table}", replays.replay, methods=GET),
        Route("/rules/{game}", site_pages.rules, methods=GET),
        Route("/rules/{game}/example", site_pages.example, methods=GET),
        Route("/rules/{game}/print", site_pages.pdf, methods=GET),
        Route("/report", site_pages.report_of_site, methods=GET),
        Route("/about", site_pages.about, methods=GET),
        Route("/privacy", site_pages.privacy, methods=GET),
        Route("/settings", site_pages.settings, methods=POST),
        Route("/manifest.webmanifest", site_pages.manifest, methods=GET),
        Route("/sw.js", site_pages.worker, methods=GET),
        Route("/offline", site_pages.offline, methods=GET),
        Route("/static/{name}", site_pages.static, methods=GET),
        Route("/healthz", site_pages.healthz, methods=GET),
        Route("/livez", site_pages.livez, methods=GET),
        Route("/metrics", site_pages.metrics, methods=GET),
    ]


def table_routes() -> list[BaseRoute]:
    """The addresses of a table."""
    return [
        Route("/table/{table}/move", at_table.move, methods=POST),
        Route("/table/{table}", at_table.table, methods=GET),
        Route("/table/{table}/turn", site_pages.turn, methods=GET),
        Route("/table/{table}/push", site_pages.push, methods=POST),
        Route("/table/{table}/stream", at_table.stream, methods=GET),
        Route("/table/{table}/tv", television.show, methods=GET),
        Route("/table/{table}/tv/stream", television.stream, methods=GET, name="screen"),
        Route("/table/{table}/record", at_table.record, methods=GET),
        Route("/table/{table}/invite", seats.invite, methods=GET),
        Route("/table/{table}/spoken", at_table.ask, methods=GET),
        Route("/table/{table}/hint", advice.hint, methods=POST),
        Route("/table/{table}/coach", at_table.coach, methods=POST),
        Route("/table/{table}/explain", at_table.explain, methods=POST),
        Route("/table/{table}/analysis", advice.analysis, methods=GET),
        Route("/table/{table}/report", site_pages.report_of_table, methods=GET),
        Route("/table/{table}/turning", advice.turning, methods=GET),
        Route("/table/{table}/fair", replays.fair, methods=GET),
        Route("/table/{table}/start", at_table.start, methods=POST),
        Route("/table/{table}/retract", at_table.retract, methods=POST),
        Route("/table/{table}/aside", at_table.aside, methods=POST),
        Route("/table/{table}/host", at_table.host, methods=POST),
        Route("/table/{table}/hand", at_table.hand, methods=POST),
        Route(f"/table/{{table}}/seat/{SEAT}/free", at_table.free, methods=POST),
        Route(f"/table/{{table}}/seat/{SEAT}/bot", at_table.to_bot, methods=POST),
        Route(f"/table/{{table}}/seat/{SEAT}/back", at_table.back, methods=POST),
        Route("/table/{table}/name", at_table.rename, methods=POST),
        Route("/table/{table}/contribution", at_table.add, methods=POST),
        Route("/table/{table}/rematch", at_table.rematch, methods=POST),
        Route("/table/{table}/again", advice.retry, methods=GET),
        Route("/table/{table}/again", advice.judge, methods=POST, name="again"),
        Route("/table/{table}/feedback", replays.ask, methods=GET),
        Route("/table/{table}/feedback", replays.give, methods=POST, name="feedback"),
        Route("/table/{table}/leave", seats.leave_page, methods=GET),
        Route("/table/{table}/leave", seats.leave, methods=POST, name="leave"),
        Route("/table/{table}/delete", seats.delete, methods=POST),
        Route("/table/{table}/say", at_table.speak, methods=POST),
        Route("/table/{table}/words", at_table.words, methods=POST),
        Route(f"/table/{{table}}/seat/{SEAT}/mute", at_table.mute, methods=POST),
        Route("/table/{table}/carry", seats.carried, methods=GET),
        Route("/table/{table}/carry", seats.carry, methods=POST, name="carry"),
    ]


def create_app(settings: Settings, runtime: Runtime | None = None) -> Starlette:
    """The application of a server; raises BadStore or BadOption where its tables can't be opened."""
    server, workplace = ServerState(settings, runtime or Runtime()), Workshop(settings.limits)

    @contextlib.asynccontextmanager
    async def lifespan(_app: Starlette) -> AsyncIterator[None]:
        await server.open()
        try:
            yield
        finally:
            workplace.close()
            await server.close()

    app = Starlette(
        routes=routes(),
        middleware=[
            Middleware(
                RequestGuard,
                settings=settings,
                metrics=server.metrics,
                refusals=server.refusals,
                refused=error_response,
                clock=server.runtime.monotonic,
            )
        ],
        exception_handlers={HexdeckError: on_refusal, HTTPException: on_http_error},
        lifespan=lifespan,
    )
    app.state.server, app.state.replays, app.state.workshop = server, replays.ReplayCache(), workplace
    app.state.puzzles = daily.Shelf(settings.puzzles)
    return app
