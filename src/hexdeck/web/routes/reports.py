"""Reports of what went wrong: a page with a text to copy, and the same as a file."""

from __future__ import annotations

import logging

from starlette.requests import Request
from starlette.responses import Response

from hexdeck.tables.model.live import LiveTable
from hexdeck.web.html import pages
from hexdeck.web.html.page_models import ReportPage
from hexdeck.web.html.report import Reported, TableReport, report
from hexdeck.web.requests.identity import reading_as_viewer
from hexdeck.web.requests.site import site_of
from hexdeck.web.requests.target import now
from hexdeck.web.routes.answers import NO_STORE, html_response

LOG = logging.getLogger("hexdeck.web")


async def report_of_site(request: Request) -> Response:
    """A report where no table is concerned."""
    return report_response(request, report(said_by(request), None), "/report")


async def report_of_table(request: Request) -> Response:
    """A report with the table as its reader knows it; one that can't be told of keeps nobody from reporting."""
    found, untold = None, ""
    try:
        async with reading_as_viewer(request) as (table, seat):
            found = table_report(table, seat)
            text = report(said_by(request), found)
    except Exception as error:
        LOG.warning("a report without its table", exc_info=error)
        untold = f"can't be told of ({type(error).__name__})"
        text = report(said_by(request), None, untold)
    return report_response(request, text, f"/table/{request.path_params['table']}/report")


def table_report(table: LiveTable, seat: int) -> TableReport:
    """A table as a seat (-1: the public) knows it."""
    return TableReport(
        table.view(seat), dict(table.game.options), int(table.game.definition.struct_version), table.version_for(seat),
        table.state,
    )  # fmt: skip


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
