"""Doubled, replayed, forged, malformed and late requests are refused in a sentence, and change nothing."""

import re
import socket
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as some

from hexdeck.web.server.settings import Limits
from tests.settings import much
from tests.support import PATIENCE, for_each, until
from tests.web.serving import Person, Program, Served, file_in, served, token_cookie


def stored(site: Served, table: str) -> tuple[Any, ...]:
    """Everything that is stored of a table."""
    from hexdeck.tables import rows

    def read(connection: Any) -> tuple[Any, ...]:
        found = rows.read_table(connection, table)
        assert found is not None
        return found.row, found.events, rows.holders_of(connection, table)

    return site.state.registry.store.submit(read).result(PATIENCE)


@pytest.fixture(scope="module")
def waiting(site: Served) -> tuple[str, str]:
    ann = Program(site.base)
    state = ann.creates(game="hawthorn", players=3, seats=["you", "house", "house"])
    until(lambda: ann.state()["view"]["acting"] == [0])  # bots may choose in secret while a person does
    return state["table"], ann.token


def at(site: Served, waiting: tuple[str, str]) -> Program:
    ann = Program(site.base, waiting[1])
    ann.table = waiting[0]
    return ann


def test_a_move_that_is_sent_many_times_at_once_is_made_once(site: Served) -> None:
    ann = Program(site.base)
    ann.creates(game="high-handed", players=2, seats=["you", "house"])
    for _ in range(5):
        while not (state := ann.state())["view"]["moves"]:
            assert state["state"] == "playing"
        move = {"move": state["view"]["moves"][0]["name"], "version": state["version"]}
        with ThreadPoolExecutor(8) as pool:
            answers = list(pool.map(lambda _, move=move: ann.post("/move", move).status_code, range(8)))
        assert sorted(answers) == [200, *[409] * 7]
    mine = [event for event in stored(site, ann.table)[1] if event["seat"] == 0 and event["kind"] in {"move", "choice"}]
    assert len(mine) == 5


@for_each("bot", ["search:2001", "search:house:1000000", "search:100x64", "rollout:5000"])
def test_no_bot_is_seated_that_would_keep_all_others_waiting(site: Served, bot: str) -> None:
    asked = Program(site.base).http.post("/tables", json={"game": "hawthorn", "seats": ["you", bot], "players": 2})
    assert asked.status_code == 400 and f"The bot {bot} is too slow" in asked.json()["error"]
    assert "at most 2,000 games" in asked.json()["error"]
    form = {"game": "hawthorn", "players": "2", "seat-1": f"bot:{bot}"}
    assert "is too slow for a table" in Person(site.base).post("/tables", form).text
    for allowed in ("best", "search:2000", "search:house:50", "rollout"):
        Program(site.base).creates(game="hawthorn", players=2, seats=["you", allowed], hold=True)


@for_each("origin", ["http://[", "http://[::1", "//", "null", "http://a]b"])
def test_an_origin_that_is_no_address_is_another_site(site: Served, origin: str) -> None:
    answer = Person(site.base).post("/play", {"game": "hawthorn"}, headers={"origin": origin})
    assert answer.status_code == 403 and "another site" in answer.text and "content-security-policy" in answer.headers


@for_each("what", ["bot", "free", "back"])
@for_each("seat", ["9" * 5000, "1000", "-1", "²", "٣", "x"])
def test_a_seat_that_is_no_short_number_is_nowhere(site, waiting, what, seat) -> None:
    ann = at(site, waiting)
    assert ann.post(f"/seats/{seat}/{what}").status_code == 404
    assert Person(site.base).post(f"/table/{ann.table}/seat/{seat}/{what}").status_code == 404


def test_nobody_moves_for_another_seat_or_without_one(site: Served, waiting: tuple[str, str]) -> None:
    before, ann, eve = stored(site, waiting[0]), at(site, waiting), Program(site.base)
    eve.table = waiting[0]
    move = {"move": ann.state()["view"]["moves"][0]["name"], "version": ann.state()["version"]}
    for token in ("", "x" * 22, waiting[1][:-1], waiting[1] + "A", waiting[1].swapcase()):
        eve.becomes(token)
        assert eve.post("/move", move).status_code == 403
    other = Program(site.base)
    other.creates(game="blackstone", players=2, seats=["you", "house"])
    other.table = waiting[0]
    assert other.post("/move", move).status_code == 403
    assert other.post("/seats/0/bot").status_code == 403
    assert ann.post("/seats/7/bot").status_code == 400
    assert ann.post("/seats/1/back").status_code == 403
    assert stored(site, waiting[0]) == before


