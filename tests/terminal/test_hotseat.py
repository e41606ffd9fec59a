"""Several people at one screen: nobody sees what somebody else may not, and a secret choice can be taken back."""

from collections.abc import Callable

import pytest

import hexdeck
from hexdeck.engine.discovery.definition import definition
from tests.people import Table, has_result, play, table
from tests.settings import every_game

CLEARED = "\x1b[3J"  # nothing to scroll back to
PASS = "Pass the screen to {}, then press Enter."
TAKE_BACK = "u, then Enter: take back what {} chose."


def hotseat(people: int = 2, players: int = 3, name: str = "cursed-hand", seed: int = 1) -> Table:
    return table(hexdeck.game(name, players), ["Ann", "Ben", "Cas", "Dee"][:people], seed=seed, live=True)


def typist(at: Table) -> Callable[[], str]:
    """Whoever is asked: Enter at a curtain, the first legal move at the table."""

    def answer() -> str:
        shown = at.session.shown_to
        return "" if "Pass the screen" in seen(at, -1) or shown is None else at.session.match.legal(shown)[0].name

    return answer


def seen(at: Table, k: int) -> str:
    return at.screen(k).rpartition(CLEARED)[2]


@every_game
def test_nothing_but_the_curtain_is_seen_between_two_people(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    at = hotseat(3, 3, name)
    play(at, [typist(at)] * 300, monkeypatch)
    assert at.session.match.over
    curtains = [k for k in range(len(at.asked)) if "Pass the screen" in seen(at, k)]
    assert curtains[0] == 0
    for k in curtains:
        said = {line.rstrip() for line in seen(at, k).splitlines() if line.strip()}
        assert said <= {text.format(person) for text in (PASS, TAKE_BACK) for person in ("Ann", "Ben", "Cas")}
        assert CLEARED in at.screen(k) and CLEARED in at.screen(k + 1)


@every_game
def test_every_screen_is_for_the_one_it_was_passed_to(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    at = hotseat(2, max(2, definition(name).rules.PLAYERS[0]), name)
    passed, drawn = "", 0
    shown = at.session.show

    def show(seat: int) -> None:
        nonlocal drawn
        drawn += 1
        assert at.session.chairs[seat].name == passed
        shown(seat)

    def answer() -> str:
        nonlocal passed
        passed = next((person for person in ("Ann", "Ben") if PASS.format(person) in seen(at, -1)), passed)
        return typist(at)()

    monkeypatch.setattr(at.session, "show", show)
    play(at, [answer] * 300, monkeypatch)
    assert at.session.match.over and drawn >= 2


def test_the_first_person_is_asked_to_sit_down_too_and_the_result_shows_nobodys_hand(monkeypatch) -> None:
    at = hotseat(2, 2)
    play(at, [typist(at)] * 300, monkeypatch)
    assert seen(at, 0).strip() == PASS.format("Ann")
    assert "Ann" in seen(at, 1) and "┌───┐" in seen(at, 1)
    end = seen(at, -1)
    assert has_result(end) and "┌───┐" not in end and "Ann" in end and "Ben" in end
    offers = [k for k in range(len(at.asked)) if "take back" in seen(at, k)]
    assert offers == [2]  # after Ann's secret card for the graveyard, and never again


# --- a secret choice --------------------------------------------------------------------------------------------------
def chosen(at: Table) -> dict[int, str]:
    return {event.seat: event.name for event in at.session.match.events if event.seat >= 0}


def two_legal(at: Table, seat: int) -> list[str]:
    return [move.name for move in at.session.match.legal(seat)][:2]


def test_a_secret_choice_is_taken_back_at_the_curtain(monkeypatch: pytest.MonkeyPatch) -> None:
    at = hotseat()
    one, other = two_legal(at, 0)
    play(at, ["", one, "u", other, "q"], monkeypatch)
    assert PASS.format("Ben") in seen(at, 2) and TAKE_BACK.format("Ann") in seen(at, 2)
    assert "Ann" in seen(at, 3) and "┌───┐" in seen(at, 3)  # hers again, without a curtain
    assert chosen(at) == {0: other} and at.session.save_to is not None
    assert hexdeck.load(at.session.save_to, backend="fast").events == at.session.match.events


def test_a_secret_choice_is_taken_back_from_the_next_persons_turn(monkeypatch: pytest.MonkeyPatch) -> None:
    at = hotseat()
    one, other = two_legal(at, 0)
    play(at, ["", one, "", "u", "", other], monkeypatch)
    assert PASS.format("Ann") in seen(at, 4)
    assert chosen(at) == {0: other}


def test_the_last_of_several_choices_is_taken_back_first(monkeypatch: pytest.MonkeyPatch) -> None:
    at = hotseat(3, 4)
    first = two_legal(at, 0)[0]
    one, other = two_legal(at, 1)
    play(at, ["", first, "", one, "", "u", "", other], monkeypatch)
    assert chosen(at) == {0: first, 1: other}


def test_nothing_else_at_the_curtain_takes_anything_back(monkeypatch: pytest.MonkeyPatch) -> None:
    at = hotseat()
    one = two_legal(at, 0)[0]
    play(at, ["", one, "undo it", "t"], monkeypatch)
    assert chosen(at) == {0: one} and "Ben" in seen(at, 3)
