"""A match as the people at one screen see it: the table, the log, the coach, the score sheet, in their language.

An aside, such as an accusation, is typed as its own word and a player's name or number, and taken back in the same way.
It is kept here, unseen by the others, until the rules ask for it; then the session makes the move, whatever the person
has said or not said. Only whose turn was passed over in the meantime is asked.
"""

import sys
import textwrap
import time
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from rich.console import Console

from hexdeck.engine.play.coach import lesson, scored
from hexdeck.engine.play.match import Match
from hexdeck.engine.play.score import ScoreSheet, score_sheet
from hexdeck.engine.play.story import beats
from hexdeck.engine.text import Catalogue, Seat, Text, _, say
from hexdeck.engine.view import Aside, length
from hexdeck.tables.live import asides, asked_aside
from hexdeck.terminal.screen import Screen, is_fancy, put
from hexdeck.terminal.typed_moves import REPEATED, all_found, words_of

SHORTEST = 4  # letters that are enough of an aside's word


class Asides:
    """What the people at one terminal have said: pairs of a seat and the seat that it is about.

    `keep` is called whenever a player has said something or taken it back.
    """

    def __init__(self, match: Match, said: Iterable[tuple[int, int]] = ()) -> None:
        self.match = match
        self.keep: Callable[[], object] = lambda: None
        self.said = {pair for pair in said if {*pair} <= {*range(match.game.players)}}
        self.since: dict[tuple[int, int], int] | None = None  # what can be said now: the ply since when, as far as seen
        self.prompted: dict[int, int] = {}  # the ply at which a seat's person was last asked for a move
        self.any_time = False  # whether people can say things while they watch

    def of(self, seat: int) -> list[tuple[Aside, bool]]:
        """What a seat may say of others now, and whether it has."""
        possible = () if self.match.over or seat < 0 else asides(self.match, seat)
        return [(aside, (seat, aside.about) in self.said) for aside in possible]

    def answer(self, seat: int) -> int | None:
        """The move that answers for a seat, if the rules ask it for an aside now: what it has said, or silence.

        None, too, if it could say nothing: its turn was passed over since there was something to say.
        """
        aside = asked_aside(self.match, seat)
        if aside is None:
            return None
        if (seat, aside.about) in self.said:
            return aside.action
        could_speak = self.prompted.get(seat, -1) >= (self.since or {}).get((seat, aside.about), -1)
        return aside.silence if self.any_time or could_speak else None

    def note(self, seats: Iterable[int]) -> None:
        """Note since when these seats can say what they can say now."""
        before, ply = ({}, -1) if self.since is None else (self.since, self.match.ply)
        now = [(seat, aside.about) for seat in seats for aside, _is_said in self.of(seat)]
        self.since = {pair: before.get(pair, ply) for pair in now}

    def forget_lapsed(self) -> None:
        """Forget what can't be said any more."""
        seats = {seat for seat, _ in self.said}
        self.said = {(seat, aside.about) for seat in seats for aside, was_said in self.of(seat) if was_said}

    def forget_undone(self, ply: int) -> None:
        """Forget what was first said after a ply, to which the match goes back: what couldn't be said all the time."""
        for k in range(self.match.length, ply - 1, -1) if self.said else ():
            self.match.go(k)
            self.forget_lapsed()

    def data(self) -> list[list[int]]:
        """What was said, as a record keeps it."""
        self.forget_lapsed()
        return sorted(map(list, self.said))

    def help(self, seat: int, catalogue: Catalogue) -> list[Text]:
        """How an aside is typed, for each kind that a seat may say now."""
        kinds = dict.fromkeys(catalogue.words(aside.label).lower() for aside, _is_said in self.of(seat))
        text = _("{word} and a player's name or number: it costs no move; type it again to take it back")
        return [say(text, word=word) for word in kinds]

    # --- what is typed ------------------------------------------------------------------------------------------------
    def read(self, typed: str, seat: int, catalogue: Catalogue) -> Text | None:
        """Say an aside that was typed, or take it back; returns what to tell the person, or None if it was none."""
        name, kind = "", list[Aside]()
        for key, _is_said in self.of(seat):
            after = after_word(typed, catalogue.words(key.label))
            if after is not None:
                name, kind = after, [*kind, key]
        if not kind:
            return None
        seats = seats_called(name, catalogue, [p for p in range(self.match.game.players) if p != seat])
        fitting = [key for key in kind if key.about in seats] if name else kind
        if len(fitting) == 1:
            aside = fitting[0]
            answer = self.toggle(seat, aside)
            return say("{told} Type it again to take it back.", told=answer) if answer is aside.told else answer
        word, names = catalogue.words(kind[0].label).lower(), either(fitting or kind, catalogue)
        if fitting:
            return say("Whom do you want to {word}: {names}?", word=word, names=names)
        if seats:
            text = _("You can't {word} {name} now, only {names}.")
            return say(text, word=word, name=Seat(seats[0]), names=names)
        text = _("{typed} is not the name or number of another player; you can {word} {names}.")
        return say(text, typed=name[:REPEATED], word=word, names=names)

    def toggle(self, seat: int, aside: Aside) -> Text:
        """Say an aside, or take it back if it was said; returns what to tell the person."""
        self.said ^= {(seat, aside.about)}
        self.keep()
        return aside.told if (seat, aside.about) in self.said else aside.taken_back


