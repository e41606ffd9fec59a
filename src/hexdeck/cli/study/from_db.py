"""`hexdeck report GAME --from-db PLACE`: a report on matches that people played at tables."""

from __future__ import annotations

import argparse
import os
import re
import sys
from collections import Counter
from typing import TYPE_CHECKING

from hexdeck.cli.lines import tell
from hexdeck.cli.output import check_files, ticking, wants_page
from hexdeck.cli.parser import check_file, chosen_options, needs, usual_game
from hexdeck.cli.study.report import SITE, give
from hexdeck.engine.errors import BadOption, HexdeckError
from hexdeck.engine.text import Catalogue, Text, _, say, say_n

if TYPE_CHECKING:
    from hexdeck.lab.reporting.played import PlayedReport
    from hexdeck.simulation.game import Game

BOTS_ONLY = (
    "appendix", "games", "bots", "seed", "threads", "sample", "pace", "thinking", "engine", "address",
)  # fmt: skip


def run(arguments: argparse.Namespace, words: Catalogue) -> int:
    """Read the matches with a progress bar, then print the summary and write the files."""
    needs("lab", "matplotlib", "pandas", "pyarrow", "jinja2")
    needs("web", "sqlalchemy", "alembic")
    from hexdeck.engine.discovery.catalogues import game_words
    from hexdeck.lab.reporting.page import page_of
    from hexdeck.lab.reporting.people import write_answers
    from hexdeck.lab.reporting.played_report import told_of_people

    check(arguments)
    usual = usual_game(arguments)
    catalogue = game_words(usual.name, words.lang)
    found = told_of_people(read(usual, arguments, catalogue))
    status = give(found, page_of(found, catalogue) if wants_page(arguments) else "", arguments, catalogue)
    if arguments.feedback is not None:
        count = write_answers(found.report.parts, arguments.feedback)
        done = say_n("{n} answer written: {file}", "{n} answers written: {file}", count, file=str(arguments.feedback))
        tell(catalogue.words(done), sys.stderr)
    return status


def read(usual: Game, arguments: argparse.Namespace, catalogue: Catalogue) -> PlayedReport:
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


def check(arguments: argparse.Namespace) -> None:
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
