"""`hexdeck report GAME`: a playtest by bots, told on the terminal and on a page."""

from __future__ import annotations

import argparse
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hexdeck.cli.output import check_files, print_findings, put, show_table, ticking
from hexdeck.cli.parser import Several, chosen_options, needs
from hexdeck.engine.errors import BadOption
from hexdeck.engine.text import Catalogue, Text, _, say

if TYPE_CHECKING:
    from hexdeck.lab.counting.collect import Source
    from hexdeck.lab.reporting.report import Report, Tick

ABOUT = say("playtest a game with bots: who is ahead, how it ends, what matters, in a minute")
MOST_GAMES, MOST_THREADS, MOST_SAMPLE, MOST_PACE = 100_000_000, 1000, 100_000, 3600


def add(parser: argparse.ArgumentParser, told: Any) -> None:
    """`hexdeck report GAME [--players …] [--games N] [--bots …] [--option …] [--out FILE]`."""
    parser.add_argument("game", metavar=told(say("GAME")))
    parser.add_argument(
        "--players", "-n", type=int, nargs="+", action=Several, default=[], metavar="N",
        help=told(say("how many play, several numbers if you like; without it, all that can")),
    )  # fmt: skip
    add_option(parser, told)
    add_play(parser, told, say("how many games; usually enough to find an advantage of one point"))
    add_engine(parser, told)
    parser.add_argument(
        "--sample", type=int, metavar="N",
        help=told(say("how many games to look inside; usually as many as fit in 14 seconds")),
    )  # fmt: skip
    parser.add_argument(
        "--pace", type=float, metavar=told(say("SECONDS")),
        help=told(say("what a person takes for a choice, to reckon minutes with")),
    )  # fmt: skip
    add_files(parser, told)
    parser.add_argument(
        "--from-db", metavar=told(say("PLACE")),
        help=told(say("report on matches that were played at tables: a file, or postgresql://USER@HOST/NAME")),
    )  # fmt: skip
    parser.add_argument(
        "--site", metavar=told(say("ADDRESS")),
        help=told(say("with --from-db: where the tables' replays are looked at; otherwise this computer's server")),
    )  # fmt: skip
    parser.set_defaults(bots=None, seed=None, threads=None, pace=None)  # known to be given or not


def add_files(parser: argparse.ArgumentParser, told: Any) -> None:
    """`--out FILE` and `--json FILE`."""
    parser.add_argument("--out", type=Path, metavar=told(say("FILE")), help=told(say("write the page here")))
    parser.add_argument(
        "--json", type=Path, metavar=told(say("FILE")), help=told(say("write all figures here, as JSON for programs"))
    )


def add_engine(parser: argparse.ArgumentParser, told: Any) -> None:
    """`--engine` and `--address`."""
    parser.add_argument(
        "--engine", choices=("threads", "ray"),
        help=told(say("what plays the games that are counted, threads of this process or a Ray cluster")),
    )  # fmt: skip
    parser.add_argument(
        "--address", metavar=told(say("ADDRESS")),
        help=told(say("of the Ray cluster, such as auto or HOST:PORT; without it, one on this machine")),
    )  # fmt: skip


def check_engine(arguments: argparse.Namespace) -> None:
    """Raise BadOption for an address without Ray, HexdeckError where Ray isn't installed."""
    if arguments.engine == "ray":
        needs("ray", "ray")
    elif arguments.address is not None:
        raise BadOption(say("--{name} goes with --{other}; give that too.", name="address", other="engine ray"))


@contextmanager
def playing(arguments: argparse.Namespace) -> Iterator[Source]:
    """What plays games: threads, or a cluster that is left at the end."""
    if arguments.engine == "ray":
        from hexdeck.lab.runs.cluster import chunks_of, cluster

        with cluster(arguments.address, arguments.threads) as ray:
            yield chunks_of(ray)
    else:
        from hexdeck.lab.counting.collect import chunks

        yield chunks


def add_option(parser: argparse.ArgumentParser, told: Any) -> None:
    """`--option KEY=VALUE`."""
    parser.add_argument(
        "--option", "-o", action="append", default=[], metavar=told(say("KEY=VALUE")),
        help=told(say("an option of the game, as hexdeck rules GAME explains them; may be given again")),
    )  # fmt: skip


def add_play(parser: argparse.ArgumentParser, told: Any, games: Text) -> None:
    """How many games, by whom, from which seed, on how many threads."""
    parser.add_argument("--games", type=int, metavar="N", help=told(games))
    parser.add_argument(
        "--bots", nargs="+", action=Several, default=["house"], metavar=told(say("NAME")),
        help=told(say("any bot: house, gentle and random are the quickest, nets nearly so; one for all or one a seat")),
    )  # fmt: skip
    parser.add_argument("--seed", type=int, default=0, metavar="N", help=told(say("deal these cards again")))
    parser.add_argument(
        "--threads", type=int, default=os.cpu_count() or 1, metavar="N", help=told(say("how many at once"))
    )


