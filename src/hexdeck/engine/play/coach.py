"""Lessons for people who learn a game by playing it: each kind of decision is explained when it first comes up.

A kind of decision consists of the struct's phase, the kinds of legal moves (the first words of their names), and what
`aspect` of the game's course returns, where a game needs finer distinctions.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from hexdeck.engine.play.match import Match
from hexdeck.engine.text import Text

Kind = tuple[int, str, str]


@dataclass(frozen=True)
class Lesson:
    """A lesson about a kind of decision: what you may do, why you would, and the risk; the first also has the aim."""

    title: Text
    may: Text
    why: Text
    risk: Text
    aim: Text | None = None

    @property
    def slug(self) -> str:
        """The lesson's title as an identifier for addresses and HTML: lower-case letters and hyphens."""
        return re.sub(r"[^a-z]+", "-", self.title.key.lower()).strip("-")

    @property
    def paragraphs(self) -> list[Text]:
        """Everything but the title."""
        return [*([self.aim] if self.aim else []), self.may, self.why, self.risk]


def leading(phase: int) -> Callable[[Any, int], str]:
    """In a phase in which seats play in turn from a leader on, leading is taught apart from following."""

    def aspect(s: Any, _seat: int) -> str:
        return "" if s.phase != phase else "lead" if s.turn == s.leader else "follow"

    return aspect


@dataclass(frozen=True)
class Course:
    """What a game teaches in a first match; functions take a seat's concealed struct, and the seat.

    `aim`: the aim of the game. `lessons`: the lesson of each kind of decision. `scored`: how a match that is over was
    scored, in sentences. `aspect`: what tells decisions with the same moves in the same phase apart, if anything does.
    """

    aim: Text
    lessons: Mapping[Kind, Callable[[Any, int], Lesson]]
    scored: Callable[[Any, int], Sequence[Text]]
    aspect: Callable[[Any, int], str] = lambda _s, _seat: ""


def course_of(match: Match) -> Course | None:
    """The course of a match's game, if it can be learned by playing."""
    coach = match.game.definition.coach
    return coach.COURSE if coach else None


def kind_at(match: Match, seat: int) -> Kind | None:
    """The kind of decision that a seat faces at the present ply; None if it has no choice."""
    ids, course = match.legal_ids(seat), course_of(match)
    if len(ids) < 2 or course is None:
        return None
    names, view = match.game.rules.ACTIONS, match.knowledge(seat)
    moves = " ".join(sorted({names[id].partition(" ")[0] for id in ids}))
    return int(view.phase), moves, course.aspect(view, seat)


def seen_before(match: Match, seat: int) -> set[Kind]:
    """The kinds of decisions that a seat made before the present ply."""
    replay, earlier = Match(match.game, by_hand=True, backend=match.driver.backend), match.pairs[: match.ply]
    replay.load_events(earlier)
    kinds = set()
    for ply, (mover, _id) in enumerate(earlier):
        if mover == seat:
            replay.go(ply)
            kinds.add(kind_at(replay, seat))
    return {kind for kind in kinds if kind is not None}


def lesson(match: Match, seat: int) -> Lesson | None:
    """The lesson for a seat at the present ply; None if it had this lesson before, or there is none."""
    kind, course = kind_at(match, seat), course_of(match)
    if kind is None or course is None:
        return None
    earlier = seen_before(match, seat)
    if course.lessons[kind] in {course.lessons.get(earlier_kind) for earlier_kind in earlier}:
        return None
    taught = course.lessons[kind](match.knowledge(seat), seat)
    return taught if earlier else replace(taught, aim=course.aim)


def scored(match: Match, seat: int) -> tuple[Text, ...]:
    """How a finished match was scored, in sentences for a seat; empty before the end."""
    course = course_of(match)
    return tuple(course.scored(match.knowledge(seat), seat)) if course and match.over else ()
