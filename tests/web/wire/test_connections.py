"""Connections have bounds: endless and slow requests are cut, and whoever opens many keeps nobody else out."""

import contextlib
import logging
import os
import re
import resource
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from hexdeck.cli.keep.serve import THIS_COMPUTER
from hexdeck.web.ops.addresses import is_among, network_of, networks
from hexdeck.web.ops.connections import CROWDED, FULL, Connections
from hexdeck.web.ops.metrics import Metrics
from hexdeck.web.ops.protocol import CLOSE_SECONDS, MOST_PIPELINED, NEVER, PIECE
from hexdeck.web.ops.refusals import CONNECTIONS, LOG_EVERY, Refusals
from hexdeck.web.ops.settings import SPARE_FILES, Limits
from tests.loops import alone
from tests.web.serving import METRICS_TOKEN, PATIENCE, PLENTY, Program, Served, file_in, get, metrics, served, until

ELSEWHERE = "127.0.0.2"  # another address of this computer, which is no proxy's
MOST_EACH, SOON = 12, 0.4
HALF = b"GET / HTTP/1.1\r\nHost: localhost\r\n"
WHOLE = b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n"
STRICT = Limits(
    connections=40, connections_each=MOST_EACH, head_seconds=SOON, body_seconds=SOON, posts=PLENTY.posts,
    pages=PLENTY.pages, creates=PLENTY.creates,
)  # fmt: skip


@pytest.fixture(scope="module")
def strict(tmp_path_factory: pytest.TempPathFactory, _backend: None) -> Iterator[Served]:
    """A server with tight bounds, which looks often whether they are kept."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("hexdeck.web.ops.server.SWEEP_EVERY", 0.05)
        with served(file_in(tmp_path_factory.mktemp("strict")), STRICT) as server:
            yield server


@pytest.fixture(scope="module")
def patient(tmp_path_factory: pytest.TempPathFactory, _backend: None) -> Iterator[Served]:
    """A server with room for few, where the slow aren't cut."""
    with served(file_in(tmp_path_factory.mktemp("patient")), Limits(connections=40, connections_each=MOST_EACH)) as one:
        yield one


@pytest.fixture
def opened() -> Iterator[contextlib.ExitStack]:
    """Connections that are closed after the test."""
    with contextlib.ExitStack() as stack:
        yield stack


def connected(site: Served, said: bytes = b"", source: str = ELSEWHERE) -> socket.socket:
    """A connection on which something was said."""
    made = socket.create_connection((THIS_COMPUTER, site.port), PATIENCE, (source, 0))
    made.sendall(said)
    return made


def heard(connection: socket.socket) -> bytes:
    """All that comes until the server ends the connection."""
    out = b""
    with contextlib.suppress(ConnectionResetError):  # the server hasn't read all that was sent
        while part := connection.recv(65536):
            out += part
    return out


def sent_until_cut(connection: socket.socket, piece: bytes, most: int = 8_000_000) -> int:
    """How many bytes the server takes, at most so many."""
    taken = 0
    with contextlib.suppress(OSError):
        while taken < most:
            connection.sendall(piece)
            taken += len(piece)
    return taken


def is_served(site: Served) -> bool:
    """Whether somebody else is served meanwhile."""
    return get(f"{site.base}/healthz", timeout=PATIENCE).status_code == 200


# --- how much ---------------------------------------------------------------------------------------------------------
ENDLESS = {
    "an address": (b"GET /", b"a" * 65536),
    "a header": (HALF + b"X: ", b"a" * 65536),
    "headers": (HALF, b"X-Some: %s\r\n" % (b"a" * 4000) * 16),
    "a body": (b"POST /play HTTP/1.1\r\nHost: localhost\r\nContent-Length: 999999999\r\n\r\n", b"a" * 65536),
    "a body in parts": (
        b"POST /play HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n",
        b"1;%s\r\na\r\n" % (b"x" * 9000),
    ),
    "requests": (b"", WHOLE * 2000),
}  # fmt: skip


