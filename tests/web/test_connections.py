"""Connections have bounds: endless and slow requests are cut, and whoever opens many keeps nobody else out."""

import asyncio
import contextlib
import logging
import os
import re
import resource
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import httpx
import pytest
import uvicorn
from uvicorn.server import ServerState

from hexdeck.cli.command_line import THIS_COMPUTER
from hexdeck.web.server.middleware import CONNECTIONS, LOG_EVERY, Metrics, Refusals, is_among, network_of, networks
from hexdeck.web.server.server import (
    CLOSE_SECONDS,
    CROWDED,
    FULL,
    MOST_PIPELINED,
    NEVER,
    PIECE,
    BoundedProtocol,
    Connections,
)
from hexdeck.web.server.settings import SPARE_FILES, Limits
from tests.loops import in_a_loop
from tests.support import PATIENCE, for_each, until
from tests.web.serving import METRICS_TOKEN, Program, Served, file_in, get, metrics, served

ELSEWHERE = "127.0.0.2"  # another address of this computer, which is no proxy's
MOST_EACH = 12
HALF = b"GET / HTTP/1.1\r\nHost: localhost\r\n"
WHOLE = b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n"
POST = b"POST /play HTTP/1.1\r\nHost: localhost\r\n"


# --- a connection without a network -----------------------------------------------------------------------------------
class Line:
    """The transport of a connection on which a test speaks, at a time that it sets; `heard`: what the server says."""

    def __init__(self) -> None:
        self.now, self.heard, self.closing, self.aborted = 0.0, b"", False, False
        create = asyncio.get_running_loop().create_task
        timer = SimpleNamespace(cancel=lambda: None)
        loop: Any = SimpleNamespace(time=lambda: self.now, create_task=create, call_later=lambda *_: timer)
        self.one = BoundedProtocol(
            Connections(Limits(), Metrics(lambda: 0, lambda: 0)),
            config=uvicorn.Config(answer, log_config=None),
            server_state=ServerState(),
            app_state={},
            _loop=loop,
        )
        self.one.connection_made(self)

    async def say(self, said: bytes) -> None:
        self.one.data_received(said)
        for _ in range(30):
            await asyncio.sleep(0)

    async def wait(self, said: bytes = b"", most: int = 1000) -> float:
        """After how many seconds the server ends the connection, at most so many, if this is said in each."""
        for self.now in range(1, most + 1):
            if said:
                await self.say(said)
            self.one.check(self.now)
            if self.closing or self.aborted:
                break
        return self.now

    def get_extra_info(self, _name: str) -> None:
        return None

    def write(self, data: bytes) -> None:
        self.heard += data

    def is_closing(self) -> bool:
        return self.closing

    def close(self) -> None:
        self.closing = True

    def abort(self) -> None:
        self.aborted = True

    def pause_reading(self) -> None:
        pass

    resume_reading = pause_reading


async def answer(scope: Any, receive: Any, send: Any) -> None:
    """An application that reads a body unless it is said to be long, and never comes to the end of a stream."""
    long = int(dict(scope["headers"]).get(b"content-length", 0)) > 999
    while not long and (await receive()).get("more_body"):
        pass
    if scope["path"] == "/stream":
        await asyncio.Event().wait()
    await send({"type": "http.response.start", "status": 413 if long else 200, "headers": [(b"content-length", b"2")]})
    await send({"type": "http.response.body", "body": b"ok"})


@pytest.fixture(scope="module")
def patient(tmp_path_factory: pytest.TempPathFactory, _backend: None) -> Iterator[Served]:
    with served(
        file_in(tmp_path_factory.mktemp("patient")),
        Limits(connections=40, connections_each=MOST_EACH, head_seconds=1e6),
    ) as one:
        yield one


@pytest.fixture
def opened() -> Iterator[contextlib.ExitStack]:
    with contextlib.ExitStack() as stack:
        yield stack


def connected(site: Served, said: bytes = b"", source: str = ELSEWHERE) -> socket.socket:
    made = socket.create_connection((THIS_COMPUTER, site.port), PATIENCE, (source, 0))
    made.sendall(said)
    return made


def heard(connection: socket.socket) -> bytes:
    out = b""
    with contextlib.suppress(ConnectionResetError):  # the server hasn't read all that was sent
        while part := connection.recv(65536):
            out += part
    return out


def is_served(site: Served) -> bool:
    return get(f"{site.base}/healthz").status_code == 200


# --- how much ---------------------------------------------------------------------------------------------------------
@for_each(
    ("begin", "piece"),
    [
        (b"GET /", b"a" * 65536),
        (HALF + b"X: ", b"a" * 65536),
        (HALF, b"X-Some: %s\r\n" % (b"a" * 4000) * 16),
        (POST + b"Content-Length: 999999999\r\n\r\n", b"a" * 65536),
        (POST + b"Transfer-Encoding: chunked\r\n\r\n", b"1;%s\r\na\r\n" % (b"x" * 9000)),
        (b"", WHOLE * 2000),
    ],
)
@in_a_loop
async def test_what_is_endless_is_cut(begin: bytes, piece: bytes) -> None:
    line = Line()
    await line.say(begin)
    for _ in range(100):
        line.one.data_received(piece)
    assert line.closing


