"""PettingZoo's own checks, for every game and several numbers of players; and the same matches as `Match` plays."""

import copy
import importlib
import importlib.util
import itertools
import pickle
import pydoc
import random
import re
import sys
import warnings
from collections.abc import Iterator
from functools import partial
from html import escape
from pathlib import Path
from typing import Any

import numpy as np
import pettingzoo as petting
import pytest

import hexdeck
from hexdeck.engine.play.match import Match
from hexdeck.engine.text import Catalogue
from hexdeck.envs import module_name, names_of_versions, pettingzoo, picture
from hexdeck.envs.pettingzoo import GameAECEnv, GameParallelEnv
from hexdeck.envs.picture import drawing, raster
from hexdeck.envs.single import BELOW, penalty
from hexdeck.simulation.game import Game
from tests.positions import whole
from tests.settings import every_game, every_setting, small_game
from tests.support import for_each, ran_apart

with warnings.catch_warnings():  # the checks use environments of PettingZoo's own, which warn of a new way to make them
    warnings.simplefilter("ignore", DeprecationWarning)
    from pettingzoo import test as checks
    from pettingzoo.test.seed_test import parallel_seed_test

CYCLES = 30


EXPECTED = (  # what the checks warn of, and is meant so: an observation comes with its mask, in a dict
    "Observation is not a NumPy array",
    "Observation space for each agent probably should be",
)


@pytest.fixture(autouse=True)
def quiet() -> Iterator[None]:
    """What the checks only warn of, and we mean: any other warning is an error."""
    with warnings.catch_warnings():
        for text in EXPECTED:
            warnings.filterwarnings("ignore", text, UserWarning)
        yield


def module_of(name: str) -> Any:
    return importlib.import_module(f"hexdeck.envs.pettingzoo.{module_name(name)}")


# --- PettingZoo's checks
@every_setting
def test_the_api(setting: Game) -> None:
    checks.api_test(GameAECEnv(setting, illegal_reward=-1), num_cycles=CYCLES)
    checks.api_test(GameAECEnv(setting), num_cycles=CYCLES)
    checks.parallel_api_test(GameParallelEnv(setting), num_cycles=CYCLES)


@every_game
def test_seeds_and_rendering(name: str) -> None:
    module = module_of(name)
    for players in module.env().unwrapped.game.rules.PLAYERS:
        checks.seed_test(partial(module.env, players), num_cycles=CYCLES)
        parallel_seed_test(partial(module.parallel_env, players), num_cycles=CYCLES)
    checks.render_test(partial(module.env, players))


# --- modules
def test_every_game_has_a_module_with_all_three_forms_and_is_in_pettingzoos_registry() -> None:
    assert {name for name, _, _ in names_of_versions()} == set(hexdeck.game_names())
    for name, made, camel in names_of_versions():
        module = getattr(pettingzoo, made)
        assert made in pettingzoo.__all__
        assert module.env().metadata["name"] == module_name(name) == module.parallel_env().metadata["name"]
        assert module.raw_env(players=3).max_num_agents == 3
        assert "(players: int | None = None, render_mode" in pydoc.render_doc(module.env, renderer=pydoc.plaintext)
        assert pickle.loads(pickle.dumps(module.env)) is module.env
        one = petting.make("aec", f"hexdeck/{camel}", players=3, illegal_reward=-3)
        many = petting.make("parallel", f"hexdeck/{camel}", players=3)
        assert isinstance(one.unwrapped, GameAECEnv) and isinstance(many.unwrapped, GameParallelEnv)
        assert one.unwrapped.game == many.unwrapped.game == hexdeck.game(name, 3)
        assert one.unwrapped.illegal_reward == -3


def test_a_version_that_is_not_there_names_the_one_that_is() -> None:
    with pytest.raises(ImportError, match="no environment cursed_hand_v7 here, but cursed_hand_v3"):
        pettingzoo.cursed_hand_v7  # noqa: B018 - it must not be found
    for name in ("cursed_hound_v0", "else"):
        with pytest.raises(AttributeError, match=name):
            getattr(pettingzoo, name)
    assert importlib.util.find_spec("hexdeck.envs.pettingzoo.cursed_hand_v3") is not None


