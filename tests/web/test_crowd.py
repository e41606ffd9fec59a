"""Many spectators at one table: what they see is made once, players come first, and nobody counts them one by one."""

import asyncio
import contextlib
import random
import threading
from typing import Any

import httpx
import pytest

from hexdeck.tables.live import LiveTable
from hexdeck.web.html import table_page
from hexdeck.web.html.rendering import TablePage
from hexdeck.web.routes import presenters
from hexdeck.web.server.state import TurnQueue
from tests.loops import alone
from tests.support import PATIENCE, until
from tests.web.serving import Person, Served

SPECTATORS = 12


def seated(site: Served) -> tuple[Person, Person]:
    ann = Person(site.base).begins({"game": "cursed-hand", "players": "2", "seat-1": "open"})
    ben = Person(site.base).joins(ann)
    return ann, ben


def read(base: str, path: str, heard: list[str]) -> None:
    """A spectator: reads a stream until the server hangs up."""
    with httpx.Client(base_url=base) as http, http.stream("GET", path, timeout=PATIENCE) as answer:
        heard.extend(answer.iter_text())


def newest(heard: list[str]) -> str:
    """The last frame that a spectator heard, with the blank line that ends it, but not what came after it."""
    frame, blank, _ = "".join(heard).rpartition("event: table\n")[2].partition("\n\n")
    return frame + blank


def test_a_frame_is_made_once_for_all_spectators(site: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    ann, ben = seated(site)
    heard = [list[str]() for _ in range(SPECTATORS)]
    for each in heard:
        threading.Thread(target=read, args=(site.base, f"/table/{ann.table}/stream", each), daemon=True).start()
    until(lambda: all(f"{SPECTATORS} people are watching." in newest(each) for each in heard))
    made, table_main = list[int](), table_page.table_main

    def counted(page: TablePage) -> str:
        made.append(page.view.seat)
        return table_main(page)

    monkeypatch.setattr(presenters, "table_main", counted)
    for person in (ann, ben):
        person.plays(random.Random(1))
    version = site.state.registry.tables[ann.table].version_for(-1)
    until(lambda: all(f'data-version="{version}"' in newest(each) and newest(each)[-2:] == "\n\n" for each in heard))
    assert len(set(map(newest, heard))) == 1 and 1 <= made.count(-1) <= version


def test_a_line_of_the_api_is_made_once_for_all_spectators(site: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    ann, ben = seated(site)
    heard, made, table_data = [list[str]() for _ in range(SPECTATORS)], list[int](), presenters.table_data

    def counted(table: LiveTable, seat: int, *args: int) -> dict[str, object]:
        made.append(seat)
        return table_data(table, seat, *args)

    monkeypatch.setattr(presenters, "table_data", counted)
    for each in heard:
        threading.Thread(target=read, args=(site.base, f"/api/tables/{ann.table}/stream", each), daemon=True).start()
    until(lambda: all(heard))
    for person in (ann, ben):
        person.plays(random.Random(1))
    version = site.state.registry.tables[ann.table].version_for(-1)
    until(lambda: all(f'"version":{version},' in "".join(each) for each in heard))
    assert 2 <= made.count(-1) <= version + 1
    assert len({"".join(each).strip().rpartition("\n")[2] for each in heard}) == 1


def test_a_screen_under_many_names_is_kept_once(site: Served) -> None:
    """Any name below localhost, and any address at home, is this server's: pages for all of them would fill it."""
    ann = Person(site.base).begins({"game": "cursed-hand", "players": "2", "seat-1": "open", "screen": "another"})
    kept, table = set[int](), site.state.registry.tables[ann.table]
    for number in range(6):
        name = f"screen-{number}.localhost"
        with ann.http.stream("GET", f"/table/{ann.table}/tv/stream", headers={"host": name}) as answer:
            assert answer.headers["content-type"].startswith("text/event-stream")
            page = ""
            for part in answer.iter_text():
                page += part
                if "</main>" in page:
                    break
            assert name in page
        kept.add(len(table.cache))
    assert len(kept) == 1


def test_players_go_on_in_order_one_by_one_before_the_crowd_and_the_crowd_in_small_parts() -> None:
    async def run() -> list[str]:
        turns, order, rounds = TurnQueue(), list[str](), 0

        async def go(name: str, news: asyncio.Event | None = None) -> None:
            async with turns.turn(name) if news is None else contextlib.nullcontext():
                if news:
                    await news.wait()
                order.append(f"{name} {rounds}")

        crowd = [asyncio.Event() for _ in range(20)]
        waiting = [asyncio.ensure_future(go(f"crowd{k:02}", news)) for k, news in enumerate(crowd)]
        turns.wake_crowd(crowd)
        waiting += [asyncio.ensure_future(go(f"player{k}")) for k in range(2)]
        while not all(each.done() for each in waiting):
            await asyncio.sleep(0)
            rounds += 1
        return order

    names, rounds = zip(*(each.split() for each in alone(run())), strict=True)
    assert names == ("player0", "player1", *(f"crowd{k:02}" for k in range(20)))
    assert rounds[0] != rounds[1] and max(map(rounds.count, rounds)) <= 8


def test_requests_take_turns_by_address(site: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    asked, turn = list[str](), TurnQueue.turn

    def counted(turns: TurnQueue, address: str) -> Any:
        asked.append(address)
        return turn(turns, address)

    monkeypatch.setattr(TurnQueue, "turn", counted)
    elsewhere = "127.0.0.2"  # another address of this computer
    with httpx.Client(transport=httpx.HTTPTransport(local_address=elsewhere), timeout=PATIENCE) as client:
        assert client.get(f"{site.base}/rules/hawthorn").status_code == 200
    assert asked.count(elsewhere) == 1
