"""Matches looked into: how likely each seat is to win or lose as it goes on, and what choices bring and to whom.

Probabilities come from playouts by house bots, in worlds that fit what the public (for choices: the seat) then knows.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import Executor
from contextlib import closing
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from hexdeck.bots.players.levels import one_loser
from hexdeck.bots.search.rollout import ROOT, first_world
from hexdeck.engine.play.game import raw
from hexdeck.engine.play.match import Match
from hexdeck.engine.study import ENDLESS
from hexdeck.engine.text import Text
from hexdeck.lab import counts, kernels
from hexdeck.lab.log import SimulationSetup
from hexdeck.stats import UNKNOWN, Estimate, mean

# --- what a choice brings, and to whom --------------------------------------------------------------------------------
FEW = 8  # worlds in which it is first seen whether anything depends on a choice in the end


@dataclass(frozen=True)
class ChoiceShape:
    """What playouts of a choice show of the seat that makes it, and of the others."""

    alike: bool  # whatever it chose, its own result was the same in every world
    out: bool  # its share of the place that decides was the same in all playouts: nothing that it does matters to it
    # then the shares of that place that the others take, float64 (worlds, moves, seats without it)
    rivals: np.ndarray = field(default_factory=lambda: np.zeros((0, 0, 0)), compare=False)


def shape_of(results: np.ndarray, seat: int, rank: int) -> ChoiceShape:
    """The shape of a seat's choice, from utilities of all seats, float64 (worlds, moves, seats)."""
    own, shares = results[:, :, seat], counts.place_shares_of(results, rank)
    alike, out = bool((own == own[:, :1]).all()), bool((shares[:, :, seat] == shares[0, 0, seat]).all())
    return ChoiceShape(alike, out, np.delete(shares, seat, axis=2)) if out else ChoiceShape(alike, out)


# --- chances during a match -------------------------------------------------------------------------------------------
MOMENTS = 12  # moments of a match at which probabilities are estimated
WORLDS = 64  # worlds for each
FRESH = 128  # worlds that judge a low point again, since it was selected for looking low
TRIALS = 40  # worlds for each move at a choice
EVERY = 3  # at one moment in so many a choice is judged: choices of other matches tell more than more of the same
MOVES = 6  # moves that are compared at a choice
JUDGING = 400  # worlds for a single move that is asked about
NAMED, MOST_PLIES = 1 << 24, 1 << 12  # where the numbers of worlds for single moves begin; moves of a match
LEAST = 10  # matches that are analysed whatever time it takes

Progress = Callable[[int, float], None]  # is told how many more matches are done, and all threads' seconds so far


@dataclass(frozen=True)
class MatchAnalysis:
    """The probabilities of first and last place during one match, by public knowledge, and what its choices bring."""

    when: np.ndarray  # float64 (moments): the part of the match's decisions made by then, 0 to 1
    halves: np.ndarray  # float64 (2, 2, moments, seats): in each half of the worlds, of first and last place
    end: np.ndarray  # float64 (2, seats): the shares of first and last place at the end
    choices: tuple[float, ...]  # at one choice in EVERY moments, by how much the best move beats the worst (utility)
    low: float | None = None  # the lowest probability, at any moment, of doing well, of those seats that did
    shapes: tuple[ChoiceShape, ...] = ()  # of the same choices, what they mean to whom
    acted: np.ndarray = field(default_factory=lambda: np.zeros(0, np.int8))  # the seat of each decision
    gaps: np.ndarray = field(default_factory=lambda: np.zeros(0))  # float64 (seats): to the first at the end (utility)
    judged: tuple[JudgedChoice, ...] = ()  # the same choices, move by move
    plies: tuple[int, ...] = ()  # where they were made

    def chances(self, rank: int) -> np.ndarray:
        """The probabilities of a place, float64 (moments, seats)."""
        return np.asarray(self.halves.mean(axis=0)[rank])

    def takers(self, rank: int) -> np.ndarray:
        """Each seat's share of a place in the end, float64 (seats); in sum 1, or 0 where nobody took it."""
        return np.asarray(self.end[rank] / (self.end[rank].sum() or 1.0))


