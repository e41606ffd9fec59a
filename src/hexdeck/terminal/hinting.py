"""A hint at the terminal: the best moves, what they are expected to bring, and why."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence

from hexdeck.bots.advice.hints import Advice, advise, premises
from hexdeck.engine.play.driver import quickest_backend
from hexdeck.engine.text import say
from hexdeck.engine.view import Move
from hexdeck.terminal.display import Display
from hexdeck.terminal.keys import with_keys

INDENT = 5  # as in the list of moves: three for the key, two between


def show_hint(display: Display, seat: int) -> None:
    """Print the best moves of a seat, from what it knows."""
    moves = display.match.legal(seat)
    if len(moves) == 1:
        display.print(display.say(say("There is only one thing to do: {move}.", move=moves[0].label)))
        return
    display.print(display.say(say("The best moves, judging only by what you know:")))
    keys, found = keys_of(moves), advise(display.match, seat)
    for advice in found:
        for line in hint_lines(display, keys[advice.action], advice):
            display.console.print(line, soft_wrap=True)
    for line in premise_sentences(display, found):
        display.print(line)


def keys_of(moves: Sequence[Move]) -> dict[int, str]:
    """What is typed for each move, by its id: its cell where it has one, else its key in the list."""
    return {move.id: key for key, move in with_keys(moves)} | {move.id: move.cell for move in moves if move.cell}


def premise_sentences(display: Display, found: Sequence[Advice]) -> list[str]:
    """What a hint rests on, in sentences."""
    game = display.match.game
    margins = (each.margin for each in found)
    return [display.say(text) for text in premises(game, quickest_backend(game.definition), margins)]


def hint_lines(display: Display, key: str, advice: Advice) -> list[str]:
    """What to type, the move and its result; below it the reason."""
    head = f"{key:>3}  {display.say(advice.label)} · {display.say(advice.result)}"
    reason = display.say(advice.reason) if advice.reason else ""
    width, gap = display.screen().width, " " * INDENT
    below = textwrap.wrap(reason, width, initial_indent=gap, subsequent_indent=gap)
    return [*textwrap.wrap(head, width, subsequent_indent=gap), *below]
