"""Copies of a file of tables: made while people play, checked, and put back."""

import random
import stat
from pathlib import Path

import pytest

from hexdeck.tables.database import back_up, restore
from hexdeck.tables.errors import BadStore
from tests.web.serving import Program, file_in, served


def test_a_copy_made_while_people_play_goes_on_where_it_was_made(tmp_path: Path) -> None:
    copy, again = tmp_path / "copy.db", tmp_path / "again"
    again.mkdir()
    with served(file_in(tmp_path)) as site:
        ann, rng = Program(site.base), random.Random(1)
        ann.creates(game="hawthorn", players=2, seats=["you", "random"])
        for _ in range(4):
            then = ann.moves(rng)
        assert back_up(file_in(tmp_path), copy) == 1
        ann.moves(rng)
    assert stat.S_IMODE(copy.stat().st_mode) == 0o600
    assert restore(file_in(again), copy) == 1
    with served(file_in(again)) as site:
        back = Program(site.base, ann.token)
        back.table = ann.table
        assert back.state()["version"] >= then["version"]
        assert back.state()["view"]["log"][: len(then["view"]["log"])] == then["view"]["log"]


def test_nothing_is_written_over_and_a_running_server_is_left_alone(tmp_path: Path) -> None:
    copy, place = tmp_path / "copy.db", tmp_path / "tables.db"
    with served(file_in(tmp_path)):
        back_up(str(place), copy)
        before = copy.read_bytes()
        with pytest.raises(BadStore):
            back_up(str(place), copy)
        place.rename(tmp_path / "moved.db")  # the server still has it
        with pytest.raises(BadStore):
            restore(str(place), copy)
        (tmp_path / "moved.db").rename(place)
    with pytest.raises(BadStore):
        restore(str(place), copy)
    assert copy.read_bytes() == before


@pytest.mark.parametrize("damage", [b"", b"no database at all", None])
def test_what_is_no_sound_copy_is_refused_and_leaves_nothing(damage: bytes | None, tmp_path: Path) -> None:
    copy, place = tmp_path / "copy.db", tmp_path / "there" / "tables.db"
    place.parent.mkdir()
    with served(file_in(tmp_path)):
        back_up(file_in(tmp_path), copy)
    whole = bytearray(copy.read_bytes())
    whole[4096 * 2 : 4096 * 6] = bytes(4096 * 4)
    copy.write_bytes(bytes(whole) if damage is None else damage)
    with pytest.raises(BadStore):
        restore(str(place), copy)
    assert [each.name for each in place.parent.iterdir()] == ["tables.db.lock"]


def test_postgresql_has_tools_of_its_own(tmp_path: Path) -> None:
    with pytest.raises(BadStore, match="pg_dump"):
        back_up("postgresql://hexdeck@localhost/hexdeck", tmp_path / "copy.db")
