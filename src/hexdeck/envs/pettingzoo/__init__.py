"""The games as PettingZoo environments.

    from hexdeck.envs.pettingzoo import cursed_hand_v0
    env = cursed_hand_v0.env(players=4, losses=3, render_mode="ansi")

There is a module for each game, named by its version, with `env`, `raw_env` and `parallel_env`; the same functions
here take the game's name first. Modules are made from the games that there are. When this is imported the games are
also in PettingZoo's registry: `pettingzoo.make("aec", "hexdeck/CursedHand-v0")`, or `"parallel"`.
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

    from hexdeck.envs.forms import ILLEGAL
    from hexdeck.envs.pettingzoo.aec import TableEnv
    from hexdeck.envs.pettingzoo.parallel import ParallelTable
from hexdeck.envs.versions import camel_name, module_name, named


def raw_env(name: str, players: int | None = None, render_mode: str | None = None, **options: Any) -> TableEnv:
    """The bare environment of a game: seats take turns; an illegal action raises IllegalMove."""
    return TableEnv(game(name, players, **options), render_mode)


def env(
    name: str, players: int | None = None, render_mode: str | None = None, illegal_reward: float = ILLEGAL,
    **options: Any,
) -> TableEnv:  # fmt: skip
    """The same, but an illegal action ends the match for all: its seat gets that reward, the others nothing."""
    return TableEnv(game(name, players, **options), render_mode, illegal_reward)


def parallel_env(
    name: str, players: int | None = None, render_mode: str | None = None, illegal_reward: float | None = ILLEGAL,
    **options: Any,
) -> ParallelTable:  # fmt: skip
    """The parallel form: all who may choose do so at once, where the rules say so; of others actions are ignored.

    With `illegal_reward` None an illegal action raises IllegalMove instead of ending the match.
    """
    return ParallelTable(game(name, players, **options), render_mode, illegal_reward)


def _module(module: str, name: str) -> ModuleType:
    """The module of a game."""
    made = ModuleType(f"{__name__}.{module}", f"{name} as a PettingZoo environment: `env`, `raw_env`, `parallel_env`.")
    for function in (env, raw_env, parallel_env):
        part: Any = functools.partial(function, name)
        vars(made)[function.__name__] = functools.update_wrapper(part, function)
    vars(made)["__all__"] = ["env", "parallel_env", "raw_env"]
    made.__spec__ = ModuleSpec(made.__name__, None)
    return made


def __getattr__(name: str) -> Any:
    """The module of a game, for those who read types; raises ImportError where only another version is there."""
    versioned = re.fullmatch(r"(\w+)_v\d+", name)
    try:
        there = module_name(find_game(versioned[1])) if versioned else ""
    except UnknownGame:
        there = ""
    if there:
        text = _("There is no environment {name} here, but {there}; its page says what has changed.")
        raise ImportError(str(say(text, name=name, there=there)))
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


for _name, _game in named().items():
    globals()[_name] = sys.modules[f"{__name__}.{_name}"] = _module(_name, _game)
    _id = f"hexdeck/{camel_name(_game)}"
    if _id not in aec_registry:
        register("aec", _id, functools.partial(env, _game))
    if _id not in parallel_registry:
        register("parallel", _id, functools.partial(parallel_env, _game))
__all__ = ["env", "parallel_env", "raw_env", *named()]  # noqa: PLE0604 - the names are strings
