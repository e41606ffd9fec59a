"""When the house bot of Blackstone stakes, where it may sit out (BS-1)."""

from typing import Any

import pytest

from hexdeck.bots.players.roster import bot
from hexdeck.engine.play.match import Match
from hexdeck.games.blackstone.rules import ACTIONS
from tests.support import for_each, play, stage

MAY: dict[str, Any] = {"sit_out": True}


def chosen(match: Match, name: str = "house") -> str:
    seat = match.actor
    return ACTIONS[bot(name, match.game, 1, "interpreted").choose(match.concealed(seat), seat)]


def standing(match: Match, pot: int = 0, **purses: int) -> Match:
    """So much is carried in; these seats, such as `p2`, have so many chips."""
    match.struct.pot = pot
    for seat, chips in purses.items():
        match.struct.purse[int(seat[1])] = chips
    match.refresh()
    return match


@pytest.mark.rule("BS-1")
@for_each(
    ("before", "rounds", "pot", "wanted"),
    (
        ("", 1, 0, "stake"),
        ("0: stake", 1, 0, "stake"),
        ("0: stake, 1: stake", 1, 0, "sit"),  # what doesn't divide by two would stay in the pot, for nobody
        ("0: stake, 1: stake", 1, 1, "stake"),  # as much comes out of it
        ("0: stake, 1: stake, 2: stake", 1, 0, "sit"),
        ("0: stake, 1: sit", 1, 0, "stake"),
        ("0: stake, 1: stake", 2, 0, "stake"),  # it is there to be won in the next round
    ),
)
def test_in_the_open_two_play_the_last_round_and_more_for_what_is_in_the_pot(before, rounds, pot, wanted) -> None:
    match = stage("blackstone", 4, stakes="open", rounds=rounds, **MAY)
    assert chosen(play(standing(match, pot), before) if before else standing(match, pot)) == wanted


@pytest.mark.rule("BS-1", "BS-13")
@for_each(
    ("purses", "pot", "wanted"),
    (
        ({}, 0, "stake"),
        ({"p2": 8}, 0, "sit"),  # who can't pay in full wins more than it loses
        ({"p2": 8}, 9, "stake"),  # the pot makes up for it
        ({"p0": 8, "p2": 20}, 0, "stake"),
        ({"p0": 60, "p1": 70, "p2": 80, "p3": 90}, 0, "stake"),
    ),
)
@pytest.mark.parametrize("stakes", ["secret", "open"])
def test_with_somebody_who_has_too_few_chips_to_lose_a_round_costs_more_than_it_brings(stakes, purses, pot, wanted):
    match = standing(stage("blackstone", 4, stakes=stakes, rounds=5, **MAY), pot, **purses)
    assert chosen(match) == chosen(match, "rollout:house:2") == wanted
