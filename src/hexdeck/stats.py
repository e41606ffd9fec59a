"""Estimates with 95 % confidence intervals, and which of several differences are significant.

Means, shares, ratios, medians and paired differences of independent observations; nothing here knows what a game is.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from statistics import NormalDist

import numpy as np

CONFIDENCE = 0.95
POWER = 0.8  # statistical power: how often an effect of the size looked for is found
FEW_GAMES = 30  # fewer say too little of the variance of their results
FEW_HITS = 10  # with fewer hits, or misses, a share's interval needs a correction
FEW = 100  # nonzero differences, below which Student's t can't be trusted
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
        side = self.value - self.low if self.value > null else self.high - self.value
        return side / NormalDist().inv_cdf((1 + CONFIDENCE) / 2)

    def significant(self, null: float = 0.0, tests: int = 1) -> bool:
        """Whether the value differs significantly from `null`: at 5 % for all `tests` together (Bonferroni)."""
        return abs(self.value - null) > self.standard_error(null) * critical_value(tests)

    def clipped(self, most: float) -> Estimate:
        """The estimate of a value that is known to be from -most to most."""
        return Estimate(self.value, max(self.low, -most), min(self.high, most), self.count)

    def simultaneous(self, tests: int) -> Estimate:
        """The estimate with a simultaneous confidence interval: 95 % for all `tests` together (Bonferroni)."""
        wider = critical_value(tests) / NormalDist().inv_cdf((1 + CONFIDENCE) / 2)
        low, high = self.value - wider * (self.value - self.low), self.value + wider * (self.high - self.value)
        return Estimate(self.value, low, high, self.count)

    def scaled(self, factor: float) -> Estimate:
        """The estimate in another unit."""
        low, high = sorted((self.low * factor, self.high * factor))
        return Estimate(self.value * factor, low, high, self.count)


def share(hits: float, count: int) -> Estimate:
    """The share of `count` observations that are hits, with Wilson's interval: it holds for few hits and none too.

    With the correction for continuity for few observations, hits or misses: else it is too narrow (Newcombe 1998).
    """
    if not count:
        return Estimate(float("nan"), 0.0, 1.0, 0)
    p, z = hits / count, NormalDist().inv_cdf((1 + CONFIDENCE) / 2)
    few = count < FEW_GAMES or min(hits, count - hits) < FEW_HITS
    low, high = (wilson_end(p, count, z, side, corrected=few) for side in (-1, 1))
    return Estimate(p, max(0.0, low) if hits else 0.0, min(1.0, high) if hits < count else 1.0, count)


def wilson_end(p: float, count: int, z: float, side: int, *, corrected: bool) -> float:
    """The lower (`side` -1) or upper (1) end of Wilson's interval for a share p of so many observations."""
    step = side / (2 * count) if corrected else 0.0
    shifted = p + step
    middle = shifted + z * z / (2 * count)
    spread = max(0.0, shifted * (1 - shifted) / count + z * z / (4 * count * count))
    return float(middle + side * z * spread**0.5) / (1 + z * z / count)


def quantile(probability: float) -> float:
    """A quantile of the standard normal distribution."""
    return NormalDist().inv_cdf(probability)


def critical_value(tests: int) -> float:
    """How many standard errors make a difference significant, two-sided at 5 % for all `tests` (Bonferroni)."""
    return quantile(1 - (1 - CONFIDENCE) / (2 * tests))


def sample_size(fair: float, effect: float, tests: int) -> int:
    """How many games it takes to find that a share is off `fair` by `effect`, with a power of 80 % in `tests` tests."""
    return round((detectable_errors(tests) / effect) ** 2 * fair * (1 - fair))


def detectable_effect(fair: float, games: int, tests: int) -> float:
    """The smallest distance of a share from `fair` that so many games find, with a power of 80 % in `tests` tests."""
    return float(detectable_errors(tests) * (fair * (1 - fair) / games) ** 0.5)


def detectable_errors(tests: int) -> float:
    """The smallest effect found with a power of 80 % in `tests` tests, in standard errors."""
    return critical_value(tests) + quantile(POWER)


def mean(values: np.ndarray) -> Estimate:
    """The mean of independent values, with an interval by Student's t."""
    moments = Moments(1)
    moments.add(np.asarray(values, np.float64).reshape(-1, 1))
    return moments.estimate(0)