def run(arguments: argparse.Namespace, words: Catalogue) -> int:
    """Play with a progress bar, then print the summary and write the page."""
    if arguments.from_db is not None:
        from hexdeck.cli.study.from_db import run as of_tables

        return of_tables(arguments, words)
    filled(arguments)
    needs("lab", "matplotlib", "pandas", "pyarrow", "scipy", "jinja2")
    from hexdeck.cli.cost import tell_cost
    from hexdeck.engine.discovery.catalogues import game_words
    from hexdeck.engine.discovery.finding import find_game
    from hexdeck.lab.reporting.report import Maker, Plan, counts_of
    from hexdeck.simulation.game import game

    name, options = find_game(arguments.game), chosen_options(arguments)
    check(arguments)
    check_files(arguments)
    check_engine(arguments)
    counts = counts_of(name, arguments.players, options)
    own = game_words(name, words.lang)
    plan = Plan(tuple(arguments.bots), arguments.games, arguments.seed, arguments.threads, arguments.sample,
                pace=arguments.pace)  # fmt: skip
    check_all(name, counts, options, plan.bots)
    with ticking(own, name) as tick:
        tell_cost(own, game(name, counts[0], **options), plan.bots, plan.games, plan.threads)
        with playing(arguments) as source:
            report = Maker(name, plan, options, tick, source).make(counts)
        text = "" if arguments.out is None else drawn(report, own, tick)
    print_report(report, own)
    if arguments.out is not None:
        put(text, own, arguments.out)
    if arguments.json is not None:
        from hexdeck.lab.reporting.exported import of_report, written
        from hexdeck.lab.reporting.findings import findings

        said = [each.text for each in findings(report)]
        put(written(of_report(report, said, own)), own, arguments.json)
    return 130 if report.interrupted else 0


def filled(arguments: argparse.Namespace) -> None:
    """Fill in what wasn't given; raise BadOption for what is for --from-db only."""
    if arguments.site is not None:
        raise BadOption(say("--site is for matches from tables; give --from-db too."))
    usual = {"bots": ["house"], "seed": 0, "threads": os.cpu_count() or 1, "pace": 8.0}
    for name, value in usual.items():
        if getattr(arguments, name) is None:
            setattr(arguments, name, value)


def drawn(report: Report, own: Catalogue, tick: Tick) -> str:
    """The page of a report."""
    from hexdeck.lab.reporting.page import page

    return page(report, own, tick)


def check(arguments: argparse.Namespace) -> None:
    """Raise BadOption for numbers that make no sense."""
    limits: dict[str, tuple[float, float]] = {
        "precision": (0.01, 50),
        "games": (2, MOST_GAMES),
        "threads": (1, MOST_THREADS),
        "sample": (1, MOST_SAMPLE),
        "pace": (1, MOST_PACE),
    }
    for name, (least, most) in limits.items():
        given = getattr(arguments, name, None)
        if given is not None and not least <= given <= most:
            text = _("--{name} can't be {number}; it takes {least} to {most}.")
            raise BadOption(say(text, name=name, number=str(given)[:20], least=least, most=most))


def check_all(name: str, counts: list[int], options: dict[str, str], bots: tuple[str, ...]) -> None:
    """Raise BadOption or UnknownBot before anything is played."""
    from hexdeck.simulation.game import game
    from hexdeck.simulation.seating import check_bots

    for players in counts:
        check_bots(game(name, players, **options), bots)


def print_report(report: Report, own: Catalogue) -> None:
    """The findings, and the results by seat."""
    from rich.console import Console

    from hexdeck.lab.reporting.examples import by_command
    from hexdeck.lab.reporting.findings import findings
    from hexdeck.lab.reporting.number_format import count
    from hexdeck.lab.reporting.page import NOTHING, intro, pointed
    from hexdeck.lab.reporting.sections import length, power, seats, tension

    console, t = Console(emoji=False), own.words
    console.print(t(say("Playtest: {title}", title=report.table.TITLE)), style="bold")
    for line in intro(report)[1:]:
        console.print(t(line))
    way = by_command(report.plan)
    print_findings(console, [pointed(each, report.parts, way, own) for each in findings(report)], t(NOTHING))
    for part in report.parts:
        title = t(say("{players} players, {games} games", players=part.players, games=count(len(part.collected))))
        for section in (seats(part, power(part, report.tests)), length(part, report.plan.pace), tension(part)):
            show_table(console, section, own, title)
