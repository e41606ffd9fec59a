"""Batched stepping: every env plays the matches that `Match` plays, whatever the envs, the threads and the arrays."""

import copy
import pickle
import random
import tracemalloc
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import hexdeck
from hexdeck.engine.play.game import raw
from hexdeck.engine.play.match import Match
from hexdeck.engine.play.playouts import POLICIES
from hexdeck.simulation.batch import LAST, Batch
from hexdeck.simulation.environments import Arrays, ShardPool
from hexdeck.simulation.game import Game
from tests.compiled import all_backends, warm
from tests.positions import whole
from tests.settings import every_game, every_setting, much, small_game
from tests.support import for_each

ENVS = 3
MANY = 30_000  # environments, so that what the interpreter keeps for itself is little beside a few bytes for each


def everything(batch: Batch) -> dict[str, bytes]:
    return {name: array.tobytes() for name, array in vars(batch.arrays).items()}


def assert_shows(batch: Batch, env: int, match: Match, asked: int | None = None) -> None:
    """An environment shows what the seat that is asked in a match knows and may do, and stands where it stands."""
    arrays, seat = batch.arrays, match.actor if asked is None else asked
    assert whole(batch.position(env)) == whole(match)
    assert (arrays.seats[env], arrays.acting[env]) == (seat, match.struct.acting)
    assert arrays.observations[env].tobytes() == match.observation(seat).tobytes()
    ids = match.legal_ids(seat)
    assert arrays.lists[env, : arrays.counts[env]].tolist() == ids
    allowed = [*range(arrays.masks.shape[1])] if match.over else ids
    assert np.flatnonzero(arrays.masks[env]).tolist() == allowed


def followed(setting: Game, steps: int, rng: random.Random, **how: Any) -> Iterator[Batch]:
    """A batch stepped at random, every environment compared with the matches of its numbers; again after each step."""
    batch = setting.batch(ENVS, seed=11, first=5, **how)
    matches = [setting.match(11, number=5 + env, backend=batch.driver.backend) for env in range(ENVS)]
    for _ in range(steps):
        for env, match in enumerate(matches):
            assert_shows(batch, env, match)
        yield batch
        chosen = [rng.choice(match.legal_ids(match.actor)) for match in matches]
        batch.step(chosen)
        for env, match in enumerate(matches):
            match.play(match.actor, chosen[env])
            ended = np.array(match.returns() if match.over else [0] * setting.players, np.float64)
            assert batch.arrays.rewards[env].tolist() == ended.tolist() and batch.arrays.ends[env] == match.over
            if match.over:
                matches[env] = setting.match(11, number=int(batch.numbers[env]), backend=batch.driver.backend)


@every_setting
def test_every_env_plays_the_matches_of_its_numbers(setting: Game) -> None:
    warm(setting.name, "fast")
    for batch in followed(setting, 120, random.Random(1), backend="fast"):
        last = batch.numbers
    assert all((number - 5) % ENVS == env for env, number in enumerate(last))


@every_game
def test_all_backends_write_the_same(name: str) -> None:
    backends = much(("fast", "interpreted"), all_backends(name))  # to check a batch takes long to compile
    batches = [small_game(name).batch(3, seed=3, backend=backend) for backend in backends]
    for _ in range(60):
        written = [(everything(batch), batch.random().tolist()) for batch in batches]
        assert written == written[:1] * len(batches)
        for batch in batches:
            batch.step(written[0][1])


@every_game
def test_nothing_depends_on_threads(name: str) -> None:
    batches = [small_game(name).batch(23, threads, seed=4, backend="fast") for threads in (1, 2, 3, 7, 40)]
    for _ in range(80):
        (chosen,) = {tuple(batch.random()) for batch in batches}
        for batch in batches:
            batch.step(chosen)
        written = [everything(batch) for batch in batches]
        assert written == written[:1] * len(batches)
    for batch in batches:
        batch.close()


@every_game
def test_seeds_may_be_given_env_by_env(name: str) -> None:
    game, seeds = small_game(name), [7, 3, 7]
    batch = game.batch(3, seed=seeds, first=2, backend="fast")
    matches = [game.match(seed, number=2, backend="fast") for seed in seeds]
    for env, match in enumerate(matches):
        assert_shows(batch, env, match)
    while not batch.arrays.ends[0]:
        batch.step(batch.random())
    assert whole(batch.position(0)) == whole(game.match(7, number=3, backend="fast"))


