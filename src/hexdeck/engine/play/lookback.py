"""Matches looked back on: where to stop, and the view at a ply from a seat's eyes or with open cards."""

from __future__ import annotations

from dataclasses import replace

from hexdeck.engine.play.match import Match
from hexdeck.engine.text import Text
from hexdeck.engine.view import View, Zone


def view_at(match: Match, ply: int, seat: int | None) -> View:
    """What a seat saw at a ply (-1: the public); None shows every card that somebody saw."""
    match.go(ply)
    if seat is not None:
        return replace(match.view(seat), moves=())
    views = [match.view(each) for each in range(-1, match.game.players)]
    zones = tuple(_most_open(zone, views) for zone in views[0].zones)
    return replace(views[0], zones=zones, moves=())


def _most_open(zone: Zone, views: list[View]) -> Zone:
    """A zone as whoever knows most of it sees it; its owner, where several know as much."""
    known = [each for view in views for each in view.zones if each.id == zone.id]
    return min(known, key=lambda each: (each.hidden, -len(each.cards)))


def stops_of(match: Match) -> tuple[int, ...]:
    """The plies to stop at: wherever a seat is about to move, and the end; chance is passed over."""
    moves = (ply for ply in range(match.length) if match.event(ply).seat >= 0)
    return (*moves, match.length)


def told_at(match: Match, ply: int, since: int, seat: int | None) -> tuple[Text, ...]:
    """What the events from one ply to another told a seat, or the public."""
    match.go(ply)
    return tuple(match.facts(-1 if seat is None else seat, since))
