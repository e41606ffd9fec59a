"""Load a server of our own, on this machine only: tables with open streams, moves at a steady rate; what it costs.

    python tools/load.py --tables 1000 --rate 150 --seconds 20

The server runs in a process of its own on the loopback address, with a fresh SQLite file; it is ended afterwards.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import html
import json
import multiprocessing
import os
import random
import re
import resource
import statistics
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

from hexdeck.cli.keep.serve import THIS_COMPUTER
from hexdeck.simulation.game import game
from hexdeck.simulation.warm import warm
from hexdeck.tables.storage.database import Database

SEATS = 4
MOVE, VERSION = re.compile(rb'name="move" value="([^"]*)"'), re.compile(rb'name="version" value="(\d+)"')
MOST_TABLES, MOST_RATE, MOST_SECONDS = 2000, 1000, 120
AT_ONCE = 24  # tables that are set, or streams that are opened, at the same time


def serve(folder: str, port: Any) -> None:
    """The server's process: tells its port."""
    from hexdeck.web.app import create_app
    from hexdeck.web.ops.server import Server, listening_socket
    from hexdeck.web.ops.settings import Limits, Settings

    plenty = (1e6, 10**6)
    limits = Limits(streams=10_000, streams_each=10_000, posts=plenty, pages=plenty, creates=plenty, joins=plenty)
    app = create_app(Settings(f"sqlite:///{folder}/tables.db", pause=0, limits=limits))
    listener = listening_socket(THIS_COMPUTER, 0)
    port.send(listener.getsockname()[1])
    Server(app).run(sockets=[listener])


@contextlib.contextmanager
def served() -> Iterator[tuple[int, int]]:
    """A server: its port and process id."""
    context = multiprocessing.get_context("spawn")
    here, there = context.Pipe()
    with tempfile.TemporaryDirectory() as folder:
        Database(f"sqlite:///{folder}/tables.db").close()  # as a server finds it that was started before
        process = context.Process(target=serve, args=(folder, there))
        process.start()
        try:
            yield here.recv(), process.pid or 0
        finally:
            process.terminate()
            process.join(10)


class Wire:
    """One connection that is kept: requests one after another."""

    def __init__(self, port: int) -> None:
        self.port, self.lock = port, asyncio.Lock()
        self.streams: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None

    async def ask(self, method: str, path: str, headers: dict[str, str], body: bytes = b"") -> tuple[int, bytes]:
        """A request and its answer."""
        async with self.lock:
            if self.streams is None:
                self.streams = await asyncio.open_connection(THIS_COMPUTER, self.port)
            reader, writer = self.streams
            writer.write(request(self.port, method, path, {**headers, "content-length": str(len(body))}) + body)
            head = (await reader.readuntil(b"\r\n\r\n")).decode().lower()
            length = re.search(r"content-length: (\d+)", head)
            data = await reader.readexactly(int(length[1])) if length else b""
            return int(head.split(" ", 2)[1]), data

    async def api(self, method: str, path: str, token: str = "", data: Any = None) -> Any:
        """A request to the API."""
        headers = {"authorization": f"Bearer {token}"} if token else {}
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
    heard: list[float] = field(default_factory=list)
    late: int = 0  # moves that others made impossible, or that came too late
    frames: int = 0
    worked: float = 0.0  # seconds of the server's processor time while moves were made


@dataclass
class Table:
    """A table whose seats are all ours."""

    id: str
    tokens: list[str]
    pages: dict[str, bytes] = field(default_factory=dict)  # by token, what its stream sent last
    writers: list[asyncio.StreamWriter] = field(default_factory=list)
    moved: float = 0.0  # when the last move was sent, until a stream tells of it


async def set_table(wire: Wire, name: str) -> Table:
    """A new table."""
    begun = await wire.api(
        "POST", "/tables", data={"game": name, "players": SEATS, "seats": ["you", *["open"] * (SEATS - 1)]}
    )
    tokens = [begun["token"]]
    for seat in range(1, SEATS):
        joined = await wire.api(
            "POST", f"/tables/{begun['table']}/join", data={"invitation": begun["invitations"][str(seat)]}
        )
        tokens.append(joined["token"])
    return Table(begun["table"], tokens)


async def listen(port: int, table: Table, token: str, measured: Measured) -> None:
    """The stream of a seat's page, read to its end."""
    reader, writer = await asyncio.open_connection(THIS_COMPUTER, port, limit=1 << 20)
    table.writers.append(writer)
    writer.write(request(port, "GET", f"/table/{table.id}/stream", {"cookie": f"hexdeck={token}"}))
    with contextlib.suppress(ConnectionError, asyncio.IncompleteReadError):
        while True:
            news = await reader.readuntil(b"\n\n")
            if b"event: table\n" not in news:
                continue
            table.pages[token] = news
            measured.frames += 1
            if table.moved:
                measured.heard.append(time.perf_counter() - table.moved)
                table.moved = 0.0


