"""The games as environments for PettingZoo, Gymnasium and OpenSpiel.

Any change that a learner could notice makes a new version of an environment. `versions.toml` in a game's folder has
all versions, and fingerprints of the newest, which `tools/versions.py` takes.
"""

import functools
import tomllib
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from hexdeck.engine.discovery.finding import cleared_by_forget, game_folder, game_names
from hexdeck.engine.text import _, say

FILE = "versions.toml"


@cleared_by_forget
@functools.cache
def history(name: str) -> list[dict[str, Any]]:
    """The versions of a game's environments, oldest first: `number`, `changes`, and fingerprints of the newest."""
    file = game_folder(name) / FILE
    if not file.is_file():
        return [{"number": 0, "changes": "The first version."}]
    versions: list[dict[str, Any]] = tomllib.loads(file.read_text(encoding="utf-8"))["version"]
    return versions


def version(name: str) -> int:
    """The number of the newest version of a game's environments."""
    return int(history(name)[-1]["number"])


def alike(name: str) -> list[int]:
    """The newest version of a game's environments, and those that differ from it in OpenSpiel's words alone."""
    *_older, newest = history(name)
    kinds = newest.keys() - {"number", "changes", "words"}
    return [each["number"] for each in history(name) if all(each.get(kind) == newest[kind] for kind in kinds)]


def module_name(name: str, number: int | None = None) -> str:
    """The module name of a game's environment, of the newest version unless another is named: `some_game_v0`."""
    return f"{name.replace('-', '_')}_v{version(name) if number is None else number}"


def camel_name(name: str, number: int | None = None) -> str:
    """The registry name of a game's environment: `SomeGame-v0`."""
    camel = "".join(part.capitalize() for part in name.split("-"))
    return f"{camel}-v{version(name) if number is None else number}"


def names_of_versions() -> list[tuple[str, str, str]]:
    """A game, the module name and the registry name, of each version that can be made."""
    return [(name, module_name(name, k), camel_name(name, k)) for name in game_names() for k in alike(name)]


@contextmanager
def needed(extra: str = "envs") -> Iterator[None]:
    """A context for imports of an extra's packages: ModuleNotFoundError says how to install a missing one."""
    try:
        yield
    except ModuleNotFoundError as error:
        if (error.name or "").startswith("hexdeck"):
            raise
        text = _("This needs more packages ({missing}); pip install '.[{extra}]' in Hexdeck's folder installs them.")
        raise ModuleNotFoundError(str(say(text, missing=str(error.name), extra=extra)), name=error.name) from None
