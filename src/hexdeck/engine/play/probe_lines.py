"""Lines that name actions, and when: of probes and manners. Read by this small grammar, never run as code.

    line      = clause { ";" clause }
    clause    = [ "never" ] actions [ "when" condition { "and" condition } ]
    actions   = action { "or" action }
    action    = the name of an action or its first words; * stands for any letters
    condition = slice [ "[" number [ "-" number ] "]" ] compared number
    compared  = "<" | "<=" | "=" | "==" | "!=" | ">=" | ">"

A slice is what a seat sees, by the names of the game's `SLICES`, counted from 0; of several numbers the sum counts. The
first clause that holds, and allows some but not all of what is legal, decides; without one the bot plays as before.
"""

import difflib
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase

from hexdeck.engine.errors import BadOption
from hexdeck.engine.play.game import GameSetup
from hexdeck.engine.text import Text, _, say

TOKEN = re.compile(r"\s*(?:(?P<word>[\w*\-]+)|(?P<sign><=|>=|!=|==|[<>=\[\];]))")
PLACES = re.compile(r"(\d{1,3})(?:-(\d{1,3}))?")
NUMBER = re.compile(r"-?\d{1,6}")
NEVER, OR, WHEN, AND = "never", "or", "when", "and"
COMPARED = ("<", "<=", "=", "!=", ">=", ">")
AFTER = say("after an action comes “or”, “when”, “;” or the end")
LEAST, MOST = -(1 << 30), 1 << 30  # a sum is between them


@dataclass(frozen=True)
class Condition:
    """The sum of the numbers from `begin` to `end` of what a seat sees is from `low` to `high`; or it isn't."""

    begin: int
    end: int
    low: int
    high: int
    holds: bool = True


@dataclass(frozen=True)
class Clause:
    """The ids of the actions that are allowed where all conditions hold."""

    allowed: frozenset[int]
    conditions: tuple[Condition, ...]


@dataclass(frozen=True)
class Token:
    """A word or sign of a line, and its column, from 1."""

    text: str
    column: int


def parsed(line: str, game: GameSetup) -> tuple[Clause, ...]:
    """The clauses of a line; raises BadOption, which points at the column and says what is allowed there."""
    return tuple(LineReader(line, game).clauses())


class LineReader:
    """Reads a line word by word."""

    def __init__(self, line: str, game: GameSetup) -> None:
        self.game, self.rules = game, game.rules
        self.tokens, self.at = [*tokens(line)], 0

    @property
    def next(self) -> Token:
        """The word or sign at hand; an empty one at the end."""
        return self.tokens[self.at]

    def take(self) -> Token:
        """The word or sign at hand; the reader goes on behind it."""
        self.at += 1
        return self.tokens[self.at - 1]

    def accept(self, text: str) -> bool:
        """Whether this is what stands here; then the reader goes on behind it."""
        self.at += (is_next := self.next.text == text)
        return is_next

    def clauses(self) -> Iterator[Clause]:
        """All clauses of the line."""
        while True:
            yield self.clause()
            if not self.next.text:
                return
            if not self.accept(";"):
                raise refused(self.next, say("after a condition comes “and”, “;” or the end"))

    def clause(self) -> Clause:
        """A clause: actions, and conditions if there are any."""
        never, chosen = self.accept(NEVER), set(self.action())
        while self.accept(OR):
            chosen |= self.action()
        conditions = []
        if self.accept(WHEN):
            conditions.append(self.condition())
            while self.accept(AND):
                conditions.append(self.condition())
        elif self.next.text not in {"", ";"}:
            raise refused(self.next, AFTER)
        return Clause(frozenset(set(range(len(self.rules.ACTIONS))) - chosen if never else chosen), tuple(conditions))

    def action(self) -> set[int]:
        """The actions whose names begin with the words at hand."""
        typed_words, kinds = list[str](), set[int]()
        while re.fullmatch(r"[\w*\-]+", self.next.text) and self.next.text not in {OR, WHEN, AND}:
            typed_words.append(self.next.text)
            fitting = {k for k, name in enumerate(self.rules.ACTIONS) if begins(name.split(), typed_words)}
            if not fitting:
                raise refused(self.next, no_action(self.rules.ACTIONS, typed_words))
            kinds = fitting
            self.at += 1
        if not kinds:
            raise refused(self.next, no_action(self.rules.ACTIONS, typed_words))
        return kinds

    def condition(self) -> Condition:
        """A condition: a slice, or some of its numbers, compared with a number."""
        name = self.take()
        if name.text not in self.rules.SLICES:
            raise refused(name, no_slice(self.rules.SLICES, name.text))
        begin, end = self.indices(name.text)
        sign = self.take()
        if sign.text not in {*COMPARED, "=="}:
            raise refused(sign, say("{slice} is compared by {signs}", slice=name.text, signs=" ".join(COMPARED)))
        number = self.take()
        if not NUMBER.fullmatch(number.text):
            raise refused(number, say("{slice} is compared with a whole number", slice=name.text))
        return condition(begin, end, sign.text, int(number.text))

    def indices(self, name: str) -> tuple[int, int]:
        """Which of the observed numbers are meant: all of the slice, or those in brackets."""
        begin, end = self.rules.SLICES[name]
        if not self.accept("["):
            return begin, end
        at = self.take()
        match = PLACES.fullmatch(at.text)
        low, high = (int(match[1]), int(match[2] or match[1])) if match else (0, -1)
        if not low <= high < end - begin:
            text = _("in the brackets of {slice} comes a number from 0 to {last}, or two with - between them")
            raise refused(at, say(text, slice=name, last=end - begin - 1))
        if not self.accept("]"):
            raise refused(self.next, say("expected “]”"))
        return begin + low, begin + high + 1


