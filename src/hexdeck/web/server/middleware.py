"""What every request passes, and what the keeper of a server can watch: names, checks, metrics, logs, refusals."""

import contextlib
import functools
import ipaddress
import itertools
import json
import logging
import math
import re
import socket
import sys
import time
from collections import Counter
from collections.abc import AsyncIterator, Callable, Iterable, Iterator, Sequence
from datetime import UTC, datetime
from typing import Any
from urllib.parse import urlsplit

from prometheus_client import CollectorRegistry, Gauge, Histogram, generate_latest
from prometheus_client import Counter as Count
from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response

from hexdeck.engine.text import Text, _, say
from hexdeck.tables import rows
from hexdeck.tables.errors import TooMany
from hexdeck.tables.registry import TableRegistry
from hexdeck.tables.thinker import Recent
from hexdeck.web.server.settings import Limits, Settings

LOG = logging.getLogger("hexdeck.web")
TENTHS = 2, 4, 5, 6, 8, 10, 15, 25, 50, 100, 250, 500, 1_000, 2_500, 5_000, 10_000, 25_000, 50_000  # of a millisecond
FAST = tuple(tenths / 10_000 for tenths in TENTHS)


class Metrics:
    """The counters, gauges and histograms of one server."""

    def __init__(self, tables: Callable[[], float], streams: Callable[[], float]) -> None:
        self.registry = CollectorRegistry()
        Gauge("hexdeck_tables", "Tables in memory", registry=self.registry).set_function(tables)
        Gauge("hexdeck_streams", "Open streams", registry=self.registry).set_function(streams)
        self.moves = self._count("hexdeck_moves", "Moves stored", ["game", "by"])
        self.changes = self._count("hexdeck_changes", "Other changes stored", ["kind"])
        self.frames = self._count("hexdeck_frames", "Frames sent to streams", [])
        self.requests = self._histogram("hexdeck_request_seconds", "Answering a request", ["route", "status"])
        self.acknowledged = self._histogram("hexdeck_move_seconds", "From a move's request to its commit", [])
        self.commits = self._histogram("hexdeck_commit_seconds", "A transaction of the store", [])
        self.batches = self._count("hexdeck_stored_jobs", "Jobs of the store that were committed", [])
        self.rendered = self._histogram("hexdeck_render_seconds", "View, beats and page of one seat", [])
        self.connections = Gauge("hexdeck_connections", "Open connections", registry=self.registry)
        self.refused = self._count("hexdeck_refused_connections", "Connections refused or cut", ["why"])
        self.refused_requests = self._count("hexdeck_refused_requests", "Requests refused", ["why"])
        self.calls = self._count("hexdeck_calls", "People called to their turn", ["status"])
        self.thoughts = self._histogram("hexdeck_bot_seconds", "A bot's thought", ["game"])

    def _count(self, name: str, about: str, labels: list[str]) -> Count:
        return Count(name, about, labels, registry=self.registry)

    def _histogram(self, name: str, about: str, labels: list[str]) -> Histogram:
        return Histogram(name, about, labels, buckets=FAST, registry=self.registry)

    def committed(self, jobs: int, seconds: float) -> None:
        """A transaction of the store: how many jobs shared it, and how long it took."""
        self.commits.observe(seconds)
        self.batches.inc(jobs)

    def text(self) -> bytes:
        """The metrics in Prometheus' text format."""
        return generate_latest(self.registry)


# --- what was refused -------------------------------------------------------------------------------------------------
LOG_EVERY = 60.0  # seconds between two lines of the log about the same
MOST_NAMED = 1000  # networks that are counted between two such lines
CONNECTIONS, REQUESTS = "connections refused or cut", "requests refused"  # what is logged


