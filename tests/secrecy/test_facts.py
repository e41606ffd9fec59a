"""What is told of an event gives away no more than what is seen after it."""

import random

import pytest

from tests.settings import data, every_game, random_game

from .facts import Comparison, listen


def listened(name: str, games: int, rng: random.Random) -> Comparison:
    """Random games with random options."""
    return listen((random_game(name, rng) for _ in range(games)), "fast", 0.08, rng)


@every_game
def test_facts_tell_no_secrets(name: str) -> None:
    result = listened(name, 15, random.Random(0))
    assert result.compared > 450 * data(name)["changed_worlds"] and result.leaks == 0


@pytest.mark.long
@every_game
def test_facts_tell_no_secrets_in_many_games(name: str) -> None:
    assert listened(name, 600, random.Random(1)).leaks == 0
