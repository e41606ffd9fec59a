"""The coach on the screen: a kind of decision explained when it first comes up, and the scoring at the end."""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING

from hexdeck.engine.play.coach import lesson, scored
from hexdeck.engine.text import Text, say

if TYPE_CHECKING:
    from hexdeck.terminal.session import Session

INDENT = "  "


def lesson_lines(session: Session, seat: int) -> list[str]:
    """What a seat is taught now, in lines; none for what it was taught before."""
    return wrapped(session, lesson_told(session, seat))


def score_lines(session: Session, seat: int) -> list[str]:
    """How the match was scored, in lines."""
    return wrapped(session, score_told(session, seat))


def lesson_told(session: Session, seat: int) -> list[str]:
    """The same in sentences below a title, as long as they are."""
    taught = lesson(session.match, seat)
    if taught is None:
        return []
    told = [taught.aim] if taught.aim else []
    told += [
        say("You may: {text}", text=taught.may), say("Why: {text}", text=taught.why),
        say("Risk: {text}", text=taught.risk), say("(Type coach, and no more is explained.)"),
    ]  # fmt: skip
    return titled(session, taught.title, told)


def score_told(session: Session, seat: int) -> list[str]:
    """How the match was scored, in sentences below a title."""
    told = scored(session.match, seat)
    return titled(session, say("How it was scored"), told) if told else []


def titled(session: Session, title: Text, told: list[Text] | tuple[Text, ...]) -> list[str]:
    """A title and sentences."""
    line = "—" if session.words.suits else "-"
    return [f"{line} {session.say(title)} {line}", *map(session.say, told)]


def wrapped(session: Session, told: list[str]) -> list[str]:
    """Sentences in lines of the screen, below their title."""
    wide = session.screen().width
    return told[:1] + [
        line for text in told[1:]
        for line in textwrap.wrap(text, wide, initial_indent=INDENT, subsequent_indent=INDENT * 2)
    ]  # fmt: skip
