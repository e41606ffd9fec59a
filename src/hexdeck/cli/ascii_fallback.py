"""Letters that a terminal doesn't know give way to plain ones, so that nothing is ever too fancy to be printed."""

import codecs
import io
import unicodedata
from typing import TextIO

PLAIN = {
    "–": "-", "—": "-", "\N{MINUS SIGN}": "-", "─": "-", "·": "-", "•": "*", "×": "x", "…": "...", "▸": ">", "’": "'",
    "‘": "'", "±": "+-", "µ": "u",
}  # fmt: skip
HANDLER = "hexdeck.plain"


def plain(error: UnicodeError) -> tuple[str, int]:
    """What stands for the letters that can't be written: a plain one, the letter without its accent, or "?"."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    letters = error.object[error.start : error.end]
    return "".join(PLAIN.get(letter) or without_accent(letter) for letter in letters), error.end


def without_accent(letter: str) -> str:
    """The ASCII letter that this one is made from, or "?"."""
    base = unicodedata.normalize("NFKD", letter)[0]
    return base if base.isascii() else "?"


def any_letters(*streams: TextIO) -> None:
    """From now on these streams take any letter."""
    codecs.register_error(HANDLER, plain)
    for stream in streams:
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors=HANDLER)