async def move(wire: Wire, port: int, table: Table, measured: Measured, rng: random.Random) -> None:
    """One move at a table, by the form of a page as its stream sent it last."""
    for token in rng.sample(table.tokens, len(table.tokens)):
        page = table.pages[token]
        moves, version = MOVE.findall(page), VERSION.search(page)
        if not moves or not version:
            continue
        fields = {"move": html.unescape(rng.choice(moves).decode()), "version": int(version[1])}
        headers = {"cookie": f"hexdeck={token}", "origin": f"http://{THIS_COMPUTER}:{port}", "hexdeck": "1"}
        began = table.moved = time.perf_counter()
        status, _ = await wire.ask("POST", f"/table/{table.id}/move", headers, urlencode(fields).encode())
        if status == 204:
            measured.acknowledged.append(time.perf_counter() - began)
        else:
            measured.late += 1
        return


async def steady(port: int, tables: list[Table], rate: float, seconds: float, measured: Measured) -> None:
    """Moves at a rate, each at another table in turn, whether or not the last was answered."""
    rng, wires = random.Random(1), [Wire(port) for _ in range(AT_ONCE)]
    under_way: set[asyncio.Task[None]] = set()
    began, count = time.perf_counter(), 0
    while time.perf_counter() - began < seconds:
        task = asyncio.create_task(move(wires[count % AT_ONCE], port, tables[count % len(tables)], measured, rng))
        under_way.add(task)
        task.add_done_callback(under_way.discard)
        count += 1
        await asyncio.sleep(max(0.0, began + count / rate - time.perf_counter()))
    await asyncio.gather(*under_way)
    for wire in wires:
        wire.close()


async def loaded(port: int, pid: int, wanted: argparse.Namespace) -> None:
    """Set the tables, open the streams, play; then say what was seen."""
    measured, wires = Measured(), [Wire(port) for _ in range(AT_ONCE)]
    tables: list[Table] = []
    for first in range(0, wanted.tables, AT_ONCE):
        batch = wires[: min(AT_ONCE, wanted.tables - first)]
        tables += await asyncio.gather(*(set_table(wire, wanted.game) for wire in batch))
    listening = [
        asyncio.create_task(listen(port, table, token, measured)) for table in tables for token in table.tokens
    ]
    seen = -1
    while measured.frames < len(listening) or measured.frames != seen:  # until nobody is told any more who came
        seen = measured.frames
        await asyncio.sleep(1)
    idle, frames, before = memory(pid), measured.frames, worked(pid)
    await steady(port, tables, wanted.rate, wanted.seconds, measured)
    await asyncio.sleep(1)
    wires.append(Wire(port))  # the others have been silent for so long that the server hung up
    _, page = await wires[-1].ask("GET", "/metrics", {})
    measured.worked = worked(pid) - before
    report(wanted, measured, len(listening), frames, idle, memory(pid), page.decode())
    for task in listening:
        task.cancel()
    for writer in (writer for table in tables for writer in table.writers):
        writer.close()
    for wire in wires:
        wire.close()


def memory(pid: int) -> float:
    """What a process holds in memory, in MB (Linux only; elsewhere 0)."""
    file = Path(f"/proc/{pid}/status")
    found = re.search(r"VmRSS:\s+(\d+)", file.read_text(encoding="utf-8")) if file.is_file() else None
    return int(found[1]) / 1024 if found else 0.0


def worked(pid: int) -> float:
    """Seconds of processor time that a process has taken (Linux only; elsewhere 0)."""
    file = Path(f"/proc/{pid}/stat")
    if not file.is_file():
        return 0.0
    fields = file.read_text(encoding="utf-8").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


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
    print(f"{len(moves)} moves in {wanted.seconds} s ({len(moves) / wanted.seconds:.0f}/s), {measured.late} refused, "
          f"{(measured.frames - before) / wanted.seconds:.0f} pages of news a second")  # fmt: skip
    print(
        f"the server's processor time: {1000 * measured.worked / max(1, len(moves)):.2f} ms a move, all pages included"
    )
    for name, times in (("acknowledged", moves), ("first heard", heard)):
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
    wanted = parser.parse_args()
    if not (
        1 <= wanted.tables <= MOST_TABLES and 1 <= wanted.rate <= MOST_RATE and 1 <= wanted.seconds <= MOST_SECONDS
    ):
        parser.error(f"at most {MOST_TABLES} tables, {MOST_RATE} moves a second, {MOST_SECONDS} seconds")
    warm(game(wanted.game, SEATS).name)  # as a server does by itself, in the background, when it is first started
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    needed = 2 * SEATS * wanted.tables + 200
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, min(hard, needed)), hard))
    with served() as (port, pid):
        asyncio.run(loaded(port, pid, wanted))


if __name__ == "__main__":
    main()
