"""What is told of an event gives away no more than what is seen after it."""

import random

import pytest

from tests.settings import data, every_game, random_game

from .facts import Comparison, kinds, listen

PLAYED = 400  # random games at most, in which each kind of stop comes


def listened(name: str, games: int, rng: random.Random) -> Comparison:
    return listen((random_game(name, rng) for _ in range(games)), "fast", 0.08, rng)


@every_game
def test_facts_tell_no_secrets(name: str) -> None:
    result = listened(name, 15, random.Random(0))
    assert result.compared > 450 * data(name)["changed_worlds"] and result.leaks == 0


@every_game
def test_every_kind_of_stop_is_compared(name: str) -> None:
    rng, wanted, leaks = random.Random(2), kinds(name), 0
    for _ in range(PLAYED):
        result = listen([random_game(name, rng)], "fast", 0.0, rng, wanted)
        leaks += result.leaks
        wanted = {kind: stop for kind, stop in wanted.items() if kind not in result.kinds}
        if not wanted:
            break
    assert not wanted and not leaks
    assert len(kinds(name)) > 10


@pytest.mark.long
@every_game
def test_facts_tell_no_secrets_in_many_games(name: str) -> None:
    assert listened(name, 600, random.Random(1)).leaks == 0
