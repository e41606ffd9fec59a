"""Decisions that nobody makes: the rules leave one move, so the table makes it in the person's place, after a beat.

A game's table says where that is so (`nobody_decides`). It stays an event like any other: bots, programs, records and
simulations decide it as ever.
"""

from __future__ import annotations

import secrets

from hexdeck.engine.play.match import Match

LEAST, MEAN, MOST = 1.0, 1.0, 20.0  # seconds: of every beat, of what comes on top of it on average, of that at most


def nobody_decides(match: Match, seat: int, viewer: int | None = None) -> bool:
    """Whether nobody decides what a seat does now, as far as it, or another viewer (-1: the public), can tell."""
    if seat not in match.acting:
        return False
    return bool(match.game.table.nobody_decides(match.seat_views.known(seat if viewer is None else viewer), seat))


def forced_delay(pause: float) -> float:
    """How long the table waits with such a move, in seconds; nothing where bots don't wait either (`pause` is 0).

    That only one move is left may be the seat's secret: in High Handed it says that the seat holds no regular card. A
    move made at once, or always after the same time, would tell it. So the beat is by dice that
    nobody knows, the same for every game, whether the others could know it anyway or not; and it has a long tail, as
    people's have: however late a move comes, it may have been forced.
    """
    if not pause:
        return 0.0
    return LEAST + min(secrets.SystemRandom().expovariate(1 / MEAN), MOST)
