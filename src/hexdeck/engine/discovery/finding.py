"""Finds games: in hexdeck itself, in the folders that `HEXDECK_GAME_PATH` names, in installed packages.

A game is a folder with `rules.py` and `table.py`. Games are found by looking for folders, without importing anything.
"""

import difflib
import functools
import os
import re
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

from hexdeck.engine.errors import BadOption, HexdeckError, UnknownGame, one_of, shortened, shown
from hexdeck.engine.text import Catalogue, _, say

GAMES = "hexdeck.games"  # the package of our own games, and the entry point group of others
PATH = "HEXDECK_GAME_PATH"  # folders, separated as in PATH
FILES = "rules.py", "table.py"  # a folder with only one of them is a broken game
OWN = Path(__file__).parents[2] / "games"
CHECKOUT = OWN.parents[2]  # the folder of a checkout, which has a .git
SLASH = "/"  # between a game and a size of it, see `sizes`
CLEARED: list[Any] = []  # caches that `definition.forget` clears
C = TypeVar("C", bound=Callable[..., Any])


def cleared_by_forget(cached: C) -> C:
    """Above `functools.cache`: what a function has cached of games is cleared when their files have changed."""
    CLEARED.append(cached)
    return cached


@dataclass(frozen=True)
class Place:
    """Where a game is. `package`: the name to import it by; `own`: whether it is one of hexdeck's."""

    name: str
    package: str
    folder: Path
    own: bool


def places() -> dict[str, Place]:
    """All games by name, sorted. If two have the same name the first one counts, and ours come first."""
    return places_on(os.environ.get(PATH, ""))


@cleared_by_forget
@functools.cache
def places_on(path: str) -> dict[str, Place]:
    """All games by name, for a value of the game path."""
    places_by_name: dict[str, Place] = {}
    for location in [*in_folder(OWN, own=True), *on_path(path), *installed()]:
        places_by_name.setdefault(location.name, location)
    return dict(sorted(places_by_name.items()))


def path_options(*names: str) -> list[str]:
    """What a command needs to find these games where they are on the game path: `--game-path` and a folder for each."""
    folders = {places()[base].folder for base in (name.partition(SLASH)[0] for name in names) if base in places()}
    path = [Path(part).expanduser().resolve() for part in os.environ.get(PATH, "").split(os.pathsep) if part]
    needed = [part for part in path if any(part in (folder, folder.parent) for folder in folders)]
    return [word for part in needed for word in ("--game-path", str(part))]


def in_folder(folder: Path, *, own: bool = False) -> Iterator[Place]:
    """The games in a folder."""
    for entry in sorted(folder.iterdir()):
        if is_game(entry):
            yield Place(name_of(entry.name), f"{GAMES}.{entry.name}", entry, own)


def is_game(folder: Path) -> bool:
    """Whether a folder is meant to be a game: it has at least one of the two files."""
    return folder.name.isidentifier() and any((folder / file).is_file() for file in FILES)


def on_path(path: str) -> Iterator[Place]:
    """The games on a path of folders, each a game itself or a folder of games; they can then be imported like ours."""
    for folder in [Path(part).expanduser().resolve() for part in path.split(os.pathsep) if part]:
        if not folder.is_dir():
            raise HexdeckError(say("There is no folder {folder} to look for games in.", folder=str(folder)))
        alone = is_game(folder)
        if not alone and any((folder / file).is_file() for file in FILES):
            text = _("The name of a game's folder has letters, digits and underscores, as in {example}, not {given}.")
            raise HexdeckError(say(text, example=re.sub(r"\W+", "_", folder.name), given=folder.name))
        search = import_module(GAMES).__path__
        if (home := str(folder.parent if alone else folder)) not in search:
            search.append(home)
        yield from [
            entry for entry in in_folder(folder.parent if alone else folder) if not alone or entry.folder == folder
        ]


def installed() -> Iterator[Place]:
    """The games of installed packages: entry points in the group `hexdeck.games` that name a game's package."""
    folders = [Path(folder) for folder in sys.path]  # one that is a file, such as an archive, may hold any packages
    lists = (path for folder in folders for path in folder.glob("*.*-info/entry_points.txt"))
    if not (any(map(Path.is_file, folders)) or any(GAMES.encode() in path.read_bytes() for path in lists)):
        return
    from importlib.metadata import entry_points  # importing it takes as long as everything else here

    for point in entry_points(group=GAMES):
        yield Place(name_of(point.name), point.value, folder_of(point.value), own=False)


def folder_of(package: str) -> Path:
    """The folder of an installed package; if there is none, a path that doesn't exist: the game is broken."""
    top, *below = package.split(".")
    try:
        spec = find_spec(top)  # of the package at the top, for which nothing is imported
    except (ImportError, ValueError):
        spec = None
    locations = spec.submodule_search_locations if spec else None
    return Path(next(iter(locations)), *below) if locations else Path(package.replace(".", "/"))


