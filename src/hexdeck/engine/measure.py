"""Utilities in people's units: chips won, points ahead, matches won in 100. Each game says which it uses."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from hexdeck.engine.text import Text, _, say

MANY = 10  # numbers from here on are shown without tenths


@dataclass(frozen=True)
class Measure:
    """How utilities, as `returns` gives them, are shown to people.

    `ahead` and `behind` are message keys with {number}, for expected results from zero up and below zero; `gap` is the
    key for a difference of two results; `unit` says what is counted. The number shown is shift + scale * utility,
    clipped to `low` and `high`; `whole` rounds it to an integer.

    `horizon`: after how many decisions a game that is played out counts as it stands, only if the value of an
    unfinished match means something; None: it is played to its end. `lacking`, of a position at the horizon: what its
    value still lacks for whoever chooses, and half the 95 % interval.
    """

    ahead: str
    behind: str
    gap: str
    unit: Text
    scale: float = 1.0
    shift: float = 0.0
    low: float = float("-inf")
    high: float = float("inf")
    whole: bool = False
    horizon: int | None = None
    lacking: Callable[[Any], tuple[float, float]] | None = None

    def number(self, utility: float) -> float:
        """A utility in people's units."""
        return min(max(self.shift + self.scale * utility, self.low), self.high)

    def result(self, utility: float, margin: float | None = None) -> Text:
        """An expected result; `margin` is the half-width of its 95 % interval, as a utility, if known."""
        number = self.number(utility)
        text = say(self.behind if number < 0 else self.ahead, number=self.written(abs(number)))
        return text if margin is None else say("{result} (±{margin})", result=text, margin=self.spread(margin))

    def difference(self, utility: float, margin: float) -> Text:
        """The difference of two utilities; `margin` is the half-width of its 95 % interval, as a utility."""
        number = self.written(abs(utility) * self.scale)
        pair = say("{number} ±{margin}", number=number, margin=self.spread(margin))
        return say(self.gap, number=pair)

    def spread(self, margin: float) -> Text | int:
        """The half-width of an interval in people's units, at least one in the last digit shown."""
        least = 1 if self.whole else 0.1
        return self.written(max(margin * self.scale, least))

    def signed(self, number: float) -> Text:
        """A number in people's units with its sign, as on the axis of a plot."""
        return say("{sign}{number}", sign="-" if number < 0 else "", number=self.written(abs(number)))

    def written(self, number: float) -> Text | int:
        """A non-negative number, with tenths below `MANY`."""
        if self.whole or round(number, 1) >= MANY:
            return round(number)
        whole, tenth = divmod(round(10 * number), 10)
        return say("{whole}.{tenth}", whole=whole, tenth=tenth)


CHIPS = Measure(
    _("wins about {number} chips"), _("loses about {number} chips"), _("{number} chips"), say("chips won or lost")
)
WINS = Measure(
    _("wins about {number} %"), _("wins about {number} %"), _("{number} wins in 100"), say("% won"), 100.0, low=0.0,
    high=100.0, whole=True,
)  # fmt: skip
