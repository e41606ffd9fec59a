"""Load a server of our own, on this machine only: tables with open streams, moves at a steady rate; what it costs.

    python tools/load.py --tables 1000 --rate 150 --seconds 20
    python tools/load.py --tables 4 --rate 8 --game cursed-hand                    # what a move costs, beats included
    python tools/load.py --tables 1 --rate 2 --spectators 3000                     # how long its players wait
    python tools/load.py --tables 8 --rate 16 --postgres --processes 2             # tables on both in turn
    python tools/load.py --tables 8 --rate 16 --postgres --processes 2 --mixed     # the seats of each table, too

The server runs in processes of its own on the loopback address, with a fresh SQLite file, or a PostgreSQL of its own;
they are ended afterwards.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import html
import itertools
import json
import multiprocessing
import random
import re
import resource
import statistics
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

from own_postgres import postgres

from hexdeck.cli.command_line import THIS_COMPUTER
from hexdeck.simulation.game import game
from hexdeck.simulation.warm import warm
from hexdeck.tables.database import Database
from hexdeck.web.server.settings import Limits

SEATS = 4
MOVE, VERSION = re.compile(rb'name="move" value="([^"]*)"'), re.compile(rb'name="version" value="(\d+)"')
GROUPS = re.compile(rb'data-groups="([^"]*)"')
METRICS_TOKEN = "metrics-under-load"
PLENTY = (1e6, 10**6)
FIRST = 3  # seconds of moves that aren't measured
MOST_TABLES, MOST_RATE, MOST_SECONDS = 2000, 1000, 120
AT_ONCE = 24  # tables that are set, or streams that are opened, at the same time
LONGER = {"cursed-hand": {"losses": 9}, "blackstone": {"rounds": 50}, "hawthorn": {"deals": 50}}  # else soon over


NONE = Limits(
    connections=12_000,
    streams=10_000,
    streams_each=10_000,
    streams_part=1,
    streams_at=10_000,
    spectators=10_000,
    tables_part=1,
    posts=PLENTY,
    pages=PLENTY,
    creates=PLENTY,
    joins=PLENTY,
    hints=PLENTY,
)


def serve(database: str, pause: float, limits: Limits, port: Any) -> None:
    """A server's process: tells its port."""
    from hexdeck.web.app import create_app
    from hexdeck.web.server.server import Server, listening_socket
    from hexdeck.web.server.settings import Settings

    proxies = (THIS_COMPUTER,)  # so that a header can tell visitors apart
    app = create_app(Settings(database, pause=pause, limits=limits, metrics_token=METRICS_TOKEN, proxies=proxies))
    listener = listening_socket(THIS_COMPUTER, 0)
    port.send(listener.getsockname()[1])
    Server(app).run(sockets=[listener])


@contextlib.contextmanager
def served(
    database: str = "", processes: int = 1, pause: float = 0.8, limits: Limits = NONE
) -> Iterator[list[tuple[int, int]]]:
    """Servers of one database: their ports and process ids. With a pause of 0, pages show no beats."""
    with tempfile.TemporaryDirectory() as folder, contextlib.ExitStack() as ends:
        url = database or f"sqlite:///{folder}/tables.db"
        Database(url).close()  # as a server finds it that was started before
        yield [ends.enter_context(begun(serve, url, pause, limits)) for _ in range(processes)]


@contextlib.contextmanager
def begun(work: Any, *arguments: Any) -> Iterator[tuple[Any, int]]:
    """A process, ended afterwards: what it tells first, and its id."""
    context = multiprocessing.get_context("spawn")
    here, there = context.Pipe()
    process = context.Process(target=work, args=(*arguments, there))
    process.start()
    try:
        yield here.recv(), process.pid or 0
    finally:
        process.terminate()
        process.join(10)


def watch(port: int, path: str, count: int, headers: dict[str, str], ready: Any) -> None:
    """A process of readers, who read a stream and forget it; tells when each has seen the table."""
    asyncio.run(crowd(port, path, count, headers, ready))


async def crowd(port: int, path: str, count: int, headers: dict[str, str], ready: Any) -> None:
    """The readers of a table, a few at each address where the headers name none."""
    lift_limit(count)
    seen: set[int] = set()

    class Spectator(asyncio.Protocol):
        def data_received(self, data: bytes) -> None:
            if b'"version":' in data or b"event: table" in data:
                seen.add(id(self))

    kept = []
    for number in range(count):
        kept.append(await asyncio.get_running_loop().create_connection(Spectator, THIS_COMPUTER, port))
        address = {"x-forwarded-for": f"203.0.113.{number % 250}"}
        kept[-1][0].write(request(port, "GET", path, address | headers))
    while len(seen) < count:
        await asyncio.sleep(0.1)
    ready.send(count)
    await asyncio.sleep(10_000)


