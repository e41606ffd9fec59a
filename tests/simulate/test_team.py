"""Threads of a batch: helpers that are of no use are left alone for a while, and asked again afterwards."""

from collections.abc import Iterator

import numpy as np
import pytest

import hexdeck
from hexdeck.simulation import team_kernels as kernels
from hexdeck.simulation.team import RESTED, WATCHED, Team

GAME = hexdeck.game("cursed-hand", 3, hand_cards=3)
ENVS = 64


@pytest.fixture
def team() -> Iterator[Team]:
    """A team of two for a batch, whose helper never sees a task: the test says what it did."""
    with GAME.batch(ENVS, threads=2, seed=1) as batch:
        found = batch._workers
        assert isinstance(found, Team)
        found._helpers.wake = lambda: None  # type: ignore[method-assign]
        found._asked = found._helped = found.board[kernels.HELPED] = 0
        yield found


def hands(team: Team, tasks: int, helped: int) -> list[int]:
    """How many threads did each of so many tasks, if the helper did so many parts of each that it was asked for."""
    found = []
    for _ in range(tasks):
        found.append(team._hands())
        team.board[kernels.HELPED] += helped * (found[-1] - 1)
    return found


def test_helpers_of_no_use_rest_and_are_then_asked_again(team: Team) -> None:
    assert hands(team, WATCHED, 0) == [2] * WATCHED
    assert hands(team, RESTED, 0) == [1] * RESTED
    assert hands(team, WATCHED, 0) == [2] * WATCHED


def test_helpers_that_do_their_share_never_rest(team: Team) -> None:
    assert set(hands(team, 4 * WATCHED, team.parts // 2)) == {2}


def test_a_step_is_the_same_with_helpers_and_without() -> None:
    """Through rests and back: more steps than are watched, rested and watched again."""
    found = []
    for threads in (1, 2, 3):
        with GAME.batch(ENVS, threads=threads, seed=1) as batch:
            seen = 0
            for _ in range(2 * WATCHED + RESTED):
                arrays = batch.step(batch.random())
                seen = hash((seen, *(np.asarray(each).tobytes() for each in vars(arrays).values())))
            found.append(seen)
    assert found[0] == found[1] == found[2]
