"""Probes that a game brings: a way of playing in one line, and what a designer would call it.

A game lists them in `hints.STYLES`; `hexdeck.engine.play.probe_lines` says how lines are written.
"""

from __future__ import annotations

from dataclasses import dataclass

from hexdeck.engine.text import Text


@dataclass(frozen=True)
class ReadyProbe:
    """A probe by name: `doing` says what one does, as the subject of a sentence; `line` is what is forced, and when."""

    name: str
    doing: Text
    line: str
