"""New tables, as far as the address that asks may begin one."""

from __future__ import annotations

from starlette.requests import Request

from hexdeck.tables.keys import fresh_secret, hashed
from hexdeck.tables.model.live import LiveTable
from hexdeck.tables.service import new_tables
from hexdeck.web.requests.target import client_address, server_of


async def begin_table(request: Request, setup: new_tables.TableSetup, token: str) -> LiveTable:
    """Create a table, where the token holds the creator's seat; raises TooMany."""
    server, address = server_of(request), client_address(request)
    async with server.limits.beginning(address) as begun:
        table = await new_tables.create(
            server.registry, setup, fresh_secret(server.runtime.random), hashed(token), address
        )
        begun(table.id)
    return table


async def begin_rematch(request: Request, old: LiveTable, by: int, contribution: str | None, speaker: int) -> str:
    """The id of a table's rematch, created if there is none yet (see `new_tables.rematch`); raises TooMany."""
    server = server_of(request)
    if old.rematch:
        return old.rematch
    async with server.limits.beginning(client_address(request)) as begun:
        new = await new_tables.rematch(server.registry, old.id, by, contribution, speaker)
        begun(new)
    return new
