"""A match seen again by one seat: at each of its decisions, what it could expect and what its choice cost.

Everything is judged by what the seat knew then, never by hindsight.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from hexdeck.bots.advice.exact import ExactAdvisor
from hexdeck.bots.advice.hints import GAMES, adviser, scales
from hexdeck.bots.bot import Bot
from hexdeck.bots.search.paired_evaluator import PairedEvaluator
from hexdeck.bots.worlds import Worlds
from hexdeck.engine.measure import Measure
from hexdeck.engine.play.match import Match
from hexdeck.engine.text import Text, say

SAME, CLOSE, COSTLY, BETTER = "same", "close", "costly", "better"


@dataclass(frozen=True)
class Decision:
    """One decision with more than one legal move.

    `ply`: events before it; `prompt`: what the seat was asked; `played`, `best`: the move it made and the one that the
    bot proposes, in words; `reason`: a fact about the latter; `worth`, `got`: the utility expected after each; `cost`:
    their difference and `margin` half its 95 % interval, as `PairedEvaluator` found them, or None where they are exact.
    """

    ply: int
    prompt: Text
    played: Text
    best: Text
    reason: Text | None
    same: bool
    worth: float
    got: float
    cost: float
    margin: float | None

    @property
    def verdict(self) -> str:
        """The move was the SAME as the bot's, too CLOSE to call, COSTLY, or even BETTER."""
        if self.same:
            return SAME
        if abs(self.cost) <= (self.margin or 0.0):
            return CLOSE
        return COSTLY if self.cost > 0 else BETTER


def decision_plies(match: Match, seat: int) -> list[int]:
    """The plies at which the seat then chose one of several legal moves."""
    found, at = [], match.ply
    for ply, event in enumerate(match.events):
        if event.seat == seat:
            match.go(ply)
            found += [ply] if len(match.legal_ids(seat)) > 1 else []
    match.go(at)
    return found


def decisions(match: Match, seat: int, plies: Sequence[int], bot: Bot | None = None,
              games: int | None = None) -> Iterator[Decision]:  # fmt: skip
    """The seat's decisions at these plies. `games`: how many are played out for each; more make it surer and slower."""
    backend = match.driver.backend
    budget = games or GAMES[backend]
    asked, weighing = bot or adviser(match.game, 0, backend, budget), scales(match.game, backend)
    at = match.ply
    for ply in plies:
        match.go(ply)
        yield decision(match, seat, asked, weighing, budget)
    match.go(at)


def decision(match: Match, seat: int, bot: Bot, weighing: PairedEvaluator | ExactAdvisor, budget: int) -> Decision:
    """The seat's decision at the present ply of a match, which it then made."""
    known, played = match.concealed(seat), match.event(match.ply).id
    best = bot.candidates(known, seat, 0)[0].action
    weighed = weighing.weigh(known, seat, sorted({best, played}), max(2, budget // 2))
    cost, margin = weighed.gap(best, played)
    labels = {move.id: move.label for move in match.legal(seat)}
    struct = match.driver.proxy(memoryview(bytearray(known)))
    reason = match.game.hints.because(struct, seat, best, Worlds(match.game, known, seat)) if best != played else None
    return Decision(
        match.ply, match.view(seat).prompt, labels[played], labels[best], reason, best == played,
        weighed.worth(best)[0], weighed.worth(played)[0], cost, margin,
    )  # fmt: skip


def costliest(found: Sequence[Decision], most: int = 3) -> list[Decision]:
    """The decisions that cost most, those that surely cost something first; none that cost nothing."""
    paid = [each for each in found if not each.same and each.cost > 0]
    return sorted(paid, key=lambda each: (each.verdict != COSTLY, -each.cost))[:most]


def difference(found: Decision, measure: Measure) -> Text:
    """By how much the two moves differ, in words."""
    if found.margin is not None:
        return measure.difference(found.cost, found.margin)
    return say(measure.gap, number=measure.written(abs(found.cost) * measure.scale))


def measure_of(match: Match) -> Measure:
    """How results of the match are said to people."""
    measure: Measure = match.game.hints.measure(match.struct)
    return measure
