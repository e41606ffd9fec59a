"""Seats for any bots in simulations: compiled strategies, or any other bot that can play the game.

What only other bots need is imported when they are asked for: nets and searches take long to load.
"""

from __future__ import annotations

from collections.abc import Sequence

from hexdeck.engine.play.game import GameSetup
from hexdeck.engine.play.playouts import CHUNK, POLICIES, SeatedBots, Seed, Strategies, names_of


def resolved_bot(game: GameSetup, name: str) -> str:
    """The name of the bot that a name stands for: that of a level's bot, or the name itself."""
    if name in POLICIES:
        return name
    from hexdeck.bots.players.named import resolved

    return resolved(name, game)


def check_bots(game: GameSetup, bots: str | Sequence[str]) -> None:
    """Raise BadOption or UnknownBot unless all of these bots can play the game."""
    others = [name for name in dict.fromkeys(names_of(game, bots)) if name not in POLICIES]
    if others:
        from hexdeck.bots.players.simulation_bots import check

        for name in others:
            check(game, name)


def seat_bots(game: GameSetup, bots: str | Sequence[str], seed: Seed, backend: str | None = None) -> SeatedBots:
    """The bots, seated; raises BadOption or UnknownBot."""
    names, driver = [resolved_bot(game, name) for name in names_of(game, bots)], game.driver(backend)
    if set(names) <= set(POLICIES):
        return Strategies(game, names, seed, driver)
    from hexdeck.bots.players.simulation_bots import SimulationBots

    return SimulationBots(game, names, seed, driver.backend)


def takes_time(game: GameSetup, bots: str | Sequence[str]) -> bool:
    """Whether some of these bots are slow: they are asked decision by decision."""
    return seat_bots(game, bots, 0).chunk < CHUNK