# --- chance handed out ----------------------------------------------------------------------------------
@every_game
def test_chance_can_be_handed_out(name: str) -> None:
    game, rng = small_game(name), random.Random(5)
    batch, match = game.batch(1, by_hand=True, backend="fast"), game.match(by_hand=True, backend="fast")
    for _ in range(400):
        assert_shows(batch, 0, match)
        outcomes = match.chances()
        if not match.acting:
            given = {game.rules.OUTCOMES[k]: int(w) for k, w in enumerate(batch.arrays.weights[0]) if w}
            assert given == outcomes and batch.arrays.counts[0] == 0
        assert match.acting or outcomes[game.rules.OUTCOMES[batch.random()[0]]] > 0
        if match.acting:
            match.play(match.actor, rng.choice(match.legal_ids(match.actor)))
        else:
            match.deal(rng.choices(list(outcomes), list(outcomes.values()))[0])
        batch.step([match.event(match.length - 1).id])
        if match.over:
            match = game.match(by_hand=True, backend="fast")


def test_an_impossible_outcome_is_refused() -> None:
    batch = hexdeck.game("hawthorn", 2).batch(2, by_hand=True)
    with pytest.raises(hexdeck.BadChance, match=r"Environment 1: Chance can't give 10 at ply 0; it can give card 1"):
        batch.step([0, batch.game.rules.OUTCOMES.index("seat 0")])


# --- rest -----------------------------------------------------------------------------------------------
@every_game
def test_without_auto_reset_a_env_rests_until_it_is_reset(name: str) -> None:
    game = small_game(name)
    batch = game.batch(5, seed=6, auto_reset=False, backend="fast")
    while not batch.arrays.ends.all():
        rested = batch.arrays.ends.copy()
        batch.step(batch.random())
        assert (batch.arrays.rewards[rested] == 0).all()
    assert (batch.arrays.seats == -1).all()
    assert not batch.arrays.counts.any() and batch.arrays.masks.all()
    for env in range(5):
        match = batch.position(env)
        assert match.over and batch.arrays.observations[env].tobytes() == match.observation(-1).tobytes()
    batch.reset(np.arange(5) == 2)
    assert batch.arrays.ends.tolist() == [True, True, False, True, True] and batch.numbers.tolist() == [0, 1, 7, 3, 4]
    assert_shows(batch, 2, game.match(6, number=7, backend="fast"))


@every_game
def test_a_reset_writes_the_envs_that_it_begins_and_no_others(name: str) -> None:
    batch = small_game(name).batch(4, seed=8, backend="fast")
    for array in vars(batch.arrays).values():
        array[[1, 2]] = 1
    chosen = np.array([True, False, False, True])
    batch.reset(chosen)
    for env in (0, 3):
        assert_shows(batch, env, small_game(name).match(8, number=4 + env, backend="fast"))
    assert all((array[[1, 2]] == 1).all() for array in vars(batch.arrays).values())


@every_game
def test_a_reset_may_sow_other_seeds_and_choose_the_number(name: str) -> None:
    game = small_game(name)
    for backend in ("fast", "interpreted"):
        batch = game.batch(3, seed=[1, 2, 3], backend=backend)
        batch.step(batch.random())
        batch.reset(np.array([True, False, True]), seeds=[9, 8, None])
        assert batch.numbers.tolist() == [0, 0, 1]
        assert_shows(batch, 0, game.match(9, backend=backend))
        assert_shows(batch, 2, game.match(3, number=1, backend=backend))
        batch.reset(seeds=[None, b"key", None], number=6)
        for k, seed in enumerate((9, b"key", 3)):
            assert_shows(batch, k, game.match(seed, number=6, backend=backend))


def test_without_a_seed_a_batch_is_secret() -> None:
    one, other = (hexdeck.game("high-handed").batch(4) for _ in range(2))
    assert not (one.arrays.observations == other.arrays.observations).all()


