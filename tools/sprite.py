"""Draw the pictures of the browser table: one sprite of our own, the same bytes from the same sources.

Without arguments: write `sprite.svg`, `mark.svg` and `mark-turn.svg` into `src/hexdeck/web/static`. With `--check`:
change nothing, exit 1 when they differ. The decks that several games share are drawn here; a game brings its own symbols along in `art.svg` of its
folder (their ids say what they are: `card-CODE`, `tile-CODE` square for boards, `icon-ZONE`, `art-GAME` its poster),
which the server adds.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from math import cos, pi, sin
from pathlib import Path

from faces import FACES, SIGNS, face

ROOT = Path(__file__).resolve().parent.parent / "src" / "hexdeck"
STATIC = ROOT / "web" / "static"
PAPER, INK, EDGE, NIGHT, GOLD = "#f8f3e6", "#20222e", "#c9bfa6", "#1b2340", "#e9c46a"
SUITS = {"c": "#1c7a3e", "s": "#20222e", "h": "#c8202f", "d": "#1f5fc4"}
RANK_INKS = (
    "#8a6d1a",
    "#5b4bb3",
    "#1f7a43",
    "#b0441c",
    "#b3282d",
    "#a0640c",
    "#b02e78",
    "#33415c",
    "#14708a",
    "#f3e9c9",
)

# Numerals and letters as strokes in a box of 60 by 100.
GLYPHS = {
    "0": "M30 8C46 8 52 28 52 50S46 92 30 92 8 72 8 50 14 8 30 8Z",
    "1": "M12 28L34 8V92",
    "2": "M9 31C9 16 19 8 31 8 43 8 51 16 51 29 51 50 9 66 9 92H52",
    "3": "M10 21C14 12 21 8 30 8 42 8 50 16 50 27 50 40 40 47 26 47 42 47 53 55 53 69 53 84 43 92 30 92 19 92 11 86 8 77",
    "4": "M41 92V8L7 66H54",
    "5": "M49 8H16L12 47C17 42 23 39 31 39 44 39 53 50 53 65 53 81 43 92 30 92 20 92 12 87 8 78",
    "6": "M46 14C41 9 36 8 31 8 15 8 8 28 8 58 8 80 16 92 31 92 44 92 53 81 53 66 53 51 44 41 31 41 19 41 10 49 8 60",
    "7": "M7 8H52L24 92",
    "8": "M30 46C18 46 11 38 11 27S19 8 30 8 49 16 49 27 42 46 30 46ZM30 46C16 46 8 56 8 69S17 92 30 92 52 82 52 69 44 46 30 46Z",
    "A": "M6 92L30 8L54 92M15 64H45",
    "J": "M44 8V66C44 84 36 92 25 92 14 92 8 84 8 74",
    "Q": "M30 8C46 8 52 28 52 50S46 92 30 92 8 72 8 50 14 8 30 8ZM34 70L54 95",
    "K": "M11 8V92M52 8L13 56M27 41L54 92",
    "x": "M8 40L52 92M52 40L8 92",
}
# Suits in a box of 100 by 100.
PIPS = {
    "c": "M50 6A21 21 0 0 1 66 41 21 21 0 1 1 56 66C57 78 60 88 67 94H33C40 88 43 78 44 66A21 21 0 1 1 34 41 21 21 0 0 1 50 6Z",
    "s": "M50 4C58 24 92 40 92 62 92 76 82 84 72 84 65 84 60 81 56 76 57 84 60 90 66 96H34C40 90 43 84 44 76 40 81 35 84 28 84 18 84 8 76 8 62 8 40 42 24 50 4Z",
    "h": "M50 95C36 76 6 58 6 32 6 16 18 7 30 7 39 7 46 12 50 20 54 12 61 7 70 7 82 7 94 16 94 32 94 58 64 76 50 95Z",
    "d": "M50 3C60 22 72 36 88 50 72 64 60 78 50 97 40 78 28 64 12 50 28 36 40 22 50 3Z",
}


def number(value: float) -> str:
    """A coordinate, as short as can be."""
    return f"{round(value, 1) + 0.0:.1f}".removesuffix(".0")


def points(pairs: list[tuple[float, float]]) -> str:
    """A closed path through points."""
    return "M" + "L".join(f"{number(x)} {number(y)}" for x, y in pairs) + "Z"


def around(count: int, radius: float, turn: float = 0.0, x: float = 0.0, y: float = 0.0) -> list[tuple[float, float]]:
    """Points on a circle, the first above the middle; `turn` in parts of a step."""
    angles = [2 * pi * (k + turn) / count - pi / 2 for k in range(count)]
    return [(x + radius * cos(a), y + radius * sin(a)) for a in angles]


def star(count: int, outer: float, inner: float) -> str:
    """A star with so many points."""
    pairs = zip(around(count, outer), around(count, inner, 0.5), strict=True)
    return points([point for pair in pairs for point in pair])


def dots(places: Sequence[tuple[float, float]], radius: float) -> str:
    """Small discs."""
    return "".join(f'<circle cx="{number(x)}" cy="{number(y)}" r="{number(radius)}"/>' for x, y in places)


def symbol(id: str, body: str, box: str = "0 0 100 140") -> str:
    """A symbol of the sprite."""
    return f'<symbol id="{id}" viewBox="{box}">{body}</symbol>'


def use(id: str, x: float, y: float, scale: float, more: str = "") -> str:
    """A drawn part, put somewhere."""
    return f'<use href="#{id}" transform="translate({number(x)} {number(y)}) scale({scale:g})"{more}/>'


def paper(fill: str = PAPER, edge: str = EDGE) -> str:
    """A card without anything on it."""
    return f'<rect x="1.5" y="1.5" width="97" height="137" rx="11" fill="{fill}" stroke="{edge}" stroke-width="3"/>'


def index(rank: str, x: float, y: float, scale: float, ink: str) -> str:
    """A number or letter in the corner."""
    drawn = (
        use("n1", x - 5 * scale, y, scale) + use("n0", x + 42 * scale, y, scale)
        if rank == "10"
        else use(f"n{rank}", x, y, scale)
    )
    return f'<g stroke="{ink}">{drawn}</g>'


# --- the standard deck ------------------------------------------------------------------------------------------------
CROWNS = {
    "K": "M-30 18L-34 -16 -16 0 0 -26 16 0 34 -16 30 18Z",
    "Q": "M-28 18C-34 6 -34 -6 -30 -14L-14 2 0 -18 14 2 30 -14C34 -6 34 6 28 18Z",
    "J": "M-32 18C-34 -8 -16 -22 4 -20 12 -32 26 -34 34 -28 28 -24 24 -18 24 -10 30 -2 32 8 32 18Z",
}
PEARLS = {"K": [(0, -31), (-36, -21), (36, -21)], "Q": [(-31, -20), (0, -25), (31, -20)], "J": []}


def court(rank: str, suit: str) -> str:
    """A head-dress over the suit: a crown with peaks, one with pearls, a cap with a feather."""
    ink = SUITS[suit]
    band = f'<path d="M-30 24H30" stroke="{ink}" stroke-width="6" stroke-linecap="round"/>'
    crown = f'<path d="{CROWNS[rank]}" fill="{GOLD}" stroke="{ink}" stroke-width="4" stroke-linejoin="round"/>'
    pearls = f'<g fill="{ink}">{dots(PEARLS[rank], 5.5)}</g>'
    return f'<g transform="translate(66 64) scale(.72)">{crown}{pearls}{band}</g>' + use(
        f"p-{suit}", 43, 85, 0.46, f' fill="{ink}"'
    )


def standard_card(rank: str, suit: str) -> str:
    """A card of the standard deck: its index at the left, where a fan shows it."""
    ink = SUITS[suit]
    corner = index(rank, 9, 10, 0.44, ink) + use(f"p-{suit}", 7, 59, 0.31, f' fill="{ink}"')
    if rank in CROWNS:
        return paper() + corner + court(rank, suit)
    size = 0.66 if rank == "A" else 0.5
    return paper() + corner + use(f"p-{suit}", 66 - 50 * size, 92 - 50 * size, size, f' fill="{ink}"')


def standard_tile(rank: str, suit: str) -> str:
    """The same as a square, for boards."""
    ink = SUITS[suit]
    ground = f'<rect x="1" y="1" width="98" height="98" rx="10" fill="{PAPER}" stroke="{EDGE}" stroke-width="2"/>'
    scale = 0.5 if rank == "10" else 0.56
    return ground + index(rank, 8, 9, scale, ink) + use(f"p-{suit}", 44, 46, 0.48, f' fill="{ink}"')


def joker() -> str:
    """A jester's cap with three bells."""
    cap = '<path d="M22 96C18 70 22 52 36 44 34 62 40 68 50 58 50 44 56 34 66 30 64 48 70 60 84 60 90 72 84 84 78 96Z"'
    bells = dots([(35, 40), (68, 26), (89, 60)], 6.5)
    return (
        paper()
        + use("star", 22, 28, 0.5, f' fill="{INK}"')
        + f'{cap} fill="#7a3fa0" stroke="{INK}" stroke-width="4" stroke-linejoin="round"/>'
        + f'<g fill="{GOLD}" stroke="{INK}" stroke-width="3">{bells}</g>'
        + f'<path d="M22 103H78" stroke="{GOLD}" stroke-width="10"/><path d="M30 116H70" stroke="{INK}" stroke-width="5"/>'
    )


