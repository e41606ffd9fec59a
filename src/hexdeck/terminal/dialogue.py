"""One person's turn: ask until a move is made; explain, list, undo on request."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from hexdeck.engine.discovery.rulebook import passages
from hexdeck.engine.text import Text, _, say
from hexdeck.engine.view import Move, View
from hexdeck.tables.model.forced import nobody_decides
from hexdeck.terminal.keys import beginning, cell_actions, cuts, forbidden, matching, parts_of
from hexdeck.terminal.steps import after, take_back, unnoticed

if TYPE_CHECKING:
    from hexdeck.engine.play.match import Match
    from hexdeck.terminal.session import Session


COMMANDS = {  # by the key, what each is called
    "?": say("help"), "h": say("hint"), "u": say("undo"), "l": say("log"), "r": say("rules"), "s": say("score"),
    "t": say("table"), "q": say("quit"),
}  # fmt: skip
LONGEST = 60  # characters of what was typed that an answer repeats


class Left(Exception):
    """The person wants to leave."""


class Dialogue:
    """Asks the people of a session."""

    def __init__(self, session: Session) -> None:
        self.session = session
        self.refused_by = ""  # the rule behind the last refusal
        self.unplayed: tuple[int, Text] | None = None  # what a seat is to be told when it sees the table again

    def turn(self, seat: int) -> None:
        """Show the table and ask until the seat has moved, or something was undone."""
        session = self.session
        session.show(seat)
        self.begin(seat)
        while True:
            typed = self.ask()
            command = self.command(typed)
            if command:
                if command(seat):
                    return
                continue
            steps = self.steps(typed, session.match, seat)
            if steps:
                self.play(steps, seat)
                return

    def begin(self, seat: int) -> None:
        """A turn begins: say what of the seat's last line was not played."""
        self.refused_by = ""
        if self.unplayed and self.unplayed[0] == seat:
            self.print(self.unplayed[1])
            self.unplayed = None

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
    def play(self, steps: list[str], seat: int) -> None:
        """Play the steps of a line that go together, as long as they do."""
        session, match = self.session, self.session.match
        for k, step in enumerate(steps):
            found = matching(step, match.legal(seat), session.words)
            if len(found) != 1 or session.asked(match.acting) != seat:
                text = _("{rest} was not played: it is not possible now.")
                self.unplayed = seat, say(text, rest=" ".join(steps[k:])[:LONGEST])
                return
            ply = match.ply
            match.play(seat, found[0])
            if not unnoticed(match, seat):  # until the choice is made, all is still news
                session.read_up_to[seat] = ply

    def steps(self, typed: str, match: Match, seat: int, before: str = "") -> list[str]:
        """What was typed, cut into a move and the moves that follow it; nothing after saying what is wrong.

        Cut only where the whole names no move; all steps must follow each other at once. `before`: earlier steps,
        after which `match` is a position that the person thinks possible.
        """
        view, words = match.view(seat), self.session.words
        found = matching(typed, view.moves, words)
        if len(found) == 1:
            return [typed]
        cut = beginning(typed, view.moves, words)
        if cut is None or found or forbidden(typed, match.game.rules.ACTIONS):
            self.refuse(typed, match, view, before)
            return []
        head, rest, move = cut
        world = after(match, seat, move)
        if self.session.asked(world.acting) != seat:
            text = _("Nothing was played: {rest} can't follow {first} at once. Type one move at a time.")
            self.print(say(text, first=head[:LONGEST], rest=rest[:LONGEST]))
            return []
        more = self.steps(rest, world, seat, f"{before} {head}".strip())
        return more and [head, *more]

    def refuse(self, typed: str, match: Match, view: View, before: str = "") -> None:
        """Say why what was typed is not one move."""
        why = self.fault(typed, match, view)
        if before:
            text = _("Nothing was played: {rest} can't follow {first}. {why}")
            why = say(text, first=before[:LONGEST], rest=typed[:LONGEST], why=why)
        self.print(why)

    def fault(self, typed: str, match: Match, view: View) -> Text:
        """What is wrong with what was typed: with the whole, or with the longest beginning that means something."""
        if not parts_of(typed):
            return say("Type a number or words from the list; ? explains.")
        for line in (typed, *(head for head, rest in cuts(typed))):
            several = matching(line, view.moves, self.session.words)
            if len(several) > 1 and (line == typed or self.goes_on(several[0], match, view.seat)):
                labels = "; ".join(self.session.say(move.label) for move in several[:6])
                return say("That could be several moves: {labels}. Say which.", labels=labels)
            reasons = [reason for id in meant(line, match, view) if (reason := match.illegal_reason(view.seat, id))]
            if reasons:
                self.refused_by = match.game.rules.REASONS[reasons[0]]
                return say("{why} ({rule}; ? shows the rule)", why=match.why(reasons[0]), rule=self.refused_by)
        text = _("{typed} is no move here; type a number or words from the list, or ? for help.")
        return say(text, typed=typed[:LONGEST])

    def goes_on(self, move: Move, match: Match, seat: int) -> bool:
        """Whether the seat is asked again right after a move, so that a line may hold both steps."""
        return self.session.asked(after(match, seat, move).acting) == seat

    # --- commands -------------------------------------------------------------------------------------------------
    def command(self, typed: str) -> Callable[[int], bool] | None:
        """What was typed, if it isn't a move: by its key or its word; it returns whether the turn is over."""
        keys = {"?": self.help, "h": self.hint, "u": self.undo, "l": self.log, "r": self.rules, "s": self.scores,
                "t": self.table, "q": self.quit}  # fmt: skip
        if typed == self.session.say(say("coach")):
            return self.coach
        return keys.get(self.key_of(typed))

    def key_of(self, typed: str) -> str:
        """The key of the command that was typed by its key or its word, or nothing."""
        return next((key for key, word in COMMANDS.items() if typed in {key, self.session.say(word)}), "")

    def help(self, seat: int) -> bool:
        """The rule behind the last refusal, the first time; otherwise what can be typed."""
        game = self.session.match.game.name
        found = passages(game, self.session.words.lang, self.refused_by) if self.refused_by else []
        self.refused_by = ""
        for passage in found:
            self.session.print(passage, "  ")
        if not found:
            if any(zone.shape == "board" for zone in self.session.match.view(seat).zones):
                self.print(say("Type a cell by its name (c4). A line may hold several steps (7h c4)."))
            self.print(say("Type a move's number, its card (7, or 3 7) or its words (call). Other keys:"))
            self.print(say("  ? help  h hint  t table  s score  l log  r rules  u undo  q save and leave"))
            self.print(say("  coach: each kind of decision is explained once, or no more"))
        return False

    def hint(self, seat: int) -> bool:
        """The best moves, and why."""
        from hexdeck.terminal.hinting import show_hint

        show_hint(self.session, seat)
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
        return take_back(self.session.match.copy(), seat)

    def take_back(self, seat: int) -> bool:
        """Take back the seat's unfinished secret choice, or the last step of it, if it has one, and say so."""
        match = self.session.match
        if not take_back(match, seat):
            return False
        for person, ply in self.session.read_up_to.items():
            self.session.read_up_to[person] = min(ply, match.length)
        self.print(say("Taken back: the choice of {name}.", name=self.session.chairs[seat].name))
        return True

    def undo_practice(self, seat: int) -> bool:
        """Go back to the seat's last decision and forget what followed."""
        match = self.session.match
        mine = [k for k, event in enumerate(match.events) if event.seat == seat]
        while mine:
            match.go(mine[-1])
            if not nobody_decides(match, seat):
                break
            del mine[-1]
        else:
            match.go(match.length)
            self.print(say("There is nothing to undo yet."))
            return False
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

        show_rules(self.session.console, self.session.match.game.name, self.session.words.lang)
        return False

    def coach(self, seat: int) -> bool:
        """Have kinds of decisions explained from now on, or not any more."""
        if self.session.switch_coach(seat):
            self.session.show(seat)
        return False

    def scores(self, _seat: int) -> bool:
        """The score sheet."""
        from hexdeck.terminal.tally import show_scores

        show_scores(self.session)
        return False

    def table(self, seat: int) -> bool:
        """Draw the table again."""
        self.session.show(seat)
        return False

    def quit(self, _seat: int) -> bool:
        """Leave; the match is saved."""
        raise Left


def meant(typed: str, match: Match, view: View) -> list[int]:
    """The ids of the actions that what was typed names and that can't be played now, the likeliest."""
    actions = match.game.rules.ACTIONS
    name = cell_actions(view.moves, view.zones).get(" ".join(parts_of(typed)), typed)
    if name in actions:
        return [actions.index(name)]
    listed, onto_cells = ({move.name.split()[0] for move in view.moves if bool(move.cell) == cell} for cell in (0, 1))
    named = [id for id in forbidden(typed, actions) if actions[id].split()[0] not in onto_cells]
    likely = [id for id in named if actions[id].split()[0] in listed]
    # a bare number means something only in the list that is shown
    return likely or ([] if typed.isdecimal() else named)
