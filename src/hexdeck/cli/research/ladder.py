"""`hexdeck ladder GAME`: bots measured against each other."""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hexdeck.bots.players.names import kept, spoken
from hexdeck.cli.cost import rounded
from hexdeck.cli.figures import alone, check_figures, give, head
from hexdeck.cli.help_pages import default
from hexdeck.cli.lines import tell, worded
from hexdeck.cli.output import can_hold, columns, make_console
from hexdeck.cli.parser import (
    Several,
    add_game,
    add_game_arguments,
    add_json,
    add_seed,
    check_file,
    check_seed,
    chosen_game,
    how_to_go_on,
)
from hexdeck.cli.research.gains import gain_text, unit_of
from hexdeck.engine.errors import BadOption
from hexdeck.engine.number_words import count, number, signed
from hexdeck.engine.text import Catalogue, Text, _, say

if TYPE_CHECKING:
    from hexdeck.engine.study import Measure
    from hexdeck.research.rating.contest import Contest
    from hexdeck.research.rating.ladder import Ladder
    from hexdeck.simulation.game import Game

ABOUT = say("measure how strong bots are against each other")
EXAMPLES = ("hexdeck ladder hawthorn --players 2 --bots easy house best --minutes 5",)
MOST = 1_000_000
DEALS = 200  # by default
PLACES = ("first", "last")  # whose shares are printed


# --- arguments --------------------------------------------------------------------------------------------------------
def add(parser: argparse.ArgumentParser, t: Any) -> None:
    """`hexdeck ladder GAME [--players N] [--bots …] [--deals N] [--minutes M] [--log FILE] [--save] …`."""
    add_game(parser, t)
    add_game_arguments(parser, t)
    parser.add_argument(
        "--bots", nargs="+", type=kept, action=Several, default=[], metavar=t(say("NAME")),
        help=t(say("bots to measure, the weakest first (default: the levels, or random, easy and house)")),
    )  # fmt: skip
    add_ends(parser, t)
    add_seed(parser, t, 1)
    add_json(parser, t)
    parser.add_argument(
        "--log", type=Path, metavar=t(say("FILE")),
        help=t(say("write the result of each deal to this file; the same command resumes from it (default: no file)")),
    )  # fmt: skip
    parser.add_argument(
        "--save", action="store_true", help=t(say("measure the levels, and store the results with the game"))
    )


def add_ends(parser: argparse.ArgumentParser, t: Any) -> None:
    """How many deals are played."""
    parser.add_argument(
        "--deals", type=int, metavar="N",
        help=t(default(say("deals for each pair of bots, each played once from every seat"), DEALS)),
    )  # fmt: skip
    parser.add_argument(
        "--minutes",
        type=float,
        metavar="M",
        help=t(say("minutes to play, instead of a number of deals (default: until all deals are played)")),
    )
    parser.add_argument(
        "--stop-when-clear", type=int, metavar="N",
        help=t(say("stop a pair once it is clear which bot is better, after at least so many deals (default: never)")),
    )  # fmt: skip


# --- the run ----------------------------------------------------------------------------------------------------------
def run(arguments: argparse.Namespace, words: Catalogue) -> int:
    """Play with a progress bar, then print the table; interrupted, of what was played."""
    from hexdeck.engine.discovery.catalogues import game_words
    from hexdeck.research.rating.ladder import keep

    game = chosen_game(arguments)
    check(arguments, game)
    own = game_words(game.name, words.lang)
    found = played(game, arguments, own)
    give(figures(game, found.contests, found), arguments, own)
    if not alone(arguments):
        print_ladder(game, found, own)
    if found.interrupted:
        tell(words.words(how_to_go_on("log", arguments.log)), sys.stderr)
        return 130
    if arguments.save:
        keep(game, found.contests, command(arguments, game))
    return 0


