"""Hints in the full screen: computed in the background, shown when they are ready."""

from __future__ import annotations

from collections.abc import Sequence

from hexdeck.bots.advice.hints import Advice, advise
from hexdeck.engine.play.match import Match
from hexdeck.engine.text import card_text, say
from hexdeck.engine.view import Move
from hexdeck.terminal.display import Display
from hexdeck.terminal.hinting import keys_of, premise_sentences


def hint_for(position: Match, seat: int) -> list[Advice]:
    """The best moves of a seat; none where there is no choice."""
    return advise(position, seat) if len(position.legal_ids(seat)) > 1 else []


def hint_lines(display: Display, moves: Sequence[Move], found: Sequence[Advice]) -> list[str]:
    """A hint in sentences: for each move what to type, its result, and why."""
    if not found:
        return [display.say(say("There is only one thing to do: {move}.", move=moves[0].label))]
    keys = keys_of(moves)
    out = [display.say(say("The best moves, judging only by what you know:"))]
    for advice in found:
        out.append(
            f"{card_text(keys[advice.action], True):>3}  {display.say(advice.label)} · {display.say(advice.result)}"
        )
        if advice.reason:
            out.append(f"     {display.say(advice.reason)}")
    return [*out, *premise_sentences(display, found)]
