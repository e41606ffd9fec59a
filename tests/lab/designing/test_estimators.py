"""The intervals of every estimator hold the truth often enough, and aren't much wider than that takes."""

import pytest

from tests.lab.designing.estimators import RUNS, Estimator, all_estimators, coverage
from tests.settings import much

FEW_MATCHES = 1.9  # with four matches an interval must be wider than their spread: little is known of that


@pytest.mark.parametrize("one", list(all_estimators()), ids=lambda each: each.name.replace(" ", "-"))
def test_intervals_hold_the_truth(one: Estimator) -> None:
    held, width = coverage(one, much(150, RUNS))
    assert held >= much(0.88, 0.93), (held, width)
    assert width <= (FEW_MATCHES if " 4 " in one.name else 1.6), (held, width)
