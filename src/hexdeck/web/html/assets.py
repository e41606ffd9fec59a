"""Static files, which browsers may keep for good since their addresses change with their contents."""

from __future__ import annotations

import functools
import hashlib
import re
from pathlib import Path

from hexdeck.web.html import art

FOLDER = Path(__file__).parents[1] / "static"
KINDS = {
    ".css": "text/css",
    ".js": "text/javascript",
    ".svg": "image/svg+xml",
    ".png": "image/png",
    ".woff2": "font/woff2",
    ".txt": "text/plain",
}
TYPE = re.compile(rb"[a-z0-9-]+\.woff2")
JOINED = {  # style sheets that are asked for together: one answer is there sooner than five
    "felt.css": ("table.css", "nights.css", "moments.css"),
    "sheets.css": ("coach.css", "ending.css"),
}


def names() -> list[str]:
    """The names of all files that pages ask for."""
    return sorted({file.name for file in FOLDER.iterdir()} | {"nights.css", *JOINED})


@functools.cache
def contents(name: str) -> bytes:
    """A file with what games add to it: their symbols in the sprite, their night colours in a style sheet.

    A style sheet names type by its file, which stands beside it under its own address.
    """
    if name in JOINED:
        return b"\n".join(contents(each) for each in JOINED[name])
    if name == "nights.css":
        return art.nights().encode()
    text = (FOLDER / name).read_bytes()
    if name.endswith(".css"):
        return TYPE.sub(lambda found: address(found[0].decode()).removeprefix("static/").encode(), text)
    if name != "sprite.svg":
        return text
    drawn, end, rest = text.rpartition(b"</svg>")
    return drawn + art.symbols_of_games().encode() + b"\n" + end + rest


@functools.cache
def address(name: str) -> str:
    """The address of a file, relative to where the site begins: `static/style.0123456789ab.css`."""
    stem, dot, suffix = name.rpartition(".")
    return f"static/{stem}.{hashlib.sha256(contents(name)).hexdigest()[:12]}{dot}{suffix}"


def find(name: str) -> tuple[bytes, str] | None:
    """The file of a hashed name (`style.0123456789ab.css`) and its media type; None where there is no such file."""
    found = re.fullmatch(r"([a-z0-9-]+)\.[0-9a-f]{12}(\.[a-z0-9]+)", name)
    if found is None or found[2] not in KINDS:
        return None
    file = found[1] + found[2]
    there = file in names() and address(file) == f"static/{name}"
    return (contents(file), KINDS[found[2]]) if there else None
