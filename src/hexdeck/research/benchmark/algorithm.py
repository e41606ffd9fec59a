"""Algorithms of the benchmark: those that come with it, and any in a file of one's own."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from importlib import import_module
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType
from typing import Any

from hexdeck.engine.errors import BadOption, HexdeckError
from hexdeck.engine.text import _, say
from hexdeck.research.benchmark.task import Given, Learner, Task

OURS = (
    "cfr_plus", "pcfr_plus", "mccfr", "fictitious_play", "mirror_descent", "rnad", "ppo",
    "mirror_descent_net", "trainer", "ismcts", "pimc", "house", "best",
)  # fmt: skip


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
        kept = json.loads(json.dumps(dict(settings), allow_nan=False))
    except (TypeError, ValueError) as error:
        text = _("SETTINGS is a dict of numbers, text, lists and dicts, so that it can be kept: {why}.")
        raise BadOption(say(text, why=str(error))) from None
    return Algorithm(
        name, getattr(module, "learn", None), line(getattr(module, "TITLE", name)), line(getattr(module, "PAPER", "")),
        line(getattr(module, "WORK", "steps")), kept, version if isinstance(version, int) else str(version),
        bool(getattr(module, "DRAWS", True)), getattr(module, "bot", None),
    )  # fmt: skip


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
