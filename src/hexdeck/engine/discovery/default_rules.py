"""Defaults for what a game's rules and strategy leave out: plain functions, interpreted or compiled."""

from hexdeck.engine.random import below

HORIZON = None  # simulated games are played to their end


def nothing_refused(_players, _options):
    """`refuse` for games in which any options can be combined."""


def nothing_hidden(_s, _seat):
    """`conceal` for games of perfect information."""


def nothing_unknown(_s, _seat, _rng):
    """`resample` for games of perfect information."""


def no_hidden_choices(_s, _seat):
    """`clear_hidden_choices` for games in which nobody chooses in secret."""


def nothing_taken_back(_s):
    """`take_back` for games whose positions don't tell what the last move was."""
    return -1


def nothing_surprising(_s, _seat):
    """`surprises` for games in which nothing follows from what others kept."""
    return 0


def choose(_s, _seat, actions, count, rng):
    """`choose` for games without a house bot: any of the `count` legal actions."""
    return actions[below(rng, count)]


def gentle(s, seat, actions, count, rng):
    """`gentle` for games without one: the same as `choose`."""
    return choose(s, seat, actions, count, rng)
