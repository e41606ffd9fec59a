"""Any bots at the games of a simulation: strategies of compiled code, or whoever else can play the game.

What strategies don't need is imported when other bots are asked for: nets and searches take long to load.
"""

from __future__ import annotations

from collections.abc import Sequence

from hexdeck.engine.play.game import GameSetup
from hexdeck.engine.play.seating import CHUNK, POLICIES, SeatedBots, Seed, Strategies, names_of


def actual(game: GameSetup, name: str) -> str:
    """The bot that a name stands for: a level's, or the name itself."""
    if name in POLICIES:
        return name
    from hexdeck.bots.players.named import resolved

    return resolved(name, game)


def check_bots(game: GameSetup, bots: str | Sequence[str]) -> None:
    """Raise BadOption or UnknownBot unless these can play the game: any bot can that there is for it."""
    others = [name for name in dict.fromkeys(names_of(game, bots)) if name not in POLICIES]
    if others:
        from hexdeck.bots.players.simulation_bots import check

        for name in others:
            check(game, name)


def seat_bots(game: GameSetup, bots: str | Sequence[str], seed: Seed, backend: str | None = None) -> SeatedBots:
    """Who plays so; raises BadOption or UnknownBot."""
    names, driver = [actual(game, name) for name in names_of(game, bots)], game.driver(backend)
    if set(names) <= set(POLICIES):
        return Strategies(game, names, seed, driver)
    from hexdeck.bots.players.simulation_bots import SimulationBots

    return SimulationBots(game, names, seed, driver.backend)


def takes_time(game: GameSetup, bots: str | Sequence[str]) -> bool:
    """Whether some of these bots are asked choice by choice, by what they think."""
    return seat_bots(game, bots, 0).chunk < CHUNK
