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

WIDE, HIGH = 720, 200  # of the plot, in its own units: it is stretched to its place
ROOM = 0.12  # of the height of the plot that its labels take
NUMBER = ' class="n"'  # of a column of numbers
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
.plot { position: relative; height: 12rem; margin: 0 .4rem .8rem 3.2rem; font-size: .8rem; color: var(--faint) }
.plot svg { display: block; width: 100%; height: 100%; overflow: visible }
.plot path, .plot polyline { fill: none; stroke-width: 2; stroke-linejoin: round; vector-effect: non-scaling-stroke }
.plot span { position: absolute; right: 100%; margin-right: .8rem; transform: translateY(-50%); white-space: nowrap }
polyline { stroke: var(--line) }
path.zero { stroke: var(--faint); stroke-dasharray: 2 5 }
path.dot { stroke: var(--bad); stroke-width: 9; stroke-linecap: round }
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
        f"<title>{title}</title>\n<style>{STYLE}</style>\n</head>\n<body>\n<main>\n<h1>{title}</h1>\n{told}{body}\n"
        "</main>\n</body>\n</html>\n"
    )


# --- the plot ---------------------------------------------------------------------------------------------------------
def drawing(found: Sequence[Decision], measure: Measure, own: Catalogue) -> str:
    """The expected result before each decision as a line, the level of 0 too; costly choices are dots."""
    from hexdeck.bots.analysis import COSTLY

    values = [measure.number(each.worth) for each in found]
    low, high = limits(values)
    places = [place(k, value, len(values), low, high) for k, value in enumerate(values)]
    line = " ".join(f"{x:.1f},{y:.1f}" for x, y in (places if len(places) > 1 else [*places, (WIDE, places[0][1])]))
    dots = "".join(
        f'<path class="dot" d="M{x:.1f} {y:.1f}h.01"/>'
        for (x, y), each in zip(places, found, strict=True)
        if each.verdict == COSTLY
    )
    text = _("Expected result ({unit}) before each decision; dots are choices that cost something.")
    title = escape(own.words(say(text, unit=measure.unit)))
    return (
        f'<figure>\n<div class="plot">{labels(low, high, measure, own)}<svg viewBox="0 0 {WIDE} {HIGH}" '
        f'preserveAspectRatio="none" role="img" aria-label="{title}">{level(low, high)}<polyline points="{line}"/>'
        f"{dots}</svg></div>\n<figcaption><small>{title}</small></figcaption>\n</figure>"
    )


def level(low: float, high: float) -> str:
    """A line where nothing is won or lost, if the plot reaches there."""
    y = place(0, 0.0, 1, low, high)[1]
    return f'<path class="zero" d="M0 {y:.1f}H{WIDE}"/>' if 0 < y < HIGH else ""


def labels(low: float, high: float, measure: Measure, own: Catalogue) -> str:
    """The highest and the lowest value at their heights, and 0 where there is room for it."""
    heights = {value: place(0, value, 1, low, high)[1] / HIGH for value in (high, low, 0.0)}
    return "".join(
        f'<span style="top: {100 * y:.1f}%">{escape(own.words(measure.signed(value)))}</span>'
        for value, y in heights.items()
        if value in (low, high) or ROOM < y < 1 - ROOM
    )


def place(k: int, value: float, count: int, low: float, high: float) -> tuple[float, float]:
    """Where value k of `count` stands."""
    return WIDE * k / max(1, count - 1), HIGH - HIGH * (value - low) / (high - low)


# --- the table --------------------------------------------------------------------------------------------------------
def listing(found: Sequence[Decision], measure: Measure, own: Catalogue) -> str:
    """All decisions as a table, which phones show as a list: each cell has the name of its column."""
    texts = say("ply"), say("asked"), say("chosen"), say("expected"), say("proposed"), say("expected"), say("verdict")
    heads = [escape(own.words(text)) for text in texts]
    head = "".join(f"<th{NUMBER if k == 0 else ''}>{name}</th>" for k, name in enumerate(heads))
    rows = "\n".join(row(each, heads, measure, own) for each in found)
    return f"<table>\n<thead><tr>{head}</tr></thead>\n<tbody>\n{rows}\n</tbody>\n</table>"


def row(each: Decision, heads: Sequence[str], measure: Measure, own: Catalogue) -> str:
    """One decision, of which each cell is under one of the heads."""

    def t(text: Text) -> str:
        return escape(own.words(text))

    reason = f"<br/><small>{t(each.reason)}</small>" if each.reason else ""
    told = [
        str(each.ply), t(each.prompt), t(each.played), t(measure.result(each.got)), t(each.best) + reason,
        t(measure.result(each.worth)), t(judged(each, measure)),
    ]  # fmt: skip
    cells = "".join(
        f'<td{NUMBER if k == 0 else ""} data-label="{head}">{cell}</td>'
        for k, (head, cell) in enumerate(zip(heads, told, strict=True))
    )
    return f'<tr class="{each.verdict}">{cells}</tr>'


def judged(each: Decision, measure: Measure) -> Text:
    """A decision in a few words."""
    from hexdeck.bots.analysis import BETTER, SAME, difference
    from hexdeck.cli.analyse import said_cost

    if each.verdict == SAME:
        return say("the same")
    if each.verdict == BETTER:
        gain = difference(each, measure)
        return say("Better than what was proposed, by {gain}.", gain=gain)
    return said_cost(each, measure)
