"""Faults planted in the application are found by evenings, each by an evening that is known to meet it."""

import pytest

from tests.evenings.evening import live
from tests.evenings.planted import FAULTS

MEETS = {
    "acknowledged before it is stored": 1,
    "without a lock": 3,
    "any version is current": 102,
    "holders remembered for ever": 307,
    "orphans left alone": 441,
    "refused and silent": 313,
}  # seeds


def test_each_fault_has_an_evening() -> None:
    assert list(MEETS) == list(FAULTS)


@pytest.mark.parametrize("name", FAULTS)
def test_a_planted_fault_is_found(name: str) -> None:
    plant, says = FAULTS[name]
    with plant():
        found = live(MEETS[name])
    assert any(says in each for each in found.failures), str(found)
