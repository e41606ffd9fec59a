"""`hexdeck compare GAME --a key=value --b key=value`: the effect of a change of a rule, on pairs of games."""

from __future__ import annotations

import argparse
import shlex
from typing import TYPE_CHECKING, Any

from hexdeck.bots.players.spoken_names import spoken
from hexdeck.cli.figures import alone, give_text
from hexdeck.cli.help_pages import default
from hexdeck.cli.output import check_files, give_page, make_console, show_table, ticking, wants_page, where_the_rest_is
from hexdeck.cli.parser import (
    Several,
    add_game,
    add_option,
    add_players,
    known_options,
    needs,
    parsed_options,
    usual_game,
)
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
from hexdeck.engine.text import Catalogue, Text, say

if TYPE_CHECKING:
    from hexdeck.lab.compare import Comparison
    from hexdeck.lab.messages import MessageCounts
    from hexdeck.lab.reporting.measures import Section
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


def run(arguments: argparse.Namespace, words: Catalogue) -> int:
    """Play pairs with a progress bar, then print the changes and write the files."""
    needs("lab", "jinja2")
    from hexdeck.engine.discovery.catalogues import game_words
    from hexdeck.lab.compare import findings, section

    check_limits(arguments)
    check_files(arguments)
    check_engine(arguments)
    a, b = variants(arguments)
    catalogue = game_words(a.name, words.lang)
    found, labels = played(a, b, arguments, catalogue)
    said, changes = findings(found, labels), section(found, labels)
    if not alone(arguments):
        print_comparison(found, said, changes, arguments, catalogue)
        where_the_rest_is(arguments, catalogue)
    write_files(found, said, changes, arguments, catalogue)
    return 130 if found.interrupted else 0


def played(a: Game, b: Game, arguments: argparse.Namespace, catalogue: Catalogue) -> tuple[Comparison, MessageCounts]:
    """The comparison, and labels of the kinds of moves."""
    from hexdeck.cli.cost import tell_cost
    from hexdeck.lab.compare import compare, labels

    setup = chosen_setup(a, arguments)
    with ticking(catalogue, a.name) as tick:
        tell_cost(catalogue, setup, 2 * arguments.games if arguments.games else None)
        with playing(arguments) as source:
            found = compare(
                setup, b, precision=arguments.precision / 100, most=arguments.games or MOST,
                progress=lambda done, of: tick(say("pairs of games"), done, of), source=source,
            )  # fmt: skip
        return found, labels(found, progress=lambda done, of: tick(say("names of moves"), done, of))


def print_comparison(
    found: Comparison, said: list[Text], changes: Section, arguments: argparse.Namespace, catalogue: Catalogue
) -> None:
    """Print what was played, the findings and the table of changes."""
    from hexdeck.lab.compare import about

    console = make_console()
    console.print(catalogue.words(about(found)), highlight=False)
    if found.precision > arguments.precision / 100 and not found.interrupted:
        console.print(catalogue.words(say("That is less than asked for: --games allows no more.")))
    for finding in said:
        console.print(f" • {catalogue.words(finding)}", highlight=False)
    show_table(console, changes, catalogue)


def write_files(
    found: Comparison, said: list[Text], changes: Section, arguments: argparse.Namespace, catalogue: Catalogue
) -> None:
    """Write the page and the figures, where they are asked for."""
    if wants_page(arguments):
        from hexdeck.lab.compare import comparison_page

        again = command(arguments, found.a.players)
        give_page(comparison_page(found, said, changes, again, catalogue), catalogue, arguments)
    if arguments.json is not None:
        from hexdeck.lab.compare import of_comparison
        from hexdeck.lab.reporting.exported import written

        give_text(written(of_comparison(found, said, catalogue)), arguments, catalogue)


def command(arguments: argparse.Namespace, players: int) -> str:
    """The command that makes the same comparison again."""
    parts = ["hexdeck", "compare", arguments.game, "--players", players, "--precision", arguments.precision]
    for name in ("a", "b"):
        parts += [f"--{name}", *getattr(arguments, name)] if getattr(arguments, name) else []
    parts += [word for pair in arguments.option for word in ("--option", pair)]
    parts += ["--games", arguments.games] if arguments.games else []
    return shlex.join(map(str, [*parts, "--bots", *map(spoken, arguments.bots), "--seed", arguments.seed]))


def variants(arguments: argparse.Namespace) -> tuple[Game, Game]:
    """Both variants; raises BadOption where they are the same."""
    usual = usual_game(arguments)
    given = [parsed_options([*arguments.option, *pairs]) for pairs in (arguments.a, arguments.b)]
    a, b = (usual.variant(arguments.players, **known_options(usual.name, options)) for options in given)
    if a.options == b.options:
        raise BadOption(say("Both variants are the same: give --b an option that isn't as in --a."))
    return a, b
