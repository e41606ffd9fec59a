"""What a bot gains on another, in the units in which people read a game's results: chips, points, wins in 100."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hexdeck.engine.number_words import number, signed
from hexdeck.engine.text import Text, say

if TYPE_CHECKING:
    from hexdeck.engine.play.game import GameSetup
    from hexdeck.engine.study import Measure

LARGE = 10  # from this scale on a unit is small: one decimal will do


def unit_of(game: GameSetup) -> Measure:
    """The unit in which people read the results of a game."""
    from hexdeck.engine.play.match import Match

    measure: Measure = game.hints.STUDY.measure_in(Match(game, 0, backend="interpreted").struct)
    return measure


def gain_text(measure: Measure, mean: float, margin: float | None = None) -> Text:
    """A gain in utility, and the half-width of its interval, in people's units."""
    digits = 1 if measure.scale >= LARGE else 3
    shown: Text | str = signed(mean * measure.scale, digits)
    if margin is not None:
        shown = say("{number} ±{margin}", number=shown, margin=number(margin * measure.scale, digits))
    return say(measure.gap, number=shown)


def gain_a_match(measure: Measure, mean: float, margin: float | None = None) -> Text:
    """The same for one match, said so unless the unit counts matches anyway."""
    gain = gain_text(measure, mean, margin)
    return gain if measure.whole else say("{gain} a match", gain=gain)
