"""No mask of an environment is ever all zeros, and where a match is over it is all true, in every form and game."""

import random
from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np
import pytest

import hexdeck
from hexdeck.engine.discovery.definition import definition
from hexdeck.envs.gymnasium import SeatEnv, SeatVectorEnv
from hexdeck.envs.pettingzoo import GameAECEnv, GameParallelEnv
from hexdeck.simulation.game import Game
from tests.settings import every_game

Shown = tuple[np.ndarray, Any]  # a mask, or one for each environment, and whether the match is over
MATCHES = 2


def any_of(mask: np.ndarray, dice: random.Random) -> int:
    return int(dice.choice(np.flatnonzero(mask).tolist()))


def in_turn(game: Game, dice: random.Random) -> Iterator[Shown]:
    """Of every agent of PettingZoo's AEC form, in its observation and in its info."""
    env = GameAECEnv(game)
    for seed in range(MATCHES):
        env.reset(seed)
        for _agent in env.agent_iter():
            seen, _, ended, cut, _ = env.last()
            for one in env.agents:
                yield env.observe(one)["action_mask"], ended
                yield env.infos[one]["action_mask"], ended
            env.step(None if ended or cut else any_of(seen["action_mask"], dice))


def at_once(game: Game, dice: random.Random) -> Iterator[Shown]:
    env = GameParallelEnv(game)
    for seed in range(MATCHES):
        seen, _ = env.reset(seed)
        while env.agents:
            seen, *_rest = env.step({agent: any_of(seen[agent]["action_mask"], dice) for agent in env.agents})
            yield from ((one["action_mask"], not env.agents) for one in seen.values())


def at_a_seat(game: Game, dice: random.Random) -> Iterator[Shown]:
    env = SeatEnv(game.name, game.players, game.players - 1, "random", **game.options)
    for seed in range(MATCHES):
        (seen, info), ended = env.reset(seed=seed), False
        while not ended:
            seen, _, ended, _, info = env.step(any_of(seen["action_mask"], dice))
            yield from ((mask, ended) for mask in (seen["action_mask"], info["action_mask"], env.action_masks()))


def at_many_seats(game: Game, dice: random.Random) -> Iterator[Shown]:
    env = SeatVectorEnv(game.name, 8, game.players, game.players - 1, "random", **game.options)
    seen, _ = env.reset(seed=1)
    for _ in range(30):
        seen, _, ended, _, info = env.step(np.array([any_of(mask, dice) for mask in seen["action_mask"]]))
        yield seen["action_mask"], ended
        yield info["action_mask"], ended
    env.close()


def in_a_batch(game: Game, dice: random.Random) -> Iterator[Shown]:
    """Of a batch in which bots have all seats but the last; some matches have no decision for it."""
    with game.batch(8, seed=1, bots=[*["random"] * (game.players - 1), None]) as batch:
        for _ in range(30):
            batch.step(np.array([any_of(mask, dice) for mask in batch.arrays.masks]))
            yield batch.arrays.masks, batch.arrays.seats < 0


@every_game
def test_no_mask_is_ever_all_zeros(name: str) -> None:
    low, high = definition(name).rules.PLAYERS
    for form in (in_turn, at_once, at_a_seat, at_many_seats, in_a_batch):
        for players in (low, high):
            for mask, over in form(hexdeck.game(name, players), random.Random(players)):
                assert mask.any(-1).all() and mask[np.asarray(over)].all(), (form.__name__, players)


