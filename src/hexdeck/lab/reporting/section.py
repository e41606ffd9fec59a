"""What a table of a report is, and cells that several tables have."""

from __future__ import annotations

from dataclasses import dataclass

from hexdeck.engine.measure import Measure
from hexdeck.engine.text import Text, say
from hexdeck.lab.reporting import number_format as numbers
from hexdeck.lab.reporting.report import Part
from hexdeck.stats import Estimate

LEAST = 10  # analysed games without which nothing is said of them
SHARED = 0.2  # games with a shared first place above which nothing is said of when winners are settled
Cell = Text | str


@dataclass(frozen=True)
class Section:
    """A table: its title, the heads of its columns, rows of cells, and a note below it.

    `shares`: for each row a share, 0 to 1, that column `barred` shows as a bar too. `total`: the row, if there
    is one, to which those above it add up.
    """

    id: str
    title: Text
    heads: tuple[Text, ...]
    rows: tuple[tuple[Cell, ...], ...]
    note: Text | None = None
    shares: tuple[float, ...] = ()
    barred: int = 1
    total: int | None = None


def signed(estimate: Estimate, part: Part) -> Text:
    """A difference of results in people's units, with its sign."""
    if not estimate.count:
        return numbers.TOO_FEW
    scaled = estimate.scaled(part.measure.scale)
    return say("{number} {unit}", number=numbers.plain(scaled), unit=part.measure.unit)


def in_units(estimate: Estimate, measure: Measure) -> Estimate:
    """A result in people's units."""
    scaled, shift = estimate.scaled(measure.scale), measure.shift
    return Estimate(scaled.value + shift, scaled.low + shift, scaled.high + shift, scaled.count)


def place_title(part: Part) -> Text:
    """The head of the column with shares of the place that decides."""
    return say("loses") if part.place else say("comes first")


def percent_of_whole(estimate: Estimate) -> Text:
    """A part of a whole, 0 to 1, in whole percent."""
    if not estimate.count:
        return numbers.TOO_FEW
    if numbers.lopsided(estimate):
        value, low, high = (numbers.number(100 * each, 0) for each in (estimate.value, estimate.low, estimate.high))
        return say("{number} % ({low} to {high})", number=value, low=low, high=high)
    return say("{number} %", number=numbers.plain(estimate.scaled(100), 0))
