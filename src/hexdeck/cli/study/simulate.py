"""`hexdeck simulate GAME`: many games between bots, and a table of their results."""

from __future__ import annotations

import argparse
import re
import sys
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hexdeck.bots.players.spoken_names import spoken
from hexdeck.cli.figures import alone, check_figures, give, head
from hexdeck.cli.help_pages import default
from hexdeck.cli.lines import tell, worded
from hexdeck.cli.output import bars, make_console, show_table
from hexdeck.cli.parser import add_game, add_game_arguments, add_json, add_seed, check_range, chosen_game, needs
from hexdeck.cli.study.arguments import (
    MOST_GAMES,
    MOST_THREADS,
    add_bots,
    add_engine,
    add_threads,
    check_engine,
    chosen_setup,
)
from hexdeck.engine.errors import BadOption
from hexdeck.engine.number_words import count, number
from hexdeck.engine.text import Catalogue, _, say

if TYPE_CHECKING:
    import numpy as np

    from hexdeck.engine.play.playouts import Results
    from hexdeck.lab.log import SimulationSetup
    from hexdeck.lab.reporting.report import Part
    from hexdeck.lab.runs.store import Runner
    from hexdeck.stats import Estimate

ABOUT = say("let bots play many games, and show who wins")
EXAMPLES = (
    "hexdeck simulate hawthorn --players 3 --games 10000",
    "hexdeck simulate cursed-hand --bots house random random random --json",
)
GAMES = 10_000  # unless --games is given
PART = 2.0  # seconds of games that are played at once, and lost after an interrupt
MOST_IN_PART = 1 << 18  # games, so that any number of them takes the same memory
Progress = Callable[[int], None]


def add(parser: argparse.ArgumentParser, text: Any) -> None:
    """`hexdeck simulate GAME --games N …`."""
    add_game(parser, text)
    add_game_arguments(parser, text)
    about = default(say("number of games"), GAMES)
    parser.add_argument("--games", type=int, default=GAMES, metavar="N", help=text(about))
    add_bots(parser, text)
    add_seed(parser, text)
    add_json(parser, text)
    parser.add_argument(
        "--out", type=Path, metavar=text(say("FOLDER")),
        help=text(say("write every game and every decision to this folder, as Parquet; resumes what is there "
                      "(default: no folder)")),
    )  # fmt: skip
    add_threads(parser, text)
    parser.add_argument(
        "--shards", metavar="A-B",
        help=text(say("with --out: only these shards of 10,000 games each, counted from 0, for machines that share a "
                      "folder (default: all)")),
    )  # fmt: skip
    about = say("with --out: where the games are played, in threads of this process or on a Ray cluster")
    add_engine(parser, text, about, "threads")


def run(arguments: argparse.Namespace, words: Catalogue) -> int:
    """Simulate with a progress bar, then print the table; with --out, write the games instead."""
    from hexdeck.cli.cost import tell_cost
    from hexdeck.cli.prepare import prepare
    from hexdeck.engine.discovery.catalogues import game_words
    from hexdeck.lab.evenings import study_evenings
    from hexdeck.lab.reporting.number_format import INTERRUPTED
    from hexdeck.lab.reporting.report import part_of
    from hexdeck.lab.reporting.tables import EVENING

    check_out(arguments)
    check_figures(arguments)
    setup = chosen_setup(chosen_game(arguments), arguments)
    check_range("games", arguments.games, 1, MOST_GAMES)
    check_range("threads", arguments.threads, 1, MOST_THREADS)
    catalogue = game_words(setup.game.name, words.lang)
    prepare(setup.game.name, catalogue, counts=arguments.out is not None and arguments.engine == "threads", whole=False)
    only = chosen_shards(arguments)
    total = games_of(only, arguments.games)
    tell_cost(catalogue, setup, total)
    with bars(catalogue) as progress:
        task = progress.add_task(catalogue.words(setup.game.table.TITLE), total=total)

        def tick(done: int) -> None:
            progress.advance(task, done)

        if arguments.out is not None:
            return write_games(setup, arguments, only, catalogue, tick)
        tally, seconds = played(setup, arguments.games, tick)
        part = part_of(setup, evening=study_evenings(setup, len(tally)))
    interrupted = len(tally) < arguments.games
    give(figures(setup, tally, seconds, interrupted, part), arguments, catalogue)
    if interrupted:
        tell(catalogue.words(INTERRUPTED), sys.stderr)
    if not alone(arguments):
        print_results(setup, tally, catalogue, seconds)
        for section in EVENING.sections(part):
            show_table(make_console(), section, catalogue)
    return 130 if interrupted else 0


class Tally:
    """What the table of a simulation says, counted up over any number of games in the same memory."""

    def __init__(self, players: int) -> None:
        from hexdeck.stats import Moments

        self.players = players
        self.moments = Moments(3 * players + 2)  # each seat's utility, share of first and last place; moves, chances
        self.endings: Counter[str] = Counter()

    def __len__(self) -> int:
        return self.moments.count

    def add(self, results: Results) -> None:
        """Add the results of more games."""
        import numpy as np

        places = shares(results.returns), shares(-results.returns)
        self.moments.add(np.column_stack([results.returns, *places, results.moves, results.chances]))
        self.endings.update(results.ended())

    def mean(self, column: int) -> float:
        """The mean of a column."""
        return float(self.moments.sums[column] / len(self))

    def result(self, seat: int) -> Estimate:
        """A seat's mean utility."""
        return self.moments.estimate(seat)

    def place(self, place: int, seat: int) -> Estimate:
        """A seat's share of first (0) or last (1) place, ties shared."""
        return self.moments.share((1 + place) * self.players + seat)


