"""Whose an address is, as far as limits are concerned: who has an IPv6 address usually has all of its /64 network."""

from __future__ import annotations

import functools
import ipaddress
from collections.abc import Sequence

OWN_BITS = 64  # of an IPv6 address, which its owner chooses freely
LONGEST = 64  # characters of an address
Network = ipaddress.IPv4Network | ipaddress.IPv6Network


@functools.lru_cache(maxsize=8192)
def network_of(address: str) -> str:
    """The /64 network of an IPv6 address; any other address as it is."""
    try:
        found = ipaddress.ip_address(address[:LONGEST])
    except ValueError:
        return address[:LONGEST]
    if isinstance(found, ipaddress.IPv4Address):
        return str(found)
    if found.ipv4_mapped is not None:
        return str(found.ipv4_mapped)
    return str(ipaddress.IPv6Network((int(found) >> OWN_BITS << OWN_BITS, 128 - OWN_BITS)))


def networks(given: str | Sequence[str]) -> tuple[Network, ...]:
    """The networks of a list of addresses and networks, or of a text that names them between commas."""
    names = given.split(",") if isinstance(given, str) else given
    return tuple(ipaddress.ip_network(name.strip(), strict=False) for name in names if name.strip())


def is_among(address: str, known: Sequence[Network]) -> bool:
    """Whether an address belongs to one of these networks."""
    try:
        found = ipaddress.ip_address(address)
    except ValueError:
        return False
    plain = getattr(found, "ipv4_mapped", None) or found
    return any(plain in network for network in known)