def mean_of_few(values: np.ndarray, variances: np.ndarray, freedom: int) -> Estimate:
    """The mean of independent results, with an interval by how far apart seats end in the same games.

    With few games the results of one seat may be all alike by luck, and say nothing of their variance: `variances` are
    expected of each from its own game, where every seat's result is one of so many (`freedom`).
    """
    value, count = float(values.mean()), len(values)
    half = t_quantile(freedom) * (float(variances.mean()) / (count - 1)) ** 0.5 if count > 1 else float("inf")
    return Estimate(value, value - half, value + half, count)


def mean_share(values: np.ndarray) -> Estimate:
    """The mean of independent values from 0 to 1."""
    moments = Moments(1)
    moments.add(np.asarray(values, np.float64).reshape(-1, 1))
    return moments.share(0)


def ratio(above: np.ndarray, below: np.ndarray) -> Estimate:
    """The ratio of two columns' sums, rows being independent (delta method)."""
    value = float(above.sum() / below.sum()) if below.sum() else float("nan")
    rest = mean((above - value * below) / below.mean()) if below.sum() else mean(above)
    return Estimate(value, value - rest.margin, value + rest.margin, len(above))


def median(values: np.ndarray) -> Estimate:
    """The median of independent values of any kind; its interval lies between two of them (the sign test's).

    Fewer than six values bound it on neither side.
    """
    ordered, count = np.sort(np.asarray(values, np.float64)), len(values)
    place = median_place(count)
    low, high = (ordered[place - 1], ordered[count - place]) if place else (float("-inf"), float("inf"))
    return Estimate(float(np.median(ordered)), float(low), float(high), count)


@functools.cache
def median_place(count: int) -> int:
    """How far to count in from both ends of sorted values, to two that hold the median between them 95 times in 100.

    0: no two do, since there are too few values.
    """
    ways, below, place = 1, 0, 0  # in which `count` coins show `place` heads, and fewer
    few = int(2**count * (1 - Fraction(CONFIDENCE)) / 2)
    while below + ways <= few:
        below, place = below + ways, place + 1
        ways = ways * (count - place + 1) // place
    return place


@functools.cache
def t_quantile(freedom: int) -> float:
    """The quantile of Student's t for a 95 % interval, with so many degrees of freedom; infinite without any."""
    if freedom < 1:
        return math.inf
    part = beta_quantile(CONFIDENCE, 0.5, freedom / 2)  # of t² / (t² + freedom)
    return math.sqrt(freedom * part / (1 - part))


class Moments:
    """Sums and sums of squares of columns: any number of rows, added in chunks, in constant memory."""

    def __init__(self, columns: int) -> None:
        self.count = 0
        self.sums, self.squares = np.zeros(columns), np.zeros(columns)

    def add(self, rows: np.ndarray) -> None:
        """Add rows, float64 (rows, columns)."""
        self.count += len(rows)
        self.sums += rows.sum(axis=0)
        self.squares += np.einsum("ij,ij->j", rows, rows)

    def variance(self, column: int) -> float:
        """The sample variance of a column; 0 for fewer than two rows."""
        if self.count < 2:
            return 0.0
        spread = self.squares[column] - self.sums[column] ** 2 / self.count
        constant = spread <= ROUNDING * self.squares[column]
        return 0.0 if constant else float(spread) / (self.count - 1)

    def estimate(self, column: int) -> Estimate:
        """The mean of a column, with an interval by Student's t; infinite for fewer than two rows."""
        value = float(self.sums[column] / self.count) if self.count else float("nan")
        if self.count < 2:
            return Estimate(value, float("-inf"), float("inf"), self.count)
        half = t_quantile(self.count - 1) * (self.variance(column) / self.count) ** 0.5
        return Estimate(value, value - half, value + half, self.count)

    def share(self, column: int) -> Estimate:
        """The mean of a column of values from 0 to 1: Student's interval, or Wilson's where few or nearly all are 1."""
        hits = float(self.sums[column])
        wilson, plain = share(min(max(hits, 0.0), self.count), self.count), self.estimate(column)
        return plain if 0 < plain.margin < wilson.margin and 10 < hits < self.count - 10 else wilson


