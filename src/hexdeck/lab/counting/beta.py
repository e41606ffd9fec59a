"""Quantiles of the beta distribution, which intervals of rare events need; without SciPy, so that a server needs none.

The distribution function is Lentz's continued fraction for the regularised incomplete beta function (Abramowitz and
Stegun 26.5.8); quantiles are found by Newton's steps, and by bisection where these lead astray.
"""

from __future__ import annotations

import math

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
