"""Looking inside games: how sure the result is as a game goes on, and which choices matter, by what bots expect.

What is expected at a moment is what comes of many worlds that fit what the public (for choices: the seat) then knows,
dealt anew and played on by house bots.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import Executor
from contextlib import closing
from dataclasses import dataclass
from statistics import NormalDist

import numpy as np

from hexdeck.bots.horizon import ENDLESS
from hexdeck.bots.players.levels import one_loser
from hexdeck.bots.search.paired_evaluator import PairedEvaluator
from hexdeck.bots.search.rollout import ROOT
from hexdeck.bots.search.workspace import policy_workspace
from hexdeck.engine.play.driver import raw
from hexdeck.engine.play.game import GameSetup
from hexdeck.engine.play.match import Match
from hexdeck.lab.counting.collect import ahead as waiting
from hexdeck.lab.counting.kernels import foresee
from hexdeck.lab.counting.stats import SURE, Estimate, share

MOMENTS = 12  # of a match that are looked at
WORLDS = 64  # for what may come of a moment
FRESH = 128  # worlds that confirm a low point: the moment was picked because it looked low
TRIALS = 40  # for what comes of each move
EVERY = 3  # one of so many moments has its choice weighed: choices of other matches tell more than more of the same
MOVES = 6  # that are compared at a choice
T = 2.1  # of Student with 19 degrees of freedom, one side, 2.5 %
CERTAIN = 0.8  # the chance of an outcome that counts as settled
LEAST = 10  # matches that are looked at, whatever time it takes

Progress = Callable[[int, float], None]  # how many more matches, and how many seconds it took so far, of all threads


@dataclass(frozen=True)
class Choice:
    """One choice: how much the best move seems to bring over the worst, and whether that is sure."""

    spread: float
    matters: bool


@dataclass(frozen=True)
class Seen:
    """What was seen of one match, all by public knowledge.

    `when` (moments): how much of the match's decisions had been made, 0 to 1; `first`, `last` float64 (moments, seats):
    the chance of first and of last place, ties shared; `end` (2, seats): the places at the end; `choices`: at one in
    EVERY of these moments; `low`: of who did well in the end, the lowest chance of that at any moment, judged again in
    fresh worlds.
    """

    when: np.ndarray
    first: np.ndarray
    last: np.ndarray
    end: np.ndarray
    choices: tuple[Choice, ...]
    low: Estimate | None = None


class Watcher:
    """Looks at matches of a game; the same match is always seen alike."""

    def __init__(self, game: GameSetup, seed: int | bytes = 0, backend: str | None = None) -> None:
        self.game, self.seed, self.driver, self.place = game, seed, game.driver(backend), int(one_loser(game))
        self._rows, self._actions, self._weights = game.rows(self.driver), self.driver.actions(), self.driver.weights()
        self._out = self.driver.array(game.rules.SEATS, np.float64)
        self._house = policy_workspace(game, "house", self.driver)

    def watch(self, match: Match, number: int) -> Seen:
        """Look at a match that is over, which has this number."""
        at, plies = match.ply, chosen_plies(match)
        picked = (
            [plies[k] for k in sorted({round(x) for x in np.linspace(0, len(plies) - 1, MOMENTS)})] if plies else []
        )
        weighing = PairedEvaluator(self.game, f"{self.seed!r} {number}".encode(), self.driver.backend)
        before, looks, found = np.cumsum([event.seat >= 0 for event in match.events]), [], []
        for k, ply in enumerate(picked):
            match.go(ply)
            looks.append(self.foresee(match, number * (MOMENTS + 1) + k))
            if (number + k) % EVERY == 0:
                found.append(self.choice(match, weighing, np.random.default_rng([number, ply])))
        match.go(at)
        when = np.array([(before[ply] - 1) / before[-1] for ply in picked])
        shape = (len(picked), self.game.players)
        first, last = (np.array([look[k] for look in looks]).reshape(shape) for k in (0, 1))
        end = places_of(np.array([match.returns()]))
        low = self.low(match, number, picked, good(last if self.place else first, end, self.place))
        return Seen(when, first, last, end, tuple(found), low)

    def low(self, match: Match, number: int, picked: list[int], chances: np.ndarray) -> Estimate | None:
        """The lowest of these chances of who did well, float64 (moments, seats; others NaN), judged in fresh worlds."""
        if not np.isfinite(chances).any():
            return None
        at = match.ply
        moment, seat = np.unravel_index(np.nanargmin(chances), chances.shape)
        match.go(picked[moment])
        found = self.foresee(match, number * (MOMENTS + 1) + MOMENTS, FRESH)[self.place, seat]
        match.go(at)
        return share(FRESH * float(1 - found if self.place else found), FRESH)

    def foresee(self, match: Match, stream: int, worlds: int | None = None) -> np.ndarray:
        """The chances of first and of last place of each seat, as the public could know, float64 (2, seats)."""
        raw(self._rows)[ROOT] = np.frombuffer(match.concealed(-1), np.uint8)
        rng, cards, dice = (self.driver.generator(self.seed, f"lab {name}", stream) for name in ("deals", "", "dice"))
        won = np.zeros((worlds or WORLDS, self.game.players))
        kernel = self.driver.kernel(foresee)  # type: ignore[arg-type]
        kernel(
            self.driver.g, self._rows, -1, *self._house, self._actions, self._weights, rng, cards, dice,
            stream * max(WORLDS, FRESH), ENDLESS, self.driver.shared(won), self._out,
        )  # fmt: skip
        return places_of(won)

    def choice(self, match: Match, weighing: PairedEvaluator, dice: np.random.Generator) -> Choice:
        """Whether the choice of the seat to act matters, by what it knows.

        The best and the worst move are named in half of the worlds and compared in the others, so that neither is
        so by luck.
        """
        seat = match.actor
        legal = match.legal_ids(seat)
        tried = legal if len(legal) <= MOVES else sorted(dice.choice(legal, MOVES, replace=False).tolist())
        won = weighing.evaluate(match.concealed(seat), seat, tried, TRIALS).utilities
        gaps = [gap(half, other) for half, other in ((won[::2], won[1::2]), (won[1::2], won[::2]))]
        difference = gaps[0]
        error = difference.std(ddof=1) / len(difference) ** 0.5
        return Choice(float(np.mean([each.mean() for each in gaps])), bool(difference.mean() > T * error > 0))


def gap(named: np.ndarray, judged: np.ndarray) -> np.ndarray:
    """By how much the move that is best in some worlds beats the worst, in each of other worlds."""
    means = named.mean(axis=0)
    better: np.ndarray = judged[:, means.argmax()] - judged[:, means.argmin()]
    return better


def places_of(results: np.ndarray) -> np.ndarray:
    """The mean share of first and of last place of each seat, float64 (2, seats)."""
    shares = []
    for signed in (results, -results):
        best = signed == signed.max(axis=1, keepdims=True)
        shares.append((best / best.sum(axis=1, keepdims=True)).mean(axis=0))
    return np.array(shares)


def chosen_plies(match: Match) -> list[int]:
    """The plies of a match that is over at which a seat chose one of several moves."""
    found = []
    for ply, event in enumerate(match.events):
        if event.seat >= 0:
            match.go(ply)
            found += [ply] if len(match.legal_ids(event.seat)) > 1 else []
    match.go(match.length)
    return found


def look_at(
    game: GameSetup, each: Iterable[Match], seed: int | bytes = 0, threads: int = 1, seconds: float = float("inf"),
    backend: str | None = None, progress: Progress | None = None, pool: Executor | None = None,
) -> list[Seen]:  # fmt: skip
    """Look at matches that are over, in their order; after so many seconds (and LEAST of them) no more are.

    The seconds are those that each of so many threads looks, whatever else it does between; `pool`: these threads.
    """
    desks, out, spent = [Watcher(game, seed, backend) for _ in range(threads)], [], 0.0

    def run(numbered: tuple[int, Match]) -> tuple[Seen, float]:
        desk, began = desks.pop(), time.monotonic()
        try:
            return desk.watch(numbered[1], numbered[0]), time.monotonic() - began
        finally:
            desks.append(desk)

    with closing(waiting(run, enumerate(each), threads, pool)) as looks:
        for seen, took in looks:
            out.append(seen)
            spent += took
            if progress is not None:
                progress(1, spent)
            if len(out) >= LEAST and spent >= seconds * threads:
                break
    return out


# --- what it comes to -------------------------------------------------------------------------------------------------
def chances(seen: Seen, place: int) -> np.ndarray:
    """The chances that count: of first place (0), or of last (1)."""
    return seen.last if place else seen.first


def lead_changes(seen: Seen, place: int) -> int:
    """How often another seat surely became the likeliest for the place.

    Sure at 5 % for all that is compared in a match together, so that luck alone makes no changes; who leads first
    must surely lead, too.
    """
    rows, leader, changes = chances(seen, place), -1, 0
    z = NormalDist().inv_cdf(1 - (1 - SURE) / (2 * max(1, len(rows) * (rows.shape[1] - 1))))
    for row in rows:
        new = int(row.argmax())
        if leader < 0:
            leader = new if all(ahead(row, new, other, z) for other in range(len(row)) if other != new) else leader
        elif new != leader and ahead(row, new, leader, z):
            leader, changes = new, changes + 1
    return changes


def ahead(row: np.ndarray, one: int, other: int, z: float) -> bool:
    """Whether one seat's chance, from WORLDS worlds, is above another's by more than z times its error."""
    gap = float(row[one] - row[other])
    error = (float(row[one] + row[other]) - gap**2) / WORLDS
    return bool(gap > z * error**0.5)


def settled(seen: Seen, place: int) -> float:
    """How much of the match had been played when the outcome was settled for good: 1 if it never was before the end."""
    final = seen.end[place]
    sure = (chances(seen, place) * (final > 0)).sum(axis=1) >= CERTAIN
    if not len(sure) or not sure[-1]:
        return 1.0
    unsure = np.flatnonzero(~sure)
    return float(seen.when[unsure[-1] + 1] if len(unsure) else seen.when[0])


def good(chances: np.ndarray, end: np.ndarray, place: int) -> np.ndarray:
    """The chances (moments, seats) of doing well that those had who did: won alone, or didn't lose; NaN for others."""
    well = end[1] == 0 if place else end[0] == 1
    found: np.ndarray = np.where(well, 1 - chances if place else chances, np.nan)
    return found


def comeback(seen: Seen, place: int) -> bool:
    """Whether somebody did well who surely once had less than half of a fair chance of it."""
    fair = 1 / seen.end.shape[1]
    return seen.low is not None and seen.low.high < (1 - fair if place else fair) / 2


def favourite_curve(seen: Sequence[Seen], place: int, bins: int = 10) -> list[list[float]]:
    """The chances that the seats which came to the place had before, by how much of a match was played.

    One for each match: its moments aren't independent.
    """
    out: list[list[float]] = [[] for _ in range(bins)]
    for each in seen:
        at = np.minimum((each.when * bins).astype(int), bins - 1)
        had = chances(each, place) @ each.end[place]
        for k in np.unique(at).tolist():
            out[k].append(float(had[at == k].mean()))
    return out
