"""Gymnasium's own checks, for every game and several numbers of players; and the same matches as `Match` plays."""

import copy
import pickle
import random
import re
import sys
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from gymnasium.vector import AutoresetMode, SyncVectorEnv

import hexdeck
from hexdeck.bots.players.roster import bot
from hexdeck.engine.discovery.definition import definition
from hexdeck.envs import camel_name
from hexdeck.envs import gymnasium as envs
from hexdeck.envs.gymnasium import SeatEnv, SeatVectorEnv
from hexdeck.envs.single import BELOW, penalty
from hexdeck.simulation.game import Game
from tests.settings import data, every_game, every_setting, much
from tests.support import for_each, ran_apart


def seat_env(game: Game, **how: Any) -> SeatEnv:
    return SeatEnv(game.name, game.players, **{**game.options, **how})


def legal(seen: dict[str, np.ndarray], rng: random.Random) -> int:
    return int(rng.choice(np.flatnonzero(seen["action_mask"]).tolist()))


# --- Gymnasium's checks
@every_setting
def test_the_checks_of_gymnasium(setting: Game) -> None:
    if any_changed(setting):
        check_env(seat_env(setting, seat=setting.players - 1), skip_render_check=True)
    else:
        spec, players = f"hexdeck/{camel_name(setting.name)}", setting.players
        made = gymnasium.make(spec, players=players, seat=players - 1, render_mode="ansi", disable_env_checker=True)
        check_env(made.unwrapped)


def any_changed(setting: Game) -> bool:
    return setting != hexdeck.game(setting.name, setting.players)


@every_game
def test_every_game_is_registered(name: str) -> None:
    spec = f"hexdeck/{camel_name(name)}"
    env = gymnasium.make(spec, players=3, seat=1, bots=["random", "gentle"], render_mode="rgb_array")
    seen, info = env.reset(seed=3)
    assert env.observation_space.contains(seen) and info["action_mask"].tolist() == seen["action_mask"].tolist()
    masks = env.unwrapped.action_masks()
    assert masks.dtype == np.bool_ and masks.tolist() == seen["action_mask"].astype(bool).tolist()
    assert env.render().shape == (720, 960, 3)
    many = gymnasium.make_vec(spec, num_envs=3, players=3, bots="house")
    assert isinstance(many.unwrapped, SeatVectorEnv) and many.spec.id == spec
    assert many.observation_space.contains(many.reset(seed=20)[0])
    usual = gymnasium.make_vec(spec, num_envs=2, vectorization_mode="sync", players=3)
    usual.reset(seed=1)
    usual.step(np.zeros(2, np.int64))


# --- beside Match
@every_setting
def test_a_seat_plays_the_same_match(setting: Game) -> None:
    env, rng = seat_env(setting, bots="house"), random.Random(1)
    seen, _ = env.reset(seed=6)
    number, ended = env.episodes.number, False
    match = setting.match(6, number=number)
    minds = [bot("house", setting) for _ in range(setting.players)]
    dice = setting.driver().generator(6, "bots", number)
    for mind in minds:
        mind.rng = dice  # type: ignore[attr-defined]
    while True:
        while match.acting and 0 not in match.acting:
            match.play(match.actor, minds[match.actor].choose(match.concealed(match.actor), match.actor))
        assert ended == match.over and env.episodes.current.events == match.events
        assert seen["observation"].tobytes() == match.observation(0).tobytes()
        assert np.flatnonzero(seen["action_mask"]).tolist() == (match.legal_ids(0) or [*range(env.action_space.n)])
        if ended:
            break
        action = legal(seen, rng)
        seen, reward, ended, cut, _ = env.step(action)
        assert not cut and reward == (env.episodes.current.returns()[0] if ended else 0)
        match.play(0, action)


def test_gymnasium_finds_the_games_by_the_module_in_their_name() -> None:
    """In a process that has imported nothing of ours, one and many."""
    name = f"hexdeck.envs.gymnasium:hexdeck/{camel_name('hawthorn')}"
    code = (
        f"import gymnasium; print(gymnasium.make({name!r}, players=2).reset(seed=1)[1]['action_mask'].sum(), "
        f"gymnasium.make_vec({name!r}, num_envs=3, players=2).num_envs)"
    )
    done = ran_apart([sys.executable, "-c", code])
    assert re.fullmatch(r"[1-9]\d* 3\n", done.stdout), done.stderr