@dataclass(frozen=True)
class JudgedChoice:
    """A choice and what its moves are worth: those that were compared, with the one that was chosen."""

    chosen: int
    moves: tuple[int, ...]
    halves: np.ndarray  # float64 (2, moves): the mean utility of each in each half of the worlds, the same for all


@dataclass(frozen=True)
class MomentAnalysis:
    """A move, who made it in which deal, and what bots say of it: of moves, by what the seat knew.

    `stake` and `lost` are UNKNOWN where it was the only one.
    """

    seat: int
    deal: int
    label: Text
    stake: Estimate  # by how much the best move beats the worst (utility)
    lost: Estimate  # by how much it beats the one that was chosen
    before: float  # the seat's probability of the place that decides, by public knowledge
    after: float  # the same when a seat acted next, or at the end


class MatchAnalyser:
    """Analyses matches with house bots, in one thread; a match always gives the same, and no world is used twice."""

    def __init__(self, setup: SimulationSetup) -> None:
        from hexdeck.bots.search.searcher import policy_workspace

        game, self.seed = setup.game, setup.seed
        self.game, self.driver, self.place = game, game.driver(setup.backend), int(one_loser(game))
        rows, driver, self._horizon = game.rows(self.driver), self.driver, game.horizon
        house, self._rows, self._roots = policy_workspace(game, "house", driver), rows, raw(rows)
        self._room = *house, driver.actions(), driver.weights()
        self._out = driver.array(game.rules.PLAYERS[1], np.float64)
        self._sampling = [driver.generator(self.seed, f"lab {purpose}") for purpose in ("deals", "", "dice")]
        self._scales: list[Any] = []  # generators for the choices of a match, and how many were looked at
        self._choices = 0

    def analyse(self, match: Match, number: int) -> MatchAnalysis:
        """The analysis of a match that is over; `number` is its number and decides the worlds."""
        at, plies = match.ply, moments(match)
        out, choices = self.chances(match, number, plies), []
        self._begin(f"{number}")
        looked = tuple(ply for k, ply in enumerate(plies) if (number + k) % EVERY == 0)
        for ply in looked:
            match.go(ply)
            choices.append(self.look_at_choice(match, number))
        match.go(at)
        spreads, shapes, judged = zip(*choices, strict=True) if choices else ((), (), ())
        low, judged = self.low_point(match, number, plies, out), tuple(filter(None, judged))
        return replace(out, choices=spreads, shapes=shapes, judged=judged, low=low, plies=looked)

    def _begin(self, subject: str) -> None:
        """Begin with the worlds of choices anew."""
        key = f"{self.seed!r} {subject}".encode()
        purposes = ("scales", "scales cards", "scales dice")  # they decide the worlds: those of `PairedEvaluator`
        self._scales, self._choices = [self.driver.generator(key, purpose) for purpose in purposes], 0

    def moment(self, match: Match, number: int, ply: int) -> MomentAnalysis:
        """The analysis of one move, by its ply, of a match that is over."""
        seats, at = [seat for seat, _action in match.pairs], match.ply
        following = next((turn for turn in range(ply + 1, match.length) if seats[turn] >= 0), None)
        plies = [ply] if following is None else [ply, following]
        chances = self.place_probabilities(match, plies, NAMED + 2 * (number * MOST_PLIES + ply), JUDGING).mean(axis=0)
        after = counts.places_shared(np.array(match.returns())) if following is None else chances[:, 1]
        match.go(ply)
        seat, chosen = seats[ply], match.event(ply).id
        moves, stake, lost = match.legal(seat), UNKNOWN, UNKNOWN
        if len(moves) > 1:
            self._begin(f"{number} moment {ply}")
            ids = [move.id for move in moves]
            results = self.results(match.concealed(seat), seat, ids, JUDGING)[:, :, seat]
            halves = (results[::2], results[1::2]), (results[1::2], results[::2])
            stake = mean(np.concatenate([best_minus_worst(*pair) for pair in halves]))
            best = [judging[:, selecting.mean(axis=0).argmax()] for selecting, judging in halves]
            played = [judging[:, ids.index(chosen)] for _selecting, judging in halves]
            lost = mean(np.concatenate(best) - np.concatenate(played))
        label = next(move.label for move in moves if move.id == chosen)
        shares = float(chances[self.place, 0, seat]), float(after[self.place, seat])
        deal = int(match.struct.deal)
        match.go(at)
        return MomentAnalysis(seat, deal, label, stake, lost, *shares)

    def chances(self, match: Match, number: int, at: list[int] | None = None) -> MatchAnalysis:
        """The analysis `at` these plies without choices and the lowest probability, which take most of the time."""
        plies = moments(match) if at is None else at
        seats, results = np.array([seat for seat, _action in match.pairs]), np.array(match.returns())
        decided, end = np.cumsum(seats >= 0), counts.places_shared(results)
        times = np.array([(decided[ply] - 1) / decided[-1] for ply in plies])
        halves = self.place_probabilities(match, plies, number * (MOMENTS + 1))
        acted, gaps = seats[seats >= 0].astype(np.int8), self.game.measure.gaps(results)
        return MatchAnalysis(times, halves, end, (), acted=acted, gaps=gaps)

    def low_point(self, match: Match, number: int, plies: list[int], analysis: MatchAnalysis) -> float | None:
        """The lowest probability of success that a seat with success had, in fresh worlds; None where nobody had it."""
        chances, end = analysis.chances(self.place), analysis.end
        well = end[1] == 0 if self.place else end[0] == 1
        if not well.any() or not len(chances):
            return None
        success = np.where(well, 1 - chances if self.place else chances, np.nan)
        moment, seat = np.unravel_index(np.nanargmin(success), success.shape)
        again = self.place_probabilities(match, [plies[moment]], number * (MOMENTS + 1) + MOMENTS, FRESH).mean(axis=0)
        return float(1 - again[self.place, 0, seat] if self.place else again[self.place, 0, seat])

    def place_probabilities(self, match: Match, plies: Sequence[int], stream: int, worlds: int = WORLDS) -> np.ndarray:
        """The probabilities of first and last place at some plies, of each half of the worlds: (2, 2, plies, seats)."""
        won = np.zeros((len(plies) * worlds, self.game.players))
        arrays = np.array(match.pairs, np.int32), np.array(plies, np.int64), won
        log, at, out = (self.driver.shared(array) for array in arrays)
        args = self.driver.g, self._rows, *self._room, *self._sampling
        numbers = stream, max(WORLDS, FRESH, worlds), worlds
        self.driver.kernel(kernels.sample_outcomes)(*args, log, at, *numbers, out, self._out)
        shares = counts.places_shared(won.reshape(len(plies), worlds, self.game.players))
        return np.array([shares[:, :, half::2].mean(axis=2) for half in (0, 1)])

    def look_at_choice(self, match: Match, number: int) -> tuple[float, ChoiceShape, JudgedChoice | None]:
        """By how much the best move beats the worst (utility) at the acting seat's choice, by what it knows; its shape.

        Moves are selected in half of the worlds and compared in the other, so that luck doesn't bias the difference.
        The third is what its moves are worth; None where another seat chose first.
        """
        seat, event, moves = match.actor, match.event(match.ply), match.legal_ids(match.actor)
        if len(moves) > MOVES:
            dice = np.random.default_rng([number, match.ply])
            moves = sorted(dice.choice(moves, MOVES, replace=False).tolist())
        candidates = moves if event.id in moves or event.seat != seat else [*moves, event.id]
        view = match.concealed(seat)
        results = self.results(view, seat, candidates, TRIALS)
        halves = results[::2, :, seat], results[1::2, :, seat]
        compared = tuple(half[:, : len(moves)] for half in halves)
        spread = float(np.mean([best_minus_worst(*pair).mean() for pair in (compared, compared[::-1])]))
        shape = self.shape(view, seat, moves, results[:, : len(moves)])
        judged = JudgedChoice(event.id, tuple(candidates), np.array([half.mean(axis=0) for half in halves]))
        return spread, shape, judged if event.seat == seat else None

    def results(self, view: bytes, seat: int, moves: list[int], worlds: int, ahead: int = 0) -> np.ndarray:
        """The utilities after each of these moves: float64 (worlds, moves, seats); `ahead`: decisions to play on."""
        self._roots[ROOT] = np.frombuffer(view, np.uint8)
        won, shared = np.zeros((worlds * len(moves), self.game.players)), self.driver.shared
        first, kernel = first_world(self._choices), self.driver.kernel(kernels.sample_choices)
        self._choices += 1
        args, ids = (self.driver.g, self._rows, seat, *self._room, *self._scales), shared(np.array(moves, np.int64))
        kernel(*args, ids, first, worlds, ahead or self._horizon, shared(won), self._out)
        return won.reshape(worlds, len(moves), self.game.players)

    def shape(self, view: bytes, seat: int, moves: list[int], results: np.ndarray) -> ChoiceShape:
        """The shape of a choice; games are played out where results at the horizon don't seem to depend on it."""
        out = shape_of(results, seat, self.place)
        for worlds in (FEW, len(results)) if self._horizon < ENDLESS else ():
            if out.alike or out.out:
                out = shape_of(self.results(view, seat, moves, worlds, ENDLESS), seat, self.place)
        return out


