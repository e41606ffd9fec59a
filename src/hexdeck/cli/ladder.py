"""`hexdeck ladder GAME`: bots measured against each other."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from hexdeck.cli.parser import Several, add_game_arguments, check_seed, chosen_game
from hexdeck.engine.errors import BadOption
from hexdeck.engine.text import Catalogue, _, say

if TYPE_CHECKING:
    from hexdeck.bots.ladder import Ladder
    from hexdeck.engine.game import Game

ABOUT = say("measure bots against each other")
MOST = 1_000_000


def add(parser: argparse.ArgumentParser, told: Any) -> None:
    """`hexdeck ladder GAME [--players N] [--bots …] [--groups N] [--minutes N] [--clear N] [--save]`."""
    parser.add_argument("game", metavar=told(say("GAME")))
    add_game_arguments(parser, told)
    parser.add_argument(
        "--bots",
        nargs="+",
        action=Several,
        default=[],
        metavar=told(say("NAME")),
        help=told(say("which bots, the weakest first; usually the levels, or the quick ones")),
    )
    parser.add_argument(
        "--groups", type=int, metavar="N", help=told(say("how many deals, each once from every seat; usually 100"))
    )
    parser.add_argument("--minutes", type=float, metavar="N", help=told(say("as many deals as fit in this time")))
    parser.add_argument(
        "--clear",
        type=int,
        metavar="N",
        help=told(say("end a pair after so many deals or more, once its gain is clear")),
    )
    parser.add_argument("--seed", type=int, default=1, metavar="N", help=told(say("deal these cards again")))
    parser.add_argument("--save", action="store_true", help=told(say("measure the levels, and keep the results")))


def run(arguments: argparse.Namespace, words: Catalogue) -> int:
    """Play with a progress bar, then print the table."""
    from hexdeck.bots.ladder import ladder
    from hexdeck.bots.levels import CALIBRATION, USUAL, keep, levels_of
    from hexdeck.bots.players import bot
    from hexdeck.engine.words import game_words

    game = chosen_game(arguments)
    check(arguments, game)
    levels = [CALIBRATION, *levels_of(game)]
    bots = levels if arguments.save else arguments.bots or (levels if levels[1:] else ["random", "gentle", "house"])
    for name in bots:
        bot(name, game)
    own, groups = game_words(game.name, words.lang), groups_asked(arguments)
    near, seconds = ([USUAL] if arguments.save else None), 60 * (arguments.minutes or float("inf"))
    with ticking(own.words(game.table.TITLE)) as tick:
        found = ladder(game, bots, groups, arguments.seed, tick, seconds, near, arguments.clear)
    print_ladder(game, found, own)
    if arguments.save:
        keep(game, found.contests, command(arguments, game))
    return 0


def groups_asked(arguments: argparse.Namespace) -> int:
    """How many deals each pair plays at most."""
    return int(arguments.groups or (MOST if arguments.minutes else 100))


def check(arguments: argparse.Namespace, game: Game) -> None:
    """Raise BadOption for numbers that make no sense, and for what can't be kept."""
    from hexdeck.bots.levels import ENOUGH, default, levels_of, place_of
    from hexdeck.cli.train import can_hold

    text = _("--{name} can't be {number}; it takes {least} to {most}.")
    for name in ("groups", "clear"):
        number = getattr(arguments, name)
        if number is not None and not 2 <= number <= MOST:
            raise BadOption(say(text, name=name, number=str(number)[:20], least=2, most=MOST))
    if arguments.minutes is not None and not 0 < arguments.minutes <= MOST:
        raise BadOption(say("--{name} must be more than 0.", name="minutes"))
    check_seed(arguments.seed)
    if arguments.save and (arguments.bots or dict(game.options) != dict(default(game).options)):
        raise BadOption(say("--save keeps what the levels do with the usual options: leave out --bots and --option."))
    if arguments.save and groups_asked(arguments) < ENOUGH:
        raise BadOption(say("--save keeps no fewer than {least} deals: they say next to nothing.", least=ENOUGH))
    if arguments.save and not can_hold(place_of(game.name)):
        raise BadOption(say("The levels of {game} can't be kept here: the package may not be written.", game=game.name))
    if arguments.save and not levels_of(game):
        raise BadOption(say("{game} has no levels yet: name them in its levels.json first.", game=game.name))


def command(arguments: argparse.Namespace, game: Game) -> str:
    """The command that measures the same again."""
    parts = ["hexdeck", "ladder", game.name, "--players", game.players]
    for key in ("groups", "minutes", "clear", "seed"):
        parts += [f"--{key}", getattr(arguments, key)] if getattr(arguments, key) is not None else []
    return " ".join(map(str, [*parts, "--save"]))


@contextmanager
def ticking(about: str) -> Iterator[Callable[[], None]]:
    """A count of deals on the screen, where there is one."""
    from rich.console import Console
    from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

    columns = (
        SpinnerColumn(),
        TextColumn("{task.description}"),
        TextColumn("{task.completed:,.0f}"),
        TimeElapsedColumn(),
    )
    console = Console(stderr=True)
    with Progress(*columns, console=console, transient=True, disable=not sys.stderr.isatty()) as progress:
        task = progress.add_task(about, total=None)
        yield lambda: progress.advance(task)


def print_ladder(game: Game, ladder: Ladder, own: Catalogue) -> None:
    """Ratings, and how each bot alone does among each other: its utility and its share of first places."""
    from rich.console import Console
    from rich.table import Table

    t = own.words
    about = say("{title}, {players} players", title=game.table.TITLE, players=game.players)
    ratings = Table(title=t(about))
    shares = Table(
        title=t(say("One bot among others: gain over the mean of the others, places, ± 95 %; milliseconds a choice"))
    )
    for column in (say("bot"), say("rating"), say("± (95 %)")):
        ratings.add_column(t(column), justify="right")
    for name, rating, margin in zip(ladder.bots, ladder.ratings, ladder.margins, strict=True):
        ratings.add_row(name, f"{rating:+.0f}", f"{margin:.0f}")
    for column in (say("bot"), say("among"), say("deals"), say("gain"), say("first, %"), say("last, %"), say("ms")):
        shares.add_column(t(column), justify="right")
    for each in ladder.contests:
        gain, first, last = (each.mean(column) for column in ("gain", "first", "last"))
        percent = [f"{100 * mean:.1f} ± {100 * margin:.1f}" for mean, margin in (first, last)]
        result = f"{gain[0]:+.3f} ± {gain[1]:.3f}"
        shares.add_row(each.one, each.others, str(len(each.groups)), result, *percent, f"{each.ms:.2g}")
    console = Console()
    console.print(ratings)
    console.print(shares)
