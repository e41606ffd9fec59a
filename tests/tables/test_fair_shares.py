"""Fair shares of what takes long: askers take turns, tables too, and bots move only while somebody waits for it."""

import asyncio
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

import hexdeck
from hexdeck.tables.errors import TooMany
from hexdeck.tables.keys import fresh_secret, hashed
from hexdeck.tables.model.live import LiveTable
from hexdeck.tables.service import new_tables
from hexdeck.tables.service.fair_queue import FairQueue
from hexdeck.tables.service.hints import MOST_WAITING, HintRequest, Hints
from hexdeck.tables.service.interest import PATIENCE as LOOKED_LATELY
from hexdeck.tables.service.interest import Interest
from hexdeck.tables.service.registry import TableRegistry
from hexdeck.tables.service.runner import Runner
from hexdeck.tables.service.thinker import Thinker
from hexdeck.tables.storage.database import Database
from tests.loops import alone
from tests.web.serving import PATIENCE, until

GAME = hexdeck.game("hawthorn", 2)


def taken(queue: FairQueue[str], count: int) -> list[str]:
    """The next jobs, each done at once."""
    out = []
    for _ in range(count):
        found = queue.get()
        assert found is not None
        queue.done(found[0])
        out.append(found[1])
    return out


def test_askers_take_turns_then_their_tables_and_at_a_table_what_came_first_is_first() -> None:
    queue = FairQueue[str](1)
    for asker, table in ("ab", "ab", "ac", "ab", "xy", "xz", "xy"):
        number = 1 + sum(1 for waiting in queue._waiting.get(asker, {}).get(table, ()) if waiting)
        queue.put(asker, table, f"{asker}{table}{number}")
    assert taken(queue, 7) == ["ab1", "xy1", "ac1", "xz1", "ab2", "xy2", "ab3"]


def test_an_asker_has_a_thread_less_than_there_are() -> None:
    queue = FairQueue[str](2)
    for number in range(4):
        queue.put("greedy", "t", f"greedy {number}")
    assert [queue.get() for _ in range(2)] == [("greedy", "greedy 0"), ("greedy", "greedy 1")]
    queue.put("modest", "u", "modest")
    assert queue.get() == ("modest", "modest")
    found: list[object] = []
    waiting = threading.Thread(target=lambda: found.append(queue.get()))
    waiting.start()
    queue.done("modest")  # the others still wait for their own
    waiting.join(0.05)
    assert waiting.is_alive() and not found and queue.waiting("greedy") == 2
    queue.done("greedy")
    waiting.join(PATIENCE)
    assert found == [("greedy", "greedy 2")]


def test_a_closed_queue_gives_and_takes_nothing_more() -> None:
    queue = FairQueue[str](1)
    queue.put("a", "b", "late")
    assert queue.close() == ["late"] and queue.get() is None and not queue.put("a", "b", "later")


def test_whoever_asks_once_waits_for_one_thought_of_whoever_asks_for_thirty() -> None:
    thinker, order, go = Thinker(1), list[str](), threading.Event()
    first = thinker.work(lambda: go.wait(PATIENCE), "greedy", "0")
    many = [thinker.work(lambda: order.append("greedy"), "greedy", str(k)) for k in range(1, 31)]
    one = thinker.work(lambda: order.append("modest"), "modest", "m")
    go.set()
    for future in (first, one, *many):
        future.result(PATIENCE)
    thinker.close()
    assert order.index("modest") <= 1, "after one thought of the other at most"


def test_hints_are_refused_to_whoever_lets_too_much_wait() -> None:
    thinker, go = Thinker(1), threading.Event()
    hints = Hints(thinker)
    thinker.work(lambda: go.wait(PATIENCE), "greedy", "0")
    until(lambda: not thinker.waiting("greedy"))
    for version in range(MOST_WAITING):
        hints.ask("t", HintRequest(GAME, 0, b"", {}, version), "greedy")
    with pytest.raises(TooMany):
        hints.ask("t", HintRequest(GAME, 0, b"", {}, MOST_WAITING), "greedy")
    assert not hints.ask("u", HintRequest(GAME, 0, b"", {}, 0), "modest").done()
    thinker.close()
    go.set()


# --- who waits --------------------------------------------------------------------------------------------------------
def test_whoever_asked_last_waits_for_a_while() -> None:
    now = [0.0]
    interest = Interest(lambda: now[0])
    assert not interest.waits("t") and interest.asker("t") == "t"
    interest.note("t", "a")
    interest.note("t", "b")
    now[0] = LOOKED_LATELY - 1
    assert interest.waits("t") and not interest.waits("u") and interest.asker("t") == "b"
    now[0] = LOOKED_LATELY
    assert not interest.waits("t") and interest.asker("t") == "b"


def played(url: str, test: Callable[[TableRegistry, Runner, set[str]], object]) -> None:
    """Run a test with a registry, its bots, and the tables that somebody waits for."""

    async def run() -> None:
        waited_for = set[str]()
        registry = TableRegistry(Database(url), clock=lambda: 1e9)
        runner = Runner(registry, pause=0, waits=lambda id: id in waited_for)
        registry.on_change = runner.wake
        await registry.open()
        await runner.open()
        try:
            async with asyncio.timeout(PATIENCE):
                await test(registry, runner, waited_for)  # type: ignore[misc]
        finally:
            runner.close()
            await registry.close()

    alone(run())


async def table_of_bots(registry: TableRegistry) -> LiveTable:
    """A table where everybody chooses first, three bots among them."""
    wanted = new_tables.TableSetup(hexdeck.game("cursed-hand", 4), ("you", *["random"] * 3))
    return await new_tables.create(registry, wanted, fresh_secret(), hashed("me"), "192.0.2.1")


def test_bots_move_while_somebody_waits_and_go_on_when_somebody_comes_back(tmp_path: Path) -> None:
    async def test(registry: TableRegistry, runner: Runner, waited_for: set[str]) -> None:
        table = await table_of_bots(registry)
        dealt = table.version
        await asyncio.sleep(0.2)
        assert table.version == dealt and table.played_by_server == [1, 2, 3], "nobody waits"
        waited_for.add(table.id)
        runner.wake(table)
        while table.version < dealt + 3:  # all three
            await asyncio.sleep(0.01)

    played(f"sqlite:///{tmp_path / 't.db'}", test)


def test_a_thought_is_counted_for_the_network_that_asked_last(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[tuple[str, str]] = []
    honest = Thinker.work

    def noted(self: Thinker, job: Callable[[], int], asker: str = "", table: str = "") -> object:
        asked.append((asker, table))
        return honest(self, job, asker, table)

    async def test(registry: TableRegistry, _runner: Runner, waited_for: set[str]) -> None:
        table = await table_of_bots(registry)
        registry.interest.note(table.id, "198.51.100.7")
        waited_for.add(table.id)
        _runner.wake(table)
        while not asked:
            await asyncio.sleep(0.01)
        assert asked[0] == ("198.51.100.7", table.id)

    monkeypatch.setattr(Thinker, "work", noted)
    played(f"sqlite:///{tmp_path / 't.db'}", test)
