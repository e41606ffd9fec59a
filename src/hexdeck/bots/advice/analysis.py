"""Analysis of a finished match for one seat: at each decision, the expected result and the cost of its choice.

Everything is judged by what the seat knew at the time, never by hindsight. It is told in sentences, as a plot and as a
table, for the terminal, a file or a page of a site.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import escape

from hexdeck.bots.advice.hints import GAMES, ExactAdvisor, adviser, evaluator, premises
from hexdeck.bots.bot import Bot
from hexdeck.bots.search.searcher import PairedEvaluator
from hexdeck.bots.worlds import Worlds
from hexdeck.engine.play.match import Match
from hexdeck.engine.study import ResultUnit
from hexdeck.engine.text import Catalogue, Seat, Text, _, say, say_n

SAME, CLOSE, COSTLY, BETTER = "same", "close", "costly", "better"


@dataclass(frozen=True)
class Decision:
    """One decision with more than one legal move.

    `ply`: events before it; `prompt`: what the seat was asked; `played`, `best`: the move it made and the one that the
    bot proposes, in words; `reason`: a fact about the latter; `same`: whether they are the same move. `best_value`,
    `played_value`: the utility expected after the best move and after the played one; `cost`: their difference;
    `margin`: half its 95 % interval, or None where it is exact.
    """

    ply: int
    prompt: Text
    played: Text
    best: Text
    reason: Text | None
    same: bool
    best_value: float
    played_value: float
    cost: float
    margin: float | None

    @property
    def verdict(self) -> str:
        """Whether the move was the SAME as the bot's, too CLOSE to call, COSTLY, or even BETTER."""
        if self.same:
            return SAME
        if abs(self.cost) <= (self.margin or 0.0):
            return CLOSE
        return COSTLY if self.cost > 0 else BETTER


def decision_plies(match: Match, seat: int) -> list[int]:
    """The plies at which the seat had a choice between legal moves."""
    plies, at = [], match.ply
    for ply, event in enumerate(match.events):
        if event.seat == seat:
            match.go(ply)
            plies += [ply] if len(match.legal_ids(seat)) > 1 else []
    match.go(at)
    return plies


def decisions(
    match: Match, seat: int, plies: Sequence[int], bot: Bot | None = None, games: int | None = None
) -> Iterator[Decision]:
    """The seat's decisions at these plies.

    `bot`: who proposes the best moves, by default the adviser of hints; `games`: how many games are played out for each
    decision, by default `hints.GAMES` of the backend.
    """
    backend = match.driver.backend
    budget = games or GAMES[backend]
    proposing, evaluating = bot or adviser(match.game, 0, backend, budget), evaluator(match.game, backend)
    at = match.ply
    for ply in plies:
        match.go(ply)
        yield decision(match, seat, proposing, evaluating, budget)
    match.go(at)


