"""Threads in which bots think: bots of their own, and fair shares for those who ask."""

import subprocess
import sys
import threading
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

import hexdeck
from hexdeck.authoring import fork_game, forks
from hexdeck.bots.nets.netfile import save
from hexdeck.engine.discovery import finding
from hexdeck.engine.discovery.definition import forget
from hexdeck.engine.errors import UnknownBot
from hexdeck.engine.rule_changes import RULES
from hexdeck.games.hawthorn.rules import FOLD, TAKE
from hexdeck.tables.advice import HintRequest, Hints
from hexdeck.tables.errors import TooMany
from hexdeck.tables.live import LiveTable
from hexdeck.tables.thinker import ASKED, MOST_WAITING, FairQueue, Interest, Thinker
from hexdeck.tables.thinker import PATIENCE as LOOKED_LATELY
from tests.authoring.test_endless import reach_fold
from tests.bots.made import any_net
from tests.support import PATIENCE, random_plies, until
from tests.tables.house import House, in_a_file

GAME = hexdeck.game("hawthorn", 2)
ENDLESS = """
import threading
import hexdeck
from hexdeck.tables import thinker

thinking = threading.Event()

def for_ever(*_):
    thinking.set()
    threading.Event().wait()

thinker.Thinker._choose = for_ever
bots = thinker.Thinker(1)
bots.choose(hexdeck.game("hawthorn", 2), "house", b"", 0)
thinking.wait()
bots.close()
"""


def known() -> bytes:
    match = GAME.match(3, backend="fast")
    return match.concealed(0)


def test_thoughts_come_and_a_fault_in_one_harms_no_other() -> None:
    bots = Thinker(1)
    with pytest.raises(UnknownBot):
        bots.choose(GAME, "nobody", known(), 0).result(PATIENCE)
    assert bots.choose(GAME, "house", known(), 0).result(PATIENCE) in GAME.match(3, backend="fast").legal_ids(0)
    bots.close()


@pytest.mark.parametrize("again", [False, True])
def test_one_of_several_nets_plays_a_seat_in_a_whole_match(again: bool, tmp_path: Path) -> None:
    """In whichever process and thread it is asked, and whichever of its positions: it follows from the match's key."""
    game, paths = hexdeck.game("cursed-hand", 2), [tmp_path / f"{seed}.net" for seed in range(3)]
    for seed, path in enumerate(paths):
        net = any_net(game.name, players=2, seed=seed)
        save(replace(net, weights=100 * net.weights), path)  # so that it hardly ever draws lots
    alone, together = [f"net:{path}" for path in paths], ":".join(["net", *map(str, paths)])
    asked = [(here.concealed(here.actor), here.actor) for here in random_plies(game.match(2), Random(4)) if here.acting]
    found, bots = set(), [Thinker(1), Thinker(2)]
    for number in range(12):
        key = bytes([number])
        for seat in range(2):
            own = [(known, at) for known, at in asked if at == seat][:6]
            played = [
                [
                    bots[k % 2].choose(game, name, known, at, key=key, again=again).result(PATIENCE)
                    for k, (known, at) in enumerate(own)
                ]
                for name in (*alone, together)
            ]
            assert played[-1] in played[:-1] and len({*map(tuple, played)}) == 3
            found.add((seat, played.index(played[-1])))
    assert len(found) == 6
    for each in bots:
        each.close()


def test_at_the_end_what_waits_is_cancelled_and_nothing_more_is_thought(monkeypatch: pytest.MonkeyPatch) -> None:
    begun, go = threading.Event(), threading.Event()

    def slow(*_: object) -> int:
        begun.set()
        go.wait(PATIENCE)
        return 7

    monkeypatch.setattr(Thinker, "_choose", slow)
    bots = Thinker(1)
    first, second = (bots.choose(GAME, "house", b"", 0) for _ in range(2))
    begun.wait(PATIENCE)
    bots.close()
    assert second.cancelled() and bots.choose(GAME, "house", b"", 0).cancelled()
    go.set()
    assert first.result(PATIENCE) == 7


def test_a_process_ends_in_the_middle_of_a_thought() -> None:
    assert subprocess.run([sys.executable, "-c", ENDLESS], timeout=PATIENCE, check=False).returncode == 0


def taken(queue: FairQueue[str], count: int) -> list[str]:
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
    queue.done("modest")
    assert queue._next_asker() is None and queue.waiting("greedy") == 2, "the others still wait for their own"
    queue.done("greedy")
    assert queue.get() == ("greedy", "greedy 2")


def test_long_jobs_of_all_askers_leave_a_thread_for_quick_ones() -> None:
    queue = FairQueue[str](1)  # of two threads
    for asker in ("slow", "also slow", "new", f"{ASKED}somebody", f"{ASKED}another"):
        queue.put(asker, "t", asker)
    queue.done("slow", 9.0)
    queue.done("also slow", 9.0)
    assert queue.get() == ("new", "new"), "who has had no long job comes first"
    queue.done("new", 0.01)
    assert queue.get() == ("slow", "slow") and queue._next_asker() is None, "of the long ones, whoever came first"
    queue.put("new", "t", "new again")
    assert queue.get() == ("new", "new again"), "a thread is left"
    queue.done("slow", 9.0)
    assert [queue.get(), queue.done("also slow"), queue.get(), queue.done(f"{ASKED}somebody"), queue.get()][::2] == [
        (name, name) for name in ("also slow", f"{ASKED}somebody", f"{ASKED}another")
    ]


