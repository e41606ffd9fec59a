"""The analysis of a match as one self-contained web page: no scripts, nothing loaded, light or dark."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import TYPE_CHECKING

from hexdeck.bots.advice.analysis import drawing, listing, result_of, summary
from hexdeck.engine.text import Catalogue, Seat, Text, say

if TYPE_CHECKING:
    from hexdeck.bots.advice.analysis import Decision
    from hexdeck.engine.play.match import Match
    from hexdeck.engine.study import Measure

STYLE = """
:root { color-scheme: light dark; --ink: #1d1d1f; --paper: #fdfcf8; --faint: #6b6b70; --line: #2457a6; --bad: #a8321f;
  --rule: #d8d5cc }
@media (prefers-color-scheme: dark) {
  :root { --ink: #ececec; --paper: #18181b; --faint: #a0a0a8; --line: #82b1ff; --bad: #ff8a75; --rule: #3a3a40 }
}
body { font: 1rem/1.5 system-ui, sans-serif; color: var(--ink); background: var(--paper); max-width: 60rem;
  margin: 2rem auto; padding: 0 1rem; overflow-wrap: break-word }
p, td { text-wrap: pretty }
h1 { font-size: clamp(1.4rem, 5vw, 2rem); line-height: 1.2 }
figure { margin: 2rem 0 }
.plot { position: relative; height: 12rem; margin: 0 3.2rem .8rem 3.2rem; font-size: .8rem; color: var(--faint) }
.plot svg { display: block; overflow: visible }
.plot > svg { width: 100%; height: 100% }
.plot text { fill: var(--faint); text-anchor: end }
.plot path, .plot polyline { fill: none; stroke-width: 2; stroke-linejoin: round; vector-effect: non-scaling-stroke }
polyline { stroke: var(--line) }
path.zero { stroke: var(--faint); stroke-dasharray: 2 5 }
.plot .dot { fill: var(--bad); stroke: var(--paper) }
.plot .came { fill: var(--paper); stroke: var(--ink); stroke-width: 3 }
.plot text.came { fill: var(--ink); stroke: none; text-anchor: start; font-weight: 600 }
table { border-collapse: collapse; width: 100% }
th, td { text-align: left; vertical-align: top; padding: .4rem .6rem; border-bottom: 1px solid var(--rule) }
th { color: var(--faint); font-weight: 600 }
.n { text-align: right; white-space: nowrap }
tr.costly td:last-child { color: var(--bad); font-weight: 600 }
small { color: var(--faint) }
@media (max-width: 48rem) {
  thead { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%) }
  table, tbody, tr, td { display: block }
  tr { padding: .6rem 0; border-bottom: 1px solid var(--rule) }
  td, td.n { padding: .1rem 0 .1rem 7rem; border: 0; text-align: left; white-space: normal }
  td::before { content: attr(data-label); float: left; margin-left: -7rem; color: var(--faint);
    font-weight: 400 }
}
"""


def page(match: Match, seat: int, found: Sequence[Decision], measure: Measure, catalogue: Catalogue) -> str:
    """The page of one seat's decisions, in a catalogue's language; `measure` is the unit of results."""

    def t(text: Text) -> str:
        return escape(catalogue.words(text))

    title = t(say("{game}: the match of {seat}", game=match.game.table.ABOUT.title, seat=Seat(seat)))
    paragraphs = "".join(f"<p>{t(text)}</p>\n" for text in summary(match, seat, found))
    drawn = drawing(found, measure, catalogue, result_of(match, seat)) if found else ""
    body = f"{drawn}\n{listing(found, measure, catalogue)}" if found else ""
    return (
        f'<!DOCTYPE html>\n<html lang="{catalogue.lang}">\n<head>\n<meta charset="utf-8"/>\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1"/>\n'
        f"<title>{title}</title>\n<style>{STYLE}</style>\n</head>\n<body>\n<main>\n<h1>{title}</h1>\n{paragraphs}{body}\n"
        "</main>\n</body>\n</html>\n"
    )
