"""Two processes on one PostgreSQL, a seat on each, one match; one of them dies and the other goes on."""

import contextlib
import itertools
import os
import random
import re
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial

import httpx
import pytest
from sqlalchemy import Connection, insert, text

from hexdeck.tables import rows
from hexdeck.tables.advice import store_attempt
from hexdeck.tables.database import Database, tables
from hexdeck.tables.feedback import Feedback, store_feedback
from hexdeck.tables.holders import store_bundle
from tests.support import PATIENCE, until
from tests.web.serving import Person, Process, Program, hang_up, play_on

pytestmark = pytest.mark.long
Two = tuple[Process, Process]


@pytest.fixture
def processes(postgres: str) -> Iterator[Two]:
    both = Process(postgres, repeats=False), Process(postgres, repeats=False)
    yield both
    hang_up()
    for each in both:
        if each.process.is_alive():
            each.stop()


SEAT = {"table": "twelveletter", "seat": 0}
SUBSCRIBED = SEAT | {
    "browser": "b",
    "endpoint": "e",
    "public": b"p",
    "secret": b"s",
    "site": "",
    "made": 1.0,
    "told": 0,
}
TWICE: dict[str, Callable[[Connection], object]] = {
    "answers": partial(store_feedback, table=SEAT["table"], answers=Feedback(0, again=1)),
    "tried again": partial(store_attempt, **SEAT, ply=3, solved=True),
    "told of turns": partial(rows.subscribe, row=SUBSCRIBED),
    "link": partial(store_bundle, token="t", holder="h", until=9.0, now=1.0),
}


def waits(database: Database) -> bool:
    with database.engine.connect() as connection:
        return bool(connection.execute(text("SELECT count(*) FROM pg_locks WHERE NOT granted")).scalar())


@pytest.mark.parametrize("what", TWICE)
def test_what_is_sent_twice_at_once_is_stored_by_both_processes(postgres: str, what: str) -> None:
    database = Database(postgres)
    with database.engine.begin() as connection:
        game = {"id": "twelveletter", "game": "hawthorn", "players": 2, "state": "over", "made": 1.0, "changed": 1.0}
        needed = [column for column in tables.c if not column.nullable and column.name not in game]
        empty = {column.name: column.type.python_type() for column in needed}
        connection.execute(insert(tables), empty | game)
    first = database.engine.connect()
    began = first.begin()
    TWICE[what](first)

    def other() -> None:
        with database.engine.begin() as second:
            TWICE[what](second)

    with ThreadPoolExecutor(1) as pool:
        waiting = pool.submit(other)
        until(lambda: waits(database))
        began.commit()
        waiting.result(PATIENCE)
    first.close()
    database.close()


def test_what_one_process_promises_the_other_keeps_and_a_promise_is_used_once_between_them(processes: Two) -> None:
    one, other = processes
    asked, maker = Program(one.base), Program(other.base)
    promise = asked.http.get("/promise").json()
    setup = {"game": "hawthorn", "players": 2, "options": {"deals": 1}, "promise": promise["promise"]}
    assert maker.creates(**setup)["commitment"] == promise["commitment"]
    assert asked.http.post("/tables", json=setup).status_code == 409
    done, here = play_on([maker], random.Random(3)), Program(one.base, maker.token)
    here.table = maker.table
    until(lambda: here.state()["state"] == "over")
    answers: list[dict[str, object]] = []
    both = [
        threading.Thread(target=lambda who=who: answers.append(who.post("/rematch").json())) for who in (maker, here)
    ]
    for each in both:
        each.start()
    for each in both:
        each.join(PATIENCE)
    assert len({str(each["table"]) for each in answers}) == 1 and len(answers) == 2
    assert {each["commitment"] for each in answers} == {done["rematch_commitment"]}


def looks(base: str, table: str, token: str = "") -> Person:
    """A browser with a seat's cookie, or none, that opens a table through one of the processes."""
    person = Person(base)
    person.table = table
    if token:
        person.takes(token)
    return person


def is_away(page: str, seat: int) -> bool:
    found = re.search(rf'class="seat plate([^"]*)" id="plate-{seat}"', page)
    assert found
    return "away" in found[1]


@contextlib.contextmanager
def looking(person: Person) -> Iterator[Iterator[bytes]]:
    """An open page: what its stream sends."""
    with person.http.stream("GET", f"/table/{person.table}/stream") as answer:
        frames = answer.iter_raw()
        assert next(frames).startswith(b"event: table")
        yield frames


def test_who_is_there_through_another_process_is_not_away(processes: Two) -> None:
    one, other = processes
    ann, ben = Program(one.base), Program(other.base)
    begun = ann.creates(game="hawthorn", players=2, seats=["you", "open"])
    ben.joins(begun["invitations"]["1"])
    there = looks(other.base, ann.table, ben.token)
    assert is_away(there.page(), 0)
    with looking(looks(one.base, ann.table, ann.token)), looking(looks(one.base, ann.table)):
        until(lambda: not is_away(there.page(), 0))
        until(lambda: "1 person is watching." in there.page())
    until(lambda: is_away(there.page(), 0))
    until(lambda: "watching" not in there.page())
    with looking(looks(one.base, ann.table, ann.token)):
        until(lambda: not is_away(there.page(), 0))
        one.stop()
        until(lambda: is_away(there.page(), 0))  # the process that goes says so


