"""A broken record is refused with one sentence, which names the first bad event where there is one."""

import json
import random
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import hexdeck
from hexdeck.engine.play.match import Match
from tests.settings import every_game

from .test_round_trip import BACKEND, begun

Data = dict[str, Any]


def finished(name: str = "cursed-hand") -> Data:
    return begun(hexdeck.game(name, 3), 1).record().data()


def refusal(source: Any) -> hexdeck.BadRecord:
    with pytest.raises(hexdeck.BadRecord) as caught:
        hexdeck.load(source, backend=BACKEND)
    sentence = str(caught.value)
    assert re.fullmatch(r"([A-Z]|/.* is no record of a match;).*\.", sentence) and len(sentence) < 600, sentence
    return caught.value


def at(data: Data, k: int) -> str:
    return f"Event {k} of the record, {re.escape(repr(data['events'][k]))}, is not possible there: "


def move_after(data: Data, k: int) -> int:
    return next(i for i in range(k, data["count"]) if ":" in data["events"][i])


def illegal_move(data: Data, k: int) -> tuple[str, str]:
    """A move that can't be played as event k, and the rule that forbids it."""
    match: Match = hexdeck.load(data, backend=BACKEND)
    match.go(k)
    seat = match.actor
    for id, name in enumerate(match.game.rules.ACTIONS):
        reason = match.illegal_reason(seat, id)
        if reason:
            return f"{seat}: {name}", match.game.definition.reason(reason).rule
    raise AssertionError("everything is legal here")


