"""Looking back on a match: the plies to stop at, and views of earlier plies, for a seat or with open cards."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from hexdeck.engine.beat import Beat
from hexdeck.engine.play.match import Match
from hexdeck.engine.play.story import BeatMaker, moments
from hexdeck.engine.text import Text
from hexdeck.engine.view import View, Zone


def view_at(match: Match, ply: int, seat: int | None) -> View:
    """What a seat (-1: the public) saw at a ply; for None, with every card that any seat could see."""
    match.go(ply)
    if seat is not None:
        return replace(match.view(seat), moves=())
    views = [match.view(each) for each in range(-1, match.game.players)]
    zones = tuple(_most_open(zone, views) for zone in views[0].zones)
    return replace(views[0], zones=zones, moves=())


def _most_open(zone: Zone, views: Sequence[View | Beat]) -> Zone:
    """A zone as seen by the viewer who sees most of it; of several, the public or the lowest seat."""
    known = [each for view in views for each in view.zones if each.id == zone.id]
    return min(known, key=lambda each: (each.hidden, -len(each.cards)))


def stops_of(match: Match) -> tuple[int, ...]:
    """The plies to stop at: each before a seat's move, and the end. Chance events are skipped."""
    moves = (ply for ply in range(match.length) if match.event(ply).seat >= 0)
    return (*moves, match.length)


def beats_between(match: Match, ply: int, since: int, seat: int | None) -> tuple[Beat, ...]:
    """The beats between two plies as a seat (None: with open cards) sees them; the match moves to the later."""
    match.go(ply)
    maker = BeatMaker(match.game, match.driver, moments(match, since))
    if seat is not None:
        return maker.beats(seat)
    seen = [maker.beats(each) for each in range(-1, match.game.players)]
    return tuple(_opened(beats) for beats in zip(*seen, strict=True))


def _opened(beats: Sequence[Beat]) -> Beat:
    """A beat with every card that anybody sees then."""
    zones = tuple(_most_open(zone, beats) for zone in beats[0].zones)
    return replace(beats[0], zones=zones)


def facts_between(match: Match, ply: int, since: int, seat: int | None) -> tuple[Text, ...]:
    """What a seat (None: the public) was told of the events between two plies; the match moves to the later."""
    match.go(ply)
    return tuple(match.facts(-1 if seat is None else seat, since))
