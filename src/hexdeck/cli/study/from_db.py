"""`hexdeck report GAME --from-db PLACE`: a report on matches that people played at tables."""

from __future__ import annotations

import argparse
import os
import re
import sys
from collections import Counter
from collections.abc import Iterator
from functools import partial
from typing import TYPE_CHECKING

from hexdeck.cli.figures import alone, give_text
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
from hexdeck.cli.parser import check_file, chosen_options, needs, usual_game
from hexdeck.engine.errors import BadOption, HexdeckError
from hexdeck.engine.text import Catalogue, Text, _, say, say_n

if TYPE_CHECKING:
    from hexdeck.lab.reporting.played import PlayedMatches
    from hexdeck.lab.reporting.played_report import PlayedReport
    from hexdeck.lab.reporting.report import Tick
    from hexdeck.simulation.game import Game

SITE = f"http://{THIS_COMPUTER}:{PORT}"
BOTS_ONLY = (
    "appendix",
    "games",
    "bots",
    "seed",
    "threads",
    "sample",
    "pace",
    "thinking",
    "engine",
    "address",
)  # for games still to be played


def run(arguments: argparse.Namespace, words: Catalogue) -> int:
    """Read the matches with a progress bar, then print the summary and write the files."""
    needs("lab", "matplotlib", "pandas", "pyarrow", "jinja2")
    needs("web", "sqlalchemy", "alembic")
    from hexdeck.engine.discovery.catalogues import game_words

    check(arguments)
    usual = usual_game(arguments)
    catalogue = game_words(usual.name, words.lang)
    played = read(usual, arguments, catalogue)
    if not alone(arguments):
        print_played(played, catalogue)
        where_the_rest_is(arguments, catalogue)
    write_files(played, arguments, catalogue)
    return 130 if played.matches.interrupted else 0


def read(usual: Game, arguments: argparse.Namespace, catalogue: Catalogue) -> PlayedReport:
    """The report on the matches of the store that --from-db names; raises HexdeckError where there aren't two alike."""
    from hexdeck.lab.reporting.played import group_matches
    from hexdeck.lab.reporting.played_report import PlayedReport
    from hexdeck.lab.reporting.report import variants_of
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
            analyse(found, tick)
        left = tuple(left_out(archive.left_out, found.single, found.other))
    finally:
        archive.close()
    if not found.groups:
        raise HexdeckError(nothing(archive.place, usual.name, left, catalogue))
    return PlayedReport(found, left, (arguments.site or SITE).rstrip("/"))


def analyse(found: PlayedMatches, tick: Tick) -> None:
    """Analyse matches of each group, for as long as a report does; an interrupt leaves out the rest."""
    from hexdeck.lab.reporting.report import LOOKING, SECONDS

    try:
        for group in [] if found.interrupted else found.groups:
            looking, first = say(LOOKING, players=group.game.players), len(group.first)
            group.analyse(SECONDS / len(found.groups), os.cpu_count() or 1, partial(pass_on, tick, looking, first))
    except KeyboardInterrupt:
        found.interrupted = True


def pass_on(tick: Tick, what: Text, of: int, done: int, _spent: float) -> None:
    """Pass progress on to a progress bar."""
    tick(what, done, of)


def check(arguments: argparse.Namespace) -> None:
    """Raise BadOption for arguments about games still to be played, and for a site that is no address."""
    for name in BOTS_ONLY:
        if getattr(arguments, name) is not None:
            text = _("--{name} is for games that bots are to play; leave it out with --from-db.")
            raise BadOption(say(text, name=name))
    if arguments.site and not re.fullmatch(r"https?://[^\s/\"'<>]+(/[^\s\"'<>?#]*)?", arguments.site):
        text = _("{site} isn't the address of a server; write http://… or https://…")
        raise BadOption(say(text, site=arguments.site[:80]))


def left_out(left: Counter[str], single: int, other: int) -> Iterator[Text]:
    """Sentences on the matches that were left out: how many, and why."""
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
    }  # fmt: skip
    yield from (text for reason, text in said.items() if left[reason])
    if single:
        yield say_n("Left out: {n} match, the only one with its options and number of players: one match says nothing.",
                    "Left out: {n} matches, each the only one with its options and number of players: one match says "
                    "nothing.", single)  # fmt: skip
    if other:
        yield say_n("Left out: {n} match with other options or numbers of players than you asked for.",
                    "Left out: {n} matches with other options or numbers of players than you asked for.",
                    other)  # fmt: skip


def nothing(place: str, name: str, left: tuple[Text, ...], catalogue: Catalogue) -> Text:
    """The error where there is nothing to report on."""
    why = " ".join(catalogue.words(each) for each in left)
    text = _("There aren't two comparable matches of {game} in {place} to report on. {why}")
    return say(text, place=place, game=name, why=why)


def print_played(played: PlayedReport, catalogue: Catalogue) -> None:
    """Print the findings, and the tables of each group."""
    from hexdeck.lab.reporting.answers.by_people import CAVEAT
    from hexdeck.lab.reporting.feedback.section import feedback
    from hexdeck.lab.reporting.played_report import (
        NOTHING,
        analysis_sections,
        finding_context,
        intro,
        known,
        length,
        mixed_tables,
        title,
    )
    from hexdeck.lab.reporting.sections import causes, of_tables, seats
    from hexdeck.lab.reporting.tables import ENDINGS

    console, t = make_console(), catalogue.words
    console.print(t(say("Played: {title}", title=played.matches.game.table.TITLE)), style="bold")
    for line in intro(played):
        console.print(t(line), highlight=False)
    console.print(t(CAVEAT))
    print_answers(console, played.answers, catalogue)
    print_findings(console, [finding_context(played, *each, catalogue) for each in played.all_findings], t(NOTHING))
    for group, part in zip(played.matches.groups, played.parts, strict=True):
        for section in (
            seats(part, known(group, played.tests)),
            length(group),
            *of_tables(part, ENDINGS),
            *analysis_sections(part),
            *causes(played, part),
            *mixed_tables(group),
            *feedback(group.said),
        ):
            show_table(console, section, catalogue, t(title(group)))


def write_files(played: PlayedReport, arguments: argparse.Namespace, catalogue: Catalogue) -> None:
    """Write the page, the figures and people's answers, where they are asked for."""
    if arguments.feedback is not None:
        from hexdeck.lab.reporting.feedback.section import write_answers

        count = write_answers(played.matches.groups, arguments.feedback)
        done = say_n("{n} answer written: {file}", "{n} answers written: {file}", count, file=str(arguments.feedback))
        tell(catalogue.words(done), sys.stderr)
    if wants_page(arguments):
        from hexdeck.lab.reporting.played_report import page

        give_page(page(played, catalogue), catalogue, arguments)
    if arguments.json is not None:
        from hexdeck.lab.reporting.exported import of_played, written

        said = [each.text for _group, each in played.all_findings]
        give_text(written(of_played(played, said, catalogue)), arguments, catalogue)
