"""A hint on the screen: the best moves, what they are expected to bring, and why."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from typing import TYPE_CHECKING

from hexdeck.bots.advice.hints import Advice, advise, premises
from hexdeck.engine.play.driver import quickest_backend
from hexdeck.engine.text import say
from hexdeck.engine.view import Move
from hexdeck.terminal.keys import keyed

if TYPE_CHECKING:
    from hexdeck.terminal.session import Session

INDENT = 5  # as in the list of moves: three for the key, two between


def show_hint(session: Session, seat: int) -> None:
    """Print the best moves of a seat, from what it knows."""
    moves = session.match.legal(seat)
    if len(moves) == 1:
        session.print(session.say(say("There is only one thing to do: {move}.", move=moves[0].label)))
        return
    session.print(session.say(say("The best moves, judged by what you know alone:")))
    keys, told = keys_of(moves), advise(session.match, seat)
    for advice in told:
        for line in hint_lines(session, keys[advice.action], advice):
            session.console.print(line, soft_wrap=True)
    for line in grounds(session, told):
        session.print(line)


def keys_of(moves: Sequence[Move]) -> dict[int, str]:
    """What is typed for each move, by its id: its cell where it has one, else its key in the list."""
    return {move.id: key for key, move in keyed(moves)} | {move.id: move.cell for move in moves if move.cell}


def grounds(session: Session, told: Sequence[Advice]) -> list[str]:
    """What a hint stands on, in sentences."""
    backend = quickest_backend(session.match.game.definition)
    return [session.say(text) for text in premises(session.match.game, backend, (each.margin for each in told))]


def hint_lines(session: Session, key: str, advice: Advice) -> list[str]:
    """What to type, the move and its result; below it the reason."""
    head = f"{key:>3}  {session.say(advice.label)} · {session.say(advice.result)}"
    reason = session.say(advice.reason) if advice.reason else ""
    wide, gap = session.screen().width, " " * INDENT
    below = textwrap.wrap(reason, wide, initial_indent=gap, subsequent_indent=gap)
    return [*textwrap.wrap(head, wide, subsequent_indent=gap), *below]
