"""A server for tests, in a thread or in a process of its own; and clients: people with browsers, and programs."""

import contextlib
import functools
import html
import json
import multiprocessing
import os
import random
import re
import signal
import ssl
import threading
import time
from collections.abc import Iterator, Sequence
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

import httpx

from hexdeck.cli.command_line import THIS_COMPUTER
from hexdeck.tables.daily import end_of
from hexdeck.tables.registry import Runtime
from hexdeck.web.app import create_app
from hexdeck.web.server import state
from hexdeck.web.server.server import Server, listening_socket
from hexdeck.web.server.settings import Limits, Settings
from hexdeck.web.server.state import ServerState
from tests.evenings.world import PLENTY
from tests.support import PATIENCE, Progress, until
from tests.tables.house import with_a_file

METRICS_TOKEN = "metrics-of-the-tests"
BACKEND = "fast"  # of all servers here
AHEAD = end_of("2026-11-26") - 12 * 3600 - time.time()  # when the tests begin it is noon there, whatever the day
Data = dict[str, Any]
PLAIN = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)  # nothing here is encrypted: one for all, without certificates to read
CLIENTS: list[httpx.Client] = []  # that a test made: closed after it
get = functools.partial(httpx.get, verify=PLAIN, timeout=PATIENCE)  # without cookies, as what follows
post = functools.partial(httpx.post, verify=PLAIN, timeout=PATIENCE)


class AtNoon(Runtime):
    """A machine on which no day ends during the tests, and whose puzzles are always the same."""

    def clock(self) -> float:
        """The time since a noon."""
        return super().clock() + AHEAD


class Beside(Server):
    """A server beside tests, whose garbage it leaves alone: to collect that takes longer than to start."""

    def _collect_garbage(self) -> None:
        """Leave it."""


class Served:
    """A server in a thread; what a first start does to a database that isn't there is done once for all."""

    def __init__(
        self,
        database: str,
        limits: Limits = PLENTY,
        port: int = 0,
        made_by: Any = Beside,
        host: str = THIS_COMPUTER,
        **settings: Any,
    ) -> None:
        with_a_file(database)
        self.app = create_app(
            Settings(database, **{"pause": 0, "limits": limits, "metrics_token": METRICS_TOKEN, **settings}), AtNoon()
        )
        self.state: ServerState = self.app.state.server
        self.listener = listening_socket(host, port)
        self.port = self.listener.getsockname()[1]
        self.base = f"http://{THIS_COMPUTER}:{self.listener.getsockname()[1]}"
        self.prefix = self.state.settings.prefix
        self.server = made_by(self.app)
        self.thread = threading.Thread(target=self.server.run, kwargs={"sockets": [self.listener]})
        self.thread.start()
        until(lambda: self.server.started or not self.thread.is_alive())

    def stop(self) -> None:
        self.server.should_exit = True
        self.thread.join(PATIENCE)
        assert not self.thread.is_alive()
        self.listener.close()


@contextlib.contextmanager
def served(database: str, limits: Limits = PLENTY, **settings: Any) -> Iterator[Served]:
    server = Served(database, limits, **settings)
    try:
        yield server
    finally:
        server.stop()


class Process:
    """A server in a process of its own, without tight limits.

    `repeats`: whether it tells again who is there, and takes processes that are silent for gone.
    """

    def __init__(self, database: str, repeats: bool = True, **settings: Any) -> None:
        clean = multiprocessing.get_context("forkserver")  # where all is loaded already, and nothing runs
        clean.set_forkserver_preload([__name__, "alembic.command", "pytest"])
        here, there = clean.Pipe(duplex=False)
        self.process = clean.Process(target=main, args=(database, there, repeats, settings))
        self.process.start()
        there.close()
        try:
            self.base: str = here.recv()
        except EOFError:
            raise AssertionError("the server didn't start") from None
        finally:
            here.close()
        until(self.answers)

    def answers(self) -> bool:
        try:
            return get(f"{self.base}/healthz").status_code == 200
        except httpx.TransportError:
            return False

    def kill(self) -> None:
        """Kill it, whatever it is doing."""
        self.process.kill()
        self.process.join(PATIENCE)

    def stop(self) -> None:
        self.process.terminate()
        self.process.join(PATIENCE)
        assert self.process.exitcode in {0, -signal.SIGTERM}


def main(database: str, pipe: Connection, repeats: bool, settings: Data) -> None:
    """The process's main function: sends its address, then serves."""
    os.environ["HEXDECK_BACKEND"] = BACKEND
    if not repeats:
        state.REPEAT_EVERY = state.SILENCE_LIMIT = 1e6
    app, listener = (
        create_app(Settings(database, **{"pause": 0, "limits": PLENTY, **settings})),
        listening_socket(THIS_COMPUTER, 0),
    )
    pipe.send(f"http://{THIS_COMPUTER}:{listener.getsockname()[1]}")
    pipe.close()
    Server(app).run(sockets=[listener])


def metrics(base: str) -> str:
    answer = get(f"{base}/metrics", headers={"authorization": f"Bearer {METRICS_TOKEN}"})
    assert answer.status_code == 200
    return answer.text


def file_in(folder: Path) -> str:
    return f"sqlite:///{folder / 'tables.db'}"


def hang_up() -> None:
    while CLIENTS:
        CLIENTS.pop().close()