def test_a_reset_passes_over_matches_in_which_the_seat_has_nothing_to_decide() -> None:
    env, many = SeatEnv("blackstone", 2, 1, "random"), SeatVectorEnv("blackstone", 40, 2, 1, "random")
    seen, _ = many.reset(seed=0)
    for seed in range(40):
        assert np.array_equal(env.reset(seed=seed)[0]["observation"], seen["observation"][seed])
        assert env.episodes.current.acting == (1,)
    numbers = many.batch.numbers
    assert many.batch.arrays.counts.all() and 0 < (numbers > 0).sum() < 40
    passed = int(numbers.argmax())
    env.reset(seed=passed)
    assert env.episodes.number == numbers[passed]
    env.reset(options={"number": 0, "rules": {"chips": 50}})
    assert env.episodes.number > 0 and env.episodes.current.game.options["chips"] == 50
    many.close()


def test_a_seat_that_never_decides_is_told_of_in_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(envs, "DEALS", 0)
    for env in (SeatEnv("blackstone", 2, seat=1), SeatVectorEnv("blackstone", 2, 2, seat=1)):
        with pytest.raises(hexdeck.BadOption, match="seat 1 had nothing to decide: choose other players, options or"):
            env.reset(seed=1)


# --- illegal actions
@every_game
def test_an_illegal_action_costs_more_than_any_result(name: str) -> None:
    low, high = definition(name).rules.PLAYERS
    for players in range(low, high + 1):
        game = hexdeck.game(name, players)
        cost = penalty(game, BELOW)
        assert cost is not None and cost < game.bounds.bounds(players, game.options).least
        assert cost < game.simulate(50, "random", seed=1).returns.min()
    env, many = SeatEnv(name), SeatVectorEnv(name, 2)
    seen, _ = env.reset(seed=2)
    assert env.step(int(np.argmin(seen["action_mask"])))[1:4] == (penalty(env.game, BELOW), True, False)
    seen, _ = many.reset(seed=2)
    assert many.step(np.argmin(seen["action_mask"], 1))[1].tolist() == [penalty(env.game, BELOW)] * 2
    many.close()


def test_an_illegal_action_costs_what_the_rules_of_its_match_say() -> None:
    env = SeatEnv("hawthorn", 2)
    seen, _ = env.reset(seed=2, options={"rules": {"chips": 300}})
    assert env.step(int(np.argmin(seen["action_mask"])))[1] == -301


def test_without_bounds_an_illegal_action_raises(monkeypatch: pytest.MonkeyPatch) -> None:
    env = SeatEnv("hawthorn", 2)
    seen, _ = env.reset(seed=2)
    monkeypatch.setitem(vars(env.game.definition), "bounds", None)
    with pytest.raises(hexdeck.IllegalMove, match="can't play"):
        env.step(int(np.argmin(seen["action_mask"])))


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


@every_game
def test_a_copy_in_mid_match_goes_on_the_same_way(name: str) -> None:
    env, rng = SeatEnv(name, 3, seat=1, bots=["random", "gentle"]), random.Random(3)
    seen, _ = env.reset(seed=8)
    for _ in range(4):
        if not env.episodes.current.over:
            seen, *_ = env.step(legal(seen, rng))
    others = [copy.deepcopy(env), pickle.loads(pickle.dumps(env)), env.clone()]
    while not env.episodes.current.over:
        action = legal(seen, rng)
        told = seen, *_ = env.step(action)
        assert {repr(other.step(action)) for other in others} == {repr(told)}
    assert all(other.episodes.current.events == env.episodes.current.events for other in others)


# --- many at once
def told_alike(one: Any, other: Any) -> None:
    """What a reset or a step told of both is the same."""
    for mine, theirs in zip(one, other, strict=True):
        if mine is None:
            assert theirs is None
        elif isinstance(mine, np.ndarray) and mine.dtype == object:
            told_alike(mine, theirs)
        elif isinstance(mine, dict):
            assert mine.keys() == theirs.keys()
            told_alike([mine[key] for key in mine], [theirs[key] for key in mine])
        else:
            assert mine.dtype == theirs.dtype and mine.tolist() == theirs.tolist()


