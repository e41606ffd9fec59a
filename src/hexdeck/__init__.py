"""Six tabletop card games to play, to study and to research.

    import hexdeck
    game = hexdeck.game("cursed-hand", players=4, losses=3)
    match = game.match(seed=7)

Names are loaded when they are first used, so that importing hexdeck stays light.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from hexdeck.engine.discovery.finding import game_names
    from hexdeck.engine.errors import (
        BadChance,
        BadMove,
        BadOption,
        BadPly,
        BadRecord,
        BrokenGame,
        GameIsOver,
        HexdeckError,
        IllegalMove,
        NotActing,
        RuleFault,
        UnknownBot,
        UnknownGame,
    )
    from hexdeck.engine.play.match import Match
    from hexdeck.engine.play.record import Record
    from hexdeck.engine.view import Event, Fact, Move, View, Zone
    from hexdeck.simulation.batch import Batch
    from hexdeck.simulation.game import Game, game, load

__version__ = "0.2.0.dev0"

_ERRORS = (
    "BadChance", "BadMove", "BadOption", "BadPly", "BadRecord", "BrokenGame", "GameIsOver", "HexdeckError",
    "IllegalMove", "NotActing", "RuleFault", "UnknownBot", "UnknownGame",
)  # fmt: skip
_HOMES = {
    **{name: ("hexdeck.engine.errors", name) for name in _ERRORS},
    "Batch": ("hexdeck.simulation.batch", "Batch"),
    "Game": ("hexdeck.simulation.game", "Game"),
    "game": ("hexdeck.simulation.game", "game"),
    "game_names": ("hexdeck.engine.discovery.finding", "game_names"),
    "Event": ("hexdeck.engine.view", "Event"),
    "Match": ("hexdeck.engine.play.match", "Match"),
    "Record": ("hexdeck.engine.play.record", "Record"),
    "load": ("hexdeck.simulation.game", "load"),
    "Fact": ("hexdeck.engine.view", "Fact"),
    "Move": ("hexdeck.engine.view", "Move"),
    "View": ("hexdeck.engine.view", "View"),
    "Zone": ("hexdeck.engine.view", "Zone"),
}

__all__ = [
    "BadChance", "BadMove", "BadOption", "BadPly", "BadRecord", "Batch", "BrokenGame", "Event", "Fact", "Game",
    "GameIsOver", "HexdeckError", "IllegalMove", "Match", "Move", "NotActing", "Record", "RuleFault", "UnknownBot",
    "UnknownGame", "View", "Zone", "game", "game_names", "load",
]  # fmt: skip


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'hexdeck' has no attribute {name!r}")
    module, attribute = _HOMES[name]
    return getattr(import_module(module), attribute)


def __dir__() -> list[str]:
    return sorted([*__all__, "__version__"])
