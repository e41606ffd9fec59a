"""Sealed words: everybody's hashes first, then the words; nobody can choose theirs last, knowing the others'."""

from __future__ import annotations

import copy
import hashlib
import random
from pathlib import Path
from typing import Any

import pytest

import hexdeck
from hexdeck.cli import main
from hexdeck.engine.errors import BadRecord
from hexdeck.engine.play.record import read
from hexdeck.tables.errors import Stale, TableError
from hexdeck.tables.keys import fresh_secret, hashed, parse_invitation
from hexdeck.tables.model.entries import PLAYING, WAITING
from hexdeck.tables.model.fair import verify
from hexdeck.tables.model.live import LiveTable
from hexdeck.tables.model.sealing import SHOWING
from hexdeck.tables.service import commands, leaving, new_tables
from hexdeck.tables.service.registry import TableRegistry
from hexdeck.web.routes.replays import record_of
from tests.tables.house import House, housed, in_a_file
from tests.tables.promises.test_chain import played

RYE, BARLEY = "rye 0123", "barley 4567"


def sealed(words: str) -> str:
    """What is sent in the place of words."""
    return f"sealed:{hashlib.sha256(words.encode()).hexdigest()}"


async def set_up(registry: TableRegistry, words: str, *, hold: bool = False) -> LiveTable:
    """A table with an open seat, whose creator adds words."""
    wish = new_tables.TableSetup(
        hexdeck.game("cursed-hand", 3), (new_tables.YOU, "open", "random"), "Ann", contribution=words, hold=hold
    )
    return await new_tables.create(registry, wish, fresh_secret(), hashed("a" * 22))


async def sits(registry: TableRegistry, table: LiveTable, words: str) -> LiveTable:
    """Ben takes the open seat, with words."""
    seat = parse_invitation(new_tables.invitations(table)[1])[1]
    held = {"token": hashed("b" * 22), "table": table.id, "seat": seat}
    return await registry.change(table.id, commands.sit(seat, "Ben", "", words, registry.clock()), held)


async def shows(registry: TableRegistry, table: LiveTable, seat: int, words: str) -> None:
    """A seat shows words."""
    await registry.change(table.id, commands.contribute(seat, words, registry.clock()))


async def starts(registry: TableRegistry, table: LiveTable, words: str = "", later: float = 0.0) -> None:
    """The host has the cards dealt, so many seconds later."""
    await registry.change(table.id, commands.deal(0, words, registry.clock() + later))


