"""What is kept beside matches: answers to puzzles and questions, deals of the day, what was tried again; what is gone.

Whatever a server says is kept is in the database then, once, and stays there; what was deleted is gone for good.
"""

import re
from collections import Counter, defaultdict
from dataclasses import dataclass, field
from datetime import date
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qs

from sqlalchemy import Connection, and_, select

from hexdeck.tables.daily import day_is_over
from hexdeck.tables.entries import OVER
from hexdeck.tables.keys import hashed
from hexdeck.tables.rows import PARTS_OF_TABLE
from hexdeck.tables.schema import answers, attempts, bundles, feedback, holders, subscriptions, tables

if TYPE_CHECKING:
    from tests.evenings.network import Line
    from tests.evenings.world import World

AT_TABLE = re.compile(r"/table/([A-Za-z0-9_-]{12})/(feedback|again|leave|delete)")
PUZZLE = re.compile(r"/puzzles/(\d{4}-\d\d-\d\d)/(\d)")
FORGETS = {"/puzzles/forget", "/tables/leave"}  # all that somebody answered to puzzles
DONE = {"feedback": 303, "again": 200, "leave": 303, "delete": 303}  # the status that says that it is
OF_SEAT = (attempts, feedback, holders, subscriptions)  # what goes with whoever leaves a seat


@dataclass
class Said:
    """What a seat said of a match: what was acknowledged last, and what was never answered."""

    kept: tuple[str, ...] | None = None
    open: list[tuple[str, ...]] = field(default_factory=list)


