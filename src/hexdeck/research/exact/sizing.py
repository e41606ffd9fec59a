"""Named, frozen configurations of each game, from trees that are solved in a moment to the whole game."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from hexdeck.engine.discovery.finding import find_game, frozen, read_name, size_names
from hexdeck.engine.errors import BadOption, shown
from hexdeck.engine.text import say
from hexdeck.simulation.game import Game, game


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
    for size in frozen(canonical):
        chosen = game(canonical, size["players"], **size["options"])
        yield Size(f"{canonical}/{size['name']}", chosen, size["histories"], size["uniform"])


def sized(name: str, players: int | None = None) -> Game:
    """The game of a size, such as `cursed-hand/tiny`; without `players` for as few as it has. Raises BadOption.

    `hexdeck.game` does the same, and takes a game without a size, too.
    """
    chosen = read_name(name, players)
    if not chosen.size:
        names = ", ".join(size_names(chosen.game))
        raise BadOption(say("There is no size {name}; there are {there}.", name=shown(name), there=names))
    return game(name, players)
