"""Plans of training, the files of a run, and whether what is read from a file is the state of a run.

A run's folder has its whole state in one file, JSON under the name `facts` and arrays, and the curve for people.
Kernels don't check their indices: names, sizes, types and numbers are checked before anything reaches them. What
doesn't fit raises one of `BROKEN`; the reader of the file says so in a sentence.
"""

from __future__ import annotations

import difflib
import io
import json
import math
import struct
import tokenize
import zipfile
import zlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from hexdeck.bots.files import write_atomically
from hexdeck.bots.nets.netfile import KINDS, POLICY, UNIT, layout
from hexdeck.bots.players.names import BotName, bot_name, spoken
from hexdeck.engine.discovery.definition import definition
from hexdeck.engine.errors import BadOption, HexdeckError
from hexdeck.engine.text import Text, _, say
from hexdeck.research.training.collect import GENTLE, HOUSE, RANDOM, SEARCH

OPPONENTS = {"random": RANDOM, "house": HOUSE, "gentle": GENTLE, "search": SEARCH}
STATE, CURVE = "state.npz", "curve.csv"
TUPLES = "players", "hidden", "opponents"  # of a plan, which JSON has as lists
SIMULATIONS = 1000  # of a search, by default


@dataclass(frozen=True)
class TrainingPlan:
    """What to train and how. One of `steps` and `minutes` ends it; only steps give the same net again.

    A policy net plays itself, held near to a magnet: itself as it was a while ago (magnetic mirror descent: Sokota and
    others 2023). `opponents`: bots that sit on others' seats in `opponent_share` of the games, of `OPPONENTS`.
    """

    game: str
    players: tuple[int, ...]
    options: dict[str, Any]
    seed: int = 1
    steps: int = 0
    minutes: float = 0.0
    hidden: tuple[int, int] = (64, 64)  # neurons in the hidden layers
    batch: int = 16384  # decisions that a step learns from
    checkpoint_every: int = 50  # steps
    learning_rate: float = 2e-3  # at first; it falls to a tenth
    entropy: float = 0.1  # bonus coefficient at first
    entropy_floor: float = 0.02  # to which it falls: by the same part in each step
    magnet: float = 0.1  # weight of the KL divergence from the magnet
    magnet_every: int = 40  # steps after which the net becomes its own magnet again
    opponents: tuple[str, ...] = ()
    opponent_share: float = 0.5
    epochs: int = 2  # passes through each batch
    minibatch: int = 512  # decisions
    gae_lambda: float = 0.95  # of the advantages
    kind: str = POLICY  # of net, see `netfile.KINDS`
    imitate: str = ""  # the search whose choices are learned
    ema_decay: float = 0.99  # of the average of weights over steps, which is what checkpoints keep

    def layout(self) -> str:
        """A hash of what the inputs and outputs of the nets mean."""
        return layout(definition(self.game))


def is_sound(plan: TrainingPlan) -> bool:
    """Whether a plan that was read from a file has what it must: numbers that can be learned by, and known names."""
    counts = plan.batch, plan.checkpoint_every, plan.magnet_every, plan.minibatch, plan.epochs
    parts = plan.opponent_share, plan.gae_lambda, plan.ema_decay
    amounts = plan.minutes, plan.learning_rate, plan.entropy, plan.entropy_floor, plan.magnet
    names: tuple[Any, ...] = plan.game, plan.kind, plan.imitate, *plan.opponents
    seed: Any = plan.seed
    options: Any = plan.options
    hidden: Any = plan.hidden
    numbers = (*plan.players, *plan.hidden, *counts, plan.steps)
    return (
        all(isinstance(name, str) for name in names)
        and plan.kind in KINDS
        and isinstance(options, dict)
        and type(seed) is int
        and seed >= 0
        and all(map(is_count, numbers))
        and all(map(is_amount, (*parts, *amounts)))
        and min(counts) > 0
        and max(parts) <= 1
        and bool(plan.steps or plan.minutes)
        and len(plan.players) > 0
        and len(hidden) == 2
        and min(hidden) > 0
        and not any(size % UNIT for size in hidden)
    )


def no_opponent(name: str) -> Text:
    """The error text for a bot that can't be an opponent in training: the nearest name, and all that can."""
    near = [] if ":" in name else difflib.get_close_matches(name, map(spoken, OPPONENTS), 1)
    text = _("{name} can't be an opponent in training; {there} can.")
    if near:
        text = _("{name} can't be an opponent in training (did you mean {near}?); {there} can.")
    return say(text, name=name, near="".join(near), there="easy, house, random, search:100")


def can_oppose(name: str) -> bool:
    """Whether a bot of that name can be met in training: a strategy, or a search as compiled code plays it."""
    try:
        parts = bot_name(name)
    except BadOption:
        return False
    return parts == BotName(parts.kind, games=parts.games) and parts.kind in OPPONENTS


def opponent_codes(names: tuple[str, ...]) -> tuple[list[int], int]:
    """The codes of opponents in a lineup, and how many simulations a search makes.

    Raises BadOption for a bot that can't be an opponent in training.
    """
    codes, budgets = [], set()
    for name in names:
        if not can_oppose(name):
            raise BadOption(no_opponent(spoken(name)))
        parts = bot_name(name)
        codes.append(OPPONENTS[parts.kind])
        if parts.kind == "search":
            budgets.add(parts.games or SIMULATIONS)
    if len(budgets) > 1:
        these = ", ".join(f"search:{budget}" for budget in sorted(budgets))
        raise BadOption(say("All searches among the opponents must be the same; name one of {these}.", these=these))
    return codes, max(budgets, default=SIMULATIONS)


