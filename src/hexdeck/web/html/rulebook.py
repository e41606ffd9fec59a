"""The rules of a game as a page: anchors for rule ids, pictures of cards, and what each ruling was measured to do."""

from __future__ import annotations

import functools
import re
from bisect import bisect_right
from collections.abc import Sequence
from typing import Any

from markupsafe import escape

from hexdeck.engine.discovery.rulebook import BACK, EMPTY, Drawn, Picture, picture, rules_with_tables
from hexdeck.web.html.cards import Picture as Art
from hexdeck.web.html.cards import picture as art_of
from hexdeck.web.html.cards import tile

RULE = re.compile(r"\[([A-Z]{2}-\d+(?:(?:, | |–|-|to|and|en)*[A-Z]{2}-\d+)*)\]")

LENGTHS = 7_400, 9_200, 11_000  # characters up to which letters of a size leave a text on two sides of paper
WIDE = re.compile(r"<table>(?=\s*<thead>\s*<tr>(?:\s*<th>[^<]*</th>){5})")  # it scrolls on a phone: keys must reach it


def cited(passage: str, rules: str) -> str:
    """A passage as HTML; its rule ids lead to the rules, which are at that address."""
    return RULE.sub(lambda found: f'<a class="rule" href="{rules}#{found[1]}">{found[1]}</a>', str(escape(passage)))


@functools.cache
def rules_html(name: str, lang: str, sprite: str) -> str:
    """The rules as HTML, with what each ruling was measured to change; each rule id can be linked to."""
    from markdown_it import MarkdownIt

    from hexdeck.lab.reporting.rulings import chapter

    seen: set[str] = set()

    def anchor(found: re.Match[str]) -> str:
        ids = re.findall(r"[A-Z]{2}-\d+", found[1])
        fresh = [id for id in ids if id not in seen]
        seen.update(ids)
        return "".join(f'<a id="{id}"></a>' for id in fresh) + f'<span class="rule">{found[1]}</span>'

    def image(tokens: Sequence[Any], at: int, _options: Any, _env: Any) -> str:
        kind, _colon, codes = str(tokens[at].attrGet("src")).partition(":")
        return drawn(picture(tokens[at].content, kind, codes), sprite)

    markdown = MarkdownIt("commonmark", {"html": False}).enable("table")
    markdown.renderer.rules["image"] = image  # type: ignore[attr-defined]
    rendered: str = markdown.render(rules_with_tables(name, lang))
    measured = chapter(name, lang)
    if measured:
        rendered += f'<section class="measured">{markdown.render(measured)}</section>'
    return RULE.sub(anchor, WIDE.sub('<table tabindex="0">', rendered))


def paper(html: str) -> int:
    """How small the letters of a text must be to fit on two sides of A4: 0, the largest, to 3."""
    return bisect_right(LENGTHS, len(re.sub(r"<[^>]*>", "", html)))


def drawn(shown: Picture, sprite: str) -> str:
    """A picture of the rules, drawn from the sprite, with its caption below; screen readers read it once."""
    rows = "".join(f'<span class="laid">{"".join(card(each, shown.board, sprite) for each in row)}</span>'
                   for row in shown.rows)  # fmt: skip
    kind = "board" if shown.board else "cards"
    alt = escape(shown.alt)
    caption = f'<span class="caption" aria-hidden="true">{alt}</span>'
    return f'<span class="drawn-{kind}" role="img" aria-label="{alt}">{rows}{caption}</span>'


def card(each: Drawn, board: bool, sprite: str) -> str:
    """One card of a picture."""
    look = "shown-card marked" if each.marked else "shown-card"
    if each.code == EMPTY:
        return f'<span class="{look} bare"></span>'
    art = Art("card-back") if each.code == BACK else tile(each.code) if board else art_of(each.code)
    return f'<svg class="{look}" aria-hidden="true"><use href="{sprite}#{art.symbol}"/></svg>'
