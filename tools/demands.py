"""How long others wait while some visitors ask for much, and what requests cost; the server is our own, on loopback.

    python tools/demands.py                       # each demand: a player's moves and bots without it, then beside it
    python tools/demands.py analyses spectators   # some of them
    python tools/demands.py --costs               # the processor time of requests, into docs/notebook/requests.md

Visitors are told apart as behind a proxy, by a header, and the limits are those of any server. What else the machine
does is in all times, without a demand as beside it.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import functools
import itertools
import json
import math
import os
import random
import re
import shutil
import statistics
import tempfile
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from load import NONE, Wire, begun, lift_limit, request, served, watch, worked
from sqlalchemy import insert, select

import hexdeck
from hexdeck.bots.players.roster import bot, playing_now
from hexdeck.cli.command_line import THIS_COMPUTER
from hexdeck.simulation.game import Game
from hexdeck.simulation.warm import warm
from hexdeck.tables import commands
from hexdeck.tables.database import Database, events, holders
from hexdeck.tables.database import tables as database_tables
from hexdeck.tables.entries import OVER, PLAYING, Draft, Entry
from hexdeck.tables.keys import hashed
from hexdeck.tables.live import LiveTable
from hexdeck.tables.registry import TableRegistry
from hexdeck.web.server.settings import Limits

MODEST, GREEDY, ALSO = "198.51.100.7", "192.0.2.1", "192.0.2.2"  # addresses for documentation
GAME, PAUSE = "high-handed", 0.2  # the player's; seconds between the bot's move and the player's
LONG, LENGTH = "hawthorn", 1_000  # a long match, and its deals
SHORT, MATCHES = 2, 1_000  # the stored match that is short, and how many such its player has played
AT_ONCE = 500  # moves of a long match that are stored together
SLOWEST = "rollout:house:2000"  # of all bots at tables
SPECTATORS, PAGES = 1_000, 58
MOST_SECONDS = 30.0  # that a turn of the bot is waited for
PAGE = Path(__file__).parents[1] / "docs" / "notebook" / "requests.md"
Setup = dict[str, Any]


# --- long matches -----------------------------------------------------------------------------------------------------
async def store_matches(database: str, lengths: Sequence[int]) -> list[str]:
    """Play matches of so many deals at random and store them; the ids of their tables."""
    registry, ids = TableRegistry(Database(database)), list[str]()
    await registry.open()
    for number, deals in enumerate(lengths):
        setup = commands.TableSetup(hexdeck.game(LONG, 5, deals=deals), ("you", *["random"] * 4))
        table = await commands.create(registry, setup, bytes([number] * 32), hashed(token_of(number)))
        while table.state != OVER:
            await registry.change(table.id, played_on)
        ids.append(table.id)
    await registry.close()
    return ids


def token_of(match: int) -> str:
    """The token of whoever played a stored match."""
    return f"{match}" * 22


def store_copies(database: str, table: str, count: int) -> None:
    """Store a match so many times more, as other matches of the same person."""
    opened = Database(database)
    with opened.engine.begin() as connection:
        for part, name in ((database_tables, "id"), (events, "table"), (holders, "table")):
            rows = connection.execute(select(part).where(part.c[name] == table)).mappings().all()
            copies = [{**row, name: f"copy{number:08}"} for number in range(count) for row in rows]
            connection.execute(insert(part), copies)
    opened.close()


def played_on(table: LiveTable) -> Draft:
    """The next moves of all seats."""
    entries, first, rng, match = list[Entry](), table.version + 1, random.Random(table.version), table.match
    assert match is not None
    while not match.over and len(entries) < AT_ONCE:
        seat = table.acting[0]
        entry = table.play(seat, rng.choice(list(match.legal_ids(seat))), 0.0)
        entries.append(replace(entry, version=first + len(entries)))
    return Draft(tuple(entries), table.seats, OVER if match.over else PLAYING, table.terms)


# --- visitors ---------------------------------------------------------------------------------------------------------
@dataclass
class Visitor:
    """Somebody behind an address, with a seat at one table."""

    port: int
    address: str
    wire: Wire = field(init=False)
    table: str = ""
    token: str = ""
    state: Setup = field(default_factory=dict)  # of the table, as the seat knows it
    news: asyncio.Event = field(default_factory=asyncio.Event)
    listening: asyncio.Task[None] | None = None

    def __post_init__(self) -> None:
        self.wire = Wire(self.port)

    async def ask(self, method: str, path: str, data: Any = None) -> Any:
        """A request to the API."""
        return await self.wire.api(method, path, self.token, data, {"x-forwarded-for": self.address})

    async def look(self, path: str) -> tuple[int, bytes]:
        """A page, as a browser asks for it."""
        cookie = {"cookie": f"{self.wire.cookie}={self.token}"} if self.wire.cookie else {}
        return await self.wire.ask("GET", path, {"x-forwarded-for": self.address, "accept-encoding": "gzip"} | cookie)

    async def sits_down(self, bot: str = "steady", **setup: Any) -> None:
        """A new table, with bots on all other seats, and a stream of it."""
        wish: Setup = {"game": GAME, "players": 2} | setup
        begun = await self.ask("POST", "/tables", wish | {"seats": ["you", *[bot] * (wish["players"] - 1)]})
        self.table, self.token, self.state = begun["table"], begun["token"], begun
        self.leaves()
        self.listening = asyncio.create_task(self._listen())

    def leaves(self) -> None:
        """Close the page."""
        if self.listening:
            self.listening.cancel()

    async def _listen(self) -> None:
        reader, writer = await asyncio.open_connection(THIS_COMPUTER, self.port, limit=1 << 24)
        headers = {"authorization": f"Bearer {self.token}", "x-forwarded-for": self.address}
        writer.write(request(self.port, "GET", f"/api/tables/{self.table}/stream", headers))
        try:
            while True:
                line = await reader.readuntil(b"}\n\r\n")
                state = json.loads(line[line.index(b'{"table"') :])
                if state["version"] >= self.state["version"]:
                    self.state = state
                    self.news.set()
        finally:
            writer.close()

    async def until(self, there: Callable[[Setup], bool], seconds: float = MOST_SECONDS) -> None:
        """Wait for news; raises TimeoutError."""
        async with asyncio.timeout(seconds):
            while not there(self.state):
                self.news.clear()
                await self.news.wait()

    async def lets_bots_play(self, bot: str, **setup: Any) -> None:
        """A new table where the bots play all seats, as its page is open."""
        await self.sits_down(bot, **setup)
        await self.ask("POST", f"/tables/{self.table}/seats/0/bot", {})


def may_go_on(state: Setup) -> bool:
    """Whether the seat has moves, or the match is over."""
    return bool(state["view"]["moves"]) or state["state"] == "over"


@dataclass
class Waits:
    """Seconds that a player waited: for answers to moves, and then for the bot's moves."""

    answers: list[float] = field(default_factory=list)
    bots: list[float] = field(default_factory=list)


