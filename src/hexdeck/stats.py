"""Estimates with 95 % confidence intervals, and which of several differences are significant.

Means, shares, ratios, medians and paired differences of independent observations; nothing here knows what a game is.
From 20 observations on, intervals hold the truth in 93.5 to 97.5 of 100 data sets: tests/lab/test_stats.py says of
which shapes of data, and where they must hold it oftener. SciPy, with which tests compare the quantiles, isn't asked
even where it is installed: these 60 lines of a beta distribution would remain for elsewhere, and it imports slowly.
"""

from __future__ import annotations

import functools
import math
from bisect import bisect_right
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import NormalDist
from typing import NamedTuple

import numpy as np

CONFIDENCE = 0.95
POWER = 0.8  # statistical power: how often an effect of the size looked for is found
FEW_GAMES = 30  # fewer say too little of the variance of their results
ROUNDING = 1e-12  # relative: the variance that rounding leaves of equal numbers


@dataclass(frozen=True)
class Estimate:
    """An estimate, the ends of its 95 % confidence interval, and the number of independent observations."""

    value: float
    low: float
    high: float
    count: int

    @property
    def margin(self) -> float:
        """The margin of error: half the width of the interval."""
        return (self.high - self.low) / 2

    def standard_error(self, null: float = 0.0) -> float:
        """The standard error, taken from the side of the interval that faces `null`."""
        return (self.value - self.low if self.value > null else self.high - self.value) / critical_value(1)

    def significant(self, null: float = 0.0, tests: int = 1) -> bool:
        """Whether the value differs significantly from `null`: at 5 % for all `tests` together (Bonferroni)."""
        return abs(self.value - null) > self.standard_error(null) * critical_value(tests)

    def within(self, least: float, greatest: float) -> Estimate:
        """The estimate of a value that is known to be from `least` to `greatest`; UNKNOWN stays so."""
        return Estimate(self.value, max(self.low, least), min(self.high, greatest), self.count) if self.count else self

    def simultaneous(self, tests: int) -> Estimate:
        """The estimate with a simultaneous confidence interval: 95 % for all `tests` together (Bonferroni)."""
        wider = critical_value(tests) / critical_value(1)
        low, high = self.value - wider * (self.value - self.low), self.value + wider * (self.high - self.value)
        return Estimate(self.value, low, high, self.count)

    def shifted(self, by: float) -> Estimate:
        """The estimate with a number added."""
        return Estimate(self.value + by, self.low + by, self.high + by, self.count)

    def scaled(self, factor: float) -> Estimate:
        """The estimate in another unit."""
        low, high = sorted((self.low * factor, self.high * factor))
        return Estimate(self.value * factor, low, high, self.count)


UNKNOWN = Estimate(math.nan, -math.inf, math.inf, 0)


# --- how many standard errors, and how many games ---
def quantile(probability: float) -> float:
    """A quantile of the standard normal distribution."""
    return NormalDist().inv_cdf(probability)


@functools.cache
def critical_value(tests: int, confidence: float = CONFIDENCE) -> float:
    """How many standard errors make a difference significant, two-sided, for all `tests` together (Bonferroni)."""
    return quantile(1 - (1 - confidence) / (2 * tests))


@functools.lru_cache(10_000)
def t_quantile(freedom: float) -> float:
    """The quantile of Student's t for a 95 % interval, with so many degrees of freedom; infinite without any."""
    if freedom < 1:
        return math.inf
    part = beta_quantile(CONFIDENCE, 0.5, freedom / 2)  # of t² / (t² + freedom)
    return math.sqrt(freedom * part / (1 - part))


def sample_size(fair: float, effect: float, tests: int) -> int:
    """How many games it takes to find that a share is off `fair` by `effect`, with a power of 80 % in `tests` tests."""
    return round((detectable_deviations(tests) / effect) ** 2 * fair * (1 - fair))


def size_for_margin(share: float, margin: float) -> int:
    """How many games leave a share a margin of error of so much."""
    return round((critical_value(1) / margin) ** 2 * share * (1 - share))


