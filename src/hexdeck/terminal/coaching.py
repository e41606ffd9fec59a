"""The coach on the screen: a kind of decision explained when it first comes up, and the scoring at the end."""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING

from hexdeck.engine.coach import lesson, scored
from hexdeck.engine.text import Text, say

if TYPE_CHECKING:
    from hexdeck.terminal.session import Session

INDENT = "  "


def lesson_lines(session: Session, seat: int) -> list[str]:
    """What a seat is taught now, in lines; none for what it was taught before."""
    taught = lesson(session.match, seat)
    if taught is None:
        return []
    told = [taught.aim] if taught.aim else []
    told += [
        say("You may: {text}", text=taught.may), say("Why: {text}", text=taught.why),
        say("Risk: {text}", text=taught.risk), say("(Type coach, and no more is explained.)"),
    ]  # fmt: skip
    return wrapped(session, taught.title, told)


def score_lines(session: Session, seat: int) -> list[str]:
    """How the match was scored, in lines."""
    told = scored(session.match, seat)
    return wrapped(session, say("How it was scored"), told) if told else []


def wrapped(session: Session, title: Text, told: list[Text] | tuple[Text, ...]) -> list[str]:
    """A title and sentences below it."""
    wide = session.breadth
    lines = [line for text in told for line in textwrap.wrap(session.say(text), wide, initial_indent=INDENT,
                                                             subsequent_indent=INDENT * 2)]  # fmt: skip
    return [f"— {session.say(title)} —" if session.words.suits else f"- {session.say(title)} -", *lines]
