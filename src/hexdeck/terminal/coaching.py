"""The coach at the terminal: each kind of decision explained when it first comes up, and how the match was scored."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence

from hexdeck.engine.play.coach import lesson, scored
from hexdeck.engine.play.match import Match
from hexdeck.engine.text import Catalogue, Text, say

INDENT = "  "


def lesson_lines(match: Match, seat: int, words: Catalogue, width: int) -> list[str]:
    """What a seat is taught now, in lines of a width; none for what it was taught before."""
    return wrapped(lesson_sentences(match, seat, words), width)


def scoring_lines(match: Match, seat: int, words: Catalogue, width: int) -> list[str]:
    """How the match was scored, in lines of a width."""
    return wrapped(scoring_sentences(match, seat, words), width)


def lesson_sentences(match: Match, seat: int, words: Catalogue) -> list[str]:
    """What a seat is taught now: a title, and a sentence each; nothing for what it was taught before."""
    found = lesson(match, seat)
    if found is None:
        return []
    sentences = [found.aim] if found.aim else []
    sentences += [
        say("You may: {text}", text=found.may), say("Why: {text}", text=found.why),
        say("Risk: {text}", text=found.risk), say("(Type coach to turn the explanations off.)"),
    ]  # fmt: skip
    return titled(words, found.title, sentences)


def scoring_sentences(match: Match, seat: int, words: Catalogue) -> list[str]:
    """How the match was scored: a title, and a sentence each; nothing without a coach."""
    sentences = scored(match, seat)
    return titled(words, say("How it was scored"), sentences) if sentences else []


def titled(words: Catalogue, title: Text, sentences: Sequence[Text]) -> list[str]:
    """Sentences below a title."""
    dash = "—" if words.suits else "-"
    return [f"{dash} {words.words(title)} {dash}", *map(words.words, sentences)]


def wrapped(sentences: list[str], width: int) -> list[str]:
    """Sentences in lines of a width, indented below their title."""
    return sentences[:1] + [
        line for text in sentences[1:]
        for line in textwrap.wrap(text, width, initial_indent=INDENT, subsequent_indent=INDENT * 2)
    ]  # fmt: skip
