"""Links that bring others to a table, and their QR codes."""

from __future__ import annotations

import functools
import io
import ipaddress
from urllib.parse import urlsplit

import segno

from hexdeck.tables.model.live import LiveTable
from hexdeck.tables.service import new_tables
from hexdeck.web.html.page_models import Invite, JoinCode


@functools.lru_cache(256)
def is_loopback(address: str) -> bool:
    """Whether an address means the device on which it is opened."""
    try:
        host = urlsplit(address).hostname or ""
        return host == "localhost" or ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


@functools.lru_cache(256)
def qr_code(address: str) -> str:
    """A QR code as an SVG element."""
    out = io.BytesIO()
    segno.make(address, micro=False).save(
        out, kind="svg", xmldecl=False, svgns=True, omitsize=True, border=2, dark="#000", light="#fff", nl=False
    )
    return out.getvalue().decode()


def invite_link(address: str, seat: int | None, code: str = "") -> Invite:
    """A link with its QR code."""
    return Invite(seat, address, qr_code(address), code)


def invites(table: LiveTable, base: str) -> tuple[Invite, ...]:
    """The links to the free seats of a table; `base`: where the site begins for whoever follows them."""
    return tuple(
        invite_link(f"{base}/join/{token}", seat, f"{table.code}{seat + 1}" if table.code else "")
        for seat, token in new_tables.invitations(table).items()
    )


def join_code(table: LiveTable, base: str) -> JoinCode | None:
    """The code that leads to a free seat of a table; None where no seat is free, or no code is drawn."""
    if not table.code or not new_tables.seats_free(table):
        return None
    address = f"{base}/j/{table.code}"
    return JoinCode(table.code, address, qr_code(address), f"{base}/j".partition("://")[2])
