"""Let a scripted model play one match of each game, and write what was asked and answered to `docs`.

    python tools/transcripts.py [--check]

The model stands for a language model: it chooses at random among the moves that it reads in the prompt, says so in one
of several forms, and talks nonsense one time in five. With `--check` nothing is written; exit is 1 where the page would
change.
"""

from __future__ import annotations

import argparse
import random
import re
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import hexdeck
from hexdeck.bots.players.roster import bot
from hexdeck.engine.discovery.finding import frozen, game_names
from hexdeck.engine.play.match import Match
from hexdeck.research.prompt import ModelPlayer, table_text

PAGE = Path(__file__).resolve().parent.parent / "docs" / "reference" / "transcripts.md"
OTHERS = "gentle"  # the bot on the other seats
SEEDS, MOST = 25, 5  # that are tried; moves that the model may be asked for in a match
NONSENSE = "It is a lovely evening for a game.", "I have no idea.", "Let me think about that a little longer."
SAYINGS: tuple[Callable[[int, str], str], ...] = (
    lambda number, _label: str(number),
    lambda number, _label: f'{{"move": {number}}}',
    lambda _number, label: f"I have thought about it.\n{label}",
    lambda number, label: f"**{number}.** {label}",
)
HEAD = """# A scripted model plays one match of each game

What a language model is asked, and how its answers are read, in one match of each game. The model is a script that
stands for one: it reads the numbered moves in the prompt, chooses one at random, says so in one of several forms, and
talks nonsense one time in five. It has seat 0; the easy bot has the others. Each match is of the smallest
[size](sizes.md) of its game, and was chosen to be short and to have a refusal in it.
[Let a language model play](../howto/play_with_language_models.md) explains the form.

Shown is the part of each prompt that a seat is asked with; before it stand the rules of the game, and before the lines
shown here all that was told earlier in the match. `python tools/transcripts.py` makes this page anew.
"""


class Script:
    """The scripted model."""

    def __init__(self, seed: int) -> None:
        self.dice = random.Random(seed)

    def __call__(self, _rules: str, question: str) -> str:
        """An answer to a prompt."""
        if self.dice.random() < 0.2:
            return self.dice.choice(NONSENSE)
        moves = re.findall(r"^(\d+)\. (.+?)(?: \[.*\])?$", question.partition("# Your moves")[2], re.MULTILINE)
        number, label = self.dice.choice(moves)
        return self.dice.choice(SAYINGS)(int(number), label)


def main() -> int:
    """Write the page, or check it."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true", help="write nothing; exit 1 where the page would change")
    arguments, text = parser.parse_args(), page()
    if arguments.check:
        return int(PAGE.read_text(encoding="utf-8") != text)
    PAGE.write_text(text, encoding="utf-8")
    return 0


def page() -> str:
    """The whole page."""
    return "\n".join([HEAD, *(section(name) for name in game_names())])


def section(name: str) -> str:
    """A match of a game."""
    size = f"{name}/{frozen(name)[0]['name']}"
    match, model = played(size)
    title, told = str(match.game.table.ABOUT.title), 0
    lines = [f"## {title}", "", f"`{size}`, {match.game.players} players.", ""]
    for number, asked in enumerate(model.transcript, 1):
        shown, told = since(asked["prompt"], told)
        lines += [f"### {title}, question {number}", "", *block(shown), "", *answered(asked), ""]
    shown, _told = since(table_text(match, 0), told)
    return "\n".join([*lines, f"### {title}, the end", "", *block(shown), "", counts(model), ""])


def played(size: str) -> tuple[Match, ModelPlayer]:
    """A match at its end and the model as it played it: of some short ones with a refusal, the longest."""
    tried = [played_of(size, seed) for seed in range(SEEDS)]
    fitting = [each for each in tried if each[1].counts.asked <= MOST and each[1].counts.refused]
    return max(fitting, key=lambda each: each[1].counts.asked)


def played_of(size: str, seed: int) -> tuple[Match, ModelPlayer]:
    """The match of a seed."""
    game = hexdeck.game(size)
    match, model = game.match(seed, backend="interpreted"), ModelPlayer(Script(seed), seed=seed)
    bots = [bot(OTHERS, game, each, backend="interpreted") for each in range(game.players)]
    while not match.over:
        seat = match.actor
        chosen = model.choose(match, seat) if seat == 0 else bots[seat].choose(match.concealed(seat), seat)
        match.play(seat, chosen)
    return match, model


def since(prompt: str, told: int) -> tuple[list[str], int]:
    """A prompt's lines without the first so many of what happened, and how many of those there are in all."""
    lines = prompt.splitlines()
    begin, end = lines.index("# What happened") + 2, lines.index("# What you see") - 1
    earlier = [f"({told} earlier {'line' if told == 1 else 'lines'})"] if told else []
    return [*lines[:begin], *earlier, *lines[begin + told : end], *lines[end:]], end - begin


def answered(asked: dict[str, Any]) -> list[str]:
    """The answers to a question, and what became of them."""
    lines: list[str] = []
    for tried in asked["answers"]:
        refused = f"Refused: {tried['refused']}." if tried["refused"] else f"Read as `{asked['move']}`."
        lines += ["The model answers:", "", *block(tried["answer"].splitlines()), "", refused, ""]
    return [*lines[:-1], *([f"A random move was made for it: `{asked['move']}`."] if asked["fallback"] else [])]


def block(lines: list[str]) -> list[str]:
    """Lines as they are."""
    return ["```text", *lines, "```"]


def counts(model: ModelPlayer) -> str:
    """What the model was asked in the match, in a line."""
    found = model.counts
    refused = sum(found.refused.values())
    return f"Asked for {found.asked} moves, it gave {found.answers} answers; refused: {refused}."


if __name__ == "__main__":
    sys.exit(main())
