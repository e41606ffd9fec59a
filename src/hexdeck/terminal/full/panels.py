"""The widgets of the full screen: panels of drawn lines that can be pointed at, and pages over the table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from rich.text import Text as Line
from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.message import Message
from textual.screen import Screen
from textual.widgets import Input, Markdown, Static

from hexdeck.engine.text import Catalogue, Text, say
from hexdeck.tables.fair import LONGEST_CONTRIBUTION
from hexdeck.terminal.full.drawing import content
from hexdeck.terminal.session import Session

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
            self.update(content(list(lines)))

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
                yield Static(content(list(self.body)), id="lines")
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
        """The sentences, in the middle, and a field for words, shown when somebody wants to add some."""
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
    """What is played, and who made it."""
    table = session.match.game.table
    sentences: Sentences = [("title", table.ABOUT.title), ("about", table.ABOUT.text)]
    sentences += [("credit", text) for text in session.match.game.definition.credits]
    begin = say("Press Enter to begin.") if len(session.people) > 1 else say("Press Enter to see your cards. ")
    sentences.append(("enter", begin))
    if session.promise:
        promise = say("The cards follow from a secret with this hash: {hash}", hash=session.promise)
        sentences += [("promise", promise), ("w", say("w: add words of your own to the shuffle."))]
    return sentences


def curtain(session: Session, seat: int, back: int | None) -> Sentences:
    """Whom to pass the screen to, and how to take back a secret choice; nothing else."""
    sentences: Sentences = [
        ("enter", say("Pass the screen to {seat}, then press Enter.", seat=session.chairs[seat].name))
    ]
    if back is not None:
        sentences.append(("u", say("u: take back what {seat} chose.", seat=session.chairs[back].name)))
    return sentences


def help_lines(board: bool) -> Sequence[Text]:
    """What can be typed and clicked."""
    lines = [
        say("Click a move, a card or a cell."),
        say("Or type a move's number, its card (7, or 3 7) or its words (call), then Enter."),
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
