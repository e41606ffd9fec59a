"""Tension: how likely each seat is to win or lose as a match goes on, and what choices bring.

Probabilities at a moment come from playouts: worlds are resampled from what the public (for choices: the seat) then
knows, and house bots play them on.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from concurrent.futures import Executor
from contextlib import closing
from dataclasses import dataclass, field, replace

import numpy as np

from hexdeck.bots.horizon import ENDLESS
from hexdeck.bots.players.levels import one_loser
from hexdeck.bots.search.rollout import ROOT
from hexdeck.bots.search.workspace import policy_workspace
from hexdeck.engine.play.driver import raw
from hexdeck.engine.play.match import Match
from hexdeck.lab.counting.shape.choices import ChoiceSampler, ChoiceShape
from hexdeck.lab.counts import map_in_order, taken
from hexdeck.lab.kernels import sample_outcomes
from hexdeck.lab.log import SimulationSetup

MOMENTS = 12  # moments of a match at which probabilities are estimated
WORLDS = 64  # worlds for each
FRESH = 128  # worlds that judge a low point again, since it was selected for looking low
TRIALS = 40  # worlds for each move at a choice
EVERY = 3  # at one moment in so many a choice is judged: choices of other matches tell more than more of the same
MOVES = 6  # moves that are compared at a choice
LEAST = 10  # matches that are analysed whatever time it takes

Progress = Callable[[int, float], None]  # is told how many more matches are done, and all threads' seconds so far


@dataclass(frozen=True)
class MatchAnalysis:
    """The probabilities of first and last place during one match, by public knowledge, and what its choices bring.

    `when` float64 (moments): the part of the match's decisions made by then, 0 to 1. `halves` float64 (2, 2, moments,
    seats): in each half of the worlds, the probabilities of first and of last place, ties shared. `end` float64
    (2, seats): the shares of first and last place at the end. `choices`: at one choice in EVERY moments, by how much
    the best move beats the worst (utility). `low`: of the seats that did well in the end, the lowest probability of
    that at any moment, estimated again in fresh worlds; None where nobody did well. `shapes`: of the same choices, what
    they mean to whom. `acted` int8 (decisions): the seat of each. `results` float64 (seats): the utilities at the end.
    `judged`: the same choices, move by move. `plies`: where they were made.
    """

    when: np.ndarray
    halves: np.ndarray
    end: np.ndarray
    choices: tuple[float, ...]
    low: float | None = None
    shapes: tuple[ChoiceShape, ...] = ()
    acted: np.ndarray = field(default_factory=lambda: np.zeros(0, np.int8))
    results: np.ndarray = field(default_factory=lambda: np.zeros(0))
    judged: tuple[JudgedChoice, ...] = ()
    plies: tuple[int, ...] = ()


@dataclass(frozen=True)
class JudgedChoice:
    """A choice and what its moves are worth: those that were compared, with the one that was chosen.

    `halves` float64 (2, moves): the mean utility of each in each half of the worlds, the same ones for all moves.
    """

    chosen: int
    moves: tuple[int, ...]
    halves: np.ndarray


class MatchAnalyser:
    """Analyses matches of a setup's game with house bots, in one thread; a match always gives the same analysis."""

    def __init__(self, setup: SimulationSetup) -> None:
        game, self.seed = setup.game, setup.seed
        self.game, self.driver, self.place = game, game.driver(setup.backend), int(one_loser(game))
        self._rows, self._actions, self._weights = game.rows(self.driver), self.driver.actions(), self.driver.weights()
        self._out = self.driver.array(game.rules.PLAYERS[1], np.float64)
        self._house = policy_workspace(game, "house", self.driver)

    def analyse(self, match: Match, number: int) -> MatchAnalysis:
        """The analysis of a match that is over; `number` is its number and decides the worlds."""
        found, at, plies, choices = self.chances(match, number), match.ply, moments(match), []
        sampler = ChoiceSampler(self.game, f"{self.seed!r} {number}".encode(), self.driver.backend)
        looked = tuple(ply for k, ply in enumerate(plies) if (number + k) % EVERY == 0)
        for ply in looked:
            match.go(ply)
            choices.append(self.look_at_choice(match, sampler, np.random.default_rng([number, ply])))
        match.go(at)
        success = success_probabilities(found.halves.mean(axis=0)[self.place], found.end, self.place)
        spreads, shapes = tuple(each[0] for each in choices), tuple(each[1] for each in choices)
        judged, low = tuple(each[2] for each in choices if each[2]), self.low_point(match, number, plies, success)
        return replace(found, choices=spreads, shapes=shapes, judged=judged, low=low, plies=looked)

    def chances(self, match: Match, number: int) -> MatchAnalysis:
        """The analysis without choices and without the lowest probability, which take most of the time."""
        at, plies = match.ply, moments(match)
        decided, places = np.cumsum([event.seat >= 0 for event in match.events]), []
        for k, ply in enumerate(plies):
            match.go(ply)
            places.append(self.place_probabilities(match, number * (MOMENTS + 1) + k))
        match.go(at)
        when = np.array([(decided[ply] - 1) / decided[-1] for ply in plies])
        halves = np.moveaxis(np.array(places).reshape(len(plies), 2, 2, self.game.players), 0, 2)
        acted = np.array([event.seat for event in match.events if event.seat >= 0], np.int8)
        results = np.array(match.returns())
        return MatchAnalysis(when, halves, place_shares(results[None]), (), acted=acted, results=results)

    def low_point(self, match: Match, number: int, plies: list[int], success: np.ndarray) -> float | None:
        """The lowest probability of success, estimated again in fresh worlds; None where nobody did well.

        `success` float64 (moments, seats): NaN for seats that didn't do well.
        """
        if not np.isfinite(success).any():
            return None
        at = match.ply
        moment, seat = np.unravel_index(np.nanargmin(success), success.shape)
        match.go(plies[moment])
        found = self.place_probabilities(match, number * (MOMENTS + 1) + MOMENTS, FRESH).mean(axis=0)[self.place, seat]
        match.go(at)
        return float(1 - found if self.place else found)

    def place_probabilities(self, match: Match, stream: int, worlds: int | None = None) -> np.ndarray:
        """Each seat's probabilities of first and of last place, by public knowledge: float64 (2, 2, seats).

        One estimate from each half of the worlds. `stream` numbers the random worlds, so that every moment has others;
        `worlds` is WORLDS if not given.
        """
        raw(self._rows)[ROOT] = np.frombuffer(match.concealed(-1), np.uint8)
        rng, cards, dice = (self.driver.generator(self.seed, f"lab {name}", stream) for name in ("deals", "", "dice"))
        won = np.zeros((worlds or WORLDS, self.game.players))
        kernel = self.driver.kernel(sample_outcomes)  # type: ignore[arg-type]
        kernel(
            self.driver.g, self._rows, -1, *self._house, self._actions, self._weights, rng, cards, dice,
            stream * max(WORLDS, FRESH), ENDLESS, self.driver.shared(won), self._out,
        )  # fmt: skip
        return np.array([place_shares(won[::2]), place_shares(won[1::2])])

    def look_at_choice(
        self, match: Match, sampler: ChoiceSampler, dice: np.random.Generator
    ) -> tuple[float, ChoiceShape, JudgedChoice | None]:
        """By how much the best move beats the worst (utility) at the acting seat's choice, by what it knows; its shape.

        The best and the worst move are selected in half of the worlds and compared in the other half, so that luck in
        the selection doesn't bias the difference. The third is what its moves are worth, with the one that was chosen;
        None where another seat chose first.
        """
        seat, event = match.actor, match.event(match.ply)
        legal = match.legal_ids(seat)
        moves = legal if len(legal) <= MOVES else sorted(dice.choice(legal, MOVES, replace=False).tolist())
        known, tried = match.concealed(seat), moves if event.id in moves or event.seat != seat else [*moves, event.id]
        results = sampler.results(known, seat, tried, TRIALS)
        halves = results[::2, :, seat], results[1::2, :, seat]
        compared = tuple(half[:, : len(moves)] for half in halves)
        spread = float(np.mean([best_minus_worst(*each).mean() for each in (compared, compared[::-1])]))
        shape = sampler.shape(known, seat, moves, results[:, : len(moves)], self.place)
        judged = JudgedChoice(event.id, tuple(tried), np.array([half.mean(axis=0) for half in halves]))
        return spread, shape, judged if event.seat == seat else None


