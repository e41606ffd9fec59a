"""Exchanges presence with the other processes that share the database: who views which table through which process.

A process sends its viewers when they change, and all of them again now and then, since messages may be lost.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from hexdeck.tables.service.registry import TableRegistry
from hexdeck.tables.storage.fanout import Viewers
from hexdeck.web.live.streams import Streams

SEND_DELAY = 0.1  # seconds in which changes are collected into one message
REPEAT_EVERY = 15.0  # seconds after which everything is sent again


class PresenceSync:
    """Sends this process's viewers to the others, and passes on what they send to the streams here."""

    def __init__(self, registry: TableRegistry, streams: Streams) -> None:
        self.registry, self.streams = registry, streams
        self._due: dict[str, bool] = {}  # tables whose viewers are to be sent, and whether to ask the others for theirs
        self._announced: dict[str, None] = {}  # tables where the others know of viewers here

    def open(self) -> None:
        """Start, if there can be other processes."""
        if self.registry.fanout.shared:
            self.registry.on_presence = self._receive
            self.registry.spawn(self._repeat())

    async def close(self) -> None:
        """Tell the others that nobody is here any more."""
        if self.registry.fanout.shared:
            await self._send([(table, [], 0) for table in self._announced], ask=False)

    def viewers_changed(self, table: str, *, ask: bool) -> None:
        """The viewers of a table changed here; `ask`: the others should send theirs of this table, too."""
        if self.registry.fanout.shared:
            if not self._due:
                asyncio.get_running_loop().call_later(SEND_DELAY, self._send_due)
            self._due[table] = self._due.get(table, False) or ask

    def _viewers_of(self, table: str) -> Viewers:
        readers = self.streams.by_table.get(table)
        return (table, readers.seats, readers.spectators) if readers else (table, [], 0)

    def _send_due(self) -> None:
        due, self._due = self._due, {}
        for ask in (True, False):
            if viewers := [self._viewers_of(table) for table, asks in due.items() if asks == ask]:
                self.registry.spawn(self._send(viewers, ask=ask))

    async def _send(self, viewers: Sequence[Viewers], *, ask: bool) -> None:
        for table, seats, count in viewers:
            self._announced.pop(table, None)
            if seats or count:
                self._announced[table] = None
        await self.registry.send_presence(viewers, ask)

    async def _repeat(self) -> None:
        while True:
            await asyncio.sleep(REPEAT_EVERY)
            self.streams.viewers_changed(self.streams.remote.expire())
            await self._send([self._viewers_of(table) for table in list(self.streams.by_table)], ask=False)

    def _receive(self, process: str, viewers: Sequence[Viewers], ask: bool) -> None:
        self.streams.viewers_changed(self.streams.remote.update(process, viewers))
        for table, _, _ in viewers:
            if ask and table in self.streams.by_table:
                self.viewers_changed(table, ask=False)
