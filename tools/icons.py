"""Draw the icons of the installed app from the site's mark: `python tools/icons.py`, after a change of mark.svg."""

from __future__ import annotations

import re
import sys
from pathlib import Path

from resvg_py import svg_to_bytes

STATIC = Path(__file__).parents[1] / "src" / "hexdeck" / "web" / "static"
NIGHT = "#0f1428"  # what lies behind an icon that fills its whole square
PLAIN = {"icon-192.png": 192, "icon-512.png": 512}  # on nothing, and their size in pixels
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


def main() -> int:
    """Write them."""
    for name, size in PLAIN.items():
        (STATIC / name).write_bytes(drawn(size, 1.0, ""))
    for name, (size, share) in FILLED.items():
        (STATIC / name).write_bytes(drawn(size, share, NIGHT))
    return 0


if __name__ == "__main__":
    sys.exit(main())
