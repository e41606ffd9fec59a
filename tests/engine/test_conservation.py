"""No card and no chip is ever made or lost: games, options and seeds at random, looked at after every event.

A game's `inventory` lists what there is; `worlds.py` of its tests has `everything(setting)`, what there should be,
counted from the rules page, and `one_more(struct)`, which adds a card.
"""

import random

import pytest

from hexdeck.engine.backends.interpreted import proxy_class
from hexdeck.testing import inventory
from tests.settings import every_game, much, random_game
from tests.worlds import oracle

from .bench import Bench


def assert_conserved(bench: Bench) -> None:
    struct = proxy_class(bench.rules.STRUCT)(memoryview(bytearray(bench.world())))
    assert inventory(bench.rules, struct) == oracle(bench.setting).everything(bench.setting)


@every_game
def test_cards_and_chips_are_conserved(name: str) -> None:
    for seed in range(much(5, 60)):
        rng = random.Random(seed)
        bench = Bench(random_game(name, rng), "fast")
        for _ in bench.random_game(rng):
            assert_conserved(bench)


@every_game
def test_a_card_or_a_chip_too_many_is_noticed(name: str) -> None:
    bench = Bench(random_game(name, random.Random(0)), "fast")
    begun = bench.world()
    assert_conserved(bench)
    oracle(bench.setting).one_more(bench.struct)
    with pytest.raises(AssertionError):
        assert_conserved(bench)
    if name in {"hawthorn", "blackstone"}:
        bench.put(begun)
        bench.struct.pot += 1
        with pytest.raises(AssertionError):
            assert_conserved(bench)
