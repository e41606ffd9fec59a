"""Two variants of a game on the same chance draws: what a change of a rule does, with as few games as that takes.

Game k of both has the same cards and the same bots' dice for as long as the two agree, and again from the next deal on
(`engine.random`). So most of what luck does cancels in the difference.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import numpy as np

from hexdeck.engine.play.game import GameSetup
from hexdeck.lab.counting.collect import Source, chunks
from hexdeck.lab.counting.kernels import HISTORY
from hexdeck.lab.counting.metrics import (
    BEGINS_FIRST,
    BEGINS_LAST,
    FIRST,
    KIND,
    LAST,
    MET,
    RESULT,
    SHARES,
    STARTS,
    TIED,
    Name,
    names,
)
from hexdeck.lab.counting.stats import Estimate, Gaps, Moments, share

LEAST = 2000  # pairs before anything is judged
MOST = 200_000
DIFFERS, RESULT_DIFFERS, PLACE_DIFFERS = ("differs", 0), ("result_differs", 0), ("place_differs", 0)
LEFT_OUT = {MET, STARTS, DIFFERS[0], RESULT_DIFFERS[0], PLACE_DIFFERS[0]}  # that another one tells better


@dataclass(frozen=True)
class Change:
    """A measure in both variants, and its difference pair by pair.

    `saved`: how many times as many games it would have taken to know the difference as well without pairs; infinite
    where the pairs never differ.
    """

    name: Name
    before: Estimate
    after: Estimate
    difference: Estimate
    saved: float


@dataclass
class Comparison:
    """Pairs of games of two variants, `a` and `b`; `place`: whether last place decides (1) or first (0).

    `bots` and `seed`: what was played; `met`: by kind of move, the variant (0 for `a`) and the number of the first game
    in which one was made; `interrupted`: whether somebody stopped it before it was done.
    """

    a: GameSetup
    b: GameSetup
    names: tuple[Name, ...]
    place: int
    before: Moments
    after: Moments
    gaps: Gaps
    bots: tuple[str, ...] = ("house",)
    seed: int | bytes = 0
    met: dict[int, tuple[int, int]] = field(default_factory=dict)
    interrupted: bool = False

    @classmethod
    def of(cls, a: GameSetup, b: GameSetup, place: int) -> Comparison:
        """Nothing played yet."""
        named = (*names(a), DIFFERS, RESULT_DIFFERS, PLACE_DIFFERS)
        return cls(a, b, named, place, Moments(len(named)), Moments(len(named)), Gaps(len(named)))

    def __len__(self) -> int:
        return self.gaps.count

    def take(self, one: np.ndarray, other: np.ndarray, differs: np.ndarray) -> None:
        """Take in pairs of games: their measures, and whether their moves differ."""
        for side, rows in enumerate((one, other)):
            self.meet(side, rows)
        result, place = (self.apart(one, other, what) for what in (RESULT, self.shares))
        events = np.stack([differs | result, result, place], axis=1).astype(np.float64)
        self.before.add(np.concatenate([one, 0 * events], axis=1))
        self.after.add(np.concatenate([other, events], axis=1))
        self.gaps.add(np.concatenate([other - one, events], axis=1))

    def meet(self, side: int, rows: np.ndarray) -> None:
        """Remember in which game each kind of move was made first."""
        for column, (what, kind) in enumerate(self.names[: rows.shape[1]]):
            if what == KIND and kind not in self.met and rows[:, column].any():
                self.met[kind] = side, len(self) + int(rows[:, column].argmax())

    def apart(self, one: np.ndarray, other: np.ndarray, what: str) -> np.ndarray:
        """Which pairs differ in what any seat has of a measure."""
        columns = [k for k, name in enumerate(self.names) if name[0] == what]
        differ: np.ndarray = (one[:, columns] != other[:, columns]).any(axis=1)
        return differ

    @property
    def shares(self) -> str:
        """The measure of each seat's share of the place that decides."""
        return LAST if self.place else FIRST

    @property
    def told(self) -> list[Name]:
        """The measures that are compared."""
        left = LEFT_OUT | ({FIRST, BEGINS_FIRST, TIED} if self.place else {LAST, BEGINS_LAST})
        return [name for name in self.names if name[0] not in left]

    def change(self, name: Name | str) -> Change:
        """A measure and its difference."""
        key = (name, 0) if isinstance(name, str) else name
        k = self.names.index(key)
        before, after = (each.share(k) if key[0] in SHARES else each.estimate(k) for each in (self.before, self.after))
        apart, paired = self.before.variance(k) + self.after.variance(k), self.gaps.variance(k)
        return Change(key, before, after, self.difference(k), apart / paired if paired else float("inf"))

    def difference(self, k: int) -> Estimate:
        """The mean difference; a share of places differs no more than the places do."""
        what = self.names[k][0]
        if what not in SHARES:
            return self.gaps.difference(k)
        found = self.gaps.difference(k, 1.0)
        return found.within(self.happens(PLACE_DIFFERS).high) if what == self.shares else found

    def happens(self, name: Name) -> Estimate:
        """In how many pairs something differs.

        DIFFERS: the games, by their moves or their results; RESULT_DIFFERS: somebody's result; PLACE_DIFFERS: who came
        first (or last, where that place decides).
        """
        return share(float(self.after.sums[self.names.index(name)]), len(self))

    @property
    def precision(self) -> float:
        """Half the widest interval of the differences of seats' shares."""
        return max(self.difference(k).margin for k, name in enumerate(self.names) if name[0] == self.shares)

    def expected(self, precision: float, most: int) -> int:
        """How many pairs it takes to know them to ±`precision`, as far as those played tell; `most` at most."""
        times = (self.precision / precision) ** 2
        return round(max(len(self), len(self) * min(times, most / len(self))))


def compare(
    a: GameSetup, b: GameSetup, *, place: int, precision: float = 0.01, bots: str | Sequence[str] = "house",
    seed: int | bytes = 0, threads: int = 1, least: int = LEAST, most: int = MOST, backend: str | None = None,
    progress: Callable[[int, int], None] | None = None, source: Source = chunks,
) -> Comparison:  # fmt: skip
    """Play pairs until the differences of seats' shares are known to ±`precision`, and no more than `most`.

    It stops by the width of intervals, never by what they say, so that stopping early makes nothing look surer.
    Interrupted, it gives what was finished. `progress`: how many more pairs, of how many there seem to be in the end;
    `source`: what plays games.
    """
    out = Comparison.of(a, b, place)
    out.bots, out.seed = (bots,) if isinstance(bots, str) else tuple(bots), seed
    each = max(1, threads // 2)
    sides = [source(game, most, bots, seed, each, backend=backend, here=threads == 1) for game in (a, b)]
    try:
        for (one, rows), (other, others) in zip(*sides, strict=True):
            out.take(rows, others, one.figures[:, HISTORY] != other.figures[:, HISTORY])
            if progress is not None:
                progress(len(one), max(least, out.expected(precision, most)))
            if len(out) >= least and out.precision <= precision:
                break
    except KeyboardInterrupt:
        if not len(out):
            raise
        out.interrupted = True
    finally:
        for side in sides:
            side.close()
    return out