def standard_deck() -> list[str]:
    """All 52, twice, and the jokers."""
    ranks = ("A", *map(str, range(2, 11)), "J", "Q", "K")
    cards = [(f"{rank}{suit}", rank, suit) for suit in SUITS for rank in ranks]
    return [
        *(symbol(f"card-{code}", standard_card(rank, suit)) for code, rank, suit in cards),
        *(symbol(f"tile-{code}", standard_tile(rank, suit), "0 0 100 100") for code, rank, suit in cards),
        symbol("card-Joker", joker()),
    ]


# --- the Pairs deck ---------------------------------------------------------------------------------------------------
def moon() -> str:
    """One: a full moon with its seas."""
    return f'<circle r="31"/><g fill="{PAPER}" opacity=".55">{dots([(-10, -9), (12, 3), (-5, 15)], 6)}{dots([(9, -16)], 3.5)}</g>'


def crescents() -> str:
    """Two: crescents that look at each other."""
    one = "M-4 -31A31 31 0 1 0 -4 31 36 36 0 0 1 -4 -31Z"
    return f'<g transform="scale(.98)"><path d="{one}"/><path d="{one}" transform="scale(-1 1)"/></g>'


def triangle() -> str:
    """Three: a triangle with a hole."""
    outer, inner = points(around(3, 38, 0, 0, 6)), points(around(3, 13, 0, 0, 6))
    return f'<path d="{outer}{inner}" fill-rule="evenodd"/>'