def test_an_illegal_move_is_refused_with_its_rule_and_what_is_legal(site: Served, waiting: tuple[str, str]) -> None:
    ann = at(site, waiting)
    state = ann.state()
    legal = [move["name"] for move in state["view"]["moves"]]
    actions = next(game for game in ann.http.get("/games").json()["games"] if game["name"] == "hawthorn")["actions"]
    for action in actions:
        if action not in legal:
            answer = ann.post("/move", {"move": action, "version": state["version"]})
            assert answer.status_code == 400
            refusal = answer.json()
            assert re.search(r"HT-\d", refusal["rule"]) or refusal["rule"]
            assert refusal["rule"] in refusal["error"] and refusal["legal"] == legal


def test_a_page_says_why_in_words(site: Served) -> None:
    ann = Person(site.base, "nl").begins({"game": "cursed-hand"}, "/play")
    answer = ann.post(f"/table/{ann.table}/explain", {"action": "call"})
    assert answer.status_code == 200 and re.search(r'class="notice"', answer.text)
    scripted = ann.post(f"/table/{ann.table}/explain", {"action": "call"}, headers={"hexdeck": "1"})
    assert scripted.json()["error"] and scripted.json()["rule"].startswith("CH-")


NASTY = some.one_of(
    some.none(),
    some.booleans(),
    some.integers(),
    some.floats(),
    some.text(),
    some.lists(some.integers(), max_size=3),
    some.dictionaries(some.text(max_size=3), some.integers(), max_size=2),
    some.sampled_from(
        ["take", "0: take", "\0", "\ud800".encode("utf-8", "surrogatepass").decode("utf-8", "replace"), "9" * 400]
    ),
)
POSTS = ("/move", "/start", "/join", "/seats/0/back", "/seats/1/bot", "/seats/99/bot", "/seats/99/back")


