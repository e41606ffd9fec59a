"""The games as PettingZoo environments.

    from hexdeck.envs.pettingzoo import cursed_hand_v1
    env = cursed_hand_v1.env(players=4, losses=3, render_mode="ansi")

There is a module for each game and its newest version, with `env`, `raw_env` and `parallel_env`; the same functions
here take the game's name first. The modules are generated. Importing this package also registers the games with
PettingZoo: `pettingzoo.make("aec", "hexdeck/CursedHand-v1")`, or `"parallel"`.
"""

from __future__ import annotations

import functools
import re
import sys
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import Any

from hexdeck.engine.discovery.finding import find_game
from hexdeck.engine.errors import UnknownGame
from hexdeck.engine.text import _, say
from hexdeck.envs import needed
from hexdeck.simulation.game import game

with needed():
    from pettingzoo import aec_registry, parallel_registry, register

    from hexdeck.envs.pettingzoo.forms import GameAECEnv, GameParallelEnv
    from hexdeck.envs.single import BELOW, Reward
from hexdeck.envs.versions import camel_name, module_name, named


def raw_env(name: str, players: int | None = None, render_mode: str | None = None, **options: Any) -> GameAECEnv:
    """The AEC environment of a game without wrappers; an illegal action raises IllegalMove."""
    return GameAECEnv(game(name, players, **options), render_mode)


def env(
    name: str,
    players: int | None = None,
    render_mode: str | None = None,
    illegal_reward: Reward = BELOW,
    **options: Any,
) -> GameAECEnv:
    """The AEC environment of a game; an illegal action ends the match: its seat gets `illegal_reward`, the others 0.

    By default that is less than any result of the game (see `hexdeck.envs.single.penalty`); with None it raises
    IllegalMove.
    """
    return GameAECEnv(game(name, players, **options), render_mode, illegal_reward)


def parallel_env(
    name: str,
    players: int | None = None,
    render_mode: str | None = None,
    illegal_reward: Reward = BELOW,
    **options: Any,
) -> GameParallelEnv:
    """The parallel environment of a game: all seats that may act do so in one step; actions of others are ignored.

    An illegal action ends the match, as in `env`.
    """
    return GameParallelEnv(game(name, players, **options), render_mode, illegal_reward)


def _module(module: str, name: str) -> ModuleType:
    """Make the module of a game."""
    module_object = ModuleType(
        f"{__name__}.{module}", f"{name} as a PettingZoo environment: `env`, `raw_env`, `parallel_env`."
    )
    for function in (env, raw_env, parallel_env):
        part: Any = functools.partial(function, name)
        vars(module_object)[function.__name__] = functools.update_wrapper(part, function)
    vars(module_object)["__all__"] = ["env", "parallel_env", "raw_env"]
    module_object.__spec__ = ModuleSpec(module_object.__name__, None)
    return module_object


def __getattr__(name: str) -> Any:
    """Tell type checkers that games' modules are attributes; raises ImportError where there is another version."""
    versioned = re.fullmatch(r"(\w+)_v\d+", name)
    try:
        game_module = module_name(find_game(versioned[1])) if versioned else ""
    except UnknownGame:
        game_module = ""
    if game_module:
        text = _("There is no environment {name} here, but {there}; its page says what has changed.")
        raise ImportError(str(say(text, name=name, there=game_module)))
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


for _name, _game in named().items():
    globals()[_name] = sys.modules[f"{__name__}.{_name}"] = _module(_name, _game)
    _id = f"hexdeck/{camel_name(_game)}"
    if _id not in aec_registry:
        register("aec", _id, functools.partial(env, _game))
    if _id not in parallel_registry:
        register("parallel", _id, functools.partial(parallel_env, _game))
__all__ = ["env", "parallel_env", "raw_env", *named()]  # noqa: PLE0604 - the names are strings
