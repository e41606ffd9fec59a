"""What a request is about: its server, its table, its seat."""

from __future__ import annotations

from starlette.requests import Request

from hexdeck.tables.keys import new_token
from hexdeck.web.live.server_state import ServerState
from hexdeck.web.ops.middleware import address_of


def server_of(request: Request) -> ServerState:
    """The server that received a request."""
    found: ServerState = request.app.state.server
    return found


def table_id(request: Request) -> str:
    """The id of the table in the request's path."""
    return str(request.path_params["table"])


def seat_number(request: Request) -> int:
    """The seat in the request's path."""
    return int(request.path_params["seat"])


def client_address(request: Request) -> str:
    """The network address that a request comes from; of IPv6 the network that is one visitor's."""
    return address_of(request.scope)


def now(request: Request) -> float:
    """The time by the server's clock, in seconds since 1970."""
    return server_of(request).registry.clock()


def fresh_token(request: Request) -> str:
    """A new token, for whoever asks."""
    return new_token(server_of(request).runtime.random)


def query_number(request: Request, name: str, most: int, default: int) -> int:
    """A number of the query, at most `most`; the default where there is none."""
    text = request.query_params.get(name, "")
    return min(int(text), most) if text.isascii() and text.isdecimal() and len(text) < 8 else default
