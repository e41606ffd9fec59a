"""Contests on duplicate deals, and ratings."""

import itertools
from types import SimpleNamespace

import numpy as np
import pytest

import hexdeck
from hexdeck.research import rating
from hexdeck.stats import share_ends, t_quantile
from tests.compiled import warm
from tests.support import for_each


@for_each(
    ("returns", "seat", "row"),
    [
        ([1.0, -1.0], 0, (1.0, 1.0, 0.0, 1.0, 1.0)),
        ([0.5, 0.5, -1.0], 0, (0.5, 0.5, 0.0, 0.75, 0.5)),
        ([0.0, 0.0, 0.0], 2, (0.0, 0.0, 0.0, 0.5, 0.0)),
        ([3.0, 1.0, 1.0, 2.0], 1, (1.0, 0.0, 0.5, 1 / 6, -0.75)),
    ],
)
def test_places_are_shared_by_those_who_tie(returns: list[float], seat: int, row: tuple[float, ...]) -> None:
    assert rating.result_row(np.array(returns), seat) == pytest.approx(row)


def test_a_bot_among_its_like_is_average() -> None:
    warm("hawthorn", "fast")
    found = rating.contest(hexdeck.game("hawthorn", 3), "house", "house", 60)
    assert found.groups.shape == (60, len(rating.COLUMNS))
    for column, fair in (("utility", 0), ("first", 1 / 3), ("last", 1 / 3), ("ahead", 1 / 2)):
        mean, margin = found.mean(column)
        assert abs(mean - fair) <= 3 * margin + 1e-9, column


def test_a_contest_can_be_played_again() -> None:
    warm("hawthorn", "fast")
    game = hexdeck.game("hawthorn", 2)
    first, again = (rating.contest(game, "random", "house", 10, seed=3) for _ in range(2))
    assert np.array_equal(first.groups, again.groups)


def test_a_contest_may_end_once_its_gain_is_clear() -> None:
    warm("hawthorn", "fast")
    game = hexdeck.game("hawthorn", 2)
    assert len(rating.contest(game, "house", "random", 60, stop_when_clear=20).groups) < 60
    assert len(rating.contest(game, "house", "house", 60, stop_when_clear=20).groups) == 60


def test_a_gain_is_clear_six_standard_errors_from_nothing() -> None:
    rows = [np.array([0, 0, 0, 0, gain]) for gain in (0.0, 1.0) * 18]  # 0.5, with a standard error of .507 / 6
    assert not rating.is_clear(rows, 30)
    assert rating.is_clear([*rows, *rows[1::2]], 30)
    assert not rating.is_clear([*rows, *rows[1::2]], 60)
    assert not rating.is_clear(rows, None)


def test_intervals_of_few_deals_are_students() -> None:
    exact = {1: 12.7062, 2: 4.3027, 3: 3.1824, 4: 2.7764, 8: 2.3060, 27: 2.0518, 100: 1.9840, 10**6: 1.96}
    for freedom, quantile in exact.items():
        assert t_quantile(freedom) == pytest.approx(quantile, rel=4e-4), freedom
    found = made("a", "b", [0.0, 1.0, 1.0, 0.0, 1.0])
    mean, margin = found.mean("ahead")
    assert margin == pytest.approx(2.7764 * 0.3**0.5 / 5**0.5, rel=1e-3) and mean == 0.6
    assert found.summary()["ahead"] == [0.6, round(1.96 * 0.3**0.5 / 5**0.5, 4)]


def test_deals_that_were_all_alike_are_no_certainty() -> None:
    groups = np.zeros((5, len(rating.COLUMNS)))
    groups[:, rating.COLUMNS.index("first")], groups[:, rating.COLUMNS.index("gain")] = 1.0, 2.0
    found = rating.Contest("a", "b", groups)
    assert found.mean("first") == (1.0, 0.6) and found.mean("gain") == (2.0, pytest.approx(2.4))
    assert rating.Contest("a", "b", groups[:2]).mean("first") == (1.0, 1.0)
    assert found.mean("utility") == (0.0, 0.6)


