"""An analysis as one web page that needs nothing else: no scripts, no addresses, light or dark as the reader likes."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import TYPE_CHECKING

from hexdeck.cli.plot import limits
from hexdeck.engine.text import Catalogue, Seat, Text, _, say

if TYPE_CHECKING:
    from hexdeck.bots.analysis import Decision
    from hexdeck.engine.match import Match
    from hexdeck.engine.measure import Measure

WIDE, HIGH, EDGE = 720, 200, 24  # of the plot, in its own units
STYLE = """
:root { color-scheme: light dark; --ink: #1d1d1f; --paper: #fdfcf8; --faint: #6b6b70; --line: #2457a6; --bad: #a8321f }
@media (prefers-color-scheme: dark) {
  :root { --ink: #ececec; --paper: #18181b; --faint: #a0a0a8; --line: #82b1ff; --bad: #ff8a75 }
}
body { font: 1rem/1.5 system-ui, sans-serif; color: var(--ink); background: var(--paper); max-width: 60rem;
  margin: 2rem auto; padding: 0 1rem }
svg { width: 100%; height: auto }
svg text { font-size: 12px; fill: var(--faint) }
.wide { overflow-x: auto }
table { border-collapse: collapse; width: 100% }
th, td { text-align: left; vertical-align: top; padding: .3rem .6rem; border-bottom: 1px solid var(--faint) }
td.n { text-align: right; white-space: nowrap }
tr.costly td { color: var(--bad) }
small { color: var(--faint) }
"""


def page(match: Match, seat: int, found: Sequence[Decision], measure: Measure, own: Catalogue) -> str:
    """The whole page."""
    from hexdeck.cli.analyse import summary

    def t(text: Text) -> str:
        return escape(own.words(text))

    title = t(say("{game}: the match of {seat}", game=match.game.table.TITLE, seat=Seat(seat)))
    told = "".join(f"<p>{t(text)}</p>\n" for text in summary(match, seat, list(found)))
    body = f"{drawing(found, measure, own)}\n{listing(found, measure, own)}" if found else ""
    return (
        f'<!DOCTYPE html>\n<html lang="{own.lang}">\n<head>\n<meta charset="utf-8"/>\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1"/>\n'
        f"<title>{title}</title>\n<style>{STYLE}</style>\n</head>\n<body>\n<h1>{title}</h1>\n{told}{body}\n</body>\n"
        "</html>\n"
    )


# --- the plot ---------------------------------------------------------------------------------------------------------
def drawing(found: Sequence[Decision], measure: Measure, own: Catalogue) -> str:
    """The expected result before each decision as a line; costly choices are dots."""
    from hexdeck.bots.analysis import COSTLY

    values = [measure.number(each.worth) for each in found]
    low, high = limits(values)
    places = [place(k, value, len(values), low, high) for k, value in enumerate(values)]
    line = " ".join(f"{x:.1f},{y:.1f}" for x, y in places)
    dots = "".join(
        f'<circle cx="{x:.1f}" cy="{y:.1f}" r="4" fill="var(--bad)"/>'
        for (x, y), each in zip(places, found, strict=True)
        if each.verdict == COSTLY
    )
    text = _("Expected result ({unit}) before each decision; dots are choices that cost something.")
    title = escape(own.words(say(text, unit=measure.unit)))
    edges = "".join(
        f'<text x="0" y="{y + 4:.1f}">{escape(own.words(measure.signed(value)))}</text>'
        for value, y in ((high, EDGE), (low, HIGH - EDGE))
    )
    return (
        f'<figure>\n<svg viewBox="0 0 {WIDE} {HIGH}" role="img" aria-label="{title}">{edges}'
        f'<polyline points="{line}" fill="none" stroke="var(--line)" stroke-width="2"/>{dots}</svg>\n'
        f"<figcaption><small>{title}</small></figcaption>\n</figure>"
    )


def place(k: int, value: float, count: int, low: float, high: float) -> tuple[float, float]:
    """Where value k of `count` stands."""
    x = 2 * EDGE + (WIDE - 3 * EDGE) * k / max(1, count - 1)
    return x, HIGH - EDGE - (HIGH - 2 * EDGE) * (value - low) / (high - low)


# --- the table --------------------------------------------------------------------------------------------------------
def listing(found: Sequence[Decision], measure: Measure, own: Catalogue) -> str:
    """All decisions as a table."""
    heads = say("ply"), say("asked"), say("chosen"), say("expected"), say("proposed"), say("expected"), say("verdict")
    head = "".join(f"<th>{escape(own.words(text))}</th>" for text in heads)
    rows = "\n".join(row(each, measure, own) for each in found)
    return f'<div class="wide">\n<table>\n<thead><tr>{head}</tr></thead>\n<tbody>\n{rows}\n</tbody>\n</table>\n</div>'


def row(each: Decision, measure: Measure, own: Catalogue) -> str:
    """One decision."""

    def t(text: Text) -> str:
        return escape(own.words(text))

    reason = f"<br/><small>{t(each.reason)}</small>" if each.reason else ""
    cells = [
        f'<td class="n">{each.ply}</td>', f"<td>{t(each.prompt)}</td>", f"<td>{t(each.played)}</td>",
        f"<td>{t(measure.result(each.got))}</td>", f"<td>{t(each.best)}{reason}</td>",
        f"<td>{t(measure.result(each.worth))}</td>", f"<td>{t(judged(each, measure))}</td>",
    ]  # fmt: skip
    return f'<tr class="{each.verdict}">{"".join(cells)}</tr>'


def judged(each: Decision, measure: Measure) -> Text:
    """A decision in a few words."""
    from hexdeck.bots.analysis import BETTER, SAME
    from hexdeck.cli.analyse import said_cost

    if each.verdict == SAME:
        return say("the same")
    if each.verdict == BETTER:
        gain = measure.difference(each.cost, each.margin)
        return say("Better than what was proposed, by {gain}.", gain=gain)
    return said_cost(each, measure)
