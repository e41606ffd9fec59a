"""`hexdeck ladder GAME`: bots measured against each other."""

from __future__ import annotations

import argparse
import sys
from typing import TYPE_CHECKING, Any

from hexdeck.cli.parser import add_game_arguments, chosen_game
from hexdeck.engine.errors import BadOption
from hexdeck.engine.text import Catalogue, _, say

if TYPE_CHECKING:
    from hexdeck.bots.ladder import Ladder
    from hexdeck.engine.game import Game

ABOUT = say("measure bots against each other")
MOST = 1_000_000


def add(parser: argparse.ArgumentParser, told: Any) -> None:
    """`hexdeck ladder GAME [--players N] [--bots …] [--groups N] [--save]`."""
    parser.add_argument("game", metavar=told(say("GAME")))
    add_game_arguments(parser, told)
    parser.add_argument(
        "--bots",
        nargs="+",
        default=[],
        metavar=told(say("NAME")),
        help=told(say("which bots, the weakest first; usually the levels, or the quick ones")),
    )
    parser.add_argument(
        "--groups", type=int, default=100, metavar="N", help=told(say("how many deals, each once from every seat"))
    )
    parser.add_argument("--seed", type=int, default=1, metavar="N", help=told(say("deal these cards again")))
    parser.add_argument("--save", action="store_true", help=told(say("keep the results with the game's levels")))


def run(arguments: argparse.Namespace, words: Catalogue) -> int:
    """Play with a progress bar, then print the table."""
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

    from hexdeck.bots.ladder import ladder
    from hexdeck.bots.levels import keep, levels_of
    from hexdeck.bots.players import bot
    from hexdeck.engine.words import game_words

    game = chosen_game(arguments)
    bots = arguments.bots or list(levels_of(game)) or ["random", "gentle", "house"]
    if not 1 <= arguments.groups <= MOST:
        text = _("--{name} can't be {number}; it takes 1 to {most}.")
        raise BadOption(say(text, name="groups", number=str(arguments.groups)[:20], most=MOST))
    for name in bots:
        bot(name, game)
    own, errors = game_words(game.name, words.lang), Console(stderr=True)
    columns = TextColumn("{task.description}"), BarColumn(), TextColumn("{task.completed:,.0f}"), TimeRemainingColumn()
    with Progress(*columns, console=errors, transient=True, disable=not sys.stderr.isatty()) as progress:
        task = progress.add_task(own.words(game.table.TITLE), total=arguments.groups * len(bots) * (len(bots) - 1) / 2)
        found = ladder(game, bots, arguments.groups, arguments.seed, lambda: progress.advance(task))
    print_ladder(game, found, own)
    if arguments.save:
        keep(game, found.contests, f"hexdeck ladder {game.name} --players {game.players} --groups {arguments.groups}")
    return 0


def print_ladder(game: Game, ladder: Ladder, own: Catalogue) -> None:
    """Ratings, and how each bot alone does among each other: its utility and its share of first places."""
    from rich.console import Console
    from rich.table import Table

    t = own.words
    about = say("{title}, {players} players", title=game.table.TITLE, players=game.players)
    ratings = Table(title=t(about))
    shares = Table(title=t(say("One bot among others: mean result, and share of first places, ± 95 %")))
    for column in (say("bot"), say("rating"), say("± (95 %)")):
        ratings.add_column(t(column), justify="right")
    for name, rating, margin in zip(ladder.bots, ladder.ratings, ladder.margins, strict=True):
        ratings.add_row(name, f"{rating:+.0f}", f"{margin:.0f}")
    for column in (say("bot"), say("among"), say("mean result"), say("first, %"), say("last, %")):
        shares.add_column(t(column), justify="right")
    for each in ladder.contests:
        utility, first, last = (each.mean(column) for column in ("utility", "first", "last"))
        percent = [f"{100 * mean:.1f} ± {100 * margin:.1f}" for mean, margin in (first, last)]
        shares.add_row(each.one, each.others, f"{utility[0]:+.3f} ± {utility[1]:.3f}", *percent)
    console = Console()
    console.print(ratings)
    console.print(shares)