def test_options_of_the_game_are_options_of_its_environment() -> None:
    env = pettingzoo.env("cursed-hand", 5, losses=1)
    assert env.unwrapped.game == hexdeck.game("cursed-hand", 5, losses=1) and env.max_num_agents == 5
    with pytest.raises(hexdeck.BadOption, match="loses"):
        pettingzoo.raw_env("cursed-hand", loses=1)
    with pytest.raises(hexdeck.BadOption, match="no render mode 'text'; there are human, ansi, rgb_array"):
        pettingzoo.raw_env("cursed-hand", render_mode="text")


def test_a_reset_may_change_options_and_choose_the_match() -> None:
    env = pettingzoo.raw_env("cursed-hand", 3)
    env.reset(seed=4, options={"rules": {"losses": 2}, "number": 9})
    assert whole(env.episodes.current) == whole(hexdeck.game("cursed-hand", 3, losses=2).match(4, number=9))
    env.reset()
    assert whole(env.episodes.current) == whole(hexdeck.game("cursed-hand", 3).match(4, number=10))
    with pytest.raises(hexdeck.BadOption, match="option loses"):
        env.reset(options={"rules": {"loses": 2}})
    with pytest.raises(hexdeck.BadOption, match="a set of options of the game, not 3"):
        env.reset(options={"rules": 3})
    for options, why in (({"rule": {}}, r"no option 'rule' \(did you mean rules\?\)"), ({"number": -1}, "numbered")):
        with pytest.raises(hexdeck.HexdeckError, match=why):
            env.reset(options=options)
    assert env.episodes.number == 10


@for_each(
    "act",
    [
        lambda env: env.step(0),
        lambda env: env.last(),
        lambda env: list(env.agent_iter(1)),
        lambda env: env.render(),
        lambda env: env.observe("player_0"),
    ],
)
def test_before_the_first_reset_there_is_no_match(act: Any) -> None:
    with pytest.raises(hexdeck.BadOption, match="reset the environment first"):
        act(pettingzoo.env("cursed-hand", 3, render_mode="ansi"))
    with pytest.raises(hexdeck.BadOption, match="reset the environment first"):
        pettingzoo.parallel_env("cursed-hand", 3).step({})


def test_matches_without_a_seed_are_secret() -> None:
    one, other = (pettingzoo.raw_env("high-handed") for _ in range(2))
    one.reset(), other.reset()
    assert whole(one.episodes.current) != whole(other.episodes.current)


# --- beside Match
@every_setting
def test_agents_in_turn_play_the_same_match(setting: Game) -> None:
    env, match, rng = GameAECEnv(setting), setting.match(5), random.Random(1)
    env.reset(seed=5)
    for agent in env.agent_iter():
        seen, reward, ended, cut, _ = env.last()
        assert seen is not None and not cut
        assert ended == match.over and env.episodes.current.events == match.events
        if ended:
            assert reward == match.returns()[env.seat_of[agent]] and seen["action_mask"].all()
            env.step(None)
            continue
        seat = match.actor
        assert env.seat_of[agent] == seat and reward == 0
        assert seen["observation"].tobytes() == match.observation(seat).tobytes()
        assert np.flatnonzero(seen["action_mask"]).tolist() == match.legal_ids(seat)
        masks = {other: told["action_mask"].tolist() for other, told in env.infos.items()}
        assert masks == {
            other: seen["action_mask"].tolist() if other == agent else [1] * len(env._idle) for other in env.agents
        }
        action = rng.choice(match.legal_ids(seat))
        env.step(action), match.play(seat, action)
    assert match.over and not env.agents


@every_setting
def test_agents_at_once_play_the_same_match(setting: Game) -> None:
    env, match, rng = GameParallelEnv(setting), setting.match(5), random.Random(1)
    seen, infos = env.reset(seed=5)
    while env.agents:
        for seat, agent in enumerate(env.agents):
            assert seen[agent]["observation"].tobytes() == match.observation(seat).tobytes()
            allowed = match.legal_ids(seat) or [*range(len(setting.rules.ACTIONS))]
            assert np.flatnonzero(seen[agent]["action_mask"]).tolist() == allowed
            assert infos[agent] == {"acting": seat in match.acting}  # TorchRL takes no mask in both places
        chosen = {seat: rng.choice(match.legal_ids(seat)) for seat in match.acting}
        for seat, action in chosen.items():
            match.play(seat, action)
        actions = {agent: chosen.get(seat, 0) for seat, agent in enumerate(env.agents)}
        seen, rewards, ended, cut, infos = env.step(actions)
        results = match.returns() if match.over else (0,) * setting.players
        assert list(rewards.values()) == list(results) and set(ended.values()) == {match.over} and not any(cut.values())
        assert env.episodes.current.events == match.events
    assert match.over and all(one["action_mask"].all() for one in seen.values())


