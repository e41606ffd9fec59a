"""The rules of a game on two sides of paper: the text of its rules page in two columns, as large as it fits."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from typing import Any

from hexdeck.engine.discovery.rulebook import STEP, picture, rules_with_tables, step_picture
from hexdeck.web.html.rulebook import CITED
from hexdeck.web.paper.blocks import Block, Heading, Passage, Table, flow
from hexdeck.web.paper.pictures import Shown, moments
from hexdeck.web.paper.sheets import Sheets

LARGEST, SMALLEST, STEP_DOWN = 10.4, 6.0, 0.2  # sizes of letters, in points
SIDES = 2


def add_rules(sheets: Sheets, name: str, lang: str) -> float:
    """The rules on two pages; the size of the letters, in points."""
    blocks = list(blocks_of(name, lang))
    sheets.add_page()
    steps = range(round((LARGEST - SMALLEST) / STEP_DOWN))
    down = bisect_left(steps, True, key=lambda k: flow(sheets, blocks, LARGEST - k * STEP_DOWN, dry=True) <= SIDES)
    size = LARGEST - down * STEP_DOWN
    flow(sheets, blocks, size)
    return size


def blocks_of(name: str, lang: str) -> Iterator[Block]:
    """The parts of the text, in order. What it says of typing and of rule ids is left out: paper has neither."""
    from markdown_it import MarkdownIt

    tokens = MarkdownIt("commonmark", {"html": False}).enable("table").parse(rules_with_tables(name, lang))
    small, at = False, 0
    while at < len(tokens) - 3:  # the last paragraph explains the ids
        token = tokens[at]
        if token.type == "heading_open":
            small = token.tag == "h3"
            yield Heading(plain(tokens[at + 1].children or ()), int(token.tag[1]))
        elif token.type == "table_open":
            yield Table(rows(tokens[at:]), small)
        elif token.type == "paragraph_open":
            yield from paragraph(name, lang, tokens, at, small)
        at += 1


def paragraph(name: str, lang: str, tokens: Sequence[Any], at: int, small: bool) -> Iterator[Block]:
    """A paragraph, an item of a list, or pictures."""
    children, item = tokens[at + 1].children, tokens[at - 1]
    images = [each for each in children if each.type == "image"]
    steps = [found for each in images if (found := STEP.fullmatch(f"![]({each.attrGet('src')})"))]
    if steps:
        pairs = zip(images, steps, strict=True)
        yield from moments(name, lang, [step_picture(image.content, step[2], step[3]) for image, step in pairs])
    elif images:
        for image in images:
            kind, _colon, codes = str(image.attrGet("src")).partition(":")
            yield Shown(picture(image.content, kind, codes), small)
    elif item.type == "list_item_open":
        yield Passage(plain(children), small, f"{item.info}." if item.info else "•")
    else:
        yield Passage(plain(children), small)


def plain(children: Sequence[Any]) -> str:
    """The text of a paragraph, bold and slanted as the PDF's library writes it, without rule ids."""
    signs = {"strong_open": "**", "strong_close": "**", "em_open": "__", "em_close": "__", "softbreak": " "}
    return CITED.sub("", "".join(signs.get(each.type, each.content) for each in children)).strip()


def rows(tokens: Sequence[Any]) -> list[list[str]]:
    """The cells of the table that begins the tokens."""
    out: list[list[str]] = []
    for k, token in enumerate(tokens):
        if token.type == "table_close":
            break
        if token.type == "tr_open":
            out.append([])
        elif token.type in ("th_open", "td_open"):
            out[-1].append(re.sub(r"[*`]", "", tokens[k + 1].content))
    return out
