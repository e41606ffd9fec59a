"""What is asked of the workshop: a variant with its bots and, perhaps, the variant that it is compared with."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from hexdeck.engine.play.game import GameSetup
from hexdeck.lab.log import SimulationSetup

SEED = 0  # as commands have it, so that they deal the same cards


@dataclass(frozen=True)
class Asked:
    """A variant, the bot of each seat, and the variant of the same game that it is compared with, if any."""

    game: GameSetup
    bots: tuple[str, ...]
    against: GameSetup | None = None
    seed: int = SEED

    def setup(self, threads: int = 1) -> SimulationSetup:
        """What is simulated: of the variant that others are compared with where there is one, else of the variant."""
        return SimulationSetup(self.against or self.game, self.bots, self.seed, threads)

    @property
    def key(self) -> str:
        """What tells it apart from all others; `from_key` is the inverse."""
        against = None if self.against is None else dict(self.against.options)
        parts = [self.game.name, self.game.players, dict(self.game.options), self.bots, against, self.seed]
        return json.dumps(parts, separators=(",", ":"))


def from_key(key: str) -> Asked:
    """What a key asks for; raises HexdeckError where that can't be played."""
    name, players, options, bots, against, seed = json.loads(key)

    def game(options: Mapping[str, Any]) -> GameSetup:
        return GameSetup.named(name, players, **options)

    return Asked(game(options), tuple(bots), None if against is None else game(against), seed)
