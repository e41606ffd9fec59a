"""`hexdeck analyse RECORD`: what a player could expect at each decision, and which moves cost most."""

from __future__ import annotations

import argparse
import sys
import textwrap
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hexdeck.bots.players.names import kept
from hexdeck.cli.figures import alone, check_figures, give, head
from hexdeck.cli.lines import tell
from hexdeck.cli.output import bars as progress_bars
from hexdeck.cli.parser import add_json, chosen_seat
from hexdeck.cli.plot import bars, is_fancy
from hexdeck.engine.errors import BadOption
from hexdeck.engine.text import Catalogue, Seat, Text, _, say

if TYPE_CHECKING:
    from hexdeck.bots.advice.analysis import Decision
    from hexdeck.bots.bot import Bot
    from hexdeck.engine.play.match import Match
    from hexdeck.engine.study import Measure

ABOUT = say("show expected results and the moves that cost most")
EXAMPLES = "hexdeck analyse match.json", "hexdeck analyse match.json --seat 2 --html match.html"
MOST_GAMES = 1_000_000
WIDTH = 80


def add(parser: argparse.ArgumentParser, t: Any) -> None:
    """`hexdeck analyse RECORD …`."""
    parser.add_argument("record", metavar=t(say("RECORD")), help=t(say("record of a match")))
    parser.add_argument(
        "--seat", type=int, metavar="K",
        help=t(say("seat whose decisions to look at, counted from 1 (default: that of the first person)")),
    )  # fmt: skip
    about = say("bot that proposes better moves (default: the one that gives hints)")
    parser.add_argument("--bot", type=kept, metavar=t(say("NAME")), help=t(about))
    about = say("games played out for each decision; more take longer and say more (default: 1200)")
    parser.add_argument("--games", type=int, metavar="N", help=t(about))
    parser.add_argument(
        "--html",
        type=Path,
        metavar=t(say("FILE")),
        help=t(say("write the analysis to this file, too, as an HTML page (default: no file)")),
    )
    add_json(parser, t)


def run(arguments: argparse.Namespace, words: Catalogue) -> int:
    """Analyse, print, and write the page if asked to."""
    from hexdeck.bots.advice.analysis import measure_of
    from hexdeck.bots.players.named import bot
    from hexdeck.cli.prepare import prepare
    from hexdeck.engine.discovery.catalogues import game_words
    from hexdeck.engine.play.driver import default_backend
    from hexdeck.engine.play.record import read
    from hexdeck.simulation.game import load
    from hexdeck.terminal.session import names_of

    record = read(arguments.record)
    match = load(record, backend="interpreted")
    seat = looked_at(arguments.seat, record.seats)
    check_games(arguments.games)
    check_figures(arguments)
    check_page(arguments.html, Path(arguments.record))
    asked = bot(arguments.bot, match.game, 0, default_backend()) if arguments.bot else None
    own = game_words(match.game.name, words.lang, names_of(record.seats, words))
    prepare(match.game.name, own)
    match = load(record, backend=default_backend())
    match.names = tuple(own.names)
    found = analysed(match, seat, asked, arguments.games, own)
    give(figures(match, seat, found, own), arguments, own)
    if not alone(arguments):
        print("\n".join(report(match, arguments.record, seat, found, own)))
    if arguments.html:
        from hexdeck.cli.page import page

        arguments.html.write_text(page(match, seat, found, measure_of(match), own), encoding="utf-8")
        to = sys.stderr if alone(arguments) else sys.stdout
        tell(own.words(say("The page is in {path}.", path=str(arguments.html))), to)
    return 0


def looked_at(given: int | None, seats: Any) -> int:
    """The seat of the option, else the first person's; raises BadOption."""
    seat = chosen_seat(given, len(seats))
    return next((k for k, chair in enumerate(seats) if not chair.get("bot")), 0) if seat is None else seat


def check_games(games: int | None) -> None:
    """Raise BadOption for an impossible number of rollouts."""
    if games is not None and not 2 <= games <= MOST_GAMES:
        text = _("--{name} can't be {number}; it takes {least} to {most}.")
        raise BadOption(say(text, name="games", number=str(games)[:20], least=2, most=MOST_GAMES))


