"""Gymnasium's own checks, for every game and several numbers of players; and the same matches as `Match` plays."""

import copy
import pickle
import random
import warnings
from collections.abc import Iterator
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

import hexdeck
from hexdeck.bots.players import bot
from hexdeck.engine.game import Game
from hexdeck.envs.gymnasium import SeatEnv, SeatVectorEnv
from hexdeck.envs.versions import camel_name
from tests.positions import whole
from tests.settings import data, every_game, every_setting, small_game


@pytest.fixture(autouse=True)
def quiet() -> Iterator[None]:
    """What the checks only warn of: rendering that they don't try, wrappers."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        yield


def seat_env(game: Game, **how: Any) -> SeatEnv:
    """An environment of a game."""
    return SeatEnv(game.name, game.players, **{**game.options, **how})


def legal(seen: dict[str, np.ndarray], rng: random.Random) -> int:
    """A random legal action, or anything where there is none."""
    return int(rng.choice(np.flatnonzero(seen["action_mask"]).tolist() or [0]))


# --- Gymnasium's checks
@every_setting
def test_the_checks_of_gymnasium(setting: Game) -> None:
    for mode in ("ansi", "rgb_array") if not any_changed(setting) else (None,):
        check_env(seat_env(setting, render_mode=mode, seat=setting.players - 1), skip_render_check=True)


def any_changed(setting: Game) -> bool:
    """Whether any option isn't as usual."""
    return setting != hexdeck.game(setting.name, setting.players)


@every_game
def test_every_game_is_registered(name: str) -> None:
    spec = f"hexdeck/{camel_name(name)}"
    env = gymnasium.make(spec, players=3, seat=1, bots=["random", "gentle"], render_mode="rgb_array")
    seen, info = env.reset(seed=3)
    assert env.observation_space.contains(seen) and info["action_mask"].tolist() == seen["action_mask"].tolist()
    assert env.render().shape == (720, 960, 3)
    many = gymnasium.make_vec(spec, num_envs=3, players=3, bots="house")
    assert isinstance(many.unwrapped, SeatVectorEnv) and many.spec.id == spec
    usual = gymnasium.make_vec(spec, num_envs=2, vectorization_mode="sync", players=3)
    usual.reset(seed=1)
    usual.step(np.zeros(2, np.int64))


# --- beside Match
@every_setting
def test_a_seat_plays_the_same_match(setting: Game) -> None:
    env, rng = seat_env(setting, bots="house"), random.Random(1)
    seen, _ = env.reset(seed=6)
    match, ended = setting.match(6), False
    minds = [bot("house", setting, f"6 0 {seat}".encode()) for seat in range(setting.players)]
    while True:
        while match.acting and 0 not in match.acting:
            match.play(match.actor, minds[match.actor].choose(match.concealed(match.actor), match.actor))
        assert ended == match.over and env.seats.playing.events == match.events
        assert seen["observation"].tobytes() == match.observation(0).tobytes()
        assert np.flatnonzero(seen["action_mask"]).tolist() == match.legal_ids(0) or match.over
        if ended:
            break
        action = legal(seen, rng)
        seen, reward, ended, cut, _ = env.step(action)
        assert not cut and reward == (env.seats.playing.returns()[0] if ended else 0)
        match.play(0, action)


@every_game
def test_a_seat_that_decides_nothing_learns_the_end_in_the_next_step(name: str) -> None:
    env, idle = SeatEnv(name, 3, bots="random", **data(name).get("small", {})), 0
    for number in range(30):
        seen, _ = env.reset(seed=1, options={"number": number})
        if env.seats.playing.over:
            idle += 1
            assert not seen["action_mask"].any()
            _, reward, ended, _, _ = env.step(0)
            assert ended and reward == env.seats.playing.returns()[0]
    assert idle < 30


@every_game
def test_an_illegal_action_ends_or_raises(name: str) -> None:
    env = SeatEnv(name, illegal_reward=-9)
    seen, _ = env.reset(seed=2)
    bad = int(np.argmin(seen["action_mask"]))
    assert env.step(bad)[1:4] == (-9, True, False)
    strict = SeatEnv(name, illegal_reward=None)
    strict.reset(seed=2)
    with pytest.raises(hexdeck.IllegalMove, match="can't play"):
        strict.step(bad)


