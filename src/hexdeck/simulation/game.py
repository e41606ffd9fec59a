"""A game that can be played, simulated and stepped in batches: what users start from."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from hexdeck.engine.play.game import GameSetup
from hexdeck.engine.play.match import Match, replay
from hexdeck.engine.play.record import Record

if TYPE_CHECKING:
    from hexdeck.engine.play.playouts import Results
    from hexdeck.simulation.batch import Batch
    from hexdeck.simulation.simulate import Bots


class Game(GameSetup):
    """A game, its number of players, and its options in canonical form. Make one with `hexdeck.game`."""

    def match(self, seed: int | bytes | None = None, **how: Any) -> Match:
        """A new match; see `Match` for `number`, `by_hand`, `backend` and `names`."""
        return Match(self, seed, **how)

    def batch(self, envs: int, threads: int = 1, **how: Any) -> Batch:
        """A batch of matches that are stepped at once; see `Batch`."""
        from hexdeck.simulation.batch import Batch

        return Batch(self, envs, threads, **how)

    def simulate(self, games: int, bots: Bots = "random", seed: int = 0, threads: int = 1, **how: Any) -> Results:
        """Play whole games between bots; see `simulate`."""
        from hexdeck.simulation.simulate import simulate

        return simulate(self, games, bots, seed, threads, **how)


def game(name: str, players: int | None = None, **options: Any) -> Game:
    """A game by name; without `players` for four, or as near to four as the game allows.

    The name may be that of a size, such as `cursed-hand/tiny`: its options count where none are given, and without
    `players` it is for as few as it can be. Raises UnknownGame, or BadOption for players or options out of range.
    """
    return Game.named(name, players, **options)


def load(source: str | os.PathLike[str] | Mapping[str, Any] | Record, backend: str | None = None) -> Match:
    """The match of a record: a path, JSON text, data or a Record.

    Raises BadRecord if the record is corrupt, truncated, illegal or newer than this program; the error has the index of
    the first bad event, from 0.
    """
    return replay(source, backend, Game)