class Kept:
    """Looks after what is kept, when it is stored, when a server answers, and at the end."""

    def __init__(self, world: "World") -> None:
        self.world = world
        self.said: dict[tuple[str, int], Said] = defaultdict(Said)
        self.sent: dict[str, set[str]] = defaultdict(set)  # by puzzle: the moves that anybody answered
        self.solved: dict[tuple[str, str], str] = {}  # by token and puzzle: the answer that counts
        self.tried: dict[tuple[str, int], set[str]] = defaultdict(set)  # by table and seat: the numbers of moments
        self.under_way: Counter[str] = Counter()  # answers and wishes to forget them, by token
        self.forgetting: Counter[str] = Counter()  # the latter
        self.taken: set[str] = set()  # links for all seats
        self.deleted, self.left = set[str](), set[tuple[str, int]]()

    def _fails(self, what: str) -> None:
        self.world.fails(what)

    def key_of(self, day: str, number: str) -> str:
        """The key of a puzzle."""
        pool = self.world.servers[0].app.state.puzzles.pool
        found: str = pool.of_day(date.fromisoformat(day))[int(number) - 1].key
        return found

    # --- what is stored -----------------------------------------------------------------------------------------------
    def look(self, connection: Connection) -> None:
        """Something was stored: the first answer to a puzzle counts, and nobody has a deal twice."""
        found = {(row.token, row.puzzle): row.move for row in connection.execute(select(answers))}
        for key, move in self.solved.items():
            if found.get(key) != move and not self.forgetting[key[0]]:
                self._fails(f"the answer {move} to puzzle {key[1]} became {found.get(key)}")
        for (_token, puzzle), move in found.items():
            if move not in self.sent[puzzle]:
                self._fails(f"nobody answered {move} to puzzle {puzzle}")
        self.solved = found
        held = Counter((row.token, row.game, row.day) for row in connection.execute(self._deals()))
        for (_token, game, day), times in held.items():
            if times > 1:
                self._fails(f"somebody has {times} tables with the deal of {game} on {day}")

    def _deals(self) -> Any:
        shown = tables.c.id, tables.c.game, tables.c.day, tables.c.state, holders.c.token
        return select(*shown).join(holders, holders.c.table == tables.c.id).where(tables.c.day.is_not(None))

    # --- what is asked and answered -----------------------------------------------------------------------------------
    def asked(self, line: "Line", path: str, body: bytes) -> None:
        """Somebody sends something: it is remembered."""
        if not body and path not in FORGETS:
            return
        if puzzle := PUZZLE.fullmatch(path):
            self.sent[self.key_of(*puzzle.groups())].add(value_of(body, "move"))
        if puzzle or path in FORGETS:
            self.under_way[hashed(line.token)] += 1
            self.forgetting[hashed(line.token)] += path in FORGETS
        at = AT_TABLE.fullmatch(path)
        if at and at[2] == "feedback" and (seat := self._seat(line, at[1])) >= 0:
            self.said[at[1], seat].open.append(said_in(body))

    def answered(self, line: "Line", path: str, body: bytes, status: int) -> None:
        """A server answers: what it says was done is stored."""
        puzzle = PUZZLE.fullmatch(path) if body else None
        if puzzle or path in FORGETS:
            self._answered_puzzle(hashed(line.token), puzzle, path, status)
        at = AT_TABLE.fullmatch(path)
        if at and status == DONE[at[2]] and (body or at[2] in ("leave", "delete")):
            self.world.oracle.counts[at[2]] += 1
            getattr(self, f"_{at[2]}")(at[1], self._seat(line, at[1]), body)
        if path.startswith("/bring/") and status == 303:
            if path in self.taken:
                self._fails(f"{line.who} took all seats by a link that was used before")
            self.taken.add(path)

    def _answered_puzzle(self, token: str, puzzle: re.Match[str] | None, path: str, status: int) -> None:
        self.under_way[token] -= 1
        self.forgetting[token] -= path in FORGETS
        if status != 303:
            return
        self.world.oracle.counts["puzzles"] += 1
        mine = {key: move for (whose, key), move in self.solved.items() if whose == token}
        known = mine or self._count(holders, holders.c.token == token)  # else they have a new token now
        if puzzle and known and self.key_of(*puzzle.groups()) not in mine and not self.under_way[token]:
            self._fails(f"an answer to {path} was acknowledged and isn't stored")
        if puzzle is None and mine and not self.under_way[token]:
            self._fails(f"{path} was acknowledged, and {mine} is still there")
        if path == "/tables/leave":
            self._left_everywhere(token)

    def _left_everywhere(self, token: str) -> None:
        self.world.oracle.counts["leave"] += 1
        if self._count(holders, holders.c.token == token):
            self._fails("somebody who left everywhere still holds seats")
        if self._count(bundles, bundles.c.holder == token):
            self._fails("the link of somebody who left everywhere is still there")
        for id, shadow in self.world.oracle.shadows.items():
            if token in shadow.held and (shadow.gone or shadow.table.state == OVER):
                self._leave(id, shadow.held[token][0], b"")

    def _feedback(self, table: str, seat: int, body: bytes) -> None:
        said, given = self.said[table, seat], said_in(body)
        said.kept = given
        if given in said.open:
            said.open.remove(given)
        self._look_at_feedback(table, seat)

    def _look_at_feedback(self, table: str, seat: int) -> None:
        with self.world.engine.begin() as connection:
            wanted = select(feedback).where(feedback.c.table == table, feedback.c.seat == seat)
            found = [as_said(row) for row in connection.execute(wanted).mappings()]
        said = self.said[table, seat]
        if len(found) != 1 or found[0] not in (said.kept, *said.open):
            self._fails(f"seat {seat} at {table} said {said.kept}, and {found} is kept")

    def _again(self, table: str, seat: int, body: bytes) -> None:
        self.tried[table, seat].add(value_of(body, "number"))
        self._look_at_attempts(table, seat)

    def _look_at_attempts(self, table: str, seat: int) -> None:
        tried = self.tried[table, seat]
        if self._count(attempts, attempts.c.table == table, attempts.c.seat == seat) < len(tried):
            self._fails(f"seat {seat} at {table} tried moments {sorted(tried)} again, and fewer are kept")

    def _leave(self, table: str, seat: int, _body: bytes) -> None:
        if self.world.oracle.shadows[table].gone:
            self.deleted.add(table)
        self.left.add((table, seat))
        self._look_at_gone(table)

    def _delete(self, table: str, _seat: int, _body: bytes) -> None:
        self.deleted.add(table)
        self._look_at_gone(table)

    def _look_at_gone(self, table: str) -> None:
        """Nothing is left of a table that was deleted, and nothing of a seat that somebody left after a match."""
        for part in PARTS_OF_TABLE if table in self.deleted else ():
            if self._count(part, part.c.table == table):
                self._fails(f"{table} was deleted, and {part.name} still has something of it")
        for seat in sorted(seat for at, seat in self.left if at == table):
            for part in OF_SEAT:
                if self._count(part, part.c.table == table, part.c.seat == seat):
                    self._fails(f"who had seat {seat} left {table}, and {part.name} still has something of them")

    # --- what is seen -------------------------------------------------------------------------------------------------
    def saw_file(self, line: "Line", data: dict[str, Any], name: str) -> None:
        """Somebody got all that is kept of them: it is their own, and it is all of their puzzles."""
        token = hashed(line.token)
        for each in data["tables"]:
            shadow = self.world.oracle.shadows[each["id"]]
            if shadow.held.get(token, (-1, None))[0] != each["seat"]:
                self._fails(f"{name} got what seat {each['seat']} has at {each['id']}")
            for said in each["answers"]:
                if said["words"] and said["words"] != words_of(name):
                    self._fails(f"{name} got what somebody else said: {said['words']}")
        mine = {puzzle: move for (whose, puzzle), move in self.solved.items() if whose == token}
        if {each["puzzle"]: each["move"] for each in data["puzzles"]} != mine and not self.under_way[token]:
            self._fails(f"{name} got {data['puzzles']} as answers to puzzles, and gave {mine}")
        self.world.oracle.counts["files"] += 1

    def may_see(self, line: "Line", table: str) -> bool:
        """Whether somebody may see a deal of the day: their own, or one of which they have finished theirs, or an old
        one."""
        with self.world.engine.begin() as connection:
            rows = connection.execute(self._deals()).all()
        deal = next((row for row in rows if row.id == table), None)
        if deal is None or any(day_is_over(deal.day, server.machine.clock()) for server in self.world.servers):
            return True
        mine = [row for row in rows if row.token == hashed(line.token) and (row.game, row.day) == (deal.game, deal.day)]
        return any(row.id == table or row.state == OVER for row in mine)

    def others_deals(self, line: "Line") -> list[str]:
        """The tables of others with deals of a day."""
        with self.world.engine.begin() as connection:
            rows = connection.execute(self._deals()).all()
        mine = {row.id for row in rows if row.token == hashed(line.token)}
        return sorted({row.id for row in rows} - mine)

    def close(self) -> None:
        """At the end all of it is still there, or gone."""
        gone = {(table, seat) for table, seat in self.said if table in self.deleted} | self.left
        for table, seat in self.said:
            if (table, seat) not in gone and self.said[table, seat].kept:
                self._look_at_feedback(table, seat)
        for table, seat in self.tried:
            if (table, seat) not in self.left and table not in self.deleted:
                self._look_at_attempts(table, seat)
        for table in sorted(self.deleted | {table for table, _seat in self.left}):
            self._look_at_gone(table)

    # --- the rest -----------------------------------------------------------------------------------------------------
    def _seat(self, line: "Line", table: str) -> int:
        shadow = self.world.oracle.shadows.get(table)
        return shadow.held.get(hashed(line.token), (-1, None))[0] if shadow else -1

    def _count(self, part: Any, *wanted: Any) -> int:
        with self.world.engine.begin() as connection:
            return len(connection.execute(select(part).where(and_(*wanted))).all())


def value_of(body: bytes, name: str) -> str:
    """A field of a form."""
    return parse_qs(body.decode()).get(name, [""])[0]


def said_in(body: bytes) -> tuple[str, ...]:
    """What a form says of a match."""
    return tuple(value_of(body, name) for name in ("fun", "length", "fair", "confused", "words"))


def as_said(row: Any) -> tuple[str, ...]:
    """The same of a row."""
    return tuple("" if row[name] is None else str(row[name]) for name in ("fun", "length", "fair", "confused", "words"))


def words_of(name: str) -> str:
    """What somebody says of a match: nobody else says it."""
    return f"Well played, says {name}."
