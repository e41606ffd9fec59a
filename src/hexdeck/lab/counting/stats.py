"""Estimates with 95 % intervals: means, shares, differences, and what is sure enough to be told."""

from __future__ import annotations

import functools
from collections.abc import Callable
from dataclasses import dataclass
from statistics import NormalDist
from typing import Any

import numpy as np

SURE = 0.95
ALIKE = 1e-12
POWER = 0.8  # how often a difference is found that is just large enough to be looked for
FEW = 100  # rows that differ, below which Student's t isn't to be trusted


@dataclass(frozen=True)
class Estimate:
    """A value and the ends of its 95 % interval, from so many independent observations."""

    value: float
    low: float
    high: float
    count: int

    @property
    def margin(self) -> float:
        """Half the width of the interval."""
        return (self.high - self.low) / 2

    def error(self, other: float = 0.0) -> float:
        """The standard error, as far as the side of the interval tells it that faces `other`."""
        side = self.value - self.low if self.value > other else self.high - self.value
        return side / NormalDist().inv_cdf((1 + SURE) / 2)

    def sure(self, other: float = 0.0, tests: int = 1) -> bool:
        """Whether the value surely isn't `other`: at 5 % for all of so many tests together (Bonferroni)."""
        return abs(self.value - other) > self.error(other) * NormalDist().inv_cdf(1 - (1 - SURE) / (2 * tests))

    def within(self, most: float) -> Estimate:
        """The same, known to be from -most to most."""
        return Estimate(self.value, max(self.low, -most), min(self.high, most), self.count)

    def for_all(self, tests: int) -> Estimate:
        """The same with an interval that holds together with those of so many tests (Bonferroni)."""
        wider = NormalDist().inv_cdf(1 - (1 - SURE) / (2 * tests)) / NormalDist().inv_cdf((1 + SURE) / 2)
        low, high = self.value - wider * (self.value - self.low), self.value + wider * (self.high - self.value)
        return Estimate(self.value, low, high, self.count)

    def times(self, factor: float) -> Estimate:
        """The same in another unit."""
        low, high = sorted((self.low * factor, self.high * factor))
        return Estimate(self.value * factor, low, high, self.count)


def share(hits: float, count: int) -> Estimate:
    """A share of `count` observations, by Wilson's interval: it is right for rare things and for none too."""
    if not count:
        return Estimate(float("nan"), 0.0, 1.0, 0)
    z = NormalDist().inv_cdf((1 + SURE) / 2)
    p = hits / count
    middle = (p + z * z / (2 * count)) / (1 + z * z / count)
    half = z / (1 + z * z / count) * float(np.sqrt(p * (1 - p) / count + z * z / (4 * count * count)))
    low, high = max(0.0, middle - half) if hits else 0.0, min(1.0, middle + half) if hits < count else 1.0
    return Estimate(p, low, high, count)


def quantile(confidence: float) -> float:
    """How many standard errors away something is that is so far off with this confidence, on one side."""
    return NormalDist().inv_cdf(confidence)


def needed(fair: float, gap: float, tests: int) -> int:
    """Of how many games a share must be known for a gap from `fair` to be found 4 times in 5, among so many tests."""
    return round((errors(tests) / gap) ** 2 * fair * (1 - fair))


def found_at(fair: float, games: int, tests: int) -> float:
    """The gap from `fair` that so many games find 4 times in 5."""
    return float(errors(tests) * (fair * (1 - fair) / games) ** 0.5)


def errors(tests: int) -> float:
    """How many standard errors a gap must have to be found 4 times in 5, among so many tests."""
    return quantile(1 - (1 - SURE) / (2 * tests)) + quantile(POWER)


def mean(values: np.ndarray) -> Estimate:
    """The mean of independent values, by Student's t."""
    moments = Moments(1)
    moments.add(np.asarray(values, np.float64).reshape(-1, 1))
    return moments.estimate(0)


def mean_share(values: np.ndarray) -> Estimate:
    """The mean of independent numbers from 0 to 1."""
    moments = Moments(1)
    moments.add(np.asarray(values, np.float64).reshape(-1, 1))
    return moments.share(0)


def ratio(above: np.ndarray, below: np.ndarray) -> Estimate:
    """The sum of one column over the sum of another, rows being independent (delta method)."""
    value = float(above.sum() / below.sum()) if below.sum() else float("nan")
    rest = mean((above - value * below) / below.mean()) if below.sum() else mean(above)
    return Estimate(value, value - rest.margin, value + rest.margin, len(above))