def best_minus_worst(selecting: np.ndarray, judging: np.ndarray) -> np.ndarray:
    """By how much some worlds' best move beats their worst in each of other worlds: float64 (worlds, moves) both."""
    means = selecting.mean(axis=0)
    return np.asarray(judging[:, means.argmax()] - judging[:, means.argmin()])


def moments(match: Match) -> list[int]:
    """Up to MOMENTS plies of a match that is over, evenly spread over those at which a seat had several moves."""
    plies = []
    for ply, (seat, _action) in enumerate(match.pairs):
        if seat >= 0:
            match.go(ply)
            plies += [ply] if len(match.legal_ids(seat)) > 1 else []
    match.go(match.length)
    return plies and [plies[k] for k in sorted({round(x) for x in np.linspace(0, len(plies) - 1, MOMENTS)})]


def analyse_matches(
    setup: SimulationSetup,
    matches: Iterable[Match],
    seconds: float = float("inf"),
    progress: Progress = lambda _done, _spent: None,
    pool: Executor | None = None,
    look: Callable[[MatchAnalyser, Match, int], MatchAnalysis] = MatchAnalyser.analyse,
    first: int = 0,
) -> list[MatchAnalysis]:
    """Analyse matches, numbered from `first` on, in so many seconds of processors, but at least LEAST; by `look`."""
    idle, out, spent = [MatchAnalyser(setup) for _ in range(setup.threads)], [], 0.0

    def run(numbered: tuple[int, Match]) -> tuple[MatchAnalysis, float]:
        with counts.borrowed(idle) as analyser:
            began = time.thread_time()
            return look(analyser, numbered[1], numbered[0]), time.thread_time() - began

    with closing(counts.map_in_order(run, enumerate(matches, first), setup.threads, pool)) as analyses:
        for analysis, took in analyses:
            out.append(analysis)
            spent += took
            progress(1, spent)
            if len(out) >= LEAST and spent >= seconds:
                break
    return out
