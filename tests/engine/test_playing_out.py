"""Random play to the end, chance in haste, choices given back: every backend does what moves and weights say."""

import random
from collections.abc import Iterator
from typing import Any

import numpy as np

from hexdeck.engine.random import below, pick
from hexdeck.simulation.game import Game
from tests.compiled import all_backends, compiled_backends
from tests.settings import every_setting

from .bench import NOW, Bench
from .loops import hasten_row, play_out_row, recall_row

GAMES = 3


def numbers(rng: Any) -> bytes:
    return np.asarray(getattr(rng, "cells", rng)).tobytes()


def hastened(bench: Bench, world: bytes, seed: int) -> tuple[bytes, bytes]:
    rng = bench.driver.generator(seed)
    bench.put(world)
    bench.driver.kernel(hasten_row)(bench.driver.g, bench.rows, NOW, bench.weights, rng)
    return bench.world(), numbers(rng)


def hastened_by_its_rules(bench: Bench, world: bytes, seed: int) -> tuple[bytes, bytes]:
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
    compiled = [Bench(setting, backend) for backend in compiled_backends(setting.name)]
    judge, walker, rng, compared = Bench(setting, "interpreted"), Bench(setting, "fast"), random.Random(1), 0
    for _ in range(GAMES):
        for ply, _ in enumerate(walker.random_game(rng)):
            if walker.struct.acting or walker.struct.over or (ply and rng.random() < 0.9):
                continue
            world, compared = walker.world(), compared + 1
            found = [hastened(bench, world, compared) for bench in compiled]
            own = setting.rules.sample_chance is not None
            found.append((hastened_by_its_rules if own else hastened)(judge, world, compared))
            right = by_weights(judge, world, compared, found[0][1])
            assert found == [right] * len(found)
    assert compared


@every_setting
def test_all_backends_play_out_alike(setting: Game) -> None:
    benches = [Bench(setting, backend) for backend in all_backends(setting.name)]
    walker, rng = Bench(setting, "fast"), random.Random(2)
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


# --- choices given back -----------------------------------------------------------------------------------------------
def recalled(bench: Bench, world: bytes, seat: int) -> bytes:
    bench.put(world)
    bench.driver.kernel(recall_row)(bench.driver.g, bench.rows, NOW, seat)
    return bench.world()


def choices(bench: Bench, rng: random.Random) -> Iterator[tuple[bytes, int, bytes]]:
    """Positions of random games where a seat may act, and what they were before others chose at once with it.

    Those of one seat alone are but some of them.
    """
    for _ in range(2):
        before: set[int] = set()
        began = b""
        for event in bench.random_game(rng):
            acting = set(bench.acting())
            if not (event and acting and acting == before - {event[0]}):
                began = bench.world()
            before = acting
            if acting and (len(acting) > 1 or bench.world() != began or rng.random() < 0.1):
                yield bench.world(), rng.choice(sorted(acting)), began


@every_setting
def test_what_others_chose_at_once_is_as_if_they_had_not_in_every_backend(setting: Game) -> None:
    """BS-1, BH-16, CH-16, HH-19, HT-15, WC-20; where nobody else chose, nothing happens."""
    benches = [Bench(setting, backend) for backend in all_backends(setting.name)]
    walker, at_once, differed = Bench(setting, "fast"), False, 0
    for world, seat, began in choices(walker, random.Random(1)):
        at_once |= len(walker.acting()) > 1
        assert {recalled(bench, world, seat) for bench in benches} == {began}
        differed += world != began
    assert differed or not at_once