def tokens(line: str) -> Iterator[Token]:
    """The words and signs of a line, then an empty one at its end; raises BadOption for any other letter."""
    at, line = 0, line.rstrip()
    while at < len(line):
        match = TOKEN.match(line, at)
        if match is None:
            at += len(line[at:]) - len(line[at:].lstrip())
            why = _("“{sign}” means nothing; there are words, numbers and {signs}")
            raise refused(Token(line[at], at + 1), say(why, sign=line[at], signs=" ".join((*COMPARED, "[", "]", ";"))))
        yield Token(match[0].strip(), match.end() - len(match[0].strip()) + 1)
        at = match.end()
    yield Token("", len(line) + 1)


def begins(name: Sequence[str], typed_words: Sequence[str]) -> bool:
    """Whether the words of an action's name begin with these, where * stands for any letters."""
    return len(typed_words) <= len(name) and all(map(fnmatchcase, name, typed_words))


def condition(begin: int, end: int, sign: str, number: int) -> Condition:
    """A comparison as a range."""
    low, high = {"<": (LEAST, number - 1), "<=": (LEAST, number), ">": (number + 1, MOST), ">=": (number, MOST)}.get(
        sign, (number, number)
    )
    return Condition(begin, end, low, high, sign != "!=")


# --- what is said of a line that can't be read ------------------------------------------------------------------------
def refused(at: Token, why: Text) -> BadOption:
    """The error for what stands at a column."""
    return BadOption(say("The probe can't be read at column {column}: {why}.", column=at.column, why=why))


def no_slice(slices: Sequence[str], typed: str) -> Text:
    """What is wrong with the name of a slice."""
    near, names = difflib.get_close_matches(typed, slices, 1), ", ".join(slices)
    if not typed:
        return say("here comes what a seat sees: {there}", there=names)
    if near:
        return say("a seat doesn't see {given} (did you mean {near}?)", given=f"“{typed}”", near=near[0])
    return say("a seat doesn't see {given}, but {there}", given=f"“{typed}”", there=names)


def no_action(actions: Sequence[str], typed_words: Sequence[str]) -> Text:
    """What is wrong with the name of an action, the last of whose words doesn't fit."""
    kinds = [*dict.fromkeys(name.split()[0] for name in actions)]
    typed, names = " ".join(typed_words), ", ".join(kinds)
    if not typed_words:
        return say("here comes an action; actions begin with {there}", there=names)
    candidates = (
        [name for name in actions if not begins(typed_words[:-1], name.split())] if typed_words[0] in kinds else kinds
    )
    near = difflib.get_close_matches(typed, candidates, 1)
    if near:
        text = _("there is no action {given} (did you mean {near}?); actions begin with {there}")
        return say(text, given=f"“{typed}”", near=near[0], there=names)
    if len(typed_words) > 1:
        return say("there is no action {given}; {after}", given=f"“{typed}”", after=AFTER)
    return say("there is no action {given}; actions begin with {there}", given=f"“{typed}”", there=names)
