"""What every page needs to know of a request: the reader's language, theme and pace, and where the site begins."""

from __future__ import annotations

from starlette.requests import Request

from hexdeck.engine.text import LANGUAGES, Text
from hexdeck.web.html.links import is_loopback
from hexdeck.web.html.page_models import Site
from hexdeck.web.ops.middleware import host_of
from hexdeck.web.requests.identity import reader
from hexdeck.web.requests.target import server_of

MOST_LANGUAGES = 20  # of an Accept-Language header that are looked at


def language_of(request: Request, table: str = "") -> str:
    """The language of the cookie, else of the table, else the first the browser accepts, else the server's."""
    accepted = request.headers.get("accept-language", "").split(",")
    wanted = [
        request.cookies.get("lang", ""),
        table,
        *(part.partition(";")[0].strip()[:2].lower() for part in accepted),
    ]
    return next((lang for lang in wanted[:MOST_LANGUAGES] if lang in LANGUAGES), server_of(request).settings.lang)


def site_of(request: Request, notice: Text | None = None, path: str | None = None, lang: str = "") -> Site:
    """The site as this reader sees it; `lang` is a table's language, `path` this page's if not the request's."""
    here = request.url.path if path is None else path
    prefix = server_of(request).settings.prefix
    who, base = reader(request), site_address(request)
    named = host_of(request.headers) in server_of(request).settings.hosts
    known = base if named or base == lan_address(request) else ""
    open_workshop = server_of(request).settings.workshop
    return Site(language_of(request, lang), who.theme, prefix, here, notice, base, who.pace, known, open_workshop)


def lan_address(request: Request) -> str:
    """Where the site begins on the network, as the server itself says."""
    settings = server_of(request).settings
    return settings.lan_address + settings.prefix


def site_address(request: Request) -> str:
    """Where the site begins, as others on the network reach it."""
    settings = server_of(request).settings
    shown = f"{request.url.scheme}://{request.headers.get('host', '')}"
    return (settings.lan_address if is_loopback(shown) and settings.lan_address else shown) + settings.prefix
