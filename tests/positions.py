"""Looking into positions: structs, zones, slices of observations, the exact distribution of what `resample` makes."""

import random
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from fractions import Fraction
from typing import Any

import numpy as np

from hexdeck.engine import random as generators
from hexdeck.engine.play.game import raw
from hexdeck.engine.play.match import Match
from hexdeck.engine.view import Zone
from tests.support import random_step

World = bytes


def call(match: Match, kernel: str, *arguments: Any) -> Any:
    return match.driver.kernel(kernel)(match.driver.g, match.rows, *arguments)


def total_weight(match: Match) -> int:
    """What `chance_weights` returns: the sum of its weights."""
    return int(call(match, "weigh", match.driver.weights()))


def whole(match: Match) -> bytes:
    return raw(match.rows)[0].tobytes()


def fields(world: bytes, dtype: np.dtype) -> dict[str, Any]:
    record = np.frombuffer(world, dtype)[0]
    return {name: record[name].tolist() for name in dtype.names or ()}


def zone(match: Match, seat: int, id: str) -> Zone:
    """One zone of what a seat (-1: the public) sees."""
    return next(zone for zone in match.view(seat).zones if zone.id == id)


def ranks(match: Match, seat: int, id: str) -> list[int]:
    """The ranks of the cards that a seat sees in a zone."""
    return [int(card) for card in zone(match, seat, id).cards]


def observed(match: Match, seat: int) -> dict[str, list[int]]:
    """A seat's observation by the names of its slices, written over an array that isn't empty."""
    slices = match.game.rules.SLICES
    out = np.full(max(end for _, end in slices.values()), 77, np.int8)
    match.knowledge(seat)
    call(match, "observe_row", 1, seat, match.driver.shared(out))
    return {name: out[begin:end].tolist() for name, (begin, end) in slices.items()}


def observations(match: Match, *seats: int) -> str:
    """What seats observe: a line for each slice with a number that isn't 0, up to the last such number."""
    lines = []
    for seat in seats:
        for name, numbers in observed(match, seat).items():
            last = max((k for k, number in enumerate(numbers) if number), default=-1)
            text = " ".join(map(str, numbers[: last + 1]))
            lines += [f"{'public' if seat < 0 else f'seat {seat}'} {name}: {text}"] if text else []
    return "\n".join(lines)


def refusal(match: Match, seat: int, action: str) -> str:
    """The id of the rule that forbids an action, or an empty string."""
    number = match.illegal_reason(seat, match.game.rules.ACTIONS.index(action))
    return match.game.definition.reason(number).rule


class NoGenerator:
    """Stands in the place of a generator where all chance comes from `below`: using it in any other way raises."""


class Paths:
    """Numbers for `below`, one path through all its answers after another."""

    def __init__(self) -> None:
        self.path: list[int] = []
        self.sizes: list[int] = []
        self.at = 0

    def below(self, rng: Any, n: int) -> int:
        """The number of this path; a new choice begins with 0."""
        assert isinstance(rng, NoGenerator) and n > 0
        if self.at == len(self.path):
            self.path.append(0)
            self.sizes.append(n)
        assert self.sizes[self.at] == n
        self.at += 1
        return self.path[self.at - 1]

    def all(self) -> Iterator[None]:
        """Once for every path."""
        while True:
            self.at = 0
            yield
            while self.path and self.path[-1] + 1 == self.sizes[-1]:
                self.path.pop()
                self.sizes.pop()
            if not self.path:
                return
            self.path[-1] += 1

    @property
    def chance(self) -> Fraction:
        return Fraction(1, int(np.prod(self.sizes, dtype=object)))


@contextmanager
def every_path() -> Iterator[Paths]:
    """While it is active, interpreted rules draw from `Paths` instead of from a generator."""
    paths, original = Paths(), generators.below
    users = [module for name, module in sys.modules.items() if name.startswith("hexdeck.")]
    users = [module for module in users if getattr(module, "below", None) is original]
    for module in users:
        module.below = paths.below  # type: ignore[attr-defined]
    try:
        yield paths
    finally:
        for module in users:
            module.below = original  # type: ignore[attr-defined]


def redealt(
    match: Match, seat: int, shown: Callable[[World], Any] = bytes, limit: int = 100_000
) -> dict[Any, Fraction] | None:
    """Every world that `resample` can make for a seat, and exactly how likely it is; None beyond a limit of paths.

    For interpreted matches.
    """
    assert match.driver.backend == "interpreted"
    worlds = Counter[Any]()
    with every_path() as paths:
        for number, _ in enumerate(paths.all()):
            if number == limit:
                return None
            call(match, "redeal_row", 1, 0, seat, NoGenerator())
            worlds[shown(raw(match.rows)[1].tobytes())] += paths.chance
    assert sum(worlds.values()) == 1
    return dict(worlds)


def assert_others_choose_again(match: Match, field: str, found: int) -> None:
    """In a random match, where several have chosen at once, what others chose is theirs to choose again, and no more.

    `field` holds each seat's choice, -1 where there is none; `found`: in how many decisions this is seen, at the least.
    """
    rng, rules = random.Random(1), match.game.rules
    while not match.over:
        asked = match.acting
        if len(asked) > 1:
            found -= 1
        while len(match.acting) > 1:
            seat = match.acting[0]
            match.play(seat, rng.choice(match.legal_ids(seat)))
            assert_given_back(match, rules, field, asked)
        random_step(match, rng)
        if not match.over and len(match.acting) < 2:
            assert_given_back(match, rules, field, ())
    assert found <= 0


def assert_given_back(match: Match, rules: Any, field: str, asked: Sequence[int]) -> None:
    """What every seat finds given back: the choices of all others that were asked."""
    for seat in range(match.game.players):
        other = match.copy_position()
        wanted, choices = match.struct.acting, getattr(match.struct, field)
        left = [-1 if p in asked and p != seat else choices[p] for p in range(match.game.players)]
        for p in asked:
            wanted |= (p != seat) << p
        rules.clear_hidden_choices(other.struct, seat)
        assert (other.struct.acting, [getattr(other.struct, field)[p] for p in range(len(left))]) == (wanted, left)
