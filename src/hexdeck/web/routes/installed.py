"""The site as an installable app: its manifest, its worker, the page for when there is no connection, and calls.

A page that isn't in front asks now and then whose turn it is; a browser may be told of it while no page is open.
"""

from __future__ import annotations

import functools
import hashlib
import json
import re
from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from hexdeck.engine.discovery.finding import SHARED
from hexdeck.engine.text import LANGUAGES, Catalogue, say
from hexdeck.tables import rows
from hexdeck.tables.entries import PLAYING, WAITING
from hexdeck.tables.errors import NoTable, TableError
from hexdeck.tables.live import is_turn, turn_known
from hexdeck.web.html import assets, pages
from hexdeck.web.html.models import Site
from hexdeck.web.requests import (
    Fields,
    assert_may_watch,
    find_holder,
    first_value,
    language_of,
    now,
    read_form,
    require_holder,
    server_of,
    site_address,
    site_of,
    table_id,
)
from hexdeck.web.routes.answers import NO_STORE, html_response

FILES = ("style.css", "mark.svg", "offline.js")  # what the page without a connection needs
ICONS = (("icon-192.png", 192, "any"), ("icon-512.png", 512, "any"), ("icon-mask.png", 512, "maskable"))
NIGHT = "#0f1428"
NEVER_STALE = {"cache-control": "no-cache"}


def requested_language(request: Request) -> str:
    """The language of the query, else the reader's."""
    lang = request.query_params.get("lang", "")
    return lang if lang in LANGUAGES else language_of(request)


async def manifest(request: Request) -> Response:
    """The web app manifest."""
    data = manifest_of(server_of(request).settings.prefix, requested_language(request))
    return JSONResponse(data, headers=NEVER_STALE, media_type="application/manifest+json")


def manifest_of(prefix: str, lang: str) -> dict[str, Any]:
    """The manifest of a site that begins at a prefix, in a language."""
    catalogue = Catalogue(lang, (SHARED,))
    icons = [
        {"src": f"{prefix}/{assets.address(name)}", "sizes": f"{size}x{size}", "type": "image/png", "purpose": purpose}
        for name, size, purpose in ICONS
    ]
    return {
        "id": f"{prefix}/",
        "start_url": f"{prefix}/",
        "scope": f"{prefix}/",
        "lang": lang,
        "dir": "ltr",
        "name": "Hexdeck",
        "short_name": "Hexdeck",
        "description": catalogue.words(say("Card games to play with people and bots.")),
        "display": "standalone",
        "background_color": NIGHT,
        "theme_color": NIGHT,
        "categories": ["games"],
        "icons": icons,
        "shortcuts": [{"name": catalogue.words(say("My tables")), "url": f"{prefix}/tables", "icons": icons[:1]}],
    }


async def worker(request: Request) -> Response:
    """The service worker, which shows the offline page when there is no connection."""
    return Response(
        worker_script(server_of(request).settings.prefix, requested_language(request)),
        media_type="text/javascript",
        headers=NEVER_STALE,
    )


@functools.cache
def worker_script(prefix: str, lang: str) -> str:
    """The service worker's script; it changes whenever the files that it keeps do."""
    code = (assets.FOLDER / "worker.js").read_text(encoding="utf-8")
    files = [f"{prefix}/{assets.address(name)}" for name in FILES]
    page = pages.offline(Site(lang, prefix=prefix))
    digest = hashlib.sha256("\n".join([code, page, *files]).encode()).hexdigest()[:12]
    own = f"hexdeck {prefix}/ "
    constants = {
        "mine": own,
        "kept": f"{own}{lang} {digest}",
        "page": f"{prefix}/offline?lang={lang}",
        "files": files,
        "call": Catalogue(lang, (SHARED,)).words(say("It's your turn.")),
        "picture": f"{prefix}/{assets.address(ICONS[0][0])}",
    }
    return f"const SITE = {json.dumps(constants)};\n{code}"


async def turn(request: Request) -> Response:
    """Whether it is the reader's turn, for a page that isn't in front; and whether the match is over.

    Whoever asks doesn't look: their first clock waits on.
    """
    holder = await find_holder(request, table_id(request))
    async with server_of(request).registry.reading(table_id(request)) as table:
        await assert_may_watch(request, table, holder)
        over = table.state not in (WAITING, PLAYING)
        return JSONResponse({"turn": is_turn(table, holder), "over": over}, headers=NO_STORE)


async def push(request: Request) -> Response:
    """The reader's browser wants to be told of their turns while no page is open, or no more (`on` is "no")."""
    fields, holder, server = await read_form(request), await require_holder(request), server_of(request)
    if not server.calls.public_key:
        raise NoTable(say("This server sends no messages."))
    from hexdeck.web.ops.push import endpoint_of

    address = first_value(fields, "endpoint")
    endpoint_of(address, server.settings.push)
    browser = rows.browser_of(address)
    if first_value(fields, "on") == "no":
        await server.registry.run_job(rows.unsubscribe, browser)
        return Response(status_code=204)
    row = {"browser": browser, "seat": holder, "endpoint": address, "site": own_site(request), "made": now(request)}
    async with server.registry.reading(table_id(request)) as table:
        row |= browser_keys(fields) | {"table": table.id, "told": turn_known(table, holder)}
    await server.registry.run_job(rows.subscribe, row)
    return Response(status_code=204)


def browser_keys(fields: Fields) -> dict[str, bytes]:
    """The key and the secret of a browser, with which messages for it are encrypted; raises TableError."""
    from hexdeck.web.ops import push

    try:
        public, secret = (push.unplain(first_value(fields, name)[:100]) for name in ("p256dh", "auth"))
    except ValueError:
        public = secret = b""
    if not push.is_point(public) or len(secret) != push.SECRET:
        raise TableError(say("Your browser sent no keys that messages can be encrypted with."))
    return {"public": public, "secret": secret}


def own_site(request: Request) -> str:
    """Where the site is, as push services are told; empty where it isn't reached by HTTPS."""
    address = site_address(request)
    return address if re.fullmatch(r"https://[A-Za-z0-9.:-]{1,200}(/[\w~.-]{1,40})*", address) else ""


async def offline(request: Request) -> Response:
    """The offline page."""
    return html_response(request, pages.offline(site_of(request, path="/", lang=requested_language(request))))
