"""Two processes on one PostgreSQL, a seat on each, one match; one of them dies and the other goes on."""

import contextlib
import random
import re
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial

import pytest
from sqlalchemy import Connection, insert, text

from hexdeck.puzzles.today import Pool
from hexdeck.tables.service.daily.dates import date_at
from hexdeck.tables.storage import subscriptions
from hexdeck.tables.storage.attempts import store_attempt
from hexdeck.tables.storage.daily.bundles import store_bundle
from hexdeck.tables.storage.database import Database
from hexdeck.tables.storage.feedback import Feedback, store_feedback
from hexdeck.tables.storage.schema import tables
from tests.web.serving import PATIENCE, Person, Process, Program, hang_up, play_on, until
from tests.web.tomorrow.test_today import cards, finishes
from tests.web.wire.test_codes import code_on

pytestmark = pytest.mark.long
Two = tuple[Process, Process]


@pytest.fixture
def processes(postgres: str) -> Iterator[Two]:
    """Two processes that serve the tables of one database."""
    both = Process(postgres), Process(postgres)
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


def test_a_match_goes_on_when_one_of_two_processes_is_killed(processes: Two) -> None:
    one, other = processes
    ann, rng = Program(one.base), random.Random(2)
    ann.creates(game="high-handed", players=3, seats=["you", "random", "random"])
    play_on([ann], rng, 12)
    one.kill()
    there = Program(other.base, ann.token)
    there.table = ann.table
    before = there.state()["version"]
    assert play_on([there], rng, before + 20)["version"] >= before + 20


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
    "answers": partial(store_feedback, table=SEAT["table"], given=Feedback(0, fun=4)),
    "tried again": partial(store_attempt, **SEAT, ply=3, solved=True),
    "told of turns": partial(subscriptions.subscribe, row=SUBSCRIBED),
    "link": partial(store_bundle, token="t", holder="h", until=9.0, now=1.0),
}


def waits(database: Database) -> bool:
    """Whether a transaction waits for another."""
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
    both = [threading.Thread(target=lambda who=who: answers.append(who.post("/rematch").json()))
            for who in (maker, here)]  # fmt: skip
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
        person.http.cookies.set("hexdeck", token)
    return person


def is_away(page: str, seat: int) -> bool:
    """Whether a page shows a seat as away."""
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
    assert "watches" not in there.page()
    with looking(looks(one.base, ann.table, ann.token)):
        until(lambda: not is_away(there.page(), 0))
        one.stop()
        until(lambda: is_away(there.page(), 0))  # sooner than its silence would tell


def test_a_process_that_comes_later_asks_who_is_there(postgres: str) -> None:
    one = Process(postgres)
    ann, ben = Program(one.base), Program(one.base)
    begun = ann.creates(game="hawthorn", players=2, seats=["you", "open"])
    ben.joins(begun["invitations"]["1"])
    with looking(looks(one.base, ann.table, ann.token)):
        until(lambda: not is_away(looks(one.base, ann.table, ben.token).page(), 0))
        other = Process(postgres)
        try:
            there = looks(other.base, ann.table, ben.token)
            with looking(there):
                until(lambda: not is_away(there.page(), 0))  # sooner than all is told again
        finally:
            hang_up()
            other.stop()
            one.stop()


def test_a_code_that_one_process_drew_leads_through_the_other_to_the_same_table(processes: Two) -> None:
    one, other = processes
    ann, ben = Person(one.base), Person(other.base)
    ann.sits_down(ann.post("/tables", {"game": "hawthorn", "players": "3", "seat-1": "open", "seat-2": "open"}))
    shown = re.search(r'id="join-code">([A-Z]+)<', ann.page())
    assert shown and ben.sits_down(ben.post(f"/j/{shown[1]}", {"name": "Ben"})) == ann.table
    assert f'id="join-code">{shown[1]}<' in until(lambda: "Ben" in ann.page() and ann.page())
    assert f'id="join-code">{shown[1]}<' in ben.page()


def test_two_processes_deal_the_same_cards_once_and_agree_about_how_bots_fare(processes: Two) -> None:
    one, other = processes
    ann, ben, twin = Person(one.base), Person(other.base), Person(other.base)
    ann.post("/play", {"game": "hawthorn"})
    twin.http.cookies.set("hexdeck", ann.http.cookies["hexdeck"])
    led = list[str]()
    both = [threading.Thread(target=lambda who=who: led.append(who.sits_down(who.post("/today/cursed-hand"))))
            for who in (ann, twin)]  # fmt: skip
    for each in both:
        each.start()
    for each in both:
        each.join(PATIENCE)
    assert led == [ann.table] * 2
    ben.sits_down(ben.post("/today/cursed-hand", {"name": "Ben"}))
    assert cards(ann.page()) == cards(ben.page()) and ben.get(f"/table/{ann.table}").status_code == 403
    finishes(ann)
    assert until(lambda: twin.get("/today/cursed-hand").status_code == 200)
    assert ben.get(f"/replay/{ann.table}").status_code == 403
    finishes(ben, 2)
    assert ben.get(f"/replay/{ann.table}").status_code == 200

    def fields() -> list[str]:
        found = [who.get(f"/table/{ann.table}/compared").json() for who in (ann, twin)]
        return [each["compared"] for each in found if each["done"]]

    until(lambda: len(fields()) == 2)
    assert len(set(fields())) == 1


def test_two_processes_have_the_same_puzzles_and_one_count(processes: Two) -> None:
    one, other = processes
    day, ann, ben = date_at(time.time()), Person(one.base), Person(other.base)
    found = Pool.of().of_day(day)
    assert ann.get("/puzzles").text == ben.get("/puzzles").text
    assert ann.post(f"/puzzles/{day}/1", {"move": found[0].best}).status_code == 303
    ben.http.cookies.set("hexdeck", ann.http.cookies["hexdeck"])
    assert ben.post(f"/puzzles/{day}/1", {"move": next(iter(found[0].costs))}).status_code == 303
    assert ben.post(f"/puzzles/{day}/2", {"move": next(iter(found[1].costs))}).status_code == 303
    one.kill()
    assert "You have solved 1 of 2 puzzles" in ben.get("/puzzles").text
    assert "Right: " in ben.get(f"/puzzles/{day}/1").text
