"""Manners that a game gives its bots: which actions one likes or avoids, and in what words that is told.

A game lists them in `hints.STYLES`; `hexdeck.engine.play.probe_lines` says how lines are written.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Manner:
    """A manner: its name (see `MANNER_TITLES`), and the actions of `line`, which it likes, or avoids where negative.

    `logit` is added to a net's logit of such an action, for bots that mix. `utility` is how much a bot that compares
    values gives up at most, by its own estimate, to choose such an action, or another one. `phrase` says how it is
    known, with {often}: how much more or less often than the bot without a manner it chooses these actions.
    """

    name: str
    phrase: str
    line: str
    logit: float
    utility: float
