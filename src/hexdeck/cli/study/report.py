"""`hexdeck report GAME`: a playtest by bots, printed and written as a page."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hexdeck.cli.figures import alone, give_text
from hexdeck.cli.help_pages import default
from hexdeck.cli.output import (
    check_files,
    give_page,
    make_console,
    print_answers,
    print_findings,
    show_table,
    ticking,
    wants_page,
    where_the_rest_is,
)
from hexdeck.cli.parser import Several, add_game, add_option, chosen_options, needs, usual_game
from hexdeck.cli.study.arguments import add_counting_engine, add_files, add_play, check_engine, check_limits, playing
from hexdeck.cli.study.from_db import BOTS_ONLY, SITE
from hexdeck.engine.errors import BadOption
from hexdeck.engine.text import Catalogue, say

if TYPE_CHECKING:
    from hexdeck.engine.play.game import GameSetup
    from hexdeck.lab.reporting.report import Plan, Report

ABOUT = say("playtest a game with bots, in a minute")
EXAMPLES = (
    "hexdeck report hawthorn --players 3 4 --out report.html",
    "hexdeck report blackstone --option rounds=5 --open",
)
PACE = 8.0  # seconds


def add(parser: argparse.ArgumentParser, text: Any) -> None:
    """`hexdeck report GAME [--players …] [--games N] [--bots …] [--option …] [--out FILE] [--from-db PLACE]`."""
    add_game(parser, text)
    parser.add_argument(
        "--players", "-n", type=int, nargs="+", action=Several, default=[], metavar="N",
        help=text(say("numbers of players, one or more (default: all that the game allows)")),
    )  # fmt: skip
    add_option(parser, text)
    add_play(parser, text, say("number of games for each number of players (default: enough to find an advantage of "
                               "one percentage point)"))  # fmt: skip
    add_counting_engine(parser, text)
    add_files(parser, text)
    parser.add_argument(
        "--appendix", action="store_true",
        help=text(say("unfold all tables of the page, so that they are printed too (default: the first pages only)")),
    )  # fmt: skip
    pace = say("seconds that a person takes for a choice between seven moves, to estimate the minutes of a game")
    thinking = say("number of deals on which bots meet that think twice as long; takes long")
    site = say("with --from-db: address of the server whose replays the report links to")
    for name, kind, metavar, usual, about in (
        ("sample", int, "N", None,
         say("number of games to analyse move by move (default: as many as fit in 14 seconds)")),
        ("pace", float, text(say("SECONDS")), PACE, default(pace, f"{PACE:g}")),
        ("thinking", int, "N", 0, default(thinking, 0)),
        ("from-db", str, text(say("PLACE")), None,
         say("report on the matches that people played at the tables in this database instead: a file, or "
             "postgresql://USER@HOST/NAME (default: bots play)")),
        ("site", str, text(say("ADDRESS")), None, default(site, SITE)),
        ("feedback", Path, text(say("FILE")), None,
         say("with --from-db: write what players said of their matches to this Parquet file, a row for each player who "
             "did (default: no file)")),
    ):  # fmt: skip
        parser.add_argument(f"--{name}", type=kind, metavar=metavar, default=usual, help=text(about))
    defaults = {name: parser.get_default(name) for name in BOTS_ONLY}
    parser.set_defaults(usual=defaults, **dict.fromkeys(BOTS_ONLY))  # so that --from-db sees which were given


def run(arguments: argparse.Namespace, words: Catalogue) -> int:
    """Play with a progress bar, then print the summary and write the files; with --from-db, see `from_db`."""
    if arguments.from_db is not None:
        from hexdeck.cli.study.from_db import run as run_from_db

        return run_from_db(arguments, words)
    fill_in(arguments)
    needs("lab", "matplotlib", "pandas", "pyarrow", "jinja2")
    from hexdeck.cli.cost import tell_cost
    from hexdeck.engine.discovery.catalogues import game_words
    from hexdeck.lab.reporting.exported import of_report, written
    from hexdeck.lab.reporting.findings import findings
    from hexdeck.lab.reporting.page import page
    from hexdeck.lab.reporting.report import ReportMaker
    from hexdeck.lab.reporting.settling import settled

    games, plan = chosen_plan(arguments)
    catalogue = game_words(games[0].name, words.lang)
    with ticking(catalogue, games[0].name) as tick:
        tell_cost(catalogue, plan.setup(games[0]), plan.games)
        with playing(arguments) as source:
            report = ReportMaker(games, plan, tick, source).make()
        report = settled(report, tick)
        text = page(report, catalogue, tick, appendix=arguments.appendix) if wants_page(arguments) else ""
    if not alone(arguments):
        print_report(report, catalogue)
        where_the_rest_is(arguments, catalogue)
    give_page(text, catalogue, arguments)
    if arguments.json is not None:
        said = [each.text for each in findings(report)]
        give_text(written(of_report(report, said, catalogue)), arguments, catalogue)
    return 130 if report.interrupted else 0


def fill_in(arguments: argparse.Namespace) -> None:
    """Give arguments that weren't given their defaults; raise BadOption for one that goes with another only."""
    for name in ("site", "feedback"):
        if getattr(arguments, name) is not None:
            raise BadOption(say("--{name} is for matches from tables; give --from-db too.", name=name))
    if arguments.appendix and not wants_page(arguments):
        raise BadOption(say("--appendix is for the page; give --out or --open too."))
    for name, value in arguments.usual.items():
        if getattr(arguments, name) is None:
            setattr(arguments, name, value)


def chosen_plan(arguments: argparse.Namespace) -> tuple[list[GameSetup], Plan]:
    """The game with each number of players, and what to play of each; raises HexdeckError before anything is played."""
    from hexdeck.lab.reporting.report import Plan, variants_of
    from hexdeck.simulation.seating import check_bots

    usual = usual_game(arguments)
    options = chosen_options(usual, arguments)
    check_limits(arguments)
    check_files(arguments)
    check_engine(arguments)
    games = variants_of(usual, arguments.players, options)
    plan = Plan(tuple(arguments.bots), arguments.games, arguments.seed, arguments.threads, arguments.sample,
                pace=arguments.pace, thinking=arguments.thinking)  # fmt: skip
    for game in games:
        check_bots(game, plan.bots)
    return games, plan


def print_report(report: Report, catalogue: Catalogue) -> None:
    """Print the answers, the findings, and the tables of results, length, minutes and tension."""
    from hexdeck.lab.reporting.answers.answers import CAVEAT, answered
    from hexdeck.lab.reporting.examples import command_linker
    from hexdeck.lab.reporting.findings import findings
    from hexdeck.lab.reporting.number_format import count
    from hexdeck.lab.reporting.page import NOTHING, finding_context, intro
    from hexdeck.lab.reporting.sections import length, minutes_section, places, power, seats
    from hexdeck.lab.reporting.tables import TENSION

    console, t = make_console(), catalogue.words
    console.print(t(say("Playtest: {title}", title=report.game.table.TITLE)), style="bold")
    for line in intro(report)[1:]:
        console.print(t(line))
    console.print(t(CAVEAT))
    print_answers(console, answered(report), catalogue)
    link = command_linker(report.plan)
    found = [finding_context(each, report.parts, link, catalogue) for each in findings(report)]
    print_findings(console, found, t(NOTHING))
    for part in report.parts:
        title = t(say("{players} players, {games} games", players=part.players, games=count(len(part.statistics))))
        minutes = minutes_section(part, places(report.plan.pace))
        for section in (seats(part, power(part, report.tests)), length(part), minutes, *TENSION.sections(part)):
            show_table(console, section, catalogue, title)
