"""95 % intervals hold the truth in 93.5 to 97.5 of 100 data sets: every estimator, with few and many observations."""

from collections.abc import Callable, Iterable, Iterator

import numpy as np
import pytest

from hexdeck.stats import Estimate, Moments, PairedMoments, mean_of_few, median, ratio, share
from tests.support import for_each

SIZES = (20, 30, 59, 90, 99, 150, 1000)
LEAST, MOST = 0.935, 0.975
RUNS, RNG, NEAR = 2000, 5, 1e-9
Draw = Callable[[np.random.Generator, tuple[int, int]], np.ndarray]  # data sets are columns
Found = tuple[np.ndarray, np.ndarray]  # the ends of intervals, of each data set
Ends = Callable[[np.random.Generator, tuple[int, int]], Found]


def drawn(values: dict[float, float]) -> tuple[Draw, float]:
    """Values with these probabilities, and their mean."""
    of, p = np.array(list(values)), np.array(list(values.values()))
    steps = np.cumsum(p)[:-1]
    return lambda rng, size: of[np.searchsorted(steps, rng.random(size), side="right")], float(of @ p)


DIE = drawn(dict.fromkeys(range(1, 7), 1 / 6))
TWO_DICE = drawn({float(k): (6 - abs(k)) / 36 for k in range(-5, 6)})
WON, HALF = drawn({-1.0: 0.5, 1.0: 0.5}), drawn({-1.0: 0.25, 0.0: 0.5, 1.0: 0.25})
RARE, SKEW = drawn({-1.0: 0.02, 0.0: 0.96, 1.0: 0.02}), drawn({-1.0: 0.05, 0.0: 0.85, 1.0: 0.1})
POT = drawn({-1.0: 0.75, 3.0: 0.25})
NORMAL = (lambda rng, size: rng.normal(0.3, 2, size)), 0.3
CHIPS = (lambda rng, size: rng.exponential(20, size)), 20.0
LOSSES = (lambda rng, size: 10 - rng.gamma(2, 10, size)), -10.0
SHARES = {f"{p}": drawn({0.0: 1 - p, 1.0: p}) for p in (0.5, 0.25, 0.1, 0.05, 0.02)}
TIES = {
    "of two": drawn({0.0: 0.4, 0.5: 0.2, 1.0: 0.4}),
    "of four": drawn({0.0: 0.7, 0.5: 0.1, 1.0: 0.2}),
    "seldom": drawn({0.0: 0.9, 0.5: 0.05, 1.0: 0.05}),
    "halves": drawn({0.0: 0.8, 0.5: 0.2}),
    "parts": ((lambda rng, size: rng.beta(2, 3, size)), 0.4),
    "often": drawn({0.0: 0.1, 0.5: 0.1, 1.0: 0.8}),
}
MIDDLES = {
    "normal": NORMAL,
    "chips": ((lambda rng, size: rng.exponential(20, size)), 20 * float(np.log(2))),
    "even": ((lambda rng, size: rng.random(size)), 0.5),
    "heavy": ((lambda rng, size: rng.standard_t(2, size)), 0.0),
    "lots": ((lambda rng, size: rng.lognormal(1, 1, size)), float(np.e)),
}
DIFFERENCES = {
    "won": WON,
    "half": HALF,
    "rare": RARE,
    "skew": SKEW,
    "dice": TWO_DICE,
    "normal": NORMAL,
    "pot": POT,
    "losses": LOSSES,
}


MEANS = {"won": WON, "half": HALF, "die": DIE, "normal": NORMAL, "pot": POT, "chips": CHIPS, "losses": LOSSES}
BOUNDS = {"won": 1.0, "half": 1.0, "rare": 1.0, "skew": 1.0, "dice": 5.0, "pot": 3.0}  # on a difference


def ends_of(moments: Moments, rows: np.ndarray, estimate: Callable[[int], Estimate]) -> Found:
    """The ends of the estimates of all columns, each estimated once where several are alike."""
    moments.add(rows)
    alike = np.stack([moments.sums, moments.squares, moments.cubes])
    _, first, where = np.unique(alike, axis=1, return_index=True, return_inverse=True)
    found = np.array([(one.low, one.high) for one in map(estimate, first.tolist())])[where.ravel()]
    return found[:, 0], found[:, 1]


