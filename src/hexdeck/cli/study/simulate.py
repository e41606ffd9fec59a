"""`hexdeck simulate GAME`: many games between bots, counted as reports count them, and what reports say of them."""

from __future__ import annotations

import argparse
import re
import sys
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hexdeck.cli.figures import alone, check_figures, give, head
from hexdeck.cli.help_pages import default
from hexdeck.cli.lines import tell
from hexdeck.cli.output import bars, make_console, show_table
from hexdeck.cli.parser import add_game, add_game_arguments, add_json, chosen_game, needs
from hexdeck.cli.study.arguments import add_counting_engine, add_play, check_engine, check_limits, chosen_setup
from hexdeck.engine.errors import BadOption
from hexdeck.engine.number_words import count
from hexdeck.engine.text import Catalogue, _, say

if TYPE_CHECKING:
    from hexdeck.lab.log import SimulationSetup
    from hexdeck.lab.reporting.report import Part

ABOUT = say("let bots play many games, and show who wins")
EXAMPLES = (
    "hexdeck simulate hawthorn --players 3 --games 10000",
    "hexdeck simulate cursed-hand --bots house random random random --json",
)
GAMES = 10_000  # unless --games is given


def add(parser: argparse.ArgumentParser, text: Any) -> None:
    """`hexdeck simulate GAME --games N …`."""
    add_game(parser, text)
    add_game_arguments(parser, text)
    add_play(parser, text, default(say("number of games"), GAMES), GAMES)
    add_json(parser, text)
    parser.add_argument(
        "--out", type=Path, metavar=text(say("FOLDER")),
        help=text(say("write every game and every decision to this folder, as Parquet; resumes what is there "
                      "(default: no folder)")),
    )  # fmt: skip
    parser.add_argument(
        "--shards", metavar="A-B",
        help=text(say("with --out: only these shards of 10,000 games each, counted from 0, for machines that share a "
                      "folder (default: all)")),
    )  # fmt: skip
    about = say("with --out: where the games are played, in threads of this process or on a Ray cluster")
    add_counting_engine(parser, text, about)


def run(arguments: argparse.Namespace, words: Catalogue) -> int:
    """Simulate with a progress bar, then print the tables; with --out, write the games instead."""
    from hexdeck.cli.cost import tell_cost
    from hexdeck.cli.prepare import prepare
    from hexdeck.engine.discovery.catalogues import game_words
    from hexdeck.lab.reporting.wording import INTERRUPTED

    check_out(arguments)
    check_figures(arguments)
    setup = chosen_setup(chosen_game(arguments), arguments)
    check_limits(arguments, fewest=1)
    catalogue = game_words(setup.game.name, words.lang)
    prepare(setup.game.name, catalogue, counts=arguments.engine == "threads", whole=False)
    only = chosen_shards(arguments)
    total = games_of(only, arguments.games)
    tell_cost(catalogue, setup, total)
    with bars(catalogue) as progress:
        tick = partial(progress.advance, progress.add_task(catalogue.words(setup.game.table.ABOUT.title), total=total))
        if arguments.out is not None:
            return write_games(setup, arguments, only, catalogue, tick)
        part, seconds = played(setup, arguments.games, tick)
    give(figures(setup, part, seconds), arguments, catalogue)
    if part.statistics.interrupted:
        tell(catalogue.words(INTERRUPTED), sys.stderr)
    if not alone(arguments):
        print_results(part, catalogue, seconds)
    return 130 if part.statistics.interrupted else 0


def played(setup: SimulationSetup, games: int, tick: Callable[[int], None]) -> tuple[Part, float]:
    """What is known of the games, and the seconds that they took; after an interrupt, of those that were finished."""
    from hexdeck.lab.counts import collect
    from hexdeck.lab.evenings import study_evenings
    from hexdeck.lab.reporting.report import part_of

    collect(setup, 1)  # may include compilation
    began = time.perf_counter()
    statistics = collect(setup, games, progress=tick)
    seconds = time.perf_counter() - began
    return part_of(setup, statistics, evening=study_evenings(setup, len(statistics))), seconds


