"""What every request passes: origin and size of posts, rates, the headers of every answer, the log, the measures."""

from __future__ import annotations

import logging
import time
from collections import OrderedDict
from collections.abc import Callable, Iterable
from typing import Any
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import Request
from starlette.responses import Response

from hexdeck.engine.text import Text, say
from hexdeck.web.ops.metrics import Metrics
from hexdeck.web.ops.settings import Settings

LOG = logging.getLogger("hexdeck.web")
POLICY = (
    "default-src 'self'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; object-src 'none'; "
    "base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
)
HEADERS = {
    "content-security-policy": POLICY,
    "x-content-type-options": "nosniff",
    "referrer-policy": "same-origin",  # with no-referrer browsers send `Origin: null` with forms
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=()",
}
SAFE = {"GET", "HEAD", "OPTIONS"}
PROBED = {"/healthz", "/metrics"}  # asked for by address, not by name
MOST = 20_000  # addresses whose rates are remembered


class Rates:
    """How often each address asks: so many at once, so many a second after that."""

    def __init__(self, rate: float, burst: int, clock: Callable[[], float] = time.monotonic) -> None:
        self.rate, self.burst, self.clock = rate, burst, clock
        self._left: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def allows(self, address: str) -> bool:
        """Whether an address may ask once more now."""
        now = self.clock()
        left, at = self._left.pop(address, (float(self.burst), now))
        left = min(float(self.burst), left + (now - at) * self.rate)
        self._left[address] = (left - 1 if left >= 1 else left), now
        while len(self._left) > MOST:
            self._left.popitem(last=False)
        return left >= 1


def host_of(headers: Headers) -> str:
    """The host that a request means, without a port."""
    try:
        return urlsplit(f"//{headers.get('host', '')}").hostname or ""
    except ValueError:
        return ""


def from_here(headers: Headers) -> bool:
    """Whether a request that changes something was made by a page of ours, or by no page at all.

    Browsers say where a request comes from in Sec-Fetch-Site or in Origin. Who says neither is a program, and has no
    cookie unless it was given one: with a cookie the request is refused.
    """
    site, origin = headers.get("sec-fetch-site"), headers.get("origin")
    if site is not None:
        return site in {"same-origin", "none"}
    if origin is not None:
        return bool(origin) and netloc_of(origin) == headers.get("host", "").lower()
    return "cookie" not in headers


def netloc_of(address: str) -> str:
    """The host and port that an address names; nothing that could be a host's where it is none."""
    try:
        return urlsplit(address).netloc.lower()
    except ValueError:
        return "?"


def below(scope: Any, prefix: str) -> Any:
    """A request with its path as it is below the prefix: proxies may send it with the prefix or without."""
    path = scope["path"]
    if not prefix or not (path == prefix or path.startswith(f"{prefix}/")):
        return scope
    return {**scope, "path": path[len(prefix) :] or "/"}


class Gate:
    """The outermost layer. `refused` makes the answer to a request that may not pass."""

    def __init__(
        self, app: Any, settings: Settings, metrics: Metrics, refused: Callable[[Request, int, Text], Response]
    ) -> None:
        self.app, self.limits, self.metrics, self.refused = app, settings.limits, metrics, refused
        self.hosts, self.prefix = settings.hosts, settings.prefix
        self.posts, self.pages = Rates(*self.limits.posts), Rates(*self.limits.pages)

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Let a request pass, or not."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        scope = below(scope, self.prefix)
        began, status = time.perf_counter(), 0

        async def answer(message: Any) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                headers = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    headers.setdefault(name, value)
            await send(message)

        try:
            fault = self.fault(scope)
            if fault is not None:
                await self.refused(Request(scope, receive), *fault)(scope, receive, answer)
            else:
                await self.app(scope, receive, answer)
        except Exception as error:
            LOG.exception("a fault", exc_info=error)
            if not status:
                text = say("Something went wrong here; nothing of your match is lost.")
                await self.refused(Request(scope, receive), 500, text)(scope, receive, answer)
        finally:
            self._note(scope, status, time.perf_counter() - began)

    def fault(self, scope: Any) -> tuple[int, Text] | None:
        """The status and the reason why a request may not pass, or None."""
        headers, safe = Headers(scope=scope), scope["method"] in SAFE
        if self.hosts and scope["path"] not in PROBED and host_of(headers) not in self.hosts:
            return 421, say("This server isn't known by that name.")
        if not (safe and scope["path"].startswith("/static/")):
            rates = self.pages if safe else self.posts
            if not rates.allows(address_of(scope)):
                return 429, say("Too many requests from your address; wait a moment.")
        if safe:
            return None
        if not from_here(headers):
            return 403, say("This request came from another site, so nothing was done.")
        if not _short(headers.getlist("content-length"), self.limits.body):
            return 413, say("That is too much; at most {bytes} bytes are taken.", bytes=self.limits.body)
        return None

    def _note(self, scope: Any, status: int, seconds: float) -> None:
        endpoint = scope.get("endpoint")
        route = getattr(endpoint, "__name__", type(endpoint).__name__) if endpoint else "none"
        self.metrics.requests.labels(route, str(status)).observe(seconds)
        LOG.info("request", extra={"method": scope["method"], "route": route, "status": status,
                                   "ms": round(1000 * seconds, 2)})  # fmt: skip


def _short(lengths: Iterable[str], most: int) -> bool:
    return all(length.isdecimal() and int(length[:12]) <= most for length in lengths)


def address_of(scope: Any) -> str:
    """The address that a request comes from."""
    client = scope.get("client")
    return str(client[0]) if client else ""