class Refusals:
    """Counts refusals by reason, in a metric too; each reason is logged at once, then once a minute while it goes on.

    `subject`: what was refused. The reasons are few, and hold nothing that a caller sent.
    """

    def __init__(self, subject: str, metric: Any) -> None:
        self.what, self.metric = subject, metric
        self._since: dict[str, Counter[str]] = {}  # for each reason whose networks were refused since it was logged
        self._examples: dict[str, str] = {}
        self._logged_at: dict[str, float] = {}

    def note(self, why: str, network: str, example: str = "") -> None:
        """Something of a network was refused; `example`: what it sent, where that is safe to log."""
        self.metric.labels(why).inc()
        since = self._since.setdefault(why, Counter())
        since[network if network in since or len(since) < MOST_NAMED else "others"] += 1
        if example:
            self._examples[why] = example

    def log(self, now: float, **more: Any) -> None:
        """Log what wasn't logged yet, each line with `more`."""
        for why, since in list(self._since.items()):
            if now - self._logged_at.get(why, -math.inf) >= LOG_EVERY:
                (worst, of_it), *_ = since.most_common(1)
                example = {"example": self._examples.pop(why)} if why in self._examples else {}
                facts = {"why": why, "count": since.total(), "networks": len(since), "most": worst, "of_it": of_it}
                LOG.warning(self.what, extra=facts | example | more)
                self._logged_at[why] = now
                del self._since[why]


# --- logs, without secrets: handlers are named; addresses, which may hold tokens, are not -----------------------------
KNOWN = frozenset(logging.makeLogRecord({}).__dict__) | {"message", "asctime", "color_message", "taskName"}


def facts_of(record: logging.LogRecord) -> dict[str, Any]:
    """What a log record was given besides its message."""
    return {name: value for name, value in record.__dict__.items() if name not in KNOWN}


class PlainLines(logging.Formatter):
    """A log record for whoever sits at the terminal: hour and minute, the message, and the reason, else all facts."""

    def format(self, record: logging.LogRecord) -> str:
        """The line of a log record."""
        facts = facts_of(record)
        about = facts.get("why") or ", ".join(f"{name} {value}" for name, value in facts.items())
        line = f"{self.formatTime(record, '%H:%M')} {record.getMessage()}{': ' if about else ''}{about}"
        return f"{line}\n{self.formatException(record.exc_info)}" if record.exc_info else line


class JsonLines(logging.Formatter):
    """A JSON object for each log record: time, level, logger, message, and whatever else it was given."""

    def format(self, record: logging.LogRecord) -> str:
        """The line of a log record."""
        line = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "from": record.name,
            "what": record.getMessage(),
        }
        line |= facts_of(record)
        if record.exc_info:
            line["trace"] = self.formatException(record.exc_info)
        return json.dumps(line, ensure_ascii=False, default=str)