def lift_limit(needed: int) -> None:
    """Allow this process so many open connections."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, min(hard, needed + 200)), hard))


class Wire:
    """One connection that is kept: requests one after another."""

    def __init__(self, port: int) -> None:
        self.port, self.lock = port, asyncio.Lock()
        self.cookie = ""  # the name of the server's cookie with a token
        self.streams: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None

    async def ask(self, method: str, path: str, headers: dict[str, str], body: bytes = b"") -> tuple[int, bytes]:
        """A request and its answer."""
        async with self.lock:
            if self.streams is None or self.streams[0].at_eof():  # the server hangs up after 5 s of silence
                self.streams = await asyncio.open_connection(THIS_COMPUTER, self.port)
            reader, writer = self.streams
            writer.write(request(self.port, method, path, {**headers, "content-length": str(len(body))}) + body)
            head = (await reader.readuntil(b"\r\n\r\n")).decode().lower()
            length = re.search(r"content-length: (\d+)", head)
            if name := re.search(r"set-cookie: (hexdeck-\w+)=", head):
                self.cookie = name[1]
            data = await reader.readexactly(int(length[1])) if length else b""
            return int(head.split(" ", 2)[1]), data

    async def api(
        self, method: str, path: str, token: str = "", data: Any = None, more: dict[str, str] | None = None
    ) -> Any:
        """A request to the API; `more`: headers."""
        headers = {"authorization": f"Bearer {token}"} if token else {}
        headers |= more or {}
        status, found = await self.ask(
            method, f"/api{path}", headers, b"" if data is None else json.dumps(data).encode()
        )
        if status >= 400:
            raise RuntimeError(f"{method} {path}: {status} {found[:200]!r}")
        return json.loads(found)

    def close(self) -> None:
        """Hang up."""
        if self.streams:
            self.streams[1].close()


def request(port: int, method: str, path: str, headers: dict[str, str]) -> bytes:
    """A request's head."""
    lines = [f"{method} {path} HTTP/1.1", f"host: {THIS_COMPUTER}:{port}", *(f"{k}: {v}" for k, v in headers.items())]
    return ("\r\n".join(lines) + "\r\n\r\n").encode()


@dataclass
class Measured:
    """What was seen."""

    acknowledged: list[float] = field(default_factory=list)
    heard: list[float] = field(default_factory=list)  # by each seat's page
    late: int = 0  # moves that others made impossible, or that came too late
    frames: int = 0
    worked: float = 0.0  # seconds of the server's processor time while moves were made


@dataclass
class Table:
    """A table whose seats are all ours."""

    id: str
    tokens: list[str]
    cookie: str  # that holds a token
    pages: dict[str, bytes] = field(default_factory=dict)  # by token, what its stream sent last
    writers: list[asyncio.StreamWriter] = field(default_factory=list)
    moved: float = 0.0  # when the last move was sent
    told: set[str] = field(default_factory=set)  # whose stream has told of it
    playing: set[str] = field(default_factory=set)  # whose page offers moves
    number: int = 0

    def headers(self, token: str) -> dict[str, str]:
        """What the browser of a seat sends: its cookie, from an address of its own, since addresses take turns."""
        place = SEATS * self.number + self.tokens.index(token)
        return {"cookie": f"{self.cookie}={token}", "x-forwarded-for": f"198.18.{place // 250}.{place % 250}"}


async def set_table(wire: Wire, name: str) -> Table:
    """A new table."""
    seats = ["you", *["open"] * (SEATS - 1)]
    wish = {"game": name, "players": SEATS, "seats": seats, "options": LONGER.get(name, {})}
    begun = await wire.api("POST", "/tables", data=wish)
    tokens = [begun["token"]]
    for seat in range(1, SEATS):
        joined = await wire.api(
            "POST", f"/tables/{begun['table']}/join", data={"invitation": begun["invitations"][str(seat)]}
        )
        tokens.append(joined["token"])
    if not wire.cookie:
        await wire.ask("GET", "/", {})
    return Table(begun["table"], tokens, wire.cookie)


async def listen(port: int, table: Table, token: str, measured: Measured) -> None:
    """The stream of a seat's page, read to its end."""
    reader, writer = await asyncio.open_connection(THIS_COMPUTER, port, limit=1 << 20)
    table.writers.append(writer)
    writer.write(request(port, "GET", f"/table/{table.id}/stream", table.headers(token)))
    with contextlib.suppress(ConnectionError, asyncio.IncompleteReadError):
        while True:
            news = await reader.readuntil(b"\n\n")
            if b"event: table\n" not in news:
                continue
            table.pages[token] = news
            measured.frames += 1
            (table.playing.add if moves_on(news) else table.playing.discard)(token)
            if table.moved and token not in table.told:
                measured.heard.append(time.perf_counter() - table.moved)
                table.told.add(token)


