"""What environments hand out is made from what a seat knows: the re-deal test, for each of their channels."""

import random
from collections.abc import Callable
from itertools import product
from types import SimpleNamespace
from typing import Any
from unittest.mock import patch

import numpy as np
import pytest

from hexdeck.engine.backends import kernels_batch
from hexdeck.engine.discovery.definition import definition
from hexdeck.engine.play.game import raw
from hexdeck.engine.play.match import Match
from hexdeck.envs.gymnasium import SeatEnv
from hexdeck.envs.pettingzoo import GameAECEnv, GameParallelEnv
from hexdeck.envs.picture import drawing
from hexdeck.simulation.batch import Batch
from tests.positions import whole
from tests.secrecy.channels import Report, positions
from tests.secrecy.test_leaks import curious_label, curious_observe, curious_zones
from tests.settings import GAMES, covered, much, random_game

pyspiel = pytest.importorskip("pyspiel")

Channel = Callable[[Match, int], Any]
BACKEND = "interpreted"
RESTING = 2  # of the environments of a shard: which of them play no more
ENOUGH = much(6, 20)  # worlds that really differ


def shown(batch: Batch, match: Match) -> dict[str, bytes]:
    """What a batch of one environment writes of a position, over what it wrote before."""
    shard = batch._workers.shards[0]
    raw(shard.rows)[kernels_batch.FIRST] = np.frombuffer(whole(match), np.uint8)
    shard.envs[RESTING][0] = match.over
    envs, weights = (shard.out, shard.weights)
    kernels_batch.show(batch.driver.g, shard.rows, 0, envs, weights, batch._settings)
    return {name: array.tobytes() for name, array in vars(batch.arrays).items()}


def batched(match: Match, seat: int) -> list[bytes]:
    batch = match.game.batch(1, seed=1, backend=BACKEND, by_hand=True)
    parts = shown(batch, match)
    return list(parts.values()) if seat == match.actor else []


def in_turn(match: Match, seat: int) -> Any:
    """What an agent of PettingZoo's AEC form gets: observation, info and text."""
    env = GameAECEnv(match.game, "ansi")
    env.episodes.match, env.infos = match, {}
    env._select(match.actor)
    agent = env.possible_agents[seat]
    return repr((env.observe(agent), env.infos.get(agent), env.render() if seat == match.actor else ""))


def at_once(match: Match, seat: int) -> Any:
    """What an agent of PettingZoo's parallel form gets, and the text that all see."""
    env = GameParallelEnv(match.game, "ansi")
    env.episodes.match = match
    seen, infos = env._observations()
    agent = env.possible_agents[seat]
    return repr((seen[agent], infos[agent], env.render()))


def in_pictures(match: Match, seat: int) -> Any:
    env, many = GameAECEnv(match.game, "rgb_array"), GameParallelEnv(match.game, "rgb_array")
    env.episodes.match, env.infos, many.episodes.match = match, {}, match
    env._select(seat)
    with patch("hexdeck.envs.picture.pixels", drawing):  # what is rasterised; that takes long
        return env.render(), many.render()


def after_the_end(match: Match, seat: int) -> Any:
    """What an agent of PettingZoo's forms gets once its illegal action, or another's, has stopped the match."""
    outputs = []
    for env in (GameAECEnv(match.game, "ansi", -1), GameParallelEnv(match.game, "ansi", -1)):
        env.reset(seed=1)
        env.episodes.match = match
        if isinstance(env, GameAECEnv):
            env._select(match.actor)
            env._stop(env.agent_selection, -1)
            outputs.append((env.observe(env.possible_agents[seat]), env.infos, env.rewards, env.render()))
        else:
            seen, *others, infos = env._stopped([match.actor], -1)
            outputs.append((seen[env.possible_agents[seat]], infos[env.possible_agents[seat]], others, env.render()))
    return repr(outputs)


def at_a_seat(match: Match, seat: int) -> Any:
    """What a seat of Gymnasium's form gets: observation, info and text."""
    env = SeatEnv(match.game.name, match.game.players, seat, "random", "ansi", **match.game.options)
    env.episodes.match = match
    return repr((env.observed(seat), env._info(), env.action_masks(), env.render()))


def in_strings(match: Match, seat: int) -> Any:
    """What a player of OpenSpiel's form gets: all strings and tensors, and the actions it may choose."""
    from hexdeck.envs.histories import Workspace
    from hexdeck.envs.open_spiel import SpielObserver

    workspace = Workspace(match.game, BACKEND)
    past = workspace.history_from(whole(match))
    state, outputs = SimpleNamespace(past=past), []
    for recall, public, private in product((False, True), repeat=3):
        none = pyspiel.PrivateInfoType.SINGLE_PLAYER if private else pyspiel.PrivateInfoType.NONE
        kind = pyspiel.IIGObservationType(perfect_recall=recall, public_info=public, private_info=none)
        observer = SpielObserver(workspace, kind, None)
        observer.set_from(state, seat)  # type: ignore[arg-type]
        tensor = b"" if observer.tensor is None else observer.tensor.tobytes()
        outputs.append((observer.string_from(state, seat), tensor))  # type: ignore[arg-type]
    return repr((outputs, workspace.legal(past.world, seat)))


CHANNELS: dict[str, Channel] = {
    "batch": batched,
    "pettingzoo": in_turn,
    "pettingzoo parallel": at_once,
    "pettingzoo stopped": after_the_end,
    "pictures": in_pictures,
    "gymnasium": at_a_seat,
    "openspiel": in_strings,
}


# in a usual run each channel with two games, and each game with two channels or more: what games show is proved in
# tests/secrecy with each, and a channel is the same code for all of them
TWICE = [(GAMES[(k + more) % len(GAMES)], channel) for k, channel in enumerate(CHANNELS) for more in (0, 3)]


def redealt(name: str, channel: Channel) -> Report:
    """Compare what a seat gets in random worlds with what it gets in the true one, until enough worlds differ."""
    rng, report = random.Random(1), Report()
    while report.changed < ENOUGH:
        for match in positions(random_game(name, rng), BACKEND, rng, 0.1):
            for seat in match.acting[:1]:
                truth, world = channel(match, seat), match.resample(seat, rng.getrandbits(60))
                report.worlds += 1
                report.changed += whole(world) != whole(match)
                report.leaks["channel"] += channel(world, seat) != truth
    return report


@pytest.mark.parametrize(("name", "channel"), much(TWICE, [*product(GAMES, CHANNELS)]))
def test_no_environment_tells_worlds_apart(name: str, channel: str) -> None:
    report = redealt(name, CHANNELS[channel])
    assert not report.leaks["channel"], str(report)


@covered(("name", "channel"), GAMES, list(CHANNELS))
def test_it_fails_when_nothing_is_concealed(name: str, channel: str, monkeypatch: pytest.MonkeyPatch) -> None:
    driver, table = random_game(name, random.Random(0)).driver(BACKEND), definition(name).table
    for plant in (curious_observe, curious_zones, curious_label):
        plant(driver, table, monkeypatch)
    assert not redealt(name, CHANNELS[channel]).leaks["channel"]  # they show all that they are given
    monkeypatch.setattr(driver.g, "conceal", lambda s, seat: None)
    assert redealt(name, CHANNELS[channel]).leaks["channel"]
