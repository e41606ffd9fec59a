"""Fair shares between visitors: tables of an address, streams at a table, and bots that move for whoever is there."""

import asyncio
import contextlib
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest

from hexdeck.cli.command_line import THIS_COMPUTER
from hexdeck.tables.errors import TooMany
from hexdeck.tables.registry import Runtime
from hexdeck.web.server.middleware import DAY, ServerLimits
from hexdeck.web.server.settings import Limits
from hexdeck.web.server.state import Streams
from tests.loops import alone, in_a_loop
from tests.settings import much
from tests.support import until
from tests.web.serving import Program, Served, file_in, served

STRANGERS, MINUTES, ROOM = much((100, 10, 2_000), (1_000, 10, 20_000))


class Tables:
    """Unfinished tables, in place of a registry."""

    def __init__(self, limits: Limits) -> None:
        self.now, self.there = 1e9, set[str]()
        self.limits = ServerLimits(limits, SimpleNamespace(clock=lambda: self.now, run_job=self.run, runtime=Runtime()))  # type: ignore[arg-type]
        self.limits.creates.clock = lambda: self.now

    async def run(self, job: Any, *args: Any) -> Any:
        return job(self, *args)

    def execute(self, statement: Any) -> Any:
        if "count" in str(statement.selected_columns.keys()):
            return SimpleNamespace(scalar=lambda: len(self.there))
        asked = [id for each in statement.compile().params.values() if isinstance(each, list) for id in each]
        found = [id for id in asked if id in self.there]
        return SimpleNamespace(scalars=lambda: found)

    async def begins(self, address: str) -> bool:
        """Whether an address may begin one more table, which it then does."""
        try:
            async with self.limits.beginning(address) as begun:
                table = f"t{len(self.there)}"
                self.there.add(table)
                begun(table)
        except TooMany:
            return False
        return True


async def flooded(tables: Tables) -> None:
    for _ in range(MINUTES):
        for stranger in range(STRANGERS):
            while await tables.begins(str(stranger)):
                pass
        tables.now += 60


def test_many_addresses_cannot_fill_a_server_in_ten_minutes() -> None:
    tables = Tables(Limits(tables=ROOM, tables_part=STRANGERS // 2))
    alone(flooded(tables))
    assert len(tables.there) < 0.95 * ROOM
    assert alone(tables.begins("a guest")), "there is room for others"


def test_without_shares_they_can() -> None:
    tables = Tables(Limits(tables=ROOM, tables_part=1))
    alone(flooded(tables))
    assert len(tables.there) == ROOM and not alone(tables.begins("a guest"))


@in_a_loop
async def test_finished_tables_and_those_of_yesterday_count_no_more() -> None:
    tables = Tables(Limits(tables=300, tables_part=100, creates=(1e6, 10**6)))
    assert [await tables.begins("a") for _ in range(4)] == [
        True,
        True,
        True,
        False,
    ]  # 297 // 100 is 2, and one more
    tables.there.remove("t0")
    assert await tables.begins("a") and not await tables.begins("a")
    tables.now += DAY + 1
    assert await tables.begins("a")


@in_a_loop
async def test_tables_that_are_begun_at_once_are_counted_at_once() -> None:
    tables = Tables(Limits(tables=300, tables_part=100, creates=(1e6, 10**6)))

    async def slowly() -> bool:
        try:
            async with tables.limits.beginning("a") as begun:
                await asyncio.sleep(0)
                tables.there.add(f"t{len(tables.there)}")
                begun(f"t{len(tables.there) - 1}")
        except TooMany:
            return False
        return True

    assert sum(await asyncio.gather(*(slowly() for _ in range(50)))) <= 3


@in_a_loop
async def test_a_table_has_so_many_streams_of_an_address_and_so_many_spectators() -> None:
    streams = Streams(Limits(streams_at=2, spectators=3), lambda _table, _more: None)
    first = streams.open("t", -1, "a")
    streams.open("t", 0, "a")
    with pytest.raises(TooMany):
        streams.open("t", -1, "a")
    streams.open("u", -1, "a")
    for address in "bc":
        streams.open("t", -1, address)
    with pytest.raises(TooMany):
        streams.open("t", -1, "d")
    streams.open("t", 1, "d")  # a player always has room
    streams.close(first)
    streams.open("t", -1, "d")
    assert streams.by_place["t", "a"] == 1


@pytest.mark.parametrize(("part", "others"), [(Limits.streams_part, True), (1, False)])
@in_a_loop
async def test_a_few_addresses_cannot_hold_all_streams(part: int, others: bool) -> None:
    """With as many files as systems give: four addresses held all, and nobody else saw a move."""
    limits = replace(Limits(), streams_part=part).within(1024)
    streams = Streams(limits, lambda _table, _more: None)
    for stranger in range(40):
        with contextlib.suppress(TooMany):
            for number in range(limits.streams):
                streams.open(f"t{number}", -1, str(stranger))
    if others:
        streams.open("t", 0, "a guest")
    else:
        assert streams.count == limits.streams and len(streams.by_address) == 4


def test_bots_move_for_whoever_is_there_and_rest_when_they_are_gone(tmp_path, monkeypatch) -> None:
    monkeypatch.setattr("hexdeck.tables.thinker.PATIENCE", 0.0)  # only a stream is taken for waiting
    with served(file_in(tmp_path)) as site:
        ann, ben = Program(site.base), Program(site.base)
        for program in (ann, ben):
            program.creates(game="cursed-hand", players=4, seats=["you", *["random"] * 3])
        for program, others in ((ben, [ann]), (ann, [])):
            stream = program.frames()
            next(stream)
            until(lambda here=program: len(here.state()["view"]["acting"]) == 1)
            assert all(len(other.state()["view"]["acting"]) == 4 for other in others), "nobody is there"
        assert site.state.registry.interest.asker(ann.table) == THIS_COMPUTER


def test_bots_move_for_a_program_that_asks_now_and_then(site: Served) -> None:
    ann = Program(site.base)
    ann.creates(game="cursed-hand", players=4, seats=["you", *["random"] * 3])
    until(lambda: len(ann.state()["view"]["acting"]) == 1)
