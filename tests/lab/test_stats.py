"""Intervals hold what they say as often as they say; what is told as sure is."""

import itertools

import numpy as np
import pytest
import scipy

from hexdeck.lab.reporting import wording
from hexdeck.stats import Estimate, Moments, PairedMoments, beta_quantile, mean, median, share, t_quantile
from tests.settings import much
from tests.support import for_each

RUNS = 600
RNG = 20260101


OFTEN, UP, SIZES = (1, 3.2, 5, 8, 15, 60, 400), (1.0, 0.7, 0.5), ((1.0,), (1.0, 0.5))
IN_TURN = [(often, UP[k % 3], SIZES[k % 2]) for k, often in enumerate(OFTEN)]  # every pair of the others, too


@pytest.mark.parametrize(("often", "up", "sizes"), much(IN_TURN, list(itertools.product(OFTEN, UP, SIZES))))
def test_differences_of_few_pairs_hold_the_truth(often: float, up: float, sizes: tuple[float, ...]) -> None:
    rng, pairs, held, surely = np.random.default_rng(RNG), 20_000, 0, 0
    truth = often * (2 * up - 1) * float(np.mean(sizes)) / pairs
    for _ in range(RUNS):
        found = planted(rng, pairs, often, up, sizes).difference(0, 1.0)
        held += found.low <= truth <= found.high
        surely += found.significant(0.0)
    assert held / RUNS > 0.925
    assert up != 0.5 or surely / RUNS < 0.075


@pytest.mark.parametrize("often", [5, 15, 60])
def test_differences_without_bounds_hold_the_truth_too(often: float) -> None:
    rng, pairs, sizes, held = np.random.default_rng(RNG), 20_000, (1.0, 4.0, 10.0), 0
    for _ in range(RUNS):
        found = planted(rng, pairs, often, 0.5, sizes).difference(0)
        held += found.low <= 0 <= found.high
    assert held / RUNS > 0.93


def planted(rng: np.random.Generator, pairs: int, often: float, up: float, sizes: tuple[float, ...]) -> PairedMoments:
    """Differences of pairs of which so many differ in the mean, so large a part of them upwards, by one of the sizes.

    What is 0 is taken in once, by its number: rows of it are all alike.
    """
    found, differ = PairedMoments(1), rng.poisson(often)
    rows = rng.choice(sizes, differ) * np.where(rng.random(differ) < up, 1, -1)
    found.add(rows[:, None])
    found.count = pairs
    return found


def test_no_pair_that_differs_leaves_at_most_a_few_in_the_number_of_pairs() -> None:
    found = PairedMoments(2)
    found.add(np.tile([0.0, 12.0], (3000, 1)))
    never = found.difference(0, 1.0)
    assert (never.value, never.high) == (0, -never.low) and 3 / 3000 < never.high < 4 / 3000
    assert found.difference(0).margin == 0  # nothing is known of how much one could differ
    always = found.difference(1)
    assert (always.value, always.margin) == (12, 0) and always.significant(0.0, 1000)


def test_equal_numbers_have_no_variance() -> None:
    moments = Moments(1)
    for _ in range(50):
        moments.add(np.full((777, 1), 1 / 3))
    assert moments.variance(0) == 0 and moments.estimate(0).margin == 0


def test_an_interval_for_all_holds_for_the_one_that_stands_out() -> None:
    rng, held, plain = np.random.default_rng(RNG), 0, 0
    for sample in rng.normal(0, 1, (RUNS, 400, 5)):
        found = max((mean(column) for column in sample.T), key=lambda each: abs(each.value))
        held += found.simultaneous(5).low <= 0 <= found.simultaneous(5).high
        plain += found.low <= 0 <= found.high
    assert held / RUNS > 0.925 and plain / RUNS < 0.85


def test_the_interval_of_a_median_is_the_sign_tests() -> None:
    for count in (*range(1, 40), 999):
        found = median(np.arange(count))
        out = int(scipy.stats.binom.ppf(0.025, count, 0.5)) if count > 5 else 0  # the first place that isn't left out
        assert (found.low, found.high) == ((out - 1, count - out) if count > 5 else (-np.inf, np.inf)), count


