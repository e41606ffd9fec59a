"""The web application: which address leads to which handler."""

import contextlib
from collections.abc import AsyncIterator

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware

from hexdeck.engine.errors import HexdeckError
from hexdeck.tables.registry import Runtime
from hexdeck.web.routes import (
    advice,
    api,
    at_table,
    codes,
    daily,
    forks,
    new_table,
    replays,
    seats,
    site_pages,
    television,
    workshop,
)
from hexdeck.web.routes.requests import SEAT, Page, error_response, on_http_error, on_refusal
from hexdeck.web.server.middleware import RequestGuard
from hexdeck.web.server.settings import Settings
from hexdeck.web.server.state import ServerState
from hexdeck.web.server.workshop import Workshop

TABLE, POST = "/table/{table}", "POST"


ROUTES = [  # what is asked for most comes first
    Page(f"{TABLE}/move", at_table.move, POST),
    Page(TABLE, at_table.table),
    Page(f"{TABLE}/turn", site_pages.turn),
    Page(f"{TABLE}/push", site_pages.push, POST),
    Page(f"{TABLE}/stream", at_table.stream),
    Page(f"{TABLE}/tv", television.show),
    Page(f"{TABLE}/tv/stream", television.stream, name="screen"),
    Page(f"{TABLE}/record", at_table.record),
    Page(f"{TABLE}/invite", seats.invite),
    Page(f"{TABLE}/spoken", at_table.ask),
    Page(f"{TABLE}/hint", advice.hint, POST),
    Page(f"{TABLE}/coach", at_table.coach, POST),
    Page(f"{TABLE}/explain", at_table.explain, POST),
    Page(f"{TABLE}/analysis", advice.analysis),
    Page(f"{TABLE}/problem", site_pages.problem_at_table),
    Page(f"{TABLE}/turning", advice.turning),
    Page(f"{TABLE}/fair", replays.fair),
    Page(f"{TABLE}/start", at_table.start, POST),
    Page(f"{TABLE}/retract", at_table.retract, POST),
    Page(f"{TABLE}/aside", at_table.aside, POST),
    Page(f"{TABLE}/host", at_table.host, POST),
    Page(f"{TABLE}/hand", at_table.hand, POST),
    Page(f"{TABLE}/seat/{SEAT}/free", at_table.free, POST),
    Page(f"{TABLE}/seat/{SEAT}/bot", at_table.to_bot, POST),
    Page(f"{TABLE}/seat/{SEAT}/back", at_table.back, POST),
    Page(f"{TABLE}/name", at_table.rename, POST),
    Page(f"{TABLE}/contribution", at_table.add, POST),
    Page(f"{TABLE}/rematch", at_table.rematch, POST),
    Page(f"{TABLE}/again", advice.retry),
    Page(f"{TABLE}/again", advice.judge, POST, "again"),
    Page(f"{TABLE}/feedback", replays.ask),
    Page(f"{TABLE}/feedback", replays.give, POST, "feedback"),
    Page(f"{TABLE}/leave", seats.leave_page),
    Page(f"{TABLE}/leave", seats.leave, POST, "leave"),
    Page(f"{TABLE}/delete", seats.delete, POST),
    Page(f"{TABLE}/say", at_table.speak, POST),
    Page(f"{TABLE}/words", at_table.words, POST),
    Page(f"{TABLE}/seat/{SEAT}/mute", at_table.mute, POST),
    Page(f"{TABLE}/carry", seats.carried),
    Page(f"{TABLE}/carry", seats.carry, POST, "carry"),
    Page("/", new_table.home),
    Page("/play", new_table.play, POST),
    Page("/new/{game}", new_table.new_table),
    Page("/tables", seats.tables),
    Page("/tables", new_table.create, POST, "create"),
    Page("/tables/leave", seats.leave_all, POST),
    Page("/join/{token}", seats.join_page),
    Page("/join/{token}", seats.join, POST),
    Page("/j", codes.type_code),
    Page("/j/{code}", codes.invitation),
    Page("/j/{code}", codes.take, POST),
    Page("/tv", television.choose),
    Page("/carry/{token}", seats.carry_page),
    Page("/carry/{token}", seats.take_carried, POST),
    Page("/replay/{table}", replays.replay),
    Page("/rules/{game}", site_pages.rules),
    Page("/rules/{game}/example", site_pages.example),
    Page("/rules/{game}/print", site_pages.pdf),
    Page("/problem", site_pages.problem_of_site),
    Page("/about", site_pages.about),
    Page("/privacy", site_pages.privacy),
    Page("/settings", site_pages.settings, POST),
    Page("/manifest.webmanifest", site_pages.manifest),
    Page("/sw.js", site_pages.worker),
    Page("/offline", site_pages.offline),
    Page("/static/{name}", site_pages.static),
    Page("/healthz", site_pages.healthz),
    Page("/livez", site_pages.livez),
    Page("/metrics", site_pages.metrics),
    Page("/today", daily.deals),
    Page("/today/{game}", daily.deal),
    Page("/today/{game}", daily.play, POST, "play deal"),
    Page(f"{TABLE}/compared", daily.compared),
    Page("/puzzles", daily.today),
    Page("/puzzles/forget", daily.forget, POST),
    Page("/puzzles/{day}/{number}", daily.puzzle),
    Page("/puzzles/{day}/{number}", daily.answer, POST, "answer"),
    Page("/me", seats.my_page),
    Page("/me/file", seats.own_file),
    Page("/me/carry", seats.carried_all),
    Page("/me/carry", seats.carry_all, POST, "make"),
    Page("/bring/{token}", seats.carry_page),
    Page("/bring/{token}", seats.take_carried, POST, "take"),
    Page("/workshop", workshop.games, name="workshop"),
    Page("/workshop/{game}", workshop.workshop, name="workshop_game"),
    Page("/workshop/{game}/stream", workshop.stream, name="workshop_stream"),
    Page("/workshop/{game}/share", workshop.share, name="workshop_share"),
    Page("/workshop/{game}/file", workshop.file, name="workshop_file"),
    Page("/shared", workshop.shared),
    Page("/shared", workshop.open_file, POST, "open_shared"),
    Page("/workshop/{game}/tune", workshop.tune, name="workshop_tune"),
    Page("/workshop/{game}/tune/stream", workshop.tune_stream, name="workshop_tune_stream"),
    Page("/workshop/{game}/play", workshop.play, POST, "workshop_play"),
    Page("/workshop/{game}/fork", forks.fork, POST, "fork"),
    Page("/workshop/{game}/check", forks.check, POST, "fork_check"),
    Page("/workshop/{game}/rule", forks.rewrite, POST, "fork_rule"),
    Page("/workshop/{game}/own", forks.keep, POST, "fork_own"),
    Page("/workshop/{game}/names", forks.rename, POST, "fork_names"),
    *api.routes(),
]


def create_app(settings: Settings, runtime: Runtime | None = None) -> Starlette:
    """The application of a server; raises BadStore or BadOption where its tables can't be opened."""
    server = ServerState(settings, runtime or Runtime())
    workshops = Workshop(settings.limits), Workshop(settings.limits, drafts=True)

    @contextlib.asynccontextmanager
    async def lifespan(_app: Starlette) -> AsyncIterator[None]:
        await server.open()
        try:
            yield
        finally:
            for workshop in workshops:
                workshop.close()
            await server.close()

    clock = server.runtime.monotonic
    guard = Middleware(RequestGuard, settings, server.metrics, server.refusals, error_response, clock)
    app = Starlette(
        routes=ROUTES,
        middleware=[guard],
        exception_handlers={HexdeckError: on_refusal, HTTPException: on_http_error},
        lifespan=lifespan,
    )
    app.state.server, app.state.replays, app.state.workshops = server, replays.ReplayCache(), workshops
    app.state.workshop, app.state.drafts = workshops
    app.state.trials = forks.Trials()
    app.state.puzzles = daily.Shelf(settings.puzzles)
    return app
