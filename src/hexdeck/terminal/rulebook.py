"""The rules of a game at the terminal, and its worked example step by step."""

from __future__ import annotations

import re
import textwrap

from rich.console import Console
from rich.text import Text as Line

from hexdeck.engine.discovery.catalogues import game_words
from hexdeck.engine.discovery.rulebook import PICTURE, STEP, Picture, picture
from hexdeck.engine.play.worked import Step
from hexdeck.engine.text import say
from hexdeck.terminal.screen import Screen, is_fancy

STEPS = re.compile(rf"(?:{STEP.pattern}\s*\n)+")


def show_rules(console: Console, name: str, lang: str) -> None:
    """Print the rules, formatted, with cards in place of pictures, and what each ruling was measured to do."""
    from rich.markdown import Markdown

    from hexdeck.lab.reporting.rulings import manual

    look = game_words(name, lang).words(say("To watch an example: `hexdeck rules {game} --example`.", game=name))
    text = with_pictures(manual(name, lang), is_fancy(console), look)
    console.print(Markdown(text), width=min(console.width, 80))


def with_pictures(text: str, suits: bool, look: str) -> str:
    """The text with its pictures as lines of cards above their captions; `look`, where to see it, for the example's."""
    text = STEPS.sub(f"*{look}*\n", text)
    return PICTURE.sub(lambda found: picture_quote(picture(*found.groups()), suits), text)


def picture_quote(shown: Picture, suits: bool) -> str:
    """A picture as a quotation in Markdown; spaces are kept, so that columns stay aligned."""
    lines = shown.text(suits).replace(" ", "\u00a0").replace("[", "\\[").splitlines()
    return "\n".join(f"> {line}  " for line in [*lines, f"*{shown.alt}*"])


def tell_example(console: Console, screen: Screen, steps: list[Step]) -> None:
    """Print all steps of an example, one below the other."""
    for number in range(len(steps)):
        show(console, screen, steps, number)
        console.print()


def walk_example(console: Console, screen: Screen, steps: list[Step]) -> None:
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


def show(console: Console, screen: Screen, steps: list[Step], number: int) -> None:
    """Print one step: its passage, and the table with open cards."""
    step = steps[number]
    passage = [Line(line) for line in textwrap.wrap(step.passage, screen.width)]
    table = screen.table(step.view, [Line()])
    for line in [screen.rule(f"{screen.title} · {number + 1} / {len(steps)}"), *passage, Line(), *table]:
        console.print(line, soft_wrap=True)


def ask(question: str) -> str:
    """What the person types; q at the end of input."""
    try:
        return input(question).strip().lower()
    except EOFError:
        return "q"
