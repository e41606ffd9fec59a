"""The rules of a game as a page: anchors for rule ids, and pictures of cards."""

from __future__ import annotations

import functools
import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from typing import Any

from markupsafe import escape

from hexdeck.engine.discovery.finding import game_words
from hexdeck.engine.discovery.rulebook import (
    BACK,
    EMPTY,
    STEP,
    Drawn,
    Picture,
    StepPicture,
    picture,
    rules_with_tables,
    step_picture,
)
from hexdeck.engine.play.replay import cropped, example_views, has_example, pictured
from hexdeck.engine.text import Catalogue
from hexdeck.engine.view import View, Zone
from hexdeck.web.html.cards import CardPicture as Art
from hexdeck.web.html.cards import icon, tile
from hexdeck.web.html.cards import picture as art_of

RULE = re.compile(r"\[([A-Z]{2}-\d+(?:(?:, | |–|-|to|and|en)*[A-Z]{2}-\d+)*)\]")

CITED = re.compile(rf"\s*{RULE.pattern}")
BLOCKS = re.compile(r"(?=<(?:p|li)>)")
HEADED = re.compile(r"(?=<h[23]>)")

LENGTHS = 7_400, 9_200, 11_000  # characters up to which letters of a size leave a text on two sides of paper
WIDE = re.compile(r"<table>(?=\s*<thead>\s*<tr>(?:\s*<th>[^<]*</th>){5})")  # it scrolls on a phone: keys must reach it


def cited(passage: str, rules: str) -> str:
    """A passage as HTML; its rule ids lead to the rules, which are at that address."""
    return RULE.sub(lambda match: f'<a class="rule" href="{rules}#{match[1]}">{match[1]}</a>', str(escape(passage)))


@functools.cache
def rules_html(name: str, lang: str, sprite: str) -> str:
    """The rules as HTML; each rule id can be linked to."""
    from markdown_it import MarkdownIt

    def image(tokens: Sequence[Any], at: int, _options: Any, _env: Any) -> str:
        source, alt = str(tokens[at].attrGet("src")), tokens[at].content
        if match := STEP.fullmatch(f"![]({source})"):
            return step_html(name, lang, sprite, step_picture(alt, match[2], match[3]))
        kind, _colon, codes = source.partition(":")
        return drawn(picture(alt, kind, codes), sprite)

    markdown = MarkdownIt("commonmark", {"html": False}).enable("table")
    markdown.renderer.rules["image"] = image  # type: ignore[attr-defined]
    rendered: str = sections(markdown.render(rules_with_tables(name, lang)))
    return WIDE.sub('<table tabindex="0">', with_anchors(rendered))


def sections(html: str) -> str:
    """The text with each heading and what follows it as a section; small print is below a heading of level 3."""
    head, *parts = HEADED.split(html)
    kinds = ("small" if part.startswith("<h3>") else "part" for part in parts)
    return head + "".join(f'<section class="{kind}">{part}</section>' for kind, part in zip(kinds, parts, strict=True))


def with_anchors(html: str) -> str:
    """The text with the rule ids of each paragraph before it, to stand in the margin; links lead to the first of each.

    A paragraph of the text proper comes before one that only tells more about the same rule.
    """
    anchored: set[str] = set()

    def marked(block: str) -> str:
        ids = list(dict.fromkeys(id for match in CITED.findall(block) for id in re.findall(r"[A-Z]{2}-\d+", match)))
        if not ids:
            return block
        anchors = "".join(f'<a id="{id}"></a>' for id in ids if id not in anchored)
        anchored.update(ids)
        tag, text = re.match(r"(<\w+>)?(.*)", block, re.DOTALL).groups("")  # type: ignore[union-attr]
        return f'{tag}{anchors}<span class="rule">{"<br>".join(ids)}</span>{CITED.sub("", text)}'

    return "".join(map(marked, BLOCKS.split(html)))


