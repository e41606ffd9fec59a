"""How far games are played out: to their end, or to a horizon where the score so far says enough."""

from __future__ import annotations

from hexdeck.engine.play.game import GameSetup
from hexdeck.engine.study import Measure

ENDLESS = 1 << 40  # decisions: games are played to their end


def horizon(game: GameSetup) -> int:
    """After how many decisions a game that is played out counts as it stands: the `horizon` of its measure, if any."""
    return measure_of(game).horizon or ENDLESS


def measure_of(game: GameSetup) -> Measure:
    """What the game's results are counted in, with its options."""
    struct = game.driver("interpreted").proxy(memoryview(bytearray(game.template.tobytes())))
    measure: Measure = game.hints.STUDY.measure_in(struct)
    return measure