@pytest.mark.long
@every_game
def test_a_million_steps_with_logits_of_minus_infinity_where_an_action_is_illegal(name: str) -> None:
    """As CleanRL masks: a row without a legal action would be all NaN, and the draw from it none."""
    low, high = definition(name).rules.PLAYERS
    for players in range(low, high + 1):
        env, rng = SeatVectorEnv(name, 2048, players, players - 1, "random"), np.random.default_rng(players)
        seen, _ = env.reset(seed=1)
        for _ in range(1_000_000 // 2048 + 1):
            logits = np.where(seen["action_mask"], rng.standard_normal(seen["action_mask"].shape, np.float32), -np.inf)
            powers = np.exp(logits - logits.max(axis=1, keepdims=True))
            sums = np.cumsum(powers / powers.sum(axis=1, keepdims=True), axis=1)
            assert np.isfinite(sums).all(), players
            actions = (sums <= rng.random((2048, 1)) * sums[:, -1:] * (1 - 1e-6)).sum(axis=1)
            seen, _, ended, cut, _ = env.step(actions)
            assert not (ended & cut).any()
        env.close()


# --- what a learner writes into an array that it got ------------------------------------------------------------------
def written_in_turn(game: Game, dice: random.Random) -> Iterator[Iterable[np.ndarray]]:
    """All that PettingZoo's AEC form gives out, asked for twice."""
    env = GameAECEnv(game)
    env.reset(3)
    while env.agents:
        for _twice in range(2):
            seen, _, ended, _, info = env.last()
            action = None if ended else any_of(seen["action_mask"], dice)
            yield (*seen.values(), *info.values())
            yield [array for agent in env.agents for array in env.observe(agent).values()]
        env.step(action)


def written_at_once(game: Game, dice: random.Random) -> Iterator[Iterable[np.ndarray]]:
    env = GameParallelEnv(game)
    seen, _ = env.reset(3)
    while env.agents:
        actions = {agent: any_of(seen[agent]["action_mask"], dice) for agent in env.agents}
        yield [array for one in seen.values() for array in one.values()]
        seen, *_rest = env.step(actions)


def written_at_a_seat(game: Game, dice: random.Random) -> Iterator[Iterable[np.ndarray]]:
    env = SeatEnv(game.name, game.players, 0, "random", **game.options)
    (seen, info), ended = env.reset(seed=3), False
    while not ended:
        action = any_of(seen["action_mask"], dice)
        yield (*seen.values(), *info.values(), env.action_masks())
        yield (env.action_masks(),)
        seen, _, ended, _, info = env.step(action)


def written_at_many_seats(game: Game, dice: random.Random) -> Iterator[Iterable[np.ndarray]]:
    """All that Gymnasium's form for many environments gives out."""
    env = SeatVectorEnv(game.name, 8, game.players, 0, "random", **game.options)
    seen, info = env.reset(seed=3)
    for _ in range(30):
        actions = np.array([any_of(mask, dice) for mask in seen["action_mask"]])
        yield (*seen.values(), *info.values())
        seen, *results, info = env.step(actions)
        yield results
    env.close()


def written_in_a_batch(game: Game, dice: random.Random) -> Iterator[Iterable[np.ndarray]]:
    """All that a batch writes, chance's weights, too: its own arrays, from which it reads nothing."""
    batch = game.batch(8, seed=3, by_hand=True)
    for _ in range(60):
        arrays = batch.arrays
        open_now = np.where(arrays.seats[:, None] >= 0, arrays.masks, False), arrays.weights > 0
        chosen = [any_of(mask if mask.any() else weights, dice) for mask, weights in zip(*open_now, strict=True)]
        yield vars(arrays).values()
        batch.step(chosen)


@pytest.mark.parametrize(
    "form", [written_in_turn, written_at_once, written_at_a_seat, written_at_many_seats, written_in_a_batch]
)
def test_what_is_written_into_an_array_that_was_given_out_changes_nothing(form: Any) -> None:
    game = hexdeck.game("cursed-hand", 3)
    untouched = [[array.tobytes() for array in arrays] for arrays in form(game, random.Random(1))]
    written = []
    for arrays in form(game, random.Random(1)):
        held = list(arrays)
        written.append([array.tobytes() for array in held])
        for array in held:
            array[...] = ~array if array.dtype == np.bool_ else 1 - array
    assert written == untouched and len(written) > 10
