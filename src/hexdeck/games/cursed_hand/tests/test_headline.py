"""Cursed Hand: what the headline says at the end."""

import pytest

from hexdeck.engine.play.match import Match
from hexdeck.engine.play.score import headlines
from hexdeck.engine.text import Catalogue
from tests.support import play

from .staging import ROOMY, buried, passed

NAMES = "Ada", "Bob", "Cleo"


def told(match: Match, seat: int = -1) -> list[str]:
    assert match.over
    return [Catalogue("en", names=NAMES).words(text) for text in headlines(match, seat)]


def by_a_pair(**options: object) -> Match:
    return play(passed([4, 9], graves=(10, 9, 2), **options), "1: call")


def by_points(*graves: int, **options: object) -> Match:
    match = buried(*([grave, 4 + p] for p, grave in enumerate(graves)), deck=ROOMY, exhaustion="at_once", **options)
    first = graves.index(max(graves, key=lambda grave: (graves.count(grave) == 1, grave)))
    return play(match, f"card 8, {first}: pair {4 + first} 8")


def test_who_won_is_followed_by_who_lost_and_why() -> None:
    assert told(by_a_pair()) == ["Ada and Cleo share the win!", "Bob is cursed: two 9s in the graveyard."]
    assert told(by_a_pair(), 0)[0] == "You share the win!"
    assert told(by_a_pair(), 1)[1] == "You are cursed: two 9s in your graveyard."
    assert told(by_points(9, 3, 2))[1] == "Ada loses with the most in the graveyard: 9 points."
    assert told(by_points(9, 3, 2), 0)[1] == "You lose with the most in your graveyard: 9 points."


@pytest.mark.parametrize("seat", [-1, 2])
def test_by_lot(seat: int) -> None:
    match = play(by_points(3, 9, 9, tied_losers="one_at_random"), "seat 2")
    who = "you lose" if seat == 2 else "Cleo loses"
    assert told(match, seat)[1] == f"Tied for the most points, 9: {who}, chosen at random."


def test_who_won_alone_is_told_first_and_by_what() -> None:
    assert told(by_points(3, 9)) == ["Ada wins by 6 points!", "Bob loses with the most in the graveyard: 9 points."]
    assert told(by_points(3, 9, 9)) == ["Ada wins by 6 points!"]
    assert told(play(passed([4, 9], graves=(10, 9)), "1: call"))[0] == "Ada wins!"


def test_a_match_of_several_games_is_won_by_games() -> None:
    match = play(passed([4, 9], graves=(10, 9), losses=2), "1: call")
    struct, table = match.struct, match.game.table
    assert not match.over
    struct.lost[1] = 2
    assert (str(table.won_by(struct)), str(table.decided_by(struct, 1))) == (
        "2 games",
        "You have lost 2 games, and with them the match.",
    )
