"""Threads of a batch: helpers that are of no use are left alone for a while, and asked again afterwards."""

import faulthandler
from collections.abc import Iterator
from threading import Thread
from typing import Any
from unittest.mock import Mock

import numpy as np
import pytest

import hexdeck
from hexdeck.engine.backends import kernels_batch as kernels
from hexdeck.simulation.batch import Batch
from hexdeck.simulation.environments import RESTED, WATCHED, Team
from tests.support import until

GAME = hexdeck.game("cursed-hand", 3, hand_cards=3)
ENVS = 64


def batch(threads: int) -> Batch:
    return GAME.batch(ENVS, threads=threads, seed=1, backend="fast")


def team_of(batch: Batch) -> Team:
    assert isinstance(batch._workers, Team)
    return batch._workers


@pytest.fixture
def team() -> Iterator[Team]:
    """A team of two for a batch, whose helper never sees a task: the test says what it did."""
    with batch(2) as made:
        found = team_of(made)
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
        with batch(threads) as made:
            seen = 0
            for _ in range(2 * WATCHED + RESTED):
                arrays = made.step(made.random())
                seen = hash((seen, *(np.asarray(each).tobytes() for each in vars(arrays).values())))
            found.append(seen)
    assert found[0] == found[1] == found[2]


# --- errors -----------------------------------------------------------------------------------------------------------
@pytest.fixture
def planted(monkeypatch: pytest.MonkeyPatch) -> list[Exception]:
    """What helpers raise next when they look for work."""
    errors, driver = list[Exception](), GAME.driver("fast")
    help_out: Any = kernels.help_out
    honest = driver.kernel(help_out)

    def helped(*given: Any) -> Any:
        if errors:
            raise errors.pop()
        return honest(*given)

    monkeypatch.setitem(driver._kernels, help_out, helped)
    return errors


@pytest.mark.parametrize("threads", [1, 2, 3])
def test_an_error_in_any_thread_reaches_the_caller_who_goes_on_alone(threads, planted, monkeypatch) -> None:
    error = IndexError("planted")
    with batch(threads) as made, batch(1) as other:
        team = team_of(made)
        compiled, team._ask = team._ask, kernels.ask if threads > 1 else Mock(side_effect=error)
        with monkeypatch.context() as patch:
            patch.setattr(kernels, "do", lambda *_: until(lambda: team._helpers.errors))  # leaves helpers their parts
            until(lambda: all(team._helpers.asleep))
            planted[:] = [error]
            with pytest.raises(IndexError, match="planted"):
                made.random()
        assert not any(thread.is_alive() for thread in team._helpers._threads)
        team._ask = compiled
        for each in (made, other):
            each.reset(number=5)
            for _ in range(3):
                each.step(each.arrays.lists[:, 0])
        for ours, theirs in zip(vars(made.arrays).values(), vars(other.arrays).values(), strict=True):
            assert np.array_equal(ours, theirs)


def test_a_step_in_which_a_helper_fails_goes_no_further(team: Team, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is played where checking wasn't finished."""
    asked: list[int] = []
    monkeypatch.setattr(kernels, "ask", lambda *given: asked.append(given[-1]))
    team.board[kernels.FAULT] = 1
    assert kernels.ask_step(*team._given, 2, team._count) == -1
    assert asked == [kernels.CHECK]


def test_compiled_code_gives_way_to_other_threads() -> None:
    """It waits there for a part that another thread does, which is one of Python here."""
    with batch(2) as made:
        team = team_of(made)
        team._helpers.end(), team._helpers.wait()
        team.board[[kernels.END, kernels.NEXT + kernels.LINE + kernels.LAST]] -= 1  # the last part is for nobody
        faulthandler.dump_traceback_later(300, exit=True)
        asked = Thread(target=made.random)
        asked.start()
        until(lambda: team.board[kernels.DONE] == team.parts - 1)
        team.board[kernels.DONE] += 1
        asked.join()
        faulthandler.cancel_dump_traceback_later()
