"""What bots say of a seat's decisions: hints while the match goes on, an analysis once it is over, another try.

A costly decision of a match that is over can be tried again, from what its player knew. Which moves are advised,
and why: `bots.advice.hints`, and `because` in a game's hints.
"""

import asyncio
import contextlib
import json
import logging
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field
from typing import Any

from sqlalchemy import Connection, and_, delete, select, update

from hexdeck.bots.advice.analysis import (
    Decision,
    cost_in_words,
    costliest,
    decision_plies,
    decisions,
    result_of,
    summary,
    turning_point,
)
from hexdeck.bots.advice.hints import GAMES, Advice, advised, evaluator
from hexdeck.engine.errors import NotActing
from hexdeck.engine.play.game import default_backend
from hexdeck.engine.play.match import Match
from hexdeck.engine.study import ResultUnit
from hexdeck.engine.text import Text, from_data, say
from hexdeck.simulation.game import Game
from hexdeck.tables.commands import assert_open
from hexdeck.tables.database import analyses, attempts, tables
from hexdeck.tables.entries import BOT, OVER, compact_json
from hexdeck.tables.errors import NotYours, Stale, TableError, TooMany
from hexdeck.tables.live import LiveTable
from hexdeck.tables.rows import Store, insert_if_absent
from hexdeck.tables.thinker import ASKED, PATIENCE, Recent, Thinker

MOST_HINTS = 500
NOT_ALLOWED = say("Hints aren't allowed at this table.")
LOG = logging.getLogger("hexdeck.tables")
MOST_ANALYSES = 200  # analyses in memory
MOST_WAITING = 100  # that are under way
LONGEST_ANALYSIS = 600.0  # seconds of thought
MOST_WAITING_EACH = 20  # of one asker
MOST_RETRIES = 5  # decisions of a match that can be tried again


@dataclass(frozen=True)
class HintRequest:
    """What a hint is computed from: what a seat knows, the labels of its moves by id, the version that it sees.

    `others`: the bots on the other seats, "" for a person.
    """

    game: Game
    seat: int
    known: bytes
    labels: Mapping[int, Text]
    version: int
    others: tuple[str, ...] = ()


@dataclass(frozen=True)
class HintResult:
    """The best moves, the best first, and what their results rest on; `version`: when it was asked for."""

    best: tuple[Advice, ...]
    premises: tuple[Text, ...]
    version: int


def hint_request(table: LiveTable, seat: int) -> HintRequest:
    """A seat's request for a hint; raises NotYours where hints aren't allowed, or what a move would raise."""
    assert_open(table, seat, local=False)
    if not table.terms.hints:
        raise NotYours(NOT_ALLOWED)
    if table.match is None or seat not in table.acting:
        raise NotActing(say("It isn't your turn."))
    if seat in table.forced:
        raise NotActing(say("There is nothing to decide: the table makes the only possible move."))
    labels = {move.id: move.label for move in table.view(seat).moves}
    others = tuple(other.level * (other.kind == BOT) for p, other in enumerate(table.seats) if p != seat)
    return HintRequest(table.game, seat, table.match.concealed(seat), labels, table.version_for(seat), others)


class Hints:
    """Has hints computed; the same request again is answered from memory."""

    def __init__(self, thinker: Thinker) -> None:
        self.thinker = thinker
        self._kept = Recent[tuple[Any, ...], Future[HintResult]](MOST_HINTS)

    def ask(self, id: str, request: HintRequest, asker: str = "") -> Future[HintResult]:
        """The hint for a request at a table; raises TooMany where too much waits for the asker."""

        def work() -> HintResult:
            hint = advised(request.game, request.known, request.seat, request.labels, None, request.others)
            return HintResult(hint.moves, hint.premises, request.version)

        key = id, request.seat, request.known, request.version, request.game.definition, request.others
        hint = self._kept.pop(key, None)
        if hint is None or (hint.done() and (hint.cancelled() or hint.exception())):
            hint = self.thinker.ask(work, asker, id)
        self._kept[key] = hint
        return hint

    def forget(self) -> None:
        """Forget all hints."""
        self._kept.clear()


