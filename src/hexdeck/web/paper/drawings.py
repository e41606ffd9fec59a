"""Symbols of the sprite as drawings of their own, for a PDF."""

from __future__ import annotations

import functools
from xml.etree import ElementTree as ET

from hexdeck.web.html.assets import contents

NAMESPACE = "http://www.w3.org/2000/svg"
INK = "#20222e"


@functools.cache
def drawing(symbol: str) -> bytes:
    """A symbol with all that it uses, as an SVG. Raises KeyError if there is no such symbol."""
    found = elements()[symbol]
    _left, _top, width, height = found.attrib["viewBox"].split()
    root = ET.Element(tagged("svg"), {"viewBox": found.attrib["viewBox"], "width": width, "height": height})
    root.extend(spelled(each) for each in found if each.tag != tagged("svg"))  # a pattern in a window only costs ink
    return ET.tostring(root).replace(b"currentColor", INK.encode())


@functools.cache
def elements() -> dict[str, ET.Element]:
    """The parts of the sprite by id."""
    ET.register_namespace("", NAMESPACE)
    root = ET.fromstring(contents("sprite.svg"))  # noqa: S314 - our own file and those of games, whose code runs too
    return {each.attrib["id"]: each for each in root.iter() if "id" in each.attrib}


def spelled(element: ET.Element) -> ET.Element:
    """A copy of an element with what it uses in place of each `<use>`."""
    kept = {name: value for name, value in element.attrib.items() if name not in ("href", "id")}
    if element.tag != tagged("use"):
        copy = ET.Element(element.tag, kept)
        copy.extend(map(spelled, element))
        return copy
    group = ET.Element(tagged("g"), kept)
    group.append(spelled(elements()[element.attrib["href"].removeprefix("#")]))
    return group


def tagged(name: str) -> str:
    """The name of a tag, as the parser gives it."""
    return f"{{{NAMESPACE}}}{name}"
