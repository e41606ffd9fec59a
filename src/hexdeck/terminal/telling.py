"""Tells at the terminal, beat by beat, what happened: as lines, each of which stays for a while."""

from __future__ import annotations

import time

from hexdeck.engine.beat import length
from hexdeck.engine.play.story import beats
from hexdeck.terminal.display import Display

USUAL_PAUSE = 0.7  # seconds that bots wait: then beats take as long as they say


def pace_of(pause: float) -> float:
    """How long beats take where bots wait so long, compared with what they say."""
    return pause / USUAL_PAUSE


def tell(display: Display, viewer: int, since: int, pause: float) -> None:
    """Print what a seat (-1: the public) was told since a ply, each sentence at its beat; for `pause` at least."""
    told = display.match.facts(viewer, since)
    steps, pace, rest = beats(display.match, viewer, since) if pause else (), pace_of(pause), list(told)
    for beat in steps:
        if beat.line in rest:
            upto = rest.index(beat.line) + 1
            display.print_log(rest[:upto])
            rest = rest[upto:]
        elif beat.line is not None and beat.line not in told:
            display.print_log([beat.line])
        time.sleep(beat.hold / 1000 * pace)
    display.print_log(rest)
    if told:
        time.sleep(max(0.0, pause - length(steps) / 1000 * pace))