def detectable_effect(fair: float, games: int, tests: int) -> float:
    """The smallest distance of a share from `fair` that so many games find, with a power of 80 % in `tests` tests."""
    return float(detectable_deviations(tests) * (fair * (1 - fair) / games) ** 0.5)


def detectable_deviations(tests: int) -> float:
    """The smallest effect found with a power of 80 % in `tests` tests, in standard errors."""
    return critical_value(tests) + quantile(POWER)


# --- score intervals: which means are compatible with what was found ---
WIDER = 4.0  # how much larger than the largest of few differences another may be, see `PairedMoments.larger`
TAIL = 0.43  # standard errors by which the longer tail reaches farther, for each unit of a mean's skewness
GUESSES, CLOSE = 80, 1e-9  # at the end of an interval, at most; how far from it that may be, of its distance
Spread = Callable[[float], tuple[float, float]]  # variance and third central moment of an observation with such a mean


def score_end(value: float, count: float, farthest: float, spread: Spread, z: float | None = None) -> float:
    """The end of a score interval towards `farthest`: `count` observations with that mean may well have mean `value`.

    Means of few observations are skewed. Cornish and Fisher correct both tails for it; here it only makes one longer,
    by a little less than theirs (0.47): so no share of rare events is missed too often.
    """
    side, root = math.copysign(1.0, value - farthest), math.sqrt(count)
    z = critical_value(1) if z is None else z

    def beyond(mean: float) -> float:
        """How much farther from the value a mean is than chance reaches."""
        variance, third = spread(mean)
        reach = z * math.sqrt(variance) + TAIL * max(0.0, side * third) / variance / root if variance > 0 else 0.0
        return abs(value - mean) * root - reach

    near, far, within, off, last = value, farthest, beyond(value), beyond(farthest), 0.0
    for _ in range(GUESSES):
        part = within / (within - off) if within < 0 < off else 0.5  # false position (Illinois), else halves
        middle = near + part * (far - near)
        gap = beyond(middle)
        if min(abs(gap) / root, abs(far - near)) <= CLOSE * abs(middle - value):
            return middle
        again = 0.5 if gap * last > 0 else 1.0
        if gap < 0:
            near, within, off = middle, gap, off * again
        else:
            far, off, within = middle, gap, within * again
        last = gap
    return far


def one_or_none(mean: float) -> tuple[float, float]:
    """The variance and third central moment of what is 0 or 1 with such a mean."""
    variance = mean * (1 - mean)
    return variance, variance * (1 - 2 * mean)


# --- shares ---
@functools.lru_cache
def share(hits: float, count: int) -> Estimate:
    """The share of `count` observations that are hits: Wilson's interval, reaching farther where hits are rare."""
    if not count:
        return Estimate(math.nan, 0.0, 1.0, 0)
    value = min(max(hits / count, 0.0), 1.0)
    low, high = (score_end(value, count, far, one_or_none) for far in (0.0, 1.0))
    return Estimate(hits / count, low, high, count)


def share_ends(value: float, error: float, count: int) -> tuple[float, float]:
    """The ends of the interval of the mean of `count` values from 0 to 1, by its standard error.

    As those of so many hits and misses as vary as much; where all values were alike, of `count`.
    """
    if count < 2:
        return 0.0, 1.0
    value = min(max(value, 0.0), 1.0)
    widest = value * (1 - value)  # the variance of hits and misses
    part = min(1.0, error**2 * (count - 1) / widest) if error and widest else 1.0
    z = critical_value(1) if part > 1 - ROUNDING else t_quantile((count - 1) / (1 - part))
    low, high = (score_end(value, count / part, far, one_or_none, z) for far in (0.0, 1.0))
    return low, high


# --- means ---
def mean(values: np.ndarray) -> Estimate:
    """The mean of independent values, see `Moments.estimate`."""
    return moments_of(values).estimate(0)


def mean_share(values: np.ndarray) -> Estimate:
    """The mean of independent values from 0 to 1."""
    return moments_of(values).share(0)


def half_width(values: np.ndarray) -> np.ndarray:
    """Half the 95 % interval of the mean of independent values by Student's t, of each column; infinite for one row."""
    if len(values) < 2:
        return np.full(values.shape[1:], np.inf)
    return t_quantile(len(values) - 1) * standard_error(values)


