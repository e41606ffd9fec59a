"""`hexdeck sweep GAME`: what every other value of every option does, one at a time, as tornado charts."""

from __future__ import annotations

import argparse
import shlex
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hexdeck.bots.players.spoken_names import spoken
from hexdeck.cli.figures import alone, give, head
from hexdeck.cli.help_pages import default
from hexdeck.cli.lines import tell
from hexdeck.cli.output import check_files, give_page, make_console, ticking, wants_page, where_the_rest_is
from hexdeck.cli.parser import (
    Several,
    add_game,
    add_game_arguments,
    check_file,
    chosen_game,
    how_to_go_on,
    needs,
)
from hexdeck.cli.plot import is_fancy
from hexdeck.cli.study.arguments import (
    add_counting_engine,
    add_files,
    add_play,
    check_engine,
    check_limits,
    chosen_setup,
    playing,
)
from hexdeck.engine.errors import BadOption
from hexdeck.engine.text import Catalogue, say

if TYPE_CHECKING:
    from hexdeck.lab.effects import Effect, Sweep, Untried
    from hexdeck.lab.log import SimulationSetup

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


def run(arguments: argparse.Namespace, words: Catalogue) -> int:
    """Measure with a progress bar, then print charts and write the files, of what was done after an interrupt."""
    needs("lab", "jinja2")
    from hexdeck.engine.discovery.catalogues import game_words

    check_limits(arguments)
    check_files(arguments)
    check_kept(arguments)
    check_engine(arguments)
    catalogue = game_words(arguments.game, words.lang)
    found = swept(arguments, catalogue)
    if not alone(arguments):
        print_sweep(found, catalogue)
        where_the_rest_is(arguments, catalogue)
    if wants_page(arguments):
        give_page(found.page(command(arguments, found.setup), catalogue), catalogue, arguments)
    give(head("sweep", found.setup.game, interrupted=found.interrupted) | found.data(), arguments, catalogue)
    if found.interrupted:
        tell(catalogue.words(how_to_go_on("keep", arguments.keep)), sys.stderr)
    return 130 if found.interrupted else 0


def check_kept(arguments: argparse.Namespace) -> None:
    """Raise HexdeckError where the file of --keep can't be written, BadOption where another option writes it too."""
    check_file(arguments.keep)
    for name in ("out", "json"):
        file = getattr(arguments, name)
        if None not in (arguments.keep, file) and file.resolve() == arguments.keep.resolve():
            raise BadOption(say("--keep and --{name} can't be the same file; name two.", name=name))


def swept(arguments: argparse.Namespace, catalogue: Catalogue) -> Sweep:
    """The sweep that the arguments ask for; raises HexdeckError before anything is played."""
    from hexdeck.cli.cost import tell_cost
    from hexdeck.lab.effects import Effect, Sweep, Untried
    from hexdeck.lab.sweep import Sweeper, trials

    game = chosen_game(arguments)
    asked, setup, interrupted = trials(game, arguments.vary), chosen_setup(game, arguments), False
    found, keep = storage(arguments, setup)
    left = [trial for trial in asked if trial.change not in found]
    games, each = (1 + len(left)) * arguments.games, arguments.games + arguments.sample
    with ticking(catalogue, game.name) as tick:
        tell_cost(catalogue, setup, games)
        with playing(arguments) as source:
            sweeper = Sweeper(setup, arguments.games, arguments.sample, source)
            try:
                for effect in sweeper.sweep(left, len(asked), lambda n: tick(say("games"), n, each * len(left))):
                    found[effect.change] = effect
                    keep()
            except KeyboardInterrupt:
                interrupted = True
    done = [found[trial.change] for trial in asked if trial.change in found]
    effects = tuple(effect for effect in done if isinstance(effect, Effect))
    untried = tuple(effect for effect in done if isinstance(effect, Untried))
    return Sweep(setup, arguments.games, arguments.sample, effects, untried, len(asked), interrupted)


def storage(
    arguments: argparse.Namespace, setup: SimulationSetup
) -> tuple[dict[str, Effect | Untried], Callable[[], None]]:
    """The results in the file of --keep, by the changes they are of, and a function that writes them there."""
    from hexdeck.lab.effects import Effect, load, manifest, save

    found: dict[str, Effect | Untried] = {}
    if arguments.keep is None:
        return found, lambda: None
    about = manifest(setup, arguments.games, arguments.sample)
    found |= {each.change: each for each in load(arguments.keep, about)}
    return found, lambda: save(arguments.keep, about, [each for each in found.values() if isinstance(each, Effect)])


def print_sweep(found: Sweep, catalogue: Catalogue) -> None:
    """Print what was played, the findings, and a chart for each measure."""
    from hexdeck.lab.tornado import text

    console = make_console()
    for line in found.about():
        console.print(catalogue.words(line), highlight=False, markup=False)
    for said in found.findings():
        console.print(f" • {catalogue.words(said)}", highlight=False, markup=False)
    for measure in found.measures:
        if drawn := found.bars(measure, catalogue):
            console.print(f"\n{catalogue.words(found.heading(measure))}", style="bold", highlight=False)
            for row in text(drawn, console.width, fancy=is_fancy(sys.stdout.encoding)):
                console.print(row, highlight=False, markup=False, soft_wrap=True)
    if found.effects:
        pale = say(
            "Pale bars aren't certain, for all values together. ± is the half-width of the 95 % confidence interval."
        )
        console.print(catalogue.words(pale), style="dim", highlight=False)


def command(arguments: argparse.Namespace, setup: SimulationSetup) -> str:
    """The command that makes the same sweep again."""
    parts = ["hexdeck", "sweep", setup.game.name, "--players", setup.game.players]
    parts += [word for pair in arguments.option for word in ("--option", pair)]
    parts += ["--vary", *arguments.vary] if arguments.vary else []
    parts += ["--games", arguments.games, "--sample", arguments.sample, "--bots", *map(spoken, arguments.bots)]
    return shlex.join(map(str, [*parts, "--seed", arguments.seed]))
