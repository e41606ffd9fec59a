"""`hexdeck sweep GAME`: what every other value of every option does, one at a time, as tornado charts."""

from __future__ import annotations

import argparse
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hexdeck.cli.help_pages import default
from hexdeck.cli.output import ticking
from hexdeck.cli.parser import Several, add_game, add_game_arguments, chosen_game
from hexdeck.cli.study.arguments import add_counting_engine, add_files, add_play, chosen_setup, playing
from hexdeck.cli.study.effects import run_study
from hexdeck.engine.text import Catalogue, say

if TYPE_CHECKING:
    from hexdeck.lab.effects import Study

ABOUT = say("try other values of every option, one at a time")
EXAMPLES = (
    "hexdeck sweep hawthorn --players 3 --games 1000 --open",
    "hexdeck sweep blackstone --vary chips=50 chips=200 after_fold",
)
PAIRS, SAMPLE = 2000, 40


def add(parser: argparse.ArgumentParser, text: Any) -> None:
    """`hexdeck sweep GAME [--vary …] [--games N] [--sample N] [--keep FILE]`."""
    add_game(parser, text)
    add_game_arguments(parser, text)
    parser.add_argument(
        "--vary", nargs="+", action=Several, default=[], metavar=text(say("KEY[=VALUE]")),
        help=text(say("options to change, each at all its other values or at those given (default: all options; of "
                      "long ranges the values nearby)")),
    )  # fmt: skip
    add_play(parser, text, default(say("number of pairs of games for each value"), PAIRS), PAIRS)
    add_counting_engine(parser, text)
    parser.add_argument(
        "--sample", type=int, default=SAMPLE, metavar="N",
        help=text(default(say("number of games of each value to analyse move by move, for tension and drama"), SAMPLE)),
    )  # fmt: skip
    parser.add_argument(
        "--keep", type=Path, metavar=text(say("FILE")),
        help=text(say("write the result of each value to this file; the same command resumes from it "
                      "(default: no file)")),
    )  # fmt: skip
    add_files(parser, text)


def measured(arguments: argparse.Namespace, catalogue: Catalogue) -> Study:
    """The sweep that the arguments ask for."""
    from hexdeck.cli.cost import tell_cost
    from hexdeck.lab.effects import EffectFile, swept
    from hexdeck.lab.sweep import Sweeper, trials

    game = chosen_game(arguments)
    asked, setup, interrupted = trials(game, arguments.vary), chosen_setup(game, arguments), False
    kept = EffectFile(arguments.keep, setup, arguments.games, arguments.sample)
    left = [trial for trial in asked if trial.change not in kept.effects]
    games, each = (1 + len(left)) * arguments.games, arguments.games + arguments.sample
    with ticking(catalogue, game.name) as tick:
        tell_cost(catalogue, setup, games)
        with playing(arguments) as source:
            sweeper = Sweeper(setup, arguments.games, arguments.sample, source)
            try:
                for effect in sweeper.sweep(left, len(asked), lambda n: tick(say("games"), n, each * len(left))):
                    kept.add(effect)
            except KeyboardInterrupt:
                interrupted = True
    done = [kept.effects[trial.change] for trial in asked if trial.change in kept.effects]
    return swept(setup, arguments.games, arguments.sample, done, len(asked), interrupted=interrupted)


run = partial(run_study, measured)