def standard_error(values: np.ndarray) -> np.ndarray:
    """The standard error of the mean of independent values, of each column."""
    error: np.ndarray = values.std(axis=0, ddof=1) / len(values) ** 0.5
    return error


def mean_of_few(values: np.ndarray, variances: np.ndarray, freedom: int) -> Estimate:
    """The mean of independent results, with an interval by how far apart seats end in the same games.

    With few games the results of one seat may be all alike by luck, and say nothing of their variance: `variances` are
    expected of each from its own game, where every seat's result is one of so many (`freedom`).
    """
    value, count = float(values.mean()), len(values)
    half = t_quantile(freedom) * (float(variances.mean()) / (count - 1)) ** 0.5 if count > 1 else math.inf
    moments = moments_of(values)
    tail = TAIL * moments.skewness(0) * (moments.variance(0)) ** 0.5 / count  # the longer one, see `score_end`
    return Estimate(value, value - half - max(0.0, tail), value + half - min(0.0, tail), count)


class Moments:
    """Sums, and sums of squares and cubes, of columns: any number of rows, added in chunks, in constant memory."""

    def __init__(self, columns: int) -> None:
        self.count = 0
        self.sums, self.squares, self.cubes = (np.zeros(columns) for _ in range(3))

    def add(self, rows: np.ndarray) -> None:
        """Add rows, float64 (rows, columns)."""
        self.count += len(rows)
        self.sums += rows.sum(axis=0)
        self.squares += np.einsum("ij,ij->j", rows, rows)
        self.cubes += np.einsum("ij,ij,ij->j", rows, rows, rows)

    def variance(self, column: int) -> float:
        """The sample variance of a column; 0 for fewer than two rows."""
        if self.count < 2:
            return 0.0
        spread = self.squares[column] - self.sums[column] ** 2 / self.count
        constant = spread <= ROUNDING * self.squares[column]
        return 0.0 if constant else float(spread) / (self.count - 1)

    def skewness(self, column: int) -> float:
        """The skewness of a column; 0 where all rows are alike."""
        total, square, cube, count = self.sums[column], self.squares[column], self.cubes[column], self.count
        variance = self.variance(column) * (count - 1)
        if not variance:
            return 0.0
        third = cube - 3 * total * square / count + 2 * total**3 / count**2
        return float(third * count**0.5 / variance**1.5) if abs(third) > ROUNDING * abs(cube) else 0.0

    def estimate(self, column: int) -> Estimate:
        """The mean of a column, with Student's interval corrected for skewness (Hall 1992); infinite for one row.

        A few rows say little of the skewness: it counts for less with them, and with five for nothing.
        """
        value, count = float(self.sums[column] / self.count) if self.count else math.nan, self.count
        if count < 2:
            return Estimate(value, -math.inf, math.inf, count)
        skewness, deviation = self.skewness(column) * max(0.0, 1 - 5 / count), self.variance(column) ** 0.5
        off = t_quantile(count - 1) / count**0.5
        low, high = (value - deviation * unskewed(sign, skewness, count) for sign in (off, -off))
        return Estimate(value, low, high, count)

    def share(self, column: int) -> Estimate:
        """The mean of a column of values from 0 to 1."""
        if not self.count:
            return share(0, 0)
        value, error = float(self.sums[column] / self.count), (self.variance(column) / self.count) ** 0.5
        return Estimate(value, *share_ends(value, error, self.count), self.count)


def moments_of(values: np.ndarray) -> Moments:
    """The moments of one column of values."""
    moments = Moments(1)
    moments.add(np.asarray(values, np.float64).reshape(-1, 1))
    return moments


def unskewed(off: float, skewness: float, count: int) -> float:
    """How many deviations a mean is off the truth, if it is `off` by so many once skewness is transformed away."""
    if abs(skewness) < 1e-6:
        return off
    return 3 / skewness * (math.cbrt(1 + skewness * (off - skewness / (6 * count))) - 1)


