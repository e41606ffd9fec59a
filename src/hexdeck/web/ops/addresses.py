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
