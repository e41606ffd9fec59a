"""Results of a solver or a study, for any screen: sentences and small tables."""

from __future__ import annotations

from dataclasses import dataclass

from hexdeck.engine.text import Text

Entry = Text | str  # a str is shown as it is, untranslated


@dataclass(frozen=True)
class Sheet:
    """A small table: its title, column heads and rows, and a note that explains its entries."""

    title: Text
    heads: tuple[Entry, ...]
    rows: tuple[tuple[Entry, ...], ...]
    note: Text | None = None


@dataclass(frozen=True)
class Summary:
    """A title, tables, and closing sentences."""

    title: Text
    sheets: tuple[Sheet, ...]
    notes: tuple[Text, ...]
