"""The full screen as an app: it shows a session, takes keys and clicks, and lets bots think in the background."""

from __future__ import annotations

import contextlib
import functools
import threading
from collections.abc import Callable, Sequence
from time import monotonic
from typing import ClassVar

from rich.text import Text as Line
from textual import events
from textual.app import App, ComposeResult
from textual.binding import Binding, BindingType
from textual.timer import Timer

from hexdeck.bots.advice.hints import Hint
from hexdeck.engine.play.score import headlines
from hexdeck.engine.text import Text, say
from hexdeck.engine.view import View
from hexdeck.tables.live import forced_delay
from hexdeck.terminal.dialogue import hint_for, hint_lines
from hexdeck.terminal.display import score_lines
from hexdeck.terminal.full.drawing import (
    DARK,
    FUNCTION_KEYS,
    LIGHT,
    MOST_MESSAGES,
    Frame,
    ScreenState,
    Typing,
    commands,
    next_spot,
    spots,
    themes,
    usual_theme,
)
from hexdeck.terminal.full.panels import (
    CoverPage,
    Panel,
    Pointed,
    ReadingPage,
    curtain,
    greeting,
    help_lines,
    table_panels,
)
from hexdeck.terminal.rulebook import rules_markdown
from hexdeck.terminal.screen import put
from hexdeck.terminal.session import BOT, CURTAIN, FORCED, OVER, ScreenSession, typed_cards

GRACE = 0.3  # seconds in which a click counts as the second of a double click, and is ignored


