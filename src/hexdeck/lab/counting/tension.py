"""Tension: how likely each seat is to win or lose as a match goes on, and which choices matter.

Probabilities at a moment come from playouts: worlds are resampled from what the public (for choices: the seat) then
knows, and house bots play them on.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import Executor
from contextlib import closing
from dataclasses import dataclass

import numpy as np

from hexdeck.bots.horizon import ENDLESS
from hexdeck.bots.players.levels import one_loser
from hexdeck.bots.search.paired_evaluator import PairedEvaluator
from hexdeck.bots.search.rollout import ROOT
from hexdeck.bots.search.workspace import policy_workspace
from hexdeck.engine.play.driver import raw
from hexdeck.engine.play.match import Match
from hexdeck.lab.counting.collect import map_in_order
from hexdeck.lab.counting.kernels import sample_outcomes
from hexdeck.lab.counting.setup import SimulationSetup
from hexdeck.lab.counting.stats import Estimate, critical_value, share

MOMENTS = 12  # moments of a match at which probabilities are estimated
WORLDS = 64  # worlds for each
FRESH = 128  # worlds that confirm a low point, since it was selected for looking low
TRIALS = 40  # worlds for each move at a choice
EVERY = 3  # at one moment in so many a choice is judged: choices of other matches tell more than more of the same
MOVES = 6  # moves that are compared at a choice
T = 2.1  # quantile of Student's t, 19 degrees of freedom, 97.5 %
CERTAIN = 0.8  # probability from which a result counts as settled
LEAST = 10  # matches that are analysed whatever time it takes

Progress = Callable[[int, float], None]  # is told how many more matches are done, and all threads' seconds so far


@dataclass(frozen=True)
class ChoiceImpact:
    """A choice between moves: by how much the best beats the worst (utility), and whether that is significant."""

    spread: float
    matters: bool


@dataclass(frozen=True)
class MatchAnalysis:
    """The probabilities of first and last place during one match, by public knowledge, and the impact of choices.

    `when` float64 (moments): the part of the match's decisions made by then, 0 to 1. `first`, `last` float64 (moments,
    seats): probabilities of first and of last place, ties shared. `end` float64 (2, seats): the shares of first and
    last place at the end. `choices`: the impact of one choice in EVERY moments. `low`: of the seats that did well in
    the end, the lowest probability of that at any moment, estimated again in fresh worlds.
    """

    when: np.ndarray
    first: np.ndarray
    last: np.ndarray
    end: np.ndarray
    choices: tuple[ChoiceImpact, ...]
    low: Estimate | None = None


class MatchAnalyser:
    """Analyses matches of a setup's game with house bots, in one thread; a match always gives the same analysis."""

    def __init__(self, setup: SimulationSetup) -> None:
        game, self.seed = setup.game, setup.seed
        self.game, self.driver, self.place = game, game.driver(setup.backend), int(one_loser(game))
        self._rows, self._actions, self._weights = game.rows(self.driver), self.driver.actions(), self.driver.weights()
        self._out = self.driver.array(game.rules.SEATS, np.float64)
        self._house = policy_workspace(game, "house", self.driver)

    def analyse(self, match: Match, number: int) -> MatchAnalysis:
        """The analysis of a match that is over; `number` is its number and decides the worlds."""
        at, plies = match.ply, moments(match)
        evaluator = PairedEvaluator(self.game, f"{self.seed!r} {number}".encode(), self.driver.backend)
        decided, places, choices = np.cumsum([event.seat >= 0 for event in match.events]), [], []
        for k, ply in enumerate(plies):
            match.go(ply)
            places.append(self.place_probabilities(match, number * (MOMENTS + 1) + k))
            if (number + k) % EVERY == 0:
                choices.append(self.choice_impact(match, evaluator, np.random.default_rng([number, ply])))
        match.go(at)
        when = np.array([(decided[ply] - 1) / decided[-1] for ply in plies])
        shape = (len(plies), self.game.players)
        first, last = (np.array([each[k] for each in places]).reshape(shape) for k in (0, 1))
        end = place_shares(np.array([match.returns()]))
        success = success_probabilities(last if self.place else first, end, self.place)
        return MatchAnalysis(when, first, last, end, tuple(choices), self.low_point(match, number, plies, success))

    def low_point(self, match: Match, number: int, plies: list[int], success: np.ndarray) -> Estimate | None:
        """The lowest probability of success, estimated again in fresh worlds; None where nobody did well.

        `success` float64 (moments, seats): NaN for seats that didn't do well.
        """
        if not np.isfinite(success).any():
            return None
        at = match.ply
        moment, seat = np.unravel_index(np.nanargmin(success), success.shape)
        match.go(plies[moment])
        found = self.place_probabilities(match, number * (MOMENTS + 1) + MOMENTS, FRESH)[self.place, seat]
        match.go(at)
        return share(FRESH * float(1 - found if self.place else found), FRESH)

    def place_probabilities(self, match: Match, stream: int, worlds: int | None = None) -> np.ndarray:
        """Each seat's probabilities of first and of last place, by public knowledge: float64 (2, seats).

        `stream` numbers the random worlds, so that every moment has others; `worlds` is WORLDS if not given.
        """
        raw(self._rows)[ROOT] = np.frombuffer(match.concealed(-1), np.uint8)
        rng, cards, dice = (self.driver.generator(self.seed, f"lab {name}", stream) for name in ("deals", "", "dice"))
        won = np.zeros((worlds or WORLDS, self.game.players))
        kernel = self.driver.kernel(sample_outcomes)  # type: ignore[arg-type]
        kernel(
            self.driver.g, self._rows, -1, *self._house, self._actions, self._weights, rng, cards, dice,
            stream * max(WORLDS, FRESH), ENDLESS, self.driver.shared(won), self._out,
        )  # fmt: skip
        return place_shares(won)

    def choice_impact(self, match: Match, evaluator: PairedEvaluator, dice: np.random.Generator) -> ChoiceImpact:
        """The impact of the choice that the acting seat has, by what it knows.

        The best and the worst move are selected in half of the worlds and compared in the other half, so that luck in
        the selection doesn't bias the difference.
        """
        seat = match.actor
        legal = match.legal_ids(seat)
        moves = legal if len(legal) <= MOVES else sorted(dice.choice(legal, MOVES, replace=False).tolist())
        won = evaluator.evaluate(match.concealed(seat), seat, moves, TRIALS).utilities
        halves = won[::2], won[1::2]
        spreads = [best_minus_worst(*halves), best_minus_worst(*halves[::-1])]
        difference = spreads[0]
        error = difference.std(ddof=1) / len(difference) ** 0.5
        return ChoiceImpact(float(np.mean([each.mean() for each in spreads])), bool(difference.mean() > T * error > 0))


