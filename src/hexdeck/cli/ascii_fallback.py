"""ASCII in place of characters that a terminal's encoding lacks, so that printing never fails."""

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
    """The codec error handler: a replacement from PLAIN, the letter without its accent, or “?”."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    letters = error.object[error.start : error.end]
    return "".join(PLAIN.get(letter) or without_accent(letter) for letter in letters), error.end


def without_accent(letter: str) -> str:
    """The ASCII letter under a letter's accent, or “?”."""
    base = unicodedata.normalize("NFKD", letter)[0]
    return base if base.isascii() else "?"


def any_letters(*streams: TextIO) -> None:
    """Let these streams replace characters that they can't encode."""
    codecs.register_error(HANDLER, plain)
    for stream in streams:
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors=HANDLER)