async def play(visitor: Visitor, seconds: float, rng: random.Random) -> Waits:
    """Play match after match for a while."""
    waits, end = Waits(), time.perf_counter() + seconds
    while time.perf_counter() < end:
        await visitor.until(may_go_on)
        if visitor.state["state"] == "over":
            await visitor.sits_down()
            continue
        await asyncio.sleep(PAUSE)
        move = rng.choice(visitor.state["view"]["moves"])["name"]
        wish = {"move": move, "version": visitor.state["version"]}
        began = time.perf_counter()
        state = await visitor.ask("POST", f"/tables/{visitor.table}/move", wish)
        answered = time.perf_counter()
        waits.answers.append(answered - began)
        if state["version"] > visitor.state["version"]:
            visitor.state = state
        if not may_go_on(state):
            with contextlib.suppress(TimeoutError):
                await visitor.until(may_go_on)
            waits.bots.append(time.perf_counter() - answered)
    return waits


# --- demands ----------------------------------------------------------------------------------------------------------
@contextlib.asynccontextmanager
async def beside(*jobs: Awaitable[Any]) -> AsyncIterator[None]:
    """While something goes on."""
    tasks = [asyncio.ensure_future(job) for job in jobs]
    try:
        yield
        for task in tasks:
            if task.done():
                task.result()
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


