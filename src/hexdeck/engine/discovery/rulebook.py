"""The rules of a game, from the text in its folder.

A picture in it is `![what is seen, in words](cards:4s,7h)`, or `board:` where the cards lie on a board. Slashes part
rows; `.` is an empty place, `back` a card face down; a code with `+` behind it is one to look at.

`<!-- table: NAME -->` stands for a table of what is printed on the cards: `sheets()` in `deck.py` of the game's folder.
"""

from __future__ import annotations

import inspect
import re
from dataclasses import dataclass

from hexdeck.engine.discovery.catalogues import game_words
from hexdeck.engine.discovery.definition import definition
from hexdeck.engine.text import Catalogue, Text, card_text

PICTURE = re.compile(r"!\[([^\]]*)\]\((cards|board):([^)\s]+)\)")
TABLE = re.compile(r"<!-- table: ([a-z]+) -->")
EMPTY, BACK = ".", "back"


@dataclass(frozen=True)
class Sheet:
    """A table of the rules page, its first row the heads of the columns."""

    rows: tuple[tuple[Text | str | int, ...], ...]

    def markdown(self, words: Catalogue) -> str:
        """In a language, as Markdown."""
        head, *rows = [[words.words(cell) if isinstance(cell, Text) else str(cell) for cell in row]
                       for row in self.rows]  # fmt: skip
        return "\n".join(f"| {' | '.join(row)} |" for row in (head, ["---"] * len(head), *rows))


@dataclass(frozen=True)
class Drawn:
    """A card of a picture: its code (EMPTY, BACK), and whether it is one to look at."""

    code: str
    marked: bool


@dataclass(frozen=True)
class Picture:
    """Cards in rows, side by side or on a board, and what is seen in words."""

    alt: str
    board: bool
    rows: tuple[tuple[Drawn, ...], ...]

    def text(self, suits: bool) -> str:
        """As lines of text; `suits`: standard cards with the symbols of their suits."""
        names = [[card_name(card, suits) for card in row] for row in self.rows]
        wide = max(len(name) for row in names for name in row) if len(names) > 1 else 0
        return "\n".join("  ".join(name.ljust(wide) for name in row).rstrip() for row in names)


def card_name(card: Drawn, suits: bool) -> str:
    """A card of a picture as text."""
    if card.code in (EMPTY, BACK):
        return {EMPTY: "." if not suits else "·", BACK: "#" if not suits else "▒"}[card.code]
    name = card_text(card.code, suits)
    return f"[{name}]" if card.marked else name


def picture(alt: str, kind: str, codes: str) -> Picture:
    """A picture from what stands in the text: its words, `cards` or `board`, and the codes."""
    rows = tuple(tuple(Drawn(code.removesuffix("+"), code.endswith("+")) for code in row.split(","))
                 for row in codes.split("/"))  # fmt: skip
    return Picture(" ".join(alt.split()), kind == "board", rows)


def pictures(text: str) -> list[Picture]:
    """The pictures of a text, in order."""
    return [picture(*found) for found in PICTURE.findall(text)]


def rules_text(name: str, lang: str) -> str:
    """The rules of a game in a language, else in English, else what the kernel says of itself."""
    game = definition(name)
    page = game.file(f"rules.{lang}.md") or game.file("rules.en.md")
    if page:
        return page.read_text(encoding="utf-8")
    return f"# {game.table.TITLE}\n\n{inspect.cleandoc(game.rules.__doc__ or '')}\n"


def rules_with_tables(name: str, lang: str) -> str:
    """The rules of a game, with what is printed on its cards."""
    text = rules_text(name, lang)
    if not TABLE.search(text):
        return text
    deck, words = definition(name).deck, game_words(name, lang)
    sheets = deck.sheets() if deck else {}
    return TABLE.sub(lambda found: sheets[found[1]].markdown(words), text)


def passages(name: str, lang: str, rule: str) -> list[str]:
    """The paragraphs of the rules that cite a rule id."""
    blocks = re.split(r"\n\s*\n|\n(?=[-*] |\d+\. )", rules_text(name, lang))
    cites = re.compile(rf"\[[^\]]*\b{re.escape(rule)}\b[^\]]*\]")
    found = [re.sub(r"\s+", " ", block) for block in blocks if cites.search(block)]
    return [re.sub(r"^(?:[-*]|\d+\.) +|[*`]", "", block) for block in found]