def honeycomb() -> str:
    """Six: cells around a hole."""
    return "".join(f'<path d="{points(around(6, 11.4, 0.5, x, y))}"/>' for x, y in around(6, 21.5))


def flower() -> str:
    """Seven: petals."""
    petal = "M0 -8C-11 -16 -9 -30 0 -34 9 -30 11 -16 0 -8Z"
    turned = "".join(f'<path d="{petal}" transform="rotate({number(360 * k / 7)})"/>' for k in range(7))
    return turned + '<circle r="5.5"/>'


def web() -> str:
    """Eight: a spider's web."""
    spokes = "".join(f"M0 0L{number(x)} {number(y)}" for x, y in around(8, 34))
    rings = "".join(points(around(8, radius)) for radius in (13, 24))
    return f'<path d="{spokes}{rings}" fill="none" stroke="{RANK_INKS[7]}" stroke-width="4.4" stroke-linecap="round" stroke-linejoin="round"/>'


def diamonds() -> str:
    """Nine: three rows of three."""
    places = [(x, y) for y in (-22, 0, 22) for x in (-22, 0, 22)]
    return "".join(f'<path d="{points(around(4, 10.5, 0, x, y))}"/>' for x, y in places)


def tetractys() -> str:
    """Ten: stones in a triangle."""
    return dots([(17 * (k - row / 2), 15.5 * row - 24) for row in range(4) for k in range(row + 1)], 7.4)