# --- the files of a run -----------------------------------------------------------------------------------------------
def write_run(folder: Path, facts: Mapping[str, Any], arrays: Mapping[str, np.ndarray]) -> None:
    """Write the state whole or not at all, and its curve; the folder is made if it is missing."""
    folder.mkdir(parents=True, exist_ok=True)
    write_atomically(folder / STATE, state_bytes(facts, arrays))
    write_atomically(folder / CURVE, csv(facts["curve"]).encode())


def read_run(folder: Path) -> tuple[dict[str, Any], dict[str, np.ndarray]]:
    """The facts and the arrays of the run in a folder; raises HexdeckError where there is none."""
    try:
        return read_state(folder / STATE)
    except FileNotFoundError:
        raise HexdeckError(say("There is no run of training in {folder}.", folder=str(folder))) from None
    except BROKEN:
        raise HexdeckError(say("The run of training in {folder} can't be read.", folder=str(folder))) from None


def plan_of(facts: Mapping[str, Any], folder: Path, changed: Mapping[str, Any]) -> TrainingPlan:
    """The plan of a run, with some of it changed; raises HexdeckError where this version can't go on with it."""
    try:
        stored = dict(facts["plan"])
        stored |= {key: tuple(stored[key]) for key in TUPLES}
        plan = TrainingPlan(**{**stored, **changed})
        valid = is_sound(plan) and facts["layout"] == plan.layout()
    except BROKEN:
        valid = False
    if not valid:
        raise other_version(folder)
    return plan


def other_version(folder: Path) -> HexdeckError:
    """The error for a run that this version can't go on with."""
    text = _("The run in {folder} was begun by another version of hexdeck, or it is damaged; start a new one.")
    return HexdeckError(say(text, folder=str(folder)))


def csv(rows: list[dict[str, float]]) -> str:
    """Rows of a curve as comma-separated values, with a header."""
    lines = [",".join(rows[0])] if rows else []
    return "".join(line + "\n" for line in [*lines, *(",".join(map(str, row.values())) for row in rows)])


# --- states -----------------------------------------------------------------------------------------------------------
BROKEN = (
    ArithmeticError,
    AttributeError,
    EOFError,
    LookupError,
    MemoryError,
    OSError,
    RuntimeError,
    SyntaxError,
    TypeError,
    ValueError,
    struct.error,
    tokenize.TokenError,
    zipfile.BadZipFile,
    zlib.error,
)
MOST = 1 << 53  # of a count


def read_state(path: Path) -> tuple[dict[str, Any], dict[str, np.ndarray]]:
    """The facts and the arrays in a file; raises one of `BROKEN`."""
    with np.load(io.BytesIO(path.read_bytes())) as file:
        arrays = dict(file)
    facts = json.loads(str(arrays.pop("facts")))
    if not isinstance(facts, dict):
        raise TypeError("facts")
    return facts, arrays


def state_bytes(facts: Mapping[str, Any], arrays: Mapping[str, np.ndarray]) -> bytes:
    """Facts and arrays as the content of a file, see `read_state`."""
    file = io.BytesIO()
    np.savez(file, facts=np.array(json.dumps(facts)), **arrays)  # type: ignore[arg-type]
    return file.getvalue()


def check_arrays(arrays: Mapping[str, np.ndarray], like: Mapping[str, np.ndarray]) -> None:
    """Raise ValueError or KeyError unless all arrays are there, of the shapes and types of `like`, and finite."""
    for name, model in like.items():
        array = arrays[name]
        valid = array.dtype == model.dtype and array.shape == model.shape
        if not (valid and np.isfinite(array).all()):
            raise ValueError(name)
        if name == "square" and (array < 0).any():  # its root is taken
            raise ValueError(name)


def check_facts(facts: Mapping[str, Any], kinds: Mapping[str, Callable[[Any], bool]]) -> None:
    """Raise ValueError or KeyError unless all facts are there and of their kinds."""
    for name, is_one in kinds.items():
        if not is_one(facts[name]):
            raise ValueError(name)


# --- kinds of facts ---------------------------------------------------------------------------------------------------
def is_count(fact: Any) -> bool:
    """Whether it is a whole number, 0 or more."""
    return type(fact) is int and 0 <= fact < MOST


def is_figure(fact: Any) -> bool:
    """Whether it is a number, infinite perhaps."""
    return type(fact) in (int, float)


def is_number(fact: Any) -> bool:
    """Whether it is a finite number."""
    return is_figure(fact) and math.isfinite(fact)


def is_amount(fact: Any) -> bool:
    """Whether it is a finite number, 0 or more."""
    return is_number(fact) and fact >= 0


def is_gain(fact: Any) -> bool:
    """Whether it is a finite number, or None where nothing was tried yet."""
    return fact is None or is_number(fact)


def is_generator(fact: Any) -> bool:
    """Whether it is the state of a random generator; raises one of `BROKEN` for some that aren't."""
    np.random.default_rng(0).bit_generator.state = fact
    return True


def lists(is_one: Callable[[Any], bool]) -> Callable[[Any], bool]:
    """Whether it is a list of such facts."""
    return lambda fact: isinstance(fact, list) and all(map(is_one, fact))


def row_of(*kinds: Callable[[Any], bool]) -> Callable[[Any], bool]:
    """Whether it is a list of one fact of each kind, in this order."""

    def is_row(fact: Any) -> bool:
        return (
            isinstance(fact, list)
            and len(fact) == len(kinds)
            and all(is_one(x) for is_one, x in zip(kinds, fact, strict=True))
        )

    return is_row
