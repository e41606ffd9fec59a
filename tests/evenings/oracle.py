"""What must be true after each step, known apart from the servers: from the rows that are stored and what was asked."""

import json
import re
from bisect import bisect_left, bisect_right
from collections import Counter, defaultdict
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qs

import numpy as np
from sqlalchemy import select

from hexdeck.engine.errors import HexdeckError
from hexdeck.engine.play.game import raw
from hexdeck.engine.play.match import Match
from hexdeck.engine.play.record import read
from hexdeck.engine.view import View
from hexdeck.tables import rows
from hexdeck.tables.database import attempts, feedback, holders, subscriptions, tables
from hexdeck.tables.entries import CHOICE, ENDED, MOVE, OVER
from hexdeck.tables.fair import verify
from hexdeck.tables.keys import hashed
from hexdeck.tables.live import LiveTable, asked_aside
from hexdeck.tables.registry import entry_row, extend, table_from_rows
from hexdeck.web.server.push import topic

if TYPE_CHECKING:
    from tests.evenings.network import Line
    from tests.evenings.people import Guest
    from tests.evenings.world import World

BOUND = 30.0  # seconds within which whoever looks sees what is stored
LEFT = re.compile(r"/table/([A-Za-z0-9_-]{12})/(?:leave|delete)")
OF_SEAT = (attempts, feedback, holders, subscriptions)  # what goes with whoever leaves a seat
MOVED = re.compile(r"/(?:api/tables|table)/([A-Za-z0-9_-]{12})/move")
MAIN = re.compile(r'<main[^>]* data-version="(\d+)"[^>]*>')
SHOWN = re.compile(r'id="zone-([\w-]+)\.\d+"[^>]*? data-code="([^"]+)"')


@dataclass
class Submission:
    """A move that somebody sent, once or more often: for a seat, from the version that they saw."""

    seat: int
    seen: int
    names: set[str]  # "" for cards that are played together
    stored: int = -1
    acknowledged: int = 0


@dataclass
class Shadow:
    """A table as it is stored: its newest state, and the structs of its versions."""

    table: LiveTable
    at: list[float] = field(default_factory=list)
    versions: list[int] = field(default_factory=list)
    structs: dict[int, bytes | None] = field(default_factory=dict)
    sent: dict[tuple[int, int], Submission] = field(default_factory=dict)
    held: dict[str, tuple[int, int | None]] = field(default_factory=dict)  # token: seat, the version that took it away
    views: dict[tuple[int, int], View] = field(default_factory=dict)
    gone: bool = False

    def keep(self, now: float) -> None:
        self.at.append(now)
        self.versions.append(self.table.version)
        match = self.table.match
        self.structs[self.table.version] = None if match is None else raw(match.rows)[0].tobytes()

    def match_at(self, version: int) -> Match | None:
        """The match as it was at a version, or at the next that was stored whole."""
        place = min(bisect_left(self.versions, version), len(self.versions) - 1)
        struct, newest = self.structs[self.versions[place]], self.table.match
        if struct is None or newest is None:
            return None
        match = self.table.game.match(by_hand=True, backend=newest.driver.backend)
        raw(match.rows)[0] = np.frombuffer(struct, np.uint8)
        match.refresh()
        return match

    def view(self, version: int, seat: int) -> View | None:
        """What a seat saw at a version, without the log."""
        if (version, seat) not in self.views:
            match = self.match_at(version)
            if match is None:
                return None
            self.views[version, seat] = match.view(seat)
        return self.views[version, seat]

    def known_at(self, version: int, seat: int) -> int:
        """A version as a seat counts it: without the last entries that it didn't notice."""
        for entry in reversed([entry for entry in self.table.entries if entry.version <= version]):
            if not entry.unnoticed_by(seat):
                return entry.version
        return -1

    def version_before(self, time: float) -> int:
        """The newest version at a time, -1 before the first."""
        place = bisect_right(self.at, time)
        return self.versions[place - 1] if place else -1