def emblems() -> list[str]:
    """What is drawn on each rank, around the middle."""
    return [
        moon(),
        crescents(),
        triangle(),
        f'<path d="{star(4, 35, 12)}"/>',
        f'<path d="{star(5, 35, 14)}"/>',
        honeycomb(),
        flower(),
        web(),
        diamonds(),
        tetractys(),
    ]


def pairs_deck() -> list[str]:
    """Ranks 1 to 10: each its own shape, colour and number; the 10 is the black one."""
    out = []
    for rank, (ink, emblem) in enumerate(zip(RANK_INKS, emblems(), strict=True), 1):
        ground = paper("#262a38", "#6b6f80") if rank == 10 else paper()
        line = "#8d8770" if rank == 10 else EDGE
        frame = f'<path d="M9 128V70M91 12V128M9 128H91M50 12H91" stroke="{line}" stroke-width="1.6" fill="none"/>'
        drawn = f'<g transform="translate(54 92)" fill="{ink}">{emblem}</g>'
        out.append(symbol(f"card-{rank}", ground + frame + index(str(rank), 10, 10, 0.46, ink) + drawn))
    return out


# --- backs and small things -------------------------------------------------------------------------------------------
def back() -> str:
    """The back of every card: a moon in a net of hexagons."""
    net = [(x, y) for row in range(7) for y in (8 + 20.8 * row,) for x in range(-4 + 12 * (row % 2), 112, 24)]
    cells = "".join(points(around(6, 12, 0, x, y)) for x, y in net)
    return (
        paper(NIGHT, "#d9cfb4")
        + f'<svg x="7" y="7" width="86" height="126" viewBox="7 7 86 126"><path d="{cells}" fill="none" stroke="#4a5a92" stroke-width="2"/></svg>'
        + '<rect x="7" y="7" width="86" height="126" rx="7" fill="none" stroke="#7f8dbf" stroke-width="2"/>'
        + f'<path d="{points(around(6, 29, 0, 50, 70))}" fill="{NIGHT}" stroke="{GOLD}" stroke-width="4"/>'
        + f'<path d="M57 54A17 17 0 1 0 63 82 20 20 0 0 1 57 54Z" fill="{GOLD}"/>'
    )


