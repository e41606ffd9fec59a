"""Static files, which browsers may keep for good since their addresses change with their contents.

Games bring art along from their folders: symbols for the sprite, and a night colour each.
"""

from __future__ import annotations

import functools
import hashlib
import re
from pathlib import Path
from xml.etree import ElementTree as ET

from hexdeck.engine.discovery.definition import definition, playable

FOLDER = Path(__file__).parents[1] / "static"
KINDS = {
    ".css": "text/css",
    ".js": "text/javascript",
    ".svg": "image/svg+xml",
    ".png": "image/png",
    ".woff2": "font/woff2",
    ".txt": "text/plain",
}
NAMED = {".css": re.compile(rb"[a-z0-9-]+\.woff2"), ".js": re.compile(rb"(?<=\"\./)[a-z]+\.js(?=\")")}
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

    A style sheet names type, and a script others, by their files, which stand beside it under their own addresses.
    """
    if name in JOINED:
        return b"\n".join(contents(part) for part in JOINED[name])
    if name == "nights.css":
        return nights().encode()
    text = (FOLDER / name).read_bytes()
    if others := NAMED.get(Path(name).suffix):
        return others.sub(lambda match: address(match[0].decode()).removeprefix("static/").encode(), text)
    if name != "sprite.svg":
        return text
    drawn, end, tail = text.rpartition(b"</svg>")
    return drawn + symbols_of_games().encode() + b"\n" + end + tail


@functools.cache
def address(name: str) -> str:
    """The address of a file, relative to where the site begins: `static/style.0123456789ab.css`."""
    stem, dot, suffix = name.rpartition(".")
    return f"static/{stem}.{hashlib.sha256(contents(name)).hexdigest()[:12]}{dot}{suffix}"


@functools.cache
def build() -> str:
    """What tells a page whether it and the server are of one build: a digest of all files and templates."""
    templates = b"".join(file.read_bytes() for file in sorted((FOLDER.parent / "templates").iterdir()))
    return hashlib.sha256("".join(map(address, names())).encode() + templates).hexdigest()[:12]


def find(name: str) -> tuple[bytes, str] | None:
    """The file of a hashed name (`style.0123456789ab.css`) and its media type; None where there is no such file."""
    match = re.fullmatch(r"([a-z0-9-]+)\.[0-9a-f]{12}(\.[a-z0-9]+)", name)
    if match is None or match[2] not in KINDS:
        return None
    file = match[1] + match[2]
    current = file in names() and address(file) == f"static/{name}"
    return (contents(file), KINDS[match[2]]) if current else None


# --- art that games bring along ---------------------------------------------------------------------------------------
NIGHT = re.compile(r'<svg [^>]*data-night="(#[0-9a-f]{6})"')
POSTER = (  # a card face down and one face up
    '<symbol id="art-{name}" viewBox="0 0 320 180"><rect width="320" height="180" fill="#1b2340"/>'
    '<g stroke="#e9c46a" stroke-width="3"><rect x="90" y="40" width="66" height="100" rx="8" fill="#2c3a66"/>'
    '<rect x="164" y="40" width="66" height="100" rx="8" fill="#f8f3e6"/></g></symbol>'
)


def art_files() -> dict[str, str]:
    """The games' `art.svg` files by name, those that can be read as SVG."""
    files = {name: definition(name).file("art.svg") for name in playable()}
    texts = {name: file.read_text(encoding="utf-8", errors="replace") for name, file in files.items() if file}
    return {name: text for name, text in texts.items() if is_drawing(text)}


def is_drawing(text: str) -> bool:
    """Whether a text is an SVG whose symbols fit into the sprite."""
    try:
        root = ET.fromstring(text)  # noqa: S314 - a game's code runs too: its drawing is trusted as much
    except ET.ParseError:
        return False
    return root.tag.endswith("svg")


def symbols_of_games() -> str:
    """The symbols of all games, a line each; a game without a poster gets a plain one."""
    drawn = art_files()
    lines = [inner(text) for text in drawn.values()]
    lines += [POSTER.format(name=name) for name in playable() if f'id="art-{name}"' not in drawn.get(name, "")]
    return "\n".join(lines)


def inner(text: str) -> str:
    """The elements inside an SVG, on one line."""
    body = re.sub(r"<!--.*?-->", "", text, flags=re.DOTALL)
    return re.sub(r"\s*\n\s*", "", body[body.index(">", body.index("<svg")) + 1 : body.rindex("</svg>")]).strip()


def nights() -> str:
    """The night colour of each game, as a style sheet: `.night-GAME`."""
    nights_of = {name: NIGHT.search(text) for name, text in art_files().items()}
    return "".join(f".night-{name} {{ --night: {night[1]} }}\n" for name, night in nights_of.items() if night)


def sprite_of(prefix: str) -> str:
    """The address of the sprite, which holds all pictures, on a site that begins at a prefix."""
    return f"{prefix}/{address('sprite.svg')}"