@settings(max_examples=much(60, 150), suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(
    path=some.sampled_from(POSTS),
    data=some.dictionaries(
        some.sampled_from(["move", "version", "invitation", "name", "bot", "contribution", "x"]), NASTY
    ),
)
def test_whatever_a_program_sends_is_refused_and_changes_nothing(path, data, site, waiting) -> None:
    ann, before = at(site, waiting), stored(site, waiting[0])
    try:
        answer = ann.post(path, data)
    except ValueError:  # not a number of JSON
        return
    assert 400 <= answer.status_code < 500 and answer.json()["error"], (answer.status_code, answer.text)
    assert stored(site, waiting[0]) == before


@settings(max_examples=much(50, 100), suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(
    raw=some.binary(max_size=200),
    where=some.sampled_from([*POSTS, ""]),
    kind=some.sampled_from(["/api/tables", "/table"]),
)
def test_whatever_bytes_are_sent_are_refused(raw, where, kind, site, waiting) -> None:
    ann, before = at(site, waiting), stored(site, waiting[0])
    answer = ann.http.post(f"{site.base}{kind}/{waiting[0]}{where or '/move'}", content=raw)
    assert 400 <= answer.status_code < 500, answer.text
    assert stored(site, waiting[0]) == before


@settings(max_examples=much(60, 150), suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(
    path=some.sampled_from(
        [
            "/",
            "/new/hawthorn",
            "/tables",
            "/replay/{table}",
            "/table/{table}",
            "/join/{any}",
            "/carry/{any}",
            "/table/{any}",
            "/static/{any}",
            "/rules/{any}",
            "/new/{any}",
            "/table/{table}/invite",
            "/{any}",
        ]
    ),
    text=some.text(min_size=1, max_size=40),
    query=some.dictionaries(
        some.sampled_from(["ply", "seat", "players", "clock", "watch", "seat-1"]), some.text(max_size=9)
    ),
    cookie=some.sampled_from(["", "x" * 22, "short", "=;,"]),
)
def test_whatever_page_is_asked_for_none_fails(path, text, query, cookie, site, waiting) -> None:
    from urllib.parse import quote

    ann = Person(site.base)
    where = path.replace("{any}", quote(text, safe="")).replace("{table}", waiting[0])
    answer = ann.http.get(
        where, params=query, headers={"cookie": f"{token_cookie(site.base)}={cookie}"} if cookie else {}
    )
    assert answer.status_code < 500, answer.text


@settings(max_examples=much(40, 80), suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(
    fields=some.dictionaries(
        some.sampled_from(
            [
                "game",
                "players",
                "seat-1",
                "seat-2",
                "clock",
                "watch",
                "name",
                "option-chips",
                "option-players",
                "option-name",
                "lang",
                "theme",
                "back",
                "move",
                "version",
                "card",
                "contribution",
            ]
        ),
        some.text(max_size=30),
    ),
    path=some.sampled_from(
        [
            "/play",
            "/tables",
            "/settings",
            "/table/{table}/move",
            "/table/{table}/name",
            "/join/{table}.1.x",
            "/carry/x",
            "/table/{table}/rematch",
            "/table/{table}/start",
            "/table/{table}/explain",
        ]
    ),
)
def test_whatever_form_is_sent_none_fails(fields, path, site, waiting) -> None:
    ann, before = Person(site.base), stored(site, waiting[0])
    assert ann.post(path.replace("{table}", waiting[0]), fields).status_code < 500
    assert stored(site, waiting[0]) == before


@pytest.fixture(scope="module")
def seated(site: Served) -> Person:
    """A person whose turn it is, at a table where another person hasn't moved yet."""
    ann = Person(site.base).begins({"game": "hawthorn", "players": "2", "seat-1": "open", "name": "Ann"})
    Person(site.base).joins(ann, {"name": "Ben"})
    return ann


NAMED = ["move", "said", "version", "card", "action", "cell", "name", "contribution", "x"]
DONE_THERE = [
    "move",
    "name",
    "rematch",
    "start",
    "explain",
    "retract",
    "aside",
    "host",
    "carry",
    "seat/{}/bot",
    "seat/{}/back",
    "seat/{}/free",
]


@settings(max_examples=much(60, 150), deadline=None, suppress_health_check=list(HealthCheck))
@given(
    fields=some.dictionaries(
        some.sampled_from(NAMED), some.text(max_size=30) | some.integers(-5, 99).map(str) | some.just("card 3")
    ),
    what=some.sampled_from(DONE_THERE),
    seat=some.integers(2, 10**30).map(str) | some.sampled_from(["2", "9", "-1", "٣", "x", "%00"]),
)
def test_whatever_is_sent_from_a_seat_none_fails_and_what_is_refused_changes_nothing(fields, what, seat, site, seated):
    before = stored(site, seated.table)
    answer = seated.post(f"/table/{seated.table}/{what.format(seat)}", fields)
    assert answer.status_code < 500 and answer.headers["content-security-policy"]
    assert answer.status_code == 303 or stored(site, seated.table) == before


@settings(max_examples=much(50, 100), deadline=None, suppress_health_check=list(HealthCheck))
@given(
    name=some.sampled_from(
        [
            "origin",
            "host",
            "cookie",
            "content-type",
            "content-length",
            "accept-language",
            "accept-encoding",
            "sec-fetch-site",
            "authorization",
            "hexdeck",
            "x-forwarded-for",
            "referer",
        ]
    ),
    value=some.text(some.characters(min_codepoint=32, max_codepoint=126), max_size=40)
    | some.sampled_from(
        ["http://[", "http://a:b", "hexdeck=", "Bearer ", "gzip;q=x", "nl;q=", "999999999999999999999"]
    ),
    path=some.sampled_from(["/play", "/tables", "/api/tables", "/settings"]),
)
def test_whatever_header_is_sent_none_fails(name: str, value: str, path: str, site: Served) -> None:
    sent = {
        "content-length": "0",
        "host": site.base.removeprefix("http://"),
        "connection": "close",
        name: value.strip(),
    }
    lines = "".join(f"{key}: {text}\r\n" for key, text in sent.items())
    with socket.create_connection(site.listener.getsockname(), 20) as connection:
        connection.sendall(f"POST {path} HTTP/1.1\r\n{lines}\r\n".encode())
        connection.shutdown(socket.SHUT_WR)
        status = connection.makefile("rb").readline()
    assert status == b"" or 200 <= int(status.split()[1]) < 500, status


# --- limits -----------------------------------------------------------------------------------------------------------
@pytest.fixture
def narrow(tmp_path: Any) -> Iterator[Served]:
    """A server with tight limits."""
    limits = Limits(
        tables=2,
        tables_part=1,
        streams_each=2,
        streams_part=1,
        body=2000,
        posts=(0.001, 8),
        pages=(0.001, 30),
        creates=(0.001, 3),
        joins=(0.001, 2),
    )
    with served(file_in(tmp_path), limits) as server:
        yield server


def test_posts_come_slowly_enough(narrow: Served) -> None:
    ann = Person(narrow.base)
    statuses = [ann.post("/settings", {"lang": "nl"}).status_code for _ in range(12)]
    assert statuses == [303] * 8 + [429] * 4
    assert [ann.get("/about").status_code for _ in range(40)][-5:] == [429] * 5


def test_long_bodies_are_refused_however_they_come(narrow: Served) -> None:
    ann = Program(narrow.base)
    assert ann.http.post("/tables", json={"game": "x" * 3000}).status_code == 413

    def parts() -> Iterator[bytes]:
        for _ in range(30):
            yield b"x" * 100

    assert ann.http.post("/tables", content=parts()).status_code == 413
