"""A PDF with our type, in a size of paper, and the sprite's symbols as drawings for it."""

from __future__ import annotations

import functools
import io
from datetime import UTC, datetime
from pathlib import Path
from xml.etree import ElementTree as ET

from fpdf import FPDF
from fpdf.fonts import TTFFont

from hexdeck.web.html.assets import contents

TYPE = Path(__file__).with_name("type")
SIZES = {"a4": (210.0, 297.0), "letter": (215.9, 279.4)}  # in mm
MARGIN, INK, SOFT = 11.0, (0, 0, 0), (110, 110, 110)
LEADING = 1.22  # the height of a line, in letters
MM = 25.4 / 72  # of a point
UNDATED = datetime(2000, 1, 1, tzinfo=UTC)


class Sheets(FPDF):
    """A document of A4 or Letter, in millimetres."""

    def __init__(self, size: str, title: str, lang: str) -> None:
        super().__init__(unit="mm", format=SIZES[size])
        self.set_auto_page_break(False)
        self.set_margin(MARGIN)
        self.set_title(title)
        self.set_lang(lang)
        for family, style, file in (
            ("sans", "", "sans-400"),
            ("sans", "B", "sans-500"),
            ("sans", "I", "sans-400"),
            ("serif", "", "serif-600"),
        ):
            self.add_font(family, style, TYPE / f"{file}.ttf")

    def letters(self, points: float, family: str = "sans", color: tuple[int, int, int] = INK) -> None:
        """Write in that size from now on."""
        self.set_font(family, size=points)
        self.set_text_color(*color)

    def height(self, text: str, width: float) -> float:
        """How high a text is in letters of now, in a column of that width."""
        return float(self.passage(text, width, dry_run=True, output="HEIGHT"))  # type: ignore[arg-type]

    def passage(self, text: str, width: float, align: str = "L", **others: object) -> object:
        """Write a text into a column, from where we are."""
        line = self.font_size_pt * MM * LEADING
        return self.multi_cell(width, line, text, align=align, markdown=True, padding=0, **others)  # type: ignore[arg-type]

    def draw(self, symbol: str, x: float, y: float, width: float) -> None:
        """Draw a symbol of the sprite."""
        self.image(io.BytesIO(drawing(symbol)), x, y, width)

    def bytes(self) -> bytes:
        """The document, the same bytes for the same contents."""
        self.set_creation_date(UNDATED)
        try:
            return bytes(self.output())
        finally:
            self.close()

    def close(self) -> None:
        """Close the files of the type, which are read as letters are needed; nothing can be written after that."""
        for font in self.fonts.values():
            if isinstance(font, TTFFont):
                font.ttfont.close()


# --- symbols of the sprite --------------------------------------------------------------------------------------------
NAMESPACE = "http://www.w3.org/2000/svg"
SYMBOL_INK = "#20222e"


@functools.cache
def drawing(symbol: str) -> bytes:
    """A symbol with all that it uses, as an SVG. Raises KeyError if there is no such symbol."""
    element = elements()[symbol]
    _x, _y, width, height = element.attrib["viewBox"].split()
    root = ET.Element(tagged("svg"), {"viewBox": element.attrib["viewBox"], "width": width, "height": height})
    root.extend(
        spelled(child) for child in element if child.tag != tagged("svg")
    )  # a pattern in a window only costs ink
    return ET.tostring(root).replace(b"currentColor", SYMBOL_INK.encode())


@functools.cache
def elements() -> dict[str, ET.Element]:
    """The parts of the sprite by id."""
    ET.register_namespace("", NAMESPACE)
    root = ET.fromstring(contents("sprite.svg"))  # noqa: S314 - our own file and those of games, whose code runs too
    return {element.attrib["id"]: element for element in root.iter() if "id" in element.attrib}


def spelled(element: ET.Element) -> ET.Element:
    """A copy of an element with what it uses in place of each `<use>`."""
    attributes = {name: value for name, value in element.attrib.items() if name not in ("href", "id")}
    if element.tag != tagged("use"):
        copy = ET.Element(element.tag, attributes)
        copy.extend(map(spelled, element))
        return copy
    group = ET.Element(tagged("g"), attributes)
    group.append(spelled(elements()[element.attrib["href"].removeprefix("#")]))
    return group


def tagged(name: str) -> str:
    """The name of a tag, as the parser gives it."""
    return f"{{{NAMESPACE}}}{name}"
