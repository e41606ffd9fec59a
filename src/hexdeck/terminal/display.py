"""A match as the people at one screen see it: the table of each, the log, and sentences in their language."""

from __future__ import annotations

import sys
import textwrap
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field, replace

from rich.console import Console

from hexdeck.engine.play.match import Match
from hexdeck.engine.text import Catalogue, Text, say
from hexdeck.terminal.asides import Asides
from hexdeck.terminal.chairs import Chair
from hexdeck.terminal.coaching import lesson_lines
from hexdeck.terminal.screen import Screen, is_fancy


@dataclass
class Display:
    """A match, who plays it, and the screen on which it is shown.

    `practice`: anything can be undone. `coach`: for whom each kind of decision is explained when it first comes up, by
    seat; True for everybody. `said`: what people have said aside, as pairs of a seat and the seat that it is about.
    """

    match: Match
    chairs: Sequence[Chair]
    words: Catalogue
    console: Console
    practice: bool = field(default=False, kw_only=True)
    coach: bool | Collection[int] = field(default=False, kw_only=True)
    said: Collection[tuple[int, int]] = field(default=(), kw_only=True)

    def __post_init__(self) -> None:
        self.interactive = sys.stdin.isatty() and self.console.is_terminal
        self.words = replace(self.words, suits=is_fancy(self.console))
        self.people = [seat for seat, chair in enumerate(self.chairs) if chair.bot is None]
        self.coached = set(self.people if self.coach is True else self.coach or ())
        self.read_up_to = dict.fromkeys(self.people, 0)  # the ply at which each person's news begins: of its last move
        self.shown_to: int | None = None  # the person who sits before the screen
        self.asides = Asides(self.match, self.said)
        self._find_last_moves()

    def _find_last_moves(self) -> None:
        last = -1
        for ply, event in enumerate(self.match.events):
            if event.seat in self.read_up_to and event.seat != last:  # of a choice in several steps, the first
                self.read_up_to[event.seat] = ply
            last = event.seat

    def next_person(self, acting: Sequence[int]) -> int | None:
        """The person who is asked first when these seats are to act, if there is one."""
        return next((seat for seat in acting if seat in self.read_up_to), None)

    # --- sentences ----------------------------------------------------------------------------------------------------
    def say(self, text: Text) -> str:
        """A sentence in the people's language."""
        return self.words.words(text)

    def print(self, text: str, indent: str = "") -> None:
        """Print a sentence, on as many lines as it takes."""
        for line in textwrap.wrap(
            text, self.screen().width, initial_indent=indent, subsequent_indent=indent, break_long_words=False,
            break_on_hyphens=False,
        ):  # fmt: skip
            self.console.print(line, soft_wrap=True)

    def print_log(self, lines: Sequence[Text], style: str = "dim") -> None:
        """Print lines of the log."""
        for text in lines:
            for line in self.screen().wrapped(text):
                self.console.print(line, style=style, soft_wrap=True)

    def switch_coach(self, seat: int) -> bool:
        """Turn the coach of a person on or off; returns whether it is on."""
        self.coached ^= {seat}
        is_on = seat in self.coached
        self.print(self.say(say("Explanations are on.") if is_on else say("Explanations are off.")))
        return is_on

    # --- the table ----------------------------------------------------------------------------------------------------
    def screen(self) -> Screen:
        """A screen of the console's present size."""
        return Screen.of(self.console, self.words, self.match.game.table.ABOUT.title)

    def show(self, seat: int) -> None:
        """Draw the table for a seat, with what happened since its last move, and what the coach explains."""
        view = self.match.view(seat)
        if self.interactive:
            self.clear()
        lesson = lesson_lines(self.match, seat, self.words, self.screen().width) if seat in self.coached else []
        screen, news = self.screen(), self.match.facts(seat, self.read_up_to.get(seat, 0))
        for line in replace(screen, asides=self.asides.of(seat)).draw(view, news, 1 + len(lesson)):
            self.console.print(line, soft_wrap=True)
        for text in lesson:
            self.console.print(text, style="cyan", soft_wrap=True)

    def clear(self) -> None:
        """Clear the screen, and what can be scrolled back to."""
        if self.interactive:
            self.console.clear()
            self.console.file.write("\x1b[3J")
