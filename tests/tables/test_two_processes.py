"""Two processes on one PostgreSQL, a seat on each, one match; one of them dies and the other goes on."""

import contextlib
import os
import random
import re
import threading
from collections.abc import Callable, Iterator
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
from tests.web.test_codes import code_on

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


def test_two_people_on_two_processes_play_a_match(processes: Two) -> None:
    one, other = processes
    ann, ben, rng = Program(one.base), Program(other.base), random.Random(1)
    begun = ann.creates(game="wolf-mans-curse", players=4, seats=["you", "open", "random", "random"])
    ben.joins(begun["invitations"]["1"], name="Ben")
    heard: list[int] = []
    reader = Program(other.base, ben.token)
    reader.table = ben.table

    def listen() -> None:
        for state in reader.frames():
            heard.append(state["version"])
            if state["state"] == "over":
                return

    listening = threading.Thread(target=listen)
    listening.start()
    assert play_on([ann, ben], rng)["state"] == "over"
    listening.join(PATIENCE)
    assert not listening.is_alive() and heard == sorted(heard) and len(heard) > 5
    until(lambda: ben.state()["version"] == ann.state()["version"])
    assert ann.get("/record").json() == ben.get("/record").json()


def test_whoever_was_removed_by_one_process_does_not_come_back_by_the_code_of_the_other(processes: Two) -> None:
    one, other = processes
    ann, ben, there = Person(one.base), Person(other.base), Person(other.base)
    asked = {"game": "hawthorn", "players": "3", "seat-1": "open", "seat-2": "open"}
    ann.sits_down(ann.post("/tables", asked))
    there.table, there.http.cookies = ann.table, ann.http.cookies
    code = code_on(there.page())
    ben.sits_down(ben.post(f"/j/{code}"))
    until(lambda: 'id="free-1"' in ann.page())
    assert ann.post(f"/table/{ann.table}/seat/1/free").status_code == 303
    assert ben.post(f"/j/{code}").status_code == 404
    assert until(lambda: code_on(there.page()) != code) and code_on(there.page()) == code_on(ann.page())


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
    "answers": partial(store_feedback, table=SEAT["table"], answers=Feedback(0, fun=4)),
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
KILLS = int(os.environ.get("HEXDECK_KILLS", "8"))  # 200 were tried


def test_no_read_ever_goes_back_though_one_process_or_the_other_is_killed(postgres: str) -> None:
    """Somebody reads now through the one, now through the other, each time after the last answer."""
    servers, rng, reads = [Process(postgres), Process(postgres)], random.Random(4), 0
    try:
        for _kill in range(KILLS):
            ann, ben = (Program(server.base) for server in servers)
            begun = ann.creates(game="wolf-mans-curse", players=4, seats=["you", "open", "random", "random"])
            ben.joins(begun["invitations"]["1"], name="Ben")
            players = [threading.Thread(target=play_until_killed, args=(player, rng.random())) for player in (ann, ben)]
            for player in players:
                player.start()
            seen, victim, last = 0, rng.randrange(2), rng.randint(4, 30)
            readers = [Program(server.base, ann.token) for server in servers]
            for number in range(last + 8):
                if number == last:
                    servers[victim].kill()
                reader = readers[number % 2]
                reader.table = ann.table
                with contextlib.suppress(httpx.TransportError):
                    version = reader.state()["version"]
                    assert version >= seen, f"version {version} after {seen}"
                    seen, reads = version, reads + 1
            servers[1 - victim].kill()
            for player in players:
                player.join(PATIENCE)
            hang_up()
            servers = [Process(postgres), Process(postgres)]
    finally:
        for server in servers:
            server.kill()
    assert reads > 10 * KILLS


def play_until_killed(player: Program, seed: float) -> None:
    with contextlib.suppress(httpx.TransportError):
        play_on([player], random.Random(seed))
