"""A measurement that goes on in short steps: games of a variant, and of the one it is compared with, on equal cards."""

from __future__ import annotations

import time
from concurrent.futures import Executor
from dataclasses import replace
from itertools import pairwise

import numpy as np

from hexdeck.bots.players.levels import one_loser
from hexdeck.engine.errors import HexdeckError
from hexdeck.lab.compare import Comparison
from hexdeck.lab.counts import FIRST, LAST, Chunk, GameStatistics, count, joined, metric_names, metric_table
from hexdeck.lab.log import Player, SimulationSetup, matches
from hexdeck.lab.pace import RECKONED, Place, minutes_each
from hexdeck.lab.reporting.report import Part, part_of
from hexdeck.lab.tension import MatchAnalysis, analyse_matches
from hexdeck.lab.workshop.asked import Asked
from hexdeck.simulation.seating import takes_time

SLICE = 0.2  # seconds that a step should take
START, START_SLOW = 64, 1  # games of each thread in the first step; where bots are slow
GROWS = 4  # a step has at most so many times the games of the one before
MOST_GAMES, MOST_SECONDS = 200_000, 120.0  # of each variant; spent on one measurement
ENOUGH = 0.005  # the margin of seats' shares from which nothing more is played
MATCHES = 200  # of each variant that are looked into for tension
LOOKING = 0.25  # of the time, at most, is for looking into matches while shares are still open


class Side:
    """One variant: what plays it, its statistics, and what minutes are reckoned from."""

    def __init__(self, setup: SimulationSetup, statistics: GameStatistics) -> None:
        self.setup, self.statistics = setup, statistics
        self.players = [Player(setup) for _ in range(setup.threads)]
        self.analyses: list[MatchAnalysis] = []
        self.reckoned: list[np.ndarray] = []
        names = metric_names(setup.game)
        self._columns = [names.index((name, 0)) for name in RECKONED]

    @property
    def part(self) -> Part:
        """The variant as a part of a report, with what is known of it."""
        return replace(part_of(self.setup, self.statistics), analyses=tuple(self.analyses))

    def minutes(self, place: Place) -> np.ndarray:
        """The minutes of each game, float64 (games)."""
        return minutes_each(self.setup.game.players, np.concatenate(self.reckoned), place)

    @property
    def most(self) -> int:
        """The most games that a step can have."""
        return sum(each.bots.chunk for each in self.players)

    def play(self, first: int, games: int, pool: Executor) -> tuple[Chunk, np.ndarray]:
        """Play games, numbered from `first` on, on all threads; returns them, counted, with their metrics."""
        cuts = [first + games * k // len(self.players) for k in range(len(self.players) + 1)]
        spans = [(low, high - low) for low, high in pairwise(cuts)]
        parts = [
            pool.submit(count, player, *span)
            for player, span in zip(self.players, spans, strict=True) if span[1]
        ]  # fmt: skip
        chunk = joined([each.result() for each in parts])
        rows = metric_table(self.setup.game, chunk, self.setup.backend)
        self.reckoned.append(rows[:, self._columns])
        return chunk, rows

    def look(self, games: int, pool: Executor) -> None:
        """Look into so many more matches, for tension."""
        first = len(self.analyses)
        played = matches(replace(self.setup, threads=1), games, first)
        self.analyses += analyse_matches(
            self.setup, played, pool=pool, look=lambda analyser, match, k: analyser.chances(match, first + k)
        )


class Measurement:
    """What was asked, after any number of steps; each takes about SLICE seconds.

    `side`: the variant; `base`: the one that it is compared with, if any, and `comparison` the pairs. `place`: whether
    first place decides (0) or last (1), `shares` the metric of each seat's share of it.
    """

    def __init__(self, asked: Asked, threads: int, pool: Executor) -> None:
        self.asked, self.pool, base = asked, pool, asked.setup(threads)
        self.comparison = None if asked.against is None else Comparison.of(base, asked.game)
        self.base = None if self.comparison is None else Side(base, self.comparison.sides[0])
        own = GameStatistics.of(asked.game) if self.comparison is None else self.comparison.sides[1]
        self.side = Side(replace(base, game=asked.game), own)
        self.place = int(one_loser(asked.game))
        self.shares = LAST if self.place else FIRST
        slow = takes_time(asked.game, asked.bots)
        self._games, self._looks = (START_SLOW if slow else START) * threads, threads
        self.spent, self.looked, self.can_look = 0.0, 0.0, True

    @property
    def sides(self) -> list[Side]:
        """The variant, and the one that it is compared with."""
        return [self.side] if self.base is None else [self.side, self.base]

    @property
    def done(self) -> bool:
        """Whether nothing more is measured."""
        return self.spent > MOST_SECONDS or (self._has_played() and not self._may_look())

    @property
    def precision(self) -> float:
        """The largest margin of a seat's share, and of its difference."""
        found = max(each.margin for each in self.side.statistics.estimates(self.shares))
        return found if self.comparison is None else max(found, self.comparison.precision)

    def step(self) -> None:
        """Play more games, or look into more matches."""
        began = time.monotonic()
        looks = self._may_look() and (self._has_played() or self.looked < LOOKING * self.spent - SLICE)
        if looks:
            self._look(began)
        else:
            self._play(began)
        took = time.monotonic() - began
        self.spent += took
        self.looked += took if looks else 0.0

    def _has_played(self) -> bool:
        games = len(self.side.statistics)
        return games >= MOST_GAMES or (games > 1 and self.precision <= ENOUGH)

    def _may_look(self) -> bool:
        return self.can_look and len(self.side.analyses) < MATCHES

    def _play(self, began: float) -> None:
        first = len(self.side.statistics)
        games = min(self._games, MOST_GAMES - first, *(side.most for side in self.sides))
        chunk, rows = self.side.play(first, games, self.pool)
        if self.base is None or self.comparison is None:
            self.side.statistics.add(rows, chunk)
        else:
            self.comparison.add(self.base.play(first, games, self.pool), (chunk, rows))
        self._games = fitting(games, time.monotonic() - began, self.side.setup.threads)

    def _look(self, began: float) -> None:
        games = min(self._looks, MATCHES - len(self.side.analyses))
        try:
            for side in self.sides:
                side.look(games, self.pool)
        except HexdeckError:  # a game whose matches can't be looked into
            self.can_look = False
        self._looks = fitting(games, time.monotonic() - began, self.side.setup.threads)


def fitting(games: int, seconds: float, threads: int) -> int:
    """How many games the next step has, after one of so many games that took so many seconds."""
    wanted = int(games * min(GROWS, SLICE / max(seconds, 1e-6)))
    return max(threads, wanted - wanted % threads)
