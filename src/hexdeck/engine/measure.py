"""Utilities in people's words: chips won, points ahead, matches won in a hundred. Each game says which it counts."""

from __future__ import annotations

from dataclasses import dataclass

from hexdeck.engine.text import Text, _, say

MANY = 10  # from here on tenths are left out


@dataclass(frozen=True)
class Measure:
    """How the utility that `returns` counts is said to people.

    `ahead`, `behind`: keys with {number}, for an expected result above and below zero; `gap`: a key for the difference
    of two; `unit`: what is counted. The number is shift + scale · utility, kept from `low` to `high`; `whole`: never
    with tenths.
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

    def number(self, worth: float) -> float:
        """A utility in people's units."""
        return min(max(self.shift + self.scale * worth, self.low), self.high)

    def result(self, worth: float, margin: float | None = None) -> Text:
        """An expected result, with half its 95 % interval (as utilities) where it is known."""
        number = self.number(worth)
        text = say(self.behind if number < 0 else self.ahead, number=self.written(abs(number)))
        return text if margin is None else say("{result} (±{margin})", result=text, margin=self.spread(margin))

    def difference(self, worth: float, margin: float) -> Text:
        """A difference of two utilities, with half its 95 % interval."""
        number = self.written(abs(worth) * self.scale)
        pair = say("{number} ±{margin}", number=number, margin=self.spread(margin))
        return say(self.gap, number=pair)

    def spread(self, margin: float) -> Text | int:
        """Half an interval: never less than one digit shows."""
        least = 1 if self.whole else 0.1
        return self.written(max(margin * self.scale, least))

    def signed(self, number: float) -> Text:
        """A number of people's units with its sign, as at the edge of a plot."""
        return say("{sign}{number}", sign="-" if number < 0 else "", number=self.written(abs(number)))

    def written(self, number: float) -> Text | int:
        """A number from zero on, with tenths while it is small."""
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
