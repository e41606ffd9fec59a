"""Forced moves: where a person has only one legal move, the table makes it for them, after a delay.

A game's table says where that is so (`nobody_decides`). The move is an event like any other, and bots, programs,
records and simulations make it as usual.

An aside is what a person may say of another seat while the game goes on (`asides` of a game's table), such as an
accusation. It is kept beside the seat, so that nothing changes for others; when the rules ask for it, the table makes
the move at once, for all who are asked alike: what they said, or else what silence means.
"""

from __future__ import annotations

from random import Random

from hexdeck.engine.play.match import Match
from hexdeck.engine.view import Aside
from hexdeck.tables.keys import SYSTEM

LEAST, MEAN, MOST = 1.0, 1.0, 20.0  # seconds: the least, and the mean and the most of what is added


def nobody_decides(match: Match, seat: int, viewer: int | None = None) -> bool:
    """Whether a seat has only one legal move, as far as it, or another viewer (-1: the public), can tell."""
    if seat not in match.acting:
        return False
    views = match.seat_views
    return bool(views.table.nobody_decides(views.known(seat if viewer is None else viewer), seat))


def asides(match: Match, seat: int) -> tuple[Aside, ...]:
    """What a seat may say of others now."""
    views = match.seat_views
    found: tuple[Aside, ...] = views.table.asides(views.known(seat), seat)
    return found


def asked_aside(match: Match, seat: int) -> Aside | None:
    """The aside that the rules ask a seat for now."""
    if seat not in match.acting:
        return None
    return next((each for each in asides(match, seat) if each.asked), None)


def forced_delay(pause: float, source: Random = SYSTEM) -> float:
    """How long the table waits before a forced move, in seconds; 0 where bots don't wait either (`pause` is 0).

    That only one move is left may be the seat's secret: in High Handed it means that the seat holds no regular card. A
    move made at once, or always after the same time, would give it away. So the delay is drawn at random, the same way
    in every game, whether others could know it anyway or not; and it has a long tail, as people's have: however late a
    move comes, it may have been forced.
    """
    if not pause:
        return 0.0
    return LEAST + min(source.expovariate(1 / MEAN), MOST)
