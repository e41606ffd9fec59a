"""One person's turn: asks until a move is made, and explains, lists or undoes when asked to."""

from __future__ import annotations

import select
import sys
import textwrap
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from hexdeck.bots.players.bot_names import stored
from hexdeck.engine.errors import BadPly
from hexdeck.engine.play.match import Match
from hexdeck.engine.rulebook import passages
from hexdeck.engine.text import Text, _, card_text, say
from hexdeck.engine.view import Move, View
from hexdeck.tables.live import asked_aside, nobody_decides
from hexdeck.terminal import typed_moves
from hexdeck.terminal.display import Display, score_lines
from hexdeck.terminal.rulebook import show_rules
from hexdeck.terminal.screen import put
from hexdeck.terminal.typed_moves import matching_moves

if TYPE_CHECKING:
    from hexdeck.bots.advice.hints import Hint

COMMANDS = {  # the word of each command, by its key
    "?": say("help"),
    "h": say("hint"),
    "u": say("undo"),
    "l": say("log"),
    "r": say("rules"),
    "s": say("score"),
    "t": say("table"),
    "q": say("leave"),
}


NAMED = 3  # moves that a refusal names, at most


class Left(Exception):
    """The person wants to leave."""


class Dialogue:
    """Asks the people before a display for their moves."""

    def __init__(self, display: Display) -> None:
        self.display = display
        self.refusal_rule = ""  # the rule behind the last refusal
        self.unplayed: tuple[int, Text] | None = None  # a sentence for a seat, to be said when its next turn begins
        self.ahead: list[str] = []  # lines for the next turn, typed while watching
        self.short = False  # whether the rules were last shown in short

    def turn(self, seat: int) -> None:
        """Show the table, and ask until the seat has moved or something was undone."""
        self.display.show(seat)
        self.begin(seat)
        while True:
            typed = self.ask()
            command = self.command(typed)
            if command:
                if command(seat):
                    return
                continue
            if self.says_aside(typed, seat):
                continue
            steps = self.parse_steps(typed, self.display.match, seat)
            if steps:
                self.play(steps, seat)
                return

    def begin(self, seat: int) -> None:
        """Begin a turn: say what of the seat's last line wasn't played."""
        self.refusal_rule = ""
        if asked_aside(self.display.match, seat) is None:
            self.display.asides.prompted[seat] = self.display.match.ply
        if self.unplayed and self.unplayed[0] == seat:
            self.print(self.unplayed[1])
            self.unplayed = None

    def ask(self) -> str:
        """Read a line from the person; raises EOFError at the end of input."""
        if self.ahead:
            return self.ahead.pop(0)
        prompt = "> " if self.display.interactive else ""
        typed = input(prompt).strip()
        if not self.display.interactive:
            self.print(say("> {typed}", typed=typed))
        return typed.lower()

    def hear(self, seat: int) -> None:
        """Say the asides that a person has typed while watching; what else was typed is for the next turn."""
        while self.display.interactive and self.display.asides.of(seat) and is_typed():
            typed = input().strip().lower()
            if not self.says_aside(typed, seat):
                self.ahead.append(typed)

    def print(self, text: Text) -> None:
        """Say something to the person."""
        self.display.print(self.display.say(text))

    def says_aside(self, typed: str, seat: int) -> bool:
        """Say an aside or take it back, if that and no move was typed; returns whether it was."""
        match, catalogue = self.display.match, self.display.words
        if matching_moves(typed, match.legal(seat), catalogue):
            return False
        answer = self.display.asides.read(typed, seat, catalogue)
        if answer is not None:
            self.print(answer)
        return answer is not None

    # --- moves ----------------------------------------------------------------------------------------------------
    def play(self, steps: list[str], seat: int) -> None:
        """Play the steps of a line one after another, as long as each is a legal move."""
        display, match = self.display, self.display.match
        for k, step in enumerate(steps):
            moves = matching_moves(step, match.legal(seat), display.words)
            if len(moves) != 1 or not self.decides(match, seat):
                text = _("{rest} was not played: it is not possible now.")
                self.unplayed = seat, say(text, rest=" ".join(steps[k:])[: typed_moves.REPEATED])
                return
            ply = match.ply
            match.play(seat, moves[0])
            if not unnoticed(match, seat):  # until a choice of several steps is made, all is still news
                display.read_up_to[seat] = ply

    def parse_steps(self, typed: str, match: Match, seat: int, before: str = "") -> list[str]:
        """A line as moves that follow each other at once; empty if it isn't, after saying why.

        It is split only where the whole names no move. `before`: the earlier steps of the line, after which `match` is
        a position that the person thinks possible.
        """
        view, catalogue = match.view(seat), self.display.words
        moves = matching_moves(typed, view.moves, catalogue)
        if len(moves) == 1:
            return [typed]
        split = typed_moves.first_move_in(typed, view.moves, catalogue)
        if split is None or moves or typed_moves.actions_named(typed, match.game.rules.ACTIONS):
            why = self.fault(typed, match, view)
            if before:
                text = _("Nothing was played: {rest} can't follow {first}. {why}")
                why = say(text, first=before[: typed_moves.REPEATED], rest=typed[: typed_moves.REPEATED], why=why)
            self.print(why)
            return []
        head, tail, move = split
        world = imagined_after(match, seat, move)
        if not self.decides(world, seat):
            text = _("Nothing was played: {rest} can't follow {first} at once. Type one move at a time.")
            self.print(say(text, first=head[: typed_moves.REPEATED], rest=tail[: typed_moves.REPEATED]))
            return []
        following = self.parse_steps(tail, world, seat, f"{before} {head}".strip())
        return following and [head, *following]

    def fault(self, typed: str, match: Match, view: View) -> Text:
        """What is wrong with a line: with the whole, or with its longest beginning that means something."""
        if not typed_moves.words_of(typed):
            return say("Type the key before a move, or its words; ? explains.")
        for line in (typed, *(head for head, tail in typed_moves.splits(typed))):
            several = matching_moves(line, view.moves, self.display.words)
            if len(several) > 1 and (
                line == typed or self.decides(imagined_after(match, view.seat, several[0]), view.seat)
            ):
                labels = "; ".join(self.display.say(move.label) for move in several[:6])
                return say("That could mean several moves: {labels}. Which one?", labels=labels)
            ids = actions_meant(line, match, view)
            reasons = [reason for id in ids if (reason := match.illegal_reason(view.seat, id))]
            if reasons:
                self.refusal_rule = match.game.definition.reason(reasons[0]).rule
                return say("{why} (? shows the rule)", why=match.why(reasons[0]))
        keyed, short = typed_moves.with_keys(view.moves), typed[: typed_moves.REPEATED]
        if match is self.display.match and 0 < len(keyed) == len(view.moves) <= NAMED:
            choices = ", ".join(f"{key} ({self.display.say(move.label)})" for key, move in keyed)
            return say("{typed} is not a move here; type {moves}, or ? for help.", typed=short, moves=choices)
        if typed.isdecimal() and [key for key, _move in keyed] == [str(k + 1) for k in range(len(view.moves))]:
            text = _("{typed} is not a move here; type 1 to {last}, or ? for help.")
            return say(text, typed=short, last=len(keyed))
        return say("{typed} is not a move here; type the key before a move, or ? for help.", typed=short)

    def decides(self, match: Match, seat: int) -> bool:
        """Whether the seat is asked next for a move of its own, not for an aside that is answered for it."""
        if match is self.display.match:
            answered = self.display.asides.answer(seat) is not None
        else:
            answered = asked_aside(match, seat) is not None
        return self.display.next_person(match.acting) == seat and not answered

    # --- commands -------------------------------------------------------------------------------------------------
    def command(self, typed: str) -> Callable[[int], object] | None:
        """The command that was typed, by its key or word; called with a seat, it returns whether the turn is over."""
        display, match = self.display, self.display.match
        commands = {
            "?": self.help,
            "h": self.hint,
            "u": self.undo,
            "l": lambda seat: display.print_log(match.facts(seat), style=""),
            "r": self.rules,
            "s": lambda _seat: put(display.console, score_lines(display)),
            "t": display.show,
            "q": self.quit,
        }
        return self.coach if typed == display.say(say("coach")) else commands.get(self.key_of(typed))

    def key_of(self, typed: str) -> str:
        """The key of the command that was typed by its key or its word, or an empty string."""
        named = (key for key, word in COMMANDS.items() if typed in {key, self.display.say(word)})
        return "q" if typed == "quit" else next(named, "")

    def help(self, seat: int) -> None:
        """Explain the rule behind the last refusal, the first time; otherwise what can be typed."""
        game = self.display.match.game.name
        rule = passages(game, self.display.words.lang, self.refusal_rule) if self.refusal_rule else []
        self.refusal_rule = ""
        for passage in rule:
            self.display.print(passage, "  ")
        if not rule:
            view = self.display.match.view(seat)
            if any(zone.shape == "board" for zone in view.zones):
                self.print(say("Type a cell by its name (c4). A line may hold several steps (7h c4)."))
            typed = _("Type the key before a move, its card (7; for two, 3 7) or its words ({example}). Other keys:")
            self.print(say(typed, example=typed_moves.example(view.moves, self.display.words)))
            self.print(say("  ? help  h hint  t table  s score  l log  r rules  u undo  q save and leave"))
            self.print(say("  coach: turn the explanations on or off"))
            for text in self.display.asides.help(seat, self.display.words):
                self.display.print(self.display.say(text), "  ")

    def rules(self, _seat: int) -> None:
        """Show the beginning of the rules, how to play in 90 seconds; asked again, all of them."""
        name, self.short = self.display.match.game.name, not self.short
        show_rules(self.display.console, name, self.display.words.lang, short=self.short)
        if self.short:
            self.print(say("r again shows all the rules."))

    def hint(self, seat: int) -> None:
        """Show the best moves, and why."""
        display, width = self.display, self.display.screen().width
        for text in hint_lines(display, display.match.legal(seat), hint_for(display, display.match, seat), suits=False):
            if text.startswith(" "):
                put(display.console, textwrap.wrap(text, width, subsequent_indent=" " * INDENT))
            else:
                display.print(text)

    def coach(self, seat: int) -> None:
        """Turn the coach on or off."""
        if self.display.switch_coach(seat):
            self.display.show(seat)

    def quit(self, _seat: int) -> None:
        """Leave; the match is saved."""
        raise Left

    # --- undo -----------------------------------------------------------------------------------------------------
    def undo(self, seat: int) -> bool:
        """Take back the last person's unfinished secret choice; in practice, the seat's last decision."""
        if self.display.practice:
            return self.undo_practice(seat)
        chosen = [event.seat for event in self.display.match.events if event.seat in self.display.people]
        if chosen and self.take_back(chosen[-1]):
            return True
        self.print(say("There is nothing left for you to take back (--practice allows more)."))
        return False

    def can_take_back(self, seat: int) -> bool:
        """Whether the seat has an unfinished secret choice."""
        return take_back(self.display.match.copy(), seat)

    def take_back(self, seat: int) -> bool:
        """Take back the seat's unfinished secret choice, or its last step, and say so; returns whether it had one."""
        display = self.display
        if not take_back(display.match, seat):
            return False
        for person, ply in display.read_up_to.items():
            display.read_up_to[person] = min(ply, display.match.length)
        self.print(say("Taken back: the choice of {name}.", name=display.chairs[seat].name))
        return True

    def undo_practice(self, seat: int) -> bool:
        """Go back to the seat's last decision, and forget all that followed."""
        match, read_up_to = self.display.match, self.display.read_up_to
        own = [k for k, event in enumerate(match.events) if event.seat == seat]
        while own:
            match.go(own[-1])
            if not nobody_decides(match, seat) and asked_aside(match, seat) is None:
                break
            del own[-1]
        else:
            match.go(match.length)
            self.print(say("There is nothing to undo yet."))
            return False
        self.display.asides.forget_undone(match.ply)
        match.cut()
        read_up_to[seat] = min(read_up_to[seat], max([0, *own[:-1]]))
        return True