LINE = 'fill="none" stroke="currentColor" stroke-width="2" stroke-linecap="round" stroke-linejoin="round"'
FULL = 'fill="currentColor"'
ICONS = {
    "person": f'<circle cx="12" cy="8" r="4" {FULL}/><path d="M4 21C4 15 8 13.5 12 13.5S20 15 20 21Z" {FULL}/>',
    "bot": f'<path d="M5 9H19V19H5ZM12 9V5M9 13V14.5M15 13V14.5M2.5 12V16M21.5 12V16" {LINE}/><circle cx="12" cy="4" r="1.6" {FULL}/>',
    "open": f'<path d="M12 5V19M5 12H19" {LINE}/>',
    "check": '<path d="M4 13L10 19L20 6" fill="none" stroke="currentColor" stroke-width="3" stroke-linecap="round" stroke-linejoin="round"/>',
    "sound": f'<path d="M4 9.5V14.5H8L13 19V5L8 9.5Z" {FULL}/><path d="M16.5 9Q18.5 12 16.5 15M19 6.5Q23 12 19 17.5" {LINE}/>',
    "mute": f'<path d="M4 9.5V14.5H8L13 19V5L8 9.5Z" {FULL}/><path d="M17 9.5L22 14.5M22 9.5L17 14.5" {LINE}/>',
    "bell": f'<path d="M6 16.5V11A6 6 0 0 1 18 11V16.5L20 18.5H4Z" {FULL}/><path d="M10 21H14M12 3.5V5" {LINE}/>',
    "bell-off": f'<path d="M6 16.5V11A6 6 0 0 1 18 11V16.5L20 18.5H4ZM10 21H14M12 3.5V5M4 4L20 20" {LINE}/>',
    "star": f'<path d="M12 2.5L14.8 8.9L21.7 9.5L16.5 14.1L18.1 20.9L12 17.3L5.9 20.9L7.5 14.1L2.3 9.5L9.2 8.9Z" {FULL}/>',
    "talk": f'<path d="M3 5H21V16H11L6 20.5V16H3Z" {LINE}/><path d="M7 9H17M7 12.5H14" {LINE}/>',
    "away": f'<path d="M3.5 11H11L3.5 20.5H11.5M13.5 3.5H20.5L13.5 11.5H21" {LINE}/>',
    "eye": f'<path d="M2 12C5 7 8 5.5 12 5.5S19 7 22 12C19 17 16 18.5 12 18.5S5 17 2 12Z" {LINE}/><circle cx="12" cy="12" r="3" {FULL}/>',
    "hint": f'<path d="M9 18H15M10 21.5H14M9 15.5C9 13 6 12 6 8.5A6 6 0 0 1 18 8.5C18 12 15 13 15 15.5Z" {LINE}/>',
    "clock": f'<circle cx="12" cy="12" r="9" {LINE}/><path d="M12 6.5V12L15.5 14.5" {LINE}/>',
    "book": f'<path d="M12 6C9 4 6 4 3 5V19C6 18 9 18 12 20 15 18 18 18 21 19V5C18 4 15 4 12 6ZM12 6V20" {LINE}/>',
    "tables": f'<rect x="3" y="4" width="7.5" height="7.5" rx="1.5" {LINE}/><rect x="13.5" y="4" width="7.5" height="7.5" rx="1.5" {LINE}/><rect x="3" y="14" width="7.5" height="6.5" rx="1.5" {LINE}/><rect x="13.5" y="14" width="7.5" height="6.5" rx="1.5" {LINE}/>',
    "link": f'<path d="M10 14A4 4 0 0 0 16 14.5L19.5 11A4 4 0 0 0 13.8 5.3L12 7M14 10A4 4 0 0 0 8 9.5L4.5 13A4 4 0 0 0 10.2 18.7L12 17" {LINE}/>',
    "gear": f'<circle cx="12" cy="12" r="3.2" {LINE}/><path d="M12 2.5V6M12 18V21.5M2.5 12H6M18 12H21.5M5.3 5.3L7.8 7.8M16.2 16.2L18.7 18.7M5.3 18.7L7.8 16.2M16.2 7.8L18.7 5.3" {LINE}/>',
    "first": f'<path d="M19 5L9 12L19 19ZM5 5V19" {LINE}/>',
    "before": f'<path d="M16 5L7 12L16 19" {LINE}/>',
    "after": f'<path d="M8 5L17 12L8 19" {LINE}/>',
    "last": f'<path d="M5 5L15 12L5 19ZM19 5V19" {LINE}/>',
    "hand": f'<rect x="4" y="5" width="10" height="15" rx="2" transform="rotate(-12 9 12)" {LINE}/><rect x="10" y="5" width="10" height="15" rx="2" transform="rotate(10 15 12)" fill="currentColor"/>',
    "chips": f'<circle cx="12" cy="12" r="9" {LINE}/><circle cx="12" cy="12" r="4" {LINE}/><path d="M12 3V8M12 16V21M3 12H8M16 12H21" {LINE}/>',
    "stake": f'<path d="M12 3V13M8 9.5L12 13.5L16 9.5M4 15C4 18 8 20.5 12 20.5S20 18 20 15" {LINE}/>',
    "pot": f'<ellipse cx="12" cy="7" rx="8" ry="3.2" {LINE}/><path d="M4 7V12C4 13.8 7.6 15.2 12 15.2S20 13.8 20 12V7M4 12V17C4 18.8 7.6 20.2 12 20.2S20 18.8 20 17V12" {LINE}/>',
    "white": '<ellipse cx="12" cy="12.5" rx="9.5" ry="7.5" fill="#f6f2e6" stroke="#77725f" stroke-width="1.5"/><path d="M6.5 11C7.5 8.5 9.5 7.6 12 7.6" fill="none" stroke="#fff" stroke-width="2" stroke-linecap="round"/>',
    "black": '<ellipse cx="12" cy="12.5" rx="9.5" ry="7.5" fill="#14161f" stroke="#8d8fa0" stroke-width="1.5"/><path d="M6.5 11C7.5 8.5 9.5 7.6 12 7.6" fill="none" stroke="#9aa0b8" stroke-width="2" stroke-linecap="round"/>',
    "gift": f'<path d="M4 10H20V21H4ZM3 7H21V10H3ZM12 7V21M12 7C8 7 6.5 5.5 7 4 7.6 2.4 11 3 12 7ZM12 7C16 7 17.5 5.5 17 4 16.4 2.4 13 3 12 7Z" {LINE}/>',
    "jokers": f'<path d="M4 18C3 12 4 8 8 6 7.5 10 9 11.5 12 9 12 6.5 13.5 4 16 3 15.5 7 17 10 20.5 10 21.5 13 20 16 19 18Z" {FULL}/><path d="M5 21H18" {LINE}/>',
}


