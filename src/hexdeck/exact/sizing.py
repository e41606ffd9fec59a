"""Named, frozen configurations of each game, from trees that are solved in a moment to the whole game."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from dataclasses import dataclass

from hexdeck.engine.arguments import shown
from hexdeck.engine.discovery.finding import find_game, game_folder
from hexdeck.engine.errors import BadOption
from hexdeck.engine.text import say
from hexdeck.simulation.game import Game, game

FILE = "sizes.toml"
FULL = "full"  # the game as printed, with any number of players


@dataclass(frozen=True)
class Size:
    """A configuration: its `name`, as in `cursed-hand/tiny`, the game, how many histories it has.

    `uniform`: NashConv of the policy that makes each legal choice equally often, in the unit of rewards.
    """

    name: str
    game: Game
    histories: int
    uniform: float


def sizes(name: str) -> Iterator[Size]:
    """The configurations of a game, from small to large, without the full game; those for fewer players first."""
    canonical = find_game(name)
    file = game_folder(canonical) / FILE
    listed = tomllib.loads(file.read_text(encoding="utf-8"))["size"] if file.is_file() else []
    for each in listed:
        chosen = game(canonical, each["players"], **each["options"])
        yield Size(f"{canonical}/{each['name']}", chosen, each["histories"], each["uniform"])


def sized(name: str, players: int | None = None) -> Game:
    """The game of a size, such as `cursed-hand/tiny`; without `players` for as few as it has. Raises BadOption."""
    base, _, size = name.partition("/")
    if size == FULL:
        return game(base, players)
    found = list(sizes(base))
    named = [each for each in found if each.name.endswith(f"/{size}")]
    fitting = [each for each in named if players in (None, each.game.players)]
    if fitting:
        return fitting[0].game
    if named:
        counts = ", ".join(str(each.game.players) for each in named)
        raise BadOption(
            say("{name} is for {counts} players, not {given}.", name=name, counts=counts, given=shown(players))
        )
    there = ", ".join(dict.fromkeys([*(each.name for each in found), f"{find_game(base)}/{FULL}"]))
    raise BadOption(say("There is no size {name}; there are {there}.", name=shown(name), there=there))
