"""Push services: which of them messages are sent to, and sending one there. Their addresses come from browsers."""

from __future__ import annotations

import asyncio
import ipaddress
import re
import ssl
from dataclasses import dataclass

from hexdeck.engine.text import say
from hexdeck.tables.errors import TableError

KNOWN = (
    "fcm.googleapis.com",  # Chrome, Edge on phones, Opera, Samsung
    "updates.push.services.mozilla.com",
    "*.push.apple.com",
    "*.notify.windows.com",
)
TCP = 6  # the number of its protocol
PATIENCE = 5.0  # seconds for a message, from finding the service to its answer
ADDRESS = re.compile(r"https://([a-z0-9.-]{1,200}(?::[0-9]{1,5})?)(/[!-~]{1,1000})")
STATUS = re.compile(rb"HTTP/1\.[01] ([1-5][0-9]{2})\b")


@dataclass(frozen=True)
class PushServices:
    """The push services that messages are sent to.

    `hosts`: their names, with a port if it isn't the usual one; `*.` stands for what may come before. For tests:
    `anywhere`: they may be on this computer or its network; `authority`: a file of certificates to trust.
    """

    hosts: tuple[str, ...] = KNOWN
    anywhere: bool = False
    authority: str = ""


@dataclass(frozen=True)
class Endpoint:
    """Where messages for one browser go."""

    place: str  # the host, with a port if it isn't the usual one
    path: str

    @property
    def service(self) -> str:
        """The service, as signatures name it."""
        return f"https://{self.place}"

    @property
    def host(self) -> str:
        """The host."""
        return self.place.partition(":")[0]

    @property
    def port(self) -> int:
        """The port."""
        return int(self.place.partition(":")[2] or 443)


def endpoint_of(address: str, services: PushServices) -> Endpoint:
    """The endpoint of an address; raises TableError where it is none of a known service."""
    found = ADDRESS.fullmatch(address)
    if found is None or not any(is_named(found[1], each) for each in services.hosts):
        raise TableError(say("Your browser's push service isn't one that this server knows."))
    return Endpoint(found[1], found[2])


def is_named(place: str, name: str) -> bool:
    """Whether a host has a name, which may begin with `*.`."""
    return place.endswith(name[1:]) if name.startswith("*.") else place == name


async def addresses_of(endpoint: Endpoint, services: PushServices) -> list[str]:
    """The network addresses of an endpoint; raises OSError where one of them isn't public."""
    found = await asyncio.get_running_loop().getaddrinfo(endpoint.host, endpoint.port, proto=TCP)
    addresses = [str(where[0]) for *_, where in found]
    if not services.anywhere and not all(map(is_public, addresses)):
        raise OSError("not a public address")
    return addresses


def is_public(address: str) -> bool:
    """Whether a network address is one that anybody on the internet can reach."""
    found = ipaddress.ip_address(address)
    plain = getattr(found, "ipv4_mapped", None) or found
    return bool(plain.is_global and not plain.is_multicast)


class Post:
    """Sends messages to push services, each for a few seconds at most, and follows nobody elsewhere."""

    def __init__(self, services: PushServices) -> None:
        self.services = services
        self._trust: ssl.SSLContext | None = None

    async def send(self, endpoint: Endpoint, headers: dict[str, str], body: bytes) -> int:
        """Send a message; returns the status of the answer, 0 without one."""
        try:
            async with asyncio.timeout(PATIENCE):
                return await self._ask(endpoint, headers, body)
        except (OSError, ValueError):  # it refuses, hangs, is somewhere else, or has no valid certificate
            return 0

    async def _ask(self, endpoint: Endpoint, headers: dict[str, str], body: bytes) -> int:
        self._trust = self._trust or ssl.create_default_context(cafile=self.services.authority or None)
        reader, writer = await self._open(endpoint)
        try:
            all_headers = {"Host": endpoint.place, **headers, "Content-Length": len(body), "Connection": "close"}
            head = "".join(f"{name}: {value}\r\n" for name, value in all_headers.items())
            writer.write(f"POST {endpoint.path} HTTP/1.1\r\n{head}\r\n".encode() + body)
            await writer.drain()
            found = STATUS.match(await reader.readline())
            return int(found[1]) if found else 0
        finally:
            writer.transport.abort()

    async def _open(self, endpoint: Endpoint) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        """A connection to the first of its addresses that answers."""
        refused = OSError("no address")
        for address in await addresses_of(endpoint, self.services):
            try:
                return await asyncio.open_connection(
                    address, endpoint.port, ssl=self._trust, server_hostname=endpoint.host
                )
            except OSError as error:
                refused = error
        raise refused