def means(rows: np.ndarray) -> Found:
    moments = Moments(rows.shape[1])
    return ends_of(moments, rows, moments.estimate)


def mean_shares(rows: np.ndarray) -> Found:
    moments = Moments(rows.shape[1])
    return ends_of(moments, rows, moments.share)


def counted(rows: np.ndarray) -> Found:
    moments = Moments(rows.shape[1])
    return ends_of(moments, rows, lambda k: share(int(moments.sums[k]), len(rows)))


def differences(rows: np.ndarray, most: float | None = None) -> Found:
    moments = PairedMoments(rows.shape[1])
    return ends_of(moments, rows, lambda k: moments.difference(k, most))


def one_by_one(estimates: Iterable[Estimate]) -> Found:
    """The ends of estimates."""
    found = np.array([(one.low, one.high) for one in estimates])
    return found[:, 0], found[:, 1]


def medians(rows: np.ndarray) -> Found:
    return one_by_one(map(median, rows.T))


# --- estimates from more than one column: everything of a data set in one array ---------------------------------------
def seats(kind: str, rng: np.random.Generator, games: int) -> np.ndarray:
    """Results of all seats, which add up to nothing."""
    if kind in {"pot of 4", "pot of 3", "two"}:
        count = {"pot of 4": 4, "pot of 3": 3, "two": 2}[kind]
        return np.where(np.arange(count) == rng.integers(0, count, (games, 1)), count - 1.0, -1.0)
    of = {
        "points": rng.normal(0, 3, (games, 4)),
        "dice": rng.integers(1, 7, (games, 3)) * 1.0,
        "chips": rng.exponential(3, (games, 3)),
    }[kind]
    return of - of.mean(axis=1, keepdims=True)


def few(kind: str, rng: np.random.Generator, games: int) -> Estimate:
    """The mean result of the first seat, by how far apart all seats end; the truth is 0."""
    won = seats(kind, rng, games)
    return mean_of_few(won[:, 0], won.var(axis=1), games * (won.shape[1] - 1))


def of_pairs(kind: str, rng: np.random.Generator, games: int) -> Estimate:
    """A ratio of which the truth is 2."""
    below = {
        "alike": np.full(games, 3.0),
        "seldom": rng.integers(0, 4, games) * 1.0,
        "hits": rng.integers(1, 7, games) * 1.0,
    }.get(kind, 1.0 + rng.poisson(3, games))
    above = {
        "alike": lambda: below * rng.normal(2, 3, games),
        "seldom": lambda: below * rng.normal(2, 1, games) + rng.normal(0, 0.5, games) * below**0.5,
        "hits": lambda: 4 * rng.binomial(below.astype(int), 0.5),
        "moves": lambda: 2 * below + rng.normal(0, 2, games),
        "chips": lambda: rng.gamma(below, 2),
    }[kind]()
    return ratio(above, below)


def in_groups(kind: str, rng: np.random.Generator, games: int) -> Estimate:
    """The mean of values of which several in a game are alike; the truth is 2."""
    often = {"few": 1 + rng.poisson(1, games), "many": rng.integers(10, 30, games)}.get(kind, 1 + rng.poisson(4, games))
    level = {"spread": rng.normal(2, 2, games), "skewed": rng.gamma(4, 0.5, games), "dice": rng.integers(0, 5, games)}
    of, noise = level.get(kind, rng.normal(2, 1, games)), rng.normal(0, 1, int(often.sum()))
    values = np.repeat(of, often) + noise
    return ratio(np.add.reduceat(values, np.cumsum(often) - often), often * 1.0)


