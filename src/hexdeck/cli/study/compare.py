"""`hexdeck compare GAME --a key=value --b key=value`: the effect of a change of a rule, on pairs of games."""

from __future__ import annotations

import argparse
from functools import partial
from typing import TYPE_CHECKING, Any

from hexdeck.cli.help_pages import default
from hexdeck.cli.output import ticking
from hexdeck.cli.parser import Several, add_game, add_option, add_players, known_options, parsed_options, usual_game
from hexdeck.cli.study.arguments import add_counting_engine, add_files, add_play, chosen_setup, playing
from hexdeck.cli.study.effects import run_study
from hexdeck.engine.errors import BadOption
from hexdeck.engine.text import Catalogue, say

if TYPE_CHECKING:
    from hexdeck.lab.effects import Study
    from hexdeck.simulation.game import Game

ABOUT = say("measure what a change of a rule does")
EXAMPLES = "hexdeck compare hawthorn --b fold_price=own", "hexdeck compare hawthorn --a chips=50 --b chips=20 --open"
MOST = 200_000  # pairs, unless --games is given


def add(parser: argparse.ArgumentParser, text: Any) -> None:
    """`hexdeck compare GAME --a … --b … [--precision P] [--games N]`."""
    add_game(parser, text)
    add_players(parser, text)
    abouts = (
        say("options of the first variant (default: the usual ones)"),
        say("options of the second variant (default: the usual ones)"),
    )
    for name, about in zip(("a", "b"), abouts, strict=True):
        parser.add_argument(
            f"--{name}", nargs="+", action=Several, default=[], metavar=text(say("KEY=VALUE")), help=text(about)
        )
    add_option(parser, text)
    parser.add_argument(
        "--precision", type=float, default=1.0, metavar=text(say("POINTS")),
        help=text(default(say("stop once the seats' shares are known to ± this many percentage points"), 1)),
    )  # fmt: skip
    add_play(parser, text, default(say("maximum number of pairs of games to play"), MOST))
    add_counting_engine(parser, text)
    add_files(parser, text)


def measured(arguments: argparse.Namespace, catalogue: Catalogue) -> Study:
    """The comparison that the arguments ask for."""
    from hexdeck.cli.cost import tell_cost
    from hexdeck.lab.effects import compared, labels
    from hexdeck.lab.pairs import compare

    a, b = variants(arguments)
    setup, precision = chosen_setup(a, arguments), arguments.precision / 100
    with ticking(catalogue, a.name) as tick:
        tell_cost(catalogue, setup, 2 * arguments.games if arguments.games else None)
        with playing(arguments) as source:
            found = compare(
                setup, b, precision=precision, most=arguments.games or MOST, source=source,
                progress=lambda done, of: tick(say("pairs of games"), done, of),
            )  # fmt: skip
        return compared(found, labels(found, lambda done, of: tick(say("names of moves"), done, of)), precision)


run = partial(run_study, measured)


def variants(arguments: argparse.Namespace) -> tuple[Game, Game]:
    """Both variants; raises BadOption where they are the same."""
    usual = usual_game(arguments)
    given = [parsed_options([*arguments.option, *pairs]) for pairs in (arguments.a, arguments.b)]
    a, b = (usual.variant(arguments.players, **known_options(usual.name, options)) for options in given)
    if a.options == b.options:
        raise BadOption(say("Both variants are the same: give --b an option that isn't as in --a."))
    return a, b
