"""Nets on disk: one line of JSON that tells everything about a net, then its weights as little-endian float16."""

from __future__ import annotations

import functools
import hashlib
import json
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np

from hexdeck.bots.nets import INPUTS, SEEN, length
from hexdeck.engine.errors import HexdeckError, UnknownGame
from hexdeck.engine.game import Game, find_game, game_folder, game_module
from hexdeck.engine.text import _, say

FORMAT = "hexdeck net 1"


@dataclass(frozen=True)
class Net:
    """A policy net of a game.

    `weights` float64 and `sizes` int64 as `bots.nets` takes them; `units`: of each number of players the middle and the
    unit of the value; `about`: where it comes from (players, options, seed, command, league …), as JSON can hold it.
    """

    game: str
    sizes: np.ndarray
    weights: np.ndarray
    units: dict[int, tuple[float, float]]
    about: dict[str, Any]


def net_sizes(rules: ModuleType, near: int, far: int) -> np.ndarray:
    """The sizes, int64, of a net for a game with so many neurons in its hidden layers."""
    seen = max(end for _, end in rules.SLICES.values())
    return np.array([seen, seen + rules.SEATS, near, far, len(rules.ACTIONS)], np.int64)


def layout(rules: ModuleType) -> str:
    """A hash of what the inputs and outputs of a game's nets mean: slices of the observation, seats, actions."""
    meaning = json.dumps([rules.STRUCT_VERSION, rules.SLICES, rules.SEATS, rules.ACTIONS])
    return hashlib.sha256(meaning.encode()).hexdigest()[:16]


def save(net: Net, path: Path) -> None:
    """Write a net."""
    header = {
        "format": FORMAT, "game": net.game, "layout": layout(game_module(net.game, "rules")),
        "sizes": net.sizes.tolist(), "units": net.units, **net.about,
    }  # fmt: skip
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(json.dumps(header).encode() + b"\n" + net.weights.astype("<f2").tobytes())


def load(path: Path) -> Net:
    """Read a net; raises HexdeckError when it is none, or when the game's observation or actions are others now."""
    first, _newline, rest = path.read_bytes().partition(b"\n")
    try:
        header = json.loads(first)
        sizes = np.array(header["sizes"], np.int64)
        units = {int(players): (float(a), float(b)) for players, (a, b) in header["units"].items()}
        fits = header.pop("format") == FORMAT and 2 * length(sizes) == len(rest)
        name = find_game(str(header["game"]))
    except (ValueError, KeyError, TypeError, AttributeError, IndexError, UnknownGame):
        fits = False
    if not fits:
        raise HexdeckError(say("{file} is not a net of hexdeck, or it is damaged.", file=path.name))
    rules = game_module(name, "rules")
    same = header["layout"] == layout(rules) and sizes[SEEN] + rules.SEATS == sizes[INPUTS]
    if not same:
        raise HexdeckError(
            say("The net {file} was trained for another version of {game}; train it anew.", file=path.name, game=name)
        )
    about = {key: value for key, value in header.items() if key not in ("game", "layout", "sizes", "units")}
    return Net(name, sizes, np.frombuffer(rest, "<f2").astype(np.float64), units, about)


def shipped(name: str) -> list[Path]:
    """The nets that the package has for a game."""
    return sorted((game_folder(name) / "net").glob("*.net"))


@functools.cache
def _nets(folder: Path) -> dict[int, Net]:
    """The net for each number of players; the one that was trained for fewer numbers goes first."""
    found: dict[int, Net] = {}
    for net in sorted(map(load, sorted(folder.glob("*.net"))), key=lambda net: -len(net.units)):
        found |= dict.fromkeys(net.units, net)
    return found


def has_net(game: Game) -> bool:
    """Whether the package has a net for a game of so many players."""
    return game.players in _nets(game_folder(game.name) / "net")


def shipped_net(game: Game) -> Net:
    """The net that the package has for a game of so many players; raises HexdeckError when there is none."""
    if not has_net(game):
        text = _("There is no trained net for {game} with {players} players.")
        raise HexdeckError(say(text, game=game.name, players=game.players))
    return _nets(game_folder(game.name) / "net")[game.players]