@pytest.mark.parametrize("what", ENDLESS)
def test_what_is_endless_is_cut(patient: Served, what: str) -> None:
    begin, piece = ENDLESS[what]
    with connected(patient, begin) as hostile:
        assert sent_until_cut(hostile, piece) < 8_000_000
        assert is_served(patient)


@pytest.mark.parametrize(
    ("said", "status"),
    [
        (b"GET /%s HTTP/1.1\r\nHost: localhost\r\n\r\n" % (b"a" * 3 * PIECE), 404),
        (b"GET /%s HTTP/1.1\r\nHost: localhost\r\n\r\n" % (b"a" * (Limits.head + PIECE)), 431),
        (HALF + b"X: %s\r\n" % (b"a" * (Limits.head + PIECE)), 431),
        (HALF + b"X: a\r\n" * (Limits.headers - 1) + b"\r\n", 200),
        (HALF + b"X: a\r\n" * Limits.headers + b"\r\n", 431),
        (b"no HTTP at all\r\n\r\n", 400),
        (HALF + b"Connection: Upgrade\r\nUpgrade: websocket\r\n\r\n", 200),
    ],
)
def test_a_head_is_bounded(patient: Served, said: bytes, status: int) -> None:
    with connected(patient, said) as some:
        assert int(some.recv(12).split()[1]) == status


def test_a_refusal_is_a_whole_answer(patient: Served) -> None:
    with connected(patient, b"nonsense\r\n\r\n") as hostile:
        head, _, body = heard(hostile).partition(b"\r\n\r\n")
    assert b"content-length: %d" % len(body) in head and b"connection: close" in head and body == b"400 Bad Request"


# --- how slowly -------------------------------------------------------------------------------------------------------
SLOW = {
    "a head": (HALF, b"408"),
    "a body": (b"POST /play HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\ngame", b"408"),
    "nothing": (b"", b""),
    "a second head": (WHOLE + HALF, b"408"),
    "blank lines": (b"\r\n", b"408"),
    "a body that was refused": (b"POST /play HTTP/1.1\r\nHost: localhost\r\nContent-Length: 99999\r\n\r\ngame", b"413"),
}


@pytest.mark.parametrize("what", SLOW)
def test_what_comes_too_slowly_is_cut(strict: Served, what: str) -> None:
    said, status = SLOW[what]
    began = time.monotonic()
    with connected(strict, said) as slow:
        got = heard(slow)
    assert status in got if status else got == b""
    assert got.count(b"HTTP/1.1") == (what == "a second head") + bool(status)
    assert SOON - 0.1 <= time.monotonic() - began < PATIENCE / 2


@pytest.mark.parametrize("what", ["blank lines", "a body that was refused"])
def test_a_drop_now_and_then_gains_no_time(strict: Served, what: str) -> None:
    with connected(strict, SLOW[what][0]) as slow:
        end = time.monotonic() + PATIENCE / 2
        with contextlib.suppress(OSError):
            while time.monotonic() < end:
                slow.sendall(b"\r\n")
                time.sleep(0.05)
        assert time.monotonic() < end


def test_a_body_that_stops_is_no_fault_of_the_server(strict: Served, caplog: pytest.LogCaptureFixture) -> None:
    with connected(strict, SLOW["a body"][0]) as slow:
        heard(slow)
    until(lambda: "a request came too slowly" in metrics(strict.base))
    assert "a fault" not in caplog.text


def test_a_stream_outlives_all_deadlines(strict: Served) -> None:
    ann = Program(strict.base)
    begun = ann.creates(game="hawthorn", seats=["you", "open"], players=2)
    ann_sees = ann.frames()
    first = next(ann_sees)
    time.sleep(4 * SOON)
    Program(strict.base).joins(begun["invitations"]["1"], bot="house")
    assert next(ann_sees)["version"] > first["version"]


def test_one_connection_serves_many_requests_also_when_they_come_at_once(strict: Served) -> None:
    with connected(strict) as kept:
        for _ in range(5):
            answered(kept, 1)
            time.sleep(SOON / 2)
        answered(kept, MOST_PIPELINED)


