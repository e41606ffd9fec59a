"""Reports of what went wrong: a page with a text to copy, and the same as a file.

A report tells of a match what its reader knows: the position and the log as they were told. Names, addresses, tokens
and cookies are left out; so is whatever looks like one in what the browser says.
"""

from __future__ import annotations

import json
import logging
import platform
import re
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Any

from starlette.requests import Request
from starlette.responses import Response

import hexdeck
from hexdeck.engine.discovery.finding import game_words
from hexdeck.engine.text import Text
from hexdeck.engine.view import View
from hexdeck.tables.live import LiveTable
from hexdeck.web.html import pages
from hexdeck.web.html.models import ReportPage
from hexdeck.web.requests import now, reading_as_viewer, site_of
from hexdeck.web.routes.answers import NO_STORE, html_response

LOG = logging.getLogger("hexdeck.web")


async def report_of_site(request: Request) -> Response:
    """A report where no table is concerned."""
    return report_response(request, report(said_by(request), None), "/report")


async def report_of_table(request: Request) -> Response:
    """A report with the table as its reader knows it; one that can't be told of keeps nobody from reporting."""
    known_table, untold = None, ""
    try:
        async with reading_as_viewer(request) as (table, seat):
            known_table = table_report(table, seat)
            text = report(said_by(request), known_table)
    except Exception as error:
        LOG.warning("a report without its table", exc_info=error)
        untold = f"can't be told of ({type(error).__name__})"
        text = report(said_by(request), None, untold)
    return report_response(request, text, f"/table/{request.path_params['table']}/report")


def table_report(table: LiveTable, seat: int) -> TableReport:
    """A table as a seat (-1: the public) knows it."""
    return TableReport(
        table.view(seat),
        dict(table.game.options),
        int(table.game.definition.struct_version),
        table.version_for(seat),
        table.state,
    )


def said_by(request: Request) -> Reported:
    """What the request says: the fault, as the page put it into the address, and the browser."""
    lang = site_of(request, path="/").lang
    return Reported(request.query_params.get("fault", ""), request.headers.get("user-agent", ""), lang, now(request))


def report_response(request: Request, text: str, path: str) -> Response:
    """The report as a page, or as a file if that is asked for."""
    if "file" in request.query_params:
        headers = {"content-disposition": 'attachment; filename="hexdeck-report.txt"', **NO_STORE}
        return Response(text, media_type="text/plain", headers=headers)
    back = path.removesuffix("/report") or "/"
    page = ReportPage(site_of(request, path=path), text, back, request.query_params.get("fault", "")[:400])
    return html_response(request, pages.report(page), secret=True)


# --- the text, in English for its developers --------------------------------------------------------------------------
LONGEST = 400  # letters of what a browser says of itself, or of a fault
SECRET = re.compile(r"(?:https?|blob|file):\S*|/(?:join|carry|table|replay|tables)/\S*|[\w-]{20,}")


NAMING = "name", "other"  # what names are called in the log


@dataclass(frozen=True)
class TableReport:
    """A table as a reader knows it: `version` and `view` are those of its seat, or the public's."""

    view: View
    options: dict[str, Any]
    struct_version: int
    version: int
    state: str


@dataclass(frozen=True)
class Reported:
    """What a report tells besides the table: what the page said, the browser's name, and the time, since 1970."""

    fault: str
    browser: str
    lang: str
    at: float


def report(reported: Reported, table: TableReport | None, untold: str = "") -> str:
    """The report, in English for whoever mends it; `untold`: why the table can't be told of."""
    head = {
        "hexdeck": hexdeck.__version__,
        "Python": f"{platform.python_version()} on {platform.system()}",
        "browser": without_secrets(reported.browser),
        "language": reported.lang,
        "time": datetime.fromtimestamp(reported.at, UTC).isoformat(timespec="seconds"),
        "fault": without_secrets(reported.fault),
    }
    lines = [f"{name}: {value or 'not said'}" for name, value in head.items()]
    return "\n".join([*lines, *(table_lines(table) if table else [f"table: {untold or 'none'}"])]) + "\n"


def without_secrets(text: str) -> str:
    """What a browser said, on one line, without addresses and whatever is long enough to be a token."""
    plain = "".join(letter if letter.isprintable() else " " for letter in text[: 4 * LONGEST])
    return SECRET.sub("…", plain)[:LONGEST].strip()


def without_names(view: View) -> View:
    """A view without what people call themselves, which some lines of the log tell."""
    return replace(view, names=(), log=tuple(nameless(text) for text in view.log))


def nameless(text: Text) -> Text:
    """A line of the log without what people call themselves."""
    blanks = {key: "…" for key in NAMING if isinstance(text.args.get(key), str)}
    return replace(text, args={**text.args, **blanks}) if blanks else text


def table_lines(table: TableReport) -> list[str]:
    """The table in lines: what it is, the log and the position as the reader knows them, and both as data."""
    view = without_names(table.view)
    translate = game_words(view.game, "en").words
    eyes = "no seat" if view.seat < 0 else f"seat {view.seat}"
    return [
        f"game: {view.game}, version {table.struct_version}, {view.players} players, {json.dumps(table.options)}",
        f"table: {table.state}, version {table.version}, ply {view.ply}, as {eyes} knows it",
        "",
        "The log:",
        *(f"  {translate(text)}" for text in view.log),
        "",
        "The position:",
        *(f"  {line}" for line in view.text().splitlines()),
        "",
        "Both as data:",
        json.dumps(view.data(), ensure_ascii=False),
    ]