def shares(results: np.ndarray) -> np.ndarray:
    """Each seat's share of the best result of each game, ties shared: float64 (games, seats)."""
    best = results == results.max(axis=1, keepdims=True)
    shared: np.ndarray = best / best.sum(axis=1, keepdims=True)
    return shared


def played(setup: SimulationSetup, games: int, tick: Progress) -> tuple[Tally, float]:
    """The results, and the seconds they took; after an interrupt those that were finished, unless that is nothing."""
    from hexdeck.simulation.simulate import simulate

    simulate(setup.game, 1, setup.bots, setup.seed)  # may include compilation
    tally = Tally(setup.game.players)
    began, size = time.perf_counter(), setup.threads
    try:
        while len(tally) < games:
            part_began, at, some = time.perf_counter(), len(tally), min(size, games - len(tally))
            tally.add(simulate(setup.game, some, setup.bots, setup.seed, setup.threads, first=at, progress=tick))
            size = min(2 * size, MOST_IN_PART) if time.perf_counter() < part_began + PART else size
    except KeyboardInterrupt:
        if not len(tally):
            raise
    return tally, time.perf_counter() - began


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
    from hexdeck.lab.runs.store import SHARD

    return games if only is None else max(0, min(games, only.stop * SHARD) - only.start * SHARD)


def write_games(
    setup: SimulationSetup, arguments: argparse.Namespace, only: range | None, catalogue: Catalogue, tick: Progress
) -> int:
    """Write the games of some shards, or after an interrupt tell how to go on; returns the exit status."""
    from hexdeck.lab.runs.store import games_in, write

    try:
        games = write(setup, arguments.games, arguments.out, tick, only=only, run=runner(arguments))
    except KeyboardInterrupt:
        there = count(games_in(arguments.out))
        why = _("Interrupted: {games} games are in {folder}; the same command resumes there.")
        tell(catalogue.words(say(why, games=there, folder=str(arguments.out))), sys.stderr)
        return 130
    text = say("{games} games are in {folder}", games=count(games), folder=str(arguments.out))
    tell(catalogue.words(text), sys.stderr)
    return 0


def runner(arguments: argparse.Namespace) -> Runner | None:
    """What plays the shards; None for threads."""
    if arguments.engine != "ray":
        return None
    from hexdeck.lab.runs.cluster import on_ray

    return on_ray(arguments.address)


def figures(setup: SimulationSetup, tally: Tally, seconds: float, interrupted: bool, part: Part) -> dict[str, Any]:
    """All results as data; seats from 0, as in all data."""
    from hexdeck.lab.reporting.exported import fields_of
    from hexdeck.lab.reporting.tables import EVENING

    game = setup.game
    seats = [
        {"seat": seat, "bot": bot, "mean": tally.mean(seat),
         "margin": tally.result(seat).margin if len(tally) > 1 else None,
         "first": tally.place(0, seat).value, "last": tally.place(1, seat).value}
        for seat, bot in enumerate(setup.seated)
    ]  # fmt: skip
    endings = {name: tally.endings[name] / len(tally) for name in game.rules.ENDINGS}
    return head("simulation", game, interrupted=interrupted) | {
        "bots": list(setup.seated), "seed": setup.seed, "games": len(tally), "seats": seats,
        "moves": tally.mean(3 * game.players), "chances": tally.mean(3 * game.players + 1), "endings": endings,
        "seconds": seconds, "measures": list(fields_of(part, EVENING.measures)) if EVENING.needed(part) else [],
    }  # fmt: skip


def print_results(setup: SimulationSetup, tally: Tally, catalogue: Catalogue, seconds: float) -> None:
    """Print a table of results by seat, as reports tell them; then length, endings and speed."""
    from rich.table import Table

    from hexdeck.bots.players.levels import one_loser
    from hexdeck.lab.reporting.measures import in_units
    from hexdeck.lab.reporting.number_format import percent, plain
    from hexdeck.lab.reporting.report import measure_of

    t, game = worded(catalogue), setup.game
    table = Table(title=t(say("{title}: {games} games", title=game.table.TITLE, games=count(len(tally)))))
    place, measure = int(one_loser(game)), measure_of(game)
    unit, placed = say("mean result, {unit}", unit=measure.unit), say("loses") if place else say("comes first")
    for column in (say("seat"), say("bot"), unit, placed):
        table.add_column(t(column), justify="right")
    for seat, bot in enumerate(setup.seated):
        result = t(plain(in_units(tally.result(seat), measure)))
        table.add_row(str(seat + 1), spoken(bot), result, t(percent(tally.place(place, seat))))
    console = make_console()
    console.print(table)
    moves, chances = tally.mean(3 * game.players), tally.mean(3 * game.players + 1)
    console.print(
        t(
            say(
                "Mean length: {moves} moves, {chances} chance events.",
                moves=number(moves, 1),
                chances=number(chances, 1),
            )
        )
    )
    said = dict(zip(game.rules.ENDINGS, map(t, game.endings), strict=True))
    shares = {name: number(100 * tally.endings[name] / len(tally), 1) for name in said if tally.endings[name]}
    ended = ", ".join(f"{said[name]} {t(say('{number} %', number=share))}" for name, share in shares.items())
    console.print(t(say("Endings: {ended}.", ended=ended)))
    console.print(t(say("{rate} games a second.", rate=count(round(len(tally) / seconds)))))