def is_typed() -> bool:
    """Whether a line waits to be read; False where that can't be told."""
    try:
        return bool(select.select([sys.stdin], [], [], 0)[0])
    except (OSError, ValueError):  # not a terminal, or one of Windows
        return False


def actions_meant(typed: str, match: Match, view: View) -> list[int]:
    """The ids of the actions that a line names, legal or not: those of a kind that is listed, if there are any."""
    actions = match.game.rules.ACTIONS
    name = typed_moves.cell_actions(view.moves, view.zones).get(" ".join(typed_moves.words_of(typed)), typed)
    if name in actions:
        return [actions.index(name)]
    kinds, onto_cells = ({move.name.split()[0] for move in view.moves if bool(move.cell) == cell} for cell in (0, 1))
    possible = [id for id in typed_moves.actions_named(typed, actions) if actions[id].split()[0] not in onto_cells]
    likely = [id for id in possible if actions[id].split()[0] in kinds]
    # a bare number means something only in the list that is shown
    return likely or ([] if typed.isdecimal() else possible)


def imagined_after(match: Match, seat: int, move: Move) -> Match:
    """A match as it may stand after a seat's move, before chance acts.

    What is hidden is dealt anew in it, so it reveals nothing that the seat doesn't know.
    """
    world = match.resample(seat, 0)
    world.play(seat, move)
    return world


