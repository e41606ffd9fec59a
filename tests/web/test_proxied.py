"""Behind a proxy with TLS, below a path of its host: every address begins there, and nothing is sent in the clear."""

import random
import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import httpx
import pytest
from uvicorn.middleware.proxy_headers import _TrustedHosts

from hexdeck.cli.command_line import THIS_COMPUTER
from hexdeck.cli.serve import addresses_of, check_proxies
from hexdeck.engine.errors import BadOption
from hexdeck.web.server.middleware import in_both_forms
from tests.settings import much
from tests.support import PATIENCE, for_each
from tests.web.proxy import Proxy, proxied
from tests.web.serving import CLIENTS, PLENTY, Person, Program, file_in, get, play_on, post, served

PREFIX = "/at/home"


@pytest.fixture(scope="module", params=[False, True], ids=["the path is passed on", "the path is taken away"])
def proxy(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory, _backend: None) -> Iterator[Proxy]:
    with (
        served(file_in(tmp_path_factory.mktemp("proxied")), prefix=PREFIX, proxies=addresses_of("localhost")) as site,
        proxied(site.port, prefix=PREFIX, strips=request.param) as found,
    ):
        yield found


def browser(proxy: Proxy) -> httpx.Client:
    made = httpx.Client(base_url=proxy.base, verify=proxy.trusted, headers={"origin": proxy.base}, timeout=PATIENCE)
    CLIENTS.append(made)
    return made


def person(proxy: Proxy) -> Person:
    found = Person(f"{proxy.base}{PREFIX}")
    found.http = httpx.Client(
        base_url=f"{proxy.base}{PREFIX}", verify=proxy.trusted, headers={"origin": proxy.base}, timeout=PATIENCE
    )
    CLIENTS.append(found.http)
    return found


def program(proxy: Proxy) -> Program:
    found = Program(f"{proxy.base}{PREFIX}")
    found.http = httpx.Client(base_url=f"{proxy.base}{PREFIX}/api", verify=proxy.trusted, timeout=PATIENCE)
    CLIENTS.append(found.http)
    return found


def test_every_address_on_every_page_is_below_the_path(proxy: Proxy) -> None:
    someone = browser(proxy)
    made = someone.post(f"{PREFIX}/play", data={"game": "hawthorn", "name": "Ann"})
    assert made.status_code == 303 and made.headers["location"].startswith(f"{PREFIX}/table/")
    most = much(25 if proxy.strips else 40, 80)  # what a proxy does with the path is the same for all pages
    seen, todo = set[str](), [f"{PREFIX}/", made.headers["location"]]
    while todo:
        path = todo.pop().partition("#")[0]
        if path in seen or "/print" in path:  # PDFs take their time, and lead nowhere
            continue
        seen.add(path)
        answer = someone.get(path)
        assert answer.status_code == 200, path
        if not answer.headers["content-type"].startswith("text/html"):
            continue
        found = re.findall(r'(?:href|src|action)="([^"#][^"]*)"', answer.text)
        here = [address for address in found if not address.startswith(f"{proxy.base}{PREFIX}/")]
        assert all(
            address.startswith((f"{PREFIX}/", "?")) or re.match(r"[\w-]+/example\?", address) for address in here
        ), (path, here)
        links = re.findall(r'(?:href|src)="(/[^"#]*)"', answer.text)
        todo += [link.replace("&amp;", "&") for link in links if len(seen) < most]
    assert len(seen) > 20


def test_a_person_and_a_program_play_a_whole_game_through_it(proxy: Proxy) -> None:
    ann, rng = person(proxy), random.Random(5)
    ann.begins(
        {
            "game": "cursed-hand",
            "players": "3",
            "seat-1": "open",
            "seat-2": "bot:random",
            "option-losses": "1",
            "name": "Ann",
        }
    )
    (link,) = set(re.findall(r"https://[^\s\"<]+/join/[\w.-]+", ann.get(f"/table/{ann.table}/invite").text))
    assert link.startswith(f"{proxy.base}{PREFIX}/join/")
    ben = program(proxy)
    ben.joins(link.rpartition("/")[2], name="Ben")
    for _ in range(2000):
        if ann.plays(rng):
            break
        state = ben.state()
        if state["view"]["moves"]:
            ben.moves(rng)
    assert ben.state()["state"] == "over"


