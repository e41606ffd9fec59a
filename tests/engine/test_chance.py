"""Chance by a unit of weight is chance by the weights written out, wherever a match can come to."""

import random
from bisect import bisect
from collections.abc import Callable, Iterable, Sequence
from itertools import accumulate
from types import SimpleNamespace
from typing import Any

import pytest

from hexdeck.engine.discovery.definition import definition
from hexdeck.simulation.game import Game
from tests.settings import every_game, every_setting, much, random_game

from .bench import Bench

USED = ("chance_total", "chance_outcome", "ACTIONS", "OUTCOMES")  # of the rules, while chance is compared


def looked_at(weights: Sequence[int], ends: Sequence[int]) -> Iterable[int]:
    """The units that are compared: in a usual run the first and the last of each outcome."""
    return much(
        [u for weight, end in zip(weights, ends, strict=True) if weight for u in {end - weight, end - 1}],
        range(ends[-1]),
    )


def assert_units_follow_weights(bench: Bench, rng: random.Random, games: int) -> int:
    """Wherever chance acts in random matches, each unit of the sum falls on the outcome that weighs it."""
    rules, compared = bench.rules, 0
    for _ in range(games):
        for ply, _ in enumerate(bench.random_game(rng)):
            total, weights = bench.chances()
            if not total:
                continue
            before, ends = bench.world(), list(accumulate(weights))
            assert rules.chance_total(bench.struct) == total == ends[-1], f"ply {ply}"
            for unit in looked_at(weights, ends):
                assert rules.chance_outcome(bench.struct, unit) == bisect(ends, unit), f"ply {ply}"
            assert bench.world() == before
            compared += 1
    return compared


@every_setting
def test_a_unit_falls_on_the_outcome_that_weighs_it(setting: Game) -> None:
    assert assert_units_follow_weights(Bench(setting, "interpreted"), random.Random(1), much(2, 10))


@every_game
def test_so_it_does_under_any_options(name: str) -> None:
    for seed in range(much(2, 12)):
        rng = random.Random(seed)
        assert_units_follow_weights(Bench(random_game(name, rng), "interpreted"), rng, 1)


FAULTS: dict[str, Callable[[Any], dict[str, Any]]] = {
    "a unit too many": lambda rules: {"chance_total": lambda s: rules.chance_total(s) + 1},
    "the next unit": lambda rules: {"chance_outcome": lambda s, u: rules.chance_outcome(s, max(u - 1, 0))},
    "another order": lambda rules: {
        "chance_outcome": lambda s, u: rules.chance_outcome(s, rules.chance_total(s) - 1 - u)
    },
}


@every_game
@pytest.mark.parametrize("fault", FAULTS)
def test_a_pair_that_goes_its_own_way_is_found(name: str, fault: str) -> None:
    rules = definition(name).rules
    bench = Bench(Game.named(name), "interpreted")
    bench.rules = SimpleNamespace(**{each: getattr(rules, each) for each in USED} | FAULTS[fault](rules))
    with pytest.raises(AssertionError, match="ply "):
        assert_units_follow_weights(bench, random.Random(1), 1)