def some_actions(seen: dict[str, np.ndarray], rng: random.Random) -> np.ndarray:
    masks, most = seen["action_mask"], seen["action_mask"].shape[1] - 1
    legal = [np.flatnonzero(row).tolist() for row in masks]
    return np.array([rng.choice(ids) if rng.random() < 0.98 else rng.randint(-1, most + 1) for ids in legal])


@every_game
def test_many_at_once_are_what_gymnasium_makes_of_single_ones(name: str) -> None:
    for bots in much(["house"], ["house", "gentle", "random", "search:3"]):
        assert_many_are_single_ones(name, bots)


@every_game
def test_many_at_once_are_reset_in_the_same_step_or_not_at_all_as_gymnasium_does_it(name: str) -> None:
    for mode in (AutoresetMode.SAME_STEP, AutoresetMode.DISABLED):
        assert_many_are_single_ones(name, "random", mode)


def assert_many_are_single_ones(
    name: str, bots: str | list[str], mode: AutoresetMode = AutoresetMode.NEXT_STEP
) -> None:
    """Beside SyncVectorEnv: every observation, mask, reward and end, whole matches, illegal actions and resets."""
    how: dict[str, Any] = {"players": 3, "seat": 1, "bots": bots, **data(name).get("small", {})}
    one = SyncVectorEnv([lambda: SeatEnv(name, **how)] * 4, autoreset_mode=mode)
    many = SeatVectorEnv(name, 4, threads=2, autoreset_mode=mode, **how)
    rng, ends = random.Random(2), 0
    answers = one.reset(seed=40), many.reset(seed=40)
    told_alike(*answers)
    for k in range(90):
        actions = some_actions(answers[0][0], rng)
        answers = one.step(actions), many.step(actions)  # type: ignore[assignment]
        told_alike(*answers)
        ended = answers[0][2]  # type: ignore[misc]
        ends += int(ended.sum())
        assert answers[1][0]["action_mask"].any(1).all()
        if mode is AutoresetMode.DISABLED and ended.any():
            answers = tuple(env.reset(options={"reset_mask": ended}) for env in (one, many))
            told_alike([answers[0][0]], [answers[1][0]])
        if k % 30 == 29:
            mask, seeds = np.array([True, False, True, False]), [None, 3, 4 + k, None]
            answers = tuple(env.reset(seed=seeds, options={"reset_mask": mask, "number": k % 4}) for env in (one, many))
            told_alike([answers[0][0]], [answers[1][0]])
    told_alike(one.reset(), many.reset())
    assert ends and many.batch.numbers.any()
    many.close()


@for_each("bots", [["net", "house"], ["net:0.3", "search:3"], ["random", "steady"]])
def test_bots_of_many_kinds_play_in_many_as_in_single_ones(bots: list[str]) -> None:
    assert_many_are_single_ones("cursed-hand", bots)


@for_each("mode", [*AutoresetMode, "SameStep"])
def test_many_at_once_are_reset_as_make_vec_is_told(mode: AutoresetMode | str) -> None:
    spec, mode = f"hexdeck/{camel_name('blackstone')}", AutoresetMode(mode)
    many = gymnasium.make_vec(spec, num_envs=8, players=2, seat=1, autoreset_mode=mode, copy=False)
    assert many.metadata["autoreset_mode"] is mode
    before = many.reset(seed=1)[0]["observation"].copy()
    seen, _, ended, _, info = many.step(np.full(8, -1))
    assert ended.all() and seen["action_mask"].any(1).all()
    assert ("final_obs" in info) == (mode is AutoresetMode.SAME_STEP)
    if mode is AutoresetMode.SAME_STEP:
        assert info["_final_obs"].all() and info["_final_info"].all() and info["final_info"]["action_mask"].all()
        for final, old, new in zip(info["final_obs"], before, seen["observation"], strict=True):
            assert many.single_observation_space.contains(final) and final["action_mask"].all()
            assert final["observation"].tolist() == old.tolist() != new.tolist()
    if mode is AutoresetMode.DISABLED:
        many.reset(options={"reset_mask": np.arange(8) != 3})
        with pytest.raises(hexdeck.BadOption, match="Environment 3 has ended its match: with autoreset_mode Disabled"):
            many.step(np.zeros(8, np.int64))
        many.reset(options={"reset_mask": np.arange(8) == 3})
    seen, *_rest = many.step(seen["action_mask"].argmax(1))
    assert seen["action_mask"].any(1).all()
    many.close()


