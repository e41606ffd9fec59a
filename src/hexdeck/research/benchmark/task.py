"""What a learner is given: a size with its whole tree, a seed, and how long it may learn."""

from __future__ import annotations

import functools
import hashlib
import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from importlib import import_module
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np

from hexdeck.engine.errors import BadOption, HexdeckError
from hexdeck.engine.text import _, say
from hexdeck.research.exact.deals import Deals
from hexdeck.research.exact.policies import inputs_of, known_structs
from hexdeck.research.exact.tree import GameTree, Policy
from hexdeck.simulation.game import Game

MOST = 20_000_000  # histories of a tree that has each order of the same events; in larger ones such deals count once

Table = Policy | Mapping[tuple[int, int], Any]  # of seat and `match.key`: the probabilities of the legal actions
Given = Table | Callable[[GameTree], Table]
Learner = Callable[["Task"], Iterator[tuple[int, Given]]]


class Ground:
    """A game that learners are compared on, and what they share: its tree, what seats know, the span of its utility.

    `players` of them; `name`, such as `cursed-hand/tiny`; `histories`: how many there are.
    """

    def __init__(self, name: str, game: Game, histories: int) -> None:
        self.name, self.game, self.histories = name, game, histories
        self._inputs: dict[tuple[int, ...], np.ndarray] = {}

    @functools.cached_property
    def tree(self) -> GameTree:
        """The whole tree; raises BadOption where it is too large."""
        if self.histories <= MOST:
            return GameTree(self.game)
        deals = Deals(self.game)
        return deals.tree(np.arange(len(deals.shares)))

    @functools.cached_property
    def known(self) -> np.ndarray:
        """What seats know in the information sets of the tree, see `known_structs`."""
        return known_structs(self.tree)

    def inputs(self, sizes: np.ndarray) -> np.ndarray:
        """The inputs of nets of these sizes in the information sets of the tree: int8 (sets, inputs)."""
        key = tuple(sizes.tolist())
        if key not in self._inputs:
            self._inputs[key] = inputs_of(self.tree, self.known, sizes)
        return self._inputs[key]

    @functools.cached_property
    def scale(self) -> float:
        """The span of utilities: from the least that a seat can get to the most."""
        return float(np.ptp(self.tree.nodes[5][:, : self.game.players]))

    def nash_conv(self, answer: Given) -> float:
        """NashConv of a policy, exact."""
        return self.tree.nash_conv(policy_of(self.tree, answer))


def policy_of(tree: GameTree, answer: Given) -> Policy:
    """The policy in a tree: of an array, of a mapping by (seat, key), or of a function of the tree that gives one.

    An information set that a mapping doesn't have is played uniformly; one that has none is refused, for its keys are
    of another kind. Raises BadOption for what isn't a policy.
    """
    table: Any = answer(tree) if callable(answer) else answer
    if isinstance(table, Mapping):
        keys = set(zip(tree.seats.tolist(), tree.keys.tolist(), strict=True))
        if table and keys.isdisjoint(table):
            raise BadOption(say("A policy's mapping has none of the game's information sets, (seat, match.key(seat))."))
        return tree.policy(lambda seat, key, actions: table.get((seat, key), [1 / len(actions)] * len(actions)))
    return np.asarray(table, np.float64)


def on_demand(average: Callable[[], Policy]) -> Given:
    """A policy that is only worked out where it is measured."""
    return lambda _tree: average()


@dataclass(frozen=True)
class Task:
    """What a learner is to do: learn to play a game from a seed, for so many seconds of processor time.

    `game`; `tree`: its `GameTree`; `known`: what the seat to act knows in each information set of it, uint8 (sets,
    bytes); `scale`: the span of its utilities.
    """

    ground: Ground
    seed: int
    seconds: float

    @property
    def game(self) -> Game:
        """The game."""
        return self.ground.game

    @property
    def tree(self) -> GameTree:
        """Its whole tree; raises BadOption where it is too large."""
        return self.ground.tree

    @property
    def known(self) -> np.ndarray:
        """What the seat to act knows in each information set."""
        return self.ground.known

    @property
    def scale(self) -> float:
        """The span of utilities."""
        return self.ground.scale

    def random(self) -> np.random.Generator:
        """A random generator of the seed."""
        return np.random.default_rng(self.seed)


