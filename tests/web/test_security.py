"""Cookies, origins, headers, what is stored of tokens, what is logged."""

import io
import json
import logging
import re
from pathlib import Path

import httpx
import pytest

from hexdeck.tables import codes, rows
from hexdeck.tables.daily import date_at
from hexdeck.tables.keys import TOKEN_BYTES
from hexdeck.web.routes.seats import CARRIED_FOR
from hexdeck.web.server import push
from hexdeck.web.server.middleware import HEADERS, JsonLines
from hexdeck.web.server.settings import Limits
from tests.support import PATIENCE, for_each, until
from tests.web.serving import (
    METRICS_TOKEN,
    Person,
    Program,
    Served,
    carried_by,
    file_in,
    get,
    metrics,
    post,
    served,
    token_cookie,
)

PAGES = (
    "/",
    "/about",
    "/tables",
    "/privacy",
    "/new/hawthorn",
    "/rules/hawthorn",
    "/nothing",
    "/healthz",
    "/metrics",
    "/api/games",
    "/api/nothing",
    "/table/AAAAAAAAAAAA",
)


@for_each("path", PAGES)
def test_every_answer_has_the_headers_of_safety(site: Served, path: str) -> None:
    answer = Person(site.base).get(path)
    for name, value in HEADERS.items():
        assert answer.headers[name] == value
    policy = answer.headers["content-security-policy"]
    assert answer.headers["cross-origin-opener-policy"] == "same-origin"
    assert "unsafe" not in policy and "default-src 'self'" in policy and "frame-ancestors 'none'" in policy


def test_no_page_has_script_or_style_of_its_own(site: Served) -> None:
    ann = Person(site.base).begins({"game": "high-handed"}, "/play")
    pages = [ann.get(path).text for path in PAGES[:7]] + [ann.page(), ann.get(f"/table/{ann.table}/invite").text]
    for page in pages:
        assert not re.search(r"<script(?![^>]*\bsrc=)|<style|\sstyle=|\son[a-z]+=|javascript:|<base", page)
        assert not re.search(r"(?:src|href|action)=.?https?://(?!127)", page)


def test_a_seat_is_never_held_by_a_token_that_the_client_made_up(site: Served) -> None:
    made_up = "a" * 22
    host = Person(site.base).begins({"game": "hawthorn", "players": "3", "seat-1": "open", "seat-2": "open"})
    carried = re.search(r"/carry/[\w-]+", carried_by(host))
    assert carried
    for path, fields in (("/play", {"game": "hawthorn"}), (host.invitations()[0], {}), (carried[0], {})):
        eve = Person(site.base)
        eve.takes(made_up)
        answer = eve.post(path, fields)
        eve.sits_down(answer)
        given = re.match(r"hexdeck-[0-9a-f]{8}=([\w-]{32});", answer.headers["set-cookie"])
        assert given and given[1] != made_up, path
        other = Person(site.base)
        other.takes(made_up)
        assert 'id="carry"' not in other.get(f"/table/{eve.table}").text, path
    known = host.token
    again = host.post("/play", {"game": "hawthorn"})
    assert f"={known};" in again.headers["set-cookie"]  # one token for all tables of a browser


def test_the_table_of_what_can_be_guessed_says_what_is_so() -> None:
    """The limits are tested where they are kept: codes in `test_codes.py`, push services in `test_push.py`."""
    page, limits = (Path(__file__).parents[2] / "SECURITY.md").read_text(encoding="utf-8"), Limits()
    (join_rate, join_burst), (code_rate, code_burst) = limits.joins, limits.codes
    for fact in (
        f"| {8 * TOKEN_BYTES} random bits |",
        f"any page: {limits.pages[0]:.0f} a second",
        f"| {join_burst}, then one in {1 / join_rate:.0f} seconds |",
        f"{CARRIED_FOR // 60} minutes, once",
        f"one of at least {codes.EACH:,} for each open table",
        f"{code_burst} wrong ones, then one a minute: {code_burst + code_rate * 24 * 3600:,.0f} a day",
        f"waits at most {push.PATIENCE:.0f} seconds",
        f"at most {rows.MOST_EACH} browsers of a seat",
    ):
        assert fact in page
    assert code_rate == 1 / 60