async def again_and_again(visitor: Visitor, paths: Sequence[str], pause: float = 0.0) -> None:
    """Ask for pages, one after the other."""
    try:
        for path in itertools.cycle(paths):
            status, page = await visitor.look(path)
            if status >= 400 and status not in {429, 503}:
                raise RuntimeError(f"{path}: {status} {page[:200]!r}")
            await asyncio.sleep(pause)
    finally:
        visitor.wire.close()


@contextlib.asynccontextmanager
async def analyses(player: Visitor, tables: Sequence[str]) -> AsyncIterator[str]:
    """Analyses of long matches from two addresses, looked at as their pages do."""
    looks = [
        again_and_again(Visitor(player.port, address), [f"/table/{table}/analysis?seat={seat}"], 2)
        for address, table in zip((GREEDY, ALSO), tables, strict=False)
        for seat in range(5)
    ]
    async with beside(*looks):
        yield "5 analyses each from two addresses"


@contextlib.asynccontextmanager
async def bots(player: Visitor, _tables: Sequence[str]) -> AsyncIterator[str]:
    """Tables where eight of the slowest bots play as long as they can, from two addresses."""
    visitors = [Visitor(player.port, address) for address in (GREEDY, ALSO) for _ in range(10)]
    for visitor in visitors:
        await visitor.lets_bots_play(SLOWEST, game=LONG, players=8, options={"deals": LENGTH})
    yield f"10 tables each from two addresses, where eight of the slowest bots play {LENGTH:,} deals"
    for visitor in visitors:
        visitor.leaves()


LONG_WORK = ("/table/{}/record", "/api/tables/{}/record", "/table/{}/problem", "/table/{}/fair?check=1")


@contextlib.asynccontextmanager
async def records(player: Visitor, tables: Sequence[str]) -> AsyncIterator[str]:
    """All that is made of a whole long match."""
    paths = [path.format(tables[0]) for path in LONG_WORK]
    async with beside(*(again_and_again(Visitor(player.port, GREEDY), paths) for _ in range(4))):
        yield f"record, report and proof of {LENGTH:,} deals, four at once"


@contextlib.asynccontextmanager
async def spectators(player: Visitor, _tables: Sequence[str]) -> AsyncIterator[str]:
    """Streams of the API to spectators of the player's table."""
    with contextlib.ExitStack() as ends:
        opening = begun(watch, player.port, f"/api/tables/{player.table}/stream", SPECTATORS, {})
        await asyncio.get_running_loop().run_in_executor(None, ends.enter_context, opening)
        yield f"{SPECTATORS:,} spectators by streams of the API"


@contextlib.asynccontextmanager
async def files(player: Visitor, _tables: Sequence[str]) -> AsyncIterator[str]:
    """All that is kept of somebody who has played much."""
    visitors = [Visitor(player.port, GREEDY, token=token_of(SHORT)) for _ in range(4)]
    for visitor in visitors:
        await visitor.look("/")  # for the name of the cookie
    async with beside(*(again_and_again(visitor, ["/me", "/me/file"]) for visitor in visitors)):
        yield f"the page and the file of somebody with {MATCHES:,} matches, four at once"


