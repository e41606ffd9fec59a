"""High Handed: the end of a game and of a match, step by step; the last card is seen before cards are dealt anew."""

from typing import Any

from hexdeck.engine.play.match import Match
from tests.steps import after, seen
from tests.support import play, stage

from .staging import NAME, dealt, hold, moves, piles, standing

ACES: dict[str, Any] = {"ranks": 1, "suits": 2, "two_timers": 0, "thieves": 0, "rows": 2, "columns": 2, "blind": 0}


def last(match: Match, text: str, seat: int = -1, who: int = 1) -> str:
    return after(match, moves(who, text), seat=seat)


def aces(cells: tuple[int, int] = (1, 2), seat: int = -1, won: tuple[int, int] = (0, 0), **options: Any) -> str:
    """A game of two aces, the second of which gives seat 1 a point if they touch; what is seen of it."""
    match = stage(NAME, 2, "card Ac, card As", hand_cards=1, **(ACES | options))
    match.struct.won[0], match.struct.won[1] = won
    return last(play(standing(match), moves(0, f"Ac at {cells[0]}")), f"As at {cells[1]}", seat)


@seen
def test_a_match_of_one_game_ends_with_the_blind_hand_and_the_winner() -> str:
    return "\n".join([aces(), aces(seat=1).split("\n")[-1]])


@seen
def test_the_blind_hand_is_turned_up_if_its_cards_are_certain() -> str:
    return aces(blind=1, suits=3).split("\n")[3]


@seen
def test_the_last_card_and_its_hand_are_seen_before_a_new_game_is_dealt() -> str:
    return "\n".join(aces(length="double", seat=0).split("\n")[2:])


@seen
def test_a_game_won_counts_up() -> str:
    return "\n".join([*aces(length="first_to_two").split("\n")[2:], aces(length="first_to_two", seat=1).split("\n")[4]])


@seen
def test_a_tied_game_is_won_by_both_one_after_another() -> str:
    return aces((1, 3), rows=1, columns=3, length="first_to_two")


@seen
def test_two_games_won_are_the_match() -> str:
    found = [aces(won=(0, 1), length="first_to_two", seat=seat).split("\n") for seat in (0, 1)]
    return "\n".join([*found[0][3:], found[1][-1]])


@seen
def test_a_shared_match_names_all_winners() -> str:
    row = {"rows": 1, "columns": 3}
    found = aces((1, 3), **row), aces((1, 3), won=(1, 1), length="first_to_two", **row)
    return "\n".join(each.split("\n")[-1] for each in found)


@seen
def test_a_team_wins_together() -> str:
    match = piles(dealt("9c", "2s", "3h", "9d", teams=2), 0, 0)
    play(match, moves(0, "9c at 1"), moves(1, "2s at 60"), moves(2, "3h at 64"))
    return last(match, "9d at 2", who=3).split("\n")[-1]


@seen
def test_a_game_of_a_team_is_told_once_and_counts_for_all_of_it() -> str:
    found = []
    for seat, won in ((0, 0), (3, 0), (3, 1)):
        match = piles(dealt("9c", "2s", "3h", "9d", teams=2, length="first_to_two"), 0, 0)
        match.struct.won[1] = won
        play(match := standing(match), moves(0, "9c at 1"), moves(1, "2s at 60"), moves(2, "3h at 64"))
        found.append(last(match, "9d at 2", who=3, seat=seat).split("\n"))
    return "\n".join([*(line for lines in found[:2] for line in lines if "wins this" in line), found[2][-1]])


@seen
def test_a_last_special_lies_there_before_a_new_game() -> str:
    match = hold(piles(dealt("9c", "2s", length="double"), 0, 0), 1, "x2")
    return last(play(match, moves(0, "9c at 1")), "x2 at 3, leave")


@seen
def test_forgetting_the_last_cards_may_end_a_game() -> str:
    match = piles(dealt("9c", "2s", length="double", manual_draw=True), 2, 2)
    return last(play(match, moves(0, "9c at 1, end turn"), moves(1, "2s at 3")), "end turn")


@seen
def test_forgotten_cards_that_stay_in_the_piles_are_not_called_played() -> str:
    match = piles(dealt("9c", "2s", manual_draw=True), 2, 2)
    return last(play(match, moves(0, "9c at 1, end turn"), moves(1, "2s at 3")), "end turn")


@seen
def test_the_deal_of_one_of_several_games_is_seen() -> str:
    return after(stage(NAME, 2, "card Ac", hand_cards=1, length="double", **ACES), "card As", seat=0)
