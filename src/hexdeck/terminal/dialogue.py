"""One person's turn: ask until a move is made; explain, list, undo on request."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from hexdeck.engine.errors import BadPly
from hexdeck.engine.game import game_folder
from hexdeck.engine.text import Text, _, say
from hexdeck.engine.view import Move
from hexdeck.terminal.keys import forbidden, matching
from hexdeck.terminal.rulebook import passages

if TYPE_CHECKING:
    from hexdeck.terminal.session import Session


LONGEST = 60  # characters of what was typed that an answer repeats


class Left(Exception):
    """The person wants to leave."""


class Dialogue:
    """Asks the people of a session."""

    def __init__(self, session: Session) -> None:
        self.session = session
        self.refused_by = ""  # the rule behind the last refusal

    def turn(self, seat: int) -> None:
        """Show the table and ask until the seat has moved, or something was undone."""
        session = self.session
        session.show(seat)
        self.refused_by = ""
        while True:
            typed = self.ask()
            command = self.command(typed)
            if command:
                if command(seat):
                    return
                continue
            move = self.understood(typed, session.match.legal(seat), seat)
            if move is not None:
                session.read_up_to[seat] = session.match.ply
                session.match.play(seat, move)
                return

    def ask(self) -> str:
        """A line from the person; raises EOFError at the end of input."""
        prompt = "> " if self.session.live else ""
        typed = input(prompt).strip()
        if not self.session.live:
            self.print(say("> {typed}", typed=typed))
        return typed.lower()

    def print(self, text: Text) -> None:
        """Say something to the person."""
        self.session.print(self.session.say(text))

    # --- moves ----------------------------------------------------------------------------------------------------
    def understood(self, typed: str, moves: list[Move], seat: int) -> Move | None:
        """The move that was meant, or None after saying what is wrong."""
        found = matching(typed, moves, self.session.words)
        if len(found) == 1:
            return found[0]
        if found:
            labels = "; ".join(self.session.say(move.label) for move in found[:6])
            self.print(say("That could be several moves: {labels}. Say which.", labels=labels))
        elif typed:
            self.refuse(typed, moves, seat)
        else:
            self.print(say("Type a number or words from the list; ? explains."))
        return None

    def refuse(self, typed: str, moves: list[Move], seat: int) -> None:
        """Say why what was typed can't be played, if it names an action at all."""
        match = self.session.match
        kinds = {move.name.split()[0] for move in moves}
        named = forbidden(typed, match.game.rules.ACTIONS)
        likely = [id for id in named if match.game.rules.ACTIONS[id].split()[0] in kinds]
        if not likely and not typed.isdecimal():  # a bare number means something only in the list that is shown
            likely = named
        reasons = [reason for id in likely if (reason := match.forbids(seat, id))]
        if not reasons:
            text = _("{typed} is no move here; type a number or words from the list, or ? for help.")
            self.print(say(text, typed=typed[:LONGEST]))
            return
        reason = reasons[0]
        self.refused_by = match.game.rules.REASONS[reason]
        self.print(say("{why} ({rule}; ? shows the rule)", why=match.why(reason), rule=self.refused_by))

    # --- commands -------------------------------------------------------------------------------------------------
    def command(self, typed: str) -> Callable[[int], bool] | None:
        """What was typed, if it isn't a move: by its key or its word; it returns whether the turn is over."""
        keys = {"?": self.help, "u": self.undo, "l": self.log, "r": self.rules, "t": self.table, "q": self.quit}
        words = say("help"), say("undo"), say("log"), say("rules"), say("table"), say("quit")
        named = dict(zip(map(self.session.say, words), keys.values(), strict=True))
        return keys.get(typed) or named.get(typed)

    def help(self, _seat: int) -> bool:
        """The rule behind the last refusal, the first time; otherwise what can be typed."""
        game = self.session.match.game.name
        found = passages(game_folder(game), self.session.words.lang, self.refused_by) if self.refused_by else []
        self.refused_by = ""
        for passage in found:
            self.session.print(passage, "  ")
        if not found:
            self.print(say("Type a move's number, its card (7, or 3 7) or its words (call). Other keys:"))
            self.print(say("  ? help   t the table   l the log   r the rules   u undo   q save and leave"))
        return False

    def undo(self, seat: int) -> bool:
        """Take back one's own unfinished secret choice; in practice, one's last decision, whatever came of it."""
        if self.session.practice:
            return self.undo_practice(seat)
        chosen = [event.seat for event in self.session.match.events if event.seat in self.session.people]
        if chosen and self.take_back(chosen[-1]):
            return True
        self.print(say("There is nothing of yours that can still be taken back (--practice allows more)."))
        return False

    def can_take_back(self, seat: int) -> bool:
        """Whether the seat has an unfinished secret choice."""
        try:
            self.session.match.copy().retract(seat)
        except BadPly:
            return False
        return True

    def take_back(self, seat: int) -> bool:
        """Take back the seat's unfinished secret choice, if it has one, and say so."""
        match = self.session.match
        try:
            match.retract(seat)
        except BadPly:
            return False
        for person, ply in self.session.read_up_to.items():
            self.session.read_up_to[person] = min(ply, match.length)
        self.print(say("{name}'s choice is taken back.", name=self.session.chairs[seat].name))
        return True

    def undo_practice(self, seat: int) -> bool:
        """Go back to the seat's last decision and forget what followed."""
        match = self.session.match
        mine = [k for k, event in enumerate(match.events) if event.seat == seat]
        if not mine:
            self.print(say("There is nothing to undo yet."))
            return False
        match.go(mine[-1])
        match.cut()
        self.session.read_up_to[seat] = min(self.session.read_up_to[seat], max([0, *mine[:-1]]))
        return True

    def log(self, seat: int) -> bool:
        """All that the seat was told."""
        self.session.tell(self.session.match.facts(seat), style="")
        return False

    def rules(self, _seat: int) -> bool:
        """The rules of the game."""
        from hexdeck.terminal.rulebook import show_rules

        show_rules(self.session.console, game_folder(self.session.match.game.name), self.session.words.lang)
        return False

    def table(self, seat: int) -> bool:
        """Draw the table again."""
        self.session.show(seat)
        return False

    def quit(self, _seat: int) -> bool:
        """Leave; the match is saved."""
        raise Left
