"""How far games are played out: to their end, or to where what they count as they stand says enough."""

from __future__ import annotations

from hexdeck.engine.measure import Measure
from hexdeck.engine.play.game import GameSetup

ENDLESS = 1 << 40  # decisions: games are played to their end


def horizon(game: GameSetup) -> int:
    """After how many decisions a game that is played out counts as it stands: the `HORIZON` of its strategy, if any.

    That is for what the game usually counts; where options have it count something else, games are played to their end.
    """
    usual = game.usual()
    ahead = game.strategy.HORIZON
    return int(ahead) if ahead is not None and counted(game) == counted(usual) else ENDLESS


def counted(game: GameSetup) -> Measure:
    """What the game counts with its options."""
    struct = game.driver("interpreted").proxy(memoryview(bytearray(game.template.tobytes())))
    measure: Measure = game.hints.measure(struct)
    return measure