def name_of(folder: str) -> str:
    """A game's name, from the name of its folder: hyphens for underscores."""
    return folder.strip().lower().replace("_", "-").replace(" ", "-")


def game_names() -> tuple[str, ...]:
    """The names of all games that were found, including broken ones."""
    return tuple(places())


def game_folder(name: str) -> Path:
    """The folder of a game. Raises UnknownGame."""
    return places()[find_game(name)].folder


def find_game(name: Any) -> str:
    """The canonical name of a game. Raises UnknownGame, which lists the games there are."""
    canonical = name_of(name) if isinstance(name, str) else ""
    if canonical in places() and not places()[canonical].folder.is_dir():
        places_on.cache_clear()  # it was taken away meanwhile
    if canonical in game_names():
        return canonical
    if (base := canonical.partition(SLASH)[0]) in game_names():
        text = _("{name} isn't a game; here only a game can be named, such as {game}.")
        raise UnknownGame(say(text, name=shortened(name), game=base))
    near = difflib.get_close_matches(canonical, game_names(), 1)
    if not near:
        typed, names = shortened(name) if isinstance(name, str) else shown(name), ", ".join(game_names())
        raise UnknownGame(say("There is no game {name}; there are {there}.", name=typed, there=names))
    text = _("There is no game {name} (did you mean {near}?).")
    if f"-{near[0]}-" in f"-{canonical}-":  # a fork is mostly named after its original
        text = _("There is no game {name}; one of your own needs its folder, as in --game-path {folder}.")
    folder = shortened(canonical).replace("-", "_")
    raise UnknownGame(say(text, name=shortened(name), near=near[0], folder=folder))


SHARED = Path(__file__).parents[2] / "locale"


def game_words(game: str, lang: str, names: Sequence[str] = ()) -> Catalogue:
    """A catalogue of a game's own messages and the shared ones; `names`: the names of the players."""
    return Catalogue(lang, (game_folder(game) / "locale", SHARED), tuple(names))


FILE = "sizes.toml"
FULL = "full"  # the game as printed, with any number of players


class Chosen(NamedTuple):
    """What a name stands for: a game, a number of players (None: the usual one) and options; `size`: "" if none."""

    game: str
    size: str
    players: int | None
    options: dict[str, Any]


def frozen(game: str) -> list[dict[str, Any]]:
    """What the file of a game lists, from small to large; of each `name`, `players`, `options` and figures."""
    import tomllib  # finding a game needs none of it

    file = game_folder(game) / FILE
    sizes: list[dict[str, Any]] = tomllib.loads(file.read_text(encoding="utf-8"))["size"] if file.is_file() else []
    return sizes


def size_names(game: str) -> tuple[str, ...]:
    """The names of a game's sizes in full, as in `cursed-hand/tiny`; the whole game is the last."""
    return tuple(f"{game}/{name}" for name in dict.fromkeys([*(entry["name"] for entry in frozen(game)), FULL]))


def read_name(name: Any, players: int | None = None) -> Chosen:
    """What the name of a game, or of a size of it, stands for; a size without `players` is for as few as it can be.

    Raises UnknownGame, or BadOption where there is no such size, or none for so many players.
    """
    base, slash, size = name.partition(SLASH) if isinstance(name, str) else (name, "", "")
    game, size = find_game(base), size.strip().lower()
    if not slash or size == FULL:
        return Chosen(game, size, players, {})
    matching = [entry for entry in frozen(game) if entry["name"] == size]
    for entry in matching:
        if players in (None, entry["players"]):
            return Chosen(game, size, entry["players"], dict(entry["options"]))
    if matching:
        counts = one_of(entry["players"] for entry in matching)
        text = _("{name} is for {counts} players, not {given}.")
        raise BadOption(say(text, name=f"{game}/{size}", counts=counts, given=shown(players)))
    names = ", ".join(size_names(game))
    raise BadOption(say("There is no size {name}; there are {there}.", name=shortened(name), there=names))


@functools.cache
def commit() -> str:
    """The commit of a checkout, with + where files differ from it; "" where hexdeck is in none."""
    import subprocess  # finding a game needs none of it

    command = ["git", "describe", "--always", "--abbrev=12", "--dirty=+", "--exclude=*"]
    args: Any = {"cwd": CHECKOUT, "stderr": subprocess.DEVNULL, "text": True, "timeout": 60}
    try:
        described: str = subprocess.check_output(command, **args) if (CHECKOUT / ".git").exists() else ""  # noqa: S603
    except (OSError, subprocess.SubprocessError):
        return ""
    return described.strip()