def played(game: Game, arguments: argparse.Namespace, own: Catalogue) -> Ladder:
    """Play a ladder; raises KeyboardInterrupt where it was interrupted before there was anything to print."""
    from hexdeck.bots.players.levels import USUAL
    from hexdeck.cli.prepare import prepare
    from hexdeck.research.rating.contest import ContestLog
    from hexdeck.research.rating.ladder import ladder, pairs_of
    from hexdeck.simulation.seating import check_bots

    bots = bots_of(game, arguments)
    for name in bots:
        check_bots(game, name)
    near, log = [USUAL] if arguments.save else None, None
    if arguments.log is not None:
        check_file(arguments.log)
        log = ContestLog(arguments.log, game, arguments.seed)
    prepare(game.name, own)
    deals, seconds = deals_asked(arguments), seconds_asked(arguments)
    with ticking(own, own.words(game.table.ABOUT.title), deals * len(pairs_of(bots, near)), seconds) as tick:
        return ladder(game, bots, deals, arguments.seed, tick, seconds, near, arguments.stop_when_clear, log)


def bots_of(game: Game, arguments: argparse.Namespace) -> list[str]:
    """The bots of the ladder, the weakest first."""
    from hexdeck.bots.players.levels import CALIBRATION, levels_of

    levels = [CALIBRATION, *levels_of(game)]
    if arguments.save:
        return levels
    return arguments.bots or (levels if levels[1:] else ["random", "gentle", "house"])


def seconds_asked(arguments: argparse.Namespace) -> float:
    """How long it may take."""
    return 60 * float(arguments.minutes or "inf")


def deals_asked(arguments: argparse.Namespace) -> int:
    """How many deals each pair plays at most."""
    return int(arguments.deals or (MOST if arguments.minutes else DEALS))


# --- what is refused --------------------------------------------------------------------------------------------------
def check(arguments: argparse.Namespace, game: Game) -> None:
    """Raise BadOption for numbers that make no sense, and for what can't be stored."""
    check_numbers(arguments)
    check_figures(arguments)
    check_seed(arguments.seed)
    if arguments.save:
        check_save(arguments, game)
        check_storable(arguments, game)


def check_numbers(arguments: argparse.Namespace) -> None:
    """Raise BadOption for deals or minutes out of range."""
    text = _("--{name} can't be {number}; it takes {least} to {most}.")
    for name in ("deals", "stop_when_clear"):
        given = getattr(arguments, name)
        if given is not None and not 2 <= given <= MOST:
            raise BadOption(say(text, name=name.replace("_", "-"), number=str(given)[:20], least=2, most=MOST))
    if arguments.minutes is not None and not 0 < arguments.minutes <= MOST:
        raise BadOption(say("--{name} must be more than 0.", name="minutes"))


def check_save(arguments: argparse.Namespace, game: Game) -> None:
    """Raise BadOption unless the levels are measured with the usual options."""
    if arguments.bots or game != game.usual():
        raise BadOption(say("--save stores how the levels do with the usual options: leave out --bots and --option."))


def check_storable(arguments: argparse.Namespace, game: Game) -> None:
    """Raise BadOption for too few deals, a place that can't be written, and a game without levels."""
    from hexdeck.bots.players.levels import ENOUGH, levels_file, levels_of

    if deals_asked(arguments) < ENOUGH:
        raise BadOption(say("--save needs at least {least} deals: fewer say next to nothing.", least=ENOUGH))
    if not can_hold(levels_file(game)):
        raise BadOption(say("The levels of {game} can't be stored here: the package isn't writable.", game=game.name))
    if not levels_of(game):
        raise BadOption(say("{game} has no levels yet: name them in its levels.json first.", game=game.name))


# --- what is said of it -----------------------------------------------------------------------------------------------
def command(arguments: argparse.Namespace, game: Game) -> str:
    """The command that measures the same again."""
    parts = ["hexdeck", "ladder", game.name, "--players", game.players]
    for key in ("deals", "minutes", "stop_when_clear", "seed"):
        value = getattr(arguments, key)
        parts += [f"--{key.replace('_', '-')}", value] if value is not None else []
    return " ".join(map(str, [*parts, "--save"]))


