"""Asides at the terminal: an accusation in High Handed is typed at one's own turn, and no question stops anybody."""

import json
from collections.abc import Callable
from typing import Any

import pytest

import hexdeck
from hexdeck.games.high_handed.rules import ANSWER
from tests.people import Room, Table, play, table
from tests.support import for_each

from .uncle_bob import OPTIONS, next_move, play_until

BOB = hexdeck.game("high-handed", 3, **OPTIONS)
ANSWERS = ("accuse", "let be")


def at_a_turn(seat: int = 0, turns: int = 1, sneaking: int = -1, players: int = 3, **how: Any) -> Table:
    at = table(hexdeck.game("high-handed", players, **OPTIONS), **how)
    play_until(at.session.match, seat, turns, sneaking)
    return at


def typist(at: Table) -> Callable[[], str]:
    """Whoever is asked plays on, and is only asked to accuse when out of cards, and so without a turn to say it in."""

    def answer() -> str:
        match, seat = at.session.match, at.session.shown_to
        if "Pass the screen" in at.screen().rpartition("\x1b[3J")[2]:
            return ""
        assert seat is not None and (match.struct.phase != ANSWER or not match.struct.held[seat])
        return next_move(match, seat)

    return answer


def answers(at: Table, seat: int, since: int) -> list[str]:
    """What a seat answered since a ply when everybody was asked."""
    found = [event.name for event in at.session.match.events[since:] if event.seat == seat]
    return [name for name in found if name in ANSWERS]


def printed(at: Table) -> str:
    return " ".join(at.output.getvalue().split())