def answered(kept: socket.socket, requests: int) -> None:
    """Send so many requests at once, and read all of their answers, in however many pieces they come."""
    kept.sendall(WHOLE * requests)
    got = b""
    while got.count(b'{"ok":true') < requests:
        part = kept.recv(65536)
        assert part, got
        got += part
    assert got.count(b"HTTP/1.1 200") == requests


# --- how many ---------------------------------------------------------------------------------------------------------
def test_one_address_has_so_many_connections_and_others_are_served(patient: Served, opened: Any) -> None:
    held = [opened.enter_context(connected(patient, HALF)) for _ in range(MOST_EACH)]
    with connected(patient, WHOLE) as refused:
        assert heard(refused).startswith(b"HTTP/1.1 503")
    assert is_served(patient)
    with connected(patient, WHOLE, "127.0.0.3") as other:
        assert other.recv(12) == b"HTTP/1.1 200"
    held[0].close()
    until(lambda: served_at(patient, ELSEWHERE))
    assert f'why="{CROWDED}"' in metrics(patient.base)


def served_at(site: Served, source: str) -> bool:
    """Whether somebody at an address is served."""
    with connected(site, WHOLE, source) as some:
        return some.recv(12) == b"HTTP/1.1 200"


def test_when_the_server_is_full_those_who_ask_nothing_make_room(patient: Served, opened: Any) -> None:
    ann = Program(patient.base)
    ann.creates(game="hawthorn", seats=["you", "open"], players=2)
    frames = ann.frames()
    next(frames)
    for k in range(60):
        opened.enter_context(connected(patient, HALF, f"127.0.0.{10 + k % 10}"))
    until(lambda: len(patient.server.connections) == 40)
    for _ in range(20):
        assert is_served(patient)
    ann.post("/name", {"name": "Zoë"})
    assert f'why="{FULL}"' in metrics(patient.base)
    assert not patient.state.streams.ended and patient.state.streams.count == 1  # who is at a table stays there


def test_half_requests_at_few_files_shut_nobody_out(tmp_path: Path, opened: Any) -> None:
    """As the system starts it: the limits follow from the files that it may have open."""
    files = SPARE_FILES + 64
    options = ["--no-browser", "--port", "0", "--database", str(tmp_path / "cards.db")]
    environment = {**os.environ, "HEXDECK_BACKEND": "interpreted", "HEXDECK_METRICS_TOKEN": METRICS_TOKEN}
    process = subprocess.Popen(
        ["sh", "-c", f'ulimit -n {files}; exec "$@"', "sh", sys.executable, "-m", "hexdeck", "serve", *options],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment,
    )  # fmt: skip
    assert process.stdout is not None and process.stderr is not None
    try:
        found = re.search(r"http://[\d.]+:(\d+)", process.stdout.readline())
        assert found
        until(lambda: answers(found[0]))
        for k in range(2 * files):
            made = opened.enter_context(socket.socket())
            made.bind((f"127.0.0.{2 + k % 16}", 0))
            made.connect((THIS_COMPUTER, int(found[1])))
            made.sendall(HALF)
        for _ in range(5):
            assert get(f"{found[0]}/about", timeout=PATIENCE).status_code == 200
        until(lambda: FULL in metrics(found[0]))
    finally:
        process.terminate()
        _, logged = process.communicate(timeout=PATIENCE)
    assert f'"why": "{FULL}"' in logged


def answers(base: str) -> bool:
    """Whether a server answers."""
    try:
        return get(f"{base}/healthz", timeout=PATIENCE).status_code == 200
    except httpx.TransportError:
        return False


def test_limits_follow_from_how_many_files_there_may_be() -> None:
    few, many = Limits().within(1024), Limits().within(10**6)
    assert few.connections == 1024 - SPARE_FILES and few.connections_each <= few.connections // 4
    assert few.streams < few.connections  # pages are served when no more streams are
    assert many == Limits()