def test_intervals_of_shares_stay_shares() -> None:
    rng, held, runs = np.random.default_rng(3), 0, 2000
    for _ in range(runs):
        deals = rng.binomial(6, 0.2, 8) / 6
        low, high = share_ends(deals.mean(), deals.std(ddof=1) / 8**0.5, 8)
        assert 0 <= low <= deals.mean() <= high <= 1
        held += low <= 0.2 <= high
    assert held / runs > 0.93
    two = np.zeros((2, len(rating.COLUMNS)))
    two[:, rating.COLUMNS.index("first")] = 0.17, 0.5
    assert (
        0 <= rating.Contest("a", "b", two).ends("first")[0] < 0.1
        and 0.9 < rating.Contest("a", "b", two).ends("first")[1] <= 1
    )
    assert share_ends(0.0, 0.0, 4) == (0.0, pytest.approx(0.4899, abs=1e-4)) and share_ends(0.5, 0.0, 1) == (0.0, 1.0)
    gain = rating.Contest("a", "b", two + 1).ends("gain")
    assert gain == (pytest.approx(gain[0]), pytest.approx(gain[1])) and gain[0] < 1 < gain[1]


def made(one: str, others: str, ahead: list[float]) -> rating.Contest:
    groups = np.zeros((len(ahead), len(rating.COLUMNS)))
    groups[:, rating.COLUMNS.index("ahead")] = ahead
    return rating.Contest(one, others, groups)


def test_ratings_tell_the_odds_to_come_in_ahead() -> None:
    contests = [made("a", "b", [10 / 11] * 2), made("b", "a", [1 / 11] * 2)]
    assert rating.bradley_terry(["a", "b"], contests) == pytest.approx([0, -400], abs=0.5)
    three = [*contests, made("b", "c", [10 / 11] * 2), made("c", "b", [1 / 11] * 2)]
    three += [made("a", "c", [100 / 101] * 2), made("c", "a", [1 / 101] * 2)]
    assert rating.bradley_terry(["a", "b", "c"], three) == pytest.approx([0, -400, -800], abs=3)


def test_margins_of_ratings_follow_from_how_deals_differ() -> None:
    differing, alike = (
        rating.concluded(["a", "b"], [made("b", "a", deals)], 1) for deals in ([0.0, 1.0] * 8, [0.5] * 16)
    )
    assert differing.ratings[1] == alike.ratings[1] == pytest.approx(0)
    assert 100 < differing.margins[1] < 250 and alike.margins[1] == pytest.approx(0)


def test_a_ladder_rates_better_bots_higher() -> None:
    warm("hawthorn", "fast")
    found = rating.ladder(hexdeck.game("hawthorn", 2), ["house", "gentle", "random"], 40)
    assert found.ratings[0] == 0 > found.ratings[2] + found.margins[2]
    played = [(each.one, each.others) for each in found.contests]
    assert played == [("gentle", "house"), ("random", "house"), ("random", "gentle")]


def test_a_short_ladder_leaves_out_those_far_below() -> None:
    pairs = rating.pairs_of(["a", "b", "c", "d"], ["b"])
    assert pairs == [("b", "a"), ("c", "b"), ("d", "b"), ("d", "c")]
    assert rating.pairs_of(["a", "b", "c"], ["c"]) == [("b", "a"), ("b", "c"), ("c", "b")]


def test_a_contest_ends_in_time_and_tells_the_time_of_a_choice(monkeypatch: pytest.MonkeyPatch) -> None:
    """By clocks that go on by a second, and by three milliseconds, each time that they are looked at."""
    clock, work = itertools.count(), itertools.count(0, 3_000_000)
    ticking = SimpleNamespace(monotonic=lambda: next(clock), process_time_ns=lambda: next(work))
    monkeypatch.setattr("hexdeck.research.rating.time", ticking)
    found = rating.contest(hexdeck.game("hawthorn", 2), "house", "random", 1000, seconds=4.0)
    assert len(found.groups) == 6 and found.ms == 3


@for_each("bots", [["house"], ["house", "house"], []])
def test_a_ladder_of_one_is_none(bots: list[str]) -> None:
    with pytest.raises(hexdeck.BadOption, match="two bots or more"):
        rating.ladder(hexdeck.game("hawthorn", 2), bots, 2)