# --- bots
@pytest.mark.parametrize("policy", ["gentle", "house", "random"])
@every_game
def test_bots_play_the_other_seats_as_at_a_match(name: str, policy: str) -> None:
    game, rng = small_game(name, 3), random.Random(7)
    for backend in ("fast", "interpreted"):
        batch = game.batch(1, seed=5, bots=[policy, None, policy], auto_reset=False, eye=1, backend=backend)
        match, mind = game.match(5, backend=backend), batch.driver.generator(5, "bots")
        rows, choose = game.rows(batch.driver), batch.driver.kernel("choose_row")
        while True:
            while match.acting and 1 not in match.acting:
                raw(rows)[0] = np.frombuffer(match.concealed(match.actor), np.uint8)
                number = POLICIES[policy]
                action = choose(batch.driver.g, rows, number, match.actor, batch.driver.actions(), mind)
                match.play(match.actor, int(action))
            if match.over:
                break
            assert_shows(batch, 0, match, 1)
            action = rng.choice(match.legal_ids(1))
            match.play(1, action), batch.step([action])
        if not batch.arrays.ends[0]:  # nothing was to be decided by the caller: the next step tells the end
            assert batch.arrays.counts[0] == 0
            batch.step([0])
        assert batch.arrays.rewards[0].tolist() == list(match.returns())
        assert batch.arrays.observations[0].tobytes() == match.observation(1).tobytes()


@every_game
def test_where_all_choose_at_once_bots_come_after_the_caller(name: str) -> None:
    """Whichever seat is the caller's, nothing tells it that others have chosen already."""
    game, waited = small_game(name, 3), 0
    batch = game.batch(20, seed=3, bots=["random", "random", None], backend="fast")
    for _ in range(60):
        mine = batch.arrays.acting[batch.arrays.seats == 2]
        waited += int((mine != 4).sum())
        batch.step(batch.random())
    assert bool(waited) == any_together(game)


def any_together(game: Game) -> bool:
    match, found = game.match(1), False
    while not match.over:
        found |= len(match.acting) > 1 and 2 in match.acting
        match.play(match.actor, match.legal_ids(match.actor)[0])
    return found


@every_game
def test_bots_throw_dice_that_the_caller_does_not_touch(name: str) -> None:
    """The same match and choices bring the same: whatever is drawn beside it, wherever the batch began."""
    game = small_game(name, 3)
    how: dict[str, Any] = {"bots": [None, "random", "random"], "backend": "fast"}
    one, other = game.batch(2, seed=[5, 5], **how), game.batch(2, seed=[5, 5], **how)
    for _ in range(40):
        chosen = np.where(one.arrays.counts > 0, one.arrays.lists[:, 0], 0)
        other.random(), other.random()
        one.step(chosen), other.step(chosen)
        assert everything(one) == everything(other)
    late = game.batch(2, seed=5, first=int(one.numbers[0]), **how)
    begun = game.batch(2, seed=[5, 5], **how)
    while begun.numbers[0] < one.numbers[0]:
        begun.step(np.where(begun.arrays.counts > 0, begun.arrays.lists[:, 0], 0))
    assert whole(begun.position(0)) == whole(late.position(0))


@for_each(
    ("how", "error", "why"),
    [
        ({"bots": ["house"] * 3}, hexdeck.BadOption, "a bot or None for each of 3 seats, and None for at least one"),
        ({"bots": [None, "house"]}, hexdeck.BadOption, "Give one bot for all seats, or 3, one for each; not 2"),
        ({"bots": [None]}, hexdeck.BadOption, "None for each of 3 seats"),
        ({"bots": [None, "houes", None]}, hexdeck.UnknownBot, r"no bot houes \(did you mean house\?\); there are"),
        ({"eye": 3}, hexdeck.BadOption, "There is no seat 3; seats are 0 to 2"),
    ],
)
def test_seats_need_a_bot_that_there_is_or_the_caller(how: dict[str, Any], error: Any, why: str) -> None:
    with pytest.raises(error, match=why):
        hexdeck.game("cursed-hand", 3).batch(2, **how)


# --- arrays of the caller -------------------------------------------------------------------------------
@every_game
def test_everything_is_written_into_the_callers_arrays(name: str) -> None:
    game = small_game(name)
    own = vars(Arrays.of(game, 4))
    batch, other = game.batch(4, seed=9, into=own), game.batch(4, seed=9)
    for _ in range(20):
        batch.step(batch.random()), other.step(other.random())
        assert {key: array.tobytes() for key, array in own.items()} == everything(other)
    assert all(getattr(batch.arrays, key) is array for key, array in own.items())


