"""Streams take turns: a move with many readers doesn't hold up somebody else's request."""

import asyncio
import gc
import sys
from typing import Any

import pytest

from hexdeck.web.server.server import GC_THRESHOLDS, SWITCH_INTERVAL
from hexdeck.web.server.settings import Limits
from hexdeck.web.server.state import StreamFrame, StreamResponse, Streams, TurnQueue
from tests.loops import alone, in_a_loop


@in_a_loop
async def test_who_went_away_while_waiting_is_passed_over() -> None:
    turns = TurnQueue()

    async def go(address: str) -> None:
        async with turns.turn(address):
            pass

    waiting = [asyncio.ensure_future(go(address)) for address in "abc"]
    await asyncio.sleep(0)
    waiting[1].cancel()
    await asyncio.gather(*waiting, return_exceptions=True)
    await go("b")


class Addresses:
    """Requests of some addresses, each by its letter; the order in which they began, at a time that tests set."""

    def __init__(self) -> None:
        self.now, self.order, self.answered = 0.0, "", asyncio.Event()
        self.turns = TurnQueue(lambda: self.now, lambda: self.now)
        self.tasks: list[asyncio.Future[None]] = []
        self.answered.set()

    async def ask(self, address: str, seconds: float) -> None:
        """A request that takes so long once it may be answered."""
        async with self.turns.turn(address):
            self.order += address
            await self.answered.wait()
            self.now += seconds

    async def begun(self, addresses: str = "", seconds: float = 0.0) -> str:
        """The order so far, when these ask, too."""
        self.tasks.extend(asyncio.ensure_future(self.ask(address, seconds)) for address in addresses)
        for _ in range(40):
            await asyncio.sleep(0)
        return self.order

    def leave(self) -> None:
        for task in self.tasks:
            task.cancel()


@in_a_loop
async def test_addresses_take_turns_and_whoever_asks_for_much_rests() -> None:
    others = Addresses()
    assert await others.begun("b") == "b"
    assert await others.begun("aaaa", 0.2) == "baa"  # however many it sends at once
    assert await others.begun("cc") == "baacc"
    others.now += 0.7
    others.answered.clear()
    assert await others.begun("d") == "baaccad"  # and one at a time
    others.leave()


@in_a_loop
async def test_whoever_asks_for_much_in_brief_turns_rests_only_where_the_server_is_busy() -> None:
    """A school behind one address: no time passes but that of its own turns."""
    others = Addresses()
    assert await others.begun("b") == "b"
    assert await others.begun("a" * 36, 0.019) == "b" + "a" * 36
    others.answered.clear()
    others.order = ""
    assert await others.begun("aaa", 0.019) == "a"  # one at a time, though it waits for something
    assert await others.begun("bc", 0.001) == "abc"
    others.answered.set()
    assert await others.begun() == "abcaa"
    others.order = ""
    busy = len(await others.begun("a" * 36, 0.019))
    assert 0 < busy < 36
    others.now += 0.2
    assert (await others.begun("d")).startswith("a" * busy + "ada")
    others.leave()


@in_a_loop
async def test_whoever_waits_for_a_busy_machine_asks_for_no_more_than_others() -> None:
    others = Addresses()
    others.turns.worked = lambda: 0.0
    assert await others.begun("b") == "b"
    assert await others.begun("aaaa", 0.2) == "baaaa"
    others.leave()


@in_a_loop
async def test_what_others_do_while_one_waits_is_theirs() -> None:
    others = Addresses()
    async with others.turns.turn("a"):  # who waits for a hint, or for the rest of a form
        assert await others.begun("bcdefghi", 0.2) == "bcdefghi"
    assert await others.begun("aa") == "bcdefghiaa"
    others.leave()


@in_a_loop
async def test_whoever_is_alone_waits_for_nobody() -> None:
    alone = Addresses()
    assert await alone.begun("aaaaa", 0.2) == "aaaaa"
    alone.leave()


