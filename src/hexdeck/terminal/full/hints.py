"""Hints in the full screen: thought of beside the app, told when they are there."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from hexdeck.bots.advice.hints import Advice, advise
from hexdeck.engine.play.match import Match
from hexdeck.engine.text import card_text, say
from hexdeck.engine.view import Move
from hexdeck.terminal.hinting import grounds, keys_of

if TYPE_CHECKING:
    from hexdeck.terminal.session import Session


def thought(position: Match, seat: int) -> list[Advice]:
    """The best moves of a seat; none where there is no choice."""
    return advise(position, seat) if len(position.legal_ids(seat)) > 1 else []


def hint_lines(session: Session, moves: Sequence[Move], told: Sequence[Advice]) -> list[str]:
    """A hint in sentences: for each move what to type, what it brings and why."""
    if not told:
        return [session.say(say("There is only one thing to do: {move}.", move=moves[0].label))]
    keys = keys_of(moves)
    out = [session.say(say("The best moves, judged by what you know alone:"))]
    for advice in told:
        out.append(
            f"{card_text(keys[advice.action], True):>3}  {session.say(advice.label)} · {session.say(advice.result)}"
        )
        if advice.reason:
            out.append(f"     {session.say(advice.reason)}")
    return [*out, *grounds(session, told)]
