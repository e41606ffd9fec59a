"""Where games are: in hexdeck itself, in folders that `HEXDECK_GAME_PATH` names, in packages that are installed.

A game is a folder with `rules.py` and `table.py`. Games are found by looking at folders, not by importing them.
"""

from __future__ import annotations

import difflib
import functools
import os
from collections.abc import Iterator
from dataclasses import dataclass
from importlib import import_module
from importlib.metadata import EntryPoint, entry_points
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from hexdeck.engine.errors import HexdeckError, UnknownGame
from hexdeck.engine.text import _, say

GAMES = "hexdeck.games"  # the package of our own games, and the group of entry points of others
PATH = "HEXDECK_GAME_PATH"  # folders of games, joined as in PATH
FILES = "rules.py", "table.py"  # of a game; a folder with one of them is a game that lacks the other
OWN = Path(__file__).parents[2] / "games"


@dataclass(frozen=True)
class Place:
    """Where a game is: `package`, the name it is imported by; `own`, whether it is one of hexdeck's."""

    name: str
    package: str
    folder: Path
    own: bool


def places() -> dict[str, Place]:
    """All games by name, in order of their names. The first of two with the same name counts, ours before others."""
    return places_on(os.environ.get(PATH, ""))


@functools.cache
def places_on(path: str) -> dict[str, Place]:
    """The same with these folders beside hexdeck's own and installed packages."""
    found: dict[str, Place] = {}
    for place in [*in_folder(OWN, own=True), *on_path(path), *installed()]:
        found.setdefault(place.name, place)
    return dict(sorted(found.items()))


def in_folder(folder: Path, *, own: bool = False) -> Iterator[Place]:
    """The games of a folder that holds games."""
    for each in sorted(folder.iterdir()):
        if is_game(each):
            yield Place(name_of(each.name), f"{GAMES}.{each.name}", each, own)


def is_game(folder: Path) -> bool:
    """Whether a folder is meant to be a game."""
    return folder.name.isidentifier() and any((folder / file).is_file() for file in FILES)


def on_path(path: str) -> Iterator[Place]:
    """The games of the folders in a path: each a game itself, or a folder of games. They join the package of ours."""
    for folder in [Path(part).expanduser().resolve() for part in path.split(os.pathsep) if part]:
        if not folder.is_dir():
            raise HexdeckError(say("There is no folder {folder} to look for games in.", folder=str(folder)))
        alone = is_game(folder)
        search = import_module(GAMES).__path__
        if (home := str(folder.parent if alone else folder)) not in search:
            search.append(home)
        yield from [
            each for each in in_folder(folder.parent if alone else folder) if not alone or each.folder == folder
        ]


def installed() -> Iterator[Place]:
    """The games of installed packages: entry points in the group `hexdeck.games`, each naming a game's package."""
    for point in entry_points(group=GAMES):
        folder = folder_of(point)
        yield Place(name_of(point.name), point.value, folder, own=False)


def folder_of(point: EntryPoint) -> Path:
    """The folder of an entry point's package; where there is none, one that doesn't exist: the game is broken."""
    try:
        spec = find_spec(point.value)
    except Exception:
        spec = None
    places = spec.submodule_search_locations if spec else None
    return Path(next(iter(places))) if places else Path(point.value.replace(".", "/"))


def name_of(folder: str) -> str:
    """A game's name from its folder's: hyphens for underscores."""
    return folder.strip().lower().replace("_", "-").replace(" ", "-")


def game_names() -> tuple[str, ...]:
    """The names of all games that are found, those that don't work among them."""
    return tuple(places())


def game_folder(name: str) -> Path:
    """Where a game's files are."""
    return places()[name].folder


def find_game(name: Any) -> str:
    """The canonical name of a game; raises UnknownGame naming those that exist."""
    canonical = name_of(name) if isinstance(name, str) else ""
    if canonical in game_names():
        return canonical
    from hexdeck.engine.arguments import shortened, shown  # NumPy comes with it

    near, there = difflib.get_close_matches(canonical, game_names(), 1), ", ".join(game_names())
    if not near:
        given = shortened(name) if isinstance(name, str) else shown(name)
        raise UnknownGame(say("There is no game {name}; there are {there}.", name=given, there=there))
    text = _("There is no game {name} (did you mean {near}?); there are {there}.")
    raise UnknownGame(say(text, name=shortened(name), near=near[0], there=there))
