"""`hexdeck ladder GAME`: bots measured against each other."""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hexdeck.cli.parser import Several, add_game_arguments, check_file, check_seed, chosen_game, how_to_go_on
from hexdeck.engine.errors import BadOption
from hexdeck.engine.text import Catalogue, _, say

if TYPE_CHECKING:
    from hexdeck.bots.rating.contest import Contest
    from hexdeck.bots.rating.ladder import Ladder
    from hexdeck.simulation.game import Game

ABOUT = say("measure bots against each other")
MOST = 1_000_000


def add(parser: argparse.ArgumentParser, told: Any) -> None:
    """`hexdeck ladder GAME [--players N] [--bots …] [--groups N] [--minutes N] [--clear N] [--rows FILE] [--save]`."""
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
    parser.add_argument(
        "--rows", type=Path, metavar=told(say("FILE")),
        help=told(say("write what came of each deal there; the same command goes on where it was interrupted")),
    )  # fmt: skip
    parser.add_argument("--save", action="store_true", help=told(say("measure the levels, and keep the results")))
    parser.add_argument(
        "--more", action="store_true",
        help=told(say("with --save: only levels that say too little yet, up to so many deals with those kept")),
    )  # fmt: skip


def run(arguments: argparse.Namespace, words: Catalogue) -> int:
    """Play with a progress bar, then print the table: interrupted, of what was played."""
    from hexdeck.bots.rating.kept_levels import keep, keep_more
    from hexdeck.engine.discovery.catalogues import game_words

    game = chosen_game(arguments)
    check(arguments, game)
    own = game_words(game.name, words.lang)
    if arguments.more:
        contests = further(game, arguments, own)
        print_contests(contests, own)
        if contests:
            keep_more(game, contests, command(arguments, game))
        return 130 if any(each.interrupted for each in contests) else 0
    found = climbed(game, arguments, own)
    print_ladder(game, found, own)
    if found.interrupted:
        print(words.words(how_to_go_on("rows", arguments.rows)), file=sys.stderr)
        return 130
    if arguments.save:
        keep(game, found.contests, command(arguments, game))
    return 0


def climbed(game: Game, arguments: argparse.Namespace, own: Catalogue) -> Ladder:
    """Play a ladder; raises KeyboardInterrupt where it was interrupted before there was anything to tell."""
    from hexdeck.bots.players.levels import CALIBRATION, USUAL, levels_of
    from hexdeck.bots.rating.contest_log import ContestLog
    from hexdeck.bots.rating.ladder import ladder, pairs_of
    from hexdeck.cli.prepare import prepare
    from hexdeck.simulation.seating import check_bots

    levels = [CALIBRATION, *levels_of(game)]
    bots = levels if arguments.save else arguments.bots or (levels if levels[1:] else ["random", "gentle", "house"])
    for name in bots:
        check_bots(game, name)
    near, book = [USUAL] if arguments.save else None, None
    if arguments.rows is not None:
        check_file(arguments.rows)
        book = ContestLog(arguments.rows, game, arguments.seed)
    prepare(game.name, own)
    groups, seconds = groups_asked(arguments), seconds_asked(arguments)
    with ticking(own.words(game.table.TITLE), groups * len(pairs_of(bots, near)), seconds) as tick:
        return ladder(game, bots, groups, arguments.seed, tick, seconds, near, arguments.clear, book)


def further(game: Game, arguments: argparse.Namespace, own: Catalogue) -> tuple[Contest, ...]:
    """Play further deals of what says too little."""
    from hexdeck.bots.players.levels import lacking
    from hexdeck.bots.rating.ladder import more
    from hexdeck.cli.prepare import prepare

    prepare(game.name, own)
    groups, seconds = groups_asked(arguments), seconds_asked(arguments)
    with ticking(own.words(game.table.TITLE), groups * len(lacking(game)), seconds) as tick:
        return more(game, groups, arguments.seed, tick, seconds, arguments.clear)


def seconds_asked(arguments: argparse.Namespace) -> float:
    """How long it may take."""
    return 60 * float(arguments.minutes or "inf")


def groups_asked(arguments: argparse.Namespace) -> int:
    """How many deals each pair plays at most."""
    return int(arguments.groups or (MOST if arguments.minutes else 100))


def check(arguments: argparse.Namespace, game: Game) -> None:
    """Raise BadOption for numbers that make no sense, and for what can't be kept."""
    from hexdeck.bots.players.levels import ENOUGH, default, levels_of, place_of
    from hexdeck.cli.output import can_hold

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
    if arguments.more and not arguments.save:
        raise BadOption(say("--{name} goes with --{other}; give that too.", name="more", other="save"))
    if arguments.more and arguments.rows is not None:
        raise BadOption(say("--more goes on from the deals that are kept: leave out --rows."))
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
    return " ".join(map(str, [*parts, "--save", *(["--more"] if arguments.more else [])]))


@contextmanager
def ticking(about: str, deals: int, seconds: float) -> Iterator[Callable[[], None]]:
    """A bar with the time left, where there is a screen: until so many deals or seconds, what comes first."""
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        TextColumn("{task.fields[played]:,}"),
        TimeRemainingColumn(),
    )
    console = Console(stderr=True)
    with Progress(*columns, console=console, transient=True, disable=not sys.stderr.isatty()) as progress:
        task, began, played = progress.add_task(about, total=1.0, played=0), time.monotonic(), 0

        def tick() -> None:
            nonlocal played
            played += 1
            part = max(played / max(1, deals), (time.monotonic() - began) / seconds)
            progress.update(task, completed=min(1.0, part), played=played)

        yield tick


def print_ladder(game: Game, ladder: Ladder, own: Catalogue) -> None:
    """Ratings, and how each bot alone does among each other."""
    from rich.console import Console
    from rich.table import Table

    t = own.words
    about = say("{title}, {players} players", title=game.table.TITLE, players=game.players)
    ratings = Table(title=t(about))
    for column in (say("bot"), say("rating"), say("± (95 %)")):
        ratings.add_column(t(column), justify="right", overflow="fold")
    for name, rating, margin in zip(ladder.bots, ladder.ratings, ladder.margins, strict=True):
        ratings.add_row(name, f"{rating:+.0f}", f"{margin:.0f}")
    Console(emoji=False).print(ratings)
    print_contests(ladder.contests, own)


def print_contests(contests: Sequence[Contest], own: Catalogue) -> None:
    """How each bot alone does among each other: its gain, its shares of first and of last places, its time."""
    from rich.console import Console
    from rich.table import Table

    t = own.words
    shares = Table(
        title=t(say("One bot among others: gain over the mean of the others, places, ± 95 %; milliseconds a choice"))
    )
    for column in (say("bot"), say("among"), say("deals"), say("gain"), say("first, %"), say("last, %"), say("ms")):
        shares.add_column(t(column), justify="right", overflow="fold")
    for each in contests:
        gain, first, last = (each.mean(column) for column in ("gain", "first", "last"))
        percent = [f"{100 * mean:.1f} ± {100 * margin:.1f}" for mean, margin in (first, last)]
        result = f"{gain[0]:+.3f} ± {gain[1]:.3f}"
        shares.add_row(each.one, each.others, str(len(each.groups)), result, *percent, f"{each.ms:.2g}")
    Console(emoji=False).print(shares)