def check_page(path: Path | None, record: Path) -> None:
    """Raise BadOption when the page can't be written, or would replace the record."""
    from hexdeck.cli.output import can_hold

    if path and not (path.parent.is_dir() and can_hold(path) and path.resolve() != record.resolve()):
        text = _("The page can't be written to {path}; choose another file.")
        raise BadOption(say(text, path=str(path)))


def analysed(match: Match, seat: int, asked: Bot | None, games: int | None, own: Catalogue) -> list[Decision]:
    """All decisions of a seat, with a progress bar at a terminal."""
    from hexdeck.bots.advice.analysis import decision_plies, decisions

    plies = decision_plies(match, seat)
    with progress_bars(own) as progress:
        task = progress.add_task(own.words(match.game.table.ABOUT.title), total=len(plies))
        found = []
        for each in decisions(match, seat, plies, asked, games):
            found.append(each)
            progress.advance(task)
    return found


def figures(match: Match, seat: int, found: list[Decision], own: Catalogue) -> dict[str, Any]:
    """The decisions as data, with sentences in words; the seat from 0, as in all data."""
    decisions = [
        {name: own.words(value) if isinstance(value, Text) else value for name, value in vars(each).items()}
        for each in found
    ]
    return head("analysis", match.game) | {"seat": seat, "decisions": decisions}


# --- what is printed --------------------------------------------------------------------------------------------------
def report(match: Match, path: str, seat: int, found: list[Decision], own: Catalogue) -> list[str]:
    """The analysis in lines of at most 80 characters."""
    from hexdeck.bots.advice.analysis import costliest, heading, measure_of, result_of, summary

    measure, t = measure_of(match), own.words
    lines = wrapped(summary(match, seat, found), own)
    if not found:
        return lines
    result = result_of(match, seat)
    title = _("Expected result ({unit}) before each decision, from the first to the last:")
    if result is not None:
        title = _("Expected result ({unit}) before each decision, and at the end what came of it:")
    lines += ["", *wrapped([say(title, unit=measure.unit)], own), *plot(found, measure, own, result), ""]
    dearest = costliest(found)
    lines += [t(heading(dearest))]
    for each in dearest:
        lines += moment(each, seat, measure, own)
    if dearest:
        text = _("hexdeck replay {path} --seat {seat} --ply {ply} shows the table at that moment.")
        lines += ["", *wrapped([say(text, path=path, seat=str(seat + 1), ply=str(dearest[0].ply))], own)]
    return lines


def plot(found: list[Decision], measure: Measure, own: Catalogue, result: float | None) -> list[str]:
    """The expected result over the match and what came of it, with the highest and lowest value on the left."""
    from hexdeck.bots.advice.analysis import limits, plotted

    values = plotted(found, measure, result)
    low, high = limits(values)
    labels = [own.words(measure.signed(value)) for value in (high, low)]
    wide = max(map(len, labels))
    rows = bars(values, low, high, WIDTH - wide - 4, fancy=is_fancy(sys.stdout.encoding))
    named = [labels[0], *[""] * (len(rows) - 2), labels[1]]
    edge = "│" if is_fancy(sys.stdout.encoding) else "|"
    return [f"  {label:>{wide}} {edge}{row}" for label, row in zip(named, rows, strict=True)]


def moment(each: Decision, seat: int, measure: Measure, own: Catalogue) -> list[str]:
    """One decision: what was asked, what was chosen, what would have been better, and why."""
    from hexdeck.bots.advice.analysis import cost_text, proposed

    t, head = own.words, f"{each.ply:>5}  "
    lines = [each.prompt, say("{seat} chose: {move}", seat=Seat(seat), move=each.played),
             proposed(each), cost_text(each, measure)]  # fmt: skip
    lines += [each.reason] if each.reason else []
    texts = [f"{head if k == 0 else ' ' * len(head)}{t(line)}" for k, line in enumerate(lines)]
    return [part for text in texts for part in textwrap.wrap(text, WIDTH, subsequent_indent=" " * len(head))]


def wrapped(texts: list[Text], own: Catalogue) -> list[str]:
    """Sentences, each on as many lines as it takes."""
    return [line for text in texts for line in textwrap.wrap(own.words(text), WIDTH)]
