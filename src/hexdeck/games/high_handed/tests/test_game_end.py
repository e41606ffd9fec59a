"""High Handed: the end of a game and of a match, step by step; the last card is seen before cards are dealt anew."""

from collections.abc import Sequence
from typing import Any

import pytest

from hexdeck.engine.beat import Beat
from hexdeck.engine.play.beats import beats
from hexdeck.engine.play.match import Match
from hexdeck.engine.text import Catalogue
from hexdeck.engine.view import Zone
from tests.support import play, stage

from .staging import NAME, dealt, hold, moves, piles, standing

ACES: dict[str, Any] = {"ranks": 1, "suits": 2, "two_timers": 0, "thieves": 0, "rows": 2, "columns": 2, "blind": 0}
PEOPLE = "Ada", "Bob", "Cleo", "Dirk"


def aces(cells: tuple[int, int] = (1, 2), seat: int = -1, **options: Any) -> tuple[Match, list[Beat]]:
    """A game of two aces, the second of which gives seat 1 a point if they touch; what is seen of it."""
    match = stage(NAME, 2, "card Ac, card As", hand_cards=1, **(ACES | options))
    play(match, moves(0, f"Ac at {cells[0]}"))
    return match, seen(match, f"As at {cells[1]}", 1, seat)


def seen(match: Match, text: str, who: int, seat: int = -1) -> list[Beat]:
    """What is seen of what a seat does."""
    since = match.length
    play(match, moves(who, text))
    return list(beats(match, seat, since))


def steps(found: Sequence[Beat]) -> list[tuple[str, int]]:
    """The cue and the hold of each beat."""
    return [(beat.cue, beat.hold) for beat in found]


def told(found: Sequence[Beat]) -> list[str]:
    """What is said of each beat."""
    return [Catalogue("en", names=PEOPLE).words(beat.line) for beat in found if beat.line]


def lies(beat: Beat, id: str) -> Zone:
    """A zone at a beat."""
    return next(zone for zone in beat.zones if zone.id == id)


def counts(found: Sequence[Beat], name: str) -> list[list[int | None]]:
    """The counts of the zones of both seats at each beat."""
    return [[lies(beat, f"{name}-{p}").count for p in range(2)] for beat in found]


LAST = [("place", 500), ("good", 900), ("chips", 600)]


@pytest.mark.parametrize("seat", [-1, 0, 1])
def test_a_match_of_one_game_ends_with_the_blind_hand_and_the_winner(seat: int) -> None:
    match, found = aces(seat=seat)
    assert match.over and steps(found) == [*LAST, ("flip", 1100), ("feast", 1800)]
    assert counts(found, "score") == [[0, 0], [0, 0], [0, 1], [0, 1], [0, 1]]
    assert all(lies(beat, "board").cards == ("Ac", "As", "", "") for beat in found)
    assert found[0].light == ("board.1",) and found[1].light == ("board.0", "board.1")
    assert lies(found[0], "hand-1").cards == () and lies(found[0], "hand-1").hidden == 0
    assert found[3].light == ("blind",) and found[4].light == ("score-1",) and found[4].seats == (1,)
    assert told(found)[4] == ("You win the match, with 1 point." if seat == 1 else "Bob wins the match, with 1 point.")
    assert found[3].zones == found[4].zones == match.view(seat).zones


def test_the_blind_hand_is_turned_up_if_its_cards_are_certain() -> None:
    _, found = aces(blind=1, suits=3)
    assert lies(found[3], "blind").cards == ("Ah",) and told(found)[3] == "The blind hand is turned up."
    assert lies(found[2], "blind").cards == () and lies(found[2], "blind").hidden == 1
    assert told(aces()[1])[3] == "All cards have been played."


@pytest.mark.parametrize("seat", [-1, 0, 1])
def test_the_last_card_and_its_hand_are_seen_before_a_new_game_is_dealt(seat: int) -> None:
    match, found = aces(seat=seat, length="double")
    assert not match.over and match.struct.deal == 2
    assert steps(found) == [*LAST, ("reveal", 1100), ("deal", 600)]
    assert [lies(beat, "board").cards for beat in found] == [("Ac", "As", "", "")] * 4 + [("",) * 4]
    assert counts(found, "score") == [[0, 0], [0, 0], [0, 1], [0, 1], [0, 1]]
    assert found[3].light == ("score-0", "score-1") and found[4].light == ("board",)
    assert told(found)[3:] == ["Game 1 is over."] * 2 and found[4].zones == match.view(seat).zones


