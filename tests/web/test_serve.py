"""`hexdeck serve` as people start it: what it prints, where it listens, how it ends."""

import html
import os
import re
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from hexdeck.cli.command_line import THIS_COMPUTER
from hexdeck.cli.serve import ANYWHERE, greeting, reached_at, serve
from hexdeck.engine.errors import BadOption
from hexdeck.tables.database import Database
from hexdeck.tables.errors import BadStore
from hexdeck.web.server import server
from hexdeck.web.server.server import listening_socket
from tests.support import PATIENCE
from tests.web.serving import Person, file_in, get, served


def test_two_servers_never_share_a_port(monkeypatch: pytest.MonkeyPatch) -> None:
    """On Windows two sockets with SO_REUSEADDR may listen at once; there is another option there, which says no."""
    with listening_socket(THIS_COMPUTER, 0) as first:
        port = first.getsockname()[1]
        with listening_socket(THIS_COMPUTER, port) as second:
            assert second.getsockname()[1] != port
    chosen: list[int] = []
    monkeypatch.setattr(socket, "SO_EXCLUSIVEADDRUSE", ~socket.SO_REUSEADDR, raising=False)
    monkeypatch.setattr(socket.socket, "setsockopt", lambda _socket, _level, option, _value: chosen.append(option))
    listening_socket(THIS_COMPUTER, 0).close()
    assert chosen == [~socket.SO_REUSEADDR]


@pytest.fixture
def started(tmp_path: Path) -> Iterator[tuple[subprocess.Popen[str], list[str], int]]:
    """A server, what it printed, and the port that was wanted but is taken by another program."""
    with listening_socket(THIS_COMPUTER, 0) as other:
        wanted = other.getsockname()[1]
        command = ["serve", "--no-browser", "--port", str(wanted), "--database", str(tmp_path / "cards.db")]
        process = subprocess.Popen(
            [sys.executable, "-m", "hexdeck", *command],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env={**os.environ, "HEXDECK_BACKEND": "interpreted"},
        )
        assert process.stdout is not None and process.stderr is not None
        yield process, [process.stdout.readline().strip() for _ in range(4)], wanted
        process.kill()
        process.wait(PATIENCE)
        process.stdout.close()
        process.stderr.close()


@pytest.mark.skipif(sys.platform == "win32", reason="Windows knows no SIGINT to another process")
def test_it_takes_the_next_free_port_says_where_all_is_and_ends_without_a_traceback(started, tmp_path) -> None:
    process, said, wanted = started
    assert said.pop(0) == f"Port {wanted} is taken; this is the next free one."
    found = re.fullmatch(r"The card table is at (http://[\d.]+:(\d+))/", said[0])
    assert found and wanted < int(found[2]) <= wanted + 40
    assert said[1].startswith("Only this computer can reach it.") and "--lan" in said[1]
    assert str(tmp_path / "cards.db") in said[2]
    assert "Play now" in get(f"{found[1]}/").text
    with pytest.raises(BadStore, match=f"already running, at {found[1]}/: .*process {process.pid}"):
        Database(str(tmp_path / "cards.db"))
    ann = Person(found[1]).begins({"game": "hawthorn"}, "/play")
    with ann.http.stream("GET", f"/table/{ann.table}/stream") as stream:
        frames = stream.iter_raw()
        assert next(frames).startswith(b"event: table")
        for _ in range(3):
            process.send_signal(signal.SIGINT)  # as Ctrl-C does, with a page open, and again while it ends
        assert b"".join(frames)[-2:] in {b"", b"\n\n"}  # ended after a whole frame; cut off it would raise
    _out, errors = process.communicate(timeout=PATIENCE)
    assert (process.returncode, errors) == (0, "")


def test_other_devices_are_told_the_address_on_the_network() -> None:
    said = [str(text) for text in greeting("http://localhost:8400/", "http://cards.example:8400", "cards.db")]
    assert said[1] == "Other devices on your network reach it at http://cards.example:8400/"
    assert "http://cards.example:8400/j;" in said[2] and said[2].endswith("http://cards.example:8400/tv")


def test_without_a_known_address_nobody_is_told_that_only_this_computer_is_let_in(tmp_path, monkeypatch) -> None:
    monkeypatch.setattr(server, "lan_address", lambda: "")  # as without a router
    for host in ANYWHERE:
        assert reached_at(host, 8400) == ""
    assert "this computer's address on their network, port 8400" in str(greeting("x", "", "cards.db", 8400)[1])
    for lan, said in ((True, "at this computer's network address, which"), (False, "hexdeck serve --lan")):
        (tmp_path / str(lan)).mkdir()
        with served(file_in(tmp_path / str(lan)), **{"for_lan": ()} if lan else {}) as site:
            ann = Person(site.base).begins({"game": "hawthorn", "players": "3", "seat-1": "open", "seat-2": "open"})
            for page in (ann.page(), ann.get(f"/table/{ann.table}/invite").text):
                assert html.unescape(page).count(said) == 1
            link = re.search(r"/join/[\w.-]+", ann.page())
            ben = Person(site.base).begins({"name": "Ben"}, link[0] if link else "")
            for page in (ben.page(), ben.get(f"/table/{ben.table}/invite").text):
                assert said not in html.unescape(page) and page.count("Ask the host to start the server") == 1


def test_anywhere_of_ipv6_is_reached_at_an_address_that_means_something(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(server, "lan_address", lambda: "192.0.2.7")
    assert [reached_at(host, 8400) for host in ANYWHERE] == ["http://192.0.2.7:8400"] * 2


def test_an_address_that_this_computer_cannot_have_is_refused_in_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    def none(*_: object) -> None:
        raise OSError(97, "Address family not supported by protocol")

    monkeypatch.setattr(server.socket, "socket", none)
    with pytest.raises(BadOption, match="No port from 8400 on can be opened on ::1: Address family"):
        listening_socket("::1", 8400)


def test_whoever_ends_the_server_ends_what_it_compiles_meanwhile(monkeypatch: pytest.MonkeyPatch) -> None:
    """Uvicorn stops, then raises the signal again, which would end the process at once."""
    reading, writing = os.pipe()
    compiler = subprocess.Popen([sys.executable, "-c", "input()"], stdin=reading)
    monkeypatch.setattr("hexdeck.cli.serve.compile_meanwhile", lambda _games: compiler)
    before = {number: signal.getsignal(number) for number in (signal.SIGTERM, signal.SIGINT)}

    class Ended:
        def run(self, sockets: list[socket.socket]) -> None:
            assert sockets and signal.getsignal(signal.SIGTERM) is not before[signal.SIGTERM]
            signal.raise_signal(signal.SIGTERM)

    try:
        with listening_socket(THIS_COMPUTER, 0) as listener, pytest.raises(SystemExit, match=str(128 + signal.SIGTERM)):
            serve(Ended(), listener, None)
        assert compiler.poll() is not None
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
        compiler.kill()
        compiler.wait()
        os.close(reading), os.close(writing)
