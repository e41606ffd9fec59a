"""Which names a server answers to: those of its computer, the addresses of its networks, and names that are added.

Any other name may belong to a site that makes it lead here (DNS rebinding): what a browser here may see, it would see.
An address can't be made to lead elsewhere, so every private one is fine; of public ones only that of this computer.
"""

from __future__ import annotations

import re
import socket
from collections.abc import Iterable

from hexdeck.web.ops.addresses import plain_address

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


def shown(host: str) -> str:
    """A name that somebody sent, if it may be shown and logged as it is; else nothing."""
    return host if NAME.fullmatch(host) else ""