def best_minus_worst(selecting: np.ndarray, judging: np.ndarray) -> np.ndarray:
    """By how much the move that is best in some worlds beats the one that is worst there, in each of other worlds.

    Both arrays are float64 (worlds, moves): utilities.
    """
    means = selecting.mean(axis=0)
    difference: np.ndarray = judging[:, means.argmax()] - judging[:, means.argmin()]
    return difference


def success_probabilities(probabilities: np.ndarray, end: np.ndarray, place: int) -> np.ndarray:
    """The probabilities of success, float64 (moments, seats), of seats that had it: won alone, or didn't lose.

    NaN for the other seats.
    """
    well = end[1] == 0 if place else end[0] == 1
    found: np.ndarray = np.where(well, 1 - probabilities if place else probabilities, np.nan)
    return found


def place_shares(results: np.ndarray) -> np.ndarray:
    """Each seat's mean share of first and of last place, ties shared: float64 (2, seats) of results (games, seats)."""
    return np.array([taken(results, place).mean(axis=0) for place in (0, 1)])


def moments(match: Match) -> list[int]:
    """Up to MOMENTS plies of a match that is over, evenly spread over those at which a seat had several moves."""
    plies = []
    for ply, event in enumerate(match.events):
        if event.seat >= 0:
            match.go(ply)
            plies += [ply] if len(match.legal_ids(event.seat)) > 1 else []
    match.go(match.length)
    if not plies:
        return []
    return [plies[k] for k in sorted({round(x) for x in np.linspace(0, len(plies) - 1, MOMENTS)})]


def analyse_matches(
    setup: SimulationSetup, matches: Iterable[Match], seconds: float = float("inf"), progress: Progress | None = None,
    pool: Executor | None = None, look: Callable[[MatchAnalyser, Match, int], MatchAnalysis] = MatchAnalyser.analyse,
) -> list[MatchAnalysis]:  # fmt: skip
    """Analyse matches that are over, in order, as many as fit in so many seconds, but at least LEAST.

    `seconds` counts what each of the setup's threads spends on it. `pool`: threads to use that do other things too.
    `look`: what analyses a match.
    """
    idle, out, spent = [MatchAnalyser(setup) for _ in range(setup.threads)], [], 0.0

    def run(numbered: tuple[int, Match]) -> tuple[MatchAnalysis, float]:
        analyser, began = idle.pop(), time.monotonic()
        try:
            return look(analyser, numbered[1], numbered[0]), time.monotonic() - began
        finally:
            idle.append(analyser)

    with closing(map_in_order(run, enumerate(matches), setup.threads, pool)) as analyses:
        for analysis, took in analyses:
            out.append(analysis)
            spent += took
            if progress is not None:
                progress(1, spent)
            if len(out) >= LEAST and spent >= seconds * setup.threads:
                break
    return out