def after_word(typed: str, label: str) -> str | None:
    """What was typed after the word of an aside, or enough of it; None if it doesn't begin with that."""
    parts, word = words_of(typed), words_of(label)
    begins = len(parts) >= len(word) and all(
        part == full or (len(part) >= SHORTEST and full.startswith(part))
        for part, full in zip(parts, word, strict=False)
    )
    return " ".join(parts[len(word) :]) if begins else None


def seats_called(typed: str, catalogue: Catalogue, seats: Sequence[int]) -> list[int]:
    """Which of these seats what was typed can mean: its whole name, its number counted from 1, words of its name."""
    names = {seat: words_of(catalogue.name(seat)) for seat in seats}
    exact = [seat for seat in seats if " ".join(names[seat]) == typed]
    numbered = [seat for seat in seats if typed == str(seat + 1)]
    return exact or numbered or [seat for seat in seats if all_found(typed.split(), names[seat])]


def either(about: Sequence[Aside], catalogue: Catalogue) -> str:
    """The names of those whom asides are about: one or another."""
    *first, last = [catalogue.name(aside.about) for aside in about]
    return catalogue.words(say("{first} or {last}", first=", ".join(first), last=last)) if first else last


def noted(data: Any) -> list[tuple[int, int]]:
    """What a record says was said; nothing where it can't be read."""
    pairs = data if isinstance(data, list) else []
    return [(pair[0], pair[1]) for pair in pairs if isinstance(pair, list) and [*map(type, pair)] == [int, int]]


def lesson_sentences(match: Match, seat: int, catalogue: Catalogue) -> list[str]:
    """What a seat is taught now: a title, and a sentence each; nothing for what it was taught before."""
    taught = lesson(match, seat)
    if taught is None:
        return []
    advice = say("You may: {text}", text=taught.may), say("Why: {text}", text=taught.why)
    risk = say("Risk: {text}", text=taught.risk), say("(Type coach to turn the explanations off.)")
    return titled(catalogue, taught.title, [*([taught.aim] if taught.aim else []), *advice, *risk])


def scoring_sentences(match: Match, seat: int, catalogue: Catalogue) -> list[str]:
    """How the match was scored: a title, and a sentence each; nothing without a coach."""
    sentences = scored(match, seat)
    return titled(catalogue, say("How it was scored"), sentences) if sentences else []


def titled(catalogue: Catalogue, title: Text, sentences: Sequence[Text]) -> list[str]:
    """Sentences below a title."""
    dash = "—" if catalogue.suits else "-"
    return [f"{dash} {catalogue.words(title)} {dash}", *map(catalogue.words, sentences)]