# --- paired differences ---
class PairedMoments(Moments):
    """Moments of paired differences, of which most may be 0; `ups`, `downs`: number, sum, sum of squares of each."""

    def __init__(self, columns: int) -> None:
        super().__init__(columns)
        self.ups, self.downs, self.most = np.zeros((3, columns)), np.zeros((3, columns)), np.zeros(columns)

    def add(self, rows: np.ndarray) -> None:
        """Add differences, float64 (pairs, columns)."""
        super().add(rows)
        self.ups += sums_of(np.maximum(rows, 0.0))
        self.downs += sums_of(np.maximum(-rows, 0.0))
        self.most = np.maximum(self.most, np.abs(rows).max(axis=0, initial=0.0))

    def difference(self, column: int, most: float | None = None, span: float = 0.0) -> Estimate:
        """The mean difference; `most`: the largest difference that one pair can have, if that is known.

        Else the largest that came, and more where few came; where none did, `span`: how far apart any two values are.

        Pairs go up, down or stay (Tango's score interval, 1998, for which all ups are alike, and all downs). The more
        pairs differ, and the more how much they differ by varies, the more `estimate` has to say.
        """
        estimate, often = self.estimate(column), float(self.ups[0, column] + self.downs[0, column])
        largest = (self.larger(column) if often else span) if most is None else most
        alike = most is None and often == self.count and not self.variance(column)
        if self.count < 2 or alike or not largest:
            return estimate
        ups, downs, ends = self.ups[1:, column], self.downs[1:, column], []
        for towards in (-1, 1):
            up, down = Same.of(ups, largest, towards > 0), Same.of(downs, largest, towards < 0)
            farthest = up.size if towards > 0 else -down.size
            ends.append(score_end(estimate.value, self.count, farthest, three_ways(up, down, self.count)))
        dense = self.varied(column)
        low, high = (dense * a + (1 - dense) * b for a, b in zip((estimate.low, estimate.high), ends, strict=True))
        return Estimate(estimate.value, low, high, self.count)

    def larger(self, column: int) -> float:
        """A difference that none may be above: beyond the largest, the more sizes vary and the fewer came."""
        often, total, square = (self.ups[:, column] + self.downs[:, column]).tolist()
        varied = max(0.0, often * square / total**2 - 1) ** 0.5 if often > 1 else 1.0
        return float(self.most[column] * (1 + WIDER * varied / often))

    def varied(self, column: int) -> float:
        """How much of the variance is in by how much pairs differ, not in whether and which way, and how many do."""
        if not self.variance(column):
            return 0.0
        (up, *_), (down, *_) = sides = self.ups[:, column].tolist(), self.downs[:, column].tolist()
        within = sum(square - total**2 / often for often, total, square in sides if often)
        squares = self.variance(column) * (self.count - 1)
        return float(min(1.0, max(0.0, within / squares)) * (up + down) / self.count)