def best_minus_worst(selecting: np.ndarray, judging: np.ndarray) -> np.ndarray:
    """By how much the move that is best in some worlds beats the one that is worst there, in each of other worlds.

    Both arrays are float64 (worlds, moves): utilities.
    """
    means = selecting.mean(axis=0)
    difference: np.ndarray = judging[:, means.argmax()] - judging[:, means.argmin()]
    return difference


def place_shares(results: np.ndarray) -> np.ndarray:
    """Each seat's mean share of first and of last place, ties shared: float64 (2, seats) of results (games, seats)."""
    shares = []
    for signed in (results, -results):
        best = signed == signed.max(axis=1, keepdims=True)
        shares.append((best / best.sum(axis=1, keepdims=True)).mean(axis=0))
    return np.array(shares)


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
    pool: Executor | None = None,
) -> list[MatchAnalysis]:  # fmt: skip
    """Analyse matches that are over, in order, as many as fit in so many seconds, but at least LEAST.

    `seconds` counts what each of the setup's threads spends on it. `pool`: threads to use that do other things too.
    """
    idle, out, spent = [MatchAnalyser(setup) for _ in range(setup.threads)], [], 0.0

    def run(numbered: tuple[int, Match]) -> tuple[MatchAnalysis, float]:
        analyser, began = idle.pop(), time.monotonic()
        try:
            return analyser.analyse(numbered[1], numbered[0]), time.monotonic() - began
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


# --- what analyses come to; `place`: whether first place decides (0) or last (1) --------------------------------------
def deciding_probabilities(analysis: MatchAnalysis, place: int) -> np.ndarray:
    """The probabilities of the place that decides, float64 (moments, seats)."""
    return analysis.last if place else analysis.first


def lead_changes(analysis: MatchAnalysis, place: int) -> int:
    """How often another seat significantly became the likeliest for the place.

    Significant at 5 % for all comparisons of a match together, so that noise makes no changes; the first leader must
    lead significantly too.
    """
    rows, leader, changes = deciding_probabilities(analysis, place), -1, 0
    z = critical_value(max(1, len(rows) * (rows.shape[1] - 1)))
    for row in rows:
        new = int(row.argmax())
        if leader < 0:
            leader = new if all(likelier(row, new, other, z) for other in range(len(row)) if other != new) else leader
        elif new != leader and likelier(row, new, leader, z):
            leader, changes = new, changes + 1
    return changes


def likelier(row: np.ndarray, one: int, other: int, z: float) -> bool:
    """Whether one seat's probability, from WORLDS worlds, exceeds another's by more than z standard errors."""
    difference = float(row[one] - row[other])
    error = (float(row[one] + row[other]) - difference**2) / WORLDS
    return bool(difference > z * error**0.5)


def settled(analysis: MatchAnalysis, place: int) -> float:
    """The part of the match played when its result was settled for good; 1 if it never was before the end."""
    final = analysis.end[place]
    certain = (deciding_probabilities(analysis, place) * (final > 0)).sum(axis=1) >= CERTAIN
    if not len(certain) or not certain[-1]:
        return 1.0
    uncertain = np.flatnonzero(~certain)
    return float(analysis.when[uncertain[-1] + 1] if len(uncertain) else analysis.when[0])


def success_probabilities(probabilities: np.ndarray, end: np.ndarray, place: int) -> np.ndarray:
    """The probabilities of success, float64 (moments, seats), of seats that had it: won alone, or didn't lose.

    NaN for the other seats.
    """
    well = end[1] == 0 if place else end[0] == 1
    found: np.ndarray = np.where(well, 1 - probabilities if place else probabilities, np.nan)
    return found


def has_comeback(analysis: MatchAnalysis, place: int) -> bool:
    """Whether a seat did well whose probability of that was once significantly below half of a fair one."""
    fair = 1 / analysis.end.shape[1]
    return analysis.low is not None and analysis.low.high < (1 - fair if place else fair) / 2


def favourite_curve(analyses: Sequence[MatchAnalysis], place: int, bins: int = 10) -> list[list[float]]:
    """The probability that whoever took the place had before, by how much of the match was played, in `bins` bins.

    A bin has one value for each match, since the moments of a match aren't independent.
    """
    out: list[list[float]] = [[] for _ in range(bins)]
    for each in analyses:
        at = np.minimum((each.when * bins).astype(int), bins - 1)
        had = deciding_probabilities(each, place) @ each.end[place]
        for k in np.unique(at).tolist():
            out[k].append(float(had[at == k].mean()))
    return out