def to_stderr(level: str) -> None:
    """Log to the error stream, from a level on: in plain lines on a terminal, else as JSON."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(PlainLines() if sys.stderr.isatty() else JsonLines())
    for name in ("hexdeck", "uvicorn"):
        logger = logging.getLogger(name)
        logger.handlers, logger.propagate = [handler], False
        logger.setLevel(level.upper())
    logging.getLogger("uvicorn.access").disabled = True  # it would write addresses with tokens


# --- names and addresses ----------------------------------------------------------------------------------------------
OWN_BITS = 64  # of an IPv6 address, which its owner chooses freely
LONGEST_ADDRESS = 64  # characters of an address
Network = ipaddress.IPv4Network | ipaddress.IPv6Network


@functools.lru_cache(maxsize=8192)
def network_of(address: str) -> str:
    """The /64 network of an IPv6 address; any other address as it is."""
    parsed = plain_address(address)
    if parsed is None:
        return address[:LONGEST_ADDRESS]
    if isinstance(parsed, ipaddress.IPv4Address):
        return str(parsed)
    return str(ipaddress.IPv6Network((int(parsed) >> OWN_BITS << OWN_BITS, 128 - OWN_BITS)))


def plain_address(address: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    """An address, of IPv4 where it is one within IPv6; None for what is none."""
    try:
        parsed = ipaddress.ip_address(address[:LONGEST_ADDRESS])
    except ValueError:
        return None
    return getattr(parsed, "ipv4_mapped", None) or parsed


def networks(addresses: str | Sequence[str]) -> tuple[Network, ...]:
    """The networks of a list of addresses and networks, or of a text that names them between commas."""
    names = addresses.split(",") if isinstance(addresses, str) else addresses
    return tuple(ipaddress.ip_network(name.strip(), strict=False) for name in names if name.strip())


def in_both_forms(addresses: Sequence[str]) -> list[str]:
    """Addresses and networks, those of IPv4 also as they look to a socket of IPv6."""
    parsed = [ipaddress.ip_network(network) for network in addresses]
    old = [network for network in parsed if network.version == 4]
    return [*map(str, parsed), *(f"::ffff:{network.network_address}/{96 + network.prefixlen}" for network in old)]


def is_among(address: str, among: Sequence[Network]) -> bool:
    """Whether an address belongs to one of these networks."""
    plain = plain_address(address)
    return plain is not None and any(plain in network for network in among)


# --- host names -------------------------------------------------------------------------------------------------------
LOCAL = "localhost"
UNREGISTERED = ("local", "lan", "home", "home.arpa", "internal", "localdomain", "fritz.box")  # given out by routers
SHOWN_NAME = re.compile(r"[a-z0-9._:-]{1,80}")  # what may be shown of a name that somebody sent


def own_names() -> frozenset[str]:
    """The names that this computer has for itself, and on a network at home."""
    full = normal(socket.gethostname())
    short = full.partition(".")[0]
    return frozenset(filter(None, {LOCAL, full, short})) | {f"{short}.{end}" for end in UNREGISTERED if short}


def normal(name: str) -> str:
    """A name as names are compared."""
    return name.lower().rstrip(".")


class Hosts:
    """The names and addresses that a server answers to; `added`: besides its own."""

    def __init__(self, added: Iterable[str] = ()) -> None:
        self.names = own_names() | {normal(name) for name in added}

    def includes(self, host: str, reached_at: str = "") -> bool:
        """Whether the server has this name or address; `reached_at`: its end of the connection that was asked over."""
        host = normal(host)
        if host in self.names or host.endswith(f".{LOCAL}"):
            return True
        address = plain_address(host)
        if address is None:
            return False
        return not address.is_global or address == plain_address(reached_at)


def showable(host: str) -> str:
    """A name that a caller sent, if it may be shown and logged as it is; else nothing."""
    return host if SHOWN_NAME.fullmatch(host) else ""


@functools.lru_cache(256)
def is_loopback(address: str) -> bool:
    """Whether an address means the device on which it is opened."""
    try:
        host = urlsplit(address).hostname or ""
        return host == "localhost" or ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


# --- every request ----------------------------------------------------------------------------------------------------
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
UPLOADS = "/shared"  # to which files are sent
PROBED = {"/healthz", "/livez", "/metrics"}  # requested by IP address, not by host name
BEYOND = set("@/?#\\ \t")  # what no host has: links would begin elsewhere
WHY = {403: "a request from another site", 413: "a body was too long", 421: "an unknown host", 429: "too many requests"}
MOST = 20_000  # addresses whose rates are remembered


class RateLimiter:
    """How often each address may ask: a burst at once, then so many requests a second."""

    def __init__(self, rate: float, burst: int, clock: Callable[[], float] = time.monotonic) -> None:
        self.rate, self.burst, self.clock = rate, burst, clock
        self._left = Recent[str, tuple[float, float]](MOST)

    def allows(self, address: str) -> bool:
        """Whether an address may ask once more now."""
        now = self.clock()
        tokens, at = self._left.get(address, (float(self.burst), now))
        tokens = min(float(self.burst), tokens + (now - at) * self.rate)
        self._left[address] = (tokens - 1 if tokens >= 1 else tokens), now
        return tokens >= 1

    def give_back(self, address: str) -> None:
        """A request that was allowed doesn't count."""
        if address in self._left:
            tokens, at = self._left[address]
            self._left[address] = min(float(self.burst), tokens + 1), at


def most_bytes(limits: Limits, path: str) -> int:
    """How many bytes a body may have that is sent to a path."""
    return limits.upload if path == UPLOADS else limits.body


def host_of(headers: Headers) -> str:
    """The host of a request, without its port; "" where it names none, or several, or more than a host."""
    hosts = headers.getlist("host")
    if len(hosts) != 1 or set(hosts[0]) & BEYOND:
        return ""
    try:
        return (urlsplit(f"//{hosts[0]}").hostname or "").rstrip(".")
    except ValueError:
        return ""


