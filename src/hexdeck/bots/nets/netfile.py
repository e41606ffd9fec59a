"""Nets on disk: one line of JSON that says everything about a net, then its weights as little-endian float16."""

import functools
import hashlib
import json
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np

from hexdeck.bots.nets.inference import ACTIONS, HIDDEN_1, HIDDEN_2, INPUTS, length
from hexdeck.engine.discovery.definition import GameDefinition, definition
from hexdeck.engine.discovery.finding import find_game
from hexdeck.engine.errors import BadOption, HexdeckError, UnknownGame, unreadable
from hexdeck.engine.options import stored_options
from hexdeck.engine.play.game import Driver, GameSetup
from hexdeck.engine.text import _, say
from hexdeck.files import write_atomically

FORMAT = "hexdeck net 1"
UNIT = 4  # hidden layers are a multiple of this
LARGEST = 1_000_000  # size of a layer
DRAWN = "drawn"  # the folder of policy nets that the bot `nets` draws besides the game's net
POLICY, DEALS, MIMIC = KINDS = "policy", "deals", "mimic"  # a file that names none is a policy
MISSING = {
    POLICY: _("There is no trained net for {game} with {players} players."),
    DEALS: _("There is no trained deal net for {game} with {players} players."),
    MIMIC: _("There is no imitating net for {game} with {players} players."),
}
BOT_WITH = {  # a bot that uses a net of each kind
    POLICY: "net",
    DEALS: "rollout:house-deal",
    MIMIC: "rollout:mimic",
}
WRONG_BOT = {  # what is said where another bot is given a net of this kind
    POLICY: _("This net chooses moves; use it with the bot net, not with {bot}."),
    DEALS: _(
        "This net estimates what deals are worth; use it with the bot rollout:house-deal:500:FILE.net, not with {bot}."
    ),
    MIMIC: _(
        "This net predicts what others would choose; use it with the bot rollout:mimic:500:FILE.net, not with {bot}."
    ),
}


@dataclass(frozen=True)
class Net:
    """A trained net of a game. Its kind: a policy, values of deals, or an imitation.

    `weights` float64 and `sizes` int64 are as `bots.nets.inference` takes them. `utility_scale`: for each number of
    players it was trained for, the mean and the standard deviation that its value is normalised by. `about`: how it was
    trained (players, options, seed, command, league …), as JSON can hold it; a `note` there says where the command no
    longer makes these weights.
    """

    game: str
    sizes: np.ndarray
    weights: np.ndarray
    utility_scale: dict[int, tuple[float, float]]
    about: dict[str, Any]
    kind: str = POLICY


def net_sizes(rules: ModuleType, hidden_1: int, hidden_2: int, kind: str = POLICY) -> np.ndarray:
    """The sizes, int64, of a net for a game with so many neurons in its hidden layers."""
    observed = max(end for _, end in rules.SLICES.values())
    logits = len(rules.ACTIONS) if kind in (POLICY, MIMIC) else 0
    return np.array([observed, observed + rules.PLAYERS[1], hidden_1, hidden_2, logits], np.int64)


def net_layers(driver: Driver, sizes: np.ndarray, logits: int | None = None) -> tuple[Any, ...]:
    """The arrays for the layers of a net of these sizes, as inference takes them; `logits`: room for so many."""
    inputs, first, second, actions = (max(1, int(sizes[k])) for k in (INPUTS, HIDDEN_1, HIDDEN_2, ACTIONS))
    outputs = actions if logits is None else logits
    return (driver.array(inputs, np.int8), *(driver.array(size, np.float64) for size in (first, second, outputs)))


def layout(game: GameDefinition) -> str:
    """A hash of what the inputs and outputs of a game's nets mean: slices of the observation, seats, actions."""
    rules = game.rules
    meaning = json.dumps([game.struct_version, rules.SLICES, rules.PLAYERS[1], rules.ACTIONS])
    return hashlib.sha256(meaning.encode()).hexdigest()[:16]


def save(net: Net, path: Path) -> None:
    """Write a net; folders that are missing are made. Raises HexdeckError."""
    header = {
        "format": FORMAT,
        "kind": net.kind,
        "game": net.game,
        "layout": layout(definition(net.game)),
        "sizes": net.sizes.tolist(),
        "units": net.utility_scale,
        **net.about,
    }
    write_atomically(path, json.dumps(header).encode() + b"\n" + net.weights.astype("<f2").tobytes())


def is_net_of(path: Path, name: str) -> bool:
    """Whether a file is a net for the game of that name, whatever version of the game it was trained for."""
    with path.open("rb") as file:
        first = file.readline()
    try:
        header = json.loads(first)
        return bool(header["format"] == FORMAT and header["game"] == name)
    except (ValueError, KeyError, TypeError, RecursionError):
        return False


