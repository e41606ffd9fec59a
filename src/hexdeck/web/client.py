"""A client of the API: what a program needs to play at another server's table. Standard library only."""

from __future__ import annotations

import contextlib
import http.client
import json
import re
from base64 import b64decode
from collections.abc import Generator, Iterator
from typing import Any
from urllib.parse import quote, urlsplit

from hexdeck.engine.errors import BadOption, HexdeckError
from hexdeck.engine.text import _, say

HOST = re.compile(r"[^\s/?#@\\]+")
TOKEN = re.compile(r"[A-Za-z0-9_.-]+")
AGAIN = (429, 503)  # statuses of a server that is only busy now
TIMEOUT = 60.0  # seconds without a sign of life; servers send one every 20
Data = dict[str, Any]


class Refused(HexdeckError):
    """The server refused; its sentence says why.

    Attributes: `status`, the HTTP status.
    """

    def __init__(self, status: int, sentence: str) -> None:
        super().__init__(say("The server says: {sentence}", sentence=sentence))
        self.status = status

    @property
    def busy(self) -> bool:
        """Whether the same request may be sent again a little later."""
        return self.status in AGAIN


class Unreachable(HexdeckError):
    """The server can't be reached, or doesn't answer as Hexdeck would."""


class Client:
    """A connection to a server, with the token of a seat once there is one."""

    def __init__(self, address: str) -> None:
        if not is_address(address):
            raise BadOption(
                say("{address} is not the address of a table; copy the invitation's link.", address=address[:80])
            )
        parts = urlsplit(address)
        self.secure, self.host, self.prefix = parts.scheme == "https", parts.netloc, parts.path.rstrip("/")
        self.token = ""

    @contextlib.contextmanager
    def _request(self, method: str, path: str, data: Data | None = None) -> Iterator[http.client.HTTPResponse]:
        headers = {"content-type": "application/json"}
        if self.token:
            headers["authorization"] = f"Bearer {self.token}"
        kind = http.client.HTTPSConnection if self.secure else http.client.HTTPConnection
        with contextlib.closing(kind(self.host, timeout=TIMEOUT)) as connection:
            try:
                connection.request(
                    method, f"{self.prefix}/api{path}", None if data is None else json.dumps(data), headers
                )
                response = connection.getresponse()
                if response.status >= 400:
                    raise Refused(response.status, _sentence(response))
                yield response
                response.close()
            except (OSError, http.client.HTTPException, ValueError) as error:
                reason = getattr(error, "strerror", None) or str(error) or type(error).__name__
                text = _("The server {host} can't be reached: {reason}.")
                raise Unreachable(say(text, host=self.host, reason=reason)) from None

    def call(self, method: str, path: str, data: Data | None = None) -> Data:
        """Send a request and read the answer; raises Refused or Unreachable."""
        with self._request(method, path, data) as response:
            answer: Data = json.loads(response.read())
        return answer

    def join(self, invitation: str, name: str, bot: str) -> Data:
        """Take a seat; its token is used from then on."""
        table = invitation.partition(".")[0]
        answer = self.call("POST", f"/tables/{quote(table)}/join", {"invitation": invitation, "name": name, "bot": bot})
        self.token = answer["token"]
        return answer

    def watch(self, table: str) -> Generator[Data, None, None]:
        """The table as the seat sees it, now and at every change, until the server ends; raises as `call`."""
        with self._request("GET", f"/tables/{quote(table)}/stream") as response:
            for line in response:
                if line.strip():
                    yield json.loads(line)

    def move(self, table: str, action: int, version: int) -> Data:
        """Make a move."""
        return self.call("POST", f"/tables/{quote(table)}/move", {"move": action, "version": version})

    def back(self, table: str, seat: int, bot: str) -> Data:
        """Take the seat back from a bot of the server."""
        return self.call("POST", f"/tables/{quote(table)}/seats/{seat}/back", {"bot": bot})


def is_address(text: str) -> bool:
    """Whether a text is an HTTP address."""
    try:
        parts = urlsplit(text)
        return parts.scheme in ("http", "https") and bool(HOST.fullmatch(parts.hostname or "")) and parts.port != 0
    except ValueError:  # a port that is no number, a bracket that isn't closed
        return False


def _sentence(response: http.client.HTTPResponse) -> str:
    try:
        return str(json.loads(response.read(10_000))["error"])
    except (OSError, http.client.HTTPException, ValueError, KeyError, TypeError):
        return f"HTTP {response.status}"


def parse_invitation_link(link: str) -> tuple[str, str]:
    """The address of the site and the invitation, from an invitation's link; raises BadOption."""
    start, _joins, query = link.strip().partition("/join/")
    token = query.rstrip("/").partition("?")[0]
    if not TOKEN.fullmatch(token):
        text = _("{link} is not an invitation; those look like http://HOST/join/TOKEN.")
        raise BadOption(say(text, link=link[:80]))
    return start, token


def known_struct(state: Data) -> bytes:
    """The struct as the seat knows it; raises HexdeckError where the server sends none."""
    try:
        return b64decode(state["struct"])
    except (KeyError, TypeError, ValueError):
        raise HexdeckError(say("The server doesn't say what the seat knows; no bot can play there.")) from None