# --- people -----------------------------------------------------------------------------------------------------------
class Person:
    """A browser without scripts: pages, links, forms, a cookie jar."""

    def __init__(self, base: str, lang: str = "en") -> None:
        self.base = base
        headers = {"accept-language": lang, "origin": base}
        self.http = httpx.Client(base_url=base, headers=headers, timeout=PATIENCE, verify=PLAIN)
        CLIENTS.append(self.http)
        self.table = ""

    @property
    def token(self) -> str:
        """The token that the browser keeps; empty without one."""
        tokens = [cookie for cookie in self.http.cookies.jar if cookie.name.startswith("hexdeck-")]
        return str(max(tokens, key=lambda cookie: bool(cookie.domain)).value) if tokens else ""  # the server's, if any

    def takes(self, token: str) -> None:
        self.http.cookies.set(token_cookie(self.base), token)

    def get(self, path: str, lang: str = "") -> httpx.Response:
        """Look at a page, in a language if one is given."""
        return self.http.get(path, headers={"accept-language": lang} if lang else {})

    def post(self, path: str, fields: Data | None = None, **more: Any) -> httpx.Response:
        return self.http.post(path, data=fields or {}, **more)

    def sits_down(self, answer: httpx.Response) -> str:
        """The table that an answer leads to, which is theirs from then on."""
        assert answer.status_code == 303, answer.text
        self.table = answer.headers["location"].rpartition("/table/")[2]
        return self.table

    def begins(self, fields: Data, path: str = "/tables") -> "Person":
        self.sits_down(self.post(path, fields))
        return self

    def joins(self, host: "Person", fields: Data | None = None) -> "Person":
        """Take the first free seat at somebody's table, by its invitation."""
        self.sits_down(self.post(host.invitations()[0], fields))
        return self

    def page(self) -> str:
        answer = self.get(f"/table/{self.table}")
        assert answer.status_code == 200, answer.text
        return answer.text

    def invitations(self) -> list[str]:
        """The links to free seats, as the page of invitations shows them."""
        page = self.get(f"/table/{self.table}/invite").text
        return sorted(set(re.findall(r"/join/[\w.-]+", page)))

    def plays(self, rng: random.Random, page: str = "") -> bool:
        """Make one move by the forms of the page (loaded if none is given), if any; returns whether it is over."""
        page = page or self.page()
        version = re.search(r'name="version" value="(\d+)"', page)
        if version is None:
            return f"/table/{self.table}/record" in page
        moves = re.findall(r'name="move" value="([^"]*)"', page)
        cards = re.findall(r'type="checkbox" form="play" name="card" value="([^"]*)"', page)
        if not moves and not cards:
            return f"/table/{self.table}/record" in page
        chosen: Data = {"move": html.unescape(rng.choice(moves))} if moves else {"card": rng.sample(cards, 2)}
        answer = self.post(f"/table/{self.table}/move", {"version": version[1], **chosen})
        assert answer.status_code in {303, 400, 409}, answer.text
        return False


def token_cookie(base: str) -> str:
    [name] = [name for name in get(f"{base}/").cookies if name.startswith("hexdeck-")]
    return name


def carried_by(person: Person) -> str:
    """The page with a link that carries a person's seat to another device."""
    answer = person.post(f"/table/{person.table}/carry")
    assert answer.status_code == 303, answer.text
    return person.get(answer.headers["location"]).text


# --- programs ---------------------------------------------------------------------------------------------------------
class Program:
    """A client of the API, with the token of a seat."""

    def __init__(self, base: str, token: str = "") -> None:
        self.http = httpx.Client(base_url=f"{base}/api", timeout=PATIENCE, verify=PLAIN)
        CLIENTS.append(self.http)
        self.table = ""
        self.becomes(token)

    def becomes(self, token: str) -> None:
        self.token = token
        self.http.headers["authorization"] = f"Bearer {token}" if token else ""

    def get(self, path: str = "") -> httpx.Response:
        return self.http.get(f"/tables/{self.table}{path}")

    def post(self, path: str, data: Data | None = None) -> httpx.Response:
        return self.http.post(f"/tables/{self.table}{path}", json=data or {})

    def creates(self, **setup: Any) -> Data:
        answer = self.http.post("/tables", json=setup)
        assert answer.status_code == 201, answer.text
        return self.sat(answer.json())

    def joins(self, invitation: str, **about: Any) -> Data:
        self.table = invitation.partition(".")[0]
        answer = self.post("/join", {"invitation": invitation, **about})
        assert answer.status_code == 201, answer.text
        return self.sat(answer.json())

    def sat(self, state: Data) -> Data:
        self.table = state["table"]
        self.becomes(state["token"])
        return state

    def state(self) -> Data:
        answer = self.get()
        assert answer.status_code == 200, answer.text
        state: Data = answer.json()
        return state

    def frames(self) -> Iterator[Data]:
        with self.http.stream("GET", f"/tables/{self.table}/stream") as answer:
            assert answer.status_code == 200
            for line in answer.iter_lines():
                if line:
                    yield json.loads(line)

    def moves(self, rng: random.Random) -> Data:
        """One move, if there is one; returns the table."""
        state = self.state()
        if state["view"]["moves"]:
            move = rng.choice(state["view"]["moves"])["name"]
            answer = self.post("/move", {"move": move, "version": state["version"]})
            assert answer.status_code in {200, 409}, answer.text
            if answer.status_code == 200:
                return dict(answer.json())
        return self.state()


def play_on(programs: Sequence[Program], rng: random.Random, least: int = 10**9) -> Data:
    """Let programs move until the match is over, or has so many versions."""
    progress = Progress()
    while True:
        state = rng.choice(programs).moves(rng)
        if state["state"] == "over" or state["version"] >= least:
            return state
        progress.at(state["version"])
