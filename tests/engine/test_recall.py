"""What several choose at once, unseen, can be given back to them, and be chosen again."""

import random
from collections.abc import Iterator

from hexdeck.simulation.game import Game
from tests.compiled import all_backends
from tests.settings import every_setting

from .bench import NOW, Bench
from .loops import recall_row

GAMES = 2


def recalled(bench: Bench, world: bytes, seat: int) -> bytes:
    """The world after the others' choices were given back."""
    bench.put(world)
    bench.driver.kernel(recall_row)(bench.driver.g, bench.rows, NOW, seat)
    return bench.world()


def positions(bench: Bench, rng: random.Random) -> Iterator[tuple[bytes, int, bytes]]:
    """Positions of random games where a seat may act, and what they were before others chose at once with it.

    Those of one seat alone are but some of them.
    """
    for _ in range(GAMES):
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
    walker, benches = (
        Bench(setting, "fast"),
        [Bench(setting, backend) for backend in all_backends(setting.name)],
    )
    at_once, differed = False, 0
    for world, seat, began in positions(walker, random.Random(1)):
        at_once |= len(walker.acting()) > 1
        assert {recalled(bench, world, seat) for bench in benches} == {began}
        differed += world != began
    assert differed or not at_once
