"""The uvicorn server: bounding its connections, finding a free port, tuning the process, ending quickly and cleanly."""

from __future__ import annotations

import asyncio
import contextlib
import functools
import gc
import socket
import sys
from typing import TYPE_CHECKING, Any

import uvicorn

from hexdeck.engine.errors import BadOption
from hexdeck.engine.text import say
from hexdeck.web.ops.addresses import in_both_forms, networks
from hexdeck.web.ops.connections import BoundedProtocol, Connections
from hexdeck.web.ops.settings import SPARE_FILES, Limits

try:
    import resource
except ImportError:  # this system has no such limits
    resource = None  # type: ignore[assignment]

if TYPE_CHECKING:
    from types import FrameType

    from starlette.applications import Starlette

TRIED = 40  # ports that are tried, from the wanted one on
GRACE = 2  # seconds for requests under way when the server is told to stop
BACKLOG = 2048
GC_THRESHOLDS = (5_000, 20, 1_000_000)  # young objects, then collections, before older ones are collected
GC_EVERY = 600.0  # seconds between full collections: each stops the server, for half a second at 1,000 tables
SWEEP_EVERY = 1.0  # seconds between looks for connections that take too long
SWITCH_INTERVAL = 0.0005  # seconds after which threads switch: moves are stored while pages are rendered


class Server(uvicorn.Server):
    """A uvicorn server with bounded connections, which ends open streams before it stops."""

    def __init__(self, app: Starlette) -> None:
        self.app, self.served, self.workshop = app, app.state.server, app.state.workshop
        settings = self.served.settings
        config = uvicorn.Config(
            app, ws="none", log_config=None, access_log=False, server_header=False, timeout_graceful_shutdown=GRACE,
            forwarded_allow_ips=in_both_forms(settings.proxies),
        )  # fmt: skip
        super().__init__(config)
        self.connections = Connections(settings.limits, self.served.metrics, networks(settings.proxies))
        protocol: Any = functools.partial(BoundedProtocol, self.connections)
        config.http = protocol

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Start, after tuning thread switches and garbage collection."""
        sys.setswitchinterval(SWITCH_INTERVAL)
        gc.set_threshold(*GC_THRESHOLDS)
        self._collect_garbage()
        await super().startup(sockets)
        self._sweep()

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """Stop at the first signal; others change nothing, so that tables are always closed before the process ends."""
        if not self.should_exit:
            super().handle_exit(sig, frame)

    def _sweep(self) -> None:
        loop = asyncio.get_running_loop()
        self.connections.sweep(loop.time())
        self.served.refusals.log(loop.time())
        loop.call_later(SWEEP_EVERY, self._sweep)

    def _collect_garbage(self) -> None:
        gc.collect()
        asyncio.get_running_loop().call_later(GC_EVERY, self._collect_garbage)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """End the streams, then stop; connections that last too long are cut, and what was refused is logged."""
        now = asyncio.get_running_loop().time()
        self.connections.refusals.log(now, open=len(self.connections))
        self.served.refusals.log(now)
        self.served.streams.end()
        self.workshop.close()
        await super().shutdown(sockets)
        for connection in list(self.server_state.connections):
            connection.transport.abort()
        await asyncio.sleep(0)  # an aborted connection is closed in the loop's next round


def fitting_limits(wanted: Limits) -> Limits:
    """The limits that this process can keep, after raising how many files it may have open."""
    if resource is None:
        return wanted
    files, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    needed = wanted.connections + SPARE_FILES
    if files != resource.RLIM_INFINITY and files < needed:
        raised = needed if most == resource.RLIM_INFINITY else min(needed, most)
        with contextlib.suppress(OSError, ValueError):  # some systems have a lower limit that they don't tell
            resource.setrlimit(resource.RLIMIT_NOFILE, (raised, most))
            files = raised
    return wanted.within(needed if files == resource.RLIM_INFINITY else files)


def listening_socket(host: str, port: int) -> socket.socket:
    """A socket on the wanted port or the next free one; raises BadOption."""
    last: OSError | None = None
    for wanted in range(port, min(port + (TRIED if port else 1), 65536)):
        try:
            return _opened(host, wanted)
        except OSError as error:
            last = error
    reason = (last.strerror if last else "") or "?"
    raise BadOption(
        say("No port from {port} on can be opened on {host}: {reason}.", port=str(port), host=host, reason=reason)
    )


def _opened(host: str, port: int) -> socket.socket:
    made = socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET, socket.SOCK_STREAM)
    try:
        if host == "::" and socket.has_dualstack_ipv6():
            made.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 0)
        made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        made.bind((host, port))
        made.listen(BACKLOG)
    except OSError:
        made.close()
        raise
    return made


def lan_address() -> str:
    """This computer's address on the local network, or ""; no packet is sent to find it."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))  # an address for documentation; this only looks up the route
        except OSError:
            return ""
        return str(probe.getsockname()[0])
