"""Draw the icons of the installed app from the site's mark, and the picture of a link from the games' posters.

`python tools/icons.py`, after a change of mark.svg or of a poster.
"""

from __future__ import annotations

import io
import re
import sys
from pathlib import Path

from PIL import Image
from resvg_py import svg_to_bytes

from hexdeck.engine.discovery.finding import game_names
from hexdeck.web.html import rendering

STATIC = Path(__file__).parents[1] / "src" / "hexdeck" / "web" / "static"
NIGHT = "#0f1428"  # what lies behind an icon that fills its whole square
PLAIN = {"icon-192.png": 192, "icon-512.png": 512}  # on nothing, and their size in pixels
PREVIEW, COLOURS = (1200, 630), 48  # the size in pixels that sites ask for, and how many colours do
FILLED = {"icon-mask.png": (512, 0.58), "icon-touch.png": (180, 0.72)}  # and how much of it the mark takes


def drawn(size: int, share: float, ground: str) -> bytes:
    """The mark in the middle of a square, as PNG."""
    mark = re.sub(r"^<svg[^>]*>|</svg>\s*$", "", (STATIC / "mark.svg").read_text(encoding="utf-8"))
    side = 32 / share
    edge = (side - 32) / 2
    rest = f'<rect x="{-edge}" y="{-edge}" width="{side}" height="{side}" fill="{ground}"/>' if ground else ""
    box = f"{-edge} {-edge} {side} {side}"
    svg = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{box}" width="{size}" height="{size}">{rest}{mark}</svg>'
    return bytes(svg_to_bytes(svg_string=svg, width=size, height=size))


def preview() -> bytes:
    """The picture that others show beside a link: six posters, and the mark in the middle; as PNG of few colours."""
    wide, high = PREVIEW
    cell = wide // 3, high // 2
    posters = "".join(
        f'<svg x="{k % 3 * cell[0]}" y="{k // 3 * cell[1]}" width="{cell[0]}" height="{cell[1]}" viewBox="0 0 320 180" '
        f'preserveAspectRatio="xMidYMid slice">{poster(name)}</svg>'
        for k, name in enumerate(list(game_names())[:6])
    )
    mark = re.sub(r"^<svg[^>]*>|</svg>\s*$", "", (STATIC / "mark.svg").read_text(encoding="utf-8"))
    middle = f'<circle cx="{wide / 2}" cy="{high / 2}" r="128" fill="{NIGHT}"/>'
    middle += f'<svg x="{wide / 2 - 92}" y="{high / 2 - 92}" width="184" height="184" viewBox="0 0 32 32">{mark}</svg>'
    svg = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {wide} {high}">{posters}{middle}</svg>'
    drawn_full = Image.open(io.BytesIO(bytes(svg_to_bytes(svg_string=svg, width=wide, height=high))))
    out = io.BytesIO()
    drawn_full.convert("RGB").quantize(COLOURS, dither=Image.Dither.NONE).save(out, "PNG", optimize=True)
    return out.getvalue()


def poster(name: str) -> str:
    """The poster of a game: what is inside its symbol."""
    found = re.search(rf'<symbol id="art-{name}"[^>]*>(.*?)</symbol>', rendering.symbols_of_games(), re.DOTALL)
    assert found, name
    return found[1]


def main() -> int:
    """Write them."""
    for name, size in PLAIN.items():
        (STATIC / name).write_bytes(drawn(size, 1.0, ""))
    for name, (size, share) in FILLED.items():
        (STATIC / name).write_bytes(drawn(size, share, NIGHT))
    (STATIC / "preview.png").write_bytes(preview())
    return 0


if __name__ == "__main__":
    sys.exit(main())