def decision(match: Match, seat: int, bot: Bot, evaluating: PairedEvaluator | ExactAdvisor, budget: int) -> Decision:
    """The decision that the seat made at the present ply of a match."""
    knowledge, played = match.concealed(seat), match.event(match.ply).id
    best = bot.candidates(knowledge, seat, 0)[0].action
    values = evaluating.evaluate(knowledge, seat, sorted({best, played}), max(2, budget // 2))
    cost, margin = values.difference(best, played)
    labels = {move.id: move.label for move in match.legal(seat)}
    struct = match.driver.proxy(memoryview(bytearray(knowledge)))
    worlds = Worlds(match.game, knowledge, seat) if best != played else None
    reason = match.game.hints.because(struct, seat, best, worlds) if worlds else None
    texts = match.view(seat).prompt, labels[played], labels[best], reason
    worth, worth_played = values.value(best)[0], values.value(played)[0]
    return Decision(match.ply, *texts, best == played, worth, worth_played, cost, margin)


def costliest(decisions: Sequence[Decision], limit: int = 3) -> list[Decision]:
    """At most so many decisions that surely cost something, by their cost; none that is too close to call."""
    costly = [decision for decision in decisions if decision.verdict == COSTLY]
    return sorted(costly, key=lambda decision: -decision.cost)[:limit]


def turning_point(decisions: Sequence[Decision]) -> Decision | None:
    """The decision that cost most; None where no cost is outside its interval."""
    return next(iter(costliest(decisions, 1)), None)


def result_of(match: Match, seat: int) -> float | None:
    """The utility that a match brought a seat, None where it isn't over; the match is left at its last ply."""
    match.go(match.length)
    return float(match.returns()[seat]) if match.over else None


def difference(decision: Decision, measure: ResultUnit) -> Text:
    """By how much the two moves differ, in words."""
    return cost_in_words(decision.cost, decision.margin, measure)


def cost_in_words(cost: float, margin: float | None, measure: ResultUnit) -> Text:
    """A cost and half its 95 % interval, or None where it is exact."""
    if margin is not None:
        return measure.difference(cost, margin)
    return say(measure.gap, number=measure.written(abs(cost) * measure.scale))


WIDE, HIGH = 720, 200  # of the plot, in its own units: it is stretched to its place
ROOM = 0.12  # of the height of the plot that its labels take
NUMBER = ' class="n"'  # of a column of numbers


# --- in sentences -----------------------------------------------------------------------------------------------------
def summary(match: Match, seat: int, decisions: Sequence[Decision]) -> list[Text]:
    """Sentences about the whole match."""
    head = say(
        "{game}: the moves of {seat}, judged by what could be known at the time.",
        game=match.game.table.ABOUT.title,
        seat=Seat(seat),
    )
    worse = sum(decision.verdict == COSTLY for decision in decisions)
    total = say_n(
        "{n} decision, {worse} with a clearly better move.",
        "{n} decisions, {worse} with a clearly better move.",
        len(decisions),
        worse=worse,
    )
    sentences = [total if decisions else say("There was never more than one legal move.")]
    sentences += premises(match.game, match.driver.backend, (decision.margin for decision in decisions))
    match.go(match.length)
    if not match.over:
        return [head, *sentences, say("The match isn't finished.")]
    text = _("The end: {seat} {fate}.")
    return [head, *sentences, say(text, seat=Seat(seat), fate=match.view(seat).outcome_texts[seat])]


def heading(dearest: Sequence[Decision]) -> Text:
    """The heading of the decisions that cost most."""
    if not dearest:
        return say("No move made a measurable difference.")
    return say("The moves that cost most:")


def proposed(decision: Decision) -> Text:
    """The move that would have been better, in a sentence."""
    return say("Better: {move}", move=decision.best)


def turned(decision: Decision, seat: int, measure: ResultUnit, *, own: bool = False) -> Text:
    """The turning point of a match in a sentence; `own`: for the seat itself."""
    parts = {"move": decision.played, "better": decision.best, "cost": difference(decision, measure)}
    if own:
        return say("You chose “{move}”; “{better}” would have brought {cost} more.", **parts)
    return say("{seat} chose “{move}”; “{better}” would have brought {cost} more.", seat=Seat(seat), **parts)


def cost_text(decision: Decision, measure: ResultUnit) -> Text:
    """What a choice cost, or that it is too close to call, in a sentence."""
    cost = difference(decision, measure)
    if decision.verdict == COSTLY:
        return say("The choice cost {cost}.", cost=cost)
    if decision.margin is None:
        return say("Just as good.")
    return say("Too close to call: {cost}.", cost=cost)


# --- the plot ---------------------------------------------------------------------------------------------------------
def drawing(decisions: Sequence[Decision], measure: ResultUnit, own: Catalogue, result: float | None = None) -> str:
    """An SVG figure: the expected result before each decision as a line, with one at 0; costly choices are triangles.

    `result`: the utility that the match brought, which is the last point; None where it isn't over.
    """
    values = plotted(decisions, measure, result)
    low, high = limits(values)
    points = [point(k, value, len(values), low, high) for k, value in enumerate(values)]
    line = " ".join(f"{x:.1f},{y:.1f}" for x, y in (points if len(points) > 1 else [*points, (WIDE, points[0][1])]))
    costly = [at for at, decision in zip(points, decisions, strict=False) if decision.verdict == COSTLY]
    marks = "".join(mark("dot", at, "M0 7L-7-6H7Z") for at in costly)
    came = ""
    if result is not None:  # a square with its value beside it
        y, value = 100 * points[-1][1] / HIGH, escape(own.words(measure.signed(values[-1])))
        came = f'<text class="came" x="100%" y="{y:.1f}%" dx=".9em" dy=".35em">{value}</text>'
        came = mark("came", points[-1], "M-6-6H6V6H-6Z") + came
    text = _("Expected result ({unit}) before each decision; triangles are choices that cost something.")
    ending = [] if result is None else [say("The square is the final result.")]
    title = escape(" ".join(own.words(decision) for decision in (say(text, unit=measure.unit), *ending)))
    return (
        f'<figure>\n<div class="plot"><svg role="img" aria-label="{title}">{labels(low, high, measure, own)}'
        f'<svg viewBox="0 0 {WIDE} {HIGH}" width="100%" height="100%" preserveAspectRatio="none">{level(low, high)}'
        f'<polyline points="{line}"/></svg>{marks}{came}</svg></div>\n<figcaption><small>{title}</small></figcaption>\n'
        "</figure>"
    )


def plotted(decisions: Sequence[Decision], measure: ResultUnit, result: float | None) -> list[float]:
    """The values of the plot: what was expected before each decision, and at the end what came of it."""
    utilities = [decision.best_value for decision in decisions] + ([] if result is None else [result])
    return [measure.number(utility) for utility in utilities]


def mark(kind: str, at: tuple[float, float], shape: str) -> str:
    """A mark on the line, told from others by its shape, and as large on every screen."""
    x, y = 100 * at[0] / WIDE, 100 * at[1] / HIGH
    return f'<svg x="{x:.2f}%" y="{y:.2f}%"><path class="{kind}" d="{shape}"/></svg>'


def level(low: float, high: float) -> str:
    """A horizontal line at 0, if the plot reaches there."""
    y = point(0, 0.0, 1, low, high)[1]
    return f'<path class="zero" d="M0 {y:.1f}H{WIDE}"/>' if 0 < y < HIGH else ""


def labels(low: float, high: float, measure: ResultUnit, own: Catalogue) -> str:
    """Labels of the axis: the highest and the lowest value at their heights, and 0 where there is room for it."""
    heights = {value: point(0, value, 1, low, high)[1] / HIGH for value in (high, low, 0.0)}
    return "".join(
        f'<text x="-.8em" y="{100 * y:.1f}%" dy=".35em">{escape(own.words(measure.signed(value)))}</text>'
        for value, y in heights.items()
        if value in (low, high) or ROOM < y < 1 - ROOM
    )


def point(k: int, value: float, count: int, low: float, high: float) -> tuple[float, float]:
    """The coordinates of value k of `count`."""
    return WIDE * k / max(1, count - 1), HIGH - HIGH * (value - low) / (high - low)


# --- the table --------------------------------------------------------------------------------------------------------
def listing(decisions: Sequence[Decision], measure: ResultUnit, own: Catalogue, link: str = "") -> str:
    """All decisions as an HTML table, which phones show as a list: each cell has the name of its column.

    `link`: the address that a ply is appended to; empty for a page without links.
    """
    texts = say("ply"), say("asked"), say("chosen"), say("expected"), say("proposed"), say("expected"), say("verdict")
    heads = [escape(own.words(text)) for text in texts]
    head = "".join(f"<th{NUMBER if k == 0 else ''}>{name}</th>" for k, name in enumerate(heads))
    rows = "\n".join(row(decision, heads, measure, own, link) for decision in decisions)
    return f"<table>\n<thead><tr>{head}</tr></thead>\n<tbody>\n{rows}\n</tbody>\n</table>"


def row(decision: Decision, heads: Sequence[str], measure: ResultUnit, own: Catalogue, link: str = "") -> str:
    """One decision as a row of the table, a cell for each of the heads."""

    def t(text: Text) -> str:
        return escape(own.words(text))

    reason = f"<br/><small>{t(decision.reason)}</small>" if decision.reason else ""
    texts = [
        f'<a href="{escape(link)}{decision.ply}">{decision.ply}</a>' if link else str(decision.ply),
        t(decision.prompt),
        t(decision.played),
        t(measure.result(decision.played_value)),
        t(decision.best) + reason,
        t(measure.result(decision.best_value)),
        t(judged(decision, measure)),
    ]
    cells = "".join(
        f'<td{NUMBER if k == 0 else ""} data-label="{head}">{cell}</td>'
        for k, (head, cell) in enumerate(zip(heads, texts, strict=True))
    )
    return f'<tr class="{decision.verdict}">{cells}</tr>'


def judged(decision: Decision, measure: ResultUnit) -> Text:
    """The verdict on a decision, in a few words."""
    if decision.verdict == SAME:
        return say("the same")
    if decision.verdict == BETTER:
        gain = difference(decision, measure)
        return say("Better than the suggested move, by {gain}.", gain=gain)
    return cost_text(decision, measure)


def limits(values: Sequence[float]) -> tuple[float, float]:
    """The lowest and highest value, a little apart even where all are equal."""
    low, high = min(values), max(values)
    return (low, high) if high - low > 1e-9 else (low - 1, high + 1)
