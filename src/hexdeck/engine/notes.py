"""What a solver or a study tells people: sentences, and small tables of them, for any screen."""

from __future__ import annotations

from dataclasses import dataclass

from hexdeck.engine.text import Text

Entry = Text | str  # a str needs no translation


@dataclass(frozen=True)
class Sheet:
    """A small table: its title, the heads of its columns, its rows, and what its entries mean."""

    title: Text
    heads: tuple[Entry, ...]
    rows: tuple[tuple[Entry, ...], ...]
    note: Text | None = None


@dataclass(frozen=True)
class Summary:
    """A title, sheets, and sentences to end with."""

    title: Text
    sheets: tuple[Sheet, ...]
    notes: tuple[Text, ...]
