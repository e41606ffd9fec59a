"""What a game's rules and strategy are where its files leave them out: plain functions, interpreted or compiled."""

from hexdeck.engine.random import below

HORIZON = None  # games are played to their end


def nothing_refused(_players, _options):
    """`refuse` of a game whose options all go together."""


def nothing_hidden(_s, _seat):
    """`conceal` of a game of perfect information."""


def nothing_unknown(_s, _seat, _rng):
    """`resample` of a game of perfect information."""


def no_hidden_choices(_s, _seat):
    """`clear_hidden_choices` of a game where nobody chooses at once with others."""


def choose(_s, _seat, actions, count, rng):
    """The house bot of a game without one: any of the `count` legal actions."""
    return actions[below(rng, count)]


def gentle(s, seat, actions, count, rng):
    """Its gentle bot: the same."""
    return choose(s, seat, actions, count, rng)
