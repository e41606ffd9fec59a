"""`resample`, exactly: tiny games walked through all positions, and every world it makes with its exact probability."""

import random
from collections import defaultdict

import pytest

from hexdeck.simulation.game import Game
from tests.engine.bench import Bench
from tests.engine.tiny import tiny_games
from tests.positions import fields, redealt
from tests.settings import much, title
from tests.worlds import oracle

SAMPLE = much(8, 80)  # kinds of positions, or fewer, that are looked at per seat of a tiny game
PATHS = 1000  # the most ways to deal that are walked for one


def all_worlds(setting: Game) -> list[bytes]:
    """Every position that any order of moves reaches."""
    bench = Bench(setting, "fast")
    seen, stack = {bench.world()}, [bench.world()]
    while stack:
        world = stack.pop()
        bench.put(world)
        moves = [(seat, action) for seat in bench.acting() for action in bench.legal_actions(seat)]
        events = moves or bench.events()
        for event in events:
            bench.put(world)
            bench.step(event)
            if bench.world() not in seen:
                seen.add(bench.world())
                stack.append(bench.world())
    return sorted(seen)


def by_knowledge(bench: Bench, worlds: list[bytes], seat: int) -> dict[bytes, set[bytes]]:
    groups: dict[bytes, set[bytes]] = defaultdict(set)
    for world in worlds:
        bench.put(world)
        groups[bench.concealed(seat)].add(world)
    return groups


@pytest.mark.parametrize("setting", [pytest.param(setting, id=title(setting)) for setting, _ in tiny_games()])
def test_redeal_makes_every_world_that_can_be_as_likely_as_it_is(setting: Game) -> None:
    worlds, bench, rng = all_worlds(setting), Bench(setting, "fast"), random.Random(1)
    match, judge = setting.match(by_hand=True, backend="interpreted"), oracle(setting)
    for seat in range(-1, setting.players):
        groups, looked = list(by_knowledge(bench, worlds, seat).items()), 0
        for knowledge, possible in rng.sample(groups, min(SAMPLE, len(groups))):
            memoryview(match.rows.array[0])[:] = rng.choice(sorted(possible))
            made = redealt(match, seat, limit=PATHS)
            if made is None:
                continue
            assert set(made) == possible, fields(knowledge, setting.rules.STRUCT)
            seen = {judge.world(fields(world, setting.rules.STRUCT)): chance for world, chance in made.items()}
            assert seen == judge.worlds(fields(knowledge, setting.rules.STRUCT), seat)
            looked += 1
        assert looked >= min(len(groups), SAMPLE) / 2
