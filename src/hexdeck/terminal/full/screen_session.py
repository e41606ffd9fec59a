"""A match in the full screen: whose turn it is, what is shown to whom, and what was said; without any widget."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from importlib.util import find_spec

from rich.console import Console

from hexdeck.engine.beat import length
from hexdeck.engine.play.score import score_sheet
from hexdeck.engine.play.story import beats
from hexdeck.engine.text import Text, say
from hexdeck.engine.view import Move, View
from hexdeck.tables.live import actions_meant, hand_of, moves_by_card, nobody_decides
from hexdeck.terminal.display import lesson_sentences, pace_of, scoring_sentences, sheet_lines
from hexdeck.terminal.keys import matching_moves
from hexdeck.terminal.screen import is_fancy
from hexdeck.terminal.session import Session

LEAST = (40, 16)  # columns and lines
OVER, BOT, FORCED, CURTAIN, TURN = "over", "bot", "forced", "curtain", "turn"


@dataclass
class ScreenSession(Session):
    """A session whose sentences are collected for the screen while there is one (`on_screen`), and printed later."""

    on_screen: bool = False
    messages: list[str] = field(default_factory=list)
    farewell: list[str] = field(default_factory=list)  # what is printed when the screen is gone

    def print(self, text: str, indent: str = "") -> None:
        """Keep a sentence for the screen, or print it."""
        if self.on_screen:
            self.messages.append(text)
        else:
            super().print(text, indent)

    # --- the coach and the scores -----------------------------------------------------------------------------------
    def teach(self, seat: int) -> None:
        """Say what a seat is taught now, if it wants to be coached."""
        if seat in self.coached:
            self.messages[:] = lesson_sentences(self.match, seat, self.words) or self.messages

    def toggles_coach(self, line: str, seat: int) -> bool:
        """Turn the coach on or off if that is what a line says; returns whether it was."""
        if line != self.say(say("coach")):
            return False
        self.switch_coach(seat)
        self.teach(seat)
        return True

    def sum_up(self) -> None:
        """Say how the match was scored, if there is a coach; the sheet of a longer match is printed later."""
        if self.coached:
            self.messages[:] = scoring_sentences(self.match, min(self.coached), self.words)
        sheet = score_sheet(self.match)
        if len(sheet.rows) > 1:
            self.farewell[:0] = sheet_lines(self, sheet)

    # --- who is to act --------------------------------------------------------------------------------------------
    def next_step(self) -> tuple[str, int]:
        """What comes next, and whose seat it concerns."""
        if self.match.over:
            return OVER, -1
        person, forced = self.next_person(self.match.acting), self.next_forced(self.match.acting)
        if forced is not None:
            return FORCED, forced
        if person is None:
            return BOT, self.match.acting[0]
        return (CURTAIN if len(self.people) > 1 and self.shown_to != person else TURN), person

    def viewing_seat(self) -> int:
        """The seat whose view is shown; -1, the public's, if nobody sits before the screen, and at the end."""
        if len(self.people) == 1:
            return self.people[0]
        return -1 if self.match.over or self.shown_to is None else self.shown_to

    def view(self, seat: int) -> View:
        """The view of a seat (-1: the public), without a forced move."""
        view = self.match.view(seat)
        return replace(view, moves=()) if nobody_decides(self.match, seat) else view

    def log_and_news(self, seat: int) -> tuple[list[Text], int]:
        """The log of a seat (-1: the public), and how many of its lines are news."""
        since = self.read_up_to.get(seat, min(self.read_up_to.values(), default=0))
        return self.match.facts(seat), len(self.match.facts(seat, since))

    def views_since(self, ply: int) -> list[tuple[View | None, float]]:
        """The views that show, step by step, what happened since a ply, each with its seconds; None: the newest view.

        Nothing where bots don't wait, and where the seat that is shown noticed nothing.
        """
        seat = self.viewing_seat()
        if not self.pause or not self.match.facts(seat, ply):
            return []
        steps, pace = beats(self.match, seat, ply), pace_of(self.pause) / 1000
        still = replace(self.view(seat), moves=(), acting=(), over=False, outcome_texts=())
        views: list[tuple[View | None, float]] = [
            (replace(still, zones=beat.zones, prompt=beat.line or still.prompt), beat.hold * pace)
            for beat in steps[:-1]
        ]
        last = length(steps[-1:]) * pace
        return [*views, (None, max(last, self.pause - sum(seconds for _, seconds in views)))]

    # --- between two people -----------------------------------------------------------------------------------------
    def taker_back(self) -> int | None:
        """The seat of the person who can take back a secret choice before the screen changes hands, or None."""
        before = self.shown_to
        return before if before is not None and self.dialogue.can_take_back(before) else None

    def pass_to(self, seat: int) -> None:
        """Another person sits down before the screen: earlier messages disappear."""
        self.shown_to = seat
        self.messages.clear()

    # --- moves ------------------------------------------------------------------------------------------------------
    def play_line(self, line: str, seat: int) -> bool:
        """Play what was typed; returns whether anything was played. Says what was wrong."""
        steps = self.dialogue.parse_steps(line, self.match, seat)
        if steps:
            self.dialogue.play(steps, seat)
        return bool(steps)

    def moves_meant(self, line: str, view: View) -> list[Move]:
        """The moves that a line can mean."""
        return matching_moves(line.lower().strip(), view.moves, self.words) if line.strip() else []

    def move_of_card(self, k: int, view: View) -> Move | None:
        """The move that a card of the hand makes by itself, if there is one."""
        return moves_by_card(view).get(hand_cards(view)[k])

    def explain_card(self, k: int, view: View) -> None:
        """Say why a card of the hand can't be played, as far as the rules say."""
        code = hand_cards(view)[k]
        for id in actions_meant(self.match, view.seat, card=code):
            reason = self.match.illegal_reason(view.seat, id)
            if reason:
                self.dialogue.refusal_rule = rule = self.match.game.definition.reason(reason).rule
                text = say("{why} ({rule}; ? shows the rule)", why=self.match.why(reason), rule=rule)
                self.print(self.say(text))
                return


def hand_cards(view: View) -> Sequence[str]:
    """The cards in the viewer's hand."""
    hand = hand_of(view)
    return hand.cards if hand else ()


def typed_cards(picked: frozenset[int], view: View) -> str:
    """Chosen cards of the hand as they would be typed."""
    return " ".join(code for k, code in enumerate(hand_cards(view)) if k in picked).lower()


def possible(console: Console) -> bool:
    """Whether the full screen can be shown: an interactive terminal, large enough, not asked to be plain."""
    term = os.environ.get("TERM", "" if sys.platform != "win32" else "windows")
    size = shutil.get_terminal_size()
    return (
        sys.stdin.isatty()
        and console.is_terminal
        and sys.stdout.isatty()
        and term not in {"", "dumb"}
        and os.environ.get("HEXDECK_PLAIN", "") in {"", "0"}
        and size.columns >= LEAST[0]
        and size.lines >= LEAST[1]
        and is_fancy(console)
        and find_spec("textual") is not None
    )