# --- algorithms -------------------------------------------------------------------------------------------------------
OURS = (
    "cfr_plus",
    "pcfr_plus",
    "mccfr",
    "fictitious_play",
    "mirror_descent",
    "rnad",
    "ppo",
    "mirror_descent_net",
    "trainer",
    "ismcts",
    "pimc",
    "house",
    "best",
)


@dataclass(frozen=True)
class Algorithm:
    """A learner with what is told of it.

    `name` of its module or file; `title`; `paper` that it is from; `work`: what it counts; `settings`; `version`, which
    changes when its results do; `draws`: whether its seed changes anything. `bot`: gives the name of a bot that plays
    whole games. Without `learn` it is for these only, without `bot` for the others.
    """

    name: str
    learn: Learner | None
    title: str
    paper: str = ""
    work: str = "steps"
    settings: Mapping[str, Any] = field(default_factory=dict)
    version: int | str = 1
    draws: bool = True
    bot: Callable[[Task, Path], str] | None = None


def ours(name: str) -> Algorithm:
    """An algorithm that comes with the benchmark; raises BadOption."""
    if name not in OURS:
        raise BadOption(say("There is no algorithm {name}; there are {there}.", name=name[:40], there=", ".join(OURS)))
    return described(name, import_module(f"hexdeck.research.benchmark.algorithms.{name}"), 1)


def described(name: str, module: ModuleType, version: int | str) -> Algorithm:
    """The algorithm of a module, with a version in case it has none; raises BadOption for such settings."""
    settings, version = getattr(module, "SETTINGS", {}), getattr(module, "VERSION", version)
    try:
        plain = json.loads(json.dumps(dict(settings), allow_nan=False))
    except (TypeError, ValueError) as error:
        text = _("SETTINGS is a dict of numbers, text, lists and dicts, so that it can be kept: {why}.")
        raise BadOption(say(text, why=str(error))) from None
    return Algorithm(
        name,
        getattr(module, "learn", None),
        line(getattr(module, "TITLE", name)),
        line(getattr(module, "PAPER", "")),
        line(getattr(module, "WORK", "steps")),
        plain,
        version if isinstance(version, int) else str(version),
        bool(getattr(module, "DRAWS", True)),
        getattr(module, "bot", None),
    )


def line(text: Any) -> str:
    """Text of an algorithm's author on one line, as a cell of a table holds it."""
    return " ".join(str(text).replace("|", "/").split())


def in_file(file: Path) -> Algorithm:
    """The algorithm in a Python file, named as the file is.

    A file that can't be run gives an algorithm that fails with its error. Raises HexdeckError where there is no file,
    or one of ours has its name.
    """
    try:
        content = file.read_bytes()
    except OSError as error:
        raise HexdeckError(say("{file} can't be read: {why}.", file=str(file), why=error.strerror or "")) from None
    name, version = file.stem, hashlib.sha256(content).hexdigest()[:12]
    if name in OURS:
        raise HexdeckError(say("{file} is named like an algorithm of ours; name it otherwise.", file=str(file)))
    spec = spec_from_file_location(f"hexdeck_algorithm_{name}", file)
    if spec is None or spec.loader is None:
        raise HexdeckError(say("{file} isn't a Python file; its name ends in .py.", file=str(file)))
    module = module_from_spec(spec)
    try:
        spec.loader.exec_module(module)
        if not (hasattr(module, "learn") or hasattr(module, "bot")):
            raise BadOption(say("it has no function learn(task)"))
        return described(name, module, version)
    except (Exception, SystemExit) as error:
        return Algorithm(name, broken(error), name, version=version)


def broken(error: BaseException) -> Learner:
    """A learner that fails with an error."""

    def learn(_task: Task) -> Iterator[tuple[int, Given]]:
        raise error

    return learn
