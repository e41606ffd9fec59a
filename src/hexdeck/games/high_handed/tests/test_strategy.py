"""What the house bot of High Handed does with specials under options that give them more room."""

from typing import Any

import pytest

from hexdeck.bots.players.roster import bot
from hexdeck.engine.play.match import Match
from hexdeck.games.high_handed.rules import ACTIONS
from tests.support import play

from .staging import dealt, lay, moves


def chosen(match: Match) -> str:
    return ACTIONS[bot("house", match.game, 1, "interpreted").choose(match.concealed(0), 0)]


@pytest.mark.parametrize(("hand", "wanted"), [("9h Tf Tf", "play thief"), ("9h 3c Tf Tf", "play 9h")])
def test_a_second_thief_is_laid_only_before_the_last_regular_card(hand: str, wanted: str) -> None:
    """It scores nothing; but where it would be a turn alone it may as well bring a card more."""
    others = "2c 3s 4s 6s"[: 3 * len(hand.split()) - 1]
    match = lay(dealt(hand, others, thieves=3, two_thieves=True), 1, "5c 5d 9c 9d 9s 2h")
    assert chosen(match) == "play thief"
    play(match, moves(0, "thief"))
    assert chosen(match) in ("cell 2", "cell 6")  # four of a kind
    assert chosen(play(match, "0: cell 2")) == wanted


@pytest.mark.parametrize("lone_special", ["empty", "anywhere"])
def test_a_special_that_should_score_is_not_laid_where_it_is_the_whole_turn(lone_special: str) -> None:
    options: dict[str, Any] = {"lone_special": lone_special}
    match = lay(dealt("Js x2", "2c 3s", **options), 1, "Jc Jd Jh")
    assert chosen(match) == "play two-timer"
    play(match, moves(0, "two-timer"))
    assert chosen(match) == "cell 4"
    assert chosen(play(match, "0: cell 4")) == "play Js"  # and never leaves it there


@pytest.mark.parametrize(
    ("hand", "wanted"), [("Qc 3h 5h Jh", "play 3h"), ("9c Kd As x2", "play As"), ("Tf x2 Kc", "play Kc")]
)
def test_the_easy_bot_plays_the_lowest_card_whatever_its_suit(hand: str, wanted: str) -> None:
    """An ace is the lowest; a Thief and a Two Timer wait until nothing else is left."""
    match = lay(dealt(hand, "2c 3s 4s 6s"[: 3 * len(hand.split()) - 1]), 1, "5c 5d 9c")
    found = bot("gentle", match.game, 1, "interpreted").choose(match.concealed(0), 0)
    assert ACTIONS[found] == wanted
