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

from hexdeck.bots.nets.inference import FAR, NEAR, length
from hexdeck.engine.discovery.definition import definition
from hexdeck.engine.discovery.finding import find_game, game_folder
from hexdeck.engine.errors import HexdeckError, UnknownGame
from hexdeck.engine.play.game import GameSetup
from hexdeck.engine.text import _, say

FORMAT = "hexdeck net 1"
POLICY, VALUES, DEALS, MIMIC = KINDS = "policy", "values", "deals", "mimic"  # a file that names none is a policy
MISSING = {
    POLICY: _("There is no trained net for {game} with {players} players."),
    VALUES: _("There is no trained net of values for {game} with {players} players."),
    DEALS: _("There is no trained net of deals for {game} with {players} players."),
    MIMIC: _("There is no net that imitates for {game} with {players} players."),
}
WHO = {  # plays with a net of each kind
    POLICY: "net",
    VALUES: "value",
    DEALS: "rollout:house-deal",
    MIMIC: "rollout:mimic",
}
USED = {  # who plays with a net of each kind
    POLICY: _("This net chooses moves; bot net plays with it, not bot {bot}."),
    VALUES: _("This net tells values of positions; bot value plays with it, not bot {bot}."),
    DEALS: _("This net tells what deals are worth; bot rollout:house-deal:500:FILE.net thinks with it, not bot {bot}."),
    MIMIC: _("This net tells what others would choose; bot rollout:mimic:500:FILE.net thinks with it, not bot {bot}."),
}


@dataclass(frozen=True)
class Net:
    """A net of a game, of a kind: a `policy`, or `values` of what a seat knows after its own move, or as a deal begins.

    `weights` float64 and `sizes` int64 as `bots.nets.inference` takes them; `units`: of each number of players the
    middle and the unit of the value; `about`: where it comes from (players, options, seed, command, league …), as JSON
    can hold it; a
    `note` says where the command no longer makes these weights again.
    """

    game: str
    sizes: np.ndarray
    weights: np.ndarray
    units: dict[int, tuple[float, float]]
    about: dict[str, Any]
    kind: str = POLICY


def net_sizes(rules: ModuleType, near: int, far: int, kind: str = POLICY) -> np.ndarray:
    """The sizes, int64, of a net for a game with so many neurons in its hidden layers."""
    seen = max(end for _, end in rules.SLICES.values())
    return np.array([seen, seen + rules.SEATS, near, far, outputs(rules, kind)], np.int64)


def outputs(rules: ModuleType, kind: str) -> int:
    """How many actions a net of a kind has logits for."""
    return len(rules.ACTIONS) if kind in (POLICY, MIMIC) else 0


def layout(rules: ModuleType) -> str:
    """A hash of what the inputs and outputs of a game's nets mean: slices of the observation, seats, actions."""
    meaning = json.dumps([rules.STRUCT_VERSION, rules.SLICES, rules.SEATS, rules.ACTIONS])
    return hashlib.sha256(meaning.encode()).hexdigest()[:16]


def save(net: Net, path: Path) -> None:
    """Write a net."""
    header = {
        "format": FORMAT, "kind": net.kind, "game": net.game, "layout": layout(definition(net.game).rules),
        "sizes": net.sizes.tolist(), "units": net.units, **net.about,
    }  # fmt: skip
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(json.dumps(header).encode() + b"\n" + net.weights.astype("<f2").tobytes())


def is_net_of(path: Path, name: str) -> bool:
    """Whether a file is a net of a game, of whatever version of it."""
    with path.open("rb") as file:
        first = file.readline()
    try:
        header = json.loads(first)
        return bool(header["format"] == FORMAT and header["game"] == name)
    except (ValueError, KeyError, TypeError):
        return False


def load(path: Path) -> Net:
    """Read a net; raises HexdeckError when it is none, or when the game's observation or actions are others now."""
    try:
        content = path.read_bytes()
    except OSError:
        raise HexdeckError(say("The net {file} can't be read; is it there?", file=str(path))) from None
    first, _newline, rest = content.partition(b"\n")
    try:
        header = json.loads(first)
        sizes = np.array(header["sizes"], np.int64)
        units = {int(players): (float(a), float(b)) for players, (a, b) in header["units"].items()}
        kind = header.pop("kind", POLICY)
        fits = header.pop("format") == FORMAT and kind in KINDS and 2 * length(sizes) == len(rest)
        name = find_game(str(header["game"]))
    except (ValueError, KeyError, TypeError, AttributeError, IndexError, UnknownGame):
        fits = False
    if not fits:
        raise HexdeckError(say("{file} is not a net of hexdeck, or it is damaged.", file=path.name))
    rules = definition(name).rules
    same = header["layout"] == layout(rules) and np.array_equal(sizes, net_sizes(rules, sizes[NEAR], sizes[FAR], kind))
    if not same:
        raise HexdeckError(
            say("The net {file} was trained for another version of {game}; train it anew.", file=path.name, game=name)
        )
    about = {key: value for key, value in header.items() if key not in ("game", "layout", "sizes", "units")}
    return Net(name, sizes, np.frombuffer(rest, "<f2").astype(np.float64), units, about, kind)


def shipped(name: str) -> list[Path]:
    """The nets that the package has for a game."""
    return sorted((game_folder(name) / "net").glob("*.net"))


@functools.cache
def _nets(folder: Path, kind: str) -> dict[int, Net]:
    """The net of a kind for each number of players; the one that was trained for fewer numbers goes first."""
    found: dict[int, Net] = {}
    for net in sorted(map(load, sorted(folder.glob("*.net"))), key=lambda net: -len(net.units)):
        found |= dict.fromkeys(net.units if net.kind == kind else (), net)
    return found


def has_net(game: GameSetup, kind: str = POLICY) -> bool:
    """Whether the package has a net of a kind for a game of so many players."""
    return game.players in _nets(game_folder(game.name) / "net", kind)


def shipped_net(game: GameSetup, kind: str = POLICY) -> Net:
    """The net of a kind that the package has for a game of so many players; raises HexdeckError when there is none."""
    if not has_net(game, kind):
        raise HexdeckError(say(MISSING[kind], game=game.name, players=game.players))
    return _nets(game_folder(game.name) / "net", kind)[game.players]


def fitting(net: Net, game: GameSetup, kind: str) -> Net:
    """The net, if it is of that kind and game, one of deals also for so many players; else raises HexdeckError."""
    if net.game != game.name:
        raise HexdeckError(say("A net for {its} can't play {game}.", its=net.game, game=game.name))
    if net.kind != kind:
        raise HexdeckError(say(USED[net.kind], bot=WHO[kind]))
    if kind == DEALS and game.players not in net.units:
        raise HexdeckError(say("This net of deals wasn't trained for {players} players.", players=game.players))
    return net
