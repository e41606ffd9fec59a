"""The sizes of a game: named, frozen configurations such as `cursed-hand/tiny`, from the `sizes.toml` in its folder."""

from __future__ import annotations

import tomllib
from typing import Any, NamedTuple

from hexdeck.engine.arguments import shortened, shown
from hexdeck.engine.discovery.finding import SLASH, find_game, game_folder
from hexdeck.engine.errors import BadOption
from hexdeck.engine.text import say

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
    file = game_folder(game) / FILE
    found: list[dict[str, Any]] = tomllib.loads(file.read_text(encoding="utf-8"))["size"] if file.is_file() else []
    return found


def size_names(game: str) -> tuple[str, ...]:
    """The names of a game's sizes in full, as in `cursed-hand/tiny`; the whole game is the last."""
    return tuple(f"{game}/{name}" for name in dict.fromkeys([*(each["name"] for each in frozen(game)), FULL]))


def read_name(name: Any, players: int | None = None) -> Chosen:
    """What the name of a game, or of a size of it, stands for; a size without `players` is for as few as it can be.

    Raises UnknownGame, or BadOption where there is no such size, or none for so many players.
    """
    base, slash, size = name.partition(SLASH) if isinstance(name, str) else (name, "", "")
    game, size = find_game(base), size.strip().lower()
    if not slash or size == FULL:
        return Chosen(game, size, players, {})
    named = [each for each in frozen(game) if each["name"] == size]
    for each in named:
        if players in (None, each["players"]):
            return Chosen(game, size, each["players"], dict(each["options"]))
    if named:
        counts = ", ".join(str(each["players"]) for each in named)
        text = say("{name} is for {counts} players, not {given}.", name=f"{game}/{size}", counts=counts,
                   given=shown(players))  # fmt: skip
        raise BadOption(text)
    there = ", ".join(size_names(game))
    raise BadOption(say("There is no size {name}; there are {there}.", name=shortened(name), there=there))