# --- illegal actions
def illegal(match: Match) -> int:
    return next(k for k in range(len(match.game.rules.ACTIONS)) if k not in match.legal_ids(match.actor))


@every_game
def test_a_bare_environment_refuses_an_illegal_action_and_changes_nothing(name: str) -> None:
    for env in (GameAECEnv(small_game(name)), GameParallelEnv(small_game(name))):
        env.reset(seed=1)
        match, before = env.episodes.current, env.episodes.current.events
        bad: Any = illegal(match)
        with pytest.raises(hexdeck.IllegalMove, match="can't play"):
            env.step(bad if isinstance(env, GameAECEnv) else dict.fromkeys(env.agents, bad))
        assert match.events == before


@every_game
def test_an_illegal_action_ends_a_match_and_costs_its_seat(name: str) -> None:
    env = pettingzoo.env(name, illegal_reward=-7)
    env.reset(seed=1)
    agent = env.agent_selection
    env.step(illegal(env.unwrapped.episodes.current))
    assert env.terminations[agent] and not env.truncations[agent] and env.rewards[agent] == -7
    rewards = {}
    for other in env.agent_iter():
        seen, reward, ended, cut, info = env.last()
        rewards[other] = reward
        assert ended and not cut and seen["action_mask"].all() and info["action_mask"].all()
        env.step(None)
    assert rewards == {other: -7 if other == agent else 0 for other in env.possible_agents}


@every_game
def test_an_illegal_action_costs_more_than_any_result_and_others_nothing(name: str) -> None:
    env, many = pettingzoo.env(name), pettingzoo.parallel_env(name)
    cost = penalty(env.game, BELOW)
    assert cost is not None and cost < env.game.bounds.bounds(env.game.players, env.game.options).least
    env.reset(seed=1), many.reset(seed=1)
    agent, wrong = env.agent_selection, illegal(env.episodes.current)
    env.step(wrong)
    assert env.rewards == {other: cost if other == agent else 0 for other in env.possible_agents}
    match = many.episodes.current
    tried = {
        many.agents[seat]: illegal(match) if seat == match.actor else match.legal_ids(seat)[0] for seat in match.acting
    }
    rewards = many.step(tried)[1]
    assert rewards == {other: cost if other == agent else 0 for other in many.possible_agents}
    env.reset(seed=1, options={"rules": {"chips": 300}} if "chips" in env.game.options else None)
    assert env.penalty == (-301 if "chips" in env.game.options else cost)


@every_game
def test_illegal_actions_at_once_cost_all_who_tried_one(name: str) -> None:
    env = pettingzoo.parallel_env(name, illegal_reward=-7)
    env.reset(seed=1)
    match = env.episodes.current
    first, *others = match.acting
    chosen = dict.fromkeys(env.agents, len(env.game.rules.ACTIONS))
    if others:
        chosen[env.agents[first]] = match.legal_ids(first)[0]
    seen, rewards, ended, cut, infos = env.step(chosen)
    assert [seat for seat, reward in enumerate(rewards.values()) if reward] == (others or [first])
    assert set(rewards.values()) <= {0, -7} and all(ended.values()) and not any(cut.values())
    assert not env.agents and all(info == {"acting": False} for info in infos.values())
    assert all(one["action_mask"].all() for one in seen.values())
    assert env.step({}) == ({}, {}, {}, {}, {})


def test_human_mode_shows_every_position(capsys: pytest.CaptureFixture[str]) -> None:
    env = pettingzoo.env("hawthorn", 2, render_mode="human")
    env.reset(seed=3)
    assert capsys.readouterr().out.count("Deck") == 1
    env.step(illegal(env.unwrapped.episodes.current))
    assert capsys.readouterr().out.count("Deck") == 1
    many = pettingzoo.parallel_env("hawthorn", 2, render_mode="human")
    many.reset(seed=3)
    assert capsys.readouterr().out.count("Deck") == 1


def test_an_agent_that_may_act_must_say_something() -> None:
    env = pettingzoo.parallel_env("cursed-hand", 3)
    env.reset(seed=1)
    with pytest.raises(hexdeck.BadMove, match="player_1 may act, but no action was given"):
        env.step({"player_0": 1})


