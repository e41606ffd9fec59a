"""`hexdeck report GAME`: a playtest by bots, printed and written as a page."""

from __future__ import annotations

import argparse
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hexdeck.cli.figures import alone, give_text
from hexdeck.cli.help_pages import default
from hexdeck.cli.keep.serve import PORT, THIS_COMPUTER
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
from hexdeck.cli.study.arguments import (
    add_counting_engine,
    add_files,
    add_play,
    check_engine,
    check_limits,
    playing,
)
from hexdeck.engine.errors import BadOption
from hexdeck.engine.text import Catalogue, say

if TYPE_CHECKING:
    from hexdeck.engine.play.game import GameSetup
    from hexdeck.lab.reporting.page import Told
    from hexdeck.lab.reporting.report import Plan

ABOUT = say("playtest a game with bots, in a minute")
EXAMPLES = (
    "hexdeck report hawthorn --players 3 4 --out report.html",
    "hexdeck report blackstone --option rounds=5 --open",
)

PACE = 8.0  # seconds
SITE = f"http://{THIS_COMPUTER}:{PORT}"
PRINTED = {"seats", "length", "time", "minutes", "tension", "company", "feedback", "quotes"}  # tables on the terminal


def add(parser: argparse.ArgumentParser, text: Any) -> None:
    """`hexdeck report GAME [--players …] [--games N] [--bots …] [--option …] [--out FILE]`."""
    add_game(parser, text)
    parser.add_argument(
        "--players", "-n", type=int, nargs="+", action=Several, default=[], metavar="N",
        help=text(say("numbers of players, one or more (default: all that the game allows)")),
    )  # fmt: skip
    add_option(parser, text)
    about = say(
        "number of games for each number of players (default: enough to find an advantage of one percentage point)"
    )
    add_play(parser, text, about)
    add_counting_engine(parser, text)
    parser.add_argument(
        "--sample", type=int, metavar="N",
        help=text(say("number of games to analyse move by move (default: as many as fit in 14 seconds)")),
    )  # fmt: skip
    parser.add_argument(
        "--pace", type=float, metavar=text(say("SECONDS")),
        help=text(default(say("seconds that a person takes for a choice between seven moves, to estimate the minutes "
                              "of a game"), f"{PACE:g}")),
    )  # fmt: skip
    parser.add_argument(
        "--thinking", type=int, metavar="N",
        help=text(default(say("number of deals on which bots meet that think twice as long; takes long"), 0)),
    )  # fmt: skip
    add_files(parser, text)
    parser.add_argument(
        "--appendix", action="store_true",
        help=text(say("unfold all tables of the page, so that they are printed too (default: the first pages only)")),
    )  # fmt: skip
    add_tables(parser, text)
    names = "bots", "seed", "threads", "pace", "appendix"
    parser.set_defaults(**dict.fromkeys(names))  # so that --from-db sees which were given


def add_tables(parser: argparse.ArgumentParser, text: Any) -> None:
    """Add `--from-db PLACE` and `--site ADDRESS`."""
    parser.add_argument(
        "--from-db", metavar=text(say("PLACE")),
        help=text(say("report on the matches that people played at the tables in this database instead: a file, or "
                      "postgresql://USER@HOST/NAME (default: bots play)")),
    )  # fmt: skip
    parser.add_argument(
        "--site", metavar=text(say("ADDRESS")),
        help=text(default(say("with --from-db: address of the server whose replays the report links to"), SITE)),
    )  # fmt: skip
    parser.add_argument(
        "--feedback", type=Path, metavar=text(say("FILE")),
        help=text(say("with --from-db: write what players said of their matches to this Parquet file, a row for each "
                      "player who did (default: no file)")),
    )  # fmt: skip


def run(arguments: argparse.Namespace, words: Catalogue) -> int:
    """Play with a progress bar, then print the summary and write the files; with --from-db, see `from_db`."""
    if arguments.from_db is not None:
        from hexdeck.cli.study.from_db import run as run_from_db

        return run_from_db(arguments, words)
    fill_in(arguments)
    needs("lab", "matplotlib", "pandas", "pyarrow", "jinja2")
    from hexdeck.cli.cost import tell_cost
    from hexdeck.engine.discovery.catalogues import game_words
    from hexdeck.lab.reporting.page import page_of, told
    from hexdeck.lab.reporting.report import ReportMaker
    from hexdeck.lab.reporting.settling import settled

    games, plan = chosen_plan(arguments)
    catalogue = game_words(games[0].name, words.lang)
    with ticking(catalogue, games[0].name) as tick:
        tell_cost(catalogue, plan.setup(games[0]), plan.games)
        with playing(arguments) as source:
            report = ReportMaker(games, plan, tick, source).make()
        found = told(settled(report, tick))
        text = page_of(found, catalogue, tick, appendix=arguments.appendix) if wants_page(arguments) else ""
    return give(found, text, arguments, catalogue)


def fill_in(arguments: argparse.Namespace) -> None:
    """Give arguments that weren't given their defaults; raise BadOption for one that goes with another only."""
    if arguments.site is not None:
        raise BadOption(say("--site is for matches from tables; give --from-db too."))
    if arguments.feedback is not None:
        raise BadOption(say("--feedback is for matches from tables; give --from-db too."))
    if arguments.appendix and not wants_page(arguments):
        raise BadOption(say("--appendix is for the page; give --out or --open too."))
    usual = {"bots": ["house"], "seed": 0, "threads": os.cpu_count() or 1, "pace": PACE, "thinking": 0,
             "appendix": False}  # fmt: skip
    for name, value in usual.items():
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


def give(told: Told, page: str, arguments: argparse.Namespace, catalogue: Catalogue) -> int:
    """Print what is told of a report, write its page and its figures, where they are asked for; the exit status."""
    from hexdeck.lab.reporting.exported import of_report, written

    if not alone(arguments):
        print_report(told, catalogue)
        where_the_rest_is(arguments, catalogue)
    give_page(page, catalogue, arguments)
    if arguments.json is not None:
        give_text(written(of_report(told, catalogue)), arguments, catalogue)
    return 130 if told.report.interrupted else 0


def print_report(told: Told, catalogue: Catalogue) -> None:
    """Print the answers, the findings, and the most important tables."""
    from hexdeck.lab.reporting.page import finding_context
    from hexdeck.lab.reporting.sections import sections

    console, t = make_console(), catalogue.words
    console.print(t(told.title), style="bold")
    for line in (*told.intro[1:], told.caveat):
        console.print(t(line), highlight=False)
    print_answers(console, told.answers, catalogue)
    found = [finding_context(each, part, told.links, catalogue) for part, each in told.findings]
    print_findings(console, found, t(told.nothing))
    for part, title in zip(told.report.parts, told.titles, strict=True):
        for section in sections(told.report, part):
            if section.id in PRINTED:
                show_table(console, section, catalogue, t(title))
