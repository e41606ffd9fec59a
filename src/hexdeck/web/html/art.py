"""The art that games bring along: symbols for the sprite, and each game's night colour, from their folders."""

from __future__ import annotations

import re
from xml.etree import ElementTree as ET

from hexdeck.engine.discovery.definition import definition, playable

NIGHT = re.compile(r'<svg [^>]*data-night="(#[0-9a-f]{6})"')
POSTER = (  # a card face down and one face up
    '<symbol id="art-{name}" viewBox="0 0 320 180"><rect width="320" height="180" fill="#1b2340"/>'
    '<g stroke="#e9c46a" stroke-width="3"><rect x="90" y="40" width="66" height="100" rx="8" fill="#2c3a66"/>'
    '<rect x="164" y="40" width="66" height="100" rx="8" fill="#f8f3e6"/></g></symbol>'
)


def drawings() -> dict[str, str]:
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
    drawn = drawings()
    lines = [inner(text) for text in drawn.values()]
    lines += [POSTER.format(name=name) for name in playable() if f'id="art-{name}"' not in drawn.get(name, "")]
    return "\n".join(lines)


def inner(text: str) -> str:
    """The elements inside an SVG, on one line."""
    body = re.sub(r"<!--.*?-->", "", text, flags=re.DOTALL)
    return re.sub(r"\s*\n\s*", "", body[body.index(">", body.index("<svg")) + 1 : body.rindex("</svg>")]).strip()


def nights() -> str:
    """The night colour of each game, as a style sheet: `.night-GAME`."""
    found = {name: NIGHT.search(text) for name, text in drawings().items()}
    return "".join(f".night-{name} {{ --night: {night[1]} }}\n" for name, night in found.items() if night)
