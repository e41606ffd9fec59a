"""What is measured to be kept is refused before it is measured, where it can't be kept."""

import functools
from pathlib import Path

import pytest

import hexdeck
from hexdeck.lab.reporting import rulings
from tests.people import Room


def test_weights_that_cannot_be_kept_are_not_measured(room: Room, tmp_path: Path) -> None:
    room.monkeypatch.setattr(rulings, "game_folder", lambda _name: tmp_path)
    room.monkeypatch.setattr("os.access", lambda *_how: False)
    room.monkeypatch.setattr("hexdeck.lab.reporting.ledger.ledger", lambda *_how, **_more: pytest.fail("it measures"))
    said = room.hexdeck("ledger", "hawthorn", "-n", "3", "--games", "50", "--save")
    assert said.status == 2 and "rulings.json can't be written; leave out --save" in said.err


def test_a_disk_that_refuses_is_told_in_a_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rulings, "game_folder", lambda _name: tmp_path / "gone")
    monkeypatch.setattr(rulings, "kept", functools.cache(rulings.kept.__wrapped__))  # others go on with what there is
    with pytest.raises(hexdeck.HexdeckError, match=r"rulings\.json can't be written: No such file or directory\."):
        rulings.keep("hawthorn", 3, "hexdeck ledger", [])