@for_each(
    ("said", "status"),
    [
        (b"GET /%s HTTP/1.1\r\nHost: localhost\r\n\r\n" % (b"a" * 3 * PIECE), 200),
        (b"GET /%s HTTP/1.1\r\nHost: localhost\r\n\r\n" % (b"a" * (Limits.head + PIECE)), 431),
        (HALF + b"X: %s\r\n" % (b"a" * (Limits.head + PIECE)), 431),
        (HALF + b"X: a\r\n" * (Limits.headers - 1) + b"\r\n", 200),
        (HALF + b"X: a\r\n" * Limits.headers + b"\r\n", 431),
        (b"no HTTP at all\r\n\r\n", 400),
        (HALF + b"Connection: Upgrade\r\nUpgrade: websocket\r\n\r\n", 200),
    ],
)
@in_a_loop
async def test_a_head_is_bounded_and_a_refusal_is_a_whole_answer(said: bytes, status: int) -> None:
    line = Line()
    await line.say(said)
    head, _, body = line.heard.partition(b"\r\n\r\n")
    assert int(head.split()[1]) == status and b"content-length: %d" % len(body) in head
    assert status == 200 or (line.closing and b"connection: close" in head)


# --- how slowly -------------------------------------------------------------------------------------------------------
@for_each(
    ("said", "drops", "after", "answers"),
    [
        (HALF, b"", Limits.head_seconds, [b"408"]),
        (POST + b"Content-Length: 9\r\n\r\ngame", b"", Limits.body_seconds, [b"408"]),
        (b"", b"", Limits.head_seconds, []),
        (WHOLE + HALF, b"", Limits.head_seconds, [b"200", b"408"]),
        (b"\r\n", b"\r\n", Limits.head_seconds, [b"408"]),
        (POST + b"Content-Length: 9999\r\n\r\ngame", b"\r\n", Limits.body_seconds, [b"413"]),
    ],
)
@in_a_loop
async def test_what_comes_too_slowly_is_cut_and_a_drop_now_and_then_gains_no_time(said, drops, after, answers) -> None:
    line = Line()
    await line.say(said)
    assert await line.wait(drops) == after
    assert re.findall(rb"HTTP/1.1 (\d+)", line.heard) == answers


@in_a_loop
async def test_who_reads_nothing_is_cut() -> None:
    line = Line()
    await line.say(WHOLE)
    line.one.pause_writing()
    assert await line.wait() == Limits.unread_seconds and line.aborted
    line = Line()
    line.one.refuse(400)
    assert line.closing  # it was told of the end, and doesn't take it
    line.one.check(1.0)
    line.one.check(CLOSE_SECONDS)
    assert not line.aborted
    line.one.check(1.0 + CLOSE_SECONDS)
    assert line.aborted


@in_a_loop
async def test_a_stream_outlives_all_deadlines() -> None:
    line = Line()
    await line.say(WHOLE.replace(b"healthz", b"stream"))
    await line.wait()
    assert not line.closing and not line.aborted and line.one.due == NEVER
    line.one.connection_lost(None)


@in_a_loop
async def test_one_connection_serves_many_requests_also_when_they_come_at_once() -> None:
    line = Line()
    for line.now in range(0, 50, 9):
        line.one.check(line.now)
        await line.say(WHOLE)
    await line.say(WHOLE * MOST_PIPELINED)
    assert line.heard.count(b"HTTP/1.1 200") == 6 + MOST_PIPELINED and not line.closing


def test_a_body_that_stops_is_no_fault_of_the_server(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("hexdeck.web.server.server.SWEEP_EVERY", 0.05)
        with served(file_in(tmp_path), Limits(body_seconds=0.2)) as site:
            with connected(site, POST + b"Content-Length: 9\r\n\r\ngame") as slow:
                assert heard(slow).startswith(b"HTTP/1.1 408")
            until(lambda: "a request came too slowly" in metrics(site.base))
    assert "a fault" not in caplog.text


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


@pytest.mark.long
def test_half_requests_at_few_files_shut_nobody_out(tmp_path: Path, opened: Any) -> None:
    """As the system starts it: the limits follow from the files that it may have open."""
    files = SPARE_FILES + 64
    options = ["--no-browser", "--port", "0", "--database", str(tmp_path / "cards.db")]
    environment = {**os.environ, "HEXDECK_BACKEND": "interpreted", "HEXDECK_METRICS_TOKEN": METRICS_TOKEN}
    process = subprocess.Popen(
        ["sh", "-c", f'ulimit -n {files}; exec "$@"', "sh", sys.executable, "-m", "hexdeck", "serve", *options],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=environment,
    )
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
            assert get(f"{found[0]}/about").status_code == 200
        until(lambda: FULL in metrics(found[0]))
    finally:
        process.terminate()
        _, logged = process.communicate(timeout=PATIENCE)
    assert f'"why": "{FULL}"' in logged


def answers(base: str) -> bool:
    try:
        return get(f"{base}/healthz").status_code == 200
    except httpx.TransportError:
        return False


def test_limits_follow_from_how_many_files_there_may_be() -> None:
    few, many = Limits().within(1024), Limits().within(10**6)
    assert few.connections == 1024 - SPARE_FILES and few.connections_each <= few.connections // 4
    assert few.streams < few.connections  # pages are served when no more streams are
    assert many == Limits()


@pytest.mark.skipif(resource.getrlimit(resource.RLIMIT_NOFILE)[1] < 20_000, reason="this system allows fewer")
def test_the_number_of_files_is_raised_at_the_start() -> None:
    code = (
        "import resource\n"
        "from hexdeck.web.server.server import fitting_limits\n"
        "from hexdeck.web.server.settings import Limits\n"
        "for hard in (20_000, 700):\n"
        "    resource.setrlimit(resource.RLIMIT_NOFILE, (256, hard))\n"
        "    print(fitting_limits(Limits()).connections, resource.getrlimit(resource.RLIMIT_NOFILE)[0])"
    )
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    assert list(map(int, out)) == [Limits.connections, Limits.connections + SPARE_FILES, 700 - SPARE_FILES, 700]


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
@for_each(
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
