"""What was stored by earlier versions of the rules opens, is proved by its check, and goes on.

`old/GAME-VERSION-*.json` are records as that version of the rules wrote them.
"""

import json
import random
from pathlib import Path

import numpy as np
import pytest

import hexdeck
from hexdeck.cli import main
from hexdeck.engine.discovery.definition import definition
from hexdeck.engine.layout import HEADER, added_since, bytes_at, struct
from hexdeck.engine.options import Switch
from hexdeck.engine.play.record import Record, read
from hexdeck.engine.text import say
from hexdeck.tables.registry import game_of
from tests.settings import GAMES, every_game
from tests.support import random_plies

OLD = Path(__file__).parent / "old"
RECORDS = sorted(OLD.glob("*.json"))
every_record = pytest.mark.parametrize("path", RECORDS, ids=lambda path: path.stem)
BACKEND = "fast"


@pytest.fixture(autouse=True)
def _backend(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HEXDECK_BACKEND", BACKEND)


def test_every_game_has_a_record_of_each_version_that_still_opens() -> None:
    """A version that only adds fields asks for records of the version before it: one that is over, one that goes on."""
    found = {path.stem for path in RECORDS}
    for name in GAMES:
        added = definition(name).rules.STRUCT.metadata["added"]
        for version in {1, *(number - 1 for number in added)}:
            assert {f"{name}-{version}-over", f"{name}-{version}-going"} <= found, (name, version)


# --- records ----------------------------------------------------------------------------------------------------------
@every_record
def test_an_old_record_opens_steps_to_every_ply_and_goes_on(path: Path) -> None:
    record = read(path)
    match = hexdeck.load(path, backend=BACKEND)
    assert match.length == len(record.events) and match.over == path.stem.endswith("over")
    for ply in range(match.length + 1):
        match.go(ply)
        assert match.ply == ply and match.view(ply % match.game.players).zones
    match.go(match.length)
    plies = [position.length for position in random_plies(match, random.Random(1))]
    again = Record.of(match)
    assert plies[0] == len(record.events) and again.rules == match.game.definition.struct_version
    assert hexdeck.load(again.text(), backend=BACKEND).returns() == match.returns()


@every_record
def test_the_promise_of_an_old_record_is_verified(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["verify", str(path), "--promise", json.loads(path.read_text())["notes"]["fair"]["commitment"]]) == 0
    assert "The cards are as promised: all " in capsys.readouterr().out


@every_record
def test_an_old_record_that_was_changed_is_refused(path: Path) -> None:
    data = json.loads(path.read_text(encoding="utf-8"))
    with pytest.raises(hexdeck.BadRecord, match="don't lead to the position it was saved in"):
        hexdeck.load({**data, "check": "0" * 16}, backend=BACKEND)
    with pytest.raises(hexdeck.BadRecord):
        hexdeck.load({**data, "events": data["events"][:-1], "count": data["count"] - 1}, backend=BACKEND)


@every_record
def test_an_old_record_names_no_option_that_came_later(path: Path) -> None:
    record = read(path)
    rules = definition(record.game).rules
    for option in rules.OPTIONS:
        if option.name in (added_since(rules.STRUCT, record.rules) or ()):
            with pytest.raises(hexdeck.BadRecord, match=f"There is no option '{option.name}'"):
                hexdeck.load(
                    {**record.data(), "options": {**record.options, option.name: option.default}}, backend=BACKEND
                )


def test_a_table_that_was_set_up_with_an_option_but_without_what_it_needs_goes_on() -> None:
    """Which changed nothing; who chooses such an option today gets both."""
    stored = {"rules": 4, "game": "high-handed", "players": 2, "options": '{"uncle_bob": "ask"}'}
    assert not game_of(stored).options["uncle_bob_rule"]


@every_game
def test_a_version_that_changed_more_than_fields_is_not_reached(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A next version that doesn't say what it added: all that was stored before it is refused by one sentence."""
    rules = definition(name).rules
    version = definition(name).struct_version
    fields = [(name, rules.STRUCT[name]) for name in rules.STRUCT.names]
    newer = np.dtype(fields, align=True, metadata={**rules.STRUCT.metadata, "version": version + 1})
    monkeypatch.setattr(rules, "STRUCT", newer)
    for path in RECORDS:
        if path.stem.startswith(f"{name}-{version}-") or path.stem.startswith(f"{name}-1-"):
            with pytest.raises(hexdeck.BadRecord, match=rf"^The record follows version \d+ of the rules of {name}; "):
                hexdeck.load(path, backend=BACKEND)


# --- structs ----------------------------------------------------------------------------------------------------------
def test_a_struct_without_what_was_added_is_laid_out_as_it_was() -> None:
    """Fields before, between and after what was added, with the gaps that alignment makes."""
    sentence = say("")
    first, later = Switch("first", False, "", sentence), Switch("later", False, "", sentence)
    fields = (("small", "i1"), ("wide", "i8", (3,)), ("last", "i2"))
    old = struct((first,), *fields)
    middle = struct((first,), fields[0], ("count", "i2"), *fields[1:])
    added = {4: ("later", "more"), 3: ("count",)}
    new = struct((first, later), fields[0], ("count", "i2"), *fields[1:], ("more", "i1", (5,)), version=4, added=added)
    rng = np.random.default_rng(1)
    world = np.zeros(1, new)
    for name in new.names or ():
        world[name] = rng.integers(-100, 100, world[name].shape)
    for version, dtype in ((4, new), (3, middle), (2, old)):
        then = np.zeros(1, dtype)
        for name in dtype.names or ():
            then[name] = world[name]
        assert bytes_at(new, version, world.tobytes()) == then.tobytes(), version
    assert [added_since(new, version) for version in (-(10**12), 0, 1, 5)] == [None] * 4
    assert bytes_at(new, 1, world.tobytes()) is None


@every_game
def test_what_was_added_is_in_the_struct(name: str) -> None:
    rules = definition(name).rules
    added = rules.STRUCT.metadata["added"]
    listed = [field for version in added for field in added[version]]
    assert set(added) <= set(range(2, definition(name).struct_version + 1)) and len(set(listed)) == len(listed)
    assert set(listed) <= set(rules.STRUCT.names) - set(HEADER.names or ())
