"""`hexdeck probe GAME`: what a way of playing costs or gains, forced on a bot by one line, on the same cards."""

from __future__ import annotations

import argparse
import shlex
from typing import TYPE_CHECKING, Any

from hexdeck.bots.players.spoken_names import spoken
from hexdeck.cli.figures import alone, give, head
from hexdeck.cli.help_pages import default
from hexdeck.cli.output import check_files, give_page, make_console, print_findings, show_table, ticking, wants_page
from hexdeck.cli.parser import Several, add_game, add_game_arguments, chosen_game, needs
from hexdeck.cli.study.arguments import add_files, add_play, check_limits, chosen_setup
from hexdeck.engine.text import Catalogue, Text, say

if TYPE_CHECKING:
    from hexdeck.lab.log import SimulationSetup
    from hexdeck.lab.probes import ProbeEffect
    from hexdeck.lab.reporting.probe_page import Probed

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


def run(arguments: argparse.Namespace, words: Catalogue) -> int:
    """Play with a progress bar, then print the findings and the table and write the files."""
    needs("lab", "jinja2")
    from hexdeck.engine.discovery.catalogues import game_words
    from hexdeck.lab.reporting.probe_page import probe_page, sentences, tables

    check_limits(arguments)
    check_files(arguments)
    catalogue = game_words(arguments.game, words.lang)
    found = probed(arguments, catalogue)
    if not alone(arguments):
        console = make_console()
        for line in found.intro:
            console.print(catalogue.words(line), highlight=False, markup=False)
        said = [{"text": catalogue.words(each), "shown": None} for each in sentences(found)]
        print_findings(console, said, "")
        for section in tables(found):
            show_table(console, section, catalogue)
    if wants_page(arguments):
        give_page(probe_page(found, command(arguments, found.setup), catalogue), catalogue, arguments)
    give(figures(found), arguments, catalogue)
    return 130 if found.interrupted else 0


def probed(arguments: argparse.Namespace, catalogue: Catalogue) -> Probed:
    """What the probes that the arguments ask for do; raises HexdeckError before anything is played."""
    from hexdeck.lab.probes import check, chosen, judged, study_probes
    from hexdeck.lab.reporting.probe_page import Probed

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
    return Probed(setup, arguments.games, tuple(judged(effects)), interrupted)


def figures(found: Probed) -> dict[str, Any]:
    """The effects as data."""
    from hexdeck.lab.reporting.exported import probe_fields

    return head("probe", found.game, interrupted=found.interrupted) | {
        "bots": list(found.setup.seated), "seed": found.setup.seed, "pairs": found.pairs,
        "probes": [probe_fields(each) for each in found.effects],
    }  # fmt: skip


def command(arguments: argparse.Namespace, setup: SimulationSetup) -> str:
    """The command that makes the same probes again."""
    parts: list[Text | str | int] = ["hexdeck", "probe", setup.game.name, "--players", setup.game.players]
    parts += [word for pair in arguments.option for word in ("--option", pair)]
    parts += ["--probe", *arguments.probe] if arguments.probe else []
    parts += ["--games", arguments.games, "--bots", *map(spoken, arguments.bots), "--seed", arguments.seed]
    return shlex.join(map(str, parts))
