"""Black Hearts: a trick step by step, the end of a round, and both ends of the game."""

from collections.abc import Sequence
from typing import Any

from hexdeck.engine.play.match import Match
from tests.steps import after, seen

from .staging import ROOMY, card, lay, leading, stand, standing


def before_trick(*hands: str, **options: Any) -> Match:
    return leading(*hands, **{"random_copies": ROOMY} | options)


def last_card(match: Match, cards: str, seat: int) -> str:
    *others, last = cards.split()
    lay(match, " ".join(others))
    return after(match, f"{match.actor}: play {card(last)}", seat=seat)


def middle(cards: str, seat: int = -1, **options: Any) -> str:
    return last_card(before_trick(*(f"{code} R4" for code in cards.split()), **options), cards, seat)


def ended(cards: str, caught: Sequence[str] = (), totals: Sequence[int] = (), seat: int = -1, **options: Any) -> str:
    return last_card(standing(before_trick(*cards.split(), **options), caught, totals), cards, seat)


# --- a trick
@seen
def test_a_card_lands_in_the_trick_with_the_seat_that_plays_it() -> str:
    return after(before_trick("C1 R4", "F6 R4", "R2 R4"), "0: play curse-1, 1: play fixed-6", seat=1)


@seen
def test_the_full_trick_lies_there_then_its_winner_is_named_then_curses_are_caught() -> str:
    return middle("C1 F6 C4", seat=0) + "\n" + middle("C1 F6 C4", seat=1).split("\n")[-1]


@seen
def test_only_the_curses_caught_now_are_lit() -> str:
    match = before_trick("C1 C2 R4", "F6 R6 R4", "R2 R3 R4")
    return last_card(match, "C1 F6 R2 R6 R3 C2", -1).split("\n")[-1]


@seen
def test_a_trick_without_curses_is_only_named() -> str:
    return middle("F1 F6 F4")


@seen
def test_a_gift_that_makes_another_win_is_lit_with_the_winner() -> str:
    tricks = {"upside-down": "F1 F6 F4", "early-bird": "F6 R6 F4", "little-one": "R1 F6 F1", "second": "F1 F6 F4"}
    return "\n".join(middle(cards, gift=gift, gifts=True).split("\n")[1] for gift, cards in tricks.items())


def test_a_gift_that_changes_nothing_is_not_lit() -> None:
    for gift in ("early-bird", "little-one", "mercy"):
        named = middle("F2 F6 F4", gift=gift, gifts=True).split("\n")[1]
        assert named == 'good 1100 trick.1 @1 Seat 1 wins the trick. "Mine."'


# --- the end of a round
@seen
def test_the_last_trick_lies_there_too_and_totals_count_up_before_a_new_round_begins() -> str:
    return ended("C1 F6 R4", ["C2 C3", "", "C4"], [1, 2, 3], seat=0)


@seen
def test_who_gets_no_points_is_passed_over() -> str:
    return ended("F1 F6 R4", ["", "", "C4"])


@seen
def test_mercy_forgives_the_worst_curse_of_each() -> str:
    found = ended("C1 F6 R4", ["C2 C5 C3", "C6", ""], gift="mercy", gifts=True)
    return "\n".join(found.split("\n")[2:6])


# --- the end of the game
@seen
def test_at_thirteen_the_lowest_total_wins() -> str:
    found = [ended("C1 F6 R4", ["C2 C3", "", ""], [10, 0, 3], seat=seat).split("\n") for seat in (-1, 0, 1)]
    return "\n".join([*found[0][3:], found[1][-2], found[2][-1]])


@seen
def test_a_shared_win_names_all_winners() -> str:
    return ended("C1 F6 R4", ["C2 C3", "", ""], [10, 0, 1]).split("\n")[-1]


@seen
def test_with_all_curses_the_table_goes_red_and_no_points_are_counted() -> str:
    found = [ended("C1 F6 R4", ["", "C2 C3 C4 C5 C6", ""], [10, 10, 10], seat=seat) for seat in (-1, 1)]
    return found[0] + "\n" + found[1].split("\n")[-1]


def test_who_has_all_curses_has_decided_the_match_so() -> None:
    match = before_trick("C1", "F6", "R4")
    match.struct.caught[1] = sum(1 << k for k in range(1, 6))
    lay(stand(match), "C1 F6 R4")
    for seat, who in ((0, "Seat 1"), (1, "You")):
        outcome = match.game.table.outcome(match.knowledge(seat), seat)
        assert str(outcome.decided_by).startswith(f"{who} won all Curse") and outcome.won_by is None
