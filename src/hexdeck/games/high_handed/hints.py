"""Hints in High Handed: how results are told, and reasons for moves."""

from hexdeck.engine.measure import Measure
from hexdeck.engine.starting import BY_LOT, BY_RULE
from hexdeck.engine.text import _, say, say_n
from hexdeck.games.high_handed import components as parts
from hexdeck.games.high_handed import rules, table
from hexdeck.games.high_handed.components import AT_CELL, LEAVE, REGULAR

POINTS = Measure(
    _("about {number} points ahead"), _("about {number} points behind"), _("{number} points"), say("points ahead")
)
GAMES = Measure(
    _("about {number} games ahead"), _("about {number} games behind"), _("{number} games"), say("games ahead")
)


def measure(s):
    """HH-20: the lead over the best other side, in points, or in games won."""
    return GAMES if s.length == parts.FIRST_TO_TWO else POINTS


def starting(s):
    """HH-3: the first seat, or one drawn by lot."""
    return BY_LOT if s.first else BY_RULE


def because(s, seat, action, worlds):
    """The points that a placement scores, or can score."""
    if AT_CELL <= action < LEAVE:
        if s.picked < REGULAR:
            return _scoring(rules.gain(s, s.picked, action - AT_CELL))
        return _promised(table.spot(s, seat, action)[2])
    if action >= REGULAR:
        return None
    if s.phase == parts.STACK:
        return _scoring(rules.gain(s, action, s.cell))
    return _promised(_most(next(iter(worlds)), seat, action))


def _most(world, seat, card):
    """The most points that a card of the hand can score in any cell."""
    rules.apply_action(world, seat, card)
    cells = [k for k in range(parts.CELLS) if not rules.illegal_reason(world, seat, AT_CELL + k)]
    return max((rules.gain(world, card, cell) for cell in cells), default=None)


def _scoring(points):
    return say_n("It scores {n} point.", "It scores {n} points.", points)


def _promised(points):
    if points is None:
        return None
    return say_n("It can score {n} point this turn.", "It can score {n} points this turn.", points)
