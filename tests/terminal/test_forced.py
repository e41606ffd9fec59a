"""Forced moves at the terminal: the person is told, and not asked."""

import pytest

import hexdeck
from hexdeck.tables.live import nobody_decides
from hexdeck.terminal import session as sessions
from tests.people import Table, play, table

CAP = hexdeck.game("blackstone", 2, draw_cap=True, deck="8-8-8", rounds=3)
ENDS = "the most allowed: your turn ends here."


def draws(at: Table) -> str:
    shown = at.session.next_person(at.session.match.acting)
    assert shown is not None and not nobody_decides(at.session.match, shown)
    return "draw"


def stops(at: Table) -> list[int]:
    return [k for k, event in enumerate(at.session.match.events) if (event.seat, event.name) == (0, "stop")]


@pytest.mark.parametrize("live", [True, False])
def test_who_has_drawn_the_most_is_told_so_and_not_asked(live: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    at = table(CAP, live=live)
    beats: list[float] = []
    monkeypatch.setattr(sessions, "forced_delay", lambda pause: beats.append(pause) or pause)
    play(at, [lambda: draws(at)] * 8, monkeypatch)
    assert stops(at) and (len(beats) == len(stops(at))) == live and (ENDS in at.output.getvalue()) == live
    assert "Stop after" in at.output.getvalue()  # where one could draw on


def test_two_people_at_one_screen_are_asked_neither(monkeypatch: pytest.MonkeyPatch) -> None:
    at = table(CAP, ["Ann", "Ben"], live=True)

    def answer() -> str:
        return "" if "Pass the screen" in at.screen().rpartition("\x1b[3J")[2] else draws(at)

    play(at, [answer] * 20, monkeypatch)
    assert stops(at) and ENDS in at.output.getvalue()


def test_undo_in_practice_goes_back_to_what_somebody_decided(monkeypatch: pytest.MonkeyPatch) -> None:
    at = table(CAP, practice=True)
    made: list[int] = []

    def answer() -> str:
        if made:
            assert not stops(at) and at.session.match.length == made[0] - 2 and len(at.session.match.legal_ids(0)) == 2
            raise EOFError
        made[:] = stops(at)
        return "u" if made else draws(at)

    play(at, [answer] * 20, monkeypatch)
    assert made
