"""The speed of our environments beside frameworks' own games, by one loop: random legal play from one seed."""

from __future__ import annotations

import importlib
import random
import time
from typing import Any

from hexdeck.engine.errors import HexdeckError
from hexdeck.engine.text import say
from hexdeck.simulation.game import Game
from hexdeck.simulation.speed import walk

SECONDS = 0.25  # of one measurement
CARDS = ("leduc_holdem_v4", "texas_holdem_v4", "texas_holdem_no_limit_v6")  # PettingZoo's own
PYTHON = ("python_kuhn_poker", "python_liars_poker", "python_block_dominoes")  # OpenSpiel's own


def wanted(module: str) -> Any:
    """Import a framework's module; raises HexdeckError where it can't be."""
    try:
        return importlib.import_module(module)
    except ImportError as error:
        text = say(
            "{module} can't be used ({why}); make bench installs it, or pip install '.[bench]' in Hexdeck's folder.",
            module=module,
            why=str(error),
        )
        raise HexdeckError(text) from None


def card_game(name: str) -> Any:
    """One of PettingZoo's card games, with its wrappers."""
    return wanted(f"pettingzoo.classic.{name}").env()


def aec(game: Game) -> Any:
    """One of our games as a PettingZoo AEC environment."""
    wanted("pettingzoo")
    from hexdeck.envs.pettingzoo import env

    return env(game.name, game.players, **game.options)


def aec_speed(env: Any, seconds: float = SECONDS) -> float:
    """Steps a second of an AEC environment: observe, choose from the action mask, step."""
    dice, steps, matches, began = random.Random(1), 0, 0, time.perf_counter()
    while time.perf_counter() < began + seconds:
        env.reset(seed=matches)
        matches += 1
        for _ in env.agent_iter():
            observation, _, terminated, truncated, _ = env.last()
            if terminated or truncated:
                env.step(None)
                continue
            legal = observation["action_mask"].nonzero()[0]
            env.step(int(legal[int(dice.random() * len(legal))]))
            steps += 1
    return steps / (time.perf_counter() - began)


def python_game(name: str) -> Any:
    """One of OpenSpiel's games written in Python."""
    wanted("open_spiel.python.games")
    return wanted("pyspiel").load_game(name)


def spiel(game: Game) -> Any:
    """One of our games as an OpenSpiel game."""
    wanted("pyspiel")
    from hexdeck.envs.open_spiel import load

    return load(game)


def spiel_speed(game: Any, seconds: float = SECONDS) -> float:
    """Events a second, moves and chance, of an OpenSpiel game."""
    dice, events, began = random.Random(1), 0, time.perf_counter()
    while time.perf_counter() < began + seconds:
        events += sum(walk(game, dice))
    return events / (time.perf_counter() - began)