@contextlib.asynccontextmanager
async def pages(player: Visitor, _tables: Sequence[str]) -> AsyncIterator[str]:
    """Many pages of a seat, who goes and comes back again and again."""
    with contextlib.ExitStack() as ends:
        visitors = [Visitor(player.port, GREEDY) for _ in range(3)]
        for visitor in visitors:
            await visitor.sits_down("random", game=LONG, players=8, options={"deals": LENGTH})
            await visitor.look("/")  # for the name of the cookie
            headers = {"x-forwarded-for": GREEDY, "cookie": f"{visitor.wire.cookie}={visitor.token}"}
            opening = begun(watch, player.port, f"/table/{visitor.table}/stream", PAGES, headers)
            await asyncio.get_running_loop().run_in_executor(None, ends.enter_context, opening)
        async with beside(*map(comes_and_goes, visitors)):
            yield f"{PAGES} pages of a seat at each of three tables of eight"


async def comes_and_goes(visitor: Visitor) -> None:
    """Hand a seat to a bot and take it back."""
    for change in itertools.cycle(("bot", "back")):
        with contextlib.suppress(RuntimeError):  # too often
            await visitor.ask("POST", f"/tables/{visitor.table}/seats/0/{change}", {})
        await asyncio.sleep(0.25)


@contextlib.asynccontextmanager
async def looks(player: Visitor, tables: Sequence[str]) -> AsyncIterator[str]:
    """Pages of a long match, as fast as they come."""
    paths = [path.format(tables[0]) for path in ("/table/{}", "/replay/{}?step=900")]
    visitors = [Visitor(player.port, address) for address in (GREEDY, ALSO) for _ in range(8)]
    async with beside(*(again_and_again(visitor, paths) for visitor in visitors)):
        yield "pages of a long match, eight at once, from two addresses"


DEMANDS = {each.__name__: each for each in (analyses, bots, records, spectators, files, pages, looks)}


async def compared(port: int, name: str, seconds: float, tables: Sequence[str]) -> None:
    """A player's waits without a demand, and beside it."""
    player, rng = Visitor(port, MODEST), random.Random(1)
    setup: Setup = {"game": LONG, "options": {"deals": 100}} if name == "spectators" else {}  # all watch one match
    await player.sits_down(**setup)
    await play(player, 3, rng)
    alone = await play(player, seconds, rng)
    async with DEMANDS[name](player, tables) as what:
        await play(player, 3, rng)
        busy = await play(player, seconds, rng)
    print(f"{what} (load {os.getloadavg()[0]:.1f})")
    for kind, before, after in (("answer to a move", alone.answers, busy.answers), ("bot", alone.bots, busy.bots)):
        print(f"  {kind}: {told(before)} without, {told(after)} beside", flush=True)


def told(times: Sequence[float]) -> str:
    """The median, the ninth of ten, and the longest."""
    ordered = sorted(1000 * seconds for seconds in times) or [math.inf]
    most = len(ordered) - 1
    return f"{statistics.median(ordered):.0f} ms ({ordered[round(0.9 * most)]:.0f}, at most {ordered[-1]:.0f})"


# --- costs ------------------------------------------------------------------------------------------------------------
@dataclass
class Bench:
    """A server that does nothing else, a long match there, and a table of two people."""

    port: int
    pid: int
    long: str
    people: list[Visitor] = field(default_factory=list)

    @property
    def one(self) -> Visitor:
        """The first of the two."""
        return self.people[0]

    async def seats_two(self, game: str = GAME) -> None:
        """A new table of two people, or of a person with others that the game wants."""
        ann, ben = self.people = [Visitor(self.port, MODEST) for _ in range(2)]
        players = max(2, min(hexdeck.game(game).definition.rules.PLAYERS))
        seats = ["you", "open", *["random"] * (players - 2)]
        begun = await ann.ask("POST", "/tables", {"game": game, "players": players, "seats": seats, "hints": True})
        ann.table, ann.token = ben.table, _ = begun["table"], begun["token"]
        ben.token = (await ben.ask("POST", f"/tables/{ben.table}/join", {"invitation": begun["invitations"]["1"]}))[
            "token"
        ]
        for person in self.people:
            await person.look("/")

    async def move(self) -> None:
        """A move of one or the other."""
        for person in self.people:
            state = await person.ask("GET", f"/tables/{person.table}")
            if state["view"]["moves"]:
                wish = {"move": state["view"]["moves"][0]["name"], "version": state["version"]}
                await person.ask("POST", f"/tables/{person.table}/move", wish)
                return
        await self.seats_two()

    async def milliseconds(self, work: Callable[[], Awaitable[Any]], times: int) -> float:
        """The processor time of a request."""
        before = worked([self.pid])
        for _ in range(times):
            await work()
        return 1000 * (worked([self.pid]) - before) / times


