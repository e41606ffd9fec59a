"""Options as they are typed on a command line: `key=value`."""

from __future__ import annotations

from hexdeck.engine.play.game import GameSetup


def changed_options(game: GameSetup) -> list[str]:
    """The options of a game that aren't at their defaults."""
    options, given = game.rules.OPTIONS, game.options
    return [f"{option.name}={typed(given[option.name])}" for option in options if given[option.name] != option.default]


def option_changes(a: GameSetup, b: GameSetup) -> str:
    """The options in which `b` differs from `a`, with the values of `b`, separated by spaces."""
    return " ".join(f"{name}={typed(b.options[name])}" for name in b.options if a.options[name] != b.options[name])


def typed(value: object) -> str:
    """A value of an option; `on` or `off` for a switch."""
    return {True: "on", False: "off"}.get(value, str(value)) if isinstance(value, bool) else str(value)
