"""Network addresses and host names: whose an address is, and which names a server answers to.

An IPv6 address counts as its /64 network, all of which its owner usually has. Any host name but the server's own may
belong to a site that makes it lead here (DNS rebinding): what a browser here may see, that site would see.
An address can't be made to lead elsewhere, so every private one is fine; of public ones only that of this computer.
"""

from __future__ import annotations

import functools
import ipaddress
import re
import socket
from collections.abc import Iterable, Sequence
from urllib.parse import urlsplit

OWN_BITS = 64  # of an IPv6 address, which its owner chooses freely
LONGEST = 64  # characters of an address
Network = ipaddress.IPv4Network | ipaddress.IPv6Network


@functools.lru_cache(maxsize=8192)
def network_of(address: str) -> str:
    """The /64 network of an IPv6 address; any other address as it is."""
    found = plain_address(address)
    if found is None:
        return address[:LONGEST]
    if isinstance(found, ipaddress.IPv4Address):
        return str(found)
    return str(ipaddress.IPv6Network((int(found) >> OWN_BITS << OWN_BITS, 128 - OWN_BITS)))


def plain_address(address: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    """An address, of IPv4 where it is one within IPv6; None for what is none."""
    try:
        found = ipaddress.ip_address(address[:LONGEST])
    except ValueError:
        return None
    return getattr(found, "ipv4_mapped", None) or found


def networks(given: str | Sequence[str]) -> tuple[Network, ...]:
    """The networks of a list of addresses and networks, or of a text that names them between commas."""
    names = given.split(",") if isinstance(given, str) else given
    return tuple(ipaddress.ip_network(name.strip(), strict=False) for name in names if name.strip())


def in_both_forms(given: Sequence[str]) -> list[str]:
    """Addresses and networks, those of IPv4 also as they look to a socket of IPv6."""
    found = [ipaddress.ip_network(each) for each in given]
    mapped = [f"::ffff:{each.network_address}/{96 + each.prefixlen}" for each in found if each.version == 4]
    return [*map(str, found), *mapped]


def is_among(address: str, known: Sequence[Network]) -> bool:
    """Whether an address belongs to one of these networks."""
    plain = plain_address(address)
    return plain is not None and any(plain in network for network in known)


# --- host names -------------------------------------------------------------------------------------------------------
LOCAL = "localhost"
UNREGISTERED = ("local", "lan", "home", "home.arpa", "internal", "localdomain", "fritz.box")  # given out by routers
NAME = re.compile(r"[a-z0-9._:-]{1,80}")  # what may be shown of a name that somebody sent


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
    """A name that somebody sent, if it may be shown and logged as it is; else nothing."""
    return host if NAME.fullmatch(host) else ""


# --- links that bring others to a table, and their QR codes -----------------------------------------------------------
@functools.lru_cache(256)
def is_loopback(address: str) -> bool:
    """Whether an address means the device on which it is opened."""
    try:
        host = urlsplit(address).hostname or ""
        return host == "localhost" or ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False