@pytest.mark.parametrize("how", ["copy", "pickle", "clone"])
@every_game
def test_a_copy_in_mid_match_goes_on_the_same_way(name: str, how: str) -> None:
    env, rng = SeatEnv(name, 3, seat=1, bots=["random", "gentle"]), random.Random(3)
    seen, _ = env.reset(seed=8)
    for _ in range(4):
        if not env.seats.playing.over:
            seen, *_ = env.step(legal(seen, rng))
    other = {"copy": copy.deepcopy, "pickle": lambda e: pickle.loads(pickle.dumps(e)), "clone": SeatEnv.clone}[how](env)
    while not env.seats.playing.over:
        action = legal(seen, rng)
        (seen, *told), (same, *again) = env.step(action), other.step(action)
        assert repr((seen, told)) == repr((same, again))
    assert other.seats.playing.events == env.seats.playing.events


# --- many at once
@every_game
def test_many_at_once_play_the_matches_of_their_seeds(name: str) -> None:
    many, game = SeatVectorEnv(name, 5, 3, seat=2, bots="random", threads=2), hexdeck.game(name, 3)
    seen, _ = many.reset(seed=20)
    assert many.observation_space.contains(seen)
    ends = np.zeros(5, int)
    rng = random.Random(4)
    for _ in range(300):
        mask = seen["action_mask"]
        actions = np.array([rng.choice(np.flatnonzero(row).tolist() or [0]) for row in mask])
        before = many.batch.arrays.ends.copy()
        seen, rewards, ended, cut, info = many.step(actions)
        assert rewards.dtype == np.float64 and not cut.any() and not (rewards[~ended]).any()
        assert not ended[before].any() and (info["action_mask"] == seen["action_mask"]).all()
        for k in np.flatnonzero(ended):
            match = many.batch.position(int(k))
            assert rewards[k] == np.float32(match.returns()[2])
            assert seen["observation"][k].tobytes() == match.observation(2).tobytes()
        ends += ended
    assert ends.any()
    assert many.batch.numbers.tolist() == (ends - many.batch.arrays.ends).tolist()
    many.reset(seed=[7, 7, 8, 8, 9])
    assert whole(many.batch.position(0)) == whole(many.batch.position(1)) and many.batch.game == game
    many.close()


@every_game
def test_single_and_many_begin_alike(name: str) -> None:
    game = small_game(name, 3)
    many, one = SeatVectorEnv(name, 3, 3, bots="random", **game.options), seat_env(game, bots="random")
    seen, _ = many.reset(seed=40)
    for k in range(3):
        alone, _ = one.reset(seed=40 + k)
        if whole(many.batch.position(k)) == whole(one.seats.playing):  # bots before the first decision have other dice
            assert alone["observation"].tobytes() == seen["observation"][k].tobytes()
    before = many.batch.numbers
    many.reset(options={"reset_mask": np.array([True, False, True])})
    assert (many.batch.numbers - before).tolist() == [1, 0, 1]


def test_bad_choices_are_told_in_a_sentence() -> None:
    with pytest.raises(hexdeck.BadOption, match="There is no seat 4; seats are 0 to 3"):
        SeatEnv("cursed-hand", 4, seat=4)
    with pytest.raises(hexdeck.BadOption, match="2 bots can't take 3 seats"):
        SeatEnv("cursed-hand", 4, bots=["house", "house"])
    with pytest.raises(hexdeck.UnknownBot, match="There is no bot hous"):
        SeatEnv("cursed-hand", 4, bots="hous")
    with pytest.raises(hexdeck.BadOption, match="no render mode"):
        SeatEnv("cursed-hand", 4, render_mode="x")
    with pytest.raises(hexdeck.BadOption, match="reset the environment first"):
        SeatVectorEnv("cursed-hand", 4).step(np.zeros(4, np.int64))
