"""No mask of an environment is ever all zeros, and where a match is over it is all true, in every form and game."""

import random
from collections.abc import Iterator
from typing import Any

import numpy as np

import hexdeck
from hexdeck.engine.discovery.definition import definition
from hexdeck.envs.gymnasium import SeatEnv, SeatVectorEnv
from hexdeck.envs.pettingzoo.forms import GameAECEnv, GameParallelEnv
from hexdeck.simulation.game import Game
from tests.settings import every_game

Shown = tuple[np.ndarray, Any]  # a mask, or one for each environment, and whether the match is over
MATCHES = 2


def any_of(mask: np.ndarray, dice: random.Random) -> int:
    """An action that a mask allows."""
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
    """Of every agent of PettingZoo's parallel form."""
    env = GameParallelEnv(game)
    for seed in range(MATCHES):
        seen, _ = env.reset(seed)
        while env.agents:
            seen, *_rest = env.step({agent: any_of(seen[agent]["action_mask"], dice) for agent in env.agents})
            yield from ((one["action_mask"], not env.agents) for one in seen.values())


def at_a_seat(game: Game, dice: random.Random) -> Iterator[Shown]:
    """Of Gymnasium's form, the last seat's."""
    env = SeatEnv(game.name, game.players, game.players - 1, "random", **game.options)
    for seed in range(MATCHES):
        (seen, info), ended = env.reset(seed=seed), False
        while not ended:
            seen, _, ended, _, info = env.step(any_of(seen["action_mask"], dice))
            yield from ((mask, ended) for mask in (seen["action_mask"], info["action_mask"], env.action_masks()))


def at_many_seats(game: Game, dice: random.Random) -> Iterator[Shown]:
    """Of Gymnasium's form for many environments."""
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
