"""Threads of a batch: helpers that are of no use are left alone for a while, and asked again afterwards."""

import time
from collections.abc import Callable, Iterator
from threading import Thread
from typing import Any

import numpy as np
import pytest

import hexdeck
from hexdeck.simulation import team_kernels as kernels
from hexdeck.simulation.batch import Batch
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


# --- errors -----------------------------------------------------------------------------------------------------------
def broken(threads: int) -> Batch:
    """A batch that checks indices, where choosing at random raises in the latter half: the part of the helpers."""
    batch = GAME.batch(ENVS, threads=threads, seed=1, backend="checked")
    batch.step(batch.random())
    batch.arrays.counts[ENVS // 2 :] = 1 << 30
    return batch


def raised(call: Callable[[], Any]) -> Exception | None:
    """What a call raises; it may take half a minute."""
    found: list[Exception | None] = []

    def attempt() -> None:
        try:
            call()
        except Exception as error:
            found.append(error)
        else:
            found.append(None)

    thread = Thread(target=attempt, daemon=True)
    thread.start()
    thread.join(300)  # the first time, what is checked has to be compiled
    assert found, "the call hangs"
    return found[0]


def until(found: Callable[[], bool]) -> None:
    """Wait for something; what helpers do may have to be compiled first."""
    for _ in range(30_000):
        if found():
            return
        time.sleep(0.01)


def test_an_error_in_a_helper_reaches_the_caller(monkeypatch: pytest.MonkeyPatch) -> None:
    with broken(2) as batch:
        team = batch._workers
        assert isinstance(team, Team)
        monkeypatch.setattr(kernels, "do", lambda *_: until(lambda: team._helpers.errors != []))  # leaves it its parts
        team._ask = kernels.ask
        error = raised(batch.random)
        assert isinstance(error, IndexError)
        assert team._helpers.errors == [error]


def test_a_step_in_which_a_helper_fails_goes_no_further(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is played where checking wasn't finished."""
    with GAME.batch(ENVS, threads=2, seed=1) as batch:
        team = batch._workers
        assert isinstance(team, Team)
        asked: list[int] = []
        monkeypatch.setattr(kernels, "ask", lambda *given: asked.append(given[-1]))
        team.board[kernels.FAULT] = 1
        assert kernels.ask_step(*team._given, 2, team._count) == -1
        assert asked == [kernels.CHECK]


@pytest.mark.parametrize("threads", [1, 2, 3])
def test_after_an_error_a_batch_goes_on_with_one_thread(threads: int) -> None:
    with broken(threads) as batch, GAME.batch(ENVS, seed=1, backend="checked") as other:
        assert isinstance(raised(batch.random), IndexError)
        assert isinstance(batch._workers, Team)
        assert not any(thread.is_alive() for thread in batch._workers._helpers._threads)
        for each in (batch, other):
            each.reset(number=5)
            for _ in range(3):
                each.step(each.arrays.lists[:, 0])
        for ours, theirs in zip(vars(batch.arrays).values(), vars(other.arrays).values(), strict=True):
            assert np.array_equal(ours, theirs)