def sums_of(sizes: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """How many of each column are more than 0, their sum, and their sum of squares."""
    return (sizes > 0).sum(axis=0), sizes.sum(axis=0), np.einsum("ij,ij->j", sizes, sizes)


class Same(NamedTuple):
    """Differences of one size: so many would have the sum and the sum of squares that others of one sign have."""

    size: float
    events: float

    @classmethod
    def of(cls, sums: np.ndarray, largest: float, further: bool) -> Same:
        """Those with this sum and sum of squares; their size is as if there were a `further` one, of the largest."""
        (total, square), extra = sums.tolist(), largest if further or not sums[0] else 0.0
        size = (square + extra**2) / (total + extra)
        return cls(size, total / size)


def three_ways(up: Same, down: Same, count: int) -> Spread:
    """The spread of differences up, down or none, of which so many came, at the likeliest chances for each mean."""
    a, b, trials = up.size, down.size, max(float(count), up.events + down.events)
    unchanged, factor = trials - up.events - down.events, 1 + down.size / up.size

    def spread(mean: float) -> tuple[float, float]:
        remainder = 1 - mean / a  # the likeliest chance of down, q, solves a quadratic equation
        linear = b * remainder * (up.events + down.events) - factor * mean * (down.events + unchanged)
        root = max(0.0, linear**2 + 4 * b * factor * trials * down.events * mean * remainder) ** 0.5
        q = max(0.0, -mean / b, (linear + root) / (2 * b * factor * trials))
        p = (mean + b * q) / a
        second = a * a * p + b * b * q
        return second - mean**2, a**3 * p - b**3 * q - 3 * mean * second + 2 * mean**3

    return spread


def mean_part(values: np.ndarray) -> Estimate:
    """The mean of independent values from 0 to 1, of which most may be 0."""
    moments = PairedMoments(1)
    moments.add(np.asarray(values, np.float64).reshape(-1, 1))
    return moments.difference(0, span=1.0).within(0, 1)


# --- ratios, and values of several in a group ---
def ratio(above: np.ndarray, below: np.ndarray) -> Estimate:
    """The ratio of two columns' sums, rows being independent: by how far it would be off without each (jackknife).

    Student's t is of as many rows as equal ones would say as much.
    """
    count, total = len(above), float(below.sum())
    value = float(above.sum() / total) if total else math.nan
    without = total - below
    if not (without > 0).all():
        return Estimate(value, -math.inf, math.inf, count)
    off, effective = mean((above - value * below) * (count - 1) / without), total**2 / float(below @ below)
    wider = t_quantile(max(1.0, effective - 1)) / t_quantile(count - 1)
    low, high = (value + wider * (end - off.value) for end in (off.low, off.high))
    return Estimate(value, low, high, count)


def clustered(groups: Iterable[Sequence[float]], fewest: int) -> Estimate:
    """The mean of all values of a cluster sample: groups are independent, values within one aren't.

    UNKNOWN for fewer groups with a value than `fewest`.
    """
    filled = [group for group in groups if group]
    if len(filled) < fewest:
        return UNKNOWN
    return ratio(np.array([sum(group) for group in filled]), np.array([float(len(group)) for group in filled]))


# --- medians and other quantiles ---
def median(values: np.ndarray) -> Estimate:
    """The median of independent values of any kind; its interval lies between two of them (the sign test's).

    Fewer than six values bound it on neither side.
    """
    ordered, count = np.sort(np.asarray(values, np.float64)), len(values)
    rank = place_of(0.5, count)
    low, high = (ordered[rank - 1], ordered[count - rank]) if rank else (float("-inf"), float("inf"))
    return Estimate(float(np.median(ordered)), float(low), float(high), count)


@functools.cache
def place_of(q: float, count: int) -> int:
    """How far to count in from the lowest of sorted values, to one that the q-quantile is below 2.5 times in 100.

    0: to none, since there are too few values.
    """
    below = (1 - CONFIDENCE) / 2
    return bisect_right(range(count), below, key=lambda k: beta_cdf(1 - q, count - k, k + 1))  # the binomial


def quantile_of(counts: Mapping[int, int], q: float) -> Estimate:
    """The q-quantile of independent values, of which each came so often; too few bound it on no side."""
    values, count = sorted(counts), sum(counts.values())
    reached = np.cumsum([counts[value] for value in values])
    ranks = np.array([max(1.0, q * count), place_of(q, count), count + 1 - place_of(1 - q, count)])
    bounds = np.array([-math.inf, *values, math.inf])[np.searchsorted(reached, ranks) + (ranks > 0)]
    value, low, high = bounds.tolist()
    return Estimate(value, low, high, count)


# --- bootstrap ---
def bootstrap(
    samples: Sequence[np.ndarray], fit: Callable[[list[np.ndarray]], np.ndarray], rng: np.random.Generator, times: int
) -> np.ndarray:
    """What is fitted to samples, `times` over: each time to as many rows of each, drawn with replacement."""
    return np.array(
        [fit([sample[rng.integers(0, len(sample), len(sample))] for sample in samples]) for _ in range(times)]
    )


# --- many tests at once ---
FEWEST = 3  # observations, with fewer of which nothing is tested


def p_beyond(estimate: Estimate, null: float) -> float:
    """The two-sided p-value of a value against `null`; 1 where nothing is known.

    By Student's t: in few games large deviations are more frequent.
    """
    if estimate.count < FEWEST or estimate.value == null:
        return 1.0
    error, freedom = estimate.standard_error(null), estimate.count - 1
    if not 0 < error < math.inf:
        return float(error > 0)
    t = abs(estimate.value - null) / error
    return beta_cdf(freedom / (freedom + t * t), freedom / 2, 0.5)


def p_below(estimate: Estimate, null: float) -> float:
    """The p-value of `p_beyond` against all values from `null` on: 1 unless the value is below."""
    return p_beyond(estimate, null) if estimate.value < null else 1.0


def holm(p_values: Sequence[float], weights: Sequence[float] | None = None) -> list[bool]:
    """Which tests are significant at 5 % for all together (Holm 1979): Bonferroni's correction, step by step.

    `weights`: how the 5 % are shared out among tests; alike if not given.
    """
    weight = [1.0] * len(p_values) if weights is None else weights
    order = sorted(range(len(p_values)), key=lambda k: p_values[k] / weight[k])
    significant, remaining = [False] * len(p_values), sum(weight)
    for k in order:
        if p_values[k] > (1 - CONFIDENCE) * weight[k] / remaining:
            break
        significant[k] = True
        remaining -= weight[k]
    return significant


# --- stored contests: means and standard errors ---
NORMAL = 1.96  # standard errors that a stored half-width has
BOUNDED = ("first", "last", "ahead")  # columns of a contest that can't leave 0 to 1


def margin(column: str, mean: float, half: float, deals: int) -> float:
    """Half the 95 % interval of a column's mean over `deals`; `half`: 1.96 standard errors, as contests are kept.

    Where all deals were alike, the opposite may still come in 3 of so many deals (the rule of three); where nothing was
    won or lost in any, a whole match, chip or point.
    """
    if deals < 2:
        return float("inf")
    if half:
        return half * t_quantile(deals - 1) / NORMAL
    return min(1.0, 3 / deals) * (1.0 if column in BOUNDED else 2 * abs(mean) or 1.0)


# --- the beta distribution ---
TINY, EPSILON, MOST = 1e-300, 1e-12, 10_000  # in place of 0; where something has converged; terms at most
STEPS = 200  # towards a quantile, at most


def beta_quantile(probability: float, a: float, b: float) -> float:
    """The value that a beta distribution with these parameters stays below with this probability."""
    low, high, at = 0.0, 1.0, a / (a + b)
    for _ in range(STEPS):
        off = beta_cdf(at, a, b) - probability
        low, high = (low, at) if off > 0 else (at, high)
        density = math.exp(log_kernel(at, a, b)) / (at * (1 - at))
        following = at - off / density if density > 0 else low
        if not low < following < high:  # Newton's step leads out of where the quantile is known to be
            following = (low + high) / 2
        if abs(following - at) <= EPSILON * at:
            break
        at = following
    return at


def log_kernel(x: float, a: float, b: float) -> float:
    """The logarithm of x^a (1-x)^b over the beta function of a and b."""
    return math.lgamma(a + b) - math.lgamma(a) - math.lgamma(b) + a * math.log(x) + b * math.log1p(-x)


def beta_cdf(x: float, a: float, b: float) -> float:
    """The probability that a beta distribution with these parameters stays below `x`, from 0 to 1."""
    if x <= 0 or x >= 1:
        return float(x >= 1)
    if x > (a + 1) / (a + b + 2):  # there the fraction of the mirrored distribution converges faster
        return 1 - beta_cdf(1 - x, b, a)
    return math.exp(log_kernel(x, a, b)) * fraction(x, a, b) / a


def fraction(x: float, a: float, b: float) -> float:
    """The continued fraction of the incomplete beta function."""
    c, d = 1.0, 1 / (1 - (a + b) * x / (a + 1) or TINY)
    value = d
    for m in range(1, MOST):
        even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m))
        odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))
        for term in (even, odd):
            d, c = 1 / (1 + term * d or TINY), 1 + term / c or TINY
            value *= c * d
        if abs(c * d - 1) < EPSILON:
            break
    return value