class TableApp(App[None]):
    """A match in the full screen: its panels, drawn from a session and a state, and what happens."""

    CSS_PATH = "style.tcss"
    ENABLE_COMMAND_PALETTE = False
    ALLOW_SELECT = False
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding(key, "leave", show=False, priority=True) for key in ("ctrl+c", "ctrl+q")
    ]

    def __init__(self, session: ScreenSession, look: str = "", greeting: bool = True) -> None:
        super().__init__()
        self.session, self.state = session, ScreenState()
        for theme in themes():
            self.register_theme(theme)
        self.theme = look or usual_theme()
        self.greeting = greeting
        self.position = 0  # counts positions: results of work for an earlier one are dropped
        self.hint_position = -1  # the position for which a hint is computed
        self.asked_at = 0.0  # when the person was asked
        self.wait: Timer | None = None  # while what happened is shown
        self.steps: list[tuple[View | None, float]] = []  # views that are still to be shown, and for how long
        self.error: Exception | None = None

    def compose(self) -> ComposeResult:
        """The panels."""
        yield from table_panels()

    def refresh_view(self) -> None:
        """Look at the table again, and show it."""
        seat = self.session.viewing_seat()
        self.state.view, self.state.log = self.session.view(seat), self.session.log_and_news(seat)
        self.show()
        self.call_after_refresh(self.scroll)

    def frame(self) -> Frame:
        """What to show on a screen of the present size."""
        return Frame(self.session, self.state, *self.size)

    def show(self) -> None:
        """Draw all panels."""
        frame = self.frame()
        self.panel("log").parent.display = frame.beside  # type: ignore[union-attr]
        for name, lines in frame.panels().items():
            self.panel(name).draw(lines)

    def scroll(self) -> None:
        """Where not everything fits, scroll to the end of the log, and to the board."""
        main, log = (self.screen_stack[0].query_one(name) for name in ("#main", "#beside"))
        (main.scroll_end if self.frame().board else main.scroll_home)(animate=False)
        log.scroll_end(animate=False)

    def panel(self, name: str) -> Panel:
        """A panel by its name."""
        return self.screen_stack[0].query_one(f"#{name}", Panel)

    def on_resize(self) -> None:
        """The size has changed: draw again."""

        def draw() -> None:
            self.show()
            self.call_after_refresh(self.scroll)

        if self.is_running:
            self.call_after_refresh(draw)

    def read(self, title: Text, body: Sequence[Line] | str, at_end: bool = False) -> None:
        """Show something to read."""
        self.push_screen(ReadingPage(self.session.words, title, body, at_end))

    def on_mount(self) -> None:
        """Greet, then start."""
        self.session.on_screen = True

        def greeted(answer: str | None) -> None:
            """The greeting was closed, perhaps with words for the deal."""
            if answer == "q":
                self.action_leave()
            else:
                self.session.deal((answer or "")[1:])
                self.go_on()

        if self.greeting:
            self.push_screen(CoverPage(self.session.words, greeting(self.session)), greeted)
        else:
            greeted(None)

    # --- the match ----------------------------------------------------------------------------------------------------
    def go_on(self) -> None:
        """Do what comes next: a person's turn, a curtain before it, a bot's move, a forced move, or the end."""
        before = self.session.match.ply
        if self.session.answer_asides():
            self.played(before)
            return
        kind, seat = self.session.next_step()
        self.state, self.wait, self.steps = ScreenState(self.state.view, self.state.log), None, []
        self.position += 1
        if kind == CURTAIN:
            self.draw_curtain(seat)
        elif kind == OVER:
            self.end()
        elif kind == FORCED:
            self.refresh_view()
            thoughts, wait = self.position, forced_delay(self.session.pause)
            if wait:
                self.set_timer(wait, lambda: self.forced(seat, thoughts))
            else:
                self.forced(seat, thoughts)
        elif kind == BOT:
            self.state.thinker = self.session.chairs[seat].name
            self.refresh_view()
            self.think(seat)
        else:
            self.state.turn = self.session.shown_to = seat
            self.asked_at = monotonic()
            self.session.dialogue.begin(seat)
            self.teach(seat)
            self.refresh_view()

    def teach(self, seat: int) -> None:
        """Explain a decision, on a page of its own where the screen is small."""
        self.session.teach(seat)
        lines = [Line(text) for text in self.session.messages]
        if sum(-(-line.cell_len // max(1, self.size.width - 6)) for line in lines) > MOST_MESSAGES:
            self.session.messages.clear()
            self.read(say("Explanations are on."), lines)

    def played(self, since: int = -1) -> None:
        """Something was played or undone: save it, show what came of a move since a ply, and go on."""
        self.session.save_unfinished()
        if 0 <= since < self.session.match.ply and len(self.session.views_since(since)) > 1:
            self.happened(since)
        else:
            self.go_on()

    def end(self) -> None:
        """The match is over: save its record and show the result."""
        self.session.messages.clear()
        self.session.save_finished()
        self.session.farewell, self.session.messages = self.session.messages, []
        self.session.sum_up()
        self.refresh_view()

    def draw_curtain(self, seat: int) -> None:
        """Hide the table completely until the next person is there."""
        back = self.session.shown_to
        if back is not None and not self.session.dialogue.can_take_back(back):
            back = None
        self.state = ScreenState()
        self.session.messages.clear()
        while len(self.screen_stack) > 1:
            self.pop_screen()

        def drawn(answer: str | None) -> None:
            """The next person is there, or the one before takes back a choice."""
            if answer == "q":
                self.action_leave()
            elif answer == "u" and back is not None and self.session.dialogue.take_back(back):
                self.session.shown_to = back
                self.played()
            else:
                self.session.shown_to = seat
                self.session.messages.clear()
                self.go_on()

        self.show()
        self.push_screen(
            CoverPage(self.session.words, curtain(self.session, seat, back), back is not None),
            drawn,
        )

    # --- bots and hints think in threads of their own -----------------------------------------------------------------
    def think(self, seat: int) -> None:
        """Let a bot choose from what it knows, then show for a while what happens."""
        struct, thoughts = self.session.match.concealed(seat), self.position

        def choose() -> Callable[[], None]:
            action = self.session.bot_of(seat).choose(struct, seat)

            def chosen() -> None:
                if thoughts == self.position:
                    before = self.session.match.ply
                    self.session.match.play(seat, action)
                    self.session.mention_compiling()
                    self.session.save_unfinished()
                    self.happened(before)

            return chosen

        self.in_background(choose)

    def forced(self, seat: int, thoughts: int) -> None:
        """Make a forced move, and show for a while what happens."""
        if thoughts == self.position:
            before = self.session.match.ply
            self.session.play_forced(seat)
            self.happened(before)

    def happened(self, before: int) -> None:
        """Show step by step what happened since a ply, if this seat may see any of it; then go on."""
        self.state, self.steps = ScreenState(self.state.view, self.state.log), self.session.views_since(before)
        self.show_step()

    def show_step(self) -> None:
        """Show the next step of what happened for a while; after the last, go on."""
        if not self.steps:
            self.go_on()
            return
        view, seconds = self.steps.pop(0)
        if view is None:
            self.refresh_view()
        else:
            self.state.view = view
            self.show()
        self.wait = self.set_timer(seconds, self.show_step)

    def hint(self) -> None:
        """Ask for the best moves."""
        if self.state.turn is None or self.hint_position == self.position:
            return
        self.hint_position = self.position
        seat, thoughts, position = self.state.turn, self.position, self.session.match.copy_position()
        self.session.messages[:] = [self.session.say(say("Thinking about a hint …"))]
        self.show()

        def ask() -> Callable[[], None]:
            hint = hint_for(position, seat)
            return lambda: self.hinted(hint, thoughts)

        self.in_background(ask)

    def hinted(self, hint: Hint | None, thoughts: int) -> None:
        """A hint is ready."""
        if thoughts == self.position and self.state.view is not None:
            self.hint_position = -1
            self.session.messages[:] = hint_lines(self.session, self.state.view.moves, hint, suits=True)
            self.show()

    def in_background(self, work: Callable[[], Callable[[], None]]) -> None:
        """Run work in a thread, then call its result; leaving the app doesn't wait for it."""

        def run() -> None:
            try:
                result = work()
            except Exception as error:  # it is raised when the screen is gone
                result = functools.partial(self.fail, error)
            with contextlib.suppress(RuntimeError):  # the app was left meanwhile
                self.call_from_thread(result)

        threading.Thread(target=run, daemon=True).start()

    def fail(self, error: Exception) -> None:
        """Leave because of an error, which is raised when the screen is gone."""
        self.error = error
        self.exit()

    # --- keys and clicks ----------------------------------------------------------------------------------------------
    def on_key(self, event: events.Key) -> None:
        """A key was pressed."""
        if len(self.screen_stack) > 1:
            return
        event.prevent_default()  # otherwise a page that it opens would get the same key
        moves = self.state.view.moves if self.state.view else ()
        if event.key in FUNCTION_KEYS:
            self.command(FUNCTION_KEYS[event.key])
        elif event.key in {"up", "down", "left", "right"}:
            self.arrow(event.key)
        elif event.key in {"pageup", "pagedown"}:
            getattr(self.query_one("#main"), f"scroll_{event.key[:4]}_{event.key[4:]}")(animate=False)
        elif event.key == "enter":
            self.enter()
        elif event.key == "escape":
            self.session.messages.clear()
            self.write(Typing())
        elif event.key == "backspace":
            self.write(self.state.typing.less())
        elif event.is_printable and event.character:
            command = commands(moves).get(event.character.lower()) if not self.state.typing.line else None
            if command:
                self.command(command)
            elif self.typist() is not None:
                self.write(self.state.typing.more(event.character))

    def typist(self) -> int | None:
        """The seat that may type: whose turn it is, or while others play one that may say something of them."""
        watching = self.session.viewing_seat()
        return watching if self.state.turn is None and self.session.asides.of(watching) else self.state.turn

    def on_paste(self, event: events.Paste) -> None:
        """Text was pasted: it is typed."""
        if self.typist() is not None and len(self.screen_stack) == 1:
            self.write(self.state.typing.more(event.text))

    def write(self, typing: Typing) -> None:
        """Replace what is typed."""
        self.state.typing, self.state.pointed = typing, -1
        self.show()

    def arrow(self, arrow: str) -> None:
        """Point at the next move in a direction."""
        if self.state.turn is not None:
            panels = self.frame().panels()
            moves = spots([panels["table"], panels["ask"]])
            self.state.typing, self.state.pointed = Typing(), next_spot(moves, self.state.pointed, arrow)
            self.show()

    def enter(self) -> None:
        """Play what is typed or pointed at; at the end, leave."""
        if self.state.view is not None and self.state.view.over:
            self.action_leave()
        elif self.typist() is not None and self.state.typing.line.strip():
            self.submit(self.state.typing.line.strip().lower())
        elif self.wait is not None:
            self.wait.stop()
            self.go_on()
        elif self.state.pointed >= 0:
            self.play(self.state.pointed)

    def submit(self, line: str) -> None:
        """A line was entered: a command, or moves."""
        typist = self.typist()
        assert typist is not None
        command = self.session.dialogue.key_of(line)
        self.state.typing, self.state.pointed = Typing(), -1
        if command:
            self.command(command)
            return
        self.session.messages.clear()
        before = self.session.match.ply
        if self.session.toggles_coach(line, typist) or self.session.dialogue.says_aside(line, typist):
            self.show()
        elif self.state.turn is not None and self.session.play_line(line, typist):
            self.played(before)
        else:
            self.show()

    def play(self, id: int) -> None:
        """Play a move that was pointed at."""
        move = next((move for move in self.state.view.moves if move.id == id), None) if self.state.view else None
        if move is not None and self.state.turn is not None:
            self.session.messages.clear()
            before = self.session.match.ply
            self.session.dialogue.play([move.name], self.state.turn)
            self.played(before)

    def on_pointed(self, event: Pointed) -> None:
        """The mouse points at something, or has clicked on it."""
        mark, clicked = event.what, event.clicked
        if clicked and "key" in mark:
            self.enter() if mark["key"] == "enter" else self.command(mark["key"])
        elif clicked and "aside" in mark:
            seat = self.session.viewing_seat()
            for aside, _said in self.session.asides.of(seat):
                if aside.about == mark["aside"]:
                    self.session.messages[:] = [self.session.say(self.session.asides.toggle(seat, aside))]
                    self.show()
        elif self.state.turn is None or (clicked and monotonic() - self.asked_at < min(GRACE, self.session.pause)):
            return
        elif clicked and "move" in mark:
            self.play(mark["move"])
        elif clicked and "card" in mark:
            self.pick(mark["card"])
        elif not clicked and not self.state.typing.line:
            id = mark.get("move", -1)
            if "card" in mark and self.state.view is not None:
                move = self.session.move_of_card(mark["card"], self.state.view)
                id = move.id if move else -1
            if self.state.pointed != id:
                self.state.pointed = id
                self.show()

    def pick(self, k: int) -> None:
        """A card of the hand was clicked: play it, or choose it together with others."""
        assert self.state.view is not None
        move = self.session.move_of_card(k, self.state.view)
        if move is not None:
            self.play(move.id)
            return
        picked = self.state.typing.picked ^ {k}
        self.session.messages.clear()
        line = typed_cards(picked, self.state.view)
        if line and not self.session.moves_meant(line, self.state.view):
            picked, line = frozenset(), ""
            self.session.explain_card(k, self.state.view)
        self.write(Typing(line, picked))

    # --- commands -----------------------------------------------------------------------------------------------------
    def command(self, key: str) -> None:
        """Run a command, by its key."""
        if key == "q":
            self.action_leave()
        elif key == "d":
            self.theme = LIGHT if self.theme == DARK else DARK
            self.show()
        elif key == "r":
            game = self.session.match.game
            self.read(game.table.ABOUT.title, rules_markdown(game.name, self.session.words.lang, fancy=True))
        elif key == "l":
            self.read(say("The log"), self.frame().drawing(self.size.width).log(*self.state.log), at_end=True)
        elif key == "s":
            self.read(say("Score sheet"), [Line(line) for line in score_lines(self.session)])
        elif key == "?":
            self.help()
        elif key == "h":
            self.hint()
        elif key == "u" and self.state.turn is not None:
            self.session.messages.clear()
            if self.session.dialogue.undo(self.state.turn):
                self.played()
            else:
                self.show()
        elif key == "t":
            self.refresh_view()

    def help(self) -> None:
        """Show the rule behind the last refusal, else what can be typed and clicked."""
        dialogue = self.session.dialogue
        if dialogue.refusal_rule and self.state.turn is not None:
            self.session.messages.clear()
            dialogue.help(self.state.turn)
            self.show()
            return
        frame, wide = self.frame(), self.size.width
        asides = self.session.asides.help(self.session.viewing_seat(), self.session.words)
        texts = [*help_lines(frame.board), *asides]
        lines = [line for text in texts for line in frame.drawing(wide).sentence(text, True)]
        self.read(say("Help"), lines)

    def action_leave(self) -> None:
        """Leave; the match is saved."""
        self.position += 1
        self.exit()


def play(session: ScreenSession, look: str | None) -> int:
    """Play in the full screen, then say how it ended or how to resume; returns the exit status."""
    app = TableApp(session, f"hexdeck-{look}" if look else "")
    try:
        app.run()
    finally:
        session.on_screen = False
    if app.error is not None:
        session.leave()
        raise app.error
    return ended(session) if session.match.over else session.leave()


def ended(session: ScreenSession) -> int:
    """Print the result and where the record is, when the full screen is gone."""
    seat = session.viewing_seat()
    headline = headlines(session.match, seat)
    put(session.console, session.screen().result(session.match.view(seat), session.match.returns(), headline))
    for text in session.farewell:
        session.print(text)
    return 0