class Readers:
    """Streams of one table with instant frames, and all that happens, in order."""

    def __init__(self, count: int) -> None:
        self.streams, self.happened, self.version = Streams(Limits(), lambda _table, _more: None), [], 0  # type: ignore[var-annotated]
        self.sent: list[bytes] = []
        self.opened = [self.streams.open("t", seat, "a") for seat in range(count)]

    async def read(self, seat: int, takes: asyncio.Event | None = None) -> None:
        """One reader, who never leaves; who takes nothing before an event, if one is given."""

        async def frame(since: int) -> StreamFrame:
            self.happened.append(("made", seat, self.version))
            return StreamFrame(self.version, b"%d" % self.version, b"since %d: " % since)

        async def send(message: Any) -> None:
            self.sent += [message["body"]] if message.get("body") else []
            if takes and message.get("body"):
                await takes.wait()

        async def receive() -> Any:
            await asyncio.Event().wait()

        flow = StreamResponse(self.streams, self.opened[seat], frame, "text/plain", b"", lambda: None)
        await flow({}, receive, send)

    async def until_made(self, count: int) -> None:
        while sum(what == "made" and version == self.version for what, _, version in self.happened) < count:
            await asyncio.sleep(0)


def test_a_request_between_is_answered_before_all_pages_of_a_move_are_made() -> None:
    async def test() -> list[Any]:
        readers = Readers(20)
        reading = [asyncio.ensure_future(readers.read(seat)) for seat in range(20)]
        await readers.until_made(20)
        readers.version, readers.happened = 1, []
        readers.streams.wake("t")
        await readers.until_made(1)
        readers.happened.append(("answered", -1, 1))  # another's request, which came meanwhile
        await readers.until_made(20)
        readers.streams.end()
        await asyncio.gather(*reading)
        return readers.happened

    happened = alone(test())
    assert happened.index(("answered", -1, 1)) < 10 and len(happened) == 21


@in_a_loop
async def test_who_takes_nothing_of_what_it_is_sent_delays_nobody() -> None:
    readers = Readers(20)
    stuck = [asyncio.ensure_future(readers.read(seat, asyncio.Event())) for seat in range(0, 20, 2)]
    reading = [asyncio.ensure_future(readers.read(seat)) for seat in range(1, 20, 2)]
    await readers.until_made(20)
    for readers.version in (1, 2):
        readers.streams.wake("t")
        await readers.until_made(10)
    readers.streams.end()
    await asyncio.gather(*reading)
    assert not any(each.done() for each in stuck)
    assert {seat for what, seat, version in readers.happened if version} == {*range(1, 20, 2)}
    for each in stuck:
        each.cancel()


def test_for_who_has_gone_while_waiting_for_a_turn_no_page_is_made() -> None:
    async def test() -> list[Any]:
        readers = Readers(3)
        reading = [asyncio.ensure_future(readers.read(seat)) for seat in range(3)]
        await readers.until_made(1)
        readers.opened[2].end()
        await reading[2]
        readers.streams.end()
        await asyncio.gather(*reading)
        return readers.happened

    assert [seat for _, seat, _ in alone(test())] in ([0], [0, 1])


def test_beats_lead_from_the_version_that_was_sent_before_and_are_no_news_by_themselves() -> None:
    async def test() -> list[bytes]:
        readers = Readers(1)
        reading = asyncio.ensure_future(readers.read(0))
        for version, wakes in ((0, 1), (3, 1), (3, 2), (4, 1)):
            readers.version, readers.happened = version, []
            for _ in range(wakes):
                readers.streams.wake("t")
                await readers.until_made(1)
        readers.streams.end()
        await reading
        return readers.sent

    sent = [(-1, 0), (0, 3), (3, 4)]
    assert alone(test()) == [b"since %d: %d" % each for each in sent]


def test_the_slowest_seat_sets_the_pace_of_a_table() -> None:
    async def test() -> list[float]:
        streams = Streams(Limits(), lambda _table, _more: None)
        found = [streams.pace("t")]
        for seat, pace in ((1, 0.0), (-1, 1.6), (0, 0.5), (2, 1.0)):
            streams.open("t", seat, "a", pace)
            found.append(streams.pace("t"))
        return [*found, streams.pace("u")]

    assert alone(test()) == [0.0, 0.0, 1.0, 0.5, 1.0, 0.0]


def test_a_running_server_has_threads_take_short_turns_and_collects_all_garbage_at_times_of_its_own(site) -> None:
    assert site.base and gc.get_threshold() == GC_THRESHOLDS
    assert sys.getswitchinterval() == pytest.approx(SWITCH_INTERVAL)
