"""Analysis of a finished match for one seat: at each decision, the expected result and the cost of its choice.

Everything is judged by what the seat knew at the time, never by hindsight.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from hexdeck.bots.advice.exact import ExactAdvisor
from hexdeck.bots.advice.hints import GAMES, adviser, evaluator
from hexdeck.bots.bot import Bot
from hexdeck.bots.search.paired_evaluator import PairedEvaluator
from hexdeck.bots.worlds import Worlds
from hexdeck.engine.play.match import Match
from hexdeck.engine.study import Measure
from hexdeck.engine.text import Text, say

SAME, CLOSE, COSTLY, BETTER = "same", "close", "costly", "better"


@dataclass(frozen=True)
class Decision:
    """One decision with more than one legal move.

    `ply`: events before it; `prompt`: what the seat was asked; `played`, `best`: the move it made and the one that the
    bot proposes, in words; `reason`: a fact about the latter; `same`: whether they are the same move. `worth`, `got`:
    the utility expected after the best move and after the played one; `cost`: their difference; `margin`: half its
    95 % interval, or None where it is exact.
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
        """Whether the move was the SAME as the bot's, too CLOSE to call, COSTLY, or even BETTER."""
        if self.same:
            return SAME
        if abs(self.cost) <= (self.margin or 0.0):
            return CLOSE
        return COSTLY if self.cost > 0 else BETTER


def decision_plies(match: Match, seat: int) -> list[int]:
    """The plies at which the seat had a choice between legal moves."""
    found, at = [], match.ply
    for ply, event in enumerate(match.events):
        if event.seat == seat:
            match.go(ply)
            found += [ply] if len(match.legal_ids(seat)) > 1 else []
    match.go(at)
    return found


def decisions(match: Match, seat: int, plies: Sequence[int], bot: Bot | None = None,
              games: int | None = None) -> Iterator[Decision]:  # fmt: skip
    """The seat's decisions at these plies.

    `bot`: who proposes the best moves, by default the adviser of hints; `games`: how many games are played out for each
    decision, by default `hints.GAMES` of the backend.
    """
    backend = match.driver.backend
    budget = games or GAMES[backend]
    proposing, evaluating = bot or adviser(match.game, 0, backend, budget), evaluator(match.game, backend)
    at = match.ply
    for ply in plies:
        match.go(ply)
        yield decision(match, seat, proposing, evaluating, budget)
    match.go(at)


def decision(match: Match, seat: int, bot: Bot, evaluating: PairedEvaluator | ExactAdvisor, budget: int) -> Decision:
    """The decision that the seat made at the present ply of a match."""
    known, played = match.concealed(seat), match.event(match.ply).id
    best = bot.candidates(known, seat, 0)[0].action
    found = evaluating.evaluate(known, seat, sorted({best, played}), max(2, budget // 2))
    cost, margin = found.difference(best, played)
    labels = {move.id: move.label for move in match.legal(seat)}
    struct = match.driver.proxy(memoryview(bytearray(known)))
    reason = match.game.hints.because(struct, seat, best, Worlds(match.game, known, seat)) if best != played else None
    return Decision(
        match.ply, match.view(seat).prompt, labels[played], labels[best], reason, best == played,
        found.value(best)[0], found.value(played)[0], cost, margin,
    )  # fmt: skip


def costliest(found: Sequence[Decision], most: int = 3) -> list[Decision]:
    """At most so many decisions that surely cost something, by their cost; none that is too close to call."""
    return sorted((each for each in found if each.verdict == COSTLY), key=lambda each: -each.cost)[:most]


def turning_point(found: Sequence[Decision]) -> Decision | None:
    """The decision that cost most; None where no cost is outside its interval."""
    return next(iter(costliest(found, 1)), None)


def result_of(match: Match, seat: int) -> float | None:
    """The utility that a match brought a seat, None where it isn't over; the match is left at its last ply."""
    match.go(match.length)
    return float(match.returns()[seat]) if match.over else None


def difference(found: Decision, measure: Measure) -> Text:
    """By how much the two moves differ, in words."""
    return cost_in_words(found.cost, found.margin, measure)


def cost_in_words(cost: float, margin: float | None, measure: Measure) -> Text:
    """A cost and half its 95 % interval, or None where it is exact."""
    if margin is not None:
        return measure.difference(cost, margin)
    return say(measure.gap, number=measure.written(abs(cost) * measure.scale))


def measure_of(match: Match) -> Measure:
    """How results of the match are shown to people."""
    measure: Measure = match.game.hints.STUDY.measure_in(match.struct)
    return measure
