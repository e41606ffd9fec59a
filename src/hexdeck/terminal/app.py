"""The full screen as an app: it shows a session, takes keys and clicks, and lets bots think in the background."""

from __future__ import annotations

import contextlib
import functools
import threading
from collections.abc import Callable, Mapping, Sequence
from time import monotonic
from typing import Any, ClassVar

from rich.text import Text as Line
from textual import events
from textual.app import App, ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.message import Message
from textual.screen import Screen
from textual.timer import Timer
from textual.widgets import Input, Markdown, Static

from hexdeck.bots.advice.hints import Hint
from hexdeck.engine.errors import RuleFault
from hexdeck.engine.play.score import headlines
from hexdeck.engine.text import Catalogue, Text, say
from hexdeck.engine.view import View
from hexdeck.tables.fair import LONGEST_CONTRIBUTION
from hexdeck.tables.live import forced_delay
from hexdeck.terminal import drawing, typed_moves
from hexdeck.terminal.dialogue import hint_for, hint_lines
from hexdeck.terminal.display import score_lines
from hexdeck.terminal.rulebook import rules_markdown
from hexdeck.terminal.screen import put
from hexdeck.terminal.session import BOT, CURTAIN, FORCED, OVER, ScreenSession, Session, typed_cards

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
        self.session, self.state = session, drawing.ScreenState()
        for theme in drawing.themes():
            self.register_theme(theme)
        self.theme = look or drawing.usual_theme()
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

    def frame(self) -> drawing.Frame:
        """What to show on a screen of the present size."""
        return drawing.Frame(self.session, self.state, *self.size)

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
        self.state, self.wait, self.steps = drawing.ScreenState(self.state.view, self.state.log), None, []
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
        if sum(-(-line.cell_len // max(1, self.size.width - 6)) for line in lines) > drawing.MOST_MESSAGES:
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
        self.state = drawing.ScreenState()
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
        self.state, self.steps = drawing.ScreenState(self.state.view, self.state.log), self.session.views_since(before)
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
            hint = hint_for(self.session, position, seat)
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

    def _handle_exception(self, error: Exception) -> None:
        """A rule that fails is told in a sentence; Textual shows where all else was raised."""
        (self.fail if isinstance(error, RuleFault) else super()._handle_exception)(error)

    # --- keys and clicks ----------------------------------------------------------------------------------------------
    def on_key(self, event: events.Key) -> None:
        """A key was pressed."""
        if len(self.screen_stack) > 1:
            return
        event.prevent_default()  # otherwise a page that it opens would get the same key
        moves = self.state.view.moves if self.state.view else ()
        if event.key in drawing.FUNCTION_KEYS:
            self.command(drawing.FUNCTION_KEYS[event.key])
        elif event.key in {"up", "down", "left", "right"}:
            self.arrow(event.key)
        elif event.key in {"pageup", "pagedown"}:
            getattr(self.query_one("#main"), f"scroll_{event.key[:4]}_{event.key[4:]}")(animate=False)
        elif event.key == "enter":
            self.enter()
        elif event.key == "escape":
            self.session.messages.clear()
            self.write(drawing.Typing())
        elif event.key == "backspace":
            self.write(self.state.typing.less())
        elif event.is_printable and event.character:
            command = drawing.commands(moves).get(event.character.lower()) if not self.state.typing.line else None
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

    def write(self, typing: drawing.Typing) -> None:
        """Replace what is typed."""
        self.state.typing, self.state.pointed = typing, -1
        self.show()

    def arrow(self, arrow: str) -> None:
        """Point at the next move in a direction."""
        if self.state.turn is not None:
            panels = self.frame().panels()
            moves = drawing.spots([panels["table"], panels["ask"]])
            pointed = drawing.next_spot(moves, self.state.pointed, arrow)
            self.state.typing, self.state.pointed = drawing.Typing(), pointed
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
        self.state.typing, self.state.pointed = drawing.Typing(), -1
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
            for aside, _is_said in self.session.asides.of(seat):
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
        self.write(drawing.Typing(line, picked))

    # --- commands -----------------------------------------------------------------------------------------------------
    def command(self, key: str) -> None:
        """Run a command, by its key."""
        if key == "q":
            self.action_leave()
        elif key == "d":
            self.theme = drawing.LIGHT if self.theme == drawing.DARK else drawing.DARK
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
        example = typed_moves.example(self.state.view.moves if self.state.view else (), self.session.words)
        texts = [*help_lines(frame.board, example), *asides]
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


# --- widgets ----------------------------------------------------------------------------------------------------------
LEFT_BUTTON = 1


class Pointed(Message):
    """The mouse points at something in a panel, or at nothing, or has clicked on it."""

    def __init__(self, mark: Mapping[str, Any], clicked: bool) -> None:
        super().__init__()
        self.what = dict(mark)
        self.clicked = clicked


class Panel(Static):
    """Drawn lines, in which the mouse finds marks. Without lines it takes no room."""

    auto_links = False
    drawn: Sequence[Line] | None = None  # what is shown

    def draw(self, lines: Sequence[Line]) -> None:
        """Show these lines, unless they are shown already."""
        if self.drawn is None or visible_parts(lines) != visible_parts(self.drawn):
            self.drawn, self.display = lines, bool(lines)
            self.styles.height = len(lines)  # Textual would measure what was shown before
            self.update(drawing.content(list(lines)))

    def on_mouse_move(self, event: events.MouseMove) -> None:
        """The mouse points at something."""
        self.post_message(Pointed(event.style.meta, False))

    def on_leave(self) -> None:
        """The mouse has left."""
        self.post_message(Pointed({}, False))

    def on_click(self, event: events.Click) -> None:
        """Something was clicked."""
        if event.button == LEFT_BUTTON and event.style.meta:
            self.post_message(Pointed(event.style.meta, True))


def visible_parts(lines: Sequence[Line]) -> list[tuple[str, list[tuple[int, int, str]]]]:
    """All that can be seen of lines."""
    return [(line.plain, [(span.start, span.end, repr(span.style)) for span in line.spans]) for line in lines]


class Column(VerticalScroll, can_focus=False):
    """A column that can be scrolled and never takes the focus."""


def table_panels() -> ComposeResult:
    """The panels of the table."""
    yield Panel(id="head")
    with Horizontal(id="body"):
        with Vertical(id="left"):
            with Column(id="main"):
                yield Panel(id="table")
            yield Panel(id="news")
            with Column(id="mine"):
                yield Panel(id="own")
                yield Panel(id="ask")
        with Column(id="beside"):
            yield Panel(id="log")
    yield Panel(id="said")
    yield Panel(id="line")
    yield Panel(id="keys")


class ReadingPage(Screen[str]):
    """Something to read, over the whole table: the log, the rules, what can be typed; it closes without an answer."""

    BINDINGS: ClassVar[list[BindingType]] = [
        *(Binding(key, "close", show=False) for key in ("escape", "enter", "q", "l", "r", "question_mark", "f1", "f4")),
        *(Binding(key, f"scroll('{key}')", show=False) for key in ("up", "down", "home", "end")),
        Binding("pageup", "scroll('page_up')", show=False),
        Binding("pagedown,space", "scroll('page_down')", show=False),
    ]

    def __init__(self, catalogue: Catalogue, title: Text, body: Sequence[Line] | str, at_end: bool = False) -> None:
        super().__init__()
        self.words, self.titled, self.body, self.at_end = catalogue, title, body, at_end

    def compose(self) -> ComposeResult:
        """A title, the text, how to go back."""
        yield Static(self.words.words(self.titled), id="title", markup=False)
        with Column(id="page"):
            if isinstance(self.body, str):
                yield Markdown(self.body, open_links=False)
            else:
                yield Static(drawing.content(list(self.body)), id="lines")
        text = say("Esc goes back; arrows and the mouse wheel scroll.")
        yield Static(self.words.words(text), id="close", markup=False)

    def on_mount(self) -> None:
        """Scroll to the end, where the newest of a log is."""
        if self.at_end:
            self.query_one("#page").scroll_end(animate=False)

    def on_click(self, event: events.Click) -> None:
        """A click on the last line goes back."""
        if event.widget is not None and event.widget.id == "close":
            self.dismiss("")

    def action_close(self) -> None:
        """Go back to the table."""
        self.dismiss("")

    def action_scroll(self, direction: str) -> None:
        """Scroll the text."""
        getattr(self.query_one("#page"), f"scroll_{direction}")(animate=False)


class CoverPage(Screen[str]):
    """Covers the table until Enter is pressed: before the first cards, and between two people.

    Its answer is the key that closed it; where words can be added to a promised deal, "=" and these words.
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding(key, f"answer('{answer}')", show=False)
        for key, answer in (("enter", ""), ("u", "u"), ("q", "q"), ("w", "w"))
    ]

    def __init__(self, catalogue: Catalogue, lines: Sequence[tuple[str, Text]], take_back: bool = False) -> None:
        super().__init__()
        self.words = catalogue
        self.VERTICAL_BREAKPOINTS = [(0, "-short"), (22, "-tall")]
        self.lines, self.take_back = lines, take_back

    def compose(self) -> ComposeResult:
        """The sentences, in the middle, and a field for words, shown when the player wants to add some."""
        with Column(id="middle"):
            for kind, text in self.lines:
                yield Static(self.words.words(text), classes=kind, markup=False)
                if kind == "w":
                    yield Input(id="words", max_length=LONGEST_CONTRIBUTION, disabled=True)

    def on_click(self, event: events.Click) -> None:
        """A click on a sentence that names a key is that key."""
        kinds = event.widget.classes if event.widget else frozenset()
        for kind, key in (("enter", ""), ("u", "u"), ("w", "w")):
            if kind in kinds:
                self.action_answer(key)

    def action_answer(self, key: str) -> None:
        """Enter, or another key where it means something."""
        written = next(iter(self.query("#words").results(Input)), None)
        if key == "w":
            if written is not None:
                written.disabled = False
                self.add_class("-words")
                written.focus()
        elif key == "" and written is not None:
            self.dismiss("=" + "".join(filter(str.isprintable, written.value)))
        elif key != "u" or self.take_back:
            self.dismiss(key)

    def on_input_submitted(self) -> None:
        """Enter was pressed after the words."""
        self.action_answer("")


Sentences = list[tuple[str, Text]]  # sentences, each with its kind for the style sheet


def greeting(session: Session) -> Sentences:
    """What is played, what to press, and who made it."""
    table = session.match.game.table
    begin = say("Press Enter to begin.") if len(session.people) > 1 else say("Press Enter to see your cards. ")
    sentences: Sentences = [("title", table.ABOUT.title), ("about", table.ABOUT.text), ("enter", begin)]
    if session.promise:
        (fair, promise), words = session.promised, say("w: add words of your own to the shuffle, and see the hash.")
        sentences += [("fair", fair), ("w", words), ("promise", promise)]
    return [*sentences, *(("credit", text) for text in session.match.game.definition.credits)]


def curtain(session: Session, seat: int, back: int | None) -> Sentences:
    """Whom to pass the screen to, and how to take back a secret choice; nothing else."""
    sentences: Sentences = [
        ("enter", say("Pass the screen to {seat}, then press Enter.", seat=session.chairs[seat].name))
    ]
    if back is not None:
        sentences.append(("u", say("u: take back what {seat} chose.", seat=session.chairs[back].name)))
    return sentences


def help_lines(board: bool, example: str) -> Sequence[Text]:
    """What can be typed and clicked; `example`: words that name a move."""
    lines = [
        say("Click a move, a card or a cell."),
        say("Or type a move's number, its card (7, or 3 7) or its words ({example}), then Enter.", example=example),
        say("Arrow keys mark a move, Enter plays it, Esc clears what you typed or the message."),
        say("Cards to play together: click one after another, then press Enter."),
    ]
    if board:
        lines.append(say("Type a cell by its name (c4). A line may hold several steps (7h c4)."))
    return [
        *lines,
        say("?, F1: help, or the rule behind a refusal"),
        say("h, F2: a hint: the best moves, and why"),
        say("u, F3: take back a secret choice nobody knows of yet; in practice, your last decision"),
        say("l, F4: the whole log"),
        say("r, F5: the rules"),
        say("F6: light or dark"),
        say("s, F7: the score sheet"),
        say("coach: turn the explanations on or off"),
        say("q, F10, Ctrl-C: save and leave"),
        say(
            "If a move starts with a command's letter, the key types that letter; press Enter after it, or the "
            "F key, for the command."
        ),
        say("Page Up and Page Down scroll the table where it doesn't fit."),
    ]
