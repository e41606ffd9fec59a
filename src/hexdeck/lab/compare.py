"""Pairs of games on common random numbers: what measures do under another condition on the same cards.

Game k has the same cards and the same bots' dice in both variants for as long as the two agree, and again from the next
deal on (`engine.random`), so that most of the variance cancels in the difference.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from hexdeck.bots.players.levels import one_loser
from hexdeck.engine.play.game import GameSetup
from hexdeck.lab import counts as metrics
from hexdeck.lab.counts import SHARES, Chunk, GameStatistics, MetricName, Source, chunks
from hexdeck.lab.kernels import HISTORY
from hexdeck.lab.log import SimulationSetup
from hexdeck.lab.starts import starting_of
from hexdeck.stats import Estimate, PairedMoments, holm, p_beyond, share

LEAST, MOST = 2000, 200_000  # pairs that are played at least, and at most
DIFFERS, RESULT_DIFFERS, PLACE_DIFFERS = ("differs", 0), ("result_differs", 0), ("place_differs", 0)
PAIRS = {"differ": DIFFERS, "result_differs": RESULT_DIFFERS, "place_differs": PLACE_DIFFERS}  # by their names in data
OTHERS = {metrics.KIND_USED, metrics.STARTS, metrics.ABOVE, *(name for name, _k in PAIRS.values())}  # tell the same
OF_PLACE = (metrics.FIRST, metrics.STARTER_FIRST, metrics.TIED), (metrics.LAST, metrics.STARTER_LAST)


@dataclass(frozen=True)
class Change:
    """A metric in both variants, and its paired difference.

    `saved`: the variance reduction, or how many times as many games unpaired samples would take for the same precision;
    infinite where pairs never differ.
    """

    name: MetricName
    before: Estimate
    after: Estimate
    difference: Estimate
    saved: float


def surely(differences: Sequence[Estimate], tests: int = 0) -> list[bool]:
    """Which differences are significant: at 5 % for all of them together, and for so many `tests` if that is more."""
    beyond = [p_beyond(each, 0.0) for each in differences]
    return holm([*beyond, *[1.0] * (tests - len(beyond))])[: len(beyond)]


def bound(differences: Sequence[Estimate], tests: int) -> float:
    """How far from 0 any of the differences may be, at 95 % for so many tests together."""
    wide = [each.simultaneous(tests) for each in differences]
    return max(max(abs(each.low), abs(each.high)) for each in wide)


@dataclass
class Comparison:
    """Pairs of games: of the setup's game, variant `a`, and of variant `b`, each counted, and their differences.

    `interrupted`: whether it was stopped before it was done.
    """

    setup: SimulationSetup
    sides: tuple[GameStatistics, GameStatistics]
    differences: PairedMoments
    interrupted: bool = False

    @classmethod
    def of(cls, setup: SimulationSetup, b: GameSetup) -> Comparison:
        """A comparison of no pairs yet."""
        sides = GameStatistics.of(setup.game), GameStatistics.of(b)
        return cls(setup, sides, PairedMoments(len(sides[0].names) + len(PAIRS)))

    def __len__(self) -> int:
        return self.differences.count

    @property
    def a(self) -> GameSetup:
        """The first variant."""
        return self.sides[0].game

    @property
    def b(self) -> GameSetup:
        """The second variant."""
        return self.sides[1].game

    @property
    def place(self) -> int:
        """Whether first place decides (0) or last (1)."""
        return int(one_loser(self.a))

    @property
    def names(self) -> tuple[MetricName, ...]:
        """The columns of the differences: metrics, and whether pairs differ."""
        return (*self.sides[0].names, *PAIRS.values())

    def add(self, one: tuple[Chunk, np.ndarray], other: tuple[Chunk, np.ndarray]) -> None:
        """Add pairs of games: of each variant a chunk with its metrics, float64 (pairs, metrics)."""
        (chunk, before), (changed, after) = one, other
        for side, (games, rows) in zip(self.sides, (one, other), strict=True):
            side.add(rows, games)
        results, shares = ([k for k, name in enumerate(self.names) if name[0] == what]
                           for what in (metrics.RESULT, self.shares))  # fmt: skip
        result, place = ((before[:, of] != after[:, of]).any(axis=1) for of in (results, shares))
        differs = result | (chunk.counters[:, HISTORY] != changed.counters[:, HISTORY])
        self.differences.add(np.column_stack([after - before, differs, result, place]))

    @property
    def shares(self) -> str:
        """The metric of each seat's share of the place that decides."""
        return OF_PLACE[self.place][0]

    @property
    def compared(self) -> list[MetricName]:
        """The metrics that are compared: those of the place that decides, and what other metrics don't tell better."""
        return [name for name in self.names if name[0] not in OTHERS and name[0] not in OF_PLACE[1 - self.place]]

    @property
    def tested(self) -> list[MetricName]:
        """The compared metrics; without the starter's where these don't tell what starting is worth.

        That is where no result differs, for then only who starts can differ; and where more than starting sets the
        starter apart, in either variant.
        """
        telling = self.share_of_pairs(RESULT_DIFFERS).value and all(starting_of(x).at_random for x in (self.a, self.b))
        without = () if telling else (metrics.STARTER_RESULT, metrics.STARTER_FIRST, metrics.STARTER_LAST)
        return [name for name in self.compared if name[0] not in without]

    @property
    def gains(self) -> dict[MetricName, Estimate]:
        """The differences that say who gains: of the shares of seats and of the starter."""
        telling = OF_PLACE[self.place][:2]
        return {name: self.change(name).difference for name in self.tested if name[0] in telling}

    def change(self, name: MetricName | str) -> Change:
        """A metric in both variants, and its difference."""
        key = (name, 0) if isinstance(name, str) else name
        k = self.names.index(key)
        unpaired, paired = sum(each.moments.variance(k) for each in self.sides), self.differences.variance(k)
        before, after = (each[key] for each in self.sides)
        return Change(key, before, after, self.difference(k), unpaired / paired if paired else float("inf"))

    def difference(self, k: int) -> Estimate:
        """The mean difference in column `k`; a seat's share differs by no more than the share of pairs that do."""
        metric = self.names[k][0]
        if metric not in SHARES:
            return self.differences.difference(k)
        found = self.differences.difference(k, 1.0)
        most = self.share_of_pairs(PLACE_DIFFERS).high
        return found.within(-most, most) if metric == self.shares else found

    def share_of_pairs(self, name: MetricName) -> Estimate:
        """The share of pairs that differ.

        DIFFERS: in moves or results; RESULT_DIFFERS: in a seat's result; PLACE_DIFFERS: in who came first (or last,
        where that place decides).
        """
        return share(float(self.differences.sums[self.names.index(name)]), len(self))

    @property
    def precision(self) -> float:
        """The largest margin of the differences of seats' shares."""
        return max(self.difference(k).margin for k, name in enumerate(self.names) if name[0] == self.shares)

    def expected(self, precision: float, most: int) -> int:
        """How many pairs will be played for ±`precision`, at most `most`, judged by those so far."""
        times = (self.precision / precision) ** 2
        return round(max(len(self), len(self) * min(times, most / len(self))))


def compare(
    setup: SimulationSetup, b: GameSetup, *, precision: float = 0.01, least: int = LEAST, most: int = MOST,
    progress: Callable[[int, int], None] | None = None, source: Source = chunks,
) -> Comparison:  # fmt: skip
    """Play pairs, of the setup's game and of variant `b`, until the differences of seats' shares are known well enough.

    It stops at ±`precision`, but plays from `least` to `most` pairs. It stops by the width of intervals, never by
    their values, so that stopping early doesn't bias them. After an interrupt (KeyboardInterrupt) it returns what was
    finished, unless that is nothing. `progress` is told how many more pairs are done, and how many are expected in
    all. `source`: what plays the games.
    """
    out, half = Comparison.of(setup, b), replace(setup, threads=max(1, setup.threads // 2))
    sides = [source(side, most, here=setup.threads == 1) for side in (half, replace(half, game=b))]
    try:
        for one, other in zip(*sides, strict=True):
            out.add(one, other)
            if progress is not None:
                progress(len(one[0]), max(least, out.expected(precision, most)))
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