def test_servers_of_one_host_leave_each_others_cookies_alone(site: Served, tmp_path: Path) -> None:
    """A browser sends the cookies of a host to all its ports: what another server gave is neither used nor replaced."""
    ann = Person(site.base).begins({"game": "hawthorn"}, "/play")
    with served(file_in(tmp_path)) as other:
        there = Person(other.base)
        there.http.cookies = ann.http.cookies
        there.begins({"game": "hawthorn"}, "/play")
        there.post(f"/table/{there.table}/carry")
        ann.http.cookies = there.http.cookies
        assert ann.table in ann.get("/tables").text
        kinds = sorted(cookie.name for cookie in ann.http.cookies.jar if cookie.name.startswith("hexdeck-"))
        assert kinds == sorted({token_cookie(site.base), token_cookie(other.base)})


@for_each("path", ["/play", "/tables", "{join}", "{carry}", "/today/hawthorn"])
def test_a_browser_that_keeps_no_cookies_is_told_before_it_takes_a_seat(site: Served, path: str) -> None:
    host = Person(site.base).begins({"game": "hawthorn", "players": "2", "seat-1": "open"})
    carry = re.search(r"/carry/[\w-]+", carried_by(host))
    assert carry
    where = path.format(join=host.invitations()[0], carry=carry[0])
    fields = {"game": "hawthorn", "players": "2", "name": "Eve"}
    eve, tables = Person(site.base), len(site.state.registry.tables)
    browser = {"accept": "text/html,application/xhtml+xml,*/*;q=0.8"}
    for _ in range(2):
        answer = eve.post(where, fields, headers=browser)
        assert answer.status_code == 403 and "Allow cookies" in answer.text
        eve.http.cookies.clear()
    assert len(site.state.registry.tables) == tables and "Eve" not in host.page()
    eve.get("/")
    assert eve.post(where, fields, headers=browser).status_code == 303


@for_each(
    "path", ["/", "/new/hawthorn", "/rules/hawthorn", "/today", "/puzzles/{day}/1", "/workshop/hawthorn", "{join}"]
)
def test_tabs_of_a_new_browser_that_send_a_form_at_once_get_one_token(site: Served, path: str) -> None:
    host = Person(site.base).begins({"game": "hawthorn", "players": "2", "seat-1": "open"})
    today = date_at(site.state.registry.clock()).isoformat()
    answer = Person(site.base).get(path.format(day=today, join=host.invitations()[0]))
    assert answer.status_code == 200 and "Max-Age" not in answer.headers["set-cookie"]
    tabs = [Person(site.base), Person(site.base)]
    for tab in tabs:  # before the other's answer is there
        tab.http.cookies = answer.cookies
        tab.begins({"game": "hawthorn"}, "/play")
    assert len({tab.token for tab in tabs}) == 1
    assert all(tab.table in tabs[0].get("/tables").text for tab in tabs)


def test_the_cookie_of_a_seat_is_for_this_site_and_no_script(site: Served) -> None:
    answer = Person(site.base).post("/play", {"game": "hawthorn"})
    cookie = answer.headers["set-cookie"]
    assert "HttpOnly" in cookie and "SameSite=lax" in cookie and "Path=/" in cookie
    token = re.match(r"hexdeck-[0-9a-f]{8}=([\w-]+);", cookie)
    assert token and len(token[1]) == 32  # 128 bits, and the mark of the server