def test_a_process_that_comes_later_asks_who_is_there(postgres: str) -> None:
    one = Process(postgres, repeats=False)
    ann, ben = Program(one.base), Program(one.base)
    begun = ann.creates(game="hawthorn", players=2, seats=["you", "open"])
    ben.joins(begun["invitations"]["1"])
    with looking(looks(one.base, ann.table, ann.token)):
        until(lambda: not is_away(looks(one.base, ann.table, ben.token).page(), 0))
        other = Process(postgres, repeats=False)
        try:
            there = looks(other.base, ann.table, ben.token)
            with looking(there):
                until(lambda: not is_away(there.page(), 0))  # nobody repeats it unasked
        finally:
            hang_up()
            other.stop()
            one.stop()


# --- kills ------------------------------------------------------------------------------------------------------------
KILLS = int(os.environ.get("HEXDECK_KILLS", "6"))


class Readers:
    """Those who hold one seat, and read now through one process, now through the other.

    `seen`: the newest version that any of them was told, by whatever answer.
    """

    def __init__(self, table: str, token: str) -> None:
        self.table, self.token, self.seen, self.count = table, token, 0, 0
        self.older: list[str] = []
        self.ended = threading.Event()

    def hears(self, version: int, least: int, by: str) -> None:
        """Take note of an answer to what was asked when a version was known already."""
        self.count += 1
        if version < least:
            self.older.append(f"version {version} after {least} by {by}")
        self.seen = max(self.seen, version)

    def read(self, base: str, rng: random.Random) -> None:
        """By the API, by the page, or by a stream that is opened for it."""
        least, by = self.seen, rng.choice(("the API", "the page", "a stream", "a page's stream"))
        if by in ("the API", "a stream"):
            program = Program(base, self.token)
            program.table = self.table
            version = (program.state() if by == "the API" else next(iter(program.frames())))["version"]
        else:
            person = looks(base, self.table, self.token)
            if by == "the page":
                page = person.page()
            else:
                with person.http.stream("GET", f"/table/{self.table}/stream") as answer:
                    page = next(answer.iter_text())
            version = int(re.findall(r'data-version="(\d+)"', page)[-1])
        self.hears(version, least, by)

    def goes_on(self, servers: Sequence[Process], seed: float) -> None:
        """Read until the end."""
        rng = random.Random(seed)
        while not self.ended.is_set():
            with contextlib.suppress(httpx.TransportError, StopIteration):
                self.read(rng.choice(servers).base, rng)

    def moves(self, servers: Sequence[Process], seat: int, seed: float) -> None:
        """Move through one of the processes, and the next in its place: what is acknowledged is read from then on."""
        rng = random.Random(seed)
        while not self.ended.is_set():
            player = Program(servers[seat].base, self.token)
            player.table = self.table
            with contextlib.suppress(httpx.TransportError):
                while not self.ended.is_set():
                    least = self.seen
                    self.hears(player.moves(rng)["version"], least, "a move")


def answered(seats: Sequence[Readers]) -> int:
    return sum(each.count for each in seats)


def reached(seats: Sequence[Readers], answers: int) -> None:
    until(lambda: answered(seats) >= answers)


def both_killed(servers: list[Process], database: str, rng: random.Random) -> int:
    """A match during which each process is killed, and another takes its place; returns the number of answers."""
    ann, ben = (Program(server.base) for server in servers)
    begun = ann.creates(game="wolf-mans-curse", players=4, seats=["you", "open", "random", "random"])
    ben.joins(begun["invitations"]["1"], name="Ben")
    seats = [Readers(ann.table, player.token) for player in (ann, ben)]
    work = [partial(each.moves, servers, seat, rng.random()) for seat, each in enumerate(seats)]
    work += [partial(each.goes_on, servers, rng.random()) for each in seats for _ in range(2)]
    threads = [threading.Thread(target=each) for each in work]
    for thread in threads:
        thread.start()
    for victim in rng.sample((0, 1), 2):
        reached(seats, answered(seats) + rng.randint(6, 40))
        servers[victim].kill()
        servers[victim] = Process(database)
        for each, server in itertools.product(seats, servers):
            each.read(server.base, rng)
    for each in seats:
        each.ended.set()
    for thread in threads:
        thread.join(PATIENCE)
    hang_up()
    assert [each.older for each in seats] == [[], []]
    return answered(seats)


def test_no_read_ever_goes_back_though_both_processes_are_killed(postgres: str) -> None:
    rng, servers = random.Random(os.environ.get("HEXDECK_SEED", "4")), [Process(postgres), Process(postgres)]
    try:
        answers = sum(both_killed(servers, postgres, rng) for _ in range(KILLS // 2))
    finally:
        for server in servers:
            server.kill()
    print(f"{KILLS} kills, {answers} answers")
    assert answers > 12 * KILLS
