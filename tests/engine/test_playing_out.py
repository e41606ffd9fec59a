"""Random play to the end, and chance in haste: every backend does what moves and weights say, with the same numbers."""

import random
from typing import Any

import numpy as np

from hexdeck.engine.random import below, pick
from hexdeck.simulation.game import Game
from tests.compiled import all_backends, compiled_backends
from tests.settings import every_setting

from .bench import NOW, Bench
from .loops import hasten_row, play_out_row

GAMES = 3


def numbers(rng: Any) -> bytes:
    """All that a generator is."""
    return np.asarray(getattr(rng, "cells", rng)).tobytes()


def hastened(bench: Bench, world: bytes, seed: int) -> tuple[bytes, bytes]:
    """A world after chance acted in haste, and the generator."""
    rng = bench.driver.generator(seed)
    bench.put(world)
    bench.driver.kernel(hasten_row)(bench.driver.g, bench.rows, NOW, bench.weights, rng)
    return bench.world(), numbers(rng)


def hastened_by_its_rules(bench: Bench, world: bytes, seed: int) -> tuple[bytes, bytes]:
    """The same by the game's own function, interpreted."""
    rng = bench.driver.generator(seed)
    bench.put(world)
    bench.rules.sample_chance(bench.struct, rng)
    return bench.world(), numbers(rng)


def by_weights(bench: Bench, world: bytes, seed: int, until: bytes) -> tuple[bytes, bytes]:
    """The same by weights, one event at a time, until the generator is as it should be or a seat acts; interpreted."""
    rng = bench.driver.generator(seed)
    bench.put(world)
    while numbers(rng) != until and not bench.struct.acting and not bench.struct.over:
        total, weights = bench.chances()
        bench.rules.apply_chance(bench.struct, pick(weights, len(weights), below(rng, total)))
    return bench.world(), numbers(rng)


@every_setting
def test_chance_in_haste_is_chance_by_its_weights(setting: Game) -> None:
    judge, compiled = (
        Bench(setting, "interpreted"),
        [Bench(setting, backend) for backend in compiled_backends(setting.name)],
    )
    walker, rng, compared = Bench(setting, "fast"), random.Random(1), 0
    for _ in range(GAMES):
        for ply, _ in enumerate(walker.random_game(rng)):
            if walker.struct.acting or walker.struct.over or (ply and rng.random() < 0.9):
                continue
            world, compared = walker.world(), compared + 1
            found = [hastened(bench, world, compared) for bench in compiled]
            own = hasattr(setting.rules, "sample_chance")
            found.append((hastened_by_its_rules if own else hastened)(judge, world, compared))
            right = by_weights(judge, world, compared, found[0][1])
            assert found == [right] * len(found)
    assert compared


@every_setting
def test_all_backends_play_out_alike(setting: Game) -> None:
    benches, walker = (
        [Bench(setting, backend) for backend in all_backends(setting.name)],
        Bench(setting, "fast"),
    )
    rng = random.Random(2)
    worlds = [walker.world() for _ in walker.random_game(rng)]
    for seed, world in enumerate(rng.sample(worlds, GAMES)):
        ends = []
        for bench in benches:
            bench.put(world)
            dice = bench.driver.generator(seed)
            kernel = bench.driver.kernel(play_out_row)
            kernel(bench.driver.g, bench.rows, NOW, bench.weights, bench.actions, dice)
            assert bench.struct.over
            ends.append((bench.world(), numbers(dice)))
        assert ends == ends[:1] * len(ends)
