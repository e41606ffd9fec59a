"""Options as they are typed on a command line: `key=value`."""

from __future__ import annotations

from collections.abc import Iterable

from hexdeck.engine.play.game import GameSetup


def changed_options(game: GameSetup) -> list[str]:
    """The options of a game that aren't at their defaults."""
    usual = {option.name: option.default for option in game.rules.OPTIONS}
    return spelled(game, [name for name, value in game.options.items() if value != usual[name]])


def option_changes(a: GameSetup, b: GameSetup) -> str:
    """The options in which `b` differs from `a`, with the values of `b`, separated by spaces."""
    return " ".join(spelled(b, [name for name, value in b.options.items() if value != a.options[name]]))


def spelled(game: GameSetup, names: Iterable[str]) -> list[str]:
    """Some options of a game with their values."""
    options = {option.name: option for option in game.rules.OPTIONS}
    return [f"{name}={options[name].spell(game.options[name])}" for name in names]