class Oracle:
    """Looks after each commit, answer and page."""

    def __init__(self, world: "World") -> None:
        self.world = world
        self.shadows: dict[str, Shadow] = {}
        self.counts: Counter[str] = Counter()
        self.calls: set[tuple[str, str, int, int]] = set()
        self.changes = -1

    # --- what is stored -----------------------------------------------------------------------------------------------
    def look(self, process: str) -> None:
        """Something was stored: versions follow one another, and every move is one that somebody made."""
        if self.world.raw.total_changes == self.changes:
            return
        self.changes = self.world.raw.total_changes
        with self.world.engine.begin() as connection:
            goes_on = select(tables.c.id, tables.c.version).where(tables.c.state != ENDED)
            there = {row.id: row.version for row in connection.execute(goes_on)}
            for id, version in there.items():
                shadow = self.shadows.get(id)
                if shadow is None or shadow.table.version != version:
                    since = -1 if shadow is None else shadow.table.version
                    self._changed(process, id, shadow, rows.read_table(connection, id, since))
            for id, shadow in self.shadows.items():
                if id not in there and not shadow.gone:
                    shadow.gone = True
                    self.world.note(process, f"{id} is deleted, or has ended")
            self._look_at_holders(connection)

    def _changed(self, process: str, id: str, shadow: Shadow | None, stored: Any) -> None:
        before, known = (shadow.table.seats, len(shadow.table.entries)) if shadow else ((), 0)
        versions = [row["version"] for row in stored.events]
        if versions != list(range(known, known + len(versions))) or stored.row["version"] != known + len(versions) - 1:
            self.world.fails(
                f"after version {known - 1} of {id} come {versions}, and its own is {stored.row['version']}"
            )
        if shadow is None:
            shadow = self.shadows[id] = Shadow(table_from_rows(stored))
        else:
            extend(shadow.table, stored)
        shadow.keep(self.world.loop.time())
        for entry, row in zip(shadow.table.entries[known:], stored.events, strict=True):
            self.world.note(process, f"stored {id} {entry.version} {entry.kind} {entry.seat} {row['event'][:60]}")
            self.counts[entry.kind] += 1
            self.world.stored += 1
            if entry.kind in (MOVE, CHOICE) and before and not before[entry.seat].local:
                self._explain(id, shadow, entry.seat, entry.version, json.loads(row["event"])[0])

    def _explain(self, id: str, shadow: Shadow, seat: int, version: int, event: str) -> None:
        """A move of a person was stored: somebody sent it, and it was new; or the rules asked for an aside.

        For an aside the table answers, unless somebody has sent the answer as a move.
        """
        before = shadow.match_at(version - 1)
        name = event.partition(": ")[2]
        sent = [each for each in shadow.sent.values() if each.seat == seat and each.seen < version]
        fitting = [each for each in sent if name in each.names or "" in each.names]
        fresh = [each for each in fitting if each.stored < 0]
        if fresh:
            max(fresh, key=lambda each: each.seen).stored = version
        elif before is not None and asked_aside(before, seat):
            return
        elif fitting:
            self.world.fails(f"the move {event} at {id} was made twice: as {fitting[-1].stored} and as {version}")
        else:
            self.world.fails(f"nobody made the move {event} at {id}")

    def _look_at_holders(self, connection: Any) -> None:
        found = defaultdict[str, dict[str, int]](dict)
        for row in connection.execute(select(holders)):
            found[row.table][row.token] = row.seat
        for id, shadow in self.shadows.items():
            if shadow.gone:  # an answer that was under way still tells a seat what it knew
                continue
            for token, seat in found[id].items():
                shadow.held[token] = seat, None
            for token, (seat, until) in shadow.held.items():
                if until is None and token not in found[id]:
                    shadow.held[token] = seat, shadow.table.version

    # --- what is asked and answered -----------------------------------------------------------------------------------
    def asked(self, line: "Line", path: str, body: bytes) -> None:
        """Somebody sends something: a move is remembered."""
        found = self._submission(line, path, body)
        if found:
            shadow, seat, seen, name = found
            shadow.sent.setdefault((seat, seen), Submission(seat, seen, set())).names.add(name)

    def answered(self, line: "Line", path: str, body: bytes, status: int) -> None:
        """A server answers: what it says was done is stored, once."""
        if status == 303 and (path == "/tables/leave" or LEFT.fullmatch(path)):
            self._is_gone(line, path)
        found = self._submission(line, path, body) if status in (200, 204, 303) else None
        if found:
            shadow, seat, seen, name = found
            sent = shadow.sent[seat, seen]
            sent.acknowledged += 1
            self.counts["acknowledged"] += 1
            if sent.stored < 0:
                self.world.fails(f"{line.who}'s move {name} from version {seen} was acknowledged and isn't stored")
            elif sent.acknowledged > 1:
                self.world.fails(f"{line.who}'s move {name} from version {seen} was acknowledged twice")

    def _submission(self, line: "Line", path: str, body: bytes) -> tuple[Shadow, int, int, str] | None:
        at = MOVED.fullmatch(path)
        shadow = self.shadows.get(at[1]) if at else None
        if shadow is None:
            return None
        if path.startswith("/api/"):
            data = json.loads(body)
            name, seen = str(data["move"]), data["version"]
        else:
            fields = parse_qs(body.decode())
            name, seen = fields.get("move", [""])[0], int(fields["version"][0])
        held = shadow.held.get(hashed(line.token))
        return (shadow, held[0], seen, name) if held else None

    # --- what is seen -------------------------------------------------------------------------------------------------
    def saw_page(self, guest: "Guest", id: str, page: str) -> int:
        """Somebody is shown a table's page: all that their seat knows then, and nothing else. Returns the version."""
        main = MAIN.search(page)
        if main is None:
            return -1
        version, shadow = int(main[1]), self.shadows[id]
        seat = -1 if guest.watches_only else self.entitled(guest.line, shadow, version)
        self._is_new(guest, shadow, version, seat)
        view = shadow.view(version, seat)
        found = shown_cards(page)
        if view is not None:
            known = {zone.id: Counter(filter(None, zone.cards)) for zone in view.zones}
            for zone, cards in found.items():
                more = cards - known.get(zone, Counter())
                if more and shadow.table.state != OVER:
                    self.world.fails(f"{guest.name} in seat {seat} sees {dict(more)} in {zone} of {id} at {version}")
            self.counts["pages"] += 1
        return version

    def saw_state(self, guest: "Guest", state: dict[str, Any]) -> int:
        """A program is sent a table: exactly what its seat knows."""
        shadow, version = self.shadows[state["table"]], int(state["version"])
        seat = -1 if state["seat"] is None else int(state["seat"])
        if seat != self.entitled(guest.line, shadow, version):
            self.world.fails(f"{guest.name} is sent what seat {seat} knows of {state['table']} at {version}")
        self._is_new(guest, shadow, version, seat)
        view = shadow.view(version, seat)
        if view is not None and json.dumps(view.data()["zones"]) != json.dumps(state["view"]["zones"]):
            self.world.fails(f"{guest.name} in seat {seat} isn't sent what it knows of {state['table']} at {version}")
        self.counts["states"] += 1
        return version

    def entitled(self, line: "Line", shadow: Shadow, version: int) -> int:
        """The seat whose cards somebody may see at a version; -1: only the public's."""
        seat, until = shadow.held.get(hashed(line.token), (-1, None)) if line.token else (-1, None)
        return seat if until is None or version < until else -1

    def _is_new(self, guest: "Guest", shadow: Shadow, version: int, seat: int) -> None:
        least = shadow.known_at(shadow.version_before(self.world.loop.time() - BOUND), seat)
        if version < least:
            self.world.fails(
                f"{guest.name} is shown version {version} of {shadow.table.id}, {BOUND:.0f} s after {least}"
            )

    def called(self, path: str, about: str) -> None:
        """A browser that somebody left is called to a turn: once to each."""
        with self.world.engine.begin() as connection:
            for row in connection.execute(select(subscriptions)):
                call = path, row.table, row.seat, row.told
                if row.endpoint.endswith(path) and topic(row.table, row.seat) == about:
                    if call in self.calls:
                        self.world.fails(f"{path} is called twice to turn {row.told} of seat {row.seat} at {row.table}")
                    self.calls.add(call)
                    self.counts["calls"] += 1

    def is_current(self, id: str, seat: int, version: int) -> bool:
        """Whether a version is what a seat should have been shown by now."""
        shadow = self.shadows[id]
        return shadow.gone or version >= shadow.known_at(shadow.version_before(self.world.loop.time() - BOUND), seat)

    # --- at the end ---------------------------------------------------------------------------------------------------
    def _is_gone(self, line: "Line", path: str) -> None:
        """Nothing is left of a table that was deleted, and nothing of a seat that somebody left after a match."""
        token, at = hashed(line.token), LEFT.fullmatch(path)
        for id, shadow in self.shadows.items():
            seat, _until = shadow.held.get(token, (-1, None))
            if (at and at[1] != id) or seat < 0 or not (shadow.gone or shadow.table.state == OVER):
                continue
            self.counts["left"] += 1
            parts, of_seat = (rows.PARTS_OF_TABLE, ()) if shadow.gone else (OF_SEAT, (seat,))
            with self.world.engine.begin() as connection:
                for part in parts:
                    query = select(part).where(part.c.table == id, *(part.c.seat == number for number in of_seat))
                    if connection.execute(query).first() is not None:
                        self.world.fails(f"{line.who} left {id}, and {part.name} still has something of them")

    def record(self, id: str, text: str) -> None:
        """The record of a match that is over: it replays, and its cards are those that were promised."""
        shadow = self.shadows[id]
        record = read(text)
        try:
            verify(record, shadow.table.commitment)
        except HexdeckError as error:
            self.world.fails(f"the record of {id} doesn't verify: {error}")
        if [*record.events] != [event for row in self._events(id) for event in row]:
            self.world.fails(f"the record of {id} isn't what was stored")
        self.counts["records"] += 1

    def _events(self, id: str) -> list[list[str]]:
        table = self.shadows[id].table
        stored = [entry_row(table, entry) for entry in table.valid_entries]
        return [json.loads(row["event"]) for row in stored]

    def close(self) -> None:
        """All tables can be loaded, and every process that has them has them so."""
        with self.world.engine.begin() as connection:
            for id, shadow in self.shadows.items():
                stored = None if shadow.gone else rows.read_table(connection, id)
                if stored is None:
                    continue
                fresh = table_from_rows(stored)
                if [entry.pairs for entry in fresh.entries] != [entry.pairs for entry in shadow.table.entries]:
                    self.world.fails(f"what was stored of {id} has changed")
                for server in self.world.servers:
                    live = server.state.registry.tables.get(id)
                    if live is not None and live.version == fresh.version and differs(live, fresh):
                        self.world.fails(f"{server.name} has another {id} than is stored")


def differs(live: LiveTable, stored: LiveTable) -> bool:
    """Whether a process has another match than is stored; not while it stores a move, which its match has already."""
    at_rest = live.match is None or live.match.length == live.stored_plies
    return at_rest and struct(live) != struct(stored)


def struct(table: LiveTable) -> bytes:
    return b"" if table.match is None else raw(table.match.rows)[0].tobytes()


def shown_cards(page: str) -> dict[str, Counter[str]]:
    out = defaultdict[str, Counter[str]](Counter)
    for zone, code in SHOWN.findall(page):
        out[zone][code] += 1
    return out