def test_who_was_slow_and_is_quick_again_comes_first_again() -> None:
    queue = FairQueue[str](1)
    queue.done("bots", 9.0)
    assert queue._is_long("bots")
    for _ in range(10):
        queue.done("bots", 0.0)
    assert not queue._is_long("bots")


def test_a_job_that_waits_for_the_machine_is_not_taken_to_be_long() -> None:
    time = [0.0]
    thinker = Thinker(1, clock=lambda: time[0])
    thinker.work(lambda: time.__setitem__(0, 9.0), "bots").result(PATIENCE)
    thinker.work(lambda: None, "others").result(PATIENCE)  # by then the first is counted
    assert not thinker._jobs._is_long("bots")
    thinker.close()


def test_what_nobody_waits_for_any_more_is_not_begun() -> None:
    time, begun, go = [0.0], threading.Event(), threading.Event()
    thinker = Thinker(1, clock=lambda: time[0])
    thinker.work(lambda: begun.set() or go.wait(PATIENCE), "bots")
    begun.wait(PATIENCE)
    late, move = thinker.ask(lambda: 1, "somebody"), thinker.work(lambda: 2, "bots")
    time[0] = LOOKED_LATELY + 1
    go.set()
    assert move.result(PATIENCE) == 2, "a bot's move is always waited for"
    until(late.cancelled)
    thinker.close()


def test_a_closed_queue_gives_and_takes_nothing_more() -> None:
    queue = FairQueue[str](1)
    queue.put("a", "b", "late")
    assert queue.close() == ["late"] and queue.get() is None and not queue.put("a", "b", "later")


def test_a_hint_is_the_seats_own_though_several_choose_at_one_version() -> None:
    hints = Hints(Thinker(1))
    first = hints.ask("t", HintRequest(GAME, 0, b"", {}, 5))
    assert hints.ask("t", HintRequest(GAME, 0, b"", {}, 5)) is first
    assert hints.ask("t", HintRequest(GAME, 1, b"", {}, 5)) is not first
    hints.thinker.close()


def test_hints_are_refused_to_whoever_lets_too_much_wait() -> None:
    thinker, begun, go = Thinker(1), threading.Event(), threading.Event()
    hints = Hints(thinker)
    thinker.work(lambda: begun.set() or go.wait(PATIENCE), "bots", "0")
    begun.wait(PATIENCE)
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


async def table_of_bots(house: House) -> LiveTable:
    """A table where everybody chooses first, three bots among them; nobody waits for it."""
    house.runner.waits = lambda _table: False
    return await house.table(hexdeck.game("cursed-hand", 4))


@in_a_file
async def test_bots_move_while_somebody_waits_and_go_on_when_somebody_comes_back(house: House) -> None:
    table = await table_of_bots(house)
    await house.passes(100)
    assert table.played_by_server == [1, 2, 3], "nobody waits"
    house.runner.waits = lambda id: id == table.id
    house.runner.wake(table)
    await house.settles(table)


@in_a_file
async def test_a_thought_is_counted_for_the_network_that_asked_last(house: House) -> None:
    asked, work = list[tuple[str, str]](), house.runner.thinker.work

    def noted(job: Callable[[], int], asker: str = "", table: str = "") -> object:
        asked.append((asker, table))
        return work(job, asker, table)

    house.runner.thinker.work = noted  # type: ignore[assignment, method-assign]
    table = await table_of_bots(house)
    house.registry.interest.note(table.id, "198.51.100.7")
    house.runner.waits = lambda _table: True
    house.runner.wake(table)
    await house.settles(table)
    assert set(asked) == {("198.51.100.7", table.id)}


def test_a_bot_thinks_by_the_rules_that_are_there_now(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(finding.PATH, str(tmp_path))
    monkeypatch.setenv("HEXDECK_BACKEND", "interpreted")
    folder, bots = fork_game("hawthorn", "my-own", tmp_path), Thinker(1)
    forget()
    match = hexdeck.game("my-own", 2).match(1)
    reach_fold(match)
    text = (folder / RULES).read_text(encoding="utf-8")
    for written, chosen in (
        (text, {TAKE, FOLD}),
        (text.replace("= TAKE, FOLD\n        return 2\n", "= FOLD, 0\n        return 1\n"), {FOLD}),
    ):
        forks.save(folder, RULES, written)
        game = hexdeck.game("my-own", 2)
        thoughts = [bots.choose(game, "random", match.concealed(match.actor), match.actor) for _ in range(20)]
        assert {thought.result(PATIENCE) for thought in thoughts} == chosen
    bots.close()
    forget()