def icons() -> list[str]:
    """Small pictures in the colour of the words around them; stones keep their own."""
    drawn = [symbol(f"icon-{name}", body, "0 0 24 24") for name, body in ICONS.items()]
    named = {"clubs": "c", "spades": "s", "hearts": "h", "diamonds": "d"}
    return drawn + [
        symbol(f"icon-{name}", f'<path d="{PIPS[suit]}" fill="currentColor"/>', "0 0 100 100")
        for name, suit in named.items()
    ]


def faces() -> list[str]:
    """The faces of bots, and the signs of big moments."""
    drawn = [symbol(f"face-{name}", face(name), "0 0 100 100") for name in FACES]
    return drawn + [symbol(f"sign-{name}", body, "0 0 100 100") for name, body in SIGNS.items()]


def mark() -> str:
    """The sign of the house: a crescent in a hexagon."""
    return (
        f'<path d="{points(around(6, 15, 0, 16, 16))}" fill="{NIGHT}" stroke="{GOLD}" stroke-width="2" stroke-linejoin="round"/>'
        f'<path d="M19 7.5A9 9 0 1 0 24 21 10.5 10.5 0 0 1 19 7.5Z" fill="{GOLD}"/>'
    )


# --- all of it --------------------------------------------------------------------------------------------------------
def parts() -> str:
    """What symbols are put together from."""
    drawn = 'fill="none" stroke-width="15" stroke-linecap="round" stroke-linejoin="round"'
    glyphs = "".join(f'<path id="n{name}" d="{path}" {drawn}/>' for name, path in GLYPHS.items())
    pips = "".join(f'<path id="p-{suit}" d="{path}"/>' for suit, path in PIPS.items())
    nine = '<use id="n9" href="#n6" transform="rotate(180 30 50)"/>'
    return f'<defs>{glyphs}{nine}{pips}<path id="star" d="{star(5, 26, 10)}"/></defs>'


def sprite() -> str:
    """The whole sprite."""
    blank = symbol("card-blank", paper())
    lines = [
        parts(),
        symbol("mark", mark(), "0 0 32 32"),
        blank,
        symbol("card-back", back()),
        *standard_deck(),
        *pairs_deck(),
        *icons(),
        *faces(),
    ]
    return '<svg xmlns="http://www.w3.org/2000/svg">\n' + "\n".join(lines) + "\n</svg>\n"


def main(arguments: list[str] | None = None) -> int:
    """Write the files, or check them."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true", help="change nothing, exit 1 when something would change")
    options = parser.parse_args(arguments)
    mark_file = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32">{mark()}</svg>\n'
    stale = 0
    turn_file = mark_file.replace(
        "</svg>", '<circle cx="23.5" cy="23.5" r="7" fill="#c2410c" stroke="#fff" stroke-width="2"/></svg>'
    )
    made = (("sprite.svg", sprite()), ("mark.svg", mark_file), ("mark-turn.svg", turn_file))
    for file, text in ((STATIC / name, text) for name, text in made):
        if not file.is_file() or file.read_text(encoding="utf-8") != text:
            stale = 1
            print(f"{file.name} is out of date" if options.check else f"wrote {file.name}")
            if not options.check:
                file.write_text(text, encoding="utf-8")
    return stale if options.check else 0


if __name__ == "__main__":
    sys.exit(main())
