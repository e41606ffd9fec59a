"""A measurement whose results can't be stored is refused before it is made."""

import functools
from pathlib import Path

import pytest

import hexdeck
from hexdeck.engine.discovery.definition import definition
from hexdeck.lab.reporting import rulings
from tests.people import Room


def test_effects_that_cannot_be_stored_are_not_measured(room: Room, tmp_path: Path) -> None:
    room.monkeypatch.setattr(rulings, "file_of", lambda _game: tmp_path / "rulings.json")
    room.monkeypatch.setattr("os.access", lambda *_how: False)
    room.monkeypatch.setattr("hexdeck.lab.reporting.ledger.ledger", lambda *_how, **_more: pytest.fail("it measures"))
    said = room.hexdeck("ledger", "hawthorn", "-n", "3", "--games", "50", "--save")
    assert said.status == 2 and "rulings.json can't be written; leave out --save" in said.err


def test_a_disk_that_refuses_is_told_in_a_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rulings, "file_of", lambda _game: tmp_path / "gone" / "rulings.json")
    monkeypatch.setattr(rulings, "stored", functools.cache(rulings.stored.__wrapped__))  # leaves the others' cache
    with pytest.raises(hexdeck.HexdeckError, match=r"rulings\.json can't be written: No such file or directory\."):
        rulings.store(definition("hawthorn"), 3, "hexdeck ledger", [])
