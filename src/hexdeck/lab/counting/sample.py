"""Some of the games that were counted, played again as matches, to look inside: the first ones, move for move."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from hexdeck.engine.play.game import GameSetup, check_numbers
from hexdeck.engine.play.match import Match
from hexdeck.lab.counting.collect import CHUNK, Desk
from hexdeck.lab.counting.kernels import EVENT_GAME, EVENT_ID, EVENT_SEAT


def decisions(
    game: GameSetup, bots: str | Sequence[str], seed: int | bytes, first: int, games: int, backend: str | None = None
) -> list[np.ndarray]:
    """Of each game, who decided what, int32 (decisions, 2): seat and id."""
    desk, out = Desk(game, bots, seed, backend), []
    size = min(CHUNK, desk.players.chunk)
    for at in range(0, games, size):
        log = desk.chronicle(first + at, min(size, games - at))
        ends = np.flatnonzero(np.diff(log[:, EVENT_GAME])) + 1
        out += [part[:, [EVENT_SEAT, EVENT_ID]] for part in np.split(log, ends)]
    return out


def matches(
    game: GameSetup,
    bots: str | Sequence[str],
    seed: int | bytes,
    games: int,
    backend: str | None = None,
    first: int = 0,
) -> Iterator[Match]:
    """So many games of a seed, numbered from `first` on, as `Game.simulate` and `collect` play them, each over.

    Raises UnknownBot, or BadOption for bots or a number that can't be.
    """
    check_numbers(first, games)
    for number, moves in enumerate(decisions(game, bots, seed, first, games, backend), first):
        match = Match(game, seed, number=number, backend=backend)
        for seat, action in moves.tolist():
            match.play(seat, action)
        yield match