def wrapped(sentences: list[str], width: int) -> list[str]:
    """Sentences in lines of a width, indented below their title."""
    lines = [textwrap.wrap(text, width, initial_indent="  ", subsequent_indent="    ") for text in sentences[1:]]
    return [*sentences[:1], *(line for part in lines for line in part)]


@dataclass(frozen=True)
class Chair:
    """A seat: the player's name and, for a bot, which bot."""

    name: str
    bot: str | None = None

    def data(self) -> dict[str, Any]:
        """The chair as a record keeps it."""
        return {"name": self.name, "bot": self.bot} if self.bot else {"name": self.name}


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
        width = self.screen().width
        wrapper = textwrap.TextWrapper(width, indent, indent, break_long_words=False, break_on_hyphens=False)
        put(self.console, wrapper.wrap(text))

    def print_log(self, lines: Sequence[Text], style: str = "dim") -> None:
        """Print lines of the log."""
        for text in lines:
            put(self.console, self.screen().wrapped(text), style)

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
        taught = lesson_sentences(self.match, seat, self.words) if seat in self.coached else []
        lesson = wrapped(taught, self.screen().width)
        screen, news = self.screen(), self.match.facts(seat, self.read_up_to.get(seat, 0))
        put(self.console, replace(screen, asides=self.asides.of(seat)).draw(view, news, 1 + len(lesson)))
        put(self.console, lesson, "cyan")

    def clear(self) -> None:
        """Clear the screen, and what can be scrolled back to."""
        if self.interactive:
            self.console.clear()
            self.console.file.write("\x1b[3J")


NO_ROWS = say("The score sheet is empty until its first row is complete.")


def score_lines(display: Display, least: int = 0) -> list[str]:
    """The score sheet of the match so far in lines, or that it is empty; nothing if it has fewer rows than `least`."""
    sheet = score_sheet(display.match)
    if len(sheet.rows) < least:
        return []
    return sheet_lines(display, sheet) if sheet.rows else [display.say(NO_ROWS)]


def sheet_lines(display: Display, sheet: ScoreSheet) -> list[str]:
    """The sheet as lines: for each tally its title, the names, what each deal brought, and the totals."""
    sides = sheet.teams or range(display.match.game.players)
    columns = [[seat for seat, side in enumerate(sides) if side == column] for column in sorted(set(sides))]
    names = [" & ".join(display.words.name(seat) for seat in column) for column in columns]
    out = []
    for tally, (_id, title) in enumerate(sheet.titles):
        signed = any(sheet.start[tally])  # gains have signs where totals don't start at 0
        rows = [[display.say(sheet.unit), *names]]
        for row in sheet.rows:
            gains = [row.gains[tally][column[0]] for column in columns]
            rows.append([str(row.number), *(f"{gain:+d}" if signed and gain else str(gain) for gain in gains)])
        rows.append([display.say(say("Total")), *(str(sheet.totals[tally][column[0]]) for column in columns)])
        first, *widths = [max(map(len, cells)) for cells in zip(*rows, strict=True)]
        out.append(display.say(title))
        for label, *cells in rows:
            padded = [cell.rjust(width) for cell, width in zip(cells, widths, strict=True)]
            out.append("  " + "  ".join([label.ljust(first), *padded]))
    return out


USUAL_PAUSE = 0.7  # seconds that bots wait: then beats take as long as they say


def tell(display: Display, viewer: int, since: int, pause: float) -> None:
    """Print what a seat (-1: the public) was told since a ply, each sentence at its beat; for `pause` at least."""
    facts = display.match.facts(viewer, since)
    steps, pace, unsaid = beats(display.match, viewer, since) if pause else (), pause / USUAL_PAUSE, list(facts)
    for beat in steps:
        if beat.line in unsaid:
            upto = unsaid.index(beat.line) + 1
            display.print_log(unsaid[:upto])
            unsaid = unsaid[upto:]
        elif beat.line is not None and beat.line not in facts:
            display.print_log([beat.line])
        time.sleep(beat.hold / 1000 * pace)
    display.print_log(unsaid)
    if facts:
        time.sleep(max(0.0, pause - length(steps) / 1000 * pace))