def bootstrapped(sample: np.ndarray, statistic: Callable[..., Any], seed: int = 0) -> Estimate:
    """Any statistic of independent rows, by resampling (percentiles)."""
    rows = np.arange(len(sample))
    value = float(statistic(sample))
    if len(sample) < 2:
        return Estimate(value, float("-inf"), float("inf"), len(sample))
    from scipy import stats

    found = stats.bootstrap(
        (rows,), lambda chosen: statistic(sample[chosen]), n_resamples=999, vectorized=False, method="percentile",
        confidence_level=SURE, rng=np.random.default_rng(seed),
    ).confidence_interval  # fmt: skip
    return Estimate(value, float(found.low), float(found.high), len(sample))


@functools.cache
def students(freedom: int) -> float:
    """Student's t for a 95 % interval, with so many degrees of freedom."""
    from scipy import stats

    return float(stats.t.ppf((1 + SURE) / 2, freedom))


class Moments:
    """Sums and sums of squares of columns, added a chunk at a time: any number of rows in constant memory."""

    def __init__(self, columns: int) -> None:
        self.count = 0
        self.sums, self.squares = np.zeros(columns), np.zeros(columns)

    def add(self, rows: np.ndarray) -> None:
        """Take rows (float64) in."""
        self.count += len(rows)
        self.sums += rows.sum(axis=0)
        self.squares += np.einsum("ij,ij->j", rows, rows)

    def variance(self, column: int) -> float:
        """The variance of a column, 0 for fewer than two rows."""
        if self.count < 2:
            return 0.0
        spread = self.squares[column] - self.sums[column] ** 2 / self.count
        alike = spread <= ALIKE * self.squares[column]  # what is left of equal numbers by rounding
        return 0.0 if alike else float(spread) / (self.count - 1)

    def estimate(self, column: int) -> Estimate:
        """The mean of a column by Student's t; without bounds from a single row."""
        value = float(self.sums[column] / self.count) if self.count else float("nan")
        if self.count < 2:
            return Estimate(value, float("-inf"), float("inf"), self.count)
        half = students(self.count - 1) * (self.variance(column) / self.count) ** 0.5
        return Estimate(value, value - half, value + half, self.count)

    def share(self, column: int) -> Estimate:
        """The mean of a column of numbers from 0 to 1; where all are alike, by Wilson's interval."""
        hits = float(self.sums[column])
        wilson, plain = share(min(max(hits, 0.0), self.count), self.count), self.estimate(column)
        return plain if 0 < plain.margin < wilson.margin and 10 < hits < self.count - 10 else wilson


class Gaps(Moments):
    """Differences of pairs: most may be 0, and the few that aren't tell what is known of the mean."""

    def __init__(self, columns: int) -> None:
        super().__init__(columns)
        self.ups, self.up_squares, self.most = (np.zeros(columns) for _ in range(3))

    def add(self, rows: np.ndarray) -> None:
        """Take differences (float64) in."""
        super().add(rows)
        ups = np.maximum(rows, 0.0)
        self.ups += ups.sum(axis=0)
        self.up_squares += np.einsum("ij,ij->j", ups, ups)
        self.most = np.maximum(self.most, np.abs(rows).max(axis=0, initial=0.0))

    def difference(self, column: int, most: float | None = None) -> Estimate:
        """The mean difference; `most`: what one pair can differ by at most, if that is known.

        Where many pairs differ by Student's t. Where few do, ups and downs are counted apart, as weighted Poisson
        counts are (Fay and Feuer 1997), and put together as Zou and Donner (2008) do.
        """
        found = self.estimate(column)
        sums = self.ups[column], self.ups[column] - self.sums[column]
        squares = self.up_squares[column], self.squares[column] - self.up_squares[column]
        if self.count < 2 or sum(hits(*each) for each in zip(sums, squares, strict=True)) >= FEW:
            return found
        weight = float(self.most[column]) if most is None else most
        (up, low_up, high_up), (down, low_down, high_down) = (
            rare(float(each), float(square), weight, self.count) for each, square in zip(sums, squares, strict=True)
        )
        low, high = np.hypot(up - low_up, high_down - down), np.hypot(high_up - up, down - low_down)
        return Estimate(found.value, found.value - float(low), found.value + float(high), self.count)


def hits(total: float, square: float) -> float:
    """How many equal events tell as much as some of this sum and sum of squares."""
    return total**2 / square if square > 0 else 0.0


def rare(total: float, square: float, most: float, count: int) -> tuple[float, float, float]:
    """The mean of what is mostly 0 and never below it, and the ends of its interval; one row counts `most` at most."""
    from scipy import stats

    tail, events = (1 - SURE) / 2, hits(total, square)
    low = total / events * stats.beta.ppf(tail, events, count - events + 1) if events else 0.0
    further, squared = total + most, square + most**2
    more = hits(further, squared)
    scale = further / more if more else 0.0
    high = scale * (stats.beta.ppf(1 - tail, more, count - more + 1) if 0 < more <= count else 1.0)
    return total / count, float(low), float(high)
