"""The version of each game as an environment: a change of its actions, observations, play or rewards raises it.

`versions.toml` in a game's folder tells the history, and of the newest version fingerprints that a test compares.
"""

from __future__ import annotations

import functools
import hashlib
import random
import tomllib
from typing import Any

from hexdeck.engine.game import game, game_folder, game_module, game_names

PLAYS = 5  # matches of each number of players that a fingerprint looks at
FILE = "versions.toml"


@functools.cache
def history(name: str) -> list[dict[str, Any]]:
    """The versions of a game's environments, the oldest first: `number`, `changes`, and fingerprints."""
    with (game_folder(name) / FILE).open("rb") as stream:
        versions: list[dict[str, Any]] = tomllib.load(stream)["version"]
    return versions


def version(name: str) -> int:
    """The newest version of a game's environments."""
    return int(history(name)[-1]["number"])


def module_name(name: str) -> str:
    """What a game's environment is called where names are those of modules: `some_game_v0`."""
    return f"{name.replace('-', '_')}_v{version(name)}"


def camel_name(name: str) -> str:
    """What it is called where names are those of classes: `SomeGame-v0`."""
    return f"{''.join(part.capitalize() for part in name.split('-'))}-v{version(name)}"


def named() -> dict[str, str]:
    """The games by the names of their modules."""
    return {module_name(name): name for name in game_names()}


def fingerprints(name: str) -> dict[str, str]:
    """Hashes of what a learner meets: the actions, the layout of observations, and random matches from end to end."""
    rules = game_module(name, "rules")
    return {
        "actions": digest(repr(rules.ACTIONS)),
        "observations": digest(repr(rules.SLICES)),
        "play": digest("".join(play(name, players) for players in rules.PLAYERS)),
    }


def play(name: str, players: int) -> str:
    """Some random matches with the usual options: every observation, every event, every result."""
    told = []
    for number in range(PLAYS):
        match, dice = game(name, players).match(seed=0, number=number), random.Random(number)
        while not match.over:
            seat = match.actor
            ids = match.legal_ids(seat)
            told.append(f"{seat} {match.observation(seat).tobytes().hex()} {ids}")
            match.play(seat, ids[int(dice.random() * len(ids))])
        told.append(repr((match.returns(), match.ending)))
    return "\n".join(told)


def digest(text: str) -> str:
    """A short hash."""
    return hashlib.sha256(text.encode()).hexdigest()[:16]
