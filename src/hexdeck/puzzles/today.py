"""Which puzzles a day has: three, the same for everybody on a server, from all games in turn.

A game's puzzles come in an order that mixes them, each once before any comes again.
"""

from __future__ import annotations

import logging
from collections.abc import Iterable, Mapping
from datetime import date
from pathlib import Path

from hexdeck.engine.discovery.definition import playable
from hexdeck.engine.errors import HexdeckError
from hexdeck.puzzles.collection import load, shipped
from hexdeck.puzzles.puzzle import Puzzle

LOG = logging.getLogger("hexdeck.puzzles")
EACH_DAY, DAYS = 3, 7  # puzzles of a day; days whose puzzles can be opened, the present one among them


class Pool:
    """The puzzles of a server, by game: those that come with the games, and those of files of its own."""

    def __init__(self, puzzles: Mapping[str, Iterable[Puzzle]]) -> None:
        mixed = {game: sorted(own, key=lambda each: each.key) for game, own in sorted(puzzles.items())}
        self._by_game = {game: own for game, own in mixed.items() if own}

    @classmethod
    def of(cls, files: Iterable[Path] = ()) -> Pool:
        """The pool of the games that can be played; raises HexdeckError for a file that can't be used.

        A game whose own puzzles can't be used has none, and the log says why.
        """
        by_game = {game: list(own_puzzles(game)) for game in playable()}
        for path in files:
            collection = load(path)
            by_game.setdefault(collection.game, []).extend(collection.puzzles)
        return cls({game: {puzzle.key: puzzle for puzzle in own}.values() for game, own in by_game.items()})

    def of_day(self, day: date) -> tuple[Puzzle, ...]:
        """The puzzles of a day; fewer than usual where there aren't as many."""
        games, chosen = [*self._by_game], dict[str, Puzzle]()
        for slot in range(EACH_DAY * day.toordinal(), EACH_DAY * (day.toordinal() + 1)) if games else ():
            pool = self._by_game[games[slot % len(games)]]
            puzzle = pool[slot // len(games) % len(pool)]
            chosen[puzzle.key] = puzzle
        return tuple(chosen.values())


def own_puzzles(game: str) -> Iterable[Puzzle]:
    """The puzzles that come with a game."""
    try:
        return shipped(game).puzzles
    except HexdeckError as error:
        LOG.warning("a game has no puzzles", extra={"game": game, "why": str(error)})
        return ()


def is_open(day: date, today: date) -> bool:
    """Whether the puzzles of a day can be opened: those of coming days can't, nor those of long ago."""
    return 0 <= (today - day).days < DAYS