@contextmanager
def ticking(own: Catalogue, about: str, deals: int, seconds: float) -> Iterator[Callable[[], None]]:
    """A progress bar with the time left, on a terminal; it ends after so many deals or seconds, what comes first."""
    from rich.progress import Progress

    console = make_console(stderr=True)
    with Progress(*columns(own), console=console, transient=True, disable=not sys.stderr.isatty()) as progress:
        task, began, played = progress.add_task(about, total=1.0, played=0), time.monotonic(), 0

        def tick() -> None:
            nonlocal played
            played += 1
            part = max(played / max(1, deals), (time.monotonic() - began) / seconds)
            progress.update(task, completed=min(1.0, part), played=played)

        yield tick


def figures(game: Game, contests: Sequence[Contest], found: Ladder | None = None) -> dict[str, Any]:
    """Ratings, if there are any, and contests as data: of each column the mean and its 95 % interval."""
    columns = "utility", "first", "last", "ahead", "gain"
    rated = [] if found is None else zip(found.bots, found.ratings, found.margins, strict=True)
    return head("ladder", game, interrupted=any(each.interrupted for each in contests)) | {
        "ratings": [{"bot": name, "rating": rating, "margin": margin} for name, rating, margin in rated],
        "contests": [
            {"bot": each.one, "among": each.others, "deals": len(each.groups), "ms": each.ms,
             **{name: column_figures(each, name) for name in columns}}
            for each in contests
        ],
    }  # fmt: skip


def column_figures(found: Contest, column: str) -> dict[str, float]:
    """A column of a contest as data: its mean, half the width of its 95 % interval, and the ends of that."""
    (mean, _half), (low, high) = found.mean(column), found.ends(column)
    return {"mean": mean, "margin": (high - low) / 2, "low": low, "high": high}


def print_ladder(game: Game, ladder: Ladder, own: Catalogue) -> None:
    """Print the ratings, and the contests."""
    from rich.table import Table

    t = worded(own)
    about = say("{title}, {players} players", title=game.table.ABOUT.title, players=game.players)
    ratings = Table(title=t(about))
    for column in (say("bot"), say("Elo rating"), say("± (95 %)")):
        ratings.add_column(t(column), justify="right", overflow="fold")
    for name, rating, margin in zip(ladder.bots, ladder.ratings, ladder.margins, strict=True):
        ratings.add_row(spoken(name), t(signed(rating, 0)), t(number(margin, 0)))
    make_console().print(ratings)
    print_contests(ladder.contests, unit_of(game), own)


def share_text(found: Contest, column: str) -> Text:
    """A share of a contest in percent, with the ends of its 95 % interval."""
    value, low, high = (number(100 * each, 1) for each in (found.mean(column)[0], *found.ends(column)))
    return say("{number} ({low} to {high})", number=value, low=low, high=high)


def print_contests(contests: Sequence[Contest], measure: Measure, own: Catalogue) -> None:
    """Print contests: the gain of one bot among others, in units of `measure`, its shares of places, its time."""
    from rich.table import Table

    t = worded(own)
    shares = Table(
        title=t(
            say(
                "One bot among others: how far it ends a match ahead of their mean, how often it comes first and "
                "last, with 95 % intervals; milliseconds a choice"
            )
        )
    )
    for column in (say("bot"), say("among"), say("deals"), say("ahead"), say("first, %"), say("last, %"), say("ms")):
        shares.add_column(t(column), justify="right", overflow="fold")
    for each in contests:
        gain, percent = t(gain_text(measure, *each.mean("gain"))), [t(share_text(each, column)) for column in PLACES]
        bots, deals = (spoken(each.one), spoken(each.others)), t(count(len(each.groups)))
        shares.add_row(*bots, deals, gain, *percent, t(rounded(each.ms)))
    make_console().print(shares)
