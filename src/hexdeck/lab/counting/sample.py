"""Some of the counted games played again as matches, to look inside them."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from hexdeck.engine.play.game import check_numbers
from hexdeck.engine.play.match import Match
from hexdeck.lab.counting.collect import CHUNK
from hexdeck.lab.counting.kernels import LOG_ACTION, LOG_GAME, LOG_SEAT
from hexdeck.lab.counting.setup import SimulationSetup
from hexdeck.lab.counting.simulator import Simulator


def matches(setup: SimulationSetup, games: int, first: int = 0) -> Iterator[Match]:
    """`games` matches, numbered from `first` on, as `Game.simulate` and `collect` play them; each is over.

    Raises UnknownBot, or BadOption for bots or a number that can't be.
    """
    check_numbers(first, games)
    for number, moves in enumerate(decisions(setup, first, games), first):
        match = Match(setup.game, setup.seed, number=number, backend=setup.backend)
        for seat, action in moves.tolist():
            match.play(seat, action)
        yield match


def decisions(setup: SimulationSetup, first: int, games: int) -> list[np.ndarray]:
    """The decisions of each game: int32 (decisions, 2), the seat and the action's id."""
    simulator, out = Simulator(setup), []
    size = min(CHUNK, simulator.bots.chunk)
    for at in range(0, games, size):
        log = simulator.decisions(first + at, min(size, games - at))
        ends = np.flatnonzero(np.diff(log[:, LOG_GAME])) + 1
        out += [part[:, [LOG_SEAT, LOG_ACTION]] for part in np.split(log, ends)]
    return out
