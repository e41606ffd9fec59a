"""What decides the games of a simulation, resolved once and passed on whole."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from hexdeck.engine.errors import BadOption
from hexdeck.engine.play.game import GameSetup, check_numbers
from hexdeck.engine.play.seating import names_of
from hexdeck.engine.text import say
from hexdeck.simulation.seating import check_bots


@dataclass(frozen=True)
class SimulationSetup:
    """The game, its bots and the seed, which decide every game; and the threads and backend that play, which don't.

    `bots`: one name for all seats, or a name for each. `backend`: None for the game's usual one.
    """

    game: GameSetup
    bots: str | Sequence[str] = "house"
    seed: int | bytes = 0
    threads: int = 1
    backend: str | None = None

    @property
    def seated(self) -> tuple[str, ...]:
        """The bot of each seat; raises BadOption for too few or too many."""
        return names_of(self.game, self.bots)

    def check(self, games: int, first: int = 0) -> None:
        """Raise BadOption or UnknownBot unless so many games can be played, numbered from `first` on."""
        if games < 1 or self.threads < 1:
            raise BadOption(say("A simulation needs at least one game and at least one thread."))
        check_numbers(first, games)
        check_bots(self.game, self.bots)
