"""`hexdeck report`: what many games between bots, or people's matches, say of a game."""

from __future__ import annotations

import argparse
import os
import re
import sys
from collections import Counter
from functools import partial

from hexdeck.cli import output
from hexdeck.cli.command_line import check_engine, chosen_options, playing, usual_game
from hexdeck.cli.compile import ticking
from hexdeck.cli.output import ENGLISH, CommandResult, make_console, show_table, tell, tell_cost, wants_page
from hexdeck.engine.errors import BadOption, HexdeckError
from hexdeck.engine.text import Catalogue, _, say
from hexdeck.lab import needs
from hexdeck.lab.reporting import figures, people, played
from hexdeck.lab.reporting.answers import FINE, WORDS, settled
from hexdeck.lab.reporting.page import Told, page, told
from hexdeck.lab.reporting.people import read_matches, with_matches
from hexdeck.lab.reporting.report import SECONDS, Plan, Report, ReportMaker, variants_of
from hexdeck.lab.reporting.wording import of, unbroken
from hexdeck.simulation.game import Game
from hexdeck.simulation.simulate import check_bots

# tables on the terminal
PRINTED = {"seats", "length", "time", "minutes", "tension", "company", "feedback", "moments", "quotes", "paper"}


def report(arguments: argparse.Namespace, _catalogue: Catalogue) -> CommandResult:
    """Play with a progress bar; with --database, read what people played there."""
    if arguments.database is not None:
        return report_on_people(arguments)
    usual = usual_game(arguments)
    options = chosen_options(usual, arguments)
    check_engine(arguments)
    games = variants_of(usual, arguments.players, options)
    values = {
        name: getattr(arguments, name) for name in ("games", "seed", "threads", "sample", "choice_seconds", "thinking")
    }
    plan = Plan(tuple(arguments.bots), **values)
    for game in games:
        check_bots(game, plan.bots)
    on_paper = read_matches(arguments.on_paper) if arguments.on_paper else ()
    with ticking(games[0].name) as tick:
        tell_cost(ENGLISH, plan.setup(games[0]), plan.games)
        with playing(arguments) as source:
            full = ReportMaker(games, plan, tick, source).make()
        document = told(with_matches(settled(full, tick), on_paper))
        text = page(document, tick, appendix=arguments.appendix) if wants_page(arguments) else ""
    return result(document, text, arguments)


def result(document: Told, page: str, arguments: argparse.Namespace) -> CommandResult:
    """A report as the result of the command."""
    show = partial(print_report, document, arguments)
    return CommandResult(ENGLISH, show, lambda: figures.of_report(document), lambda: page, document.report.interrupted)


def print_report(document: Told, arguments: argparse.Namespace) -> None:
    """Print the answers, the findings, for one number of players the most important tables, and where the rest is."""
    console = make_console()
    console.print(document.title, style="bold")
    for line in (*filter(None, [document.headline]), *document.intro, document.caveat):
        console.print(unbroken(line), highlight=False)
    for answer in document.answers:  # that which stands for all numbers of players
        main, head = answer.main, f"{answer.question.title} {WORDS[answer.main.verdict]}."
        text = main.text if main.verdict != FINE else f"With {main.players} players: {main.value}."
        console.print(f"{head} {unbroken(text)}", highlight=False, markup=False)
    console.print()
    for text, link in document.listed(document.links) or [(document.nothing, None)]:
        console.print(f" • {unbroken(text)}", highlight=False, markup=False)
        if link is not None:
            pointer = f"   see: {link.address or link.command}"
            console.print(pointer, style="dim", highlight=False, markup=False, soft_wrap=True)
    parts = document.report.parts
    for part, title in zip(parts, document.titles, strict=True) if len(parts) == 1 else ():
        for section in figures.sections(document.report, part, PRINTED):
            if section.id in PRINTED:
                show_table(console, section, title)
    output.where_the_rest_is(arguments, ENGLISH)


# --- matches that people played ---------------------------------------------------------------------------------------
def report_on_people(arguments: argparse.Namespace) -> CommandResult:
    """Read the matches with a progress bar, and write what players said, where that is asked for."""
    needs("web", "sqlalchemy", "alembic")
    if arguments.feedback is not None:
        needs("lab", "pyarrow")

    if arguments.site and not re.fullmatch(r"https?://[^\s/\"'<>]+(/[^\s\"'<>?#]*)?", arguments.site):
        text = _("{site} isn't the address of a server; write http://… or https://…")
        raise BadOption(say(text, site=arguments.site[:80]))
    usual, on_paper = usual_game(arguments), read_matches(arguments.on_paper) if arguments.on_paper else ()
    report = with_matches(read_played(usual, arguments), on_paper)
    document = played.told_of_people(report, arguments.site.rstrip("/"))
    if arguments.feedback is not None:
        answers = people.write_answers(document.report.parts, arguments.feedback)
        tell(f"{answers} answer{'s' * (answers != 1)} written: {arguments.feedback}", sys.stderr)
    return result(document, page(document) if wants_page(arguments) else "", arguments)


def read_played(usual: Game, arguments: argparse.Namespace) -> Report:
    """The report on the matches in a database; raises HexdeckError where there aren't two alike."""
    from hexdeck.tables.archive import Archive

    options = chosen_options(usual, arguments)
    variants = variants_of(usual, arguments.players, options)
    archive = Archive(arguments.database)
    try:
        total = archive.count(usual.name)
        with ticking(usual.name) as tick:
            matches = played.group_matches(
                archive.matches(usual.name), variants, options, lambda done: tick("matches", done, total)
            )
            matches.analyse(SECONDS, os.cpu_count() or 1, tick)
        reasons = left_out(archive.left_out + matches.left)
    finally:
        archive.close()
    if not matches.groups:
        why = " ".join(reasons)
        text = _("There aren't two comparable matches of {game} in {place} to report on. {why}")
        raise HexdeckError(say(text, place=archive.place, game=usual.name, why=why))
    return matches.report(reasons)


def left_out(counts: Counter[str]) -> list[str]:
    """Sentences on the matches that were left out: how many, and why."""
    from hexdeck.tables.archive import CLOSED, DAMAGED, GOING, OLDER

    matches, only = "matches", "the only one with its options and number of players, and nobody said anything of it."
    texts = {
        GOING: ("table whose match isn't over; nothing", "tables whose matches aren't over; nothing", "was read."),
        CLOSED: ("table that was", "tables that were", "closed mid-match: the game had changed."),
        OLDER: ("match", matches, "that followed older rules of the game."),
        DAMAGED: ("match", matches, "that can't be played again from what is stored."),
        played.SINGLE: ("match", f"{matches}, each", only),
        played.OTHER: ("match", matches, "with other options or numbers of players than you asked for."),
    }
    return [f"Left out: {of(counts[why], *nouns)} {ending}" for why, (*nouns, ending) in texts.items() if counts[why]]
