"""Sizes of tension: what they are of known chances, and that few worlds don't change them."""

from collections.abc import Callable

import numpy as np
import pytest

from hexdeck.lab.tension import MatchAnalysis, decisiveness, drama, lead_changes, squared_swing
from tests.settings import much

Rows = list[list[float]]
UP: Rows = [[0.5, 0.5], [0.4, 0.6], [0.7, 0.3], [0.9, 0.1]]  # seat 1 wins: it was behind once
OVER: Rows = [[0.9, 0.1, 0.0], [0.2, 0.7, 0.1], [0.1, 0.2, 0.7], [0.7, 0.2, 0.1]]


def known(rows: Rows, winner: int = 0, place: int = 0) -> MatchAnalysis:
    """A match whose chances are known without noise; `place` is the one that they are of."""
    chances, end = np.array(rows), np.eye(len(rows[0]))[winner]
    both = [chances, 1 - chances] if place == 0 else [1 - chances, chances]
    return MatchAnalysis(np.arange(len(rows)) / len(rows), np.array([both, both]), np.array([end, end]), ())


def estimated(rng: np.random.Generator, rows: Rows, worlds: int, winner: int = 0) -> MatchAnalysis:
    """The same, estimated in so many worlds, a half of them each time."""
    halves = [[rng.multinomial(worlds // 2, row) / (worlds // 2) for row in rows] for _half in range(2)]
    both = np.array([[half, half] for half in halves])
    end = np.eye(len(rows[0]))[winner]
    return MatchAnalysis(np.arange(len(rows)) / len(rows), both, np.array([end, end]), ())


def test_what_is_measured_of_known_chances() -> None:
    assert squared_swing(known(UP), 0) == pytest.approx((0.01 + 0.09 + 0.04) / 3)
    assert drama(known(UP), 0) == pytest.approx(0.2 / 4)  # behind by 0.2 at one of four moments
    assert lead_changes(known(UP), 0) == 1.5  # from a tie to seat 2, which is half a change, and back
    assert decisiveness(known(UP), 0) == 0.5  # 0.7 is more than the other ever had
    assert lead_changes(known(OVER), 0) == 3 and decisiveness(known(OVER), 0) == 0.0
    assert decisiveness(known(OVER, winner=1), 0) == 1.0
    for measure in (squared_swing, drama, lead_changes, decisiveness):
        assert measure(known(UP, place=1), 1) == measure(known(UP), 0)


def test_moments_and_winners_that_are_missing_are_no_error() -> None:
    none = MatchAnalysis(np.zeros(0), np.zeros((2, 2, 0, 3)), np.eye(2, 3), ())
    assert [measure(none, 0) for measure in (squared_swing, drama, lead_changes, decisiveness)] == [0, 0, 0, 1]
    nobody = MatchAnalysis(np.zeros(2), np.full((2, 2, 2, 3), 1 / 3), np.zeros((2, 3)), ())
    assert [measure(nobody, 0) for measure in (squared_swing, drama, lead_changes, decisiveness)] == [0, 0, 0, 1]
    shared = MatchAnalysis(np.zeros(2), np.full((2, 2, 2, 3), 1 / 3), np.ones((2, 3)), ())
    assert decisiveness(shared, 0) == 1


@pytest.mark.parametrize("players", [2, 4, 6])
@pytest.mark.parametrize("measure", [squared_swing, drama, lead_changes])
def test_games_without_tension_have_none_in_the_mean(
    players: int, measure: Callable[[MatchAnalysis, int], float]
) -> None:
    rng, rows = np.random.default_rng(players), [[1 / players] * players] * 12
    found = np.array([measure(estimated(rng, rows, 32), 0) for _ in range(much(400, 2000))])
    assert abs(found.mean()) < 4 * found.std(ddof=1) / len(found) ** 0.5
    noisy = np.array([squared_swing(once(estimated(rng, rows, 32)), 0) for _ in range(100)])
    assert noisy.mean() > 0.005  # which is what one estimate alone would call a swing


def once(analysis: MatchAnalysis) -> MatchAnalysis:
    """An analysis that measures in the worlds that it selects in."""
    return MatchAnalysis(analysis.when, np.array([analysis.halves[0]] * 2), analysis.end, ())


@pytest.mark.parametrize(
    ("measure", "rows", "close"),
    [
        (squared_swing, UP[1:], 0.01),
        (squared_swing, OVER, 0.01),
        (drama, UP[1:], 0.03),
        (drama, OVER, 0.03),
        (lead_changes, OVER, 0.2),
        (decisiveness, UP[1:], 0.1),
        (decisiveness, OVER, 0.1),
    ],
)
def test_few_worlds_find_what_many_do(measure: Callable[[MatchAnalysis, int], float], rows: Rows, close: float) -> None:
    rng, truth = np.random.default_rng(1), measure(known(rows), 0)
    for worlds in (32, 64, 512):
        found = np.mean([measure(estimated(rng, rows, worlds), 0) for _ in range(much(300, 3000))])
        assert found == pytest.approx(truth, abs=close), worlds
