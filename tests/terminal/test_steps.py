"""Choices made in several steps: in one line, and taken back step by step."""

from collections.abc import Sequence

import pytest

from hexdeck.simulation.game import Game
from hexdeck.terminal.dialogue import take_back, unnoticed
from tests.people import Table, Typed, play, table
from tests.support import for_each

OWN = "There is nothing left for you to take back"


def typed_by_ann(
    game: Game, typed: Sequence[Typed], monkeypatch: pytest.MonkeyPatch, people: Sequence[str] = ("Ann",), **how: bool
) -> Table:
    at = table(game, people, **how)  # type: ignore[arg-type]
    play(at, typed, monkeypatch)
    return at


def played(at: Table, seat: int = 0) -> list[str]:
    return [event.name for event in at.session.match.events if event.seat == seat]


def flat(text: str) -> str:
    return " ".join(text.split())


# --- one line ---------------------------------------------------------------------------------------------------------
@for_each("line", ["7h b2", "7♥ B2", "7, b2", "play 7h at b2", "7h cell 5", "play 7h cell 5"])
def test_a_line_may_hold_a_card_and_its_cell(line: str, lay_cards: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    at = typed_by_ann(lay_cards, [line], monkeypatch)
    assert played(at) == ["play 7h", "cell 5"] and played(at, 1) == ["play 7c", "cell 1"]
    assert "is not a move" not in at.output.getvalue()


def test_each_step_can_be_typed_alone(lay_cards: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    assert played(typed_by_ann(lay_cards, ["10", "c3", "k a1"], monkeypatch)) == [
        "play 10h",
        "cell 9",
        "play Kd",
        "cell 1",
    ]


@for_each(
    ("line", "why"),
    [
        ("7h j9", "Nothing was played: j9 can't follow 7h. j9 is not a move here;"),
        ("7h 10h", "Nothing was played: 10h can't follow 7h. Not now. (? shows the rule)"),
        ("7h b2 10h", "Nothing was played: 10h can't follow b2 at once. Type one move at a time."),
        ("7h b2 u", "Nothing was played: u can't follow b2 at once."),
        ("wait 7h", "Nothing was played: 7h can't follow wait at once."),
        ("7h q", "Nothing was played: q can't follow 7h. q is not a move here;"),
        ("fly b2", "fly b2 is not a move here;"),
        ("lay b2", "That could mean several moves: Lay the 7♥; Lay the 10♥; Lay the K♦. Which one?"),
        ("7c b2", "> 7c b2 You don't hold that card. (? shows the rule)"),
        ("play 7c b2", "> play 7c b2 You don't hold that card. (? shows the rule)"),
    ],
)
def test_of_a_line_whose_rest_does_not_fit_nothing_is_played(line, why, lay_cards, monkeypatch) -> None:
    at = typed_by_ann(lay_cards, [line], monkeypatch, practice=len(line) % 2 == 0)
    assert why in flat(at.screen(1)), at.screen(1)
    assert played(at) == []


def test_why_a_cell_cannot_be_taken_is_said_with_the_rule(lay_cards: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    at = typed_by_ann(lay_cards, ["7h b2", "10 a1", "10", "a1", "27", "5", "cell 1"], monkeypatch)
    assert "Nothing was played: a1 can't follow 10. That cell is taken. (? shows the rule)" in flat(at.screen(2))
    assert "> a1 That cell is taken. (? shows the rule)" in flat(at.screen(4))
    assert "27 is not a move here" in flat(at.screen(5)) and "5 is not a move here" in flat(at.screen(6))
    assert "That cell is taken." in flat(at.screen(7))
    assert played(at) == ["play 7h", "cell 5", "play 10h"]


def test_the_rest_is_not_played_where_it_turns_out_not_to_fit(lay_cards: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    at = table(lay_cards)
    monkeypatch.setattr(at.session.dialogue, "parse_steps", lambda *_: ["7h", "j9", "10h"])
    play(at, ["7h j9 10h"], monkeypatch)
    assert played(at) == ["play 7h"]
    assert "j9 10h was not played: it is not possible now." in flat(at.screen(1))


def test_trying_a_line_changes_nothing(lay_cards: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    match = lay_cards.match(1, backend="interpreted")
    at = table(lay_cards)
    at.session.match = match
    before = match.concealed(0), match.events
    assert at.session.dialogue.parse_steps("7h b2", match, 0) == ["7h", "b2"]
    assert at.session.dialogue.parse_steps("7h b2 c3", match, 0) == []
    assert (match.concealed(0), match.events) == before


# --- taking back ------------------------------------------------------------------------------------------------------
@for_each("people", [("Ann",), ("Ann", "Ben")])
def test_a_card_is_taken_back_before_its_cell_is_chosen(people, lay_cards, monkeypatch) -> None:
    at = typed_by_ann(lay_cards, ["7h", "u", "10h", "undo", "k", "b2"], monkeypatch, people)
    assert played(at)[:2] == ["play Kd", "cell 5"]
    assert at.output.getvalue().count("Taken back: the choice of Ann.") == 2


def test_what_others_know_is_not_taken_back(lay_cards: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    at = typed_by_ann(lay_cards, ["u", "7h b2", "u", "wait", "u"], monkeypatch)
    assert at.output.getvalue().count(OWN) == 3
    assert played(at) == ["play 7h", "cell 5", "wait"]


def test_only_ones_own_last_step_is_unnoticed(lay_cards: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    match = lay_cards.match(1, backend="interpreted")
    assert not unnoticed(match, 0)
    match.play(0, "play 7h")
    before = [match.concealed(seat) for seat in (-1, 0, 1)]
    assert unnoticed(match, 0) and not unnoticed(match, 1) and match.length == match.ply == 1
    assert [match.concealed(seat) for seat in (-1, 0, 1)] == before
    with monkeypatch.context() as patch:  # had another seat noticed it
        patch.setattr(match, "key", lambda seat: match.ply if seat == 1 else 0)
        assert not take_back(match, 0) and match.length == 1
    match.play(0, "cell 5")
    assert not unnoticed(match, 0) and not take_back(match, 0) and match.length == 2
    match.play(1, "play 7c")
    assert not take_back(match, 0) and take_back(match, 1) and match.length == 2 and match.acting == (1,)


def test_news_stay_until_the_choice_is_made(lay_cards: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    at = typed_by_ann(lay_cards, ["7h b2", "10h", "u", "10h c3", "?"], monkeypatch)
    for k in (1, 2, 3):
        assert "· Bot 1: cell 1." in at.screen(k), k
    assert "You take the 7♥" not in at.screen(1) and "· Bot 1: cell 1." not in at.screen(4)
    assert "Type a cell by its name (c4). A line may hold several steps (7h c4)." in flat(at.screen(5))


# --- help and symbols -------------------------------------------------------------------------------------------------
def test_a_terminal_without_symbols_shows_letters(lay_cards: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    at = table(lay_cards, encoding="ascii")
    play(at, ["7h b2", "lay", "l", "10", "27"], monkeypatch)
    assert at.output.getvalue().isascii() and "Lay the 10h" in at.output.getvalue()
    at = table(lay_cards)
    play(at, ["7h b2", "lay", "l"], monkeypatch)
    assert "Lay the 10♥" in at.output.getvalue() and "You take the 7♥." in at.output.getvalue()
    assert "10h" not in at.output.getvalue()
