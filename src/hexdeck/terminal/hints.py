"""A hint at the terminal: the best moves, what they are expected to bring, and why."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence

from hexdeck.bots.advice.hints import Advice, advise, premises
from hexdeck.engine.play.driver import quickest_backend
from hexdeck.engine.play.match import Match
from hexdeck.engine.text import card_text, say
from hexdeck.engine.view import Move
from hexdeck.terminal.display import Display
from hexdeck.terminal.keys import with_keys

INDENT = 5  # as in the list of moves: three for the key, two between


def show_hint(display: Display, seat: int) -> None:
    """Print the best moves of a seat, from what it knows."""
    width, gap = display.screen().width, " " * INDENT
    for text in hint_lines(display, display.match.legal(seat), hint_for(display.match, seat), suits=False):
        if text.startswith(" "):
            for line in textwrap.wrap(text, width, subsequent_indent=gap):
                display.console.print(line, soft_wrap=True)
        else:
            display.print(text)


def hint_for(position: Match, seat: int) -> list[Advice]:
    """The best moves of a seat; none where there is no choice."""
    return advise(position, seat) if len(position.legal_ids(seat)) > 1 else []


def hint_lines(display: Display, moves: Sequence[Move], advice: Sequence[Advice], suits: bool) -> list[str]:
    """A hint in sentences: for each move what to type, its result, and why; then what all rests on."""
    if not advice:
        return [display.say(say("There is only one thing to do: {move}.", move=moves[0].label))]
    keys = {move.id: key for key, move in with_keys(moves)} | {move.id: move.cell for move in moves if move.cell}
    out = [display.say(say("The best moves, judging only by what you know:"))]
    for move in advice:
        key = card_text(keys[move.action], suits)
        out.append(f"{key:>3}  {display.say(move.label)} · {display.say(move.result)}")
        if move.reason:
            out.append(" " * INDENT + display.say(move.reason))
    game = display.match.game
    margins = (move.margin for move in advice)
    return [*out, *map(display.say, premises(game, quickest_backend(game.definition), margins))]
