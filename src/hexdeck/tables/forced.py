"""Decisions that nobody makes: the rules leave one move, so the table makes it in the person's place, after a beat.

A game's table says where that is so (`nobody_decides`). It stays an event like any other: bots, programs, records and
simulations decide it as ever.
"""

from __future__ import annotations

import secrets

from hexdeck.engine.match import Match

BEAT = 1.0, 3.0  # seconds, the least and the most


def nobody_decides(match: Match, seat: int, viewer: int | None = None) -> bool:
    """Whether nobody decides what a seat does now, as far as it, or another viewer (-1: the public), can tell."""
    found = getattr(match.game.table, "nobody_decides", None)
    if found is None or seat not in match.acting:
        return False
    return bool(found(match.sight.known(seat if viewer is None else viewer), seat))


def beat(pause: float) -> float:
    """How long the table waits with such a move, in seconds; nothing where bots don't wait either (`pause` is 0).

    That only one move is left may be the seat's secret: in High Handed it says that the seat holds no regular card. A
    move made at once, or always after the same time, would tell it. So the beat is as long as a person takes, by dice
    that nobody knows and that are the same for every game, whether the others could know it anyway or not.
    """
    return secrets.SystemRandom().uniform(*BEAT) if pause else 0.0