@pytest.mark.parametrize("seat", [-1, 0, 1])
def test_a_game_won_counts_up(seat: int) -> None:
    match, found = aces(seat=seat, length="first_to_two")
    assert steps(found) == [*LAST, ("reveal", 1100), ("good", 1100), ("deal", 600)]
    assert counts(found, "won") == [[0, 0]] * 4 + [[0, 1]] * 2
    assert counts(found, "score") == [[0, 0]] * 2 + [[0, 1]] * 3 + [[0, 0]]
    assert found[4].light == ("won-1",) and found[4].seats == (1,)
    assert told(found)[4] == ("You win this game." if seat == 1 else "Bob wins this game.")
    assert found[5].zones == match.view(seat).zones


def test_a_tied_game_is_won_by_both_one_after_another() -> None:
    _, found = aces((1, 3), rows=1, columns=3, length="first_to_two")
    assert steps(found) == [("place", 500), ("reveal", 1100), ("good", 1100), ("good", 1100), ("deal", 600)]
    assert counts(found, "won")[1:] == [[0, 0], [1, 0], [1, 1], [1, 1]]


@pytest.mark.parametrize("seat", [-1, 0, 1])
def test_two_games_won_are_the_match(seat: int) -> None:
    match = stage(NAME, 2, "card Ac, card As", hand_cards=1, length="first_to_two", **ACES)
    match.struct.won[1] = 1
    play(standing(match), moves(0, "Ac at 1"))
    found = seen(match, "As at 2", 1, seat)
    assert match.over and steps(found)[3:] == [("reveal", 1100), ("good", 1100), ("flip", 1100), ("feast", 1800)]
    assert found[-1].light == ("won-1",) and found[-1].seats == (1,)
    mine = "You have won two games, and the match."
    assert told(found)[-1] == (mine if seat == 1 else "Bob has won two games, and the match.")


def test_a_shared_match_names_all_winners() -> None:
    _, found = aces((1, 3), rows=1, columns=3)
    assert found[-1].light == ("score-0", "score-1") and found[-1].seats == (0, 1)
    assert told(found)[-1] == "The match is won with 0 points: Ada, Bob."
    match = stage(
        NAME, 2, "card Ac, card As", hand_cards=1, length="first_to_two", **(ACES | {"rows": 1, "columns": 3})
    )
    match.struct.won[0] = match.struct.won[1] = 1
    play(standing(match), moves(0, "Ac at 1"))
    assert told(seen(match, "As at 3", 1))[-1] == "Two games won, and the match: Ada, Bob."


def test_a_team_wins_together() -> None:
    match = piles(dealt("9c", "2s", "3h", "9d", teams=2), 0, 0)
    play(match, moves(0, "9c at 1"), moves(1, "2s at 60"), moves(2, "3h at 64"))
    found = seen(match, "9d at 2", 3)
    assert found[-1].light == ("score-1", "score-3") and found[-1].seats == (1, 3)
    assert told(found)[-1] == "The match is won with 1 point: Bob, Dirk."


def test_a_last_special_lies_there_before_a_new_game() -> None:
    match = hold(piles(dealt("9c", "2s", length="double"), 0, 0), 1, "x2")
    play(match, moves(0, "9c at 1"))
    found = seen(match, "x2 at 3, leave", 1)
    assert steps(found) == [("place", 500), ("place", 500), ("reveal", 1100), ("deal", 600)]
    assert [lies(beat, "board").cards[:3] for beat in found] == [("9c", "", "x2")] * 3 + [("", "", "")]


def test_forgetting_the_last_cards_may_end_a_game() -> None:
    match = piles(dealt("9c", "2s", length="double", manual_draw=True), 2, 2)
    play(match, moves(0, "9c at 1, end turn"), moves(1, "2s at 3"))
    found = seen(match, "end turn", 1)
    assert steps(found) == [("bad", 1100), ("reveal", 1100), ("deal", 600)]
    assert lies(found[0], "board").cards[:3] == ("9c", "", "2s") and told(found)[0] == "Bob forgets 1 card."


def test_the_deal_of_one_of_several_games_is_seen() -> None:
    match = stage(NAME, 2, "card Ac, card As", hand_cards=1, length="double", **ACES)
    for seat in (-1, 0, 1):
        (beat,) = beats(match, seat)
        assert (beat.cue, beat.hold, beat.light) == ("deal", 500, ("pile-1", "pile-2"))
        assert told([beat]) == ["Game 1: the cards are dealt."]
