"""The site as an app on a device: its manifest, its worker, and the page for when there is no connection."""

from __future__ import annotations

import functools
import hashlib
import json
from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from hexdeck.engine.discovery.catalogues import SHARED
from hexdeck.engine.text import LANGUAGES, Catalogue, say
from hexdeck.web.html import assets, pages
from hexdeck.web.html.page_models import Site
from hexdeck.web.live.server_state import language, place_of, site
from hexdeck.web.routes.answers import html

FILES = ("style.css", "mark.svg", "offline.js")  # what the page without a connection needs
ICONS = (("icon-192.png", 192, "any"), ("icon-512.png", 512, "any"), ("icon-mask.png", 512, "maskable"))
NIGHT = "#0f1428"
NEVER_STALE = {"cache-control": "no-cache"}


def asked(request: Request) -> str:
    """The language in the address, else the reader's."""
    given = request.query_params.get("lang", "")
    return given if given in LANGUAGES else language(request)


async def manifest(request: Request) -> Response:
    """What a device that keeps the app is told of it."""
    found = described(place_of(request).settings.prefix, asked(request))
    return JSONResponse(found, headers=NEVER_STALE, media_type="application/manifest+json")


def described(prefix: str, lang: str) -> dict[str, Any]:
    """The manifest of a site that begins there, in a language."""
    words = Catalogue(lang, (SHARED,))
    icons = [
        {"src": f"{prefix}/{assets.address(name)}", "sizes": f"{size}x{size}", "type": "image/png", "purpose": purpose}
        for name, size, purpose in ICONS
    ]
    return {
        "id": f"{prefix}/", "start_url": f"{prefix}/", "scope": f"{prefix}/", "lang": lang, "dir": "ltr",
        "name": "Hexdeck", "short_name": "Hexdeck",
        "description": words.words(say("Card games to play with people and bots.")),
        "display": "standalone", "background_color": NIGHT, "theme_color": NIGHT, "categories": ["games"],
        "icons": icons,
        "shortcuts": [{"name": words.words(say("My tables")), "url": f"{prefix}/tables", "icons": icons[:1]}],
    }  # fmt: skip


async def worker(request: Request) -> Response:
    """The script that shows that page when nothing answers."""
    return Response(script(place_of(request).settings.prefix, asked(request)), media_type="text/javascript",
                    headers=NEVER_STALE)  # fmt: skip


@functools.cache
def script(prefix: str, lang: str) -> str:
    """The worker of a site that begins there, in a language; another one as soon as what it keeps is another."""
    code = (assets.FOLDER / "worker.js").read_text(encoding="utf-8")
    files = [f"{prefix}/{assets.address(name)}" for name in FILES]
    shown = pages.offline(Site(lang, prefix=prefix))
    digest = hashlib.sha256("\n".join([code, shown, *files]).encode()).hexdigest()[:12]
    mine = f"hexdeck {prefix}/ "
    told = {"mine": mine, "kept": f"{mine}{lang} {digest}", "page": f"{prefix}/offline?lang={lang}", "files": files}
    return f"const SITE = {json.dumps(told)};\n{code}"


async def offline(request: Request) -> Response:
    """That page."""
    return html(request, pages.offline(site(request, path="/", lang=asked(request))))
