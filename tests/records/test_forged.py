"""Records that somebody with all nonces of a chain made, so that its head stays as it was: they are refused."""

from __future__ import annotations

from dataclasses import replace

import pytest

import hexdeck
from hexdeck.engine.errors import BadRecord
from hexdeck.engine.play.record import Record
from hexdeck.tables.model.chain import content_of, field_hash, link_hash
from hexdeck.tables.model.entries import RETRACT
from hexdeck.tables.model.fair_chain import RecordedChain, RecordedLink, check_links, check_order_of_words, check_start
from hexdeck.tables.model.sealing import seal_of


def linked(entries: list[tuple[str, int, list[str]]], hidden: set[int]) -> tuple[Record, RecordedChain]:
    """A record and a chain of some entries, of which some are hidden."""
    links, events, first = [], list[str](), 0
    for number, (kind, seat, own) in enumerate(entries):
        held = link_hash("00", content_of(number, kind, seat, own, {}, None if number else {}))
        if number in hidden:
            links.append(RecordedLink(number, held))
            continue
        links.append(RecordedLink(number, held, "00", kind, seat, {}, first, len(own)))
        events, first = [*events, *own], first + len(own)
    record = Record("cursed-hand", 1, 3, {}, ({}, {}, {}), tuple(events), "")
    return record, RecordedChain({}, tuple(links), None)


def test_what_was_taken_back_can_not_be_shown_in_the_place_of_what_was_played() -> None:
    """Whoever keeps the server has all nonces, so could show either without another head."""
    chosen: list[tuple[str, int, list[str]]] = [
        ("start", -1, ["card 1"]), ("choice", 0, ["0: add 1"]), (RETRACT, 0, []), ("choice", 1, ["1: add 3"]),
        ("choice", 0, ["0: add 2"]), ("choice", 2, ["2: add 5"]), (RETRACT, 2, []), ("move", 2, ["2: add 6"]),
    ]  # fmt: skip
    check_links(*linked(chosen, {1, 5}))
    for false in ({4, 5}, {1, 7}, {3, 5}, {1, 3}, {0, 5}, {1}, set[int](), {1, 4, 5}):
        with pytest.raises(BadRecord, match="hides an entry that wasn't taken back"):
            check_links(*linked(chosen, false))


def test_a_table_that_went_on_by_newer_rules_has_their_new_options_as_they_are_by_default() -> None:
    """An option that the table didn't have yet can't be given another value afterwards."""
    chosen = hexdeck.game("blackstone", 3)
    start = {"game": "blackstone", "players": 3, "rules": 1, "promise": "ab",
             "options": {name: value for name, value in chosen.options.items() if name != "stakes"}}  # fmt: skip
    record = Record.of(chosen.match(seed=1))
    assert record.options["stakes"] == "secret"
    check_start(record, "ab", start)
    with pytest.raises(BadRecord, match="The option stakes was added: the table had none"):
        check_start(replace(record, options={**record.options, "stakes": "open", "sit_out": False}), "ab", start)


def worded(entries: list[tuple[str, int, dict[str, str]]]) -> RecordedChain:
    """A chain of entries that change words and seals of their seats."""
    links = [
        RecordedLink(number, "", "00", kind, seat, {
            str(seat): {field: [field_hash(field, "00", value), "00"] for field, value in fields.items()}
        })
        for number, (kind, seat, fields) in enumerate(entries)
    ]  # fmt: skip
    return RecordedChain({}, tuple(links), None)


def test_words_can_not_be_added_late_under_the_name_of_another_entry() -> None:
    rye, late = {"seal": seal_of("rye")}, {"seal": seal_of("late")}
    shown = ("show", 0, {"words": "rye"})
    honest = [("create", 0, rye), ("sit", 1, late), shown, ("show", 1, {"words": "late"})]
    check_order_of_words(worded(honest), ["rye", "late", ""])
    for false in (
        [("create", 0, rye), shown, ("name", 1, late), ("show", 1, {"words": "late"})],
        [("create", 0, rye), shown, ("name", 1, {"words": "late"})],
        [("create", 0, rye), ("sit", 1, late), shown, ("name", 1, {"words": "late"})],
        [("create", 0, rye), ("name", 0, {"words": "rye"}), ("sit", 1, late), ("show", 1, {"words": "late"})],
    ):
        with pytest.raises(BadRecord, match=r"Words were added after|Sealed words were added without being shown"):
            check_order_of_words(worded(false), ["rye", "late", ""])