def test_shares_are_wilsons_but_reach_farther_where_hits_are_rare() -> None:
    """As Wilson's in Newcombe (1998), at the end towards one half; the other lies between his and the exact one."""
    for hits, count, low, high in (
        (81, 263, 0.2553, 0.3662),
        (15, 50, 0.191, 0.4375),
        (0, 20, 0, 0.1611),
        (1, 29, 0.0061, 0.1718),
    ):
        found, other = share(hits, count), share(count - hits, count)
        exact = scipy.stats.beta.ppf(0.025, hits, count - hits + 1) if hits else 0.0
        assert found.high == pytest.approx(high, abs=1e-4) and exact <= found.low <= low
        assert (other.low, other.high) == (pytest.approx(1 - found.high), pytest.approx(1 - found.low))


def test_ends_of_intervals_of_shares_are_compatible_with_what_was_found() -> None:
    """Those nearer are, those farther aren't: Tango's interval for what goes up or stays is that of a share."""
    moments = PairedMoments(1)
    moments.add(np.repeat([1.0, -1.0], (40, 19))[:, None])
    won, found = share(40, 59), moments.difference(0, 1.0)
    assert (found.low, found.high) == (pytest.approx(2 * won.low - 1), pytest.approx(2 * won.high - 1))


def test_a_difference_of_which_all_is_in_by_how_much_is_students() -> None:
    """Ups of about 12 say nothing of ups of nothing: the interval isn't that of rare events."""
    moments = PairedMoments(1)
    moments.add(12 + np.random.default_rng(RNG).normal(0, 0.1, (100, 1)))
    assert (
        moments.difference(0).margin == pytest.approx(moments.estimate(0).margin) and moments.difference(0).low > 11.9
    )


def test_skewness_is_scipys() -> None:
    values = np.random.default_rng(RNG).exponential(2, 50)
    moments = Moments(1)
    for part in np.array_split(values[:, None], 3):
        moments.add(part)
    assert moments.skewness(0) == pytest.approx(scipy.stats.skew(values))
    assert (Moments(1).skewness(0), moments.variance(0)) == (0, pytest.approx(values.var(ddof=1)))


@for_each(("tests", "sure"), [(1, True), (100, False)])
def test_many_comparisons_need_surer_differences(tests: int, sure: bool) -> None:
    estimate = Estimate(2.4, 0.4, 4.4, 100)
    assert estimate.significant(0, tests) is sure


@for_each(
    ("hits", "said"),
    [
        (0, "0\u00a0%, at most 0.10\u00a0%"),
        (5, "0.12\u00a0% (0.05 to 0.29)"),
        (40, "1.00 ±0.32\u00a0%"),
        (2000, "50.0 ±1.5\u00a0%"),
        (3997, "99.92\u00a0% (99.78 to 99.98)"),
        (4000, "100\u00a0%, at least 99.90\u00a0%"),
    ],
)
def test_shares_are_said_with_both_ends_where_they_are_rare(hits: int, said: str) -> None:
    assert str(wording.percent(share(hits, 4000))) == said


def test_what_is_known_on_one_side_better_is_said_by_its_ends() -> None:
    assert str(wording.plain(Estimate(1.0, 0.5, 3.5, 100))) == "1.0 (0.5 to 3.5)"
    assert (
        str(wording.whole_numbers(Estimate(12, 9, 20, 100))) == "12 (9 to 20)"
        and wording.whole_numbers(Estimate(7, 7, 7, 1)) == "7"
    )
    assert str(wording.plain(Estimate(float("nan"), 0, 1, 0))) == "too few games"


def test_numbers_are_written_as_people_read_them() -> None:
    assert [str(wording.count(games)) for games in (999, 9999, 10_000, 1_234_567)] == [
        "999",
        "9,999",
        "10,000",
        "1,234,567",
    ]
    assert str(wording.number(-0.4, 2)) == "\u22120.40" and str(wording.number(-0.001, 2)) == "0.00"
    assert str(wording.plain(Estimate(23.94684, 23.94284, 23.95084, 9000))) == "23.95"
    assert str(wording.plain(Estimate(0.00421, 0.00291, 0.00551, 9000))) == "0.0042 ±0.0013"


def test_the_quantile_of_students_t_is_scipys() -> None:
    for freedom in (*range(1, 60), 100, 1_000, 10**6):
        assert t_quantile(freedom) == pytest.approx(scipy.stats.t.ppf(0.975, freedom), rel=1e-5), freedom


@for_each("probability", [1e-4, 0.025, 0.5, 0.975])
def test_the_quantile_of_the_beta_distribution_is_scipys(probability: float) -> None:
    for a, b in itertools.product((0.3, 1, 1.5, 20, 99.5), (1, 2.5, 30, 2000, 200_000)):
        assert beta_quantile(probability, a, b) == pytest.approx(scipy.stats.beta.ppf(probability, a, b), rel=1e-7)
