"""Who plays with whom, and what the score sheet counts."""

from hexdeck.engine.score import Tally
from hexdeck.engine.text import say
from hexdeck.games.high_handed import components as parts
from hexdeck.games.high_handed import rules


def tallies(s):
    """What the score sheet counts: games won where these decide, else points; of a team together."""
    each = tuple(rules.result_of(s, parts.side_of(s, p)) for p in range(s.seats))
    return [
        Tally("won", say("Games won"), each) if s.length == parts.FIRST_TO_TWO else Tally("score", say("Points"), each)
    ]


def sides(s):
    """HH-18: the team of each seat, from 0; nothing where everybody plays alone."""
    return [parts.side_of(s, p) for p in range(s.seats)] if s.teams else []