# --- events -----------------------------------------------------------------------------------------------------------
@every_game
def test_an_illegal_move_is_named_with_its_rule(name: str) -> None:
    data = finished(name)
    k = move_after(data, data["count"] // 2)
    data["events"][k], rule = illegal_move(data, k)
    error = refusal(data)
    assert error.event == k and re.match(at(data, k), str(error)) and f"({rule})" in str(error)


@every_game
def test_an_impossible_card_is_named(name: str) -> None:
    data = finished(name)
    match = hexdeck.load(data, backend=BACKEND)
    k = max(k for k, event in enumerate(data["events"]) if event in match.game.rules.OUTCOMES)
    match.go(k)
    data["events"][k] = next(card for card in match.game.rules.OUTCOMES if card not in match.chances())
    error = refusal(data)
    assert error.event == k and re.match(at(data, k) + "Chance can't give", str(error))


@every_game
def test_a_move_out_of_turn_is_named(name: str) -> None:
    data = finished(name)
    match = hexdeck.load(data, backend=BACKEND)
    k = next(k for k in range(data["count"]) if ":" in data["events"][k] and len(acting_at(match, k)) == 1)
    other = (acting_at(match, k)[0] + 1) % 3
    data["events"][k] = f"{other}: {data['events'][k].partition(': ')[2]}"
    error = refusal(data)
    assert error.event == k and "isn't the turn of" in str(error)


def acting_at(match: Match, ply: int) -> tuple[int, ...]:
    match.go(ply)
    return match.acting


@every_game
@pytest.mark.parametrize("chance", [True, False])
def test_an_event_after_the_end_is_named(name: str, chance: bool) -> None:
    data, rules = finished(name), hexdeck.game(name).rules
    data["events"].append(rules.OUTCOMES[0] if chance else f"0: {rules.ACTIONS[0]}")
    data["count"] += 1
    error = refusal(data)
    assert error.event == data["count"] - 1 and re.match(at(data, error.event), str(error))


@pytest.mark.parametrize(
    "event",
    ["", "card", "card 77", "7", "0 call", "0:call", "0: ", "0: fly", "9: call", "3: call", "-1: call", "00: call",
     "\N{ARABIC-INDIC DIGIT ZERO}: call", "+0: call", ": call", "call", "9" * 5000 + ": call", "0: call ", " 0: call",
     "0: CALL", "\x00"],
)  # fmt: skip
def test_an_unknown_event_is_named(event: str) -> None:
    data = finished()
    data["events"][20] = event
    error = refusal(data)
    assert error.event == 20 and str(error).startswith("Event 20 of the record is corrupt: ")
    assert "isn't an event of cursed-hand" in str(error)


@pytest.mark.parametrize("event", [7, None, True, ["0: call"], {"seat": 0}, 1.5, [["deep"] * 50] * 50])
def test_an_event_that_is_no_text_is_named(event: Any) -> None:
    data = finished()
    data["events"][4] = event
    data["events"][9] = None
    error = refusal(data)
    assert error.event == 4 and str(error).startswith("Event 4 of the record is corrupt: ")


def test_the_first_of_several_bad_events_is_named() -> None:
    data = finished()
    data["events"][21], data["events"][25] = "card 10", "card 10"
    assert refusal(data).event == 21


@every_game
def test_a_changed_card_is_found_at_the_latest_by_the_check(name: str) -> None:
    data = finished(name)
    match = hexdeck.load(data, backend=BACKEND)
    match.go(0)
    data["events"][0] = next(card for card in match.chances() if card != data["events"][0])
    refusal(data)


def test_a_changed_card_that_was_never_played_is_found_by_the_check() -> None:
    data = begun(hexdeck.game("cursed-hand", 3), 1, moves=0).record().data()
    data["events"][-1] = "card 9" if data["events"][-1] != "card 9" else "card 10"
    error = refusal(data)
    assert error.event is None and "don't lead to the position it was saved in" in str(error)


# --- truncation -------------------------------------------------------------------------------------------------------
@every_game
def test_a_truncated_list_names_the_first_missing_event(name: str) -> None:
    data = finished(name)
    for length in (0, 1, data["count"] - 1):
        error = refusal({**data, "events": data["events"][:length]})
        assert error.event == length
        assert f"should hold {data['count']} events, and event {length} is missing" in str(error)


def test_too_many_events_name_the_first_superfluous_one() -> None:
    data = finished()
    error = refusal({**data, "events": [*data["events"], data["events"][-1]]})
    assert error.event == data["count"] and f"event {data['count']} is one too many" in str(error)


def test_text_that_ends_anywhere_is_refused() -> None:
    text = begun(hexdeck.game("cursed-hand", 2), 1).record().text()
    for end in {1, 2, len(text) // 2, len(text) - 1, *random.Random(0).sample(range(1, len(text)), 40)}:
        assert "truncated or corrupt" in str(refusal(text[:end]))


# --- form -------------------------------------------------------------------------------------------------------------
def changed(**parts: Any) -> Callable[[Data], Data]:
    return lambda data: {**data, **parts}


def without(key: str) -> Callable[[Data], Data]:
    return lambda data: {name: value for name, value in data.items() if name != key}


def option(**options: Any) -> Callable[[Data], Data]:
    return lambda data: {**data, "options": {**data["options"], **options}}


BROKEN = {
    "no format": (without("hexdeck"), "no record of a match"),
    "format as text": (changed(hexdeck="1"), "no record of a match"),
    "format true": (changed(hexdeck=True), "no record of a match"),
    "format 0": (changed(hexdeck=0), "has format 0"),
    "newer format": (changed(hexdeck=3), "has format 3, and this hexdeck reads format 1; use the one"),
    "newer format in another form": (lambda _: {"hexdeck": 9, "x": 1}, "has format 9"),
    "unknown game": (changed(game="poker"), "can't be played here: There is no game poker; there are "),
    "no game": (changed(game=""), "can't be played here: There is no game ; there are "),
    "game is a number": (changed(game=7), "game is missing or is not text"),
    "no rules": (without("rules"), "rules is missing or is not a whole number"),
    "newer rules": (changed(rules=99), "follows version 99 of the rules of cursed-hand, newer than"),
    "newer rules with another option": (
        changed(rules=99, options={"wild": 1}),
        "follows version 99 of the rules of cursed-hand, newer than",
    ),
    "older rules": (changed(rules=0), "follows version 0 of the rules of cursed-hand; this program plays version"),
    "rules as text": (changed(rules="1"), "rules is missing or is not a whole number"),
    "too many players": (changed(players=7, seats=[{}] * 7), "cursed-hand is for 2 to 6 players, not 7"),
    "another number of players": (changed(players=4), "should have 4 seats"),
    "players true": (changed(players=True), "players is missing or is not a whole number"),
    "players 3.0": (changed(players=3.0), "players is missing or is not a whole number"),
    "one seat less": (changed(seats=[{}, {}]), "should have 3 seats"),
    "seats are texts": (changed(seats=["a", "b", "c"]), "should have 3 seats"),
    "seats are named": (changed(seats={"a": 1}), "seats is missing or is not a list"),
    "no options": (without("options"), "options is missing or is not a set of named values"),
    "options are a list": (changed(options=[]), "options is missing or is not a set of named values"),
    "unknown option": (option(wild=1), "There is no option 'wild'; there are losses, "),
    "an option called players": (option(players=3), "There is no option 'players'"),
    "an option called name": (option(name="x"), "There is no option 'name'"),
    "option out of range": (option(losses=10), "(losses) can't be 10; it takes a whole number from 1 to 9"),
    "option as text": (option(losses="2"), "(losses) can't be '2'"),
    "option as odd text": (option(losses="+-2"), "(losses) can't be '+-2'"),
    "option true": (option(losses=True), "(losses) can't be True"),
    "option is a list": (option(deck=[1, 2]), "(deck) can't be [1, 2]"),
    "option is infinite": (option(deck=[float("inf")]), "(deck) can't be [inf]"),
    "cards that don't suffice": (option(deck="1-1"), "The record can't be played here: "),
    "no count": (without("count"), "count is missing or is not a whole number"),
    "count is a list": (changed(count=[]), "count is missing or is not a whole number"),
    "count below 0": (changed(count=-1), "event -1 is one too many"),
    "no events": (without("events"), "events is missing or is not a list"),
    "events are text": (changed(events="card 1"), "events is missing or is not a list"),
    "no check": (without("check"), "don't lead to the position it was saved in"),
    "another check": (changed(check="0" * 16), "don't lead to the position it was saved in"),
    "check is a number": (changed(check=7), "don't lead to the position it was saved in"),
}


@pytest.mark.parametrize("case", BROKEN)
@pytest.mark.parametrize("handed_over", [dict, json.dumps])
def test_a_wrong_form_is_refused_with_what_is_wrong(case: str, handed_over: Callable[[Data], Any]) -> None:
    broken, said = BROKEN[case]
    assert said in str(refusal(handed_over(broken(finished()))))


@pytest.mark.parametrize("players", [2, 4, 5])
def test_another_number_of_seats_is_refused(players: int) -> None:
    refusal({**finished(), "players": players, "seats": [{}] * players})


@pytest.mark.parametrize(
    "text", ["{", "{}", "{'hexdeck': 1}", "{\"hexdeck\": 1", "{\"a\":" * 20_000, '{"a": ' + "9" * 5000 + "}",
             '{"hexdeck": 1, "game": "\\ud800"}', "{}{}", "{]", '{"hexdeck":1}', "{\x00}"],
    ids=lambda text: text[:12],
)  # fmt: skip
def test_text_that_is_no_record_is_refused(text: str) -> None:
    refusal(text)


# --- files ------------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    "content", [b"", b"\x00\xff\xfe", b"\x89PNG\r\n", b"[]", b"7", b"null", b'"{}"', b"\xef\xbb\xbf{}"]
)
def test_a_file_that_is_no_record_is_refused(content: bytes, tmp_path: Path) -> None:
    path = tmp_path / "match.json"
    path.write_bytes(content)
    refusal(path)


def test_what_is_no_json_at_all_is_called_no_record(tmp_path: Path) -> None:
    (path := tmp_path / "README.md").write_text("# A game\n", encoding="utf-8")
    assert str(refusal(path)) == f"{path} is no record of a match; hexdeck play --record FILE writes one."
    path.write_text('{"hexdeck": 1', encoding="utf-8")
    assert "truncated or corrupt" in str(refusal(path))


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    assert f"There is no file {tmp_path / 'none.json'}." in str(refusal(tmp_path / "none.json"))


def test_a_folder_is_refused(tmp_path: Path) -> None:
    assert "can't be read: it is a folder" in str(refusal(str(tmp_path)))


@pytest.mark.parametrize("path", ["", "\x00", "a" * 5000, "[1]", "no such file"])
def test_words_that_are_neither_path_nor_record_are_refused(path: str) -> None:
    refusal(path)


def test_nothing_has_changed_after_a_refusal() -> None:
    data = finished()
    data["events"][21] = "card 10"
    before = json.dumps(data)
    refusal(data)
    assert json.dumps(data) == before
    assert hexdeck.load(finished(), backend=BACKEND).over