@pytest.mark.parametrize(("soft", "hard", "found"), [(256, 700, 700), (256, 20_000, Limits.connections + SPARE_FILES)])
def test_the_number_of_files_is_raised_at_the_start(soft: int, hard: int, found: int) -> None:
    if resource.getrlimit(resource.RLIMIT_NOFILE)[1] < hard:
        pytest.skip("this system allows fewer")
    code = (
        "import resource\n"
        "from hexdeck.web.ops.server import fitting_limits\n"
        "from hexdeck.web.ops.settings import Limits\n"
        f"resource.setrlimit(resource.RLIMIT_NOFILE, ({soft}, {hard}))\n"
        "print(fitting_limits(Limits()).connections, resource.getrlimit(resource.RLIMIT_NOFILE)[0])"
    )
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    assert list(map(int, out)) == [min(Limits.connections, found - SPARE_FILES), found]


# --- who reads nothing ------------------------------------------------------------------------------------------------
class Deaf:
    """The transport of a client that reads nothing."""

    def __init__(self) -> None:
        self.closing = self.aborted = False

    def get_extra_info(self, _name: str) -> None:
        return None

    def write(self, _data: bytes) -> None:
        pass

    def is_closing(self) -> bool:
        return self.closing

    def close(self) -> None:
        self.closing = True

    def abort(self) -> None:
        self.aborted = True


@pytest.mark.parametrize("how", ["it reads no answer", "it doesn't take the end"])
def test_who_reads_nothing_is_cut(site: Served, how: str) -> None:
    async def cut_after() -> float:
        config, transport = site.server.config, Deaf()
        one = config.http(config=config, server_state=site.server.server_state, app_state={})
        one.connection_made(transport)
        began = one.loop.time()
        one.due = NEVER  # as while it is answered
        one.pause_writing() if how == "it reads no answer" else one.refuse(400)
        times = (began + k for k in range(200))
        try:
            return next(at for at in times if one.check(at) or transport.aborted) - began
        finally:
            one.connection_lost(None)

    wanted = Limits.unread_seconds if how == "it reads no answer" else CLOSE_SECONDS
    assert abs(alone(cut_after()) - wanted) <= 1


# --- what is logged ---------------------------------------------------------------------------------------------------
def test_a_flood_is_logged_in_a_line_a_minute_that_says_who_and_how_many(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.WARNING, "hexdeck.web")
    refusals = Refusals(CONNECTIONS, Metrics(lambda: 0, lambda: 0).refused)
    for second in range(130):
        for k in range(100):
            refusals.note(FULL, f"192.0.2.{k % 3}")
        refusals.log(float(second), open=960)
    lines = [vars(record) for record in caplog.records if vars(record).get("open") == 960]  # others are other servers'
    assert len(lines) == 130 // LOG_EVERY + 1
    assert [line["count"] for line in lines] == [100, 6000, 6000]
    assert lines[1]["most"] == "192.0.2.0" and lines[1]["networks"] == 3 and lines[1]["open"] == 960


# --- whose an address is ----------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("address", "network"),
    [
        ("192.0.2.7", "192.0.2.7"),
        ("::ffff:192.0.2.7", "192.0.2.7"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("2001:db8:1:2::", "2001:db8:1:2::/64"),
        ("2001:db8:1:3::1", "2001:db8:1:3::/64"),
        ("fe80::1%eth0", "fe80::/64"),
        ("", ""),
        ("nonsense" * 1000, ("nonsense" * 1000)[:64]),
    ],
)
def test_an_ipv6_address_belongs_to_its_64(address: str, network: str) -> None:
    assert network_of(address) == network


def test_a_proxy_brings_more_visitors_than_an_address_may_be() -> None:
    trusted = networks(["127.0.0.9", "2001:db8::/64"])
    assert is_among("127.0.0.9", trusted) and is_among("::ffff:127.0.0.9", trusted)
    assert is_among("2001:db8::7", trusted) and not is_among("127.0.0.2", trusted) and not is_among("?", trusted)
    kept = Connections(Limits(connections_each=1), Metrics(lambda: 0, lambda: 0), trusted)
    assert [kept.admit(Visitor("127.0.0.9")) for _ in range(3)] == [True] * 3
    assert [kept.admit(Visitor("127.0.0.2")) for _ in range(3)] == [True, False, False]


class Visitor:
    """A connection of an address."""

    def __init__(self, address: str) -> None:
        self.address = self.network = address

    def check(self, now: float) -> None:
        pass

    def cut(self) -> None:
        pass
