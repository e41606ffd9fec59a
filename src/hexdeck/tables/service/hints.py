"""Hints at tables: computed in a thread from what a seat knows."""

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
from hexdeck.tables.errors import NotYours, TooMany
from hexdeck.tables.model.live import LiveTable
from hexdeck.tables.service.commands import assert_open
from hexdeck.tables.service.thinker import Thinker

MOST_KEPT = 500
MOST_WAITING = 40  # jobs of one asker; with more, no further hint is computed for them
NOT_ALLOWED = say("Hints aren't allowed at this table.")


@dataclass(frozen=True)
class HintRequest:
    """What a hint is computed from: what a seat knows, the labels of its moves by id, the version that it sees."""

    game: Game
    seat: int
    known: bytes
    labels: Mapping[int, Text]
    version: int


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
    return HintRequest(table.game, seat, table.match.concealed(seat), labels, table.version_for(seat))


def hint_result(request: HintRequest) -> HintResult:
    """The hint; this takes a while."""
    best = tuple(advised(request.game, request.known, request.seat, request.labels))
    found = premises(request.game, quickest_backend(request.game.definition), (each.margin for each in best))
    return HintResult(best, tuple(found), request.version)


class Hints:
    """Has hints computed; the same request again is answered from memory."""

    def __init__(self, thinker: Thinker) -> None:
        self.thinker = thinker
        self._kept: OrderedDict[tuple[str, int, bytes, int], Future[HintResult]] = OrderedDict()

    def ask(self, id: str, request: HintRequest, asker: str = "") -> Future[HintResult]:
        """The hint for a request at a table; raises TooMany where too much waits for whoever asks."""
        key = id, request.seat, request.known, request.version
        found = self._kept.pop(key, None)
        if found is None or (found.done() and (found.cancelled() or found.exception())):
            if self.thinker.waiting(asker) >= MOST_WAITING:
                raise TooMany(say("Much is being thought about for your address just now; ask again in a moment."))
            found = self.thinker.work(partial(hint_result, request), asker, id)
        self._kept[key] = found
        while len(self._kept) > MOST_KEPT:
            self._kept.popitem(last=False)
        return found

    def forget(self) -> None:
        """Forget all hints."""
        self._kept.clear()
