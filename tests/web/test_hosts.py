"""The names that a server answers to: its own, its networks' addresses, what is added; and no other."""

import logging
import socket

import pytest

from hexdeck.cli.command_line import THIS_COMPUTER
from hexdeck.web.server.middleware import Hosts, own_names
from tests.support import PATIENCE, for_each, until
from tests.web.serving import Served, file_in, get, served

HOME = "10" + ".0.0.17"  # an address at home
ROUTER = "192" + ".168.1.1"


@pytest.fixture
def at_home(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(socket, "gethostname", lambda: "Kitchen")


@for_each(
    "host",
    [
        "localhost",
        "cards.localhost",
        "kitchen",
        "Kitchen.local",
        "kitchen.local.",
        "kitchen.fritz.box",
        "kitchen.home.arpa",
        HOME,
        ROUTER,
        THIS_COMPUTER,
        "::1",
        "fe80::1",
        "fe80::1%eth0",
        "fd12:3456::7",
        f"::ffff:{HOME}",
        "169.254.3.4",
        "cards.example.org",
    ],
)
@pytest.mark.usefixtures("at_home")
def test_phones_at_home_reach_it_by_name_or_address_of_either_kind(host: str) -> None:
    assert Hosts(["Cards.example.org"]).includes(host, HOME)


@for_each(
    "host",
    [
        "",
        "evil.example",
        "kitchen.evil.example",
        "evil.local",
        "kitchen.example",
        "localhost.evil.example",
        "8.8.8.8",
        "2001:4860:4860::8888",
        "cards.example.org",
        f"{HOME}.evil.example",
        "kitchen.local.evil.example",
        "evil",
        "[",
    ],
)
@pytest.mark.usefixtures("at_home")
def test_a_name_that_a_stranger_can_own_is_refused(host: str) -> None:
    assert not Hosts().includes(host, HOME)


@for_each(("at", "known"), [("8.8.8.8", True), ("::ffff:8.8.8.8", True), ("8.8.4.4", False), ("", False)])
def test_a_public_address_is_this_computers_if_it_was_reached_there(at: str, known: bool) -> None:
    assert Hosts().includes("8.8.8.8", at) is known


def test_a_computer_with_a_full_name_has_its_short_one_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(socket, "gethostname", lambda: "kitchen.example.net")
    assert {"kitchen", "kitchen.example.net", "kitchen.local"} <= own_names()
    monkeypatch.setattr(socket, "gethostname", lambda: "")
    assert own_names() == {"localhost"}


def test_a_server_answers_to_its_names_only_and_says_how_to_add_one(tmp_path, caplog) -> None:
    caplog.set_level(logging.WARNING, "hexdeck.web")
    with served(file_in(tmp_path), hosts=("cards.example",)) as site:
        for host, status in (
            ("cards.example", 200),
            ("Cards.Example:8400", 200),
            ("[::1]:8400", 200),
            (HOME, 200),
            ("evil.example", 421),
            ("cards.evil.example", 421),
            ("<b>.example", 421),
            ("", 421),
            ("[", 421),
        ):
            answer = get(f"{site.base}/about", headers={"host": host})
            assert answer.status_code in {status, 400} - ({400} if status == 200 else set()), (host, answer.text)
            assert "<b>." not in answer.text
        assert get(f"{site.base}/healthz", headers={"host": "evil.example"}).status_code == 200
        said = get(f"{site.base}/api/games", headers={"host": "evil.example"}).json()["error"]
        assert said == "This server isn't known as evil.example; whoever keeps it can add that name with --allow-host."

        def logged() -> bool:
            lines = [vars(each) for each in caplog.records if vars(each).get("why") == "an unknown host"]
            return bool(lines) and lines[0]["example"].endswith("example") and lines[0]["most"] == THIS_COMPUTER

        until(logged)


@for_each(
    "named",
    [
        ["localhost", "evil.example"],
        ["evil.example", "localhost"],
        ["evil.example@localhost"],
        ["localhost/evil"],
        ["localhost?evil"],
        ["localhost#evil"],
        ["localhost evil"],
        [],
    ],
)
def test_a_request_names_one_host_and_nothing_else(named: list[str], site: Served) -> None:
    lines = "".join(f"Host: {name}\r\n" for name in named)
    with socket.create_connection((THIS_COMPUTER, site.port), PATIENCE) as some:
        some.sendall(f"GET /about HTTP/1.1\r\n{lines}\r\n".encode())
        assert int(some.recv(12).split()[1]) in (400, 421)
