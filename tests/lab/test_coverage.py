"""95 % intervals hold the truth in 93.5 to 97.5 of 100 data sets: every estimator, with few and many observations."""

from collections.abc import Callable

import numpy as np

from hexdeck.stats import (
    Estimate,
    Moments,
    PairedMoments,
    share,
)

SIZES = (20, 30, 59, 90, 99, 150, 1000)
LEAST, MOST = 0.935, 0.975
Draw = Callable[[np.random.Generator, tuple[int, int]], np.ndarray]  # data sets are columns
Found = tuple[np.ndarray, np.ndarray]  # the ends of intervals, of each data set


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
DIFFERENCES = {"won": WON, "half": HALF, "rare": RARE, "skew": SKEW, "dice": TWO_DICE, "normal": NORMAL, "pot": POT,
               "losses": LOSSES}  # fmt: skip


def of_columns(moments: Moments, estimate: Callable[[int], Estimate]) -> Found:
    """The estimates of all columns, each once where several are alike."""
    same = np.stack([moments.sums, moments.squares, moments.cubes])
    _, first, where = np.unique(same, axis=1, return_index=True, return_inverse=True)
    found = [estimate(int(k)) for k in first]
    return tuple(np.array(each)[where.ravel()] for each in zip(*((one.low, one.high) for one in found), strict=True))  # type: ignore[return-value]


def means(rows: np.ndarray) -> Found:
    moments = Moments(rows.shape[1])
    moments.add(rows)
    return of_columns(moments, moments.estimate)


def shares(rows: np.ndarray) -> Found:
    moments = Moments(rows.shape[1])
    moments.add(rows)
    return of_columns(moments, moments.share)


def counted(rows: np.ndarray) -> Found:
    moments = Moments(rows.shape[1])
    moments.add(rows)
    return of_columns(moments, lambda k: share(int(moments.sums[k]), len(rows)))


def differences(rows: np.ndarray, most: float | None = None) -> Found:
    moments = PairedMoments(rows.shape[1])
    moments.add(rows)
    return of_columns(moments, lambda k: moments.difference(k, most))
