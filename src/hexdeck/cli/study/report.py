"""`hexdeck report GAME`: a playtest by bots, printed and written as a page."""

from __future__ import annotations

import argparse
import os
import re
import sys
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hexdeck.cli.figures import alone, give_text
from hexdeck.cli.help_pages import default
from hexdeck.cli.keep.serve import PORT, THIS_COMPUTER
from hexdeck.cli.lines import tell
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
from hexdeck.cli.parser import Several, add_game, add_option, check_file, chosen_options, needs, usual_game
from hexdeck.cli.study.arguments import add_counting_engine, add_files, add_play, check_engine, check_limits, playing
from hexdeck.engine.errors import BadOption, HexdeckError
from hexdeck.engine.text import Catalogue, Text, _, say, say_n

if TYPE_CHECKING:
    from hexdeck.engine.play.game import GameSetup
    from hexdeck.lab.reporting.page import Told
    from hexdeck.lab.reporting.played import PlayedReport
    from hexdeck.lab.reporting.report import Plan
    from hexdeck.simulation.game import Game

ABOUT = say("playtest a game with bots, in a minute")
EXAMPLES = (
    "hexdeck report hawthorn --players 3 4 --out report.html",
    "hexdeck report blackstone --option rounds=5 --open",
)
PACE = 8.0  # seconds
SITE = f"http://{THIS_COMPUTER}:{PORT}"
PRINTED = {"seats", "length", "time", "minutes", "tension", "company", "feedback", "quotes"}  # tables on the terminal
BOTS_ONLY = (
    "appendix", "games", "bots", "seed", "threads", "sample", "pace", "thinking", "engine", "address",
)  # for games still to be played  # fmt: skip


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
    """Play with a progress bar, then print the summary and write the files; with --from-db, see `report_played`."""
    if arguments.from_db is not None:
        return report_played(arguments, words)
    fill_in(arguments)
    needs("lab", "jinja2")
    from hexdeck.cli.cost import tell_cost
    from hexdeck.engine.discovery.catalogues import game_words
    from hexdeck.lab.reporting.answers import settled
    from hexdeck.lab.reporting.page import page, told
    from hexdeck.lab.reporting.report import ReportMaker

    games, plan = chosen_plan(arguments)
    catalogue = game_words(games[0].name, words.lang)
    with ticking(catalogue, games[0].name) as tick:
        tell_cost(catalogue, plan.setup(games[0]), plan.games)
        with playing(arguments) as source:
            report = ReportMaker(games, plan, tick, source).make()
        found = told(settled(report, tick))
        text = page(found, catalogue, tick, appendix=arguments.appendix) if wants_page(arguments) else ""
    return give(found, text, arguments, catalogue)


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
    from hexdeck.lab.reporting.sections import sections

    console, t = make_console(), catalogue.words
    console.print(t(told.title), style="bold")
    for line in (*told.intro[1:], told.caveat):
        console.print(t(line), highlight=False)
    print_answers(console, told.answers, catalogue)
    print_findings(console, told, catalogue)
    for part, title in zip(told.report.parts, told.titles, strict=True):
        for section in sections(told.report, part):
            if section.id in PRINTED:
                show_table(console, section, catalogue, t(title))


# --- matches that people played ---
def report_played(arguments: argparse.Namespace, words: Catalogue) -> int:
    """Read the matches with a progress bar, then print the summary and write the files."""
    needs("lab", "jinja2", *(["pyarrow"] if arguments.feedback is not None else []))
    needs("web", "sqlalchemy", "alembic")
    from hexdeck.engine.discovery.catalogues import game_words
    from hexdeck.lab.reporting.page import page
    from hexdeck.lab.reporting.people import write_answers
    from hexdeck.lab.reporting.played import told_of_people

    check_played(arguments)
    usual = usual_game(arguments)
    catalogue = game_words(usual.name, words.lang)
    found = told_of_people(read_played(usual, arguments, catalogue))
    status = give(found, page(found, catalogue) if wants_page(arguments) else "", arguments, catalogue)
    if arguments.feedback is not None:
        count = write_answers(found.report.parts, arguments.feedback)
        done = say_n("{n} answer written: {file}", "{n} answers written: {file}", count, file=str(arguments.feedback))
        tell(catalogue.words(done), sys.stderr)
    return status


def read_played(usual: Game, arguments: argparse.Namespace, catalogue: Catalogue) -> PlayedReport:
    """The report on the matches of the store that --from-db names; raises HexdeckError where there aren't two alike."""
    from hexdeck.lab.reporting.played import group_matches
    from hexdeck.lab.reporting.report import SECONDS, variants_of
    from hexdeck.tables.service.archive import Archive

    options = chosen_options(usual, arguments)
    wanted = variants_of(usual, arguments.players, options)
    check_files(arguments)
    if arguments.feedback is not None:
        check_file(arguments.feedback)
    archive = Archive(arguments.from_db)
    try:
        total = archive.count(usual.name)
        with ticking(catalogue, usual.name) as tick:
            found = group_matches(archive.matches(usual.name), wanted, options,
                                  lambda done: tick(say("matches"), done, total))  # fmt: skip
            found.analyse(SECONDS, os.cpu_count() or 1, tick)
        left = left_out(archive.left_out + found.left)
    finally:
        archive.close()
    if not found.groups:
        why = " ".join(catalogue.words(each) for each in left)
        text = _("There aren't two comparable matches of {game} in {place} to report on. {why}")
        raise HexdeckError(say(text, place=archive.place, game=usual.name, why=why))
    return found.report(left, (arguments.site or SITE).rstrip("/"))


def check_played(arguments: argparse.Namespace) -> None:
    """Raise BadOption for arguments about games still to be played, and for a site that is no address."""
    for name in BOTS_ONLY:
        if getattr(arguments, name) is not None:
            text = _("--{name} is for games that bots are to play; leave it out with --from-db.")
            raise BadOption(say(text, name=name))
    if arguments.site and not re.fullmatch(r"https?://[^\s/\"'<>]+(/[^\s\"'<>?#]*)?", arguments.site):
        text = _("{site} isn't the address of a server; write http://… or https://…")
        raise BadOption(say(text, site=arguments.site[:80]))


def left_out(left: Counter[str]) -> list[Text]:
    """Sentences on the matches that were left out: how many, and why."""
    from hexdeck.lab.reporting.played import OTHER, SINGLE
    from hexdeck.tables.service.archive import CLOSED, DAMAGED, GOING, OLDER

    said = {
        GOING: say_n("Left out: {n} table whose match isn't over; none of it was read.",
                     "Left out: {n} tables whose matches aren't over; none of them was read.", left[GOING]),
        CLOSED: say_n("Left out: {n} table that was closed mid-match because its game had changed.",
                      "Left out: {n} tables that were closed mid-match because their game had changed.",
                      left[CLOSED]),
        OLDER: say_n("Left out: {n} match that followed older rules of the game.",
                     "Left out: {n} matches that followed older rules of the game.", left[OLDER]),
        DAMAGED: say_n("Left out: {n} match that can't be played again from what is stored.",
                       "Left out: {n} matches that can't be played again from what is stored.", left[DAMAGED]),
        SINGLE: say_n("Left out: {n} match, the only one with its options and number of players: one match says "
                      "nothing.", "Left out: {n} matches, each the only one with its options and number of players: "
                      "one match says nothing.", left[SINGLE]),
        OTHER: say_n("Left out: {n} match with other options or numbers of players than you asked for.",
                     "Left out: {n} matches with other options or numbers of players than you asked for.",
                     left[OTHER]),
    }  # fmt: skip
    return [text for reason, text in said.items() if left[reason]]
