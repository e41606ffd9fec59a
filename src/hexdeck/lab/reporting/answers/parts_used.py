"""Which cards and kinds of moves are used: those that surely hardly are, and those that may not be."""

from __future__ import annotations

import functools
from dataclasses import dataclass

from hexdeck.lab.reporting.cause_findings import DEAD, ENOUGH, IDLE, Question, asked_of
from hexdeck.lab.reporting.report import Part, Report


@dataclass(frozen=True)
class Reading:
    """A report that is read for its answers; what several of them need is worked out once."""

    report: Report

    @functools.cached_property
    def asked(self) -> list[tuple[Question, bool]]:
        """The questions about cards and actions, and whether each is surely a finding."""
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
    own = [(each, sure) for each, sure in reading.asked
           if each.players == part.players and each.family in {DEAD, IDLE}]  # fmt: skip
    dead = tuple(each for each, sure in own if sure)
    unsure = tuple(each for each, sure in own if each.open and not sure)
    if not own:
        return None
    return PartsUsed(len(own), dead, unsure, min((each for each, _sure in own), key=lambda each: each.found.value))