def test_many_at_once_refuse_an_illegal_action_if_asked_to() -> None:
    many = SeatVectorEnv("cursed-hand", 2, illegal_reward=None)
    seen, _ = many.reset(seed=1)
    bad = np.argmin(seen["action_mask"], 1)
    with pytest.raises(hexdeck.IllegalMove, match=r"^Environment 0: "):
        many.step(bad)
    many.close()


def test_what_many_at_once_cannot_do_is_told_in_a_sentence() -> None:
    with pytest.raises(hexdeck.UnknownBot, match=r"no bot hous \(did you mean house\?\); there are best, "):
        SeatVectorEnv("cursed-hand", 2, bots="hous")
    with pytest.raises(hexdeck.BadOption, match="can't be drawn: make a single one"):
        gymnasium.make_vec("hexdeck/CursedHand-v3", num_envs=2, render_mode="ansi")
    with pytest.raises(hexdeck.BadOption, match="no autoreset mode 'x'; there are NextStep, SameStep, Disabled"):
        gymnasium.make_vec("hexdeck/CursedHand-v3", num_envs=2, autoreset_mode="x")
    with pytest.raises(hexdeck.BadOption, match="1 to 1,048,576 environments"):
        SeatVectorEnv("cursed-hand", 0)
    many = SeatVectorEnv("cursed-hand", 2)
    with pytest.raises(hexdeck.BadOption, match="reset the environment first"):
        many.step(np.zeros(2, np.int64))
    for options, why in (
        ({"rules": {"losses": 2}}, "share the same rules: choose them when"),
        ({"number": 1.5}, "option number of a reset is a whole number, not 1.5"),
    ):
        with pytest.raises(hexdeck.BadOption, match=why):
            many.reset(seed=1, options=options)
    with pytest.raises(hexdeck.BadOption, match="1 seeds can't take 2 environments"):
        many.reset(seed=[1])
    many.reset(seed=1)
    for actions in ([1], [0.5, 0.5], 3):
        with pytest.raises(hexdeck.BadMove, match="A step takes 2 integers"):
            many.step(np.array(actions))
    many.close()


@every_game
def test_after_the_end_nothing_happens(name: str) -> None:
    env, rng = SeatEnv(name, 3, bots="random", **data(name).get("small", {})), random.Random(5)
    for number in range(4):
        seen, _ = env.reset(seed=3, options={"number": number})
        ended = False
        while not ended:
            seen, _, ended, _, _ = env.step(legal(seen, rng) if number else int(np.argmin(seen["action_mask"])))
        assert seen["action_mask"].all() and env.action_masks().all()
        events = env.episodes.current.events
        for action in range(3):
            again, reward, ended, _, info = env.step(action)
            assert (reward, ended) == (0, True) and repr(again) == repr(seen) and info["action_mask"].all()
        assert env.episodes.current.events == events


def test_human_mode_shows_every_position(capsys: pytest.CaptureFixture[str]) -> None:
    env = SeatEnv("hawthorn", 2, bots="random", render_mode="human")
    seen, _ = env.reset(seed=3)
    assert capsys.readouterr().out == env.episodes.current.view(0).text() + "\n\n"
    env.step(int(np.argmin(seen["action_mask"])))
    assert capsys.readouterr().out == env.episodes.current.view(0).text() + "\n\n"


def test_bad_choices_are_told_in_a_sentence() -> None:
    with pytest.raises(hexdeck.BadOption, match="There is no seat 4; seats are 0 to 3"):
        SeatEnv("cursed-hand", 4, seat=4)
    with pytest.raises(hexdeck.BadOption, match="Give one bot for all seats, or 3, one for each; not 2"):
        SeatEnv("cursed-hand", 4, bots=["house", "house"])
    with pytest.raises(hexdeck.UnknownBot, match="There is no bot hous"):
        SeatEnv("cursed-hand", 4, bots="hous")
    with pytest.raises(hexdeck.BadOption, match="no render mode"):
        SeatEnv("cursed-hand", 4, render_mode="x")
    env = SeatEnv("cursed-hand", 4)
    with pytest.raises(hexdeck.BadOption, match="reset the environment first"):
        env.step(0)
    with pytest.raises(hexdeck.BadOption, match=r"no option 'rule' \(did you mean rules\?\)"):
        env.reset(seed=1, options={"rule": {"losses": 2}})
