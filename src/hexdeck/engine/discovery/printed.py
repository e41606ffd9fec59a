"""What a game looks like on paper: its cards, how many of each, and what is written down while people play."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from hexdeck.engine.cards import PAIRS, STANDARD
from hexdeck.engine.text import Text


@dataclass(frozen=True)
class PrintedCard:
    """A card to be printed: its symbol in the sprite, how many there are, and words below the picture, if any."""

    symbol: str
    copies: int = 1
    words: Text | None = None


@dataclass(frozen=True)
class ScoreSheet:
    """What players write down: a line for each deal or the like (`each`, numbered), `lines` of them.

    `parts`: what such a line consists of, if it is more than one number.
    """

    each: Text
    lines: int
    parts: tuple[Text, ...] = ()


@dataclass(frozen=True)
class Printed:
    """A game on paper: its cards, its score sheet, rows and columns of its board, tables for its rules page by name."""

    cards: tuple[PrintedCard, ...] = ()
    scores: ScoreSheet | None = None
    board: tuple[int, int] | None = None
    tables: Mapping[str, Any] = field(default_factory=dict)


def pairs_deck() -> tuple[PrintedCard, ...]:
    """The Pairs deck: one 1, two 2s, and so on up to ten 10s."""
    return tuple(PrintedCard(f"card-{rank}", copies) for rank, copies in enumerate(PAIRS, 1))


def standard_deck(*others: PrintedCard, suits: Iterable[str] = "cshd") -> tuple[PrintedCard, ...]:
    """A standard deck of 52 cards, suit by suit, and the others of a game."""
    return (*(PrintedCard(f"card-{code}") for suit in suits for code in STANDARD if code[-1] == suit), *others)