def is_same_origin(headers: Headers) -> bool:
    """Whether a request that changes something comes from a page of this site, or from no page at all.

    Browsers say where a request comes from in Sec-Fetch-Site or Origin. A client that sends neither is a program, and
    has no cookie: with a cookie the request is refused.
    """
    site, origin = headers.get("sec-fetch-site"), headers.get("origin")
    if site is not None:
        return site in {"same-origin", "none"}
    if origin is not None:
        try:
            return bool(origin) and urlsplit(origin).netloc.lower() == headers.get("host", "").lower()
        except ValueError:
            return False
    return "cookie" not in headers


def without_prefix(scope: Any, prefix: str) -> Any:
    """A request with its path below the prefix: proxies may send it with the prefix or without."""
    path = scope["path"]
    if not prefix or not (path == prefix or path.startswith(f"{prefix}/")):
        return scope
    return {**scope, "path": path[len(prefix) :] or "/"}


class RequestGuard:
    """The outermost middleware. `refused` makes the answer to a request that is refused."""

    def __init__(
        self,
        app: Any,
        settings: Settings,
        metrics: Metrics,
        refusals: Refusals,
        refused: Callable[[Request, int, Text], Response],
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.app, self.limits, self.prefix = app, settings.limits, settings.prefix
        self.metrics, self.refusals, self.refused = metrics, refusals, refused
        self.hosts, self.believes_nobody = Hosts(settings.hosts), not settings.proxies
        self.posts, self.pages = (RateLimiter(*rate, clock) for rate in (self.limits.posts, self.limits.pages))

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Let a request pass, or refuse it."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        scope = without_prefix(scope, self.prefix)
        self._doubt(scope)
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
            fault = self.refusal(scope)
            if fault is not None:
                host = showable(host_of(Headers(scope=scope))) if fault[0] == 421 else ""
                self.refusals.note(WHY[fault[0]], address_of(scope), host)
                await self.refused(Request(scope, receive), *fault)(scope, receive, answer)
            else:
                await self.app(scope, receive, answer)
        except ClientDisconnect:
            pass  # whoever asked is gone, or was cut because they took too long
        except Exception as error:
            LOG.exception("a fault", exc_info=error)
            if not status:
                text = say("Something went wrong on the server; your match is safe.")
                await self.refused(Request(scope, receive), 500, text)(scope, receive, answer)
        finally:
            self._log(scope, status, time.perf_counter() - began)

    def refusal(self, scope: Any) -> tuple[int, Text] | None:
        """The status and the reason of a refusal; None where the request may pass."""
        headers, safe = Headers(scope=scope), scope["method"] in SAFE
        at = str(scope["server"][0]) if scope.get("server") else ""  # the address of this computer that was asked
        if scope["path"] not in PROBED and not self.hosts.includes(host_of(headers), at):
            text = _("This server isn't known as {host}; whoever keeps it can add that name with --allow-host.")
            host = showable(host_of(headers))
            return 421, say(text, host=host) if host else say("This server isn't known by that name.")
        if not (safe and scope["path"].startswith("/static/")):
            rates = self.pages if safe else self.posts
            if not rates.allows(address_of(scope)):
                return 429, say("Too many requests from your address; wait a moment.")
        if safe:
            return None
        if not is_same_origin(headers):
            return 403, say("This request came from another site, so nothing was done.")
        lengths, largest = headers.getlist("content-length"), most_bytes(self.limits, scope["path"])
        if not all(length.isdecimal() and int(length[:12]) <= largest for length in lengths):
            return 413, say("That is too much: at most {bytes} bytes are accepted.", bytes=largest)
        return None

    def _doubt(self, scope: Any) -> None:
        """Log once that an unnamed proxy says who asks: until it is named, all share the limits of one address."""
        if self.believes_nobody and "x-forwarded-for" in Headers(scope=scope):
            self.believes_nobody = False
            proxy = {"proxy": address_of(scope)}
            LOG.warning("forwarded addresses aren't believed: name the proxy with --proxy", extra=proxy)

    def _log(self, scope: Any, status: int, seconds: float) -> None:
        endpoint = scope.get("endpoint")
        route = getattr(endpoint, "__name__", type(endpoint).__name__) if endpoint else "none"
        self.metrics.requests.labels(route, str(status)).observe(seconds)
        facts = {"method": scope["method"], "route": route, "status": status, "ms": round(1000 * seconds, 2)}
        LOG.info("request", extra=facts)


def address_of(scope: Any) -> str:
    """The network address that a request comes from; of IPv6 the network that is one visitor's."""
    client = scope.get("client")
    return network_of(str(client[0])) if client else ""


# --- how much each address may begin, join and ask -------------------------------------------------------------------
COUNT_EVERY = 60.0  # seconds after which unfinished tables are counted anew
DAY = 24 * 3600.0


class ServerLimits:
    """Rate limits by address, and a limit of unfinished tables; each address has a part of it."""

    def __init__(self, limits: Limits, registry: TableRegistry) -> None:
        self.registry, self.most_tables, self.part = registry, limits.tables, limits.tables_part
        rates = limits.creates, limits.joins, limits.hints, limits.codes
        limiters = (RateLimiter(*rate, registry.runtime.monotonic) for rate in rates)
        self.creates, self.joins, self.hints, self.codes = limiters
        self._begun_by: dict[str, dict[str, float]] = {}  # the tables that each address has begun, and when
        self._unfinished, self._counted_at, self._begun = 0, -math.inf, itertools.count()

    @contextlib.asynccontextmanager
    async def beginning(self, address: str) -> AsyncIterator[Callable[[str], None]]:
        """While an address creates a table; it tells its id. Raises TooMany where it may create none now."""
        if not self.creates.allows(address):
            raise TooMany(say("Too many new tables from your address; wait a minute."))
        placeholder = f"new {next(self._begun)}"
        self._begun_by.setdefault(address, {})[placeholder] = self.registry.clock()  # others may ask meanwhile
        try:
            if not await self.has_room():
                raise TooMany(say("This server has no room for another table; try again later."))
            if not await self.has_share(address):
                self._unfinished -= 1
                raise TooMany(say("Too many tables from your address aren't finished; finish one, or try again later."))
            yield lambda table: self._begun_by[address].update({table: self.registry.clock()})
        finally:
            self._forget(address, [placeholder])

    def _forget(self, address: str, tables: Iterable[str]) -> None:
        """These tables aren't begun, or count no more for an address."""
        held = self._begun_by.get(address, {})
        for table in tables:
            held.pop(table, None)
        if not held:
            self._begun_by.pop(address, None)

    async def has_share(self, address: str) -> bool:
        """Whether what an address has begun is a fair part of the room; it may always begin one table.

        The fuller the server is, the less that is, so that there is room for whoever comes next.
        """
        old = [table for table, at in self._begun_by[address].items() if at < self.registry.clock() - DAY]
        self._forget(address, old)
        held = list(self._begun_by.get(address, {}))
        limit = max(1, (self.most_tables - self._unfinished + len(held)) // self.part)
        if len(held) <= limit:
            return True
        unfinished = set(await self.registry.run_job(rows.still_unfinished, held))
        self._forget(address, [table for table in held if table not in unfinished and not table.startswith("new ")])
        return len(self._begun_by.get(address, {})) <= limit

    async def has_room(self) -> bool:
        """Whether one more table may be created; unfinished ones are counted now and then, and before a refusal."""
        now = self.registry.clock()
        if self._unfinished >= self.most_tables or abs(now - self._counted_at) > COUNT_EVERY:
            self._unfinished, self._counted_at = await self.registry.run_job(rows.unfinished), now
        self._unfinished += 1
        return self._unfinished <= self.most_tables

    def allow_join(self, address: str) -> None:
        """Raise TooMany where this address has tried too many invitations."""
        if not self.joins.allows(address):
            raise too_many_requests()

    @contextlib.contextmanager
    def trying_code(self, address: str) -> Iterator[None]:
        """While an address tries the code of a table; raises TooMany. It counts unless the code is right."""
        if not self.codes.allows(address):
            raise TooMany(say("Too many wrong codes from your network; wait a minute."))
        yield
        self.codes.give_back(address)


def too_many_requests() -> TooMany:
    """The refusal of an address that asks too often."""
    return TooMany(say("Too many requests from your address; wait a moment."))
