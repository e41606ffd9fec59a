"""Anybody can derive the cards of a table again, and a changed record is found out."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import hexdeck
from hexdeck.cli import main
from hexdeck.engine.discovery.finding import game_names
from hexdeck.engine.errors import BadRecord
from hexdeck.engine.play.match import Match, game_of
from hexdeck.engine.play.record import Record, struct_check
from hexdeck.tables.fair import Proof, chance_key, commitment, proof_data, proof_of, verify

SECRET = bytes(range(32))


def played(name: str, contributions: tuple[str, ...], secret: bytes = SECRET) -> Record:
    game = hexdeck.game(name, len(contributions))
    match, rng = game.match(by_hand=True, backend="fast"), np.random.default_rng(5)
    match.let_chance(chance_key(secret, contributions))
    while not match.over:
        match.play(match.actor, int(rng.choice(match.legal_ids(match.actor))))
    return Record.of(match, fair=proof_data(Proof(secret, commitment(secret), contributions)))


def changed(record: Record, **fair: Any) -> Record:
    return replace(record, notes={"fair": {**record.notes["fair"], **fair}})


@pytest.fixture(scope="module")
def record() -> Record:
    return played("hawthorn", ("seven", "", "of hearts"))


@pytest.mark.parametrize("name", game_names())
def test_every_card_is_derived_again(name: str) -> None:
    found = played(name, ("a", "b", "ü"))
    cards = sum(": " not in event for event in found.events)
    assert verify(found) == verify(found, commitment(SECRET)) == cards > 2


def test_a_card_that_was_exchanged_is_found_though_the_record_can_be_played(record: Record) -> None:
    """Two seats swap their first cards and the record gets a new checksum: a complete, legal, false record."""
    events = list(record.events)
    other = next(k for k in range(1, len(events)) if events[k].startswith("card") and events[k] != events[0])
    events[0], events[other] = events[other], events[0]
    match = Match(game_of(record), by_hand=True, backend="fast")
    for event in events[:other]:
        match.deal(event)
    false = Record.of(match, fair=record.notes["fair"])
    with pytest.raises(BadRecord, match=f"event 0 of the record is .*{events[0]}.*gives .*{events[other]}"):
        verify(false)


def test_a_move_that_was_exchanged_is_found_by_the_cards_or_stays_what_the_record_says(record: Record) -> None:
    with pytest.raises(BadRecord):
        verify(replace(record, events=tuple(reversed(record.events))))


@pytest.mark.parametrize(
    ("fair", "said"),
    [
        ({"secret": "00" * 32}, "The secret in the record is not the promised one"),
        ({"commitment": "00" * 32}, "The secret in the record is not the promised one"),
        ({"secret": "00" * 32, "commitment": commitment(bytes(32))}, "The cards were changed: event 0"),
        ({"contributions": ["seven", "", "of spades"]}, "The cards were changed: event 0"),
        ({"contributions": ["seven", "of hearts", ""]}, "The cards were changed: event 0"),
        ({"contributions": ["seven"]}, "it should hold the added words of 3 seats"),
        ({"contributions": "seven"}, "can't be read"),
        ({"contributions": [1, 2, 3]}, "can't be read"),
        ({"secret": "no"}, "can't be read"),
        ({"secret": 7}, "can't be read"),
        ({"commitment": None}, "can't be read"),
        ({"commitment": ""}, "can't be read"),
    ],
)
def test_a_proof_that_was_changed_is_found(record: Record, fair: dict[str, Any], said: str) -> None:
    with pytest.raises(BadRecord, match=said):
        verify(changed(record, **fair))


def test_a_table_that_promised_something_else_is_found(record: Record) -> None:
    """A forger may write another promise into the record, too: what the players saw decides."""
    with pytest.raises(BadRecord, match=r"but .*ab.* was promised"):
        verify(record, "ab" * 32)
    assert verify(record, f"  {commitment(SECRET).upper()}\n") == verify(record)


def test_a_record_of_no_table_holds_no_proof(record: Record) -> None:
    with pytest.raises(BadRecord, match="only a match at a table"):
        proof_of(replace(record, notes={}))


def test_the_command_says_what_was_found(record: Record, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    named = replace(record, seats=({"name": "Ada"}, {}, {"name": "Cleo"}))
    named.save(tmp_path / "match.json")
    assert main(["verify", str(tmp_path / "match.json")]) == 0
    said = capsys.readouterr().out
    assert "The cards are as promised: all " in said and commitment(SECRET) in said and "--promise" in said
    assert "Seat 1 (Ada) added 'seven'." in said and "Seat 2 added nothing." in said
    assert main(["verify", str(tmp_path / "match.json"), "--promise", commitment(SECRET)]) == 0
    assert "--promise" not in capsys.readouterr().out
    data = json.loads((tmp_path / "match.json").read_text(encoding="utf-8"))
    data["seats"][0]["name"] = "Eve"
    (tmp_path / "false.json").write_text(json.dumps(data), encoding="utf-8")
    assert main(["verify", str(tmp_path / "false.json")]) == 0  # no name is promised, and that is said
    assert "Names, bots, moves and options are as the file has them" in capsys.readouterr().out
    data["events"][0] = "card 10" if data["events"][0] != "card 10" else "card 9"
    (tmp_path / "false.json").write_text(json.dumps(data), encoding="utf-8")
    assert main(["verify", str(tmp_path / "false.json")]) == 2
    assert capsys.readouterr().err.count("\n") == 1


def test_options_that_nothing_proves_are_told(record, tmp_path, capsys) -> None:
    """With another option all cards stay as promised, so the command prints the options."""
    other = replace(record, options={**record.options, "deals": 2, "fold_price": "own"})
    match = Match(game_of(other), by_hand=True, backend="fast")
    for event in other.events:
        seat, colon, name = event.partition(": ")
        match.play(int(seat), name) if colon else match.deal(event)
    Record.of(match, fair=record.notes["fair"]).save(tmp_path / "other.json")
    record.save(tmp_path / "match.json")
    assert main(["verify", str(tmp_path / "match.json")]) == 0
    said = capsys.readouterr().out
    assert "Options in the file: the usual ones." in said and "isn't over" not in said
    assert main(["verify", str(tmp_path / "other.json")]) == 0
    said = capsys.readouterr().out
    assert "Options in the file: deals=2, fold_price=own." in said and "The match in the file isn't over." in said


def test_the_check_of_a_record_alone_proves_nothing(record: Record) -> None:
    """It finds accidents; a forger can compute it again, so `verify` doesn't rely on it."""
    assert record.check == struct_check(hexdeck.load(record))