@for_each(
    ("headers", "passes"),
    [
        ({"origin": "http://evil.example"}, False),
        ({"origin": "null"}, False),
        ({"origin": ""}, False),
        ({"sec-fetch-site": "cross-site"}, False),
        ({"sec-fetch-site": "same-site"}, False),
        ({"sec-fetch-site": "cross-site", "origin": "HERE"}, False),
        ({}, False),
        ({"origin": "HERE"}, True),
        ({"sec-fetch-site": "same-origin"}, True),
        ({"sec-fetch-site": "same-origin", "origin": "null"}, True),
    ],
)
def test_a_post_comes_from_our_own_pages(site: Served, headers: dict[str, str], passes: bool) -> None:
    given = {name: site.base if value == "HERE" else value for name, value in headers.items()}
    answer = post(f"{site.base}/settings", data={"lang": "nl"}, headers={"cookie": "lang=en", **given})
    assert answer.status_code == (303 if passes else 403)
    api = post(f"{site.base}/api/tables", json={"game": "hawthorn"}, headers={"cookie": "lang=en", **given})
    assert api.status_code == (201 if passes else 403)


def test_the_way_back_from_the_settings_stays_here(site: Served) -> None:
    ann = Person(site.base)
    for back in ("//evil.example", "https://evil.example", "/\\evil.example", "\r\nx: y", "javascript:1"):
        assert ann.post("/settings", {"back": back}).headers["location"] == "/"
    assert ann.post("/settings", {"back": "/about"}).headers["location"] == "/about"


def test_an_invitation_is_taken_by_a_post_only_and_once(site: Served) -> None:
    ann, ben, eve = Person(site.base), Person(site.base), Person(site.base)
    ann.begins({"game": "hawthorn", "players": "2", "seat-1": "open", "name": "Ann"})
    (link,) = ann.invitations()
    for _ in range(3):
        assert "Ann" in ben.get(link).text
    assert ben.sits_down(ben.post(link, {"name": "<b>Ben</b>\u202e\n" + "x" * 99})) == ann.table
    assert eve.post(link, {"name": "Eve"}).status_code == 409
    assert eve.get(link).status_code == 200
    page = ann.page()
    assert "<b>Ben</b>" not in page and "&lt;b&gt;Ben" in page and "xxxxxxxx" not in page
    forged = link[:-1] + ("A" if link[-1] != "A" else "B")
    assert eve.post(forged, {}).status_code == 404 == eve.get(forged).status_code


def test_a_seat_is_carried_to_another_device_once(site: Served) -> None:
    ann, phone, eve = Person(site.base), Person(site.base), Person(site.base)
    ann.begins({"game": "hawthorn", "name": "Ann"}, "/play")
    link = re.search(r"/carry/[\w-]+", carried_by(ann))
    assert link and "Ann" in phone.get(link[0]).text and "Ann" in phone.get(link[0]).text
    assert link[0] in ann.get(f"/table/{ann.table}/carry").text  # looked at again, it is the same link
    phone.sits_down(phone.post(link[0]))
    assert ann.get(f"/table/{ann.table}/carry").status_code == 404  # used
    assert eve.post(link[0]).status_code == 404
    for device in (ann, phone):
        device.table = ann.table
        assert 'id="bot-0"' in device.page() and ann.table in device.get("/tables").text
    assert 'id="bot-0"' not in (eve.get(f"/table/{ann.table}")).text


def test_nobody_watches_where_nobody_may(site: Served) -> None:
    ann, eve = Person(site.base), Person(site.base)
    ann.begins({"game": "hawthorn", "players": "2", "seat-1": "bot:house", "watch": "no"})
    for path in ("", "/stream", "/record", "/invite"):
        assert eve.get(f"/table/{ann.table}{path}").status_code == 403
    for path in ("", "/stream", "/record"):
        assert eve.get(f"/api/tables/{ann.table}{path}").status_code == 403
    assert eve.get(f"/replay/{ann.table}").status_code == 403


