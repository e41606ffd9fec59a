"""How far games are played out: to their end, or to a horizon where the score so far says enough."""

from __future__ import annotations

from hexdeck.engine.measure import Measure
from hexdeck.engine.play.game import GameSetup

ENDLESS = 1 << 40  # decisions: games are played to their end


def horizon(game: GameSetup) -> int:
    """After how many decisions a game that is played out counts as it stands: the `HORIZON` of its strategy, if any.

    A horizon is for what the game counts by default; under options that count something else, games are played to their
    end.
    """
    ahead = game.strategy.HORIZON
    return int(ahead) if ahead is not None and measure_of(game) == measure_of(game.usual()) else ENDLESS


def measure_of(game: GameSetup) -> Measure:
    """What the game's results are counted in, with its options."""
    struct = game.driver("interpreted").proxy(memoryview(bytearray(game.template.tobytes())))
    measure: Measure = game.hints.measure(struct)
    return measure