def test_arrays_are_handed_on_by_dlpack_uncopied() -> None:
    class Foreign:
        """Another library's array."""

        def __init__(self, array: np.ndarray) -> None:
            self.array = array

        def __dlpack__(self, **how: Any) -> Any:
            return self.array.__dlpack__(**how)

        def __dlpack_device__(self) -> Any:
            return self.array.__dlpack_device__()

    game = hexdeck.game("hawthorn", 2)
    memory = np.zeros((3, game.observation_size), np.int8)
    batch = game.batch(3, seed=9, into={"observations": Foreign(memory)})
    assert memory.any()
    for array in vars(batch.arrays).values():
        assert np.shares_memory(np.from_dlpack(array), array)
    for envs in (1, 3, 64):
        for array in vars(game.batch(envs, seed=9).arrays).values():
            assert array.ctypes.data % 64 == 0 and array.flags.c_contiguous


@pytest.mark.parametrize("threads", [1, 2])
def test_a_step_allocates_nothing(threads: int) -> None:
    with hexdeck.game("cursed-hand", 3).batch(MANY, threads, backend="fast") as batch:
        batch.step(batch.random())
        tracemalloc.start()
        try:
            for _ in range(5):
                batch.step(batch.random())
            assert tracemalloc.get_traced_memory()[1] < 10 * MANY  # less than ten bytes an environment, in five steps
        finally:
            tracemalloc.stop()