def test_tokens_are_stored_hashed_and_never_logged(tmp_path: Path) -> None:
    log = io.StringIO()
    handler = logging.StreamHandler(log)
    handler.setFormatter(JsonLines())
    logger = logging.getLogger("hexdeck")
    logger.addHandler(handler)
    logger.setLevel("INFO")
    try:
        with served(file_in(tmp_path)) as server:
            ann, ben = Program(server.base), Person(server.base)
            begun = ann.creates(game="hawthorn", seats=["you", "open"], players=2, name="Ann")
            link = f"/join/{begun['invitations']['1']}"
            ben.get(link), ben.post(link, {"name": "Ben"})
            ben.table = ann.table
            carry = re.search(r"/carry/([\w-]+)", carried_by(ben))
            assert carry
            ben.get(carry[0])
            secrets = [ann.token, ben.token, begun["invitations"]["1"].split(".")[2], carry[1]]
    finally:
        logger.removeHandler(handler)
        logger.setLevel("NOTSET")
    files = b"".join(path.read_bytes() for path in tmp_path.glob("tables.db*"))
    assert b"Ann" in files and not any(secret.encode() in files for secret in secrets)
    lines = [json.loads(line) for line in log.getvalue().splitlines()]
    assert {"join_page", "join", "carry", "carry_page"} <= {line.get("route") for line in lines}
    assert not any(secret in log.getvalue() for secret in (*secrets, ann.table))


def test_open_streams_end_when_the_server_does(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("hexdeck.web.server.server.GRACE", 600)  # nothing is cut: they end by themselves
    with served(file_in(tmp_path)) as server:
        ann = Program(server.base)
        ann.creates(game="hawthorn", seats=["you", "open"], players=2)
        frames = ann.frames()
        next(frames)
        with ann.http.stream("GET", f"{server.base}/table/{ann.table}/stream") as page:
            events = page.iter_lines()
            assert next(events) == "event: table"
            server.server.should_exit = True
            assert list(frames) == [] and list(events)
            server.thread.join(PATIENCE)
            assert not server.thread.is_alive()


def test_a_connection_that_is_not_told_of_the_end_is_cut(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A connection made while the server stops would otherwise be left open as garbage."""
    monkeypatch.setattr("hexdeck.web.server.server.GRACE", 0.1)
    monkeypatch.setattr("uvicorn.protocols.http.httptools_impl.HttpToolsProtocol.shutdown", lambda _: None)
    server = Served(file_in(tmp_path))
    ann = Person(server.base)
    assert ann.get("/").status_code == 200
    server.stop()
    assert server.server.server_state.connections == set()
    with pytest.raises(httpx.TransportError):
        ann.get("/")


def test_the_server_tells_how_it_is(site: Served) -> None:
    ann = Program(site.base)
    ann.creates(game="hawthorn", players=2)
    names = ("tables", "streams", "moves_total", "request_seconds_bucket", "commit_seconds_sum", "bot_seconds_count")
    until(lambda: "hexdeck_bot_seconds_count" in metrics(site.base))  # a bot has moved
    text = metrics(site.base)
    for name in (f"hexdeck_{each}" for each in names):
        assert name in text
    assert get(f"{site.base}/healthz").json()["ok"] is True


def test_metrics_open_only_to_their_token(site: Served, tmp_path: Path) -> None:
    assert "hexdeck_tables" in metrics(site.base)
    with served(file_in(tmp_path), metrics_token="") as closed:
        for base, given in (
            (site.base, "Bearer another"),
            (site.base, "Bearer"),
            (closed.base, f"Bearer {METRICS_TOKEN}"),
        ):
            answer = get(f"{base}/metrics", headers={"authorization": given})
            assert answer.status_code == 403 and "hexdeck_" not in answer.text
        assert get(f"{site.base}/metrics").status_code == get(f"{closed.base}/metrics").status_code == 403


def test_a_picture_for_links_has_an_address_only_where_the_server_knows_its_name(site: Served, tmp_path: Path) -> None:
    assert "og:image" not in get(site.base, headers={"host": "localhost"}).text
    with served(file_in(tmp_path), hosts=("cards.example",)) as known:
        page = get(known.base, headers={"host": "cards.example"}).text
        assert 'property="og:image" content="http://cards.example/static/preview.' in page
        refused = get(known.base, headers={"host": "evil.example"})
        assert refused.status_code == 421 and "og:image" not in refused.text
