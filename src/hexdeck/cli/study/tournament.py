"""`hexdeck tournament GAME BOT BOT …`: bots of ours and programs of anybody on the same deals."""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hexdeck.cli.output import ticking
from hexdeck.cli.parser import add_game_arguments, check_file, chosen_game, needs
from hexdeck.engine.errors import BadOption
from hexdeck.engine.text import Catalogue, _, say

if TYPE_CHECKING:
    from hexdeck.lab.runs.tournament import Played, Tournament
    from hexdeck.simulation.game import Game

ABOUT = say("bots, and programs of anybody, on the same deals in all seatings: ratings and a crosstable")
MOST_DEALS, MOST_THINK, MOST_JOBS = 1_000_000, 3600, 1000
EVERY = 10.0  # seconds between two times that the file is written


def add(parser: argparse.ArgumentParser, told: Any) -> None:
    """`hexdeck tournament GAME BOT BOT … [--players N] [--deals N] [--think S] [--out FILE]`."""
    parser.add_argument("game", metavar=told(say("GAME")))
    parser.add_argument(
        "bots", nargs="+", metavar=told(say("BOT")),
        help=told(say("a bot, or run:COMMAND for a program that reads views and answers moves")),
    )  # fmt: skip
    add_game_arguments(parser, told)
    parser.add_argument(
        "--deals", type=int, default=20, metavar="N", help=told(say("how many deals, each in all seatings"))
    )
    parser.add_argument("--seed", type=int, default=1, metavar="N", help=told(say("deal these cards again")))
    parser.add_argument(
        "--think", type=float, default=10.0, metavar=told(say("SECONDS")),
        help=told(say("how long a program may take for a move before it loses the game")),
    )  # fmt: skip
    parser.add_argument(
        "--jobs", type=int, default=1, metavar="N",
        help=told(say("how many games at once, each with programs of its own; the results are the same")),
    )  # fmt: skip
    parser.add_argument(
        "--out",
        type=Path,
        metavar=told(say("FILE")),
        help=told(say("write a row for each game there, as Parquet; go on if some are there")),
    )


def run(arguments: argparse.Namespace, words: Catalogue) -> int:
    """Play with a progress bar, then print ratings and the crosstable."""
    needs("lab", "scipy", "pandas", "pyarrow")
    from hexdeck.engine.discovery.catalogues import game_words
    from hexdeck.lab.runs.tournament import entered, seatings, tournament

    game = chosen_game(arguments)
    check(arguments)
    check_file(arguments.out)
    for name in arguments.bots:
        entered(name, game, arguments.think)
    own = game_words(game.name, words.lang)
    before, keep = kept(arguments, game)
    total = arguments.deals * len(seatings(game.players, arguments.bots))
    try:
        with ticking(own, game.name) as tick:
            found = tournament(
                game, arguments.bots, arguments.deals, arguments.seed, arguments.think,
                lambda done: tick(say("games"), done, total), before=before, keep=keep,
                jobs=arguments.jobs,
            )  # fmt: skip
    except KeyboardInterrupt:
        go_on(arguments, own)
        return 130
    print_tournament(found, own)
    if found.deals == arguments.deals:
        return 0
    go_on(arguments, own)
    return 130


def kept(arguments: argparse.Namespace, game: Game) -> tuple[list[Played], Callable[[Tournament, bool], None]]:
    """The games that are in the file already, and what keeps it up to date, now and then and at the end."""
    if arguments.out is None:
        return [], lambda _found, _last: None
    from hexdeck.lab.runs.standings import about, load, save

    wanted = about(game, tuple(arguments.bots), arguments.seed, arguments.think)
    written = time.monotonic()

    def keep(found: Tournament, last: bool) -> None:
        nonlocal written
        if last or time.monotonic() > written + EVERY:
            save(found, arguments.out, wanted)
            written = time.monotonic()

    return load(arguments.out, wanted), keep


def go_on(arguments: argparse.Namespace, own: Catalogue) -> None:
    """Say how to go on after an interrupt, if there is a way."""
    from rich.console import Console

    if arguments.out is not None:
        Console(stderr=True).print(own.words(say("Interrupted: the same command goes on where it was.")))


def check(arguments: argparse.Namespace) -> None:
    """Raise BadOption for numbers that make no sense."""
    text = _("--{name} can't be {number}; it takes {least} to {most}.")
    limits: tuple[tuple[str, float, float], ...] = (
        ("deals", 2, MOST_DEALS),
        ("think", 0.01, MOST_THINK),
        ("jobs", 1, MOST_JOBS),
    )
    for name, least, most in limits:
        given = getattr(arguments, name)
        if not least <= given <= most:
            raise BadOption(say(text, name=name, number=str(given)[:20], least=least, most=most))


def print_tournament(found: Tournament, own: Catalogue) -> None:
    """Ratings, the crosstable, and games lost by rule."""
    from rich.console import Console
    from rich.table import Table

    from hexdeck.lab.reporting.sections import hundredths

    t = own.words
    console, title = Console(emoji=False), say("{title}, {players} players", title=found.game.table.TITLE,
                                    players=found.game.players)  # fmt: skip
    ratings = Table(title=t(title))
    for column in (say("bot"), say("rating"), say("± (95 %)"), say("comes first"), say("lost by rule")):
        ratings.add_column(t(column), justify="right", overflow="fold")
    for name, rating in zip(found.bots, found.ratings(), strict=True):
        first, lost = t(hundredths(found.means(name))), str(len(found.forfeits(name)))
        ratings.add_row(name, f"{rating.value:+.0f}", f"{rating.margin:.0f}", first, lost)
    crosstable = Table(title=t(say("How often the bot of the row is ahead of that of the column, in percent")))
    cross = found.crosstable()
    for name in (t(say("bot")), *found.bots):
        crosstable.add_column(name, justify="right", overflow="fold")
    for one in found.bots:
        scores = ["–" if one == other else t(hundredths(cross[one, other])) for other in found.bots]
        crosstable.add_row(one, *scores)
    console.print(ratings)
    console.print(crosstable)
    console.print(t(tables(found)))
    for name in found.bots:
        for each in found.forfeits(name)[:3]:
            text = say("{bot} lost a game by rule: {why}", bot=name, why=each.why)
            console.print(f" • {t(text)}", highlight=False, markup=False)


def tables(found: Tournament) -> Any:
    """How the bots were seated."""
    from hexdeck.lab.runs.tournament import all_seatings, seatings

    players, bots = found.game.players, found.bots
    played, there = len(seatings(players, bots)), all_seatings(players, bots)
    if played == there:
        return say("On each deal they sat in all {n} ways that have different bots at the table.", n=there)
    return say("On each deal they sat in {n} of {all} ways: each alone among each other on every seat, and all in turn "
               "round the table.", n=played, all=there)  # fmt: skip
