"""`hexdeck simulate`: many games between bots, and who wins; or all of them as Parquet."""

import argparse
import re
import sys
import time
from collections.abc import Callable
from functools import partial
from typing import Any

from hexdeck.cli.command_line import check_engine, chosen_game, chosen_setup
from hexdeck.cli.compile import prepare
from hexdeck.cli.output import ENGLISH, CommandResult, bars, head, make_console, show_table, tell, tell_cost
from hexdeck.engine.errors import BadOption
from hexdeck.engine.text import Catalogue, _, count, say
from hexdeck.lab import needs
from hexdeck.lab.counts import collect
from hexdeck.lab.log import SimulationSetup
from hexdeck.lab.reporting.report import ReportPart, comparisons, part_of
from hexdeck.lab.reporting.tables import (
    ENDINGS,
    EVENING,
    LENGTH,
    MOVES_MADE,
    RESULTS,
    fields_of,
    length,
    of_tables,
    power,
    seats,
)
from hexdeck.lab.reporting.wording import INTERRUPTED, changed_options, of
from hexdeck.lab.studies import study_evenings


def run(arguments: argparse.Namespace, _catalogue: Catalogue) -> CommandResult | int:
    """Simulate with a progress bar; with --data, write the games instead."""
    if arguments.data is not None:
        needs("lab", "pyarrow")
    check_engine(arguments)
    setup = chosen_setup(chosen_game(arguments), arguments)
    only, total = chosen_shards(arguments), arguments.games
    if arguments.data is not None:
        from hexdeck.lab.store import SHARD, check_folder

        check_folder(setup, arguments.games, arguments.data, only)
        total = max(0, min(total, only.stop * SHARD) - only.start * SHARD) if only is not None else total
    prepare(setup.game.name, ENGLISH, counts=arguments.engine == "threads", complete=False)
    tell_cost(ENGLISH, setup, total)
    with bars(ENGLISH) as progress:
        tick = partial(progress.advance, progress.add_task(str(setup.game.table.ABOUT.title), total=total))
        if arguments.data is not None:
            return write_games(setup, arguments, only, tick)
        part, seconds = played(setup, arguments.games, tick)
    if part.statistics.interrupted:
        tell(INTERRUPTED, sys.stderr)
    return CommandResult(
        ENGLISH,
        lambda: print_results(part, seconds),
        lambda: figures(setup, part, seconds),
        interrupted=part.statistics.interrupted,
    )


def played(setup: SimulationSetup, games: int, tick: Callable[[int], None]) -> tuple[ReportPart, float]:
    """What is known of the games, and the seconds that they took; after an interrupt, of those that were finished."""
    collect(setup, 1)  # may include compilation
    began = time.perf_counter()
    statistics = collect(setup, games, progress=tick)
    seconds = time.perf_counter() - began
    return part_of(setup, statistics, evening=study_evenings(setup, len(statistics))), seconds


def chosen_shards(arguments: argparse.Namespace) -> range | None:
    """The numbers of the shards that --shards names, None for all; raises BadOption."""
    if arguments.shards is None:
        return None
    match = re.fullmatch(r"(\d{1,9})(?:-(\d{1,9}))?", arguments.shards)
    if not match:
        text = _("{given} names no shards; write --shards 0-9, or --shards 3.")
        raise BadOption(say(text, given=arguments.shards[:40]))
    first = int(match[1])
    return range(first, int(match[2] or first) + 1)


def write_games(setup: SimulationSetup, arguments: argparse.Namespace, only: range | None, tick: Any) -> int:
    """Write the games of some shards, or after an interrupt tell how to go on; returns the exit status."""
    from hexdeck.lab import store

    runner = store.on_ray(arguments.address) if arguments.engine == "ray" else None
    try:
        games, status = store.write(setup, arguments.games, arguments.data, tick, only=only, run=runner), 0
        text = "{games} games are in {folder}"
    except KeyboardInterrupt:
        games, status = store.games_in(arguments.data), 130
        text = "Interrupted: {games} games are in {folder}; the same command resumes there."
    tell(text.format(games=count(games), folder=arguments.data), sys.stderr)
    return status


def figures(setup: SimulationSetup, part: ReportPart, seconds: float) -> dict[str, Any]:
    """All that was counted, as data."""
    tables = [table for table in (LENGTH, ENDINGS, MOVES_MADE, EVENING) if table.needed(part)]
    measures = [*RESULTS, *(measure for table in tables for measure in (*table.measures, *table.hidden))]
    fields = head("simulation", part.game, interrupted=part.statistics.interrupted)
    fields |= {"bots": list(part.bots), "seed": setup.seed, "games": len(part.statistics), "seconds": seconds}
    return fields | {"measures": list(fields_of(part, measures))}


def print_results(part: ReportPart, seconds: float) -> None:
    """Print the tables that reports have of results by seat, length, endings and evenings; then how fast it was."""
    console, games = make_console(), len(part.statistics)
    about = part.game.table.ABOUT.title, f"{part.players} players", *changed_options(part.game)
    title = f"{', '.join(map(str, about))}: {of(games, 'game')}"
    seated = seats(part, power(part, comparisons([part.players])))
    for section in (seated, length(part), *of_tables(None, part, ENDINGS, EVENING)):
        show_table(console, section, title)
    console.print(f"{count(round(games / seconds))} games a second.")
