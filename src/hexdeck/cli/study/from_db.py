"""`hexdeck report GAME --from-db PLACE`: a report on matches that people played at tables."""

from __future__ import annotations

import argparse
import os
import re
from collections import Counter
from collections.abc import Iterator
from functools import partial
from typing import TYPE_CHECKING

from hexdeck.cli.keep.serve import PORT, THIS_COMPUTER
from hexdeck.cli.output import check_files, print_findings, put, show_table, ticking
from hexdeck.cli.parser import chosen_options, needs
from hexdeck.engine.errors import BadOption, HexdeckError
from hexdeck.engine.text import Catalogue, Text, _, say, say_n

if TYPE_CHECKING:
    from hexdeck.lab.reporting.played import Gathered
    from hexdeck.lab.reporting.played_words import Played
    from hexdeck.lab.reporting.report import Tick

SITE = f"http://{THIS_COMPUTER}:{PORT}"
UNASKED = (
    "games",
    "bots",
    "seed",
    "threads",
    "sample",
    "pace",
    "engine",
    "address",
)  # what only games that are yet to be played need


def run(arguments: argparse.Namespace, words: Catalogue) -> int:
    """Read with a progress bar, then print the summary and write the page."""
    needs("lab", "matplotlib", "pandas", "pyarrow", "scipy", "jinja2")
    needs("web", "sqlalchemy", "alembic")
    from hexdeck.engine.discovery.catalogues import game_words
    from hexdeck.engine.discovery.finding import find_game
    from hexdeck.lab.reporting.played import gathered
    from hexdeck.lab.reporting.played_words import Played, page
    from hexdeck.lab.reporting.report import counts_of
    from hexdeck.simulation.game import game
    from hexdeck.tables.service.archive import Archive

    check(arguments)
    name, options = find_game(arguments.game), chosen_options(arguments)
    for players in counts_of(name, arguments.players, options):
        game(name, players, **options)
    check_files(arguments)
    own, archive = game_words(name, words.lang), Archive(arguments.from_db)
    try:
        total = archive.count(name)
        with ticking(own, name) as tick:
            found = gathered(name, archive.matches(name), arguments.players, options,
                             lambda done: tick(say("matches"), done, total))  # fmt: skip
            look(found, tick)
        left = tuple(left_out(archive.left_out, found.single, found.other))
    finally:
        archive.close()
    if not found.groups:
        raise HexdeckError(nothing(archive.place, name, left, own))
    played = Played(found, left, (arguments.site or SITE).rstrip("/"))
    print_played(played, own)
    if arguments.out is not None:
        put(page(played, own), own, arguments.out)
    if arguments.json is not None:
        from hexdeck.lab.reporting.exported import of_played, written
        from hexdeck.lab.reporting.played_words import found_of

        said = [each.text for _group, each in found_of(played)]
        put(written(of_played(played, said, own)), own, arguments.json)
    return 130 if found.interrupted else 0


def look(found: Gathered, tick: Tick) -> None:
    """Look inside the matches of each group, for as long as a report does; interrupted, leave the rest out."""
    from hexdeck.lab.reporting.report import LOOKING, SECONDS

    try:
        for group in [] if found.interrupted else found.groups:
            looking, first = say(LOOKING, players=group.game.players), len(group.first)
            group.look(SECONDS / len(found.groups), os.cpu_count() or 1, partial(on, tick, looking, first))
    except KeyboardInterrupt:
        found.interrupted = True


def on(tick: Tick, what: Text, of: int, done: int, _spent: float) -> None:
    """Progress on one thing."""
    tick(what, done, of)


def check(arguments: argparse.Namespace) -> None:
    """Raise BadOption for what says nothing about matches that were played, and for a site that is no address."""
    for name in UNASKED:
        if getattr(arguments, name) is not None:
            text = _("--{name} is for games that bots are to play; leave it out with --from-db.")
            raise BadOption(say(text, name=name))
    if arguments.site and not re.fullmatch(r"https?://[^\s/\"'<>]+(/[^\s\"'<>?#]*)?", arguments.site):
        text = _("{site} is no address of a server; write http://… or https://…")
        raise BadOption(say(text, site=arguments.site[:80]))


def left_out(left: Counter[str], single: int, other: int) -> Iterator[Text]:
    """What was left out and why, a sentence each."""
    from hexdeck.tables.service.archive import CLOSED, DAMAGED, GOING, OLDER

    said = {
        GOING: say_n("Left out: {n} table whose match isn't over; nothing of it was read.",
                     "Left out: {n} tables whose matches aren't over; nothing of them was read.", left[GOING]),
        CLOSED: say_n("Left out: {n} table that was closed in the middle, for its game had changed.",
                      "Left out: {n} tables that were closed in the middle, for their game had changed.", left[CLOSED]),
        OLDER: say_n("Left out: {n} match that followed older rules of the game.",
                     "Left out: {n} matches that followed older rules of the game.", left[OLDER]),
        DAMAGED: say_n("Left out: {n} match that can't be played again from what is stored.",
                       "Left out: {n} matches that can't be played again from what is stored.", left[DAMAGED]),
    }  # fmt: skip
    yield from (text for reason, text in said.items() if left[reason])
    if single:
        yield say_n("Left out: {n} match that is the only one of its options and number of players: one tells nothing.",
                    "Left out: {n} matches, each the only one of its options and number of players: one tells nothing.",
                    single)  # fmt: skip
    if other:
        yield say_n("Left out: {n} match with other options or numbers of players than you asked for.",
                    "Left out: {n} matches with other options or numbers of players than you asked for.",
                    other)  # fmt: skip


def nothing(place: str, name: str, left: tuple[Text, ...], own: Catalogue) -> Text:
    """What is said where there is nothing to report on."""
    why = " ".join(own.words(each) for each in left)
    text = _("In {place} there aren't two matches of {game} alike to report on. {why}")
    return say(text, place=place, game=name, why=why)


def print_played(played: Played, own: Catalogue) -> None:
    """The findings, and for each setting results, length and company."""
    from rich.console import Console

    from hexdeck.lab.reporting.played_words import (
        NOTHING,
        company,
        found_of,
        inside,
        intro,
        known,
        length,
        pointed,
        title,
    )
    from hexdeck.lab.reporting.sections import endings, seats

    console, t = Console(emoji=False), own.words
    console.print(t(say("Played: {title}", title=played.table.TITLE)), style="bold")
    for line in intro(played):
        console.print(t(line), highlight=False)
    print_findings(console, [pointed(played, *each, own) for each in found_of(played)], t(NOTHING))
    for group in played.gathered.groups:
        for section in (
            seats(group.part, known(group, played.tests)),
            length(group),
            endings(group.part),
            *inside(group.part),
            *company(group),
        ):
            show_table(console, section, own, t(title(group)))
