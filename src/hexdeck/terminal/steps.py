"""Choices made in several steps: what may follow a step, and taking a step back."""

from __future__ import annotations

from hexdeck.engine.errors import BadPly
from hexdeck.engine.play.match import Match
from hexdeck.engine.view import Move


def imagined_after(match: Match, seat: int, move: Move) -> Match:
    """A match as it may stand after a seat's move, before chance acts.

    What is hidden is dealt anew in it, so it reveals nothing that the seat doesn't know.
    """
    world = match.resample(seat, 0)
    world.play(seat, move)
    return world


def take_back(match: Match, seat: int) -> bool:
    """Take back a seat's secret choice, or its last step, if nobody else knows of it; returns whether it did."""
    try:
        match.retract(seat)
    except BadPly:
        if not unnoticed(match, seat):
            return False
        match.go(match.length - 1)
        match.cut()
    return True


def unnoticed(match: Match, seat: int) -> bool:
    """Whether the last event was the seat's, and changed nothing that another seat or the public knows."""
    last = match.length - 1
    if last < 0 or match.ply <= last or match.event(last).seat != seat:
        return False
    others = [p for p in range(-1, match.game.players) if p != seat]
    now = [match.key(p) for p in others]
    match.go(last)
    before = [match.key(p) for p in others]
    match.go(last + 1)
    return before == now
