"""Teams and the score sheet of High Handed."""

from hexdeck.engine.play.score import Tally
from hexdeck.engine.text import say, say_n
from hexdeck.games.high_handed import components as parts
from hexdeck.games.high_handed import rules


def tallies(s):
    """The score sheet: points, and games won if they decide; a team's are added up."""
    points = tuple(rules.score_of(s, parts.side_of(s, p)) for p in range(s.seats))
    teams = tuple(parts.side_of(s, p) for p in range(s.seats)) if s.teams else ()  # HH-18
    if s.length != parts.FIRST_TO_TWO:
        return [Tally("score", say("Points"), points, teams=teams)]
    won = tuple(s.won[parts.side_of(s, p)] for p in range(s.seats))
    alone = {"length": parts.SINGLE}  # points remain when a match of one game is over
    return [Tally("won", say("Games won"), won, teams=teams), Tally("score", say("Points"), points, alone, teams)]


def won_by(s):
    """By what the match was won: how far the best side is ahead, in points or in games."""
    first, second, *_ = sorted((rules.result_of(s, side) for side in range(parts.sides(s))), reverse=True)
    if s.length == parts.FIRST_TO_TWO:
        return say_n("{n} game", "{n} games", first - second)
    return say_n("{n} point", "{n} points", first - second)