class PairedMoments(Moments):
    """Moments of paired differences, of which most may be 0."""

    def __init__(self, columns: int) -> None:
        super().__init__(columns)
        self.ups, self.up_squares, self.most = (np.zeros(columns) for _ in range(3))

    def add(self, rows: np.ndarray) -> None:
        """Add differences, float64 (pairs, columns)."""
        super().add(rows)
        ups = np.maximum(rows, 0.0)
        self.ups += ups.sum(axis=0)
        self.up_squares += np.einsum("ij,ij->j", ups, ups)
        self.most = np.maximum(self.most, np.abs(rows).max(axis=0, initial=0.0))

    def difference(self, column: int, most: float | None = None) -> Estimate:
        """The mean difference; `most`: the largest difference that one pair can have, if that is known.

        The interval is Student's t where many pairs differ. Where few do, positive and negative differences are taken
        apart as weighted Poisson counts (Fay and Feuer 1997) and combined as Zou and Donner (2008) do.
        """
        found = self.estimate(column)
        sums = self.ups[column], self.ups[column] - self.sums[column]
        squares = self.up_squares[column], self.squares[column] - self.up_squares[column]
        if self.count < 2 or sum(effective_count(*each) for each in zip(sums, squares, strict=True)) >= FEW:
            return found
        weight = float(self.most[column]) if most is None else most
        (up, low_up, high_up), (down, low_down, high_down) = (
            rare_mean(float(each), float(square), weight, self.count)
            for each, square in zip(sums, squares, strict=True)
        )
        low, high = np.hypot(up - low_up, high_down - down), np.hypot(high_up - up, down - low_down)
        return Estimate(found.value, found.value - float(low), found.value + float(high), self.count)


def effective_count(total: float, square: float) -> float:
    """The effective number of events with this sum and sum of squares: equal events that are as informative."""
    return total**2 / square if square > 0 else 0.0


def rare_mean(total: float, square: float, most: float, count: int) -> tuple[float, float, float]:
    """The mean of values that are mostly 0, and the ends of its interval; each is from 0 to `most`."""
    tail, events = (1 - CONFIDENCE) / 2, effective_count(total, square)
    low = total / events * beta_quantile(tail, events, count - events + 1) if events else 0.0
    further, squared = total + most, square + most**2
    more = effective_count(further, squared)
    scale = further / more if more else 0.0
    high = scale * (beta_quantile(1 - tail, more, count - more + 1) if 0 < more <= count else 1.0)
    return total / count, float(low), float(high)


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
    """The same against values from `null` on: 1 unless the value is below."""
    return p_beyond(estimate, null) if estimate.value < null else 1.0


def holm(p_values: Sequence[float], weights: Sequence[float] | None = None) -> list[bool]:
    """Which tests are significant at 5 % for all together (Holm 1979): Bonferroni's correction, step by step.

    `weights`: how the 5 % are shared out among tests; alike if not given.
    """
    weight = [1.0] * len(p_values) if weights is None else weights
    order = sorted(range(len(p_values)), key=lambda k: p_values[k] / weight[k])
    found, left = [False] * len(p_values), sum(weight)
    for k in order:
        if p_values[k] > (1 - CONFIDENCE) * weight[k] / left:
            break
        found[k] = True
        left -= weight[k]
    return found


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


def share_ends(mean: float, half: float, deals: int) -> tuple[float, float]:
    """The ends of the 95 % interval of a share, from 0 to 1, of so many deals; `half` as in `margin`.

    Wilson's interval with Student's quantile, for as many independent hits and misses as vary as much as the deals do;
    where all deals were alike, the rule of three.
    """
    if deals < 2:
        return 0.0, 1.0
    error = half / NORMAL
    if not error:
        off = min(1.0, 3 / deals)
        return max(0.0, mean - off), min(1.0, mean + off)
    z, hits = t_quantile(deals - 1), max(mean * (1 - mean) / error**2, 1.0)
    middle = (mean + z * z / (2 * hits)) / (1 + z * z / hits)
    width = z / (1 + z * z / hits) * (mean * (1 - mean) / hits + z * z / (4 * hits * hits)) ** 0.5
    return max(0.0, middle - width), min(1.0, middle + width)


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
    found = d
    for m in range(1, MOST):
        even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m))
        odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))
        for term in (even, odd):
            d, c = 1 / (1 + term * d or TINY), 1 + term / c or TINY
            found *= c * d
        if abs(c * d - 1) < EPSILON:
            break
    return found
