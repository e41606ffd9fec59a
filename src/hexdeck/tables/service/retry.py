"""Retrying a costly decision of a match that is over, from what its player knew: what another move would bring."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy import Connection, and_, select, update

from hexdeck.bots.advice.analysis import Decision, cost_in_words, costliest
from hexdeck.bots.advice.hints import GAMES, evaluator
from hexdeck.engine.study import Measure
from hexdeck.engine.text import Text, say
from hexdeck.tables.errors import TableError
from hexdeck.tables.service.advice import FinishedMatch
from hexdeck.tables.storage.schema import attempts
from hexdeck.tables.storage.store import insert_if_absent

MOST_RETRIES = 5  # decisions of a match that can be tried again


def store_attempt(connection: Connection, table: str, seat: int, ply: int, *, solved: bool) -> None:
    """Store that a seat tried a decision again; what is solved stays solved."""
    row = {"table": table, "seat": seat, "ply": ply, "solved": solved}
    if not insert_if_absent(connection, attempts, row) and solved:
        attempt = and_(attempts.c.table == table, attempts.c.seat == seat, attempts.c.ply == ply)
        connection.execute(update(attempts).where(attempt).values(solved=True))


def attempts_of(connection: Connection, table: str, seat: int) -> dict[int, bool]:
    """What a seat tried again, by ply: whether it was solved."""
    query = select(attempts.c.ply, attempts.c.solved).where(attempts.c.table == table, attempts.c.seat == seat)
    return {ply: bool(solved) for ply, solved in connection.execute(query)}


@dataclass(frozen=True)
class Retry:
    """What came of trying again: the move, whether it is the best one known, and what it costs beside that.

    `cost`: the utility that the best move brings more; `margin`: half its 95 % interval, None where it is exact.
    """

    move: Text
    same: bool
    cost: float
    margin: float | None

    @property
    def solved(self) -> bool:
        """Whether no other move is surely better."""
        return self.same or self.cost <= (self.margin or 0.0)


def worth_retrying(decisions: Sequence[Decision]) -> list[Decision]:
    """The decisions that surely cost most, in the order in which they came."""
    return sorted(costliest(decisions, MOST_RETRIES), key=lambda decision: decision.ply)


def retry_result(played: FinishedMatch, seat: int, decision: Decision, action: str) -> Retry:
    """What a move would have brought at a decision, by what the seat knew; raises TableError for one it didn't have.

    `action`: its name. This takes a while.
    """
    match = played.match()
    match.go(decision.ply)
    moves = {move.name: move for move in match.legal(seat)}
    if action not in moves:
        raise TableError(say("You couldn't do that then; choose one of the moves."))
    chosen, best = moves[action], next((move for move in moves.values() if move.label == decision.best), None)
    if best is None:  # the analysis is of other rules or words
        raise TableError(say("There is no such moment to try again."))
    judge = evaluator(match.game, match.driver.backend)
    estimates = judge.evaluate(
        match.concealed(seat), seat, sorted({best.id, chosen.id}), GAMES[match.driver.backend] // 2
    )
    cost, margin = estimates.difference(best.id, chosen.id)
    return Retry(chosen.label, best.id == chosen.id, cost, margin)


def verdict(trial: Retry, measure: Measure) -> Text:
    """What came of trying again, in a sentence; the best move is not given away."""
    if trial.same:
        return say("Found it: “{move}” is the best move we know.", move=trial.move)
    if trial.solved:
        return say("Good: “{move}” is as good as the best move, as far as we can tell.", move=trial.move)
    cost = cost_in_words(trial.cost, trial.margin, measure)
    return say("Not yet: “{move}” brings {cost} less than the best move.", move=trial.move, cost=cost)
