"""Many questions at once: which of several tests are significant, so that one report in twenty has a false finding."""

from __future__ import annotations

from collections.abc import Sequence
from math import erfc, inf, sqrt

from hexdeck.lab.counting.stats import CONFIDENCE, Estimate

FEWEST = 3  # observations, with fewer of which nothing is tested


def p_beyond(estimate: Estimate, null: float) -> float:
    """The two-sided p-value of a value against `null`; 1 where nothing is known.

    Student's t, by a normal deviate (Abramowitz and Stegun 26.7.8): in few games large deviations are more frequent.
    """
    if estimate.count < FEWEST or estimate.value == null:
        return 1.0
    error, freedom = estimate.standard_error(null), estimate.count - 1
    if not 0 < error < inf:
        return float(error > 0)
    t = abs(estimate.value - null) / error
    return erfc(t * (1 - 1 / (4 * freedom)) / sqrt(1 + t * t / (2 * freedom)) / sqrt(2))


def p_below(estimate: Estimate, null: float) -> float:
    """The same against values from `null` on: 1 unless the value is below."""
    return p_beyond(estimate, null) if estimate.value < null else 1.0


def holm(p_values: Sequence[float]) -> list[bool]:
    """Which tests are significant at 5 % for all together (Holm 1979): Bonferroni's correction, step by step."""
    order = sorted(range(len(p_values)), key=p_values.__getitem__)
    found = [False] * len(p_values)
    for rank, k in enumerate(order):
        if p_values[k] > (1 - CONFIDENCE) / (len(order) - rank):
            break
        found[k] = True
    return found
