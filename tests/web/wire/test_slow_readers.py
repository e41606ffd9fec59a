"""Clients that read their stream drop by drop delay nobody: the same moves with and without them, in one run."""

import contextlib
import random
import select
import socket
import statistics
import threading
import time
from collections.abc import Iterator

from hexdeck.web.live.streams import Streams
from tests.settings import much
from tests.web.serving import PATIENCE, Person, Served, until
from tests.web.wire.test_crowd import read

SLOW = much(60, 200)  # readers
ROUNDS, MOVES = 3, 6  # of each kind in turn; moves of each round
DROP, EVERY = 64, 0.2  # bytes that a slow reader takes at once, and seconds between
LONG = {"game": "blackstone", "players": "2", "seat-1": "open", "option-rounds": "50"}
NARROW = 4096  # bytes that its socket keeps
MOST_TIMES, LEAST = 3.0, 0.15  # how many times longer a move may take among them; seconds that are always allowed


@contextlib.contextmanager
def slow_readers(site: Served, table: str, count: int) -> Iterator[None]:
    """So many clients that have asked for a table's stream and take a drop of it now and then."""
    with contextlib.ExitStack() as stack:
        sockets, over = list[socket.socket](), threading.Event()
        for _ in range(count):
            one = stack.enter_context(socket.socket())
            one.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, NARROW)
            one.connect(site.listener.getsockname())
            one.sendall(f"GET /table/{table}/stream HTTP/1.1\r\nhost: {site.base[7:]}\r\n\r\n".encode())
            sockets.append(one)

        def drip() -> None:
            while not over.wait(EVERY):
                for one in select.select(sockets, [], [], 0)[0]:
                    one.recv(DROP)

        reader = threading.Thread(target=drip, daemon=True)
        reader.start()
        until(lambda: streams_of(site.state.streams, table) >= count)
        yield
        over.set()
        reader.join(PATIENCE)
    until(lambda: streams_of(site.state.streams, table) < count)


def streams_of(streams: Streams, table: str) -> int:
    """How many streams a table has."""
    readers = streams.by_table.get(table)
    return len(readers.crowd) if readers else 0


def seconds_of_moves(people: tuple[Person, Person], heard: list[str], rng: random.Random) -> list[float]:
    """How long each move takes, from when it is sent until somebody who watches is shown it."""
    out = list[float]()
    while len(out) < MOVES:
        for person in people:
            page = person.page()
            before, began = len(heard), time.perf_counter()
            if 'name="move"' not in page:
                continue
            assert not person.plays(rng, page), "the match is over"
            until(lambda since=before: any('data-version="' in each for each in heard[since:]))
            out.append(time.perf_counter() - began)
    return out


def test_who_reads_drop_by_drop_delays_nobody(site: Served) -> None:
    people, rng, heard = (Person(site.base), Person(site.base)), random.Random(2), list[str]()
    people[0].sits_down(people[0].post("/tables", LONG))
    people[1].sits_down(people[1].post(people[0].invitations()[0]))
    table = people[0].table
    threading.Thread(target=read, args=(site.base, f"/table/{table}/stream", heard), daemon=True).start()
    until(lambda: heard)
    seconds_of_moves(people, heard, rng)  # the first have much to load
    among, alone = list[float](), list[float]()
    for _ in range(ROUNDS):
        alone += seconds_of_moves(people, heard, rng)
        with slow_readers(site, table, SLOW):
            among += seconds_of_moves(people, heard, rng)
    usual, slowed = statistics.median(alone), statistics.median(among)
    print(f"{SLOW} slow readers: a move takes {slowed:.3f} s, without them {usual:.3f} s; at most {max(among):.3f} s"
          f" and {max(alone):.3f} s")  # fmt: skip
    assert slowed < max(MOST_TIMES * usual, LEAST) and max(among) < max(MOST_TIMES * max(alone), 1.0)