# --- a framework's wrapper
@pytest.mark.long
@every_game
def test_torchrl_plays_both_forms(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "path", [*sys.path, str(Path(sys.prefix) / "torchrl")])  # where make test-all puts it
    pytest.importorskip("torchrl", reason="make test-all installs it where there is a wheel of torch for the CPU")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        from torchrl.envs.libs.pettingzoo import PettingZooWrapper

        for players in hexdeck.game(name).rules.PLAYERS:
            for env, how in ((pettingzoo.parallel_env, {}), (pettingzoo.env, {"use_mask": True})):
                told = PettingZooWrapper(env(name, players), seed=1, **how).rollout(200, break_when_any_done=False)
                assert told.batch_size == (200,) and not told["next", "truncated"].any()


# --- copies
def halfway(env: Any, steps: int, rng: random.Random) -> None:
    for _ in range(steps):
        if env.unwrapped.episodes.current.over:
            return
        mask = env.observe(env.agent_selection)["action_mask"]
        env.step(rng.choice(np.flatnonzero(mask).tolist()))


def whole_play(env: Any, rng: random.Random) -> tuple[Any, ...]:
    halfway(env, 100_000, rng)
    match = env.unwrapped.episodes.current
    return match.events, match.returns(), dict(env.rewards)


COPIES = {
    "copy": copy.deepcopy,
    "pickle": lambda env: pickle.loads(pickle.dumps(env)),
    "clone": lambda env: env.unwrapped.clone(),
}


@every_game
def test_a_copy_in_mid_match_goes_on_with_the_same_cards(name: str) -> None:
    for how, seed in itertools.product(COPIES, (3, None)):
        env = pettingzoo.env(name, 3)
        env.reset(seed=seed, options={"number": 4})
        halfway(env, 7, random.Random(seed))
        other = COPIES[how](env)
        kept = env.unwrapped.episodes.current.events
        played = whole_play(other, random.Random(9))
        assert env.unwrapped.episodes.current.events == kept
        assert whole_play(env, random.Random(9)) == played
        env.reset(), other.reset()
        assert whole(env.unwrapped.episodes.current) == whole(other.unwrapped.episodes.current)
    many = pettingzoo.parallel_env(name, 3)
    seen, _ = many.reset(seed=3)
    other = pickle.loads(pickle.dumps(many))
    while many.agents:
        actions = {agent: int(np.argmax(seen[agent]["action_mask"])) for agent in many.agents}
        (seen, *rest), again = many.step(actions), other.step(actions)
        assert repr([seen, *rest]) == repr([*again])


# --- pictures
@every_game
def test_every_position_can_be_drawn(name: str) -> None:
    env = pettingzoo.raw_env(name, render_mode="rgb_array")
    env.reset(seed=2)
    halfway(env, 9, random.Random(2))
    drawn = env.render()
    assert drawn.shape == (720, 960, 3) and drawn.dtype == np.uint8
    view = env.episodes.current.view(env.seat_of[env.agent_selection])
    words = Catalogue("en", view.folders, view.names, suits=True)
    text = " ".join(re.findall(r">([^<]+)<", drawing(view)))
    assert all(escape(words.words(sentence)) in text for sentence in (view.prompt, *view.log[-2:]))
    without = raster(re.sub(r"<text.*?</text>", "", drawing(view)))
    assert (drawn != without).any(axis=2).sum() > 1000  # what is written can be seen


def test_without_fonts_nothing_is_drawn_blank(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(picture, "FONTS", "No Such Font")
    monkeypatch.setattr(picture, "raster", lambda svg: raster(re.sub(r"<text.*?</text>", "", svg)))
    has_font = picture.has_font.__wrapped__
    assert not has_font()
    monkeypatch.setattr(picture, "has_font", has_font)
    with pytest.raises(hexdeck.HexdeckError, match="no font to draw cards with"):
        picture.pixels(hexdeck.game("hawthorn").match(1).view(0))


def test_nothing_is_rendered_without_a_render_mode() -> None:
    env = pettingzoo.raw_env("hawthorn")
    env.reset(seed=1)
    with pytest.raises(hexdeck.BadOption, match="with render_mode set to one of human, ansi, rgb_array"):
        env.render()


@pytest.mark.parametrize("name", ["pettingzoo", "gymnasium"])
def test_without_a_framework_its_module_says_how_to_get_it(name: str) -> None:
    code = f"import sys; sys.modules[{name!r}] = None; import hexdeck.envs.{name}"
    complaint = ran_apart([sys.executable, "-c", code]).stderr
    assert complaint.strip().endswith(
        f"This needs more packages ({name}); pip install '.[envs]' in Hexdeck's folder installs them."
    )
