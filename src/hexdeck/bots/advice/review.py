"""An analysis for readers: in sentences, as a plot and as a table, for the terminal, a file or a page of a site."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from hexdeck.bots.advice.analysis import BETTER, COSTLY, SAME, Decision, difference
from hexdeck.bots.advice.hints import premises
from hexdeck.engine.play.match import Match
from hexdeck.engine.study import Measure
from hexdeck.engine.text import Catalogue, Seat, Text, _, say, say_n

WIDE, HIGH = 720, 200  # of the plot, in its own units: it is stretched to its place
ROOM = 0.12  # of the height of the plot that its labels take
NUMBER = ' class="n"'  # of a column of numbers


# --- in sentences -----------------------------------------------------------------------------------------------------
def summary(match: Match, seat: int, found: Sequence[Decision]) -> list[Text]:
    """Sentences about the whole match."""
    head = say("{game}: the moves of {seat}, judged by what could be known at the time.",
               game=match.game.table.ABOUT.title, seat=Seat(seat))  # fmt: skip
    worse = sum(each.verdict == COSTLY for each in found)
    counted = say_n(
        "{n} decision, {worse} with a clearly better move.", "{n} decisions, {worse} with a clearly better move.",
        len(found), worse=worse,
    )  # fmt: skip
    sentences = [counted if found else say("There was never more than one legal move.")]
    sentences += premises(match.game, match.driver.backend, (each.margin for each in found))
    match.go(match.length)
    if not match.over:
        return [head, *sentences, say("The match isn't finished.")]
    return [
        head,
        *sentences,
        say("The end: {seat} {fate}.", seat=Seat(seat), fate=match.view(seat).outcome_texts[seat]),
    ]


def heading(dearest: Sequence[Decision]) -> Text:
    """The heading of the decisions that cost most."""
    if not dearest:
        return say("No move made a measurable difference.")
    return say("The moves that cost most:")


def proposed(each: Decision) -> Text:
    """The move that would have been better, in a sentence."""
    return say("Better: {move}", move=each.best)


def turned(each: Decision, seat: int, measure: Measure, *, own: bool = False) -> Text:
    """The turning point of a match in a sentence; `own`: for the seat itself."""
    told = {"move": each.played, "better": each.best, "cost": difference(each, measure)}
    if own:
        return say("You chose “{move}”; “{better}” would have brought {cost} more.", **told)
    return say("{seat} chose “{move}”; “{better}” would have brought {cost} more.", seat=Seat(seat), **told)


def cost_text(each: Decision, measure: Measure) -> Text:
    """What a choice cost, or that it is too close to call, in a sentence."""
    cost = difference(each, measure)
    if each.verdict == COSTLY:
        return say("The choice cost {cost}.", cost=cost)
    if each.margin is None:
        return say("Just as good.")
    return say("Too close to call: {cost}.", cost=cost)


# --- the plot ---------------------------------------------------------------------------------------------------------
def drawing(found: Sequence[Decision], measure: Measure, own: Catalogue, result: float | None = None) -> str:
    """An SVG figure: the expected result before each decision as a line, with one at 0; costly choices are triangles.

    `result`: the utility that the match brought, which is the last point; None where it isn't over.
    """
    values = plotted(found, measure, result)
    low, high = limits(values)
    places = [place(k, value, len(values), low, high) for k, value in enumerate(values)]
    line = " ".join(f"{x:.1f},{y:.1f}" for x, y in (places if len(places) > 1 else [*places, (WIDE, places[0][1])]))
    costly = [at for at, each in zip(places, found, strict=False) if each.verdict == COSTLY]
    marks = "".join(mark("dot", at, "M0 7L-7-6H7Z") for at in costly)
    came = "" if result is None else what_came(places[-1], own.words(measure.signed(values[-1])))
    text = _("Expected result ({unit}) before each decision; triangles are choices that cost something.")
    ending = [] if result is None else [say("The square is the final result.")]
    title = escape(" ".join(own.words(each) for each in (say(text, unit=measure.unit), *ending)))
    return (
        f'<figure>\n<div class="plot"><svg role="img" aria-label="{title}">{labels(low, high, measure, own)}'
        f'<svg viewBox="0 0 {WIDE} {HIGH}" width="100%" height="100%" preserveAspectRatio="none">{level(low, high)}'
        f'<polyline points="{line}"/></svg>{marks}{came}</svg></div>\n<figcaption><small>{title}</small></figcaption>\n'
        "</figure>"
    )


def plotted(found: Sequence[Decision], measure: Measure, result: float | None) -> list[float]:
    """The values of the plot: what was expected before each decision, and at the end what came of it."""
    return [measure.number(each) for each in (*(each.worth for each in found), *([] if result is None else [result]))]


def mark(kind: str, at: tuple[float, float], shape: str) -> str:
    """A mark on the line, told from others by its shape, and as large on every screen."""
    x, y = 100 * at[0] / WIDE, 100 * at[1] / HIGH
    return f'<svg x="{x:.2f}%" y="{y:.2f}%"><path class="{kind}" d="{shape}"/></svg>'


def what_came(at: tuple[float, float], value: str) -> str:
    """What came of a match: a square with its value beside it."""
    y = 100 * at[1] / HIGH
    text = f'<text class="came" x="100%" y="{y:.1f}%" dx=".9em" dy=".35em">{escape(value)}</text>'
    return mark("came", at, "M-6-6H6V6H-6Z") + text


def level(low: float, high: float) -> str:
    """A horizontal line at 0, if the plot reaches there."""
    y = place(0, 0.0, 1, low, high)[1]
    return f'<path class="zero" d="M0 {y:.1f}H{WIDE}"/>' if 0 < y < HIGH else ""


def labels(low: float, high: float, measure: Measure, own: Catalogue) -> str:
    """Labels of the axis: the highest and the lowest value at their heights, and 0 where there is room for it."""
    heights = {value: place(0, value, 1, low, high)[1] / HIGH for value in (high, low, 0.0)}
    return "".join(
        f'<text x="-.8em" y="{100 * y:.1f}%" dy=".35em">{escape(own.words(measure.signed(value)))}</text>'
        for value, y in heights.items()
        if value in (low, high) or ROOM < y < 1 - ROOM
    )


def place(k: int, value: float, count: int, low: float, high: float) -> tuple[float, float]:
    """The coordinates of value k of `count`."""
    return WIDE * k / max(1, count - 1), HIGH - HIGH * (value - low) / (high - low)


# --- the table --------------------------------------------------------------------------------------------------------
def listing(found: Sequence[Decision], measure: Measure, own: Catalogue, link: str = "") -> str:
    """All decisions as an HTML table, which phones show as a list: each cell has the name of its column.

    `link`: the address that a ply is appended to; empty for a page without links.
    """
    texts = say("ply"), say("asked"), say("chosen"), say("expected"), say("proposed"), say("expected"), say("verdict")
    heads = [escape(own.words(text)) for text in texts]
    head = "".join(f"<th{NUMBER if k == 0 else ''}>{name}</th>" for k, name in enumerate(heads))
    rows = "\n".join(row(each, heads, measure, own, link) for each in found)
    return f"<table>\n<thead><tr>{head}</tr></thead>\n<tbody>\n{rows}\n</tbody>\n</table>"


def row(each: Decision, heads: Sequence[str], measure: Measure, own: Catalogue, link: str = "") -> str:
    """One decision as a row of the table, a cell for each of the heads."""

    def t(text: Text) -> str:
        return escape(own.words(text))

    reason = f"<br/><small>{t(each.reason)}</small>" if each.reason else ""
    texts = [
        linked(each.ply, link), t(each.prompt), t(each.played), t(measure.result(each.got)), t(each.best) + reason,
        t(measure.result(each.worth)), t(judged(each, measure)),
    ]  # fmt: skip
    cells = "".join(
        f'<td{NUMBER if k == 0 else ""} data-label="{head}">{cell}</td>'
        for k, (head, cell) in enumerate(zip(heads, texts, strict=True))
    )
    return f'<tr class="{each.verdict}">{cells}</tr>'


def linked(ply: int, link: str) -> str:
    """A ply, as a link if there is an address."""
    return f'<a href="{escape(link)}{ply}">{ply}</a>' if link else str(ply)


def judged(each: Decision, measure: Measure) -> Text:
    """The verdict on a decision, in a few words."""
    if each.verdict == SAME:
        return say("the same")
    if each.verdict == BETTER:
        gain = difference(each, measure)
        return say("Better than the suggested move, by {gain}.", gain=gain)
    return cost_text(each, measure)


def limits(values: Sequence[float]) -> tuple[float, float]:
    """The lowest and highest value, a little apart even where all are equal."""
    low, high = min(values), max(values)
    return (low, high) if high - low > 1e-9 else (low - 1, high + 1)
