"""Analyses of matches that are over: worked out decision by decision beside all else, and kept."""

from __future__ import annotations

import contextlib
import logging
from collections import OrderedDict
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import partial

from hexdeck.bots.analysis import Decision, decision_plies, decisions, measure_of
from hexdeck.bots.review import summary
from hexdeck.engine.driver import quickest_lane
from hexdeck.engine.game import Game
from hexdeck.engine.match import Match
from hexdeck.engine.measure import Measure
from hexdeck.engine.text import Text, say
from hexdeck.engine.view import Fact
from hexdeck.tables.errors import Stale, TooMany
from hexdeck.tables.live import OVER, LiveTable, Pairs
from hexdeck.tables.thinker import Thinker

LOG = logging.getLogger("hexdeck.tables")
MOST_KEPT = 200
MOST_WAITING = 20


@dataclass(frozen=True)
class Played:
    """A match that is over, as a thread needs it to play it again."""

    game: Game
    pairs: Pairs
    told: list[tuple[Fact, ...]]
    names: tuple[str, ...]

    def match(self) -> Match:
        """The match, to step through."""
        made = self.game.match(by_hand=True, lane=quickest_lane(self.game.rules), names=self.names)
        made.load_events(self.pairs)
        made.sight.recall(self.told)
        return made


@dataclass
class Analysis:
    """What is known so far of a seat's decisions: `found` of `total`, which is -1 until they are counted.

    `told`, `measure`: sentences about the whole and how results are said, when it is `done`. `failed`: it can't be had.
    """

    seat: int
    total: int = -1
    found: list[Decision] = field(default_factory=list)
    told: tuple[Text, ...] = ()
    measure: Measure | None = None
    failed: bool = False

    @property
    def done(self) -> bool:
        """Whether all is known that will be."""
        return self.measure is not None or self.failed


class Analyses:
    """Works on analyses in a thinker's thread, one decision at a time, so that whoever asks for less comes between."""

    def __init__(self, thinker: Thinker) -> None:
        self.thinker = thinker
        self._kept: OrderedDict[tuple[str, int], Analysis] = OrderedDict()

    def known(self, table: LiveTable, seat: int) -> bool:
        """Whether somebody asked for this analysis before."""
        return (table.id, seat) in self._kept

    def of(self, table: LiveTable, seat: int) -> Analysis:
        """The analysis of a seat, begun if it isn't there; raises Stale while the match goes on, or TooMany."""
        if table.state != OVER or table.match is None:
            raise Stale(say("A match can be analysed when it is over."))
        found = self._kept.get((table.id, seat))
        if found is None:
            found = self._begun(table, seat)
        self._kept.move_to_end((table.id, seat))
        while len(self._kept) > MOST_KEPT:
            self._kept.popitem(last=False)
        return found

    def _begun(self, table: LiveTable, seat: int) -> Analysis:
        if sum(not each.done for each in self._kept.values()) >= MOST_WAITING:
            raise TooMany(say("Many matches are being analysed just now; try again in a minute."))
        found = self._kept[table.id, seat] = Analysis(seat)
        played = Played(table.game, table.pairs, table.told, table.names)
        self.thinker.work(partial(self._begin, found, played))
        return found

    def _begin(self, analysis: Analysis, played: Played) -> None:
        """Count the decisions; then go on with the first."""
        with _told_of(analysis):
            match = played.match()
            plies = decision_plies(match, analysis.seat)
            analysis.total = len(plies)
            self.thinker.work(partial(self._go_on, analysis, match, decisions(match, analysis.seat, plies)))

    def _go_on(self, analysis: Analysis, match: Match, ahead: Iterator[Decision]) -> None:
        """The next decision, or the end."""
        with _told_of(analysis):
            each = next(ahead, None)
            if each is None:
                analysis.told, analysis.measure = (
                    tuple(summary(match, analysis.seat, analysis.found)),
                    measure_of(match),
                )
                return
            analysis.found.append(each)
            self.thinker.work(partial(self._go_on, analysis, match, ahead))


@contextlib.contextmanager
def _told_of(analysis: Analysis) -> Iterator[None]:
    """Whatever goes wrong, who waits for an analysis is told."""
    try:
        yield
    except Exception:
        LOG.exception("a match can't be analysed")
        analysis.failed = True
