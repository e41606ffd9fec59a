"""A match in the full screen: whose turn it is, what is shown to whom, and what was said; without any widget."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from hexdeck.engine.play.score import score_sheet
from hexdeck.engine.text import Text, say
from hexdeck.engine.view import Move, View
from hexdeck.tables.model.choice import hand_of, meant, single
from hexdeck.tables.model.forced import nobody_decides
from hexdeck.terminal.coaching import lesson_told, score_told
from hexdeck.terminal.keys import matching
from hexdeck.terminal.session import Session
from hexdeck.terminal.tally import sheet_lines

OVER, BOT, FORCED, CURTAIN, TURN = "over", "bot", "forced", "curtain", "turn"


@dataclass
class Sitting(Session):
    """A session whose sentences are kept for a screen as long as there is one (`on_screen`), and printed after that."""

    on_screen: bool = False
    said: list[str] = field(default_factory=list)
    at_last: list[str] = field(default_factory=list)  # what is printed when the screen is gone

    def print(self, text: str, indent: str = "") -> None:
        """Keep a sentence for the screen, or print it."""
        if self.on_screen:
            self.said.append(text)
        else:
            super().print(text, indent)

    def parting(self) -> None:
        """What was said now is said when the screen is gone."""
        self.at_last, self.said = self.said, []

    # --- the coach and the scores -----------------------------------------------------------------------------------
    def teach(self, seat: int) -> None:
        """Say what a seat is taught now, if it wants to be."""
        if seat in self.pupils:
            self.said[:] = lesson_told(self, seat) or self.said

    def coached(self, line: str, seat: int) -> bool:
        """Whether a line calls the coach, or sends it away."""
        if line != self.say(say("coach")):
            return False
        self.switch_coach(seat)
        self.teach(seat)
        return True

    def sum_up(self) -> None:
        """How the match was scored, if that is explained; a longer match's sheet is told when the screen is gone."""
        if self.pupils:
            self.said[:] = score_told(self, min(self.pupils))
        sheet = score_sheet(self.match)
        if len(sheet.rows) > 1:
            self.at_last[:0] = sheet_lines(self, sheet)

    # --- who is to act --------------------------------------------------------------------------------------------
    def due(self) -> tuple[str, int]:
        """What comes next, and whom it concerns."""
        if self.match.over:
            return OVER, -1
        person, forced = self.asked(self.match.acting), self.forced(self.match.acting)
        if forced is not None:
            return FORCED, forced
        if person is None:
            return BOT, self.match.acting[0]
        return (CURTAIN if len(self.people) > 1 and self.shown_to != person else TURN), person

    def eyes(self) -> int:
        """From whose seat the table is shown: that of who sits before the screen; when all is over, everybody's."""
        if len(self.people) == 1:
            return self.people[0]
        return -1 if self.match.over or self.shown_to is None else self.shown_to

    def view(self, seat: int) -> View:
        """What a seat, or the public, sees; without the only move of who decides nothing."""
        view = self.match.view(seat)
        return replace(view, moves=()) if nobody_decides(self.match, seat) else view

    def told(self, seat: int) -> tuple[list[Text], int]:
        """All that a seat, or the public, was told, and how much of it is news."""
        since = self.read_up_to.get(seat, min(self.read_up_to.values(), default=0))
        return self.match.facts(seat), len(self.match.facts(seat, since))

    # --- between two people -----------------------------------------------------------------------------------------
    def may_take_back(self) -> int | None:
        """Who has just chosen in secret and can take that back before the screen changes hands."""
        before = self.shown_to
        return before if before is not None and self.dialogue.can_take_back(before) else None

    def pass_to(self, seat: int) -> None:
        """Somebody sits down before the screen: nothing that was said before is seen."""
        self.shown_to = seat
        self.said.clear()

    # --- moves ------------------------------------------------------------------------------------------------------
    def typed(self, line: str, seat: int) -> bool:
        """Play what was typed; returns whether anything was played. What was wrong is said."""
        steps = self.dialogue.steps(line, self.match, seat)
        if steps:
            self.dialogue.play(steps, seat)
        return bool(steps)

    def chosen(self, move: Move, seat: int) -> None:
        """Play a move that was pointed at."""
        self.dialogue.play([move.name], seat)

    def reading(self, line: str, view: View) -> list[Move]:
        """The moves that a line can mean."""
        return matching(line.lower().strip(), view.moves, self.words) if line.strip() else []

    def card(self, place: int, view: View) -> Move | None:
        """The move that a card of the hand makes by itself, if it makes one."""
        return single(view).get(held(view)[place])

    def why_not(self, place: int, view: View) -> None:
        """Say why a card of the hand makes no move, as far as the rules tell."""
        code = held(view)[place]
        for id in meant(self.match, view.seat, card=code):
            reason = self.match.illegal_reason(view.seat, id)
            if reason:
                self.dialogue.refused_by = rule = self.match.game.rules.REASONS[reason]
                text = say("{why} ({rule}; ? shows the rule)", why=self.match.why(reason), rule=rule)
                self.print(self.say(text))
                return


def held(view: View) -> Sequence[str]:
    """The cards that the viewer holds."""
    hand = hand_of(view)
    return hand.cards if hand else ()


def together(places: frozenset[int], view: View) -> str:
    """Chosen cards of the hand as they would be typed."""
    return " ".join(code for k, code in enumerate(held(view)) if k in places).lower()
