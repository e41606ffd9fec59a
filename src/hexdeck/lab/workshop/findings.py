"""Findings of a measurement, the main one first, in the words of reports and comparisons.

While one looks, games double some ten times, and each time something could seem significant by chance: tests are
corrected as if each doubling were a test of its own.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import isfinite

from hexdeck.engine.text import Text, _, say
from hexdeck.lab.compare import bound
from hexdeck.lab.effects import NOBODY, differences
from hexdeck.lab.messages import MessageCounts
from hexdeck.lab.reporting import number_format as numbers
from hexdeck.lab.reporting.findings import Tests, fairness
from hexdeck.lab.reporting.report import Part, Plan, Report, comparisons
from hexdeck.lab.workshop.measurement import Measurement
from hexdeck.stats import Estimate

LOOKS = 10
FEWEST = 200  # games, before which nothing is said


def findings(measured: Measurement) -> Iterator[Text]:
    """The findings, the main one first; none after too few games."""
    if len(measured.side.statistics) < FEWEST or not isfinite(measured.precision):
        return
    if measured.comparison is None:
        yield from of_variant(measured.side.part)
        return
    pairs, *changes = differences(measured.comparison, MessageCounts(measured.asked.game), LOOKS)
    yield from sorted(changes, key=lambda text: text.key not in NOBODY)  # who gains comes before what else changes
    yield pairs


def of_variant(part: Part) -> Iterator[Text]:
    """What is beyond chance, the largest first; or that no seat is surely ahead."""
    tests = Tests(Report(Plan(), (part,)), LOOKS)
    fair = {asked.kind for asked in fairness(part)}
    if not any(sure and asked.kind in fair for asked, sure in tests.of(part)):
        yield nobody_ahead(part, LOOKS * comparisons([part.players]))
    yield from (finding.text for finding in tests.sure([part]))


def nobody_ahead(part: Part, tests: int) -> Text:
    """The sentence that no seat is surely ahead, with a bound for all of them together."""
    fair = 1 / part.players
    off = [
        Estimate(e.value - fair, e.low - fair, e.high - fair, e.count) for e in part.statistics.estimates(part.shares)
    ]
    most = 100 * bound(off, tests)
    text = _("With {players} players, no seat is surely ahead of another: none is further than {points} percentage "
             "points from its fair {fair} %.")  # fmt: skip
    points = numbers.number(most, numbers.digits_for(most))
    return say(text, players=part.players, points=points, fair=numbers.number(100 * fair, 1))