# --- the grid ---------------------------------------------------------------------------------------------------------
def cases() -> Iterator[tuple[str, str, Ends, float]]:
    """Every estimator with every shape of data: names, the ends of intervals of so many data sets, and the truth."""
    by_column = {
        "mean": (means, MEANS),
        "share": (counted, SHARES),
        "mean share": (mean_shares, TIES),
        "difference": (differences, DIFFERENCES),
        "median": (medians, MIDDLES),
    }
    for name, (found, shapes) in by_column.items():
        for shape, (draw, truth) in shapes.items():
            yield name, shape, lambda rng, size, f=found, d=draw: f(d(rng, size)), truth  # type: ignore[misc]
    for shape, most in BOUNDS.items():
        draw, truth = DIFFERENCES[shape]
        yield "bounded", shape, lambda rng, size, d=draw, m=most: differences(d(rng, size), m), truth  # type: ignore[misc]
    drawing = {
        "few": (few, ("two", "pot of 3", "pot of 4", "points", "dice", "chips"), 0.0),
        "ratio": (of_pairs, ("alike", "seldom", "hits", "moves", "chips"), 2.0),
        "clustered": (in_groups, ("few", "some", "many", "spread", "skewed", "dice"), 2.0),
    }
    for name, (one, kinds, truth) in drawing.items():
        for kind in kinds:
            yield name, kind, lambda rng, size, o=one, k=kind: drawn_by(o, k, rng, size), truth  # type: ignore[misc]


def drawn_by(one: Callable[..., Estimate], kind: str, rng: np.random.Generator, size: tuple[int, int]) -> Found:
    """The ends of estimates of so many data sets of one kind."""
    return one_by_one(one(kind, rng, size[0]) for _ in range(size[1]))


# Where intervals hold the truth too often, since what is found takes few values. So few rare events come that with one
# less among those that go with the truth it is held less than 93.5 times in 100, here or with as rare events in more
# games. "pot", and 5 ups of 20 in "skew": one more goes with the truth by a hair.
TOO_OFTEN = {
    ("mean", "pot"): (20, 30),
    ("share", "0.05"): (20, 30),
    ("share", "0.02"): (20, 30, 99),
    ("mean share", "seldom"): (30,),
    ("difference", "rare"): (20, 30, 59),
    ("bounded", "rare"): (20, 30, 59),
    ("bounded", "skew"): (20,),
}


def coverage(ends: Ends, truth: float, count: int, runs: int) -> float:
    """How often the interval from so many observations holds the truth."""
    low, high = ends(np.random.default_rng(RNG), (count, runs))
    return float(((low <= truth + NEAR) & (truth - NEAR <= high)).mean())


@pytest.mark.long
@for_each(("name", "shape", "ends", "truth"), list(cases()))
def test_intervals_hold_the_truth_as_often_as_they_say(name: str, shape: str, ends: Ends, truth: float) -> None:
    for count in SIZES:
        held = coverage(ends, truth, count, RUNS)
        if not LEAST <= held <= MOST:  # by chance, or not
            held = coverage(ends, truth, count, 10 * RUNS)
        assert held >= LEAST, (count, held)
        assert held <= MOST or count in TOO_OFTEN.get((name, shape), ()), (count, held)


@for_each("most", [None, 1.0])
def test_pairs_that_all_differ_hold_the_truth_too(most: float | None) -> None:
    """Ups and downs aren't independent: taken so, 59, 90 and 99 games won or lost held it 88, 83 and 84 times."""
    for count in (59, 90, 99):
        rows = WON[0](np.random.default_rng(RNG), (count, RUNS))
        low, high = differences(rows, most)
        assert LEAST <= float(((low <= 0) & (high >= 0)).mean()) <= MOST, count


def test_the_mean_of_skewed_values_is_held() -> None:
    """Student's t without a correction holds it 92 times in 100."""
    assert coverage(lambda rng, size: means(CHIPS[0](rng, size)), CHIPS[1], 20, 4 * RUNS) >= LEAST


@for_each("chance", [0.0015, 0.01])
def test_rare_hits_are_held(chance: float) -> None:
    """Wilson's interval, as it is in books, holds them 86 and 92 times in 100."""
    draw, truth = drawn({0.0: 1 - chance, 1.0: chance})
    assert coverage(lambda rng, size: counted(draw(rng, size)), truth, 99, RUNS) >= LEAST


def test_ratios_are_held_where_many_rows_have_nothing() -> None:
    """The delta method holds them 92.8 times in 100."""
    assert coverage(lambda rng, size: drawn_by(of_pairs, "seldom", rng, size), 2.0, 30, RUNS) >= LEAST
