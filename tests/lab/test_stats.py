"""Intervals hold what they say as often as they say; what is told as sure is."""

import numpy as np
import pytest

from hexdeck.lab.stats import Estimate, Moments, bootstrapped, mean, ratio, share

RUNS = 600
RNG = 20260101


def held(hits: int) -> bool:
    """Whether so many of RUNS intervals that hold the truth fit a 95 % interval: within four standard errors."""
    return abs(hits / RUNS - 0.95) < 4 * (0.95 * 0.05 / RUNS) ** 0.5


def test_intervals_of_means_hold_the_truth_95_times_in_100() -> None:
    rng = np.random.default_rng(RNG)
    samples = rng.exponential(2.0, (RUNS, 200)) - rng.normal(0, 1, (RUNS, 200))
    found = [mean(sample) for sample in samples]
    assert held(sum(each.low <= 2 <= each.high for each in found))


def test_the_interval_of_a_small_sample_is_students() -> None:
    rng = np.random.default_rng(RNG)
    found = [mean(sample) for sample in rng.normal(1, 3, (RUNS, 4))]
    assert held(sum(each.low <= 1 <= each.high for each in found))


@pytest.mark.parametrize("chance", [0.02, 0.25, 0.5, 0.97])
def test_intervals_of_shares_hold_the_truth(chance: float) -> None:
    hits = np.random.default_rng(RNG).binomial(300, chance, RUNS)
    found = [share(int(each), 300) for each in hits]
    assert sum(each.low <= chance <= each.high for each in found) / RUNS > 0.92


def test_intervals_of_ratios_hold_the_truth() -> None:
    rng, hits = np.random.default_rng(RNG), 0
    for _ in range(RUNS):
        below = rng.integers(1, 20, 150).astype(float)
        above = rng.binomial(below.astype(int), 0.3).astype(float)
        found = ratio(above, below)
        hits += found.low <= 0.3 <= found.high
    assert held(hits)


def test_the_bootstrap_of_a_median_holds_the_truth() -> None:
    rng, runs = np.random.default_rng(RNG), 80
    found = [bootstrapped(rng.exponential(1.0, 80), np.median) for _ in range(runs)]
    assert sum(each.low <= np.log(2) <= each.high for each in found) / runs > 0.86


def test_wilson_as_in_the_book() -> None:
    found = share(0, 10)
    assert (found.value, found.low, found.high) == (0, 0, pytest.approx(0.2775, abs=1e-4))
    found = share(15, 50)
    assert (found.low, found.high) == (pytest.approx(0.191, abs=1e-3), pytest.approx(0.438, abs=1e-3))


def test_moments_taken_in_parts_are_those_of_the_whole() -> None:
    rows = np.random.default_rng(1).normal(3, 2, (500, 3))
    whole, parts = Moments(3), Moments(3)
    whole.add(rows)
    parts.add(rows[:200])
    parts.add(rows[200:])
    assert parts.count == 500 and parts.variance(1) == pytest.approx(rows[:, 1].var(ddof=1))
    assert parts.estimate(2).low == pytest.approx(whole.estimate(2).low)


def test_what_never_happened_has_an_interval_too() -> None:
    moments = Moments(1)
    moments.add(np.zeros((100, 1)))
    assert moments.share(0).high == pytest.approx(share(0, 100).high)


@pytest.mark.parametrize(("tests", "sure"), [(1, True), (100, False)])
def test_many_comparisons_need_surer_differences(tests: int, sure: bool) -> None:
    estimate = Estimate(2.4, 0.4, 4.4, 100)
    assert estimate.sure(0, tests) is sure