def paper(html: str) -> int:
    """How small the letters of a text must be to fit on two sides of A4: 0, the largest, to 3."""
    return bisect_right(LENGTHS, len(re.sub(r"<[^>]*>", "", html)))


def drawn(image: Picture, sprite: str) -> str:
    """A picture of the rules, drawn from the sprite, with its caption below; screen readers read it once."""
    rows = "".join(row_html(row, image.board, sprite) for row in image.rows)
    kind = "board" if image.board else "cards"
    alt = escape(image.alt)
    caption = f'<span class="caption" aria-hidden="true">{alt}</span>'
    return f'<span class="drawn-{kind}" role="img" aria-label="{alt}">{rows}{caption}</span>'


def card(drawing: Drawn, board: bool, sprite: str) -> str:
    """One card of a picture."""
    look = "shown-card marked" if drawing.marked else "shown-card"
    if drawing.code == EMPTY:
        return f'<span class="{look} bare"></span>'
    art = Art("card-back") if drawing.code == BACK else tile(drawing.code) if board else art_of(drawing.code)
    return f'<svg class="{look}" aria-hidden="true"><use href="{sprite}#{art.symbol}"/></svg>'


# --- positions of the worked example ----------------------------------------------------------------------------------
def step_html(name: str, lang: str, sprite: str, step: StepPicture) -> str:
    """A small picture of the example, with its sentence below; it leads to that step of the example."""
    views = example_views(name) if has_example(name) else {}
    if step.ply not in views:
        return ""
    number = list(views).index(step.ply) + 1
    return f'<a class="step" href="{name}/example?step={number}">{position(name, lang, sprite, step)}</a>'


def position(name: str, lang: str, sprite: str, step: StepPicture) -> str:
    """A position of the example, drawn, and the sentence about it."""
    view = example_views(name)[step.ply]
    lines = "".join(position_lines(view, step, game_words(name, lang, view.names), sprite))
    caption = f'<span class="caption">{escape(step.caption)}</span>'
    return f'<span class="position" aria-hidden="true">{lines}</span>{caption}'


def position_lines(view: View, step: StepPicture, catalogue: Catalogue, sprite: str) -> Iterator[str]:
    """The lines of a position: of the middle of the table, each zone its own; then each seat with its zones."""
    zones = pictured(view, step)
    for zone, lit in zones:
        if zone.seat is None:
            title = "" if zone.shape == "board" else catalogue.words(zone.title)
            yield line(title, zone_html(zone, lit, catalogue, sprite))
    for seat in range(view.players):
        own = [zone_html(zone, lit, catalogue, sprite) for zone, lit in zones if zone.seat == seat]
        if own:
            yield line(catalogue.name(seat), "".join(own))


def line(title: str, zones: str) -> str:
    """A line of a position."""
    heading = f'<span class="whose">{escape(title)}</span>' if title else ""
    return f'<span class="line">{heading}<span class="places">{zones}</span></span>'


def zone_html(zone: Zone, lit: bool, catalogue: Catalogue, sprite: str) -> str:
    """A zone in a position: its cards, or what is counted there."""
    look = f"place {zone.shape} lit" if lit else f"place {zone.shape}"
    if zone.shape == "count":
        symbol, title = icon(zone.id), escape(catalogue.words(zone.title))
        sign = f'<svg class="icon"><use href="{sprite}#{symbol}"/></svg>' if symbol else f"{title} "
        return f'<span class="{look}">{sign}{zone.count}</span>'
    if zone.shape == "board":
        rows = ([Drawn(code, False) for code in row] for row in cropped(zone))
        return f'<span class="{look}">' + "".join(row_html(row, True, sprite) for row in rows) + "</span>"
    cards = [Drawn(code, False) for code in (*zone.cards, *[BACK] * min(zone.hidden, 3))]
    return f'<span class="{look}">{row_html(cards, False, sprite)}</span>'


def row_html(cards: Sequence[Drawn], board: bool, sprite: str) -> str:
    """A row of cards."""
    return f'<span class="laid">{"".join(card(drawing, board, sprite) for drawing in cards)}</span>'