def check_out(arguments: argparse.Namespace) -> None:
    """Raise BadOption for arguments that need --out, HexdeckError where packages are missing."""
    text = _("--{name} goes with --{other}; give that too.")
    if arguments.out is None:
        for name, given in (("shards", arguments.shards), ("engine", arguments.engine != "threads")):
            if given:
                raise BadOption(say(text, name=name, other="out"))
    else:
        needs("lab", "pyarrow")
        if arguments.json is not None:
            raise BadOption(say("--out writes the games and shows no results: leave out --json."))
    check_engine(arguments)


def chosen_shards(arguments: argparse.Namespace) -> range | None:
    """The numbers of the shards that --shards names, None for all; raises BadOption."""
    if arguments.shards is None:
        return None
    found = re.fullmatch(r"(\d{1,9})(?:-(\d{1,9}))?", arguments.shards)
    if not found:
        text = _("{given} names no shards; write --shards 0-9, or --shards 3.")
        raise BadOption(say(text, given=arguments.shards[:40]))
    first = int(found[1])
    return range(first, int(found[2] or first) + 1)


def games_of(only: range | None, games: int) -> int:
    """How many of so many games are in these shards."""
    from hexdeck.lab.store import SHARD

    return games if only is None else max(0, min(games, only.stop * SHARD) - only.start * SHARD)


def write_games(
    setup: SimulationSetup, arguments: argparse.Namespace, only: range | None, catalogue: Catalogue, tick: Any
) -> int:
    """Write the games of some shards, or after an interrupt tell how to go on; returns the exit status."""
    from hexdeck.lab.store import games_in, write

    run = None
    if arguments.engine == "ray":
        from hexdeck.lab.cluster import on_ray

        run = on_ray(arguments.address)
    try:
        games, status = write(setup, arguments.games, arguments.out, tick, only=only, run=run), 0
        text = _("{games} games are in {folder}")
    except KeyboardInterrupt:
        games, status = games_in(arguments.out), 130
        text = _("Interrupted: {games} games are in {folder}; the same command resumes there.")
    tell(catalogue.words(say(text, games=count(games), folder=str(arguments.out))), sys.stderr)
    return status


def figures(setup: SimulationSetup, part: Part, seconds: float) -> dict[str, Any]:
    """All that was counted, as data."""
    from hexdeck.lab.reporting.exported import fields_of
    from hexdeck.lab.reporting.tables import ENDINGS, EVENING, LENGTH, MOVES_MADE, RESULTS

    tables = [table for table in (LENGTH, ENDINGS, MOVES_MADE, EVENING) if table.needed(part)]
    measures = [*RESULTS, *(each for table in tables for each in (*table.measures, *table.hidden))]
    return head("simulation", part.game, interrupted=part.statistics.interrupted) | {
        "bots": list(part.bots), "seed": setup.seed, "games": len(part.statistics), "seconds": seconds,
        "measures": list(fields_of(part, measures)),
    }  # fmt: skip


def print_results(part: Part, catalogue: Catalogue, seconds: float) -> None:
    """Print the tables that reports have of results by seat, length, endings and evenings; then how fast it was."""
    from hexdeck.lab.reporting.report import comparisons
    from hexdeck.lab.reporting.sections import length, of_tables, power, seats
    from hexdeck.lab.reporting.tables import ENDINGS, EVENING

    console, games = make_console(), len(part.statistics)
    title = catalogue.words(say("{title}: {games} games", title=part.game.table.ABOUT.title, games=count(games)))
    seated = seats(part, power(part, comparisons([part.players])))
    for section in (seated, length(part), *of_tables(part, ENDINGS, EVENING)):
        show_table(console, section, catalogue, title)
    console.print(catalogue.words(say("{rate} games a second.", rate=count(round(games / seconds)))))
