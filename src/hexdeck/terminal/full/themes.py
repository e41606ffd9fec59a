"""The two themes of the full screen, and what the styles of drawn lines become in them."""

from __future__ import annotations

import os
from collections.abc import Mapping

from rich.style import Style as Drawn
from rich.text import Text as Line
from textual.content import Content, Span
from textual.style import Style
from textual.theme import Theme

from hexdeck.terminal.board import LEGAL, SCORING
from hexdeck.terminal.zones import BACK, CARD, RED, RED_CARD

LIT, PICKED, KEY, NEW, OLD, PAPER, RED_PAPER, NAME = "lit", "picked", "key", "new", "old", "paper", "red paper", "name"
STYLES = {
    CARD: "bold $card-ink on $card-paper",
    RED_CARD: "bold $card-red on $card-paper",
    PAPER: "$card-ink on $card-paper",
    RED_PAPER: "bold $card-red on $card-paper",
    RED: "bold $card-red",
    BACK: "$card-back",
    LEGAL: "bold $glow",
    SCORING: "bold $on-glow on $glow",
    "bold yellow": "bold $glow",
    "dim": "$soft",
    "italic": "italic $soft",
    "bold": "bold",
    LIT: "bold $on-accent on $accent",
    PICKED: "bold $on-accent on $accent",
    KEY: "bold $accent",
    NEW: "",
    OLD: "$soft",
    NAME: "bold $accent",
}
DARK, LIGHT = "hexdeck-dark", "hexdeck-light"
COLOURS: Mapping[str, Mapping[str, str]] = {
    DARK: {
        "ground": "#0f1428", "felt": "#182042", "raised": "#212b55", "ink": "#f0ecdf", "soft": "#b9bfdd",
        "line": "#414d80", "accent": "#e9c46a", "on-accent": "#1a1730", "glow": "#f5d98f", "on-glow": "#1a1730",
        "bad": "#ff9d94", "card-paper": "#f3eee0", "card-ink": "#1b2140", "card-red": "#a31826", "card-back": "#8e9bd6",
    },
    LIGHT: {
        "ground": "#dfe2ee", "felt": "#cdd3e6", "raised": "#f3f4fa", "ink": "#1b2140", "soft": "#3f466c",
        "line": "#a9b1cf", "accent": "#5d3390", "on-accent": "#ffffff", "glow": "#6d4900", "on-glow": "#ffffff",
        "bad": "#9c1b28", "card-paper": "#fffdf6", "card-ink": "#1b2140", "card-red": "#b01224", "card-back": "#5560a0",
    },
}  # fmt: skip


def themes() -> list[Theme]:
    """The themes, for the app."""
    return [theme(name, COLOURS[name]) for name in (DARK, LIGHT)]


def theme(name: str, colours: Mapping[str, str]) -> Theme:
    """A theme of these colours."""
    return Theme(
        name, colours["accent"], foreground=colours["ink"], background=colours["ground"], surface=colours["felt"],
        panel=colours["raised"], error=colours["bad"], dark=name == DARK, variables=dict(colours),
    )  # fmt: skip


def usual_theme() -> str:
    """The theme that suits the terminal: light where it says that its background is."""
    background = os.environ.get("COLORFGBG", "").rpartition(";")[2]
    return LIGHT if background in {"7", "15"} else DARK


def content(lines: list[Line]) -> Content:
    """Drawn lines as Textual shows them; what can be pointed at keeps its mark."""
    whole = Line("\n").join(lines)
    return Content(whole.plain, [Span(span.start, span.end, textual_style(span.style)) for span in whole.spans])


def textual_style(style: str | Drawn) -> str | Style:
    """The style of a drawn line in Textual: a name as its colours, a mark as it is."""
    return STYLES[style] if isinstance(style, str) else Style.from_meta(dict(style.meta))
