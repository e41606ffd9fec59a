"""Black Hearts: a trick step by step, the end of a round, and both ends of the game."""

from collections.abc import Sequence
from typing import Any

import pytest

from hexdeck.engine.beat import Beat
from hexdeck.engine.play.beats import beats
from hexdeck.engine.play.match import Match
from hexdeck.engine.view import Zone

from .staging import ROOMY, kind, lay, leading, stand


def steps(found: Sequence[Beat]) -> list[tuple[str, int]]:
    """The cue and the hold of each beat."""
    return [(beat.cue, beat.hold) for beat in found]


def lies(beat: Beat, id: str) -> Zone:
    """A zone at a beat."""
    return next(zone for zone in beat.zones if zone.id == id)


def trick(beat: Beat) -> tuple[tuple[str, ...], tuple[int, ...], str]:
    """The cards of the trick, who played them, and what is said of it."""
    zone = lies(beat, "trick")
    return zone.cards, zone.owners, str(zone.note or "")


def before_trick(*hands: str, **options: Any) -> Match:
    """With these hands a trick begins, led by seat 0, which won the one before."""
    match = leading(*hands, **{"random_copies": ROOMY} | options)
    match.struct.winner[match.struct.trick - 1] = 0
    return stand(match)


def middle(cards: str, seat: int = -1, **options: Any) -> tuple[Match, list[Beat]]:
    """The fourth trick has been played with these cards; what is seen of its last card."""
    match = before_trick(*(f"{code} R4" for code in cards.split()), **options)
    lay(match, cards)
    return match, list(beats(match, seat, match.length - 1))


def ended(
    cards: str, caught: Sequence[str] = (), totals: Sequence[int] = (), seat: int = -1, **options: Any
) -> tuple[Match, list[Beat]]:
    """The last trick of a round has been played, after these captures and totals; what is seen of its last card."""
    match = before_trick(*cards.split(), **options)
    for p, codes in enumerate(caught):
        match.struct.caught[p] = sum(1 << kind(code) for code in codes.split())
    for p, total in enumerate(totals):
        match.struct.total[p] = total
    lay(stand(match), cards)
    return match, list(beats(match, seat, match.length - 1))


# --- a trick
@pytest.mark.parametrize("seat", [-1, 0, 1])
def test_a_card_lands_in_the_trick_with_the_seat_that_plays_it(seat: int) -> None:
    match = lay(before_trick("C1 R4", "F6 R4", "R2 R4"), "C1 F6")
    first, second = beats(match, seat, match.length - 2)
    assert steps([first, second]) == [("place", 500)] * 2
    assert (first.light, first.seats) == (("trick.0",), (0,)) and (second.light, second.seats) == (("trick.1",), (1,))
    assert trick(first) == (("C1",), (0,), "") and trick(second) == (("C1", "F6"), (0, 1), "")
    assert str(second.line) == ("You play the F6." if seat == 1 else "Seat 1 plays the F6.")


@pytest.mark.parametrize("seat", [-1, 0, 1, 2])
def test_the_full_trick_lies_there_then_its_winner_is_named_then_curses_are_caught(seat: int) -> None:
    match, found = middle("C1 F6 C4", seat)
    full, named, stained = found
    assert steps(found) == [("place", 500), ("good", 1100), ("curse", 600)]
    assert trick(full) == (("C1", "F6", "C4"), (0, 1, 2), "") and trick(named) == (*trick(full)[:2], "winner: Seat 1")
    assert full.light == ("trick.2",) and full.seats == (2,)
    assert named.light == ("trick.1",) and named.seats == stained.seats == (1,) and str(named.said) == "Mine."
    assert lies(full, "caught-1").cards == lies(named, "caught-1").cards == () and lies(named, "caught-1").count == 0
    assert lies(stained, "caught-1").cards == ("C1", "C4") and lies(stained, "caught-1").count == 3
    assert stained.light == ("caught-1.0", "caught-1.1", "trick.1") and trick(stained) == trick(named)
    told = f"{'You win' if seat == 1 else 'Seat 1 wins'} the trick, with C1 and C4 in it."
    assert str(named.line) == str(stained.line) == told and stained.zones == match.view(seat).zones


def test_only_the_curses_caught_now_are_lit() -> None:
    match = before_trick("C1 C2 R4", "F6 R6 R4", "R2 R3 R4")
    lay(match, "C1 F6 R2 R6 R3 C2")
    found = beats(match, -1, match.length - 1)
    assert found[-1].light == ("caught-1.1", "trick.0") and lies(found[-1], "caught-1").cards == ("C1", "C2")


def test_a_trick_without_curses_is_only_named() -> None:
    match, found = middle("F1 F6 F4")
    assert steps(found) == [("place", 500), ("good", 1100)] and found[-1].zones == match.view(-1).zones
    assert str(found[-1].line) == "Seat 1 wins the trick."


@pytest.mark.parametrize(("gift", "cards", "taker"), [
    ("upside-down", "F1 F6 F4", 0), ("early-bird", "F6 R6 F4", 0), ("little-one", "R1 F6 F1", 2),
    ("second", "F1 F6 F4", 2),
])  # fmt: skip
@pytest.mark.parametrize("seat", [-1, 0])
def test_a_gift_that_makes_another_win_is_lit_with_the_winner(gift: str, cards: str, taker: int, seat: int) -> None:
    named = middle(cards, seat, gift=gift, gifts=True)[1][1]
    assert (named.cue, named.light, named.seats) == (gift, (f"trick.{taker}", "gift"), (taker,))


