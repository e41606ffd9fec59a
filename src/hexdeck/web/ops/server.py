"""The server: a free port, what it says at the start, a quick and clean end."""

from __future__ import annotations

import asyncio
import gc
import socket
import sys
from typing import TYPE_CHECKING, Any

import uvicorn

from hexdeck.engine.errors import BadOption
from hexdeck.engine.text import say

if TYPE_CHECKING:
    from starlette.applications import Starlette

TRIED = 40  # ports, from the wanted one on
GRACE = 2  # seconds for requests under way when the server is told to stop
BACKLOG = 2048
YOUNG = (5_000, 20, 1_000_000)  # objects, then collections, until garbage is looked for in more: in all never
TIDY = 600.0  # seconds between collections of all garbage: each stops the server, by half a second at 1,000 tables
SWITCH = 0.0005  # seconds after which threads take turns: who stores a move needn't wait while pages are made


class Server(uvicorn.Server):
    """Uvicorn, which doesn't end open streams by itself."""

    def __init__(self, app: Starlette, **settings: Any) -> None:
        super().__init__(uvicorn.Config(
            app, log_config=None, access_log=False, server_header=False, timeout_graceful_shutdown=GRACE, **settings,
        ))  # fmt: skip
        self.app = app

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Begin."""
        sys.setswitchinterval(SWITCH)
        gc.set_threshold(*YOUNG)
        self._tidy()
        await super().startup(sockets)

    def _tidy(self) -> None:
        gc.collect()
        asyncio.get_running_loop().call_later(TIDY, self._tidy)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """End the streams, then stop; a connection that came too late to be told, or lasts too long, is cut."""
        self.app.state.place.streams.end()
        await super().shutdown(sockets)
        for connection in list(self.server_state.connections):
            connection.transport.abort()
        await asyncio.sleep(0)  # a cut connection is closed by the next turn of the loop


def listening(host: str, port: int) -> socket.socket:
    """A socket on the wanted port or the next free one; raises BadOption."""
    last: OSError | None = None
    for wanted in range(port, min(port + (TRIED if port else 1), 65536)):
        try:
            return _opened(host, wanted)
        except OSError as error:
            last = error
    reason = (last.strerror if last else "") or "?"
    raise BadOption(
        say("No port from {port} on can be opened on {host}: {reason}.", port=port, host=host, reason=reason)
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


def own_address() -> str:
    """This computer's address on the local network, or nothing: no packet is sent to find it."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))  # an address for documentation: only the route is asked for
        except OSError:
            return ""
        return str(probe.getsockname()[0])