@pytest.fixture(scope="module")
def record(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """The record of a match before which two showed sealed words."""

    async def work(house: House) -> None:
        registry = house.registry
        table = await sits(registry, await set_up(registry, sealed(RYE)), sealed(BARLEY))
        assert table.state == WAITING and [seat.contribution for seat in table.seats] == ["", "", ""]
        await shows(registry, table, 1, BARLEY)
        assert table.state == WAITING
        await shows(registry, table, 0, RYE)
        assert table.state == PLAYING
        await played(registry, table, random.Random(3))
        found.update(record_of(table).data())

    found: dict[str, Any] = {}
    housed(f"sqlite:///{tmp_path_factory.mktemp('sealed') / 'tables.db'}", work, bots=False)
    return found


def test_the_cards_are_dealt_when_the_last_sealed_words_are_shown(record: dict[str, Any]) -> None:
    assert record["notes"]["fair"]["contributions"] == [RYE, BARLEY, ""]
    assert verify(read(record)) > 2
    kinds = [link.get("kind") for link in record["notes"]["chain"]["links"]]
    assert kinds[:5] == ["create", "sit", "show", "show", "start"]


def test_a_record_in_which_words_came_after_others_were_shown_is_refused(record: dict[str, Any]) -> None:
    data = copy.deepcopy(record)
    links = data["notes"]["chain"]["links"]
    links[1], links[2] = links[2], links[1]
    with pytest.raises(BadRecord, match=r"Words were added after sealed ones had been shown \(entry 2\)"):
        verify(read(data))


@in_a_file
async def test_nothing_is_shown_before_every_seat_is_taken_and_nothing_else_than_was_sealed(
    registry: TableRegistry,
) -> None:
    table = await set_up(registry, sealed(RYE))
    with pytest.raises(Stale, match="once every seat is taken"):
        await shows(registry, table, 0, RYE)
    await sits(registry, table, sealed(BARLEY))
    with pytest.raises(TableError, match="aren't the words that you sealed"):
        await shows(registry, table, 0, "wheat")
    with pytest.raises(TableError):
        await shows(registry, table, 0, sealed(RYE))
    await shows(registry, table, 0, RYE)
    with pytest.raises(Stale, match="no sealed words"):
        await shows(registry, table, 0, RYE)


@in_a_file
async def test_once_words_are_shown_nobody_adds_any(registry: TableRegistry) -> None:
    table = await sits(registry, await set_up(registry, sealed(RYE)), sealed(BARLEY))
    for late in ("wheat", sealed("wheat")):
        with pytest.raises(Stale, match="none can be added any more"):
            await starts(registry, table, late)
    await shows(registry, table, 0, RYE)
    with pytest.raises(Stale, match="have shown their words already"):
        await starts(registry, table, "wheat")
    await leaving.leave_table(registry, table.id, 1)
    with pytest.raises(Stale, match="have shown their words already"):
        await sits(registry, table, "wheat")
    await sits(registry, table, "")
    assert table.state == PLAYING and [seat.contribution for seat in table.seats] == [RYE, "", ""]


@in_a_file
async def test_words_can_not_be_added_after_others_were_shown_though_who_showed_them_has_left(
    registry: TableRegistry,
) -> None:
    """Their record would say that somebody chose their words last."""

    table = await sits(registry, await set_up(registry, sealed(RYE)), sealed(BARLEY))
    await shows(registry, table, 1, BARLEY)
    await leaving.leave_table(registry, table.id, 1)
    with pytest.raises(Stale, match="have shown their words already"):
        await sits(registry, table, "wheat")


@in_a_file
async def test_words_that_are_not_shown_are_left_out_and_everybody_is_told(
    registry: TableRegistry, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    table = await sits(registry, await set_up(registry, "", hold=True), sealed(BARLEY))
    await starts(registry, table, sealed(RYE))
    assert table.state == WAITING and not table.terms.hold
    await shows(registry, table, 0, RYE)
    with pytest.raises(Stale, match=r"being shown: in (19|20) seconds you can start"):
        await starts(registry, table)
    await starts(registry, table, later=SHOWING)
    assert table.state == PLAYING and [seat.contribution for seat in table.seats] == [RYE, "", ""]
    told = [str(text) for text in table.log(-1)]
    assert any("hasn't shown the sealed words" in text for text in told)
    await played(registry, table, random.Random(3))
    assert verify(record_of(table)) > 2
    record_of(table).save(tmp_path / "match.json")
    assert main(["verify", str(tmp_path / "match.json")]) == 0
    said = capsys.readouterr().out
    assert "Seat 2 (Ben) sealed words and didn't show them" in said and "nobody could choose theirs last" not in said


@in_a_file
async def test_a_table_of_one_person_deals_when_they_have_shown_theirs(registry: TableRegistry) -> None:
    setup = new_tables.TableSetup(hexdeck.game("hawthorn", 2), (new_tables.YOU, "random"), contribution=sealed(RYE))
    table = await new_tables.create(registry, setup, fresh_secret(), hashed("a" * 22))
    assert table.state == WAITING
    await shows(registry, table, 0, RYE)
    assert table.state == PLAYING


# --- rematches --------------------------------------------------------------------------------------------------------
@in_a_file
async def test_words_for_a_rematch_are_sealed_before_any_is_shown(
    registry: TableRegistry, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    old = await sits(registry, await set_up(registry, ""), "")
    await played(registry, old, random.Random(3))
    await shows(registry, old, 1, sealed(BARLEY))
    new = await registry.table(await new_tables.rematch(registry, old.id, 0, sealed(RYE), 0))
    assert new.state == WAITING and [seat.contribution for seat in new.seats] == ["", "", ""]
    await shows(registry, new, 1, RYE)  # everybody sits one seat further
    with pytest.raises(Stale, match="have shown their words already"):
        await registry.change(new.id, commands.deal(new.terms.host, "wheat", registry.clock()))
    assert new.state == WAITING
    await shows(registry, new, 2, BARLEY)
    assert new.state == PLAYING and [seat.contribution for seat in new.seats] == ["", RYE, BARLEY]
    await played(registry, new, random.Random(4))
    record = record_of(new)
    assert verify(record) > 2
    record.save(tmp_path / "match.json")
    assert main(["verify", str(tmp_path / "match.json")]) == 0
    assert "All words were sealed before any were shown" in capsys.readouterr().out


@in_a_file
async def test_a_rematch_with_open_words_is_dealt_at_once_and_verify_says_what_that_leaves_open(
    registry: TableRegistry, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    old = await sits(registry, await set_up(registry, ""), "")
    await played(registry, old, random.Random(3))
    new = await registry.table(await new_tables.rematch(registry, old.id, 0, "rye", 0))
    assert new.state == PLAYING and [seat.contribution for seat in new.seats] == ["", "rye", ""]
    await played(registry, new, random.Random(4))
    record_of(new).save(tmp_path / "match.json")
    assert main(["verify", str(tmp_path / "match.json")]) == 0
    assert "could have added words last, knowing the secret" in capsys.readouterr().out