@dataclass
class Analysis:
    """The analysis of a seat's decisions, as far as it has come: of `total`, which is -1 until they are counted.

    `summary` and `measure`: sentences about the whole, and how results are said, once it is `done`. `result`: the
    utility that the match brought. `turned_in`: the deal of the turning point, from 1; 0 where there is none, or just
    one deal. `failed`: the match can't be analysed. `asker`: who asked for it first. `steps`: what is left to do; it
    rests unless it is `running`, as where nobody has looked since `looked_at`.
    """

    seat: int
    total: int = -1
    decisions: list[Decision] = field(default_factory=list)
    summary: tuple[Text, ...] = ()
    measure: ResultUnit | None = None
    failed: bool = False
    result: float | None = None
    turned_in: int = 0
    asker: str = ""
    steps: Iterator[None] = field(default_factory=lambda: iter(()))
    running: bool = False
    looked_at: float = 0.0
    seconds: float = 0.0  # that it has taken

    @property
    def done(self) -> bool:
        """Whether it has come to its end."""
        return self.measure is not None or self.failed

    def data(self) -> dict[str, Any]:
        """JSON-able data, without the measure."""
        return {
            "decisions": [
                {name: value.data() if isinstance(value, Text) else value for name, value in vars(decision).items()}
                for decision in self.decisions
            ],
            "summary": [text.data() for text in self.summary],
            "turned_in": self.turned_in,
        }


