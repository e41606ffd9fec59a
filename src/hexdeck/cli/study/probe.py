"""`hexdeck probe GAME`: what a way of playing costs or gains, forced on a bot by one line, on the same cards."""

from __future__ import annotations

import argparse
from functools import partial
from typing import TYPE_CHECKING, Any

from hexdeck.cli.help_pages import default
from hexdeck.cli.output import ticking
from hexdeck.cli.parser import Several, add_game, add_game_arguments, chosen_game
from hexdeck.cli.study.arguments import add_files, add_play, chosen_setup
from hexdeck.cli.study.effects import run_study
from hexdeck.engine.text import Catalogue, say

if TYPE_CHECKING:
    from hexdeck.lab.effects import Study
    from hexdeck.lab.pairs import ProbeEffect

ABOUT = say("find out what a way of playing costs or gains")
EXAMPLES = (
    "hexdeck probe cursed-hand --players 4",
    'hexdeck probe hawthorn --probe never-fold "fold when rows[0-9] >= 4"',
)
PAIRS = 4000


def add(parser: argparse.ArgumentParser, text: Any) -> None:
    """`hexdeck probe GAME [--probe NAME|LINE …] [--games N]`."""
    add_game(parser, text)
    add_game_arguments(parser, text)
    parser.add_argument(
        "--probe", nargs="+", action=Several, default=[], metavar=text(say("NAME|LINE")),
        help=text(say("ready-made probes, or your own: ACTION when SLICE[i] <= N and …, in quotation marks (default: "
                      "all that the game brings)")),
    )  # fmt: skip
    add_play(parser, text, default(say("number of pairs of games for each probe"), PAIRS), PAIRS)
    add_files(parser, text)


def measured(arguments: argparse.Namespace, catalogue: Catalogue) -> Study:
    """The study of the probes that the arguments ask for."""
    from hexdeck.lab.effects import probed
    from hexdeck.lab.pairs import check, chosen, judged, study_probes

    game = chosen_game(arguments)
    probes, setup, interrupted = chosen(game, arguments.probe), chosen_setup(game, arguments), False
    check(setup)
    effects: list[ProbeEffect] = []
    games = arguments.games * (1 + len(probes))
    with ticking(catalogue, game.name) as tick:
        try:
            found = study_probes(setup, probes, arguments.games, lambda done: tick(say("games"), done, games))
            effects.extend(found)
        except KeyboardInterrupt:
            if not effects:
                raise
            interrupted = True
    return probed(setup, arguments.games, judged(effects), interrupted=interrupted)


run = partial(run_study, measured)
