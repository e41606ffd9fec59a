"""`hexdeck compare GAME --a key=value --b key=value`: two variants on the same cards."""

from __future__ import annotations

import argparse
import shlex
from typing import TYPE_CHECKING, Any

from hexdeck.cli.output import check_files, put, show_table, ticking
from hexdeck.cli.parser import Several, known_options, needs, parsed_options
from hexdeck.cli.study.report import add_engine, add_files, add_option, add_play, check, check_engine, playing
from hexdeck.engine.errors import BadOption
from hexdeck.engine.text import Catalogue, say

if TYPE_CHECKING:
    from hexdeck.simulation.game import Game

ABOUT = say("what a change of a rule does: two variants on the same cards, differences with 95 % intervals")
MOST = 200_000  # pairs, if nothing is said


def add(parser: argparse.ArgumentParser, told: Any) -> None:
    """`hexdeck compare GAME --a … --b … [--precision P] [--games N]`."""
    parser.add_argument("game", metavar=told(say("GAME")))
    parser.add_argument("--players", "-n", type=int, metavar="N", help=told(say("how many play")))
    for name, about in (("a", say("options of the first variant; usually none")), ("b", say("of the second variant"))):
        parser.add_argument(
            f"--{name}", nargs="+", action=Several, default=[], metavar=told(say("KEY=VALUE")), help=told(about)
        )
    add_option(parser, told)
    parser.add_argument(
        "--precision", type=float, default=1.0, metavar=told(say("POINTS")),
        help=told(say("stop when seats' shares are known to ± so many points; usually 1")),
    )  # fmt: skip
    add_play(parser, told, say("how many pairs of games at most; usually 200000"))
    add_engine(parser, told)
    add_files(parser, told)


def run(arguments: argparse.Namespace, words: Catalogue) -> int:
    """Play pairs with a progress bar, then print what changes. Interrupted, it says so and tells of what was played."""
    needs("lab", "scipy", "jinja2")
    from rich.console import Console

    from hexdeck.bots.players.levels import one_loser
    from hexdeck.cli.cost import tell_cost
    from hexdeck.engine.discovery.catalogues import game_words
    from hexdeck.lab.reporting.changes import about, findings, named, section
    from hexdeck.lab.reporting.compare import compare
    from hexdeck.simulation.seating import check_bots

    check(arguments)
    check_files(arguments)
    check_engine(arguments)
    a, b = variants(arguments)
    check_bots(a, arguments.bots)
    own, most = game_words(a.name, words.lang), arguments.games or MOST
    with ticking(own, a.name) as tick:
        tell_cost(own, a, arguments.bots, 2 * arguments.games if arguments.games else None, arguments.threads)
        with playing(arguments) as source:
            found = compare(
                a, b, place=int(one_loser(a)), precision=arguments.precision / 100, bots=arguments.bots,
                seed=arguments.seed, threads=arguments.threads, most=most,
                progress=lambda done, of: tick(say("pairs of games"), done, of), source=source,
            )  # fmt: skip
        heard = named(found, progress=lambda done, of: tick(say("names of moves"), done, of))
    said, told = findings(found, heard), section(found, heard)
    console = Console(emoji=False)
    console.print(own.words(about(found)), highlight=False)
    if found.precision > arguments.precision / 100 and not found.interrupted:
        console.print(own.words(say("That is less than asked for: --games allows no more.")))
    for finding in said:
        console.print(f" • {own.words(finding)}", highlight=False)
    show_table(console, told, own)
    if arguments.out is not None:
        from hexdeck.lab.reporting.page import comparison_page

        put(comparison_page(found, said, told, command(arguments, a.players), own), own, arguments.out)
    if arguments.json is not None:
        from hexdeck.lab.reporting.exported import of_comparison, written

        put(written(of_comparison(found, said, own)), own, arguments.json)
    return 130 if found.interrupted else 0


def command(arguments: argparse.Namespace, players: int) -> str:
    """The command that compares the same again."""
    parts = ["hexdeck", "compare", arguments.game, "--players", players, "--precision", arguments.precision]
    for name in ("a", "b"):
        parts += [f"--{name}", *getattr(arguments, name)] if getattr(arguments, name) else []
    parts += [word for pair in arguments.option for word in ("--option", pair)]
    parts += ["--games", arguments.games] if arguments.games else []
    return shlex.join(map(str, [*parts, "--bots", *arguments.bots, "--seed", arguments.seed]))


def variants(arguments: argparse.Namespace) -> tuple[Game, Game]:
    """Both variants; raises BadOption where they are the same."""
    from hexdeck.engine.discovery.finding import find_game
    from hexdeck.simulation.game import game

    name = find_game(arguments.game)
    given = [parsed_options([*arguments.option, *pairs]) for pairs in (arguments.a, arguments.b)]
    a, b = (game(name, arguments.players, **known_options(name, options)) for options in given)
    if a.options == b.options:
        raise BadOption(say("Both variants are the same: give --b an option that isn't as in --a."))
    return a, b
