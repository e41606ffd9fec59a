"""The cards of a match at the terminal are promised before the deal, and words of the person change them."""

import json
import re
import sys

from hexdeck.cli import main
from hexdeck.engine.play.record import read
from hexdeck.tables.fair import proof_of, verify
from hexdeck.terminal.session import Session
from tests.people import ANY_MOVES, Room


def hash_in(text: str) -> str:
    found = re.search(r"a secret with this hash:\s+([0-9a-f]{64})", text)
    assert found, text
    return found[1]


def test_the_promise_comes_before_the_cards_and_the_record_keeps_it(room: Room) -> None:
    said = room.hexdeck("play", "hawthorn", "--players", "2", "--plain", typed=ANY_MOVES)
    shown = hash_in(said.out)
    assert said.out.index(shown) < said.out.index("> ") and "hexdeck verify checks" in said.out
    (path,) = room.saved("finished")
    assert verify(read(path), shown) > 3
    assert main(["verify", str(path), "--promise", shown]) == 0


def test_a_match_that_goes_on_keeps_its_promise_and_one_whose_promise_is_broken_does_not_go_on(room: Room) -> None:
    shown = hash_in(room.hexdeck("play", "hawthorn", "--players", "2", typed=["1", "1"]).out)
    (path,) = room.saved()
    kept = path.read_text(encoding="utf-8")
    data = json.loads(kept)
    data["notes"]["fair"]["secret"] = "x"
    path.write_text(json.dumps(data), encoding="utf-8")
    assert room.hexdeck("play", "--resume", typed=ANY_MOVES).status == 2
    path.write_text(kept, encoding="utf-8")
    said = room.hexdeck("play", "--resume", typed=ANY_MOVES)
    assert "hash of a secret" not in said.out
    (path,) = room.saved("finished")
    assert verify(read(path), shown) > 3


def test_with_a_seed_nothing_is_promised(room: Room) -> None:
    said = room.hexdeck("play", "hawthorn", "--players", "2", "--seed", "1", typed=["1"])
    assert "hash" not in said.out and "fair" not in read(room.saved()[0]).notes


def test_words_typed_before_the_deal_count_and_what_is_no_word_is_refused(room, monkeypatch) -> None:
    begin = Session.__post_init__

    def lively(session: Session) -> None:
        begin(session)
        session.interactive = True
        assert not session.match.events and session.match.view(0).acting == ()

    monkeypatch.setattr(sys, "stdin", sys.stdin)
    room.monkeypatch.setattr(Session, "__post_init__", lively)
    said = room.hexdeck("play", "hawthorn", "--players", "2", "--pause", "0", typed=["x" * 129, " rye ", "q"])
    assert "at most 128 characters" in said.out
    record = read(room.saved()[0])
    assert proof_of(record).contributions == ("rye", "") and verify(record, hash_in(said.out)) > 0