@for_each("typed", [[], ["accuse bot 1"], ["accuse bot 1", "accuse bot 1"]])
def test_nobody_is_asked_and_what_was_said_is_played(typed: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    at = at_a_turn(sneaking=1)
    since = at.session.match.length
    play(at, [*typed, *[typist(at)] * 12], monkeypatch)
    assert answers(at, 0, since)[0] == ("accuse" if len(typed) == 1 else "let be")
    assert "Do you accuse?" not in printed(at)
    told = [at.session.say(text) for text in at.session.match.facts(0)]
    assert ("You accuse Bot 1!" in told) == (len(typed) == 1)
    assert not at.session.asides.said


def test_it_is_confirmed_taken_back_and_listed(monkeypatch: pytest.MonkeyPatch) -> None:
    at = at_a_turn()
    before = at.session.match.length
    play(at, ["accuse bot 2", "t", "?", "accuse 3", "t"], monkeypatch)
    assert at.screen(0).rstrip().endswith("You can also accuse: Bot 1, Bot 2")
    said = "You accuse Bot 2; it will show when Bot 2's next turn begins. Type it again to take it back."
    assert said in " ".join(at.screen(1).split())
    assert at.screen(2).rstrip().endswith("You can also accuse: Bot 1, Bot 2 (said)")
    assert "accuse and a player's name or number" in at.screen(3)
    assert "You no longer accuse Bot 2." in at.screen(4)
    assert at.screen(5).rstrip().endswith("You can also accuse: Bot 1, Bot 2")
    assert at.session.match.length == before


@for_each(
    ("typed", "told"),
    [
        ("accuse", "Whom do you want to accuse: Bot 1 or Bot 2?"),
        ("accuse bot", "Whom do you want to accuse: Bot 1 or Bot 2?"),
        ("accuse zed", "zed is not the name or number of another player; you can accuse Bot 1 or Bot 2."),
        ("accuse ann", "ann is not the name or number of another player; you can accuse Bot 1 or Bot 2."),
        ("accuse 7", "7 is not the name or number of another player; you can accuse Bot 1 or Bot 2."),
    ],
)
def test_who_is_meant_must_be_clear(typed: str, told: str, monkeypatch: pytest.MonkeyPatch) -> None:
    at = at_a_turn()
    play(at, [typed], monkeypatch)
    assert told in printed(at) and not at.session.asides.said


def test_only_one_can_be_meant_and_others_cannot_be_accused_now(monkeypatch: pytest.MonkeyPatch) -> None:
    at = at_a_turn(1, 0, people=["Ann", "Ben", "Cas"])
    play(at, ["accuse cas", "accuse"], monkeypatch)
    assert "You can't accuse Cas now, only Ann." in printed(at)
    assert "You accuse Ann; it will show" in printed(at)
    first = table(BOB)
    play(first, ["accuse bot 1"], monkeypatch)
    assert "You can also" not in printed(first) and not first.session.asides.said


def test_in_dutch(monkeypatch: pytest.MonkeyPatch) -> None:
    at = at_a_turn(lang="nl")
    play(at, ["beschuldigen", "beschuldig bot 1", "beschuldigen bot 2", "t", "?"], monkeypatch)
    assert "Je kunt ook beschuldigen: Bot 1, Bot 2" in at.screen(0)
    assert "Wie wil je beschuldigen: Bot 1 of Bot 2?" in at.screen(1)
    told = (
        "Je beschuldigt Bot 1; dat blijkt pas als Bot 1 weer aan de beurt komt. Typ het nog eens om het terug te nemen."
    )
    assert told in " ".join(at.screen(2).split())
    assert "Je kunt ook beschuldigen: Bot 1 (gezegd), Bot 2 (gezegd)" in at.screen(4)
    assert "beschuldigen en de naam of het nummer van een speler" in at.screen(5)


def test_it_is_saved_at_once_and_is_there_after_resuming_but_not_in_a_finished_record(monkeypatch, room) -> None:
    at = at_a_turn()

    def look() -> str:
        (saved,) = room.saved()
        assert json.loads(saved.read_text())["notes"] == {"asides": [[0, 1]]}
        raise EOFError

    play(at, ["accuse bot 1", look], monkeypatch)
    assert "You can also accuse: Bot 1 (said), Bot 2" in room.hexdeck("play", "high-handed", "--resume").out
    assert json.loads(room.saved()[0].read_text())["notes"] == {"asides": [[0, 1]]}
    play(at, [typist(at)] * 300, monkeypatch)
    (finished,) = room.saved("finished")
    assert at.session.match.over and json.loads(finished.read_text())["notes"] == {}


def test_notes_that_cannot_be_read_say_nothing(monkeypatch: pytest.MonkeyPatch, room: Room) -> None:
    at = at_a_turn()
    play(at, ["accuse bot 1"], monkeypatch)
    (saved,) = room.saved()
    record = json.loads(saved.read_text())
    record["notes"]["asides"] = [[0, 9], [9, 0], [0, -1], [0], "", None, [0, "1"], [0, 2]]
    saved.write_text(json.dumps(record))
    said = room.hexdeck("play", "high-handed", "--resume")
    assert said.status == 0 and "You can also accuse: Bot 1, Bot 2 (said)" in said.out


def test_others_at_the_screen_see_nothing_of_it_before_it_shows(monkeypatch: pytest.MonkeyPatch) -> None:
    at = at_a_turn(people=["Ann", "Ben", "Cas"], live=True)
    match, asked = at.session.match, typist(at)
    seen: list[str] = []

    def answer() -> str:
        if at.session.shown_to and match.struct.suspect[2]:
            seen.append(at.screen().rpartition("\x1b[3J")[2])
        return asked()

    play(at, ["", "accuse cas", *[answer] * 30], monkeypatch)
    assert any("You can also accuse: Ann, Cas" in screen for screen in seen)
    assert not any("You accuse" in screen or "(said)" in screen for screen in seen)
    assert "Ann accuses Cas!" in map(at.session.say, match.facts(1))


def test_who_has_no_turn_to_say_it_in_is_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    """Ann draws nothing, so her turns are passed over while the others still hold cards; and only then is she asked."""
    at = table(hexdeck.game("high-handed", 3, manual_draw=True, uncle_bob_rule=True, hand_cards=2))
    match, asked = at.session.match, []

    def answer() -> str:
        if match.struct.phase == ANSWER:
            asked.append((match.struct.held[0], match.ply))
            return "accuse"
        names = [move.name for move in match.legal(0)]
        return "end turn" if "end turn" in names else names[0]

    play(at, [answer] * 12, monkeypatch)
    assert asked and not any(held for held, _ply in asked)
    assert all(match.event(ply).name == "accuse" for _held, ply in asked)


def test_what_is_typed_while_watching_is_heard_at_once_or_at_the_next_turn(monkeypatch: pytest.MonkeyPatch) -> None:
    at = at_a_turn(sneaking=1, live=True)
    match, typed = at.session.match, ["accuse bot 1", "?"]
    monkeypatch.setattr("hexdeck.terminal.dialogue.is_typed", lambda: match.acting != (0,) and bool(typed))
    since, heard = match.length, []

    def answer() -> str:
        if match.acting != (0,):  # somebody else plays
            heard.append(match.struct.turn)
            return typed.pop(0)
        if not typed and len(heard) == 2:
            heard.append("next")
            assert "Type the key before a move" in at.screen()
        return next_move(match, 0)

    play(at, [answer] * 12, monkeypatch)
    assert heard[2:] == ["next"]
    assert answers(at, 0, since)[0] == "accuse"


def test_an_undone_turn_takes_back_what_was_said_in_it(monkeypatch: pytest.MonkeyPatch) -> None:
    at = at_a_turn(turns=2, practice=True)
    match = at.session.match
    begun = match.length
    play(at, ["accuse bot 1", lambda: next_move(match, 0), "u"], monkeypatch)
    assert match.length == begun and at.session.asides.said == {(0, 1)}  # this turn's first step was undone
    play(at, ["u"], monkeypatch)
    assert match.length < begun and match.struct.phase != ANSWER and not at.session.asides.said


def test_a_line_of_several_moves_answers_no_question(monkeypatch: pytest.MonkeyPatch) -> None:
    at = at_a_turn(players=2)
    match, lines = at.session.match, []

    def last_move() -> str:
        if next_move(match, 0) != "end turn":
            return next_move(match, 0)
        lines.append(match.length)
        return "end turn accuse" if len(lines) == 1 else "end turn"

    play(at, [last_move] * 12, monkeypatch)
    assert "Nothing was played: accuse can't follow end turn at once." in printed(at)
    assert answers(at, 0, lines[0])[0] == "let be"


def test_under_the_other_rule_a_person_is_asked_as_ever(monkeypatch: pytest.MonkeyPatch) -> None:
    at = table(hexdeck.game("high-handed", 2, **OPTIONS, uncle_bob="ask"), ["Ann", "Ben"])
    match, asked = at.session.match, []

    def answer() -> str:
        seat = at.session.shown_to
        assert seat is not None
        if match.struct.phase == ANSWER:
            asked.append(seat)
            return "accuse"
        return next_move(match, seat, sneaks=True)

    play(at, [answer] * 12, monkeypatch)
    assert asked and "has drawn a card too many. Do you accuse?" in printed(at)
    assert "You can also" not in printed(at)
