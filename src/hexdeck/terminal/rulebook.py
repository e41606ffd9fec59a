"""What is read at the terminal: the rules of a game, its worked example step by step, and puzzles."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from rich.console import Console
from rich.text import Text as Line

from hexdeck.engine import rulebook
from hexdeck.engine.discovery.definition import definition
from hexdeck.engine.discovery.finding import game_words
from hexdeck.engine.rule_changes import changes_of
from hexdeck.engine.rulebook import PICTURE, STEP, ExampleStep
from hexdeck.engine.text import Catalogue, say
from hexdeck.engine.view import View, Zone
from hexdeck.terminal.screen import Screen, is_fancy, put
from hexdeck.terminal.typed_moves import matching_moves

if TYPE_CHECKING:
    from hexdeck.puzzles import Explanation, Puzzle

STEPS = re.compile(rf"(?:{STEP.pattern}\s*\n)+")


# --- the rules --------------------------------------------------------------------------------------------------------


def show_rules(console: Console, name: str, lang: str, codes: bool = False, short: bool = False) -> None:
    """Print the rules, formatted, with cards in place of pictures; `codes`: with the ids of rules.

    `short`: only the first section, after what differs from it.
    """
    from rich.markdown import Markdown

    text = rules_markdown(name, lang, is_fancy(console), codes)
    sections = 3 if changes_of(definition(name), {}) else 2
    text = "\n## ".join(text.split("\n## ")[: sections if short else None])
    console.print(Markdown(text), width=min(console.width, 80))


def rules_markdown(name: str, lang: str, fancy: bool, codes: bool = False) -> str:
    """The rules as Markdown, with lines of cards for pictures.

    `fancy`: with symbols of suits, and cards set off; `codes`: with the ids of rules.
    """
    catalogue, views = game_words(name, lang), rulebook.example_views(name) if rulebook.has_example(name) else {}
    look = catalogue.words(say("To watch an example: `hexdeck rules {game} --example`.", game=name))

    def moment(match: re.Match[str]) -> str:
        step = rulebook.step_picture(*match.groups())
        if step.ply not in views:
            return ""
        lines = [*moment_lines(views[step.ply], step, game_words(name, lang, views[step.ply].names), fancy)]
        return quote([*lines, f"*{step.caption}*"]) + "\n"

    text = rulebook.rules_with_tables(name, lang)
    text = STEPS.sub(lambda found: f"{found[0]}\n*{look}*\n", text if codes else rulebook.CODE.sub("", text))
    text = STEP.sub(moment, text)

    def drawn(match: re.Match[str]) -> str:
        cards = rulebook.picture(*match.groups())
        return quote([*cards.text(fancy).replace("[", "\\[").splitlines(), f"*{cards.alt}*"])

    return PICTURE.sub(drawn, text)


def moment_lines(view: View, step: rulebook.StepPicture, catalogue: Catalogue, fancy: bool) -> Iterator[str]:
    """A moment of the example in lines: what lies in the middle of the table, then each seat with its zones."""
    zones = rulebook.pictured(view, step)
    for zone, lit in zones:
        if zone.shape == "board":
            yield from (" ".join(chip(code, fancy, 3) for code in row) for row in rulebook.cropped(zone))
        elif zone.seat is None:
            yield zone_line(zone, lit, catalogue, fancy)
    wide = max(len(catalogue.name(seat)) for seat in range(view.players))
    for seat in range(view.players):
        own = [zone_line(zone, lit, catalogue, fancy) for zone, lit in zones if zone.seat == seat]
        if own:
            yield f"{catalogue.name(seat) + ':':<{wide + 1}} {'   '.join(own)}"


def zone_line(zone: Zone, lit: bool, catalogue: Catalogue, fancy: bool) -> str:
    """A zone in a line: its title, then its number or its cards."""
    speech = replace(catalogue, suits=fancy)
    cards = " ".join(chip(code, fancy) for code in (*zone.cards, *[rulebook.BACK] * min(zone.hidden, 3)))
    title = speech.words(zone.title)
    line = f"{title} {zone.count}" if zone.shape == "count" else f"{title} {cards}"
    return f"**{line}**" if lit and fancy else line


def chip(code: str, fancy: bool, wide: int = 0) -> str:
    """A card in a line of text; `fancy`: as inline code, which a terminal sets off."""
    name = rulebook.card_name(rulebook.Drawn(code, False), fancy).center(wide)
    return f"` {name} `" if fancy else name


def quote(lines: Sequence[str]) -> str:
    """Lines as a quotation in Markdown, the last of which is a sentence; in the others spaces are kept as they are."""
    rows = [*(line.replace(" ", "\u00a0") for line in lines[:-1]), lines[-1]]
    return "\n".join(f"> {line}  " for line in rows)


# --- the example ------------------------------------------------------------------------------------------------------
def tell_example(console: Console, screen: Screen, steps: list[ExampleStep]) -> None:
    """Print all steps of an example, one below the other."""
    for number in range(len(steps)):
        show(console, screen, steps, number)
        console.print()


def walk_example(console: Console, screen: Screen, steps: list[ExampleStep]) -> None:
    """Show an example screen by screen, forward and back, until the person leaves."""
    number = 0
    while number < len(steps):
        console.clear()
        show(console, screen, steps, number)
        keys = say("step {step} of {steps} · Enter next · b back · q quit", step=number + 1, steps=len(steps))
        typed = ask("\n" + screen.say(keys) + "  ")
        if typed == "q":
            return
        number = max(0, number - 1) if typed == "b" else number + 1


def show(console: Console, screen: Screen, steps: list[ExampleStep], number: int) -> None:
    """Print one step: its passage, and the table with open cards."""
    step = steps[number]
    passage = [Line(line) for line in textwrap.wrap(step.passage, screen.width)]
    table = screen.table(step.view, [Line()])
    put(console, [screen.rule(f"{screen.title} · {number + 1} / {len(steps)}"), *passage, Line(), *table])


def ask(question: str) -> str:
    """What the person types; q at the end of input."""
    try:
        return input(question).strip().lower()
    except EOFError:
        return "q"


# --- puzzles ----------------------------------------------------------------------------------------------------------
def solve(puzzles: Sequence[Puzzle], catalogue: Catalogue) -> int:
    """Let the player solve puzzles one after another, until they leave; tells how many were solved."""
    console = Console(highlight=False, markup=False, emoji=False)
    solved = total = 0
    for puzzle in puzzles:
        right = solve_one(console, puzzle, catalogue)
        if right is None:
            break
        solved, total = solved + right, total + 1
    console.print(catalogue.words(say("{n} of {total} solved", n=solved, total=total)))
    return 0


def solve_one(console: Console, puzzle: Puzzle, catalogue: Catalogue) -> bool | None:
    """Let the player solve a puzzle; None if they leave."""
    from hexdeck.puzzles import explain, seat_names

    match = puzzle.match()
    match.names = seat_names(puzzle, catalogue.words(say("Guest")))
    own = game_words(puzzle.game, catalogue.lang, match.names)
    view = match.view(puzzle.seat)
    screen = Screen.of(console, own, match.game.table.ABOUT.title)
    put(console, screen.draw(view, match.facts(puzzle.seat)[-8:]))
    console.print(own.words(say("One move is clearly the best. Which one?")), style="bold")
    name = answer(console, view, own)
    if name is None:
        return None
    explanation = explain(puzzle, match, name)
    for text in told(explanation, own):
        console.print("\n".join(textwrap.wrap(text, screen.width, subsequent_indent="   ")), soft_wrap=True)
    return explanation.right if ask(own.words(say("Enter for the next one, q to leave")) + "  ") != "q" else None


def answer(console: Console, view: View, own: Catalogue) -> str | None:
    """The name of the move that the player types; None if they leave."""
    while True:
        typed = ask("> ")
        if typed in ("q", "quit"):
            return None
        moves = matching_moves(typed, view.moves, own)
        if len(moves) == 1:
            return moves[0].name
        console.print(own.words(say("Type the key before a move, or its words; q leaves.")))


def told(explanation: Explanation, own: Catalogue) -> Iterator[str]:
    """The explanation of an answer, line by line."""
    yield own.words(explanation.verdict)
    reason = explanation.same_reason
    for line in explanation.lines:
        parts = [line.move, line.result, *([say("{cost} less", cost=line.cost)] if line.cost else [])]
        yield " · ".join(map(own.words, parts)) + (f" – {own.words(line.reason)}" if line.reason and not reason else "")
    yield from map(own.words, (*([reason] if reason else []), *explanation.weigh, *explanation.sentences))
