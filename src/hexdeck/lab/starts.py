"""What starting is worth, from games in which chance decided who starts.

Whoever earned the start, or was dealt it, differs from the others in more than that. Between players whom chance alone
told apart (`engine.study`), the mean difference of results is the effect of starting. Where what decided stays with
them, as the lower card does that settled a tie, the same games are played on with each of them starting.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from hexdeck.engine.play.game import GameSetup, default_backend
from hexdeck.engine.study import Starting
from hexdeck.lab.counts import places_shared
from hexdeck.lab.kernels import EVERYTHING, NOBODY
from hexdeck.lab.log import Log, Player, SimulationSetup, struct_of
from hexdeck.simulation.simulate import takes_time
from hexdeck.stats import Estimate, PairedMoments

if TYPE_CHECKING:
    from hexdeck.bots.players.simulation_bots import SimulationBots

STUDIED = 10_000  # games that are looked into, for each number of players
SWAPPED, OF_SLOW = 500, 30  # games that are played on with each starter; with slow bots
LEAST = 30  # games that chance decided, without which nothing is said


@dataclass
class StartStudy:
    """Differences between the starter and the others that chance decided between: one for each game that it decided.

    `games`: how many games were looked into. `moments`: of the differences in utility, and in the shares of first and
    of last place. `examples`: by place, and whether the starter took it more than those others, the number of the first
    such game.
    """

    games: int = 0
    moments: PairedMoments = field(default_factory=lambda: PairedMoments(3))
    examples: dict[tuple[int, bool], int] = field(default_factory=dict)

    @property
    def decided(self) -> int:
        """In how many games chance decided who starts."""
        return self.moments.count

    @property
    def enough(self) -> bool:
        """Whether anything can be said."""
        return self.decided >= LEAST

    @property
    def gain(self) -> Estimate:
        """The utility of the starter, above the mean of the others that chance decided between."""
        return self.moments.estimate(0)

    def place(self, rank: int) -> Estimate:
        """The starter's share of first (0) or last (1) place, above the mean of those others."""
        return self.moments.difference(1 + rank, 1.0).within(-1, 1)

    def add_swapped(self, results: Mapping[int, np.ndarray]) -> None:
        """Add a game that was played on with each of these seats starting: the utilities of all seats by starter."""
        by_starter = {seat: np.array([won, *places_shared(won)]) for seat, won in results.items()}
        leads = [
            rows[:, seat] - np.mean([rows2[:, seat] for seat2, rows2 in by_starter.items() if seat2 != seat], axis=0)
            for seat, rows in by_starter.items()
        ]
        self.moments.add(np.mean(leads, axis=0)[None])

    def add(self, numbers: np.ndarray, tied: np.ndarray, starter: np.ndarray, results: np.ndarray) -> None:
        """Add games of these numbers: the seats that chance decided between, bool (games, seats); which it chose.

        `results` float64 (games, seats): the utilities.
        """
        rows = np.stack([results, *places_shared(results)], axis=2)
        starts = starter[:, None] == np.arange(results.shape[1])
        rivals = tied & ~starts
        ahead = rows[starts] - (rows * rivals[:, :, None]).sum(axis=1) / rivals.sum(axis=1)[:, None]
        self.moments.add(ahead)
        for rank in (0, 1):
            for led, games in ((True, ahead[:, 1 + rank] > 0), (False, ahead[:, 1 + rank] < 0)):
                if games.any():
                    self.examples.setdefault((rank, led), int(numbers[games.argmax()]))


def starting_of(game: GameSetup) -> Starting:
    """How the starter of a game is chosen."""
    out: Starting = game.hints.STUDY.starting_in(struct_of(game, game.template))
    return out


def study_starts(setup: SimulationSetup, games: int) -> StartStudy | None:
    """The study of so many games, numbered from 0 on; None for a game in which chance never decides between some.

    Where what decided stays with whoever starts, the bots of the setup play the games on with each starter.
    """
    starting, out, limit, swapped = starting_of(setup.game), StartStudy(), games, None
    if starting.between is None:
        return None
    if starting.let_start is not None:
        from hexdeck.bots.players.simulation_bots import SimulationBots

        bots = SimulationBots(setup.game, setup.seated, setup.seed, setup.backend or default_backend())
        limit, swapped = OF_SLOW if takes_time(setup.game, setup.bots) else SWAPPED, partial(played_on, bots)
    for log in Player(setup, EVERYTHING).batches(games):
        add_log(out, setup.game, log, swapped, limit)
        if out.decided >= limit:
            break
    return out


def add_log(
    out: StartStudy,
    game: GameSetup,
    log: Log,
    swapped: Callable[[np.ndarray, int, int], np.ndarray] | None = None,
    limit: float = float("inf"),
) -> None:
    """Add games of which everything was kept to a study, until there are `limit` that chance decided.

    `swapped`: plays a game on with another starter, see `played_on`.
    """
    before, (games, rows, tied) = out.games, decided_in(game, log)
    out.games += len(log)
    if swapped is None:
        out.add(before + games, tied, log.seat[rows], log.results[games])
        return
    for k, row, seats in zip(games.tolist(), rows, tied, strict=True):
        swaps = {seat: swapped(log.position[row], log.first + k, seat) for seat in np.flatnonzero(seats).tolist()}
        out.add_swapped(swaps)
        if out.decided >= limit:
            out.games = before + k + 1
            return


def decided_in(game: GameSetup, log: Log) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The games of a log in which chance decided who starts, from 0.

    With each, the row at which the starter is to choose first, and the seats that chance decided between, bool (games,
    seats).
    """
    between, games = starting_of(game).between, np.flatnonzero(log.alone != NOBODY)
    rows, tied = log.alone[games], np.zeros((len(games), game.players), bool)
    if between is not None:
        tied = between(log.position[rows])[:, : game.players]
    decided = tied[np.arange(len(rows)), log.seat[rows]] & (tied.sum(axis=1) > 1)
    return games[decided], rows[decided], tied[decided]


def played_on(bots: SimulationBots, position: np.ndarray, number: int, seat: int) -> np.ndarray:
    """The utilities of all seats if this seat starts: with the same cards, and those still to come as in the game."""
    game, let_start, data = bots.game, starting_of(bots.game).let_start, bytearray(position.tobytes())
    if let_start is not None:
        let_start(game.driver("interpreted").proxy(memoryview(data)), seat)
    end, out = bots.play_on(np.frombuffer(data, np.uint8), number), np.zeros(game.rules.PLAYERS[1])
    game.rules.returns(struct_of(game, end), out)
    return out[: game.players]
