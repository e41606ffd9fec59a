"""Which cards and kinds of moves are used: those that surely hardly are, and those that may not be."""

from __future__ import annotations

import functools
from dataclasses import dataclass

from hexdeck.lab.reporting.cause_findings import DEAD, ENOUGH, IDLE, Asked, Question, asked_of
from hexdeck.lab.reporting.report import PACE, Part, Tested


@dataclass(frozen=True)
class Reading:
    """A report that is read for its answers; what several of them need is worked out once.

    `pace`: seconds that a person takes for a choice between a few moves, see `counting.pace`.
    """

    report: Tested
    pace: float = PACE

    def asked(self, part: Part) -> Asked:
        """The questions about cards and actions of a part, and whether each is surely a finding."""
        return next(asked for each, asked in zip(self.report.parts, self._asked, strict=True) if each is part)

    @functools.cached_property
    def _asked(self) -> list[Asked]:
        return asked_of(self.report)


@dataclass(frozen=True)
class PartsUsed:
    """Of `count` cards and kinds of moves: the surely `dead`, those that may be (`open`), and the `least` used."""

    count: int
    dead: tuple[Question, ...]
    open: tuple[Question, ...]
    least: Question


def parts_used(reading: Reading, part: Part) -> PartsUsed | None:
    """What is used with so many players; None where too few games were looked into."""
    if part.causes is None or part.causes.games < ENOUGH:
        return None
    own = [(each, sure) for each, sure in reading.asked(part) if each.family in {DEAD, IDLE}]
    dead = tuple(each for each, sure in own if sure)
    unsure = tuple(each for each, sure in own if each.open and not sure)
    if not own:
        return None
    return PartsUsed(len(own), dead, unsure, min((each for each, _sure in own), key=lambda each: each.found.value))