def test_a_stream_comes_through_it_as_it_is_written(proxy: Proxy) -> None:
    ann = program(proxy)
    ann.creates(game="hawthorn", players=2, seats=["you", "random"], options={"deals": 1})
    frames = ann.frames()
    assert next(frames)["state"] == "playing"
    assert play_on([ann], random.Random(1))["state"] == "over"
    assert any(frame["state"] == "over" for frame in frames)


def test_cookies_stay_below_the_path_and_are_sent_only_over_tls(proxy: Proxy) -> None:
    made = browser(proxy).post(f"{PREFIX}/play", data={"game": "hawthorn"})
    cookie = made.headers["set-cookie"].lower()
    assert f"path={PREFIX};" in cookie and "secure" in cookie and "httponly" in cookie


def test_what_is_measured_is_found_below_the_path(proxy: Proxy) -> None:
    assert browser(proxy).get(f"{PREFIX}/healthz").json()["ok"]
    assert browser(proxy).get(f"{PREFIX}/api/openapi.json").json()["servers"] == [{"url": PREFIX}]


def test_another_path_that_begins_alike_is_not_below_it(tmp_path: Path) -> None:
    with served(file_in(tmp_path), prefix="/cards") as site:
        assert get(f"{site.base}/cards/about").status_code == 200
        assert get(f"{site.base}/cardsabout").status_code == 404


@for_each(("named", "believed"), [("localhost", True), ("192.0.2.1", False), (None, False)])
def test_only_a_proxy_that_is_named_is_believed_and_whose_request_it_brings_has_limits_of_their_own(
    named: str | None,
    believed: bool,
    tmp_path_factory: pytest.TempPathFactory,
    caplog: pytest.LogCaptureFixture,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("FORWARDED_ALLOW_IPS", "*")  # it names none
    caplog.clear()
    proxies, folder = addresses_of(named) if named else (), tmp_path_factory.mktemp("named")
    with served(file_in(folder), replace(PLENTY, posts=(0.001, 1)), proxies=proxies) as site:
        for number, status in enumerate((303, 303 if believed else 429)):
            forwarded = {"x-forwarded-proto": "https", "x-forwarded-for": f"198.51.100.{number}"}
            made = post(f"{site.base}/play", data={"game": "hawthorn"}, headers=forwarded)
            assert made.status_code == status
            assert ("secure" in made.headers.get("set-cookie", "").lower()) == believed
    lines = [vars(each)["proxy"] for each in caplog.records if "aren't believed" in each.getMessage()]
    assert lines == ([] if named else [THIS_COMPUTER])  # once, and only where no proxy is named at all


def test_a_proxy_of_ipv4_is_known_on_a_socket_of_ipv6() -> None:
    known = _TrustedHosts(in_both_forms(["192.0.2.2", "198.51.100.0/24", "2001:db8::1"]))
    for address in ("192.0.2.2", "::ffff:192.0.2.2", "::ffff:198.51.100.7", "2001:db8::1"):
        assert address in known, address
    assert "::ffff:192.0.2.3" not in known and "2001:db8::2" not in known


@for_each("prefix", ["cards", "//", "/a b", "/../x", "/a?b", "https://x/y"])
def test_a_prefix_that_is_none_is_refused(prefix: str) -> None:
    with pytest.raises(BadOption, match="can't be where the site begins"):
        check_proxies(prefix, [])


@for_each("proxy", ["proxy", "192.0.2", "192.0.2.1:80", "192.0.2.1/8"])
def test_a_proxy_that_is_no_address_is_refused(proxy: str) -> None:
    with pytest.raises(BadOption, match="isn't the address of a proxy"):
        check_proxies("", [proxy])


@for_each("fine", [("", []), ("/cards", ["192.0.2.2", "192.0.2.0/24", "::1", "localhost"]), ("/a/b/", [])])
def test_what_is_a_prefix_and_a_proxy(fine: tuple[str, list[str]]) -> None:
    check_proxies(*fine)
