"""What is told of an event gives away no more than what is seen after it."""

import random

import pytest

from tests.settings import data, every_game, random_game

from .facts import Comparison, listen


def listened(name: str, games: int, seed: int) -> Comparison:
    """Random games with random options."""
    rng, total = random.Random(seed), Comparison()
    for _ in range(games):
        result = listen(random_game(name, rng), "fast", 1, 0.08, rng)
        total.compared += result.compared
        total.leaks += result.leaks
    return total


@every_game
def test_facts_tell_no_secrets(name: str) -> None:
    result = listened(name, 60, 0)
    print(f"{name}: {result}")
    assert result.compared > 2000 * data(name)["changed_worlds"] and result.leaks == 0


@pytest.mark.long
@every_game
def test_facts_tell_no_secrets_in_many_games(name: str) -> None:
    assert listened(name, 1200, 1).leaks == 0
