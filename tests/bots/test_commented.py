"""The matches with comments are still those that the strongest bots play: else they have to be made again."""

from typing import Any

import commented  # a tool
import pytest
from commented_facts import Endings

import hexdeck
from hexdeck.bots.players.roster import bot, resolved
from hexdeck.engine.play.match import Match

FEW = 5  # decisions that every run replays
AGAIN = "make the match again: python tools/commented.py --again GAME"


def replayed(found: dict[str, Any], most: int | None = None) -> list[tuple[int, int, str]]:
    """The first decisions of a kept match, or all, as today's `best` makes them."""
    game = hexdeck.game(found["game"], found["players"])
    bots = [bot("best", game, found["seed"] * 1000 + seat) for seat in range(game.players)]
    for each in bots:
        each.begin(found["number"])
    match = Match(game, found["seed"], number=found["number"])
    made: list[tuple[int, int, str]] = []
    while not match.over and (most is None or len(made) < most):
        seat, legal = match.actor, match.legal_ids(match.actor)
        chosen = legal[0] if len(legal) == 1 else bots[seat].choose(match.concealed(seat), seat)
        made += [(match.ply, seat, game.rules.ACTIONS[chosen])] if len(legal) > 1 else []
        match.play(seat, chosen)
    return made


def told(found: dict[str, Any]) -> list[tuple[int, int, str]]:
    return [(row["ply"], row["seat"], row["actions"][0]) for row in found["decisions"]]


@pytest.mark.parametrize("name", commented.kept())
def test_a_kept_match_begins_as_the_best_bot_of_today_plays(name: str) -> None:
    found = commented.kept()[name]
    assert resolved("best", hexdeck.game(found["game"], found["players"])) == found["resolved"], AGAIN
    assert replayed(found, FEW) == told(found)[:FEW], AGAIN


def test_reasons_are_counted_in_games_that_begin_alike() -> None:
    match = hexdeck.game("high-handed", 2).match(1, backend="interpreted")
    seat, worlds = match.actor, 3
    one, other = match.legal_ids(seat)[:2]
    ends = Endings(match.game, "interpreted", 1)
    first, second, again = ends.structs(match.concealed(seat), seat, [one, other, one], worlds)
    assert first.tobytes() == again.tobytes() != second.tobytes() and len(first) == worlds


@pytest.mark.long
@pytest.mark.parametrize("name", commented.kept())
def test_a_kept_match_is_as_the_best_bot_of_today_plays(name: str) -> None:
    found = commented.kept()[name]
    assert replayed(found) == told(found), AGAIN
