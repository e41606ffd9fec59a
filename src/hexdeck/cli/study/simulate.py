"""`hexdeck simulate GAME`: many games between bots, and a table of what came of them."""

from __future__ import annotations

import argparse
import os
import re
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hexdeck.cli.parser import Several, add_game_arguments, chosen_game, needs
from hexdeck.engine.errors import BadOption
from hexdeck.engine.text import Catalogue, _, say

if TYPE_CHECKING:
    from hexdeck.engine.play.playouts import Results
    from hexdeck.lab.runs.store import Runner
    from hexdeck.simulation.game import Game

ABOUT = say("let bots play many games and show who wins")
MOST_GAMES, MOST_THREADS = 100_000_000, 1000
PART = 2.0  # seconds that games are played at once: what an interrupt leaves out


def add(parser: argparse.ArgumentParser, told: Any) -> None:
    """`hexdeck simulate GAME --games N …`."""
    parser.add_argument("game", metavar=told(say("GAME")))
    add_game_arguments(parser, told)
    parser.add_argument("--games", type=int, default=10_000, metavar="N", help=told(say("how many games")))
    parser.add_argument(
        "--bots",
        nargs="+",
        action=Several,
        default=["house"],
        metavar=told(say("NAME")),
        help=told(say("any bot: house, gentle and random are the quickest, nets nearly so; one for all or one a seat")),
    )
    parser.add_argument("--seed", type=int, default=0, metavar="N", help=told(say("deal these cards again")))
    parser.add_argument(
        "--out", type=Path, metavar=told(say("FOLDER")),
        help=told(say("write a table of games and one of decisions there, as Parquet; go on if some are there")),
    )  # fmt: skip
    parser.add_argument(
        "--threads", type=int, default=os.cpu_count() or 1, metavar="N", help=told(say("how many at once"))
    )
    parser.add_argument(
        "--shards", metavar="A-B",
        help=told(say("with --out: only these shards of 10,000 games, from 0 on, for machines that share a folder")),
    )  # fmt: skip
    parser.add_argument(
        "--engine", choices=("threads", "ray"), default="threads",
        help=told(say("with --out: what plays, threads of this process or a Ray cluster")),
    )  # fmt: skip
    parser.add_argument(
        "--address", metavar=told(say("ADDRESS")),
        help=told(say("of the Ray cluster, such as auto or HOST:PORT; without it, one on this machine")),
    )  # fmt: skip


def run(arguments: argparse.Namespace, words: Catalogue) -> int:
    """Simulate with a progress bar, then print the table."""
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

    from hexdeck.cli.cost import tell_cost
    from hexdeck.cli.prepare import prepare
    from hexdeck.engine.discovery.catalogues import game_words
    from hexdeck.lab.reporting.number_format import INTERRUPTED
    from hexdeck.simulation.seating import check_bots

    check_out(arguments)
    game = chosen_game(arguments)
    check_bots(game, arguments.bots)
    for name, number, most in (("games", arguments.games, MOST_GAMES), ("threads", arguments.threads, MOST_THREADS)):
        if not 1 <= number <= most:
            text = _("--{name} can't be {number}; it takes 1 to {most}.")
            raise BadOption(say(text, name=name, number=str(number)[:20], most=most))
    own, errors = game_words(game.name, words.lang), Console(stderr=True)
    prepare(game.name, own, counts=arguments.out is not None and arguments.engine == "threads", whole=False)
    only = chosen_shards(arguments)
    tell_cost(own, game, arguments.bots, games_of(only, arguments.games), arguments.threads)
    columns = TextColumn("{task.description}"), BarColumn(), TextColumn("{task.completed:,.0f}"), TimeRemainingColumn()
    with Progress(*columns, console=errors, transient=True, disable=not sys.stderr.isatty()) as progress:
        task = progress.add_task(own.words(game.table.TITLE), total=games_of(only, arguments.games))
        if arguments.out is not None:
            return put(game, arguments, only, own, lambda done: progress.advance(task, done))
        game.simulate(1, arguments.bots, arguments.seed)
        began = time.perf_counter()
        results = played(game, arguments, lambda done: progress.advance(task, done))
        seconds = time.perf_counter() - began
    interrupted = len(results) < arguments.games
    if interrupted:
        errors.print(own.words(INTERRUPTED))
    print_table(game, results, arguments.bots, own, seconds)
    return 130 if interrupted else 0


