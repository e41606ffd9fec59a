"""What environments hand out is made from what a seat knows: the re-deal test, for each of their channels."""

import random
from collections.abc import Callable
from itertools import product
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import hexdeck
from hexdeck.engine import kernels_batch
from hexdeck.engine.driver import raw
from hexdeck.engine.game import game_module
from hexdeck.engine.match import Match
from hexdeck.envs.gymnasium import SeatEnv
from hexdeck.envs.pettingzoo.aec import TableEnv
from hexdeck.envs.pettingzoo.parallel import ParallelTable
from tests.positions import whole
from tests.secrecy.channels import Report, positions
from tests.secrecy.test_leaks import curious_label, curious_observe, curious_zones
from tests.settings import every_game, random_game

pyspiel = pytest.importorskip("pyspiel")

Channel = Callable[[Match, int], Any]
LANE = "interpreted"
ENOUGH = 20  # worlds that really differ


def batched(match: Match, seat: int) -> list[bytes]:
    """What a batch writes, of a lane where the seat is to act."""
    batch = match.game.batch(1, lane=LANE, by_hand=True)
    raw(batch._shards[0].rows)[kernels_batch.FIRST] = np.frombuffer(whole(match), np.uint8)
    batch.reset(np.zeros(1, np.bool_))
    return [array.tobytes() for array in vars(batch.arrays).values()] if seat == match.actor else []


def in_turn(match: Match, seat: int) -> Any:
    """What an agent of PettingZoo's AEC form gets: observation, info and text."""
    env = TableEnv(match.game, "ansi")
    env.seats.match, env.infos = match, {}
    env._select(match.actor)
    agent = env.possible_agents[seat]
    return repr((env.observe(agent), env.infos.get(agent), env.render() if seat == match.actor else ""))


def at_once(match: Match, seat: int) -> Any:
    """What an agent of PettingZoo's parallel form gets, and the text that all see."""
    env = ParallelTable(match.game, "ansi")
    env.seats.match = match
    seen, infos = env._told()
    agent = env.possible_agents[seat]
    return repr((seen[agent], infos[agent], env.render()))


def at_a_seat(match: Match, seat: int) -> Any:
    """What a seat of Gymnasium's form gets: observation, info and text."""
    env = SeatEnv(match.game.name, match.game.players, seat, "random", "ansi", **match.game.options)
    env.seats.match = match
    return repr((env._seen(), env._info(), env.render()))


def in_strings(match: Match, seat: int) -> Any:
    """What a player of OpenSpiel's form gets: all strings and tensors, and the actions it may choose."""
    from hexdeck.envs.histories import Desk
    from hexdeck.envs.open_spiel import TableObserver

    desk = Desk(match.game, LANE)
    past = desk.begun(whole(match))
    state, told = SimpleNamespace(past=past), []
    for recall, public, private in product((False, True), repeat=3):
        none = pyspiel.PrivateInfoType.SINGLE_PLAYER if private else pyspiel.PrivateInfoType.NONE
        kind = pyspiel.IIGObservationType(perfect_recall=recall, public_info=public, private_info=none)
        observer = TableObserver(desk, kind, None)
        observer.set_from(state, seat)  # type: ignore[arg-type]
        tensor = b"" if observer.tensor is None else observer.tensor.tobytes()
        told.append((observer.string_from(state, seat), tensor))  # type: ignore[arg-type]
    return repr((told, desk.legal(past.world, seat)))


CHANNELS: dict[str, Channel] = {
    "batch": batched,
    "pettingzoo": in_turn,
    "pettingzoo parallel": at_once,
    "gymnasium": at_a_seat,
    "openspiel": in_strings,
}


def redealt(name: str, channel: Channel) -> Report:
    """Compare what a seat gets in random worlds with what it gets in the true one, until enough worlds differ."""
    rng, report = random.Random(1), Report()
    while report.changed < ENOUGH:
        for match in positions(random_game(name, rng), LANE, rng, 0.1):
            for seat in match.acting[:1]:
                truth, world = channel(match, seat), match.redeal(seat, rng.getrandbits(60))
                report.worlds += 1
                report.changed += whole(world) != whole(match)
                report.leaks["channel"] += channel(world, seat) != truth
    return report


@pytest.mark.parametrize("channel", CHANNELS)
@every_game
def test_no_environment_tells_worlds_apart(name: str, channel: str) -> None:
    report = redealt(name, CHANNELS[channel])
    assert not report.leaks["channel"], str(report)


@pytest.mark.parametrize("channel", CHANNELS)
@every_game
def test_it_fails_when_nothing_is_concealed(name: str, channel: str, monkeypatch: pytest.MonkeyPatch) -> None:
    driver, table = random_game(name, random.Random(0)).driver(LANE), game_module(name, "table")
    for plant in (curious_observe, curious_zones, curious_label):
        plant(driver, table, monkeypatch)
    assert not redealt(name, CHANNELS[channel]).leaks["channel"]  # they show all that they are given
    monkeypatch.setattr(driver.g, "conceal", lambda s, seat: None)
    assert redealt(name, CHANNELS[channel]).leaks["channel"]


@pytest.mark.parametrize("by_hand", [False, True])
@every_game
def test_nothing_stays_in_a_batch_of_what_was_there_for_others(name: str, by_hand: bool) -> None:
    game = hexdeck.game(name)
    bots = None if by_hand else [None, *["house"] * (game.players - 1)]
    with game.batch(4, seed=1, lane=LANE, by_hand=by_hand, bots=bots) as batch:
        seen = 0
        for _ in range(300):
            arrays = batch.step(batch.random())
            for lane in range(len(batch)):
                count = arrays.counts[lane]
                seen += count
                assert (arrays.lists[lane, :count] >= 0).all() and (arrays.lists[lane, count:] == -1).all()
                assert arrays.seats[lane] < 0 or not arrays.weights[lane].any()
        assert seen