class Analyses:
    """Makes analyses in a thread of a thinker, one decision at a time, so that shorter jobs come in between."""

    def __init__(self, thinker: Thinker, store: Store) -> None:
        self.thinker, self.store = thinker, store
        self._kept = Recent[tuple[str, int], Analysis](MOST_ANALYSES)

    async def forget(self, game: str) -> None:
        """Forget what is known of a game's matches, since its rules have changed."""
        ids = select(tables.c.id).where(tables.c.game == game)

        def delete_stored(connection: Connection) -> set[str]:
            connection.execute(delete(analyses).where(analyses.c.table.in_(ids)))
            return set(connection.execute(ids).scalars())

        changed = await asyncio.wrap_future(self.store.submit(delete_stored))
        for key in [key for key in self._kept if key[0] in changed]:
            self._kept.pop(key).looked_at = -math.inf  # what is under way ends

    def is_known(self, table: LiveTable, seat: int) -> bool:
        """Whether this analysis was asked for before."""
        return (table.id, seat) in self._kept

    async def load_stored(self, table: LiveTable, seat: int) -> None:
        """Load an analysis that this or another process has stored."""
        if table.state != OVER or table.match is None or self.is_known(table, seat):
            return
        query = select(analyses.c.data).where(and_(analyses.c.table == table.id, analyses.c.seat == seat))
        text = await asyncio.wrap_future(self.store.submit(lambda connection: connection.execute(query).scalar()))
        if text and not self.is_known(table, seat):
            # one that another hexdeck stored, or that is damaged, is made again
            with contextlib.suppress(KeyError, TypeError, ValueError):
                data, judged = json.loads(text), list[Decision]()
                for stored in data["decisions"]:
                    values: Any = {name: from_data(v) if isinstance(v, dict) else v for name, v in stored.items()}
                    judged.append(Decision(**values))
                sentences, measure = tuple(map(from_data, data["summary"])), table.match.game.measure
                result, turned = table.match.returns()[seat], data["turned_in"]
                analysis = Analysis(seat, len(judged), judged, sentences, measure, result=result, turned_in=turned)
                self._kept[table.id, seat] = analysis

    def finished(self, table: LiveTable, seat: int) -> Analysis | None:
        """The analysis of a seat if it is here and done; nothing is started."""
        analysis = self._kept.get((table.id, seat))
        return analysis if analysis and analysis.done else None

    def waiting(self, asker: str) -> int:
        """How many analyses of an asker aren't done yet."""
        return sum(analysis.running and analysis.asker == asker for analysis in self._kept.values())

    def get(self, table: LiveTable, seat: int, asker: str = "") -> Analysis:
        """The analysis of a seat, started if it isn't there; raises Stale while the match goes on, or TooMany."""
        if table.state != OVER or table.match is None:
            raise Stale(say("A match can be analysed once it is over."))
        analysis = self._kept.get((table.id, seat))
        if analysis is None:
            too_many = sum(running.running for running in self._kept.values()) >= MOST_WAITING
            if too_many or self.waiting(asker) >= MOST_WAITING_EACH:
                raise TooMany(say("Many matches are being analysed just now; try again in a minute."))
            analysis = self._kept[table.id, seat] = Analysis(seat, asker=asker)
            analysis.steps = self._steps(analysis, table.replayer(), table.id)
        analysis.looked_at = self.thinker.clock()
        if not analysis.running and not analysis.done:
            analysis.running = True
            self._go_on(analysis, table.id)
        self._kept.move_to_end((table.id, seat))
        return analysis

    def _go_on(self, analysis: Analysis, table: str) -> None:
        """Take the next step in a thread, as long as a page is open; whatever goes wrong, no page waits for more."""

        def step() -> None:
            began = self.thinker.clock()
            goes_on = began - analysis.looked_at < PATIENCE
            try:
                if goes_on:
                    next(analysis.steps)
            except StopIteration:
                goes_on = False
            except Exception:
                LOG.exception("a match can't be analysed")
                analysis.failed = True
            analysis.seconds += self.thinker.clock() - began
            analysis.failed |= goes_on and analysis.seconds > LONGEST_ANALYSIS
            analysis.running = goes_on and not analysis.failed
            if analysis.running:
                self._go_on(analysis, table)

        self.thinker.work(step, ASKED + analysis.asker, table)

    def _steps(self, analysis: Analysis, replay: Callable[[], Match], table: str) -> Iterator[None]:
        """Count the decisions, judge one after the other, and finish."""
        match = replay()
        plies = decision_plies(match, analysis.seat)
        analysis.total = len(plies)
        yield
        for decision in decisions(match, analysis.seat, plies):
            analysis.decisions.append(decision)
            yield
        analysis.turned_in = deal_of_turning_point(match, analysis.decisions)
        analysis.summary = tuple(summary(match, analysis.seat, analysis.decisions))
        analysis.result = result_of(match, analysis.seat)
        analysis.measure = match.game.measure
        if match.driver.backend == default_backend():  # else it is rough: the game wasn't compiled yet
            row = {"table": table, "seat": analysis.seat, "data": compact_json(analysis.data())}
            self.store.submit(lambda connection: insert_if_absent(connection, analyses, row))


def deal_of_turning_point(match: Match, decisions: list[Decision]) -> int:
    """The deal in which a match turned, from 1; 0 where it didn't, or had just one."""
    turn = turning_point(decisions)
    match.go(match.length)
    if turn is None or match.struct.deal <= 1:
        return 0
    match.go(turn.ply)
    return int(match.struct.deal)


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


def retry_result(replay: Callable[[], Match], seat: int, decision: Decision, action: str) -> Retry:
    """What a move would have brought at a decision, by what the seat knew; raises TableError for one it didn't have.

    `action`: its name. This takes a while.
    """
    match = replay()
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


def verdict(trial: Retry, measure: ResultUnit) -> Text:
    """What came of trying again, in a sentence; the best move is not given away."""
    if trial.same:
        return say("Found it: “{move}” is the best move we know.", move=trial.move)
    if trial.solved:
        return say("Good: “{move}” is as good as the best move, as far as we can tell.", move=trial.move)
    cost = cost_in_words(trial.cost, trial.margin, measure)
    return say("Not yet: “{move}” brings {cost} less than the best move.", move=trial.move, cost=cost)