def test_a_gift_that_changes_nothing_is_not_lit() -> None:
    for gift in ("early-bird", "little-one", "mercy"):
        named = middle("F2 F6 F4", gift=gift, gifts=True)[1][1]
        assert (named.cue, named.light) == ("good", ("trick.1",))


# --- the end of a round
@pytest.mark.parametrize("seat", [-1, 0, 1, 2])
def test_the_last_trick_lies_there_too_before_a_new_round_begins(seat: int) -> None:
    match, found = ended("C1 F6 R4", ["C2 C3", "", "C4"], seat=seat)
    assert match.struct.deal == 2
    assert steps(found) == [("place", 500), ("good", 1100), ("curse", 600), *[("chips", 600)] * 3, ("deal", 600)]
    assert trick(found[0]) == (("C1", "F6", "R4"), (0, 1, 2), "") and trick(found[5])[2] == "winner: Seat 1"
    assert found[1].light == ("trick.1",) and found[2].light == ("caught-1.0", "trick.1")
    assert lies(found[1], "caught-1").cards == () and lies(found[2], "caught-1").cards == ("C1",)
    assert lies(found[2], "caught-1").count == 1 and lies(found[5], "caught-0").cards == ("C2", "C3")
    assert [(*lies(found[0], f"hand-{p}").cards, lies(found[0], f"hand-{p}").hidden) for p in range(3)] == [(0,)] * 3
    assert trick(found[6])[0] == () and found[6].zones == match.view(seat).zones
    assert str(found[6].line) == "Round 1 is over." and found[6].light == ("round",)


def test_totals_count_up_one_seat_after_another() -> None:
    _, found = ended("C1 F6 R4", ["C2 C3", "", "C4"], [1, 2, 3], seat=0)
    counted = found[3:6]
    assert [[lies(beat, f"total-{p}").count for p in range(3)] for beat in counted] == [[4, 2, 3], [4, 3, 3], [4, 3, 5]]
    assert [beat.light for beat in counted] == [(f"total-{p}", f"caught-{p}") for p in range(3)]
    assert [beat.seats for beat in counted] == [(0,), (1,), (2,)]
    assert [str(beat.line) for beat in counted] == [
        "You get 3 curse points.", "Seat 1 gets 1 curse point.", "Seat 2 gets 2 curse points.",
    ]  # fmt: skip
    assert [lies(found[2], f"total-{p}").count for p in range(3)] == [1, 2, 3]


def test_who_gets_no_points_is_passed_over() -> None:
    _, found = ended("F1 F6 R4", ["", "", "C4"])
    assert steps(found) == [("place", 500), ("good", 1100), ("chips", 600), ("deal", 600)] and found[2].seats == (2,)


def test_mercy_forgives_the_worst_curse_of_each() -> None:
    _, found = ended("C1 F6 R4", ["C2 C5 C3", "C6", ""], gift="mercy", gifts=True)
    assert steps(found)[2:5] == [("curse", 600), ("forgiven", 1100), ("chips", 600)]
    forgiven = found[3]
    assert forgiven.light == ("caught-0.2", "caught-1.0") and forgiven.seats == (0, 1)
    assert str(forgiven.line) == "Mercy: each player's worst Curse card doesn't count"
    assert lies(found[2], "caught-1").count == 1


# --- the end of the game
@pytest.mark.parametrize("seat", [-1, 0, 1])
def test_at_thirteen_the_lowest_total_wins(seat: int) -> None:
    match, found = ended("C1 F6 R4", ["C2 C3", "", ""], [10, 0, 3], seat=seat)
    assert match.over and steps(found)[3:] == [("chips", 600), ("chips", 600), ("bad", 1100), ("feast", 1800)]
    reached, best = found[-2:]
    assert reached.light == ("total-0",) and reached.seats == (0,) and "has reached 13" in str(reached.line)
    assert best.light == ("total-0", "total-1", "total-2") and trick(best)[2] == ""  # the totals are compared
    assert best.seats == (1,) and best.zones == match.view(seat).zones
    told = "You have the lowest total and win." if seat == 1 else "Seat 1 has the lowest total and wins."
    assert str(best.line) == told


def test_a_shared_win_names_all_winners() -> None:
    _, found = ended("C1 F6 R4", ["C2 C3", "", ""], [10, 0, 1])
    assert found[-1].light == ("total-0", "total-1", "total-2") and found[-1].seats == (1, 2)
    assert str(found[-1].line) == "Tied for the lowest total, these players share the win: Seat 1, Seat 2."


@pytest.mark.parametrize("seat", [-1, 0, 1])
def test_with_all_curses_the_table_goes_red_and_no_points_are_counted(seat: int) -> None:
    match, found = ended("C1 F6 R4", ["", "C2 C3 C4 C5 C6", ""], [10, 10, 10], seat=seat)
    assert match.over and steps(found) == [("place", 500), ("good", 1100), ("curse", 600), ("all-curses", 1800)]
    last = found[-1]
    assert last.light == tuple(f"caught-1.{k}" for k in range(6)) and last.seats == (1,)
    assert last.zones == match.view(seat).zones
    told = "You have won all" if seat == 1 else "Seat 1 has won all"
    assert str(last.line).startswith(told)
    who = "You" if seat == 1 else "Seat 1"
    assert str(match.game.table.decided_by(match.seat_views.known(seat), seat)).startswith(f"{who} won all Curse")
