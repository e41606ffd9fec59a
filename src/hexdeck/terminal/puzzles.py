"""Puzzles at the terminal: the table as a seat saw it, a move that is typed, and what it would have brought."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Sequence

from rich.console import Console

from hexdeck.engine.discovery.finding import game_words
from hexdeck.engine.text import Catalogue, Text, say
from hexdeck.engine.view import View
from hexdeck.puzzles import Explanation, Puzzle, explain, seat_names
from hexdeck.terminal.keys import matching_moves
from hexdeck.terminal.rulebook import ask
from hexdeck.terminal.screen import Screen, put


def solve(puzzles: Sequence[Puzzle], catalogue: Catalogue) -> int:
    """Let somebody solve puzzles one after another, until they leave; tells how many were solved."""
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
    """Let somebody solve a puzzle; None if they leave."""
    match = puzzle.match()
    match.names = seat_names(puzzle, catalogue.words(say("Guest")))
    own = game_words(puzzle.game, catalogue.lang, match.names)
    view = match.view(puzzle.seat)
    screen = Screen.of(console, own, match.game.table.ABOUT.title)
    put(console, screen.draw(view, match.facts(puzzle.seat)[-8:]))
    console.print(own.words(say("One move is surely the best. Which one?")), style="bold")
    name = answer(console, view, own)
    if name is None:
        return None
    explanation = explain(puzzle, match, name)
    for text in told(explanation, own):
        console.print("\n".join(textwrap.wrap(text, screen.width, subsequent_indent="   ")), soft_wrap=True)
    return explanation.right if ask(own.words(say("Enter for the next one, q to leave")) + "  ") != "q" else None


def answer(console: Console, view: View, own: Catalogue) -> str | None:
    """The name of the move that somebody types; None if they leave."""
    while True:
        typed = ask("> ")
        if typed in ("q", "quit"):
            return None
        moves = matching_moves(typed, view.moves, own)
        if len(moves) == 1:
            return moves[0].name
        console.print(own.words(say("Type what stands in front of a move, or its words; q leaves.")))


def told(explanation: Explanation, own: Catalogue) -> Iterator[str]:
    """The explanation of an answer, line by line."""
    yield own.words(explanation.verdict)
    for line in explanation.lines:
        parts: list[Text] = [line.move, line.result]
        parts += [say("{cost} less", cost=line.cost)] if line.cost else []
        reason = None if explanation.same_reason else line.reason
        yield " · ".join(map(own.words, parts)) + (f" – {own.words(reason)}" if reason else "")
    yield from map(own.words, ([explanation.same_reason] if explanation.same_reason else []))
    yield from map(own.words, (*explanation.weigh, *explanation.sentences))
