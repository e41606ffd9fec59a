"""Learning a game by playing it: each kind of decision is explained once, when it first comes up, from the position.

A kind of decision is what the kernel says: the phase, and which kinds of moves are legal (the first words of their
names). A game's `coach` module explains them: `LESSONS` by kind, `AIM`, `scored(s, seat)` at the end; where one kind
holds decisions that are to be told apart, `aspect(s, seat)` names them.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from types import ModuleType
from typing import Any

from hexdeck.engine.play.match import Match
from hexdeck.engine.text import Seat, Text, say_n

Kind = tuple[int, str, str]


@dataclass(frozen=True)
class Lesson:
    """A kind of decision: its `title`, what one may do, why one would, what it risks; with the first one the aim."""

    title: Text
    may: Text
    why: Text
    risk: Text
    aim: Text | None = None

    @property
    def slug(self) -> str:
        """What tells it from others, in an address or a name."""
        return re.sub(r"[^a-z]+", "-", self.title.key.lower()).strip("-")

    @property
    def told(self) -> list[Text]:
        """All of it but the title."""
        return [*([self.aim] if self.aim else []), self.may, self.why, self.risk]


def kind_at(match: Match, seat: int) -> Kind | None:
    """The kind of decision that a seat is asked for at the present ply; None where it has no choice."""
    ids, coach = match.legal_ids(seat), match.game.definition.coach
    if len(ids) < 2 or coach is None:
        return None
    names, known = match.game.rules.ACTIONS, match.sight.known(seat)
    moves = " ".join(sorted({names[id].partition(" ")[0] for id in ids}))
    return int(known.phase), moves, str(coach.aspect(known, seat))


def seen_before(match: Match, seat: int) -> set[Kind]:
    """The kinds of decisions that a seat made up to the present ply."""
    mine = [ply for ply, event in enumerate(match.events[: match.ply]) if event.seat == seat]
    other = Match(match.game, by_hand=True, backend=match.driver.backend)
    other.load_events([(event.seat, event.id) for event in match.events[: match.ply]])
    found = set()
    for ply in mine:
        other.go(ply)
        found.add(kind_at(other, seat))
    return {kind for kind in found if kind is not None}


def lesson(match: Match, seat: int) -> Lesson | None:
    """What a seat is taught at the present ply: nothing, if a decision of which the same is told came up before."""
    kind, coach = kind_at(match, seat), match.game.definition.coach
    if kind is None or coach is None:
        return None
    seen = seen_before(match, seat)
    if coach.LESSONS[kind] in {coach.LESSONS.get(each) for each in seen}:
        return None
    taught = explained(coach, kind, match.sight.known(seat), seat)
    return taught if seen else replace(taught, aim=coach.AIM)


def explained(coach: ModuleType, kind: Kind, known: Any, seat: int) -> Lesson:
    """A kind of decision explained from a seat's concealed struct."""
    taught: Lesson = coach.LESSONS[kind](known, seat)
    return taught


def scored(match: Match, seat: int) -> tuple[Text, ...]:
    """How a match that is over was scored, told to a seat; nothing before its end."""
    coach = match.game.definition.coach
    if coach is None or not match.over:
        return ()
    return tuple(coach.scored(match.sight.known(seat), seat))


def chips_told(purses: Sequence[int], start: int) -> list[Text]:
    """The chips of each seat, and how many more or fewer than at the start."""
    return [_purse_told(seat, int(held), int(held) - start) for seat, held in enumerate(purses)]


def _purse_told(seat: int, held: int, won: int) -> Text:
    if won >= 0:
        return say_n("{seat}: {n} chip, {more} more than at the start.",
                     "{seat}: {n} chips, {more} more than at the start.", held, seat=Seat(seat), more=won)  # fmt: skip
    return say_n("{seat}: {n} chip, {less} fewer than at the start.",
                 "{seat}: {n} chips, {less} fewer than at the start.", held, seat=Seat(seat), less=-won)  # fmt: skip