def moves_on(page: bytes) -> list[list[tuple[str, str]]]:
    """The moves that a page offers, each as fields of its form."""
    moves = [[("move", html.unescape(name.decode()))] for name in MOVE.findall(page)]
    groups = GROUPS.search(page)
    together = json.loads(html.unescape(groups[1].decode())) if groups else {}
    return moves + [[("card", code) for code in codes.split()] for codes in together]


async def move(wire: Wire, table: Table, measured: Measured, rng: random.Random) -> None:
    """One move at a table, by the form of a page as its stream sent it last."""
    for token in rng.sample(sorted(table.playing), len(table.playing)):
        page = table.pages[token]
        moves, version = moves_on(page), VERSION.search(page)
        if not moves or not version:
            continue
        fields = [*rng.choice(moves), ("version", version[1].decode())]
        headers = table.headers(token) | {"origin": f"http://{THIS_COMPUTER}:{wire.port}", "hexdeck": "1"}
        table.told.clear()
        began = table.moved = time.perf_counter()
        status, _ = await wire.ask("POST", f"/table/{table.id}/move", headers, urlencode(fields).encode())
        if status == 204:
            measured.acknowledged.append(time.perf_counter() - began)
        else:
            measured.late += 1
        return


async def steady(
    ports: list[int], tables: list[Table], wanted: argparse.Namespace, measured: Measured, seconds: float
) -> None:
    """Moves at a rate, each at another table in turn, whether or not the last was answered."""
    many = min(AT_ONCE // len(ports), max(1, int(2 * wanted.rate)))  # a server hangs up after 5 s of silence
    rng, wires = random.Random(1), [[Wire(port) for _ in range(many)] for port in ports]
    under_way: set[asyncio.Task[None]] = set()
    began, count = time.perf_counter(), 0
    while time.perf_counter() - began < seconds:
        playing = [table for table in tables if table.playing]
        if playing:
            table = playing[count % len(playing)]
            there = wires[(count if wanted.mixed else table.number) % len(ports)]
            task = asyncio.create_task(move(there[count % many], table, measured, rng))
            under_way.add(task)
            task.add_done_callback(under_way.discard)
        count += 1
        await asyncio.sleep(max(0.0, began + count / wanted.rate - time.perf_counter()))
    await asyncio.gather(*under_way)
    for wire in itertools.chain(*wires):
        wire.close()


async def loaded(servers: list[tuple[int, int]], wanted: argparse.Namespace) -> None:
    """Set the tables, open the streams, play; then say what was seen."""
    ports, pids = zip(*servers, strict=True)
    measured, wires = Measured(), [Wire(ports[0]) for _ in range(AT_ONCE)]
    tables: list[Table] = []
    for first in range(0, wanted.tables, AT_ONCE):
        batch = wires[: min(AT_ONCE, wanted.tables - first)]
        tables += await asyncio.gather(*(set_table(wire, wanted.game) for wire in batch))
    for number, table in enumerate(tables):
        table.number = number
    seats = [(seat, table, token) for table in tables for seat, token in enumerate(table.tokens)]
    listening = [
        asyncio.create_task(
            listen(ports[(seat if wanted.mixed else table.number) % len(ports)], table, token, measured)
        )
        for seat, table, token in seats
    ]
    with contextlib.ExitStack() as ends:
        if wanted.spectators:
            opening = begun(watch, ports[0], f"/table/{tables[0].id}/stream", wanted.spectators, {})
            await asyncio.get_running_loop().run_in_executor(None, ends.enter_context, opening)
        await told_of_all(measured, len(listening))
        await steady(list(ports), tables, wanted, Measured(), FIRST)  # templates are compiled
        await told_of_all(measured, 0)
        measured.heard.clear()
        idle, frames, before = memory(pids), measured.frames, worked(pids)
        await steady(list(ports), tables, wanted, measured, wanted.seconds)
        await asyncio.sleep(1)
        wires.append(Wire(ports[0]))  # the others have been silent for so long that the server hung up
        measured.worked = worked(pids) - before
        _, page = await wires[-1].ask("GET", "/metrics", {"authorization": f"Bearer {METRICS_TOKEN}"})
        report(wanted, measured, len(listening) + wanted.spectators, frames, idle, memory(pids), page.decode())
    for task in listening:
        task.cancel()
    for writer in (writer for table in tables for writer in table.writers):
        writer.close()
    for wire in wires:
        wire.close()


async def told_of_all(measured: Measured, streams: int) -> None:
    """Wait until nobody is told any more who came."""
    seen = -1
    while measured.frames < streams or measured.frames != seen:
        seen = measured.frames
        await asyncio.sleep(1)


def memory(pids: Sequence[int]) -> float:
    """What processes hold in memory, in MB (Linux only; elsewhere 0)."""
    files = [Path(f"/proc/{pid}/status") for pid in pids]
    found = [re.search(r"VmRSS:\s+(\d+)", file.read_text(encoding="utf-8")) for file in files if file.is_file()]
    return sum(int(each[1]) / 1024 for each in found if each)


def worked(pids: Sequence[int]) -> float:
    """Seconds of processor time that processes have taken (Linux only: it makes a clock of each id)."""
    return sum(time.clock_gettime((~pid << 3) | 2) for pid in pids)


def median_of(metrics: str, name: str) -> float:
    """The upper bound of the bucket where the middle of a Prometheus histogram is, in ms."""
    buckets = re.findall(rf'^{name}_bucket{{le="([^"]+)"}} (\S+)$', metrics, re.MULTILINE)
    total = float(buckets[-1][1]) if buckets else 0.0
    return next((1000 * float(bound) for bound, count in buckets if float(count) >= total / 2), 0.0)


def report(
    wanted: argparse.Namespace, measured: Measured, streams: int, before: int, idle: float, busy: float, metrics: str
) -> None:
    """The figures."""
    moves = sorted(1000 * seconds for seconds in measured.acknowledged)
    heard = sorted(1000 * seconds for seconds in measured.heard)
    print(f"{wanted.tables} tables of {wanted.game}, {streams} streams: {idle:.0f} MB; after the moves {busy:.0f} MB")
    print(
        f"{len(moves)} moves in {wanted.seconds} s ({len(moves) / wanted.seconds:.0f}/s), {measured.late} refused, "
        f"{(measured.frames - before) / wanted.seconds:.0f} pages of news a second"
    )
    print(
        f"the server's processor time: {1000 * measured.worked / max(1, len(moves)):.2f} ms a move, all pages included"
    )
    for name, times in (("acknowledged", moves), ("heard by a seat's page", heard)):
        if times:
            print(f"{name}: p50 {statistics.median(times):.1f} ms, p99 {times[int(0.99 * (len(times) - 1))]:.1f} ms")
    total, count = (
        float(value)
        for value in re.findall(r"^hexdeck_render_seconds_(?:sum|count) (\S+)$", metrics, re.MULTILINE)[::-1]
    )
    mean = 1000 * total / max(1.0, count)
    print(f"view and page: median at most {median_of(metrics, 'hexdeck_render_seconds'):.2f} ms, mean {mean:.2f} ms")


def main() -> None:
    """Read the arguments, within bounds, and run."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tables", type=int, default=100)
    parser.add_argument("--rate", type=float, default=50)
    parser.add_argument("--seconds", type=float, default=10)
    parser.add_argument("--game", default="high-handed")
    parser.add_argument("--spectators", type=int, default=0, help="of the first table")
    parser.add_argument("--no-beats", action="store_true", help="pages show the newest view at once")
    parser.add_argument("--database", default="", help="an empty one; default: a fresh SQLite file")
    parser.add_argument("--postgres", action="store_true", help="in a PostgreSQL of its own, as the tests have one")
    parser.add_argument("--processes", type=int, default=1, help="that share the database")
    parser.add_argument("--mixed", action="store_true", help="a table's seats are at all processes, not at one of them")
    wanted = parser.parse_args()
    if not (
        1 <= wanted.tables <= MOST_TABLES and 0.5 <= wanted.rate <= MOST_RATE and 1 <= wanted.seconds <= MOST_SECONDS
    ):
        parser.error(f"at most {MOST_TABLES} tables, 0.5 to {MOST_RATE} moves a second, {MOST_SECONDS} seconds")
    warm(game(wanted.game, SEATS).name)  # as a server does by itself, in the background, when it is first started
    lift_limit(2 * SEATS * wanted.tables + 2 * wanted.spectators)
    with contextlib.ExitStack() as ends:
        database = ends.enter_context(postgres()) if wanted.postgres else wanted.database
        servers = ends.enter_context(served(database, wanted.processes, 0.0 if wanted.no_beats else 0.8))
        asyncio.run(loaded(servers, wanted))


if __name__ == "__main__":
    main()