def played(game: Game, arguments: argparse.Namespace, tick: Callable[[int], None]) -> Results:
    """The games, some at a time; interrupted, those that were finished, if there are any."""
    parts: list[Results] = []
    at, size = 0, arguments.threads
    try:
        while at < arguments.games:
            began, some = time.perf_counter(), min(size, arguments.games - at)
            parts.append(
                game.simulate(some, arguments.bots, arguments.seed, arguments.threads, first=at, progress=tick)
            )
            at += some
            size = 2 * size if time.perf_counter() < began + PART else size
    except KeyboardInterrupt:
        if not parts:
            raise
    return together(parts)


def together(parts: Sequence[Results]) -> Results:
    """The games of several simulations."""
    import numpy as np

    columns = ("returns", "moves", "chances", "endings")
    whole: dict[str, Any] = {name: np.concatenate([getattr(each, name) for each in parts]) for name in columns}
    return replace(parts[0], **whole)


def check_out(arguments: argparse.Namespace) -> None:
    """Raise HexdeckError for what only goes with --out or Ray, and where packages are missing."""
    text = _("--{name} goes with --{other}; give that too.")
    if arguments.out is None:
        for name, given in (("shards", arguments.shards), ("engine", arguments.engine != "threads")):
            if given:
                raise BadOption(say(text, name=name, other="out"))
    else:
        needs("lab", "pyarrow")
    if arguments.engine == "ray":
        needs("ray", "ray")
    elif arguments.address is not None:
        raise BadOption(say(text, name="address", other="engine ray"))


def chosen_shards(arguments: argparse.Namespace) -> range | None:
    """The shards that --shards names; raises BadOption."""
    if arguments.shards is None:
        return None
    found = re.fullmatch(r"(\d{1,9})(?:-(\d{1,9}))?", arguments.shards)
    if not found:
        text = _("{given} names no shards; write --shards 0-9, or --shards 3.")
        raise BadOption(say(text, given=arguments.shards[:40]))
    first = int(found[1])
    return range(first, int(found[2] or first) + 1)


def games_of(only: range | None, games: int) -> int:
    """How many of the games are in these shards."""
    from hexdeck.lab.runs.store import SHARD

    return games if only is None else max(0, min(games, only.stop * SHARD) - only.start * SHARD)


def put(
    game: Game, arguments: argparse.Namespace, only: range | None, own: Catalogue, tick: Callable[[int], None]
) -> int:
    """Write the games; interrupted, say how to go on."""
    from rich.console import Console

    from hexdeck.lab.runs.store import write

    console = Console(stderr=True)
    try:
        games = write(game, arguments.games, arguments.out, arguments.bots, arguments.seed, arguments.threads,
                      progress=tick, only=only, run=runner(arguments))  # fmt: skip
    except KeyboardInterrupt:
        console.print(own.words(say("Interrupted: the same command goes on where it was.")))
        return 130
    console.print(
        own.words(say("{games} games are in {folder}", games=games, folder=str(arguments.out))), soft_wrap=True
    )
    return 0


def runner(arguments: argparse.Namespace) -> Runner | None:
    """What plays the shards, if not threads."""
    if arguments.engine != "ray":
        return None
    from hexdeck.lab.runs.cluster import on_ray

    return on_ray(arguments.address)


def print_table(game: Game, results: Results, bots: list[str], own: Catalogue, seconds: float) -> None:
    """Result by seat with 95 % intervals, length, endings, speed."""
    from rich.console import Console
    from rich.table import Table

    t = own.words
    named = bots if len(bots) > 1 else bots * game.players
    table = Table(title=t(say("{title}: {games} games", title=game.table.TITLE, games=f"{len(results):,}")))
    for column in (say("seat"), say("bot"), say("mean result"), say("± (95 %)"), say("best, % of games")):
        table.add_column(t(column), justify="right")
    best = (results.returns == results.returns.max(axis=1, keepdims=True)).mean(axis=0)
    margins = [f"{margin:.4f}" for margin in results.margins()] if len(results) > 1 else ["–"] * game.players
    for seat, mean in enumerate(results.means()):
        table.add_row(str(seat), named[seat], f"{mean:+.4f}", margins[seat], f"{100 * best[seat]:.1f}")
    console = Console(emoji=False)
    console.print(table)
    moves, chances = results.moves.mean(), results.chances.mean()
    console.print(
        t(say("Mean length: {moves} moves, {chances} chance events.", moves=f"{moves:.1f}", chances=f"{chances:.1f}"))
    )
    said = dict(zip(results.reasons, map(t, game.table.ENDED), strict=True))
    ended = ", ".join(f"{said[name]} {100 * count / len(results):.1f} %" for name, count in results.ended().items())
    console.print(t(say("Endings: {ended}.", ended=ended)))
    console.print(t(say("{rate} games a second.", rate=f"{len(results) / seconds:,.0f}")))