Measure = Callable[[Bench], Awaitable[float]]


def page(path: str, times: int = 40) -> Measure:
    """What a page costs; `{}` stands for the long match, `{table}` for the table of two people."""

    async def measure(bench: Bench) -> float:
        where = path.format(bench.long, table=bench.one.table)

        async def look() -> None:
            status, answer = await bench.one.look(where)
            if status != 200:
                raise RuntimeError(f"{where}: {status} {answer[:200]!r}")

        return await bench.milliseconds(look, times)

    return measure


async def new_table(bench: Bench) -> float:
    """A table without bots."""
    wish = {"game": GAME, "players": 2, "seats": ["you", "open"]}
    return await bench.milliseconds(lambda: bench.one.ask("POST", "/tables", wish), 40)


async def one_move(bench: Bench) -> float:
    """A move, with the looks of who makes it."""
    return await bench.milliseconds(bench.move, 60)


def news(path: str) -> Measure:
    """What a frame to one of many spectators costs, beside the move."""

    async def measure(bench: Bench) -> float:
        await bench.seats_two(LONG)
        with contextlib.ExitStack() as ends:
            opening = begun(watch, bench.port, path.format(bench.one.table), SPECTATORS, {})
            await asyncio.get_running_loop().run_in_executor(None, ends.enter_context, opening)
            await asyncio.sleep(3)

            async def told() -> None:
                await bench.move()
                await asyncio.sleep(1)

            cost = await bench.milliseconds(told, 5) / SPECTATORS
        await bench.seats_two()
        return cost

    return measure


async def hint(bench: Bench) -> float:
    """The costliest of all games."""
    costs = list[float]()
    for name in hexdeck.game_names():
        await bench.seats_two(name)
        for person in bench.people:
            person.state = await person.ask("GET", f"/tables/{person.table}")
        asks = [person for person in bench.people if person.state["view"]["moves"]][:1]
        for person in asks:
            ask = functools.partial(person.ask, "POST", f"/tables/{person.table}/hint", {})
            with contextlib.suppress(RuntimeError):  # there is nothing to decide
                costs.append(await bench.milliseconds(ask, 1))
    await bench.seats_two()
    return max(costs)


async def analysis(bench: Bench) -> float:
    """A decision of an analysis."""
    before, seen = worked([bench.pid]), 0
    for _ in range(10):
        seen = len((await Visitor(bench.port, GREEDY).ask("GET", f"/tables/{bench.long}/analysis?seat=1"))["decisions"])
        await asyncio.sleep(1)
    return 1000 * (worked([bench.pid]) - before) / max(1, seen)


def thought(game: Game, level: str) -> float:
    """The processor time of a bot's first move, in milliseconds."""
    match = game.match(seed=1)
    seat = match.acting[0]
    chooser = bot(playing_now(level, game, match.driver.backend), game, 1, match.driver.backend)
    chooser.choose(match.concealed(seat), seat)
    began = time.thread_time()
    chooser.choose(match.concealed(seat), seat)
    return 1000 * (time.thread_time() - began)


async def best_bot(_bench: Bench) -> float:
    """The costliest of the best bots of all games."""
    games = [Game.at_table(name, max(hexdeck.game(name).definition.rules.PLAYERS)) for name in hexdeck.game_names()]
    return max(thought(game, "best") for game in games)