def test_what_fails_in_a_thread_is_raised_and_the_next_step_is_whole() -> None:
    crew = ShardPool([1, 0, 4])
    with pytest.raises(ZeroDivisionError):
        crew.all(lambda part, number: number // part, 8)
    assert crew.all(lambda part, number: part + number, 8) == [9, 8, 12]
    crew.end()
    with pytest.raises(hexdeck.BadOption, match="closed: its arrays stay"):
        crew.all(len)


@for_each(
    ("own", "why"),
    [
        ({"observation": np.zeros(3)}, "no array 'observation'; it writes observations, masks"),
        ({"seats": np.zeros(3, np.int8)}, r"seats must be a writeable, contiguous array of int8 and shape \(2,\)"),
        ({"seats": np.zeros(2, np.int16)}, "array of int8"),
        ({"seats": np.zeros(4, np.int8)[::2]}, "contiguous"),
        ({"seats": np.broadcast_to(np.int8(0), 2)}, "writeable"),
        ({"seats": [0, 0]}, "must be a NumPy array, or speak DLPack"),
    ],
)
def test_arrays_that_do_not_fit_are_refused(own: dict[str, Any], why: str) -> None:
    with pytest.raises(hexdeck.BadOption, match=why):
        hexdeck.game("hawthorn").batch(2, into=own)


# --- errors ---------------------------------------------------------------------------------------------
@every_game
def test_an_illegal_choice_names_its_env_and_changes_nothing(name: str) -> None:
    batch = small_game(name).batch(4, 2, seed=1, backend="fast")
    before, legal = everything(batch), batch.random().tolist()
    for env in range(4):
        forbidden = int(np.flatnonzero(~batch.arrays.masks[env])[0])
        for bad, why in ((forbidden, "can't play"), (-1, "no action -1"), (10_000, "no action 10000")):
            with pytest.raises(hexdeck.IllegalMove, match=f"^Environment {env}: .*{why}"):
                batch.step([bad if k == env else action for k, action in enumerate(legal)])
    assert everything(batch) == before
    batch.step(legal)
    assert everything(batch) != before


@for_each("chosen", [[1, 2], [0.5] * 3, [[1], [1], [1]], 3, ["a", "b", "c"]])
def test_choices_that_are_not_a_number_for_each_env_are_refused(chosen: Any) -> None:
    with pytest.raises(hexdeck.BadMove, match="A step takes 3 integers, one for each environment"):
        hexdeck.game("hawthorn").batch(3).step(chosen)


@for_each(
    ("how", "why"),
    [
        ({"envs": 0}, "1 to 1,048,576 environments"),
        ({"envs": 2, "threads": 0}, "at least one thread"),
        ({"envs": 2, "first": -1}, "a number from 0 to 549,755,813,885, not -1"),
        ({"envs": 2, "first": LAST - 1}, "a number from 0 to 549,755,813,885, not 549755813886"),
        ({"envs": 2, "seed": [1, 2, 3]}, "3 seeds can't take 2 environments"),
        ({"envs": 2, "seed": [1, None]}, "an integer or bytes, or a list of one for each environment, not None"),
    ],
)
def test_numbers_out_of_range_are_refused(how: dict[str, Any], why: str) -> None:
    game = hexdeck.game("hawthorn")
    with pytest.raises(hexdeck.BadOption, match=why):
        game.batch(**how)
    last = game.batch(2, seed=1, first=LAST - 2)
    assert whole(last.position(1)) == whole(game.match(1, number=LAST - 1))


def test_what_a_batch_cannot_do_is_told_in_a_sentence() -> None:
    batch = hexdeck.game("hawthorn").batch(2)
    for into in (np.zeros(3, np.int64), np.zeros(2, np.int8), [0, 0]):
        with pytest.raises(hexdeck.BadOption, match="a NumPy array of 2 integers of 16 bits or more"):
            batch.random(into)
    assert batch.random(np.zeros(2, np.int16)).dtype == np.int16
    for env in (-1, 2):
        with pytest.raises(hexdeck.BadOption, match=f"no environment {env}; environments are 0 to 1"):
            batch.position(env)
    with pytest.raises(hexdeck.BadOption, match="3 seeds can't take 2 environments"):
        batch.reset(seeds=[1, 2, 3])
    with pytest.raises(hexdeck.BadOption, match="a number from 0"):
        batch.reset(number=-1)
    with pytest.raises(hexdeck.BadOption, match="pass 2 truth values"):
        batch.reset([0, 1])
    before = everything(batch)
    batch.close()
    for act in (batch.random, batch.reset, lambda: batch.step([0, 0])):
        with pytest.raises(hexdeck.BadOption, match="closed: its arrays stay"):
            act()
    assert everything(batch) == before


@for_each(("backend", "threads"), [("fast", 1), ("fast", 3), ("interpreted", 2)])
def test_a_copied_and_a_pickled_batch_go_on_alike(backend: str, threads: int) -> None:
    game = hexdeck.game("hawthorn", 3)
    batch = game.batch(40, threads, seed=[*range(40)], bots=["house", None, None], backend=backend)
    for _ in range(9):
        batch.step(batch.random())
    batch.reset(np.arange(40) % 5 == 0, seeds=[9] * 40)
    others = copy.deepcopy(batch), copy.copy(batch), pickle.loads(pickle.dumps(batch))
    for _ in range(30):
        chosen = batch.random().copy()
        assert all(np.array_equal(other.random(), chosen) for other in others)
        for one in (batch, *others):
            one.step(chosen)
        assert all(everything(other) == everything(batch) for other in others)
        assert all(np.array_equal(other.numbers, batch.numbers) for other in others)


def test_a_batch_whose_bots_are_asked_says_how_to_branch() -> None:
    batch = hexdeck.game("hawthorn", 3).batch(2, seed=1, bots=["search:2", None, None])
    for copied in (copy.copy, copy.deepcopy, pickle.dumps):
        with pytest.raises(hexdeck.BadOption, match=r"batch.position\(env\) gives a match that can"):
            copied(batch)
    match = batch.position(0)
    assert whole(copy.deepcopy(match)) == whole(match)


def test_arrays_that_are_copied_stay_as_they_are() -> None:
    game = small_game("cursed-hand")
    batch, other = game.batch(8, seed=2, copy=True), game.batch(8, seed=2)
    shown, expected = [batch.arrays], [everything(other)]
    for k in range(20):
        chosen = other.random()
        shown.append(batch.step(chosen) if k != 10 else batch.reset())
        if k == 10:
            other.reset()
        else:
            other.step(chosen)
        expected.append(everything(other))
    assert [{name: array.tobytes() for name, array in vars(one).items()} for one in shown] == expected
    assert batch.arrays is shown[-1] and all(array.ctypes.data % 64 == 0 for array in vars(batch.arrays).values())
