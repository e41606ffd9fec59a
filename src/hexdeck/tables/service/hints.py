"""Hints at tables: worked out in a thread of their own, from what a seat knows; nothing here moves."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Mapping
from concurrent.futures import Future
from dataclasses import dataclass
from functools import partial

from hexdeck.bots.advice.hints import Advice, advised, premises
from hexdeck.engine.errors import NotActing
from hexdeck.engine.play.driver import quickest_backend
from hexdeck.engine.text import Text, say
from hexdeck.simulation.game import Game
from hexdeck.tables.errors import NotYours
from hexdeck.tables.model.live import LiveTable
from hexdeck.tables.service.commands import assert_open
from hexdeck.tables.service.thinker import Thinker

MOST_KEPT = 500
NOT_ALLOWED = say("Hints aren't allowed at this table.")


@dataclass(frozen=True)
class HintRequest:
    """What a hint is made of: what a seat knows, the words of its moves by their ids; the version as it sees it."""

    game: Game
    seat: int
    known: bytes
    labels: Mapping[int, Text]
    version: int


@dataclass(frozen=True)
class HintResult:
    """The best moves, the best first, and what the results stand on; asked at a version."""

    best: tuple[Advice, ...]
    premises: tuple[Text, ...]
    version: int


def hint_request(table: LiveTable, seat: int) -> HintRequest:
    """What a seat asks when it asks for a hint; raises NotYours where that isn't allowed, or as a move would."""
    assert_open(table, seat, local=False)
    if not table.terms.hints:
        raise NotYours(NOT_ALLOWED)
    if table.match is None or seat not in table.acting:
        raise NotActing(say("It isn't your turn."))
    if seat in table.forced:
        raise NotActing(say("Nobody decides this: the table makes the only move that is left."))
    labels = {move.id: move.label for move in table.view(seat).moves}
    return HintRequest(table.game, seat, table.match.concealed(seat), labels, table.version_for(seat))


def hint_result(request: HintRequest) -> HintResult:
    """The answer; it takes a while."""
    best = tuple(advised(request.game, request.known, request.seat, request.labels))
    told = premises(request.game, quickest_backend(request.game.definition), (each.margin for each in best))
    return HintResult(best, tuple(told), request.version)


class Hints:
    """Answers one question after the other; the same question again is answered from memory."""

    def __init__(self) -> None:
        self.thinker = Thinker(1)
        self._kept: OrderedDict[tuple[str, int, bytes, int], Future[HintResult]] = OrderedDict()

    def ask(self, id: str, request: HintRequest) -> Future[HintResult]:
        """The answer to a question that is asked at a table."""
        key = id, request.seat, request.known, request.version
        found = self._kept.pop(key, None)
        if found is None or (found.done() and (found.cancelled() or found.exception())):
            found = self.thinker.work(partial(hint_result, request))
        self._kept[key] = found
        while len(self._kept) > MOST_KEPT:
            self._kept.popitem(last=False)
        return found

    def forget(self) -> None:
        """Forget all answers."""
        self._kept.clear()

    def close(self) -> None:
        """Think no more."""
        self.thinker.close()
