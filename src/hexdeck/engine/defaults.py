"""Defaults for functions of a game's rules and strategy, each by its own name: plain, interpreted or compiled."""

from hexdeck.engine.random import below


def refuse(_players, _options):
    """Any options can be combined."""


def conceal(_s, _seat):
    """Nothing is secret."""


def resample(_s, _seat, _rng):
    """Nothing is unknown."""


def clear_hidden_choices(_s, _seat):
    """Nobody chooses in secret."""


def take_back(_s):
    """The position doesn't tell what the last move was."""
    return -1


def choose(_s, _seat, actions, count, rng):
    """Any of the `count` legal actions."""
    return actions[below(rng, count)]


def surprises(_s, _seat):
    """Nothing follows from what others kept."""
    return 0
