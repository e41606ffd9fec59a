"""Sentences for people: wrapped at words on a terminal, whole in a pipe, where programs look for them."""

from __future__ import annotations

import shutil
import sys
import textwrap
from collections.abc import Callable
from typing import TextIO

from hexdeck.engine.text import Catalogue, Text


def tell(text: str, stream: TextIO | None = None) -> None:
    """Print a sentence at once, on standard output unless told otherwise."""
    to = stream or sys.stdout
    width = shutil.get_terminal_size().columns - 1 if to.isatty() else 0
    lines = textwrap.wrap(text, width, break_long_words=False, break_on_hyphens=False) if width > 0 else [text]
    print("\n".join(lines or [text]), file=to, flush=True)


def worded(catalogue: Catalogue) -> Callable[[Text | str], str]:
    """What turns messages into words, and leaves as it is what already is words, such as a whole number."""

    def words(text: Text | str) -> str:
        return text if isinstance(text, str) else catalogue.words(text)

    return words
