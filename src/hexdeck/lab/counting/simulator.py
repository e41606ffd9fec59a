"""One thread's simulator: plays games between any bots and counts them, or logs every decision."""

from __future__ import annotations

import numpy as np

from hexdeck.engine.play.driver import Driver
from hexdeck.engine.play.seating import any_scripted, pad_rows
from hexdeck.lab.counting.kernels import COUNTERS, LOG_GAME, LOGGED_GAMES, LOGGED_ROWS, count_games, log_decisions
from hexdeck.lab.counting.kinds import kind_numbers
from hexdeck.lab.counting.metrics import Chunk
from hexdeck.lab.counting.setup import SimulationSetup
from hexdeck.simulation.seating import seat_bots

LOG_ROOM = 1 << 16  # rows that a decision log has at first


class Simulator:
    """Seated bots and the scratch arrays of compiled code; it plays the same games as `Game.simulate`."""

    def __init__(self, setup: SimulationSetup) -> None:
        game = setup.game
        self.game, self.driver = game, game.driver(setup.backend)
        self.kinds, kind = kind_numbers(game.rules.ACTIONS)
        driver: Driver = self.driver
        self.bots = seat_bots(game, setup.bots, setup.seed, setup.backend)
        self._kind, self._out = driver.shared(kind), driver.array(game.rules.PLAYERS[1], np.float64)
        self._work = (
            driver.g, game.rows(driver), driver.shared(self.bots.policies), driver.actions(), driver.weights(),
            driver.generator(setup.seed),
        )  # fmt: skip

    def count(self, first: int, games: int) -> Chunk:
        """Play and count `games` games, numbered from `first` on."""
        chunk = Chunk(
            first, np.zeros((games, self.game.players)), np.zeros((games, COUNTERS), np.int64),
            np.zeros((games, len(self.kinds)), np.int32),
        )  # fmt: skip
        shared, kernel = self.driver.shared, self.driver.kernel(count_games)  # type: ignore[arg-type]
        columns = (shared(each) for each in (chunk.results, chunk.counters, chunk.kind_counts))
        generators = pad_rows(self.driver, self.bots.generators(first, games))
        kernel(*self._work, generators, first, self._kind, *columns, self._out)
        return chunk

    def decisions(self, first: int, games: int) -> np.ndarray:
        """Every decision of `games` games, numbered from `first` on: int32 (decisions, 4).

        The columns are the game, counted from 0, the seat, the action's id, and how many actions were legal.
        """
        shared, kernel = self.driver.shared, self.driver.kernel(log_decisions)  # type: ignore[arg-type]
        parts, done, room = [], 0, LOG_ROOM
        while done < games:
            log, state = np.zeros((room, 4), np.int32), np.zeros(2, np.int64)
            generators = pad_rows(
                self.driver, self.bots.generators(first, games)
            )  # a script is read from its beginning
            kernel(*self._work, generators, first + done, games - done, shared(log), shared(state))
            if not state[LOGGED_GAMES] or (any_scripted(self.bots) and state[LOGGED_GAMES] < games):
                room *= 2
                continue
            log[:, LOG_GAME] += done
            parts.append(log[: state[LOGGED_ROWS]])
            done += int(state[LOGGED_GAMES])
        return np.concatenate(parts)