def take_back(match: Match, seat: int) -> bool:
    """Take back a seat's secret choice, or its last step, if nobody else knows of it; returns whether it did."""
    try:
        match.retract(seat)
    except BadPly:
        if not unnoticed(match, seat):
            return False
        match.go(match.length - 1)
        match.cut()
    return True


def unnoticed(match: Match, seat: int) -> bool:
    """Whether the last event was the seat's, and changed nothing that another seat or the public knows."""
    last = match.length - 1
    if last < 0 or match.ply <= last or match.event(last).seat != seat:
        return False
    viewers = [p for p in range(-1, match.game.players) if p != seat]
    now = [match.key(p) for p in viewers]
    match.go(last)
    before = [match.key(p) for p in viewers]
    match.go(last + 1)
    return before == now


# --- hints ------------------------------------------------------------------------------------------------------------
INDENT = 5  # as in the list of moves: three for the key, two between


def hint_for(display: Display, position: Match, seat: int) -> Hint | None:
    """A hint for a seat; none where there is no choice."""
    from hexdeck.bots.advice.hints import advise

    others = [stored(chair.bot or "") for p, chair in enumerate(display.chairs) if p != seat]
    return advise(position, seat, others) if len(position.legal_ids(seat)) > 1 else None


def hint_lines(display: Display, moves: Sequence[Move], hint: Hint | None, suits: bool) -> list[str]:
    """A hint in sentences: for each move what to type, its result, and why; then what all rests on."""
    if hint is None:
        return [display.say(say("There is only one thing to do: {move}.", move=moves[0].label))]
    by_id = {move.id: key for key, move in typed_moves.with_keys(moves)} | {
        move.id: move.cell for move in moves if move.cell
    }
    out = [display.say(say("The best moves, judging only by what you know:"))] if hint.moves else []
    for move in hint.moves:
        key = card_text(by_id[move.action], suits)
        out.append(f"{key:>3}  {display.say(move.label)} · {display.say(move.result)}")
        if move.reason:
            out.append(" " * INDENT + display.say(move.reason))
    return [*out, *map(display.say, hint.premises)]