def load(path: Path) -> Net:
    """Read a net; raises HexdeckError where it is none, or the game's observation or actions have changed since."""
    try:
        content = path.read_bytes()
    except OSError as error:
        raise unreadable(path, error) from None
    first, _newline, body = content.partition(b"\n")
    try:
        header = json.loads(first)
        sizes = np.array(header["sizes"], np.int64)
        scale = {int(players): (float(mean), float(std)) for players, (mean, std) in header["units"].items()}
        kind = header.pop("kind", POLICY)
        valid = header.pop("format") == FORMAT and kind in KINDS and says_what_it_learned(header)
        valid = (
            valid
            and all(type(size) is int for size in header["sizes"])
            and are_layers(sizes)
            and 2 * length(sizes) == len(body)
        )
        name = find_game(str(header["game"]))
    except (ValueError, KeyError, TypeError, AttributeError, IndexError, OverflowError, RecursionError, UnknownGame):
        valid = False
    if not valid:
        raise HexdeckError(say("{file} is not a net of hexdeck, or it is damaged.", file=path.name))
    check_version(header, name, sizes, kind, path)
    weights = np.frombuffer(body, "<f2").astype(np.float64)
    if not (np.isfinite(weights).all() and np.isfinite([*scale.values()]).all()):
        text = _("The net {file} is damaged: some of its weights are infinite, or no numbers at all.")
        raise HexdeckError(say(text, file=path.name))
    about = {key: value for key, value in header.items() if key not in ("game", "layout", "sizes", "units")}
    return Net(name, sizes, weights, scale, about, kind)


def are_layers(sizes: np.ndarray) -> bool:
    """Whether these are sizes that inference computes with: those of hidden layers are multiples of 4, and not 0."""
    hidden = sizes[[HIDDEN_1, HIDDEN_2]]
    return bool((hidden > 0).all() and not (hidden % UNIT).any() and sizes.min() >= 0 and sizes.max() <= LARGEST)


def says_what_it_learned(header: dict[str, Any]) -> bool:
    """Whether a header has a layout, and its players and options, if it names them, are what they must be."""
    players, options = header.get("players", []), header.get("options", {})
    if not isinstance(header["layout"], str):
        return False
    return isinstance(options, dict) and isinstance(players, list) and all(type(n) is int for n in players)


def check_version(header: dict[str, Any], name: str, sizes: np.ndarray, kind: str, path: Path) -> None:
    """Raise HexdeckError when a net was trained for another version of its game."""
    game = definition(name)
    expected = net_sizes(game.rules, sizes[HIDDEN_1], sizes[HIDDEN_2], kind)
    valid = header["layout"] == layout(game) and np.array_equal(sizes, expected)
    try:
        stored_options(game.rules.OPTIONS, header.get("options", {}))
    except BadOption:
        valid = False
    if not valid:
        text = _("The net {file} was trained for another version of {game}; train it again.")
        raise HexdeckError(say(text, file=path.name, game=name))


def fingerprint(nets: Iterable[Net]) -> list[str]:
    """A hash of each net: of its kind, its sizes, its weights, and what its value is normalised by."""
    hashes = []
    for net in nets:
        scale = sorted(net.utility_scale.items())
        meaning = json.dumps([net.game, net.kind, net.sizes.tolist(), scale]).encode()
        hashes.append(hashlib.sha256(meaning + net.weights.tobytes()).hexdigest()[:16])
    return hashes


def net_folder(game: GameSetup) -> Path:
    """The folder of the nets that are shipped with a game."""
    return game.definition.folder / "net"


def shipped(game: GameSetup) -> list[Path]:
    """The files of the nets that are shipped with a game."""
    return sorted(net_folder(game).rglob("*.net"))


@functools.cache
def _nets(folder: Path, kind: str) -> dict[int, Net]:
    """The net of a kind for each number of players; of several, the one trained for the fewest numbers of players."""
    by_players: dict[int, Net] = {}
    nets = map(load, sorted(folder.glob("*.net")))
    for net in sorted(nets, key=lambda net: -len(net.utility_scale)):
        by_players |= dict.fromkeys(net.utility_scale if net.kind == kind else (), net)
    return by_players


def has_net(game: GameSetup, kind: str = POLICY) -> bool:
    """Whether a net of a kind is shipped with a game, for this number of players."""
    return game.players in _nets(net_folder(game), kind)


def shipped_net(game: GameSetup, kind: str = POLICY) -> Net:
    """The net of a kind that is shipped with a game for this number of players; raises HexdeckError without one."""
    if not has_net(game, kind):
        raise HexdeckError(say(MISSING[kind], game=game.name, players=game.players))
    return _nets(net_folder(game), kind)[game.players]


@functools.cache
def _drawn(folder: Path) -> tuple[Net, ...]:
    return tuple(map(load, sorted((folder / DRAWN).glob("*.net"))))


def shipped_nets(game: GameSetup) -> list[Net]:
    """The nets of which the bot `nets` draws one: the game's net, and those that are shipped beside it; or none."""
    beside = [net for net in _drawn(net_folder(game)) if game.players in net.utility_scale]
    return [shipped_net(game), *beside] if beside else []


def fitting(net: Net, game: GameSetup, kind: str) -> Net:
    """The net itself; raises HexdeckError unless it is of that game and kind, and learned for so many players."""
    if net.game != game.name:
        raise HexdeckError(say("A net for {its} can't play {game}.", its=net.game, game=game.name))
    if net.kind != kind:
        raise HexdeckError(say(WRONG_BOT[net.kind], bot=BOT_WITH[kind]))
    learned = players_of(net)
    if learned and game.players not in learned:
        text = _("This net learned for {these} players, not for {players}.")
        raise HexdeckError(say(text, these=", ".join(map(str, learned)), players=game.players))
    return net


def players_of(net: Net) -> list[int]:
    """The numbers of players that a net learned for, as its file says; empty where nothing says so."""
    by_unit = net.kind == DEALS  # its values are counted in units, one for each number of players
    return sorted(net.utility_scale if by_unit else net.about.get("players", ()))