async def slowest_bot(_bench: Bench) -> float:
    """The costliest bot that a table may have."""
    return thought(hexdeck.game("blackstone", 10, rounds=LENGTH), SLOWEST)


LOOP, POOL = "at once", "in turn"
COSTS: dict[str, tuple[str, Measure]] = {
    "a long match: the first look": ("a thread", page("/table/{}", 1)),
    "a long match: its page": (LOOP, page("/table/{}")),
    "a long match: the same by the API": (LOOP, page("/api/tables/{}")),
    "a long match: its record": (POOL, page("/table/{}/record", 5)),
    "a long match: its report": (POOL, page("/table/{}/problem", 5)),
    "a long match: the proof of its cards": (POOL, page("/table/{}/fair?check=1", 3)),
    "a long match: a step of its replay": (LOOP, page("/replay/{}?step=9", 20)),
    "the first page": (LOOP, page("/")),
    "the rules of a game": (LOOP, page("/rules/hawthorn")),
    "the rules on paper": (POOL, page("/rules/hawthorn/print", 3)),
    "the deals of the day": (LOOP, page("/today")),
    "a new table": (LOOP, new_table),
    "the page of a table": (LOOP, page("/table/{table}")),
    "the same by the API": (LOOP, page("/api/tables/{table}")),
    "a move, with a look or two": (LOOP, one_move),
    "news to a spectator, of 1,000": (LOOP, news("/table/{}/stream")),
    "news to a spectator by the API, of 1,000": (LOOP, news("/api/tables/{}/stream")),
    "a hint, at most": (POOL, hint),
    "a move of the best bot, at most": (POOL, best_bot),
    "a move of the slowest bot that a table may have": (POOL, slowest_bot),
    "a long match: a decision of an analysis": (POOL, analysis),  # goes on for a while: the last
}
HEAD = "| what is asked for | milliseconds of a processor | done |"


async def costs(port: int, pid: int, table: str) -> None:
    """Write the table of all costs into its page."""
    bench, rows = Bench(port, pid, table), list[str]()
    await bench.seats_two()
    for name, (where, measure) in COSTS.items():
        cost = await measure(bench)
        rows.append(f"| {name} | {cost:{'.2f' if cost < 1 else '.0f'}} | {where} |")
        print(rows[-1], flush=True)
    written, text = "\n".join([HEAD, "|---|---|---|", *rows]), PAGE.read_text(encoding="utf-8")
    PAGE.write_text(re.sub(rf"{re.escape(HEAD)}(?:\n\|.*)*", lambda _: written, text), encoding="utf-8")


def main() -> None:
    """Read the arguments and run."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("demands", nargs="*", metavar="DEMAND", help=f"{', '.join(DEMANDS)} (default: all)")
    parser.add_argument("--seconds", type=float, default=20, help="of play without a demand, and beside it")
    parser.add_argument("--costs", action="store_true", help="the processor time of requests")
    wanted = parser.parse_args()
    if unknown := set(wanted.demands) - set(DEMANDS):
        parser.error(f"no demand: {', '.join(sorted(unknown))}")
    for name in (GAME, LONG):
        warm(name)
    lift_limit(SPECTATORS)
    with tempfile.TemporaryDirectory() as folder:
        kept = Path(folder, "kept.db")
        tables = asyncio.run(store_matches(f"sqlite:///{kept}", (LENGTH, LENGTH, 1)))
        store_copies(f"sqlite:///{kept}", tables[SHORT], MATCHES)
        for name in ["costs"] if wanted.costs else wanted.demands or DEMANDS:
            used = Path(folder, f"{name}.db")
            shutil.copy(kept, used)
            limits = NONE if wanted.costs else Limits()
            with served(f"sqlite:///{used}", pause=0.0, limits=limits) as [(port, pid)]:
                if wanted.costs:
                    asyncio.run(costs(port, pid, tables[0]))
                else:
                    asyncio.run(compared(port, name, wanted.seconds, tables))


if __name__ == "__main__":
    main()
