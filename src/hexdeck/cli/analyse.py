"""`hexdeck analyse RECORD`: what a player could expect at each decision, and which moves cost most."""

from __future__ import annotations

import argparse
import sys
import textwrap
from collections.abc import Sequence
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hexdeck.cli.command_line import chosen_seat
from hexdeck.cli.output import CommandResult, bars, chart, head, is_fancy
from hexdeck.engine.errors import BadOption
from hexdeck.engine.text import Catalogue, Seat, Text, _, say

if TYPE_CHECKING:
    from hexdeck.bots.advice.analysis import Decision
    from hexdeck.bots.bot import Bot
    from hexdeck.engine.play.match import Match
    from hexdeck.engine.study import ResultUnit

WIDTH = 80


def run(arguments: argparse.Namespace, catalogue: Catalogue) -> CommandResult:
    """Analyse each decision, with a progress bar."""
    from hexdeck.bots.players.roster import bot
    from hexdeck.bots.players.simulation_bots import check
    from hexdeck.cli.compile import prepare
    from hexdeck.engine.discovery.finding import game_words
    from hexdeck.engine.play.game import default_backend
    from hexdeck.engine.play.record import read
    from hexdeck.simulation.game import load
    from hexdeck.terminal.session import names_of

    record = read(arguments.record)
    match = load(record, backend="interpreted")
    first = next((k for k, chair in enumerate(record.seats) if not chair.get("bot")), 0)
    typed = chosen_seat(arguments.seat, len(record.seats))
    seat = first if typed is None else typed
    if arguments.page is not None and arguments.page.resolve() == Path(arguments.record).resolve():
        raise BadOption(say("{one} and {other} can't be the same file; name two.", one="RECORD", other="--page"))
    if arguments.bot:
        check(match.game, arguments.bot)
    own = game_words(match.game.name, catalogue.lang, names_of(record.seats, catalogue))
    prepare(match.game.name, own)
    proposer = bot(arguments.bot, match.game, 0, default_backend()) if arguments.bot else None
    match = load(record, backend=default_backend())
    match.names = tuple(own.names)
    analyses = analysed(match, seat, proposer, arguments.games, own)
    return CommandResult(
        own,
        lambda: print("\n".join(report(match, arguments.record, seat, analyses, own))),
        lambda: figures(match, seat, analyses, own),
        lambda: page(match, seat, analyses, match.game.measure, own),
    )


def analysed(match: Match, seat: int, proposer: Bot | None, games: int | None, own: Catalogue) -> list[Decision]:
    """All decisions of a seat, with a progress bar at a terminal."""
    from hexdeck.bots.advice.analysis import decision_plies, decisions

    plies, title = decision_plies(match, seat), own.words(match.game.table.ABOUT.title)
    with bars(own) as progress:
        return [*progress.track(decisions(match, seat, plies, proposer, games), len(plies), description=title)]


def figures(match: Match, seat: int, analyses: list[Decision], own: Catalogue) -> dict[str, Any]:
    """The decisions as data, with sentences in words; the seat from 0, as in all data."""
    decisions = []
    for decision in analyses:
        texts = {name: own.words(text) for name, text in vars(decision).items() if isinstance(text, Text)}
        decisions.append(vars(decision) | texts)
    return head("analysis", match.game) | {"seat": seat, "decisions": decisions}


# --- what is printed --------------------------------------------------------------------------------------------------
def report(match: Match, path: str, seat: int, analyses: list[Decision], own: Catalogue) -> list[str]:
    """The analysis in lines of at most 80 characters."""
    from hexdeck.bots.advice.analysis import costliest, heading, result_of, summary

    measure, t = match.game.measure, own.words
    lines = wrapped(summary(match, seat, analyses), own)
    if not analyses:
        return lines
    result = result_of(match, seat)
    title = _("Expected result ({unit}) before each decision, from the first to the last:")
    if result is not None:
        title = _("Expected result ({unit}) before each decision, and at the end what came of it:")
    lines += ["", *wrapped([say(title, unit=measure.unit)], own), *plot(analyses, measure, own, result), ""]
    dearest = costliest(analyses)
    lines += [t(heading(dearest))]
    for decision in dearest:
        lines += moment(decision, seat, measure, own)
    if dearest:
        text = _("hexdeck replay {path} --seat {seat} --ply {ply} shows the table at that moment.")
        lines += ["", *wrapped([say(text, path=path, seat=str(seat + 1), ply=str(dearest[0].ply))], own)]
    return lines


def plot(analyses: list[Decision], measure: ResultUnit, own: Catalogue, result: float | None) -> list[str]:
    """The expected result over the match and what came of it, with the highest and lowest value on the left."""
    from hexdeck.bots.advice.analysis import limits, plotted

    values = plotted(analyses, measure, result)
    low, high = limits(values)
    labels = [own.words(measure.signed(value)) for value in (high, low)]
    wide = max(map(len, labels))
    rows = chart(values, low, high, WIDTH - wide - 4, fancy=is_fancy(sys.stdout.encoding))
    row_labels = [labels[0], *[""] * (len(rows) - 2), labels[1]]
    edge = "│" if is_fancy(sys.stdout.encoding) else "|"
    return [f"  {label:>{wide}} {edge}{row}" for label, row in zip(row_labels, rows, strict=True)]


def moment(decision: Decision, seat: int, measure: ResultUnit, own: Catalogue) -> list[str]:
    """One decision: what was asked, what was chosen, what would have been better, and why."""
    from hexdeck.bots.advice.analysis import cost_text, proposed

    t, head = own.words, f"{decision.ply:>5}  "
    chose = say("{seat} chose: {move}", seat=Seat(seat), move=decision.played)
    lines = [decision.prompt, chose, proposed(decision), cost_text(decision, measure)]
    lines += [decision.reason] if decision.reason else []
    texts = [f"{head if k == 0 else ' ' * len(head)}{t(line)}" for k, line in enumerate(lines)]
    return [part for text in texts for part in textwrap.wrap(text, WIDTH, subsequent_indent=" " * len(head))]


def wrapped(texts: list[Text], own: Catalogue) -> list[str]:
    """Sentences, each on as many lines as it takes."""
    return [line for text in texts for line in textwrap.wrap(own.words(text), WIDTH)]


# --- the page ---------------------------------------------------------------------------------------------------------
def page(match: Match, seat: int, analyses: Sequence[Decision], measure: ResultUnit, catalogue: Catalogue) -> str:
    """The decisions of a seat as one self-contained web page, with results in units of `measure`."""
    from hexdeck.bots.advice.analysis import drawing, listing, result_of, summary
    from hexdeck.lab.reporting.page import style

    def t(text: Text) -> str:
        return escape(catalogue.words(text))

    css = style("report", "analysis")
    title = t(say("{game}: the match of {seat}", game=match.game.table.ABOUT.title, seat=Seat(seat)))
    paragraphs = "".join(f"<p>{t(text)}</p>\n" for text in summary(match, seat, analyses))
    drawn = drawing(analyses, measure, catalogue, result_of(match, seat)) if analyses else ""
    body = f"{drawn}\n{listing(analyses, measure, catalogue)}" if analyses else ""
    return (
        f'<!DOCTYPE html>\n<html lang="{catalogue.lang}">\n<head>\n<meta charset="utf-8"/>\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1"/>\n'
        f"<title>{title}</title>\n<style>{css}</style>\n</head>\n<body>\n<main>\n<h1>{title}</h1>\n{paragraphs}{body}\n"
        "</main>\n</body>\n</html>\n"
    )
