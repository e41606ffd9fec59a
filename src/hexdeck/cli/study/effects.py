"""What `compare`, `sweep` and `probe` share: how effects are measured, printed and written."""

from __future__ import annotations

import argparse
import shlex
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING

from hexdeck.bots.players.names import spoken
from hexdeck.cli.figures import alone, give
from hexdeck.cli.lines import tell
from hexdeck.cli.output import check_files, give_page, make_console, show_table, wants_page, where_the_rest_is
from hexdeck.cli.parser import check_file, how_to_go_on, needs
from hexdeck.cli.plot import is_fancy
from hexdeck.cli.study.arguments import check_engine, check_limits
from hexdeck.engine.errors import BadOption
from hexdeck.engine.text import Catalogue, say

if TYPE_CHECKING:
    from hexdeck.lab.effects import Study

REPEATED = "precision", "a", "b", "vary", "probe", "games", "sample", "bots", "seed"  # what decides the figures
PALE = say("Pale bars aren't certain, for all values together. ± is the half-width of the 95 % confidence interval.")


def run_study(
    measured: Callable[[argparse.Namespace, Catalogue], Study], arguments: argparse.Namespace, words: Catalogue
) -> int:
    """Check the arguments, measure with a progress bar, then print what was found and write the files.

    After an interrupt that is what was done until then. `measured` raises HexdeckError before anything is played.
    """
    needs("lab", "jinja2")
    from hexdeck.engine.discovery.catalogues import game_words

    check_limits(arguments)
    check_files(arguments)
    check_kept(arguments)
    check_engine(arguments)
    catalogue = game_words(arguments.game, words.lang)
    found = measured(arguments, catalogue)
    if not alone(arguments):
        print_study(found, catalogue)
        if found.what != "probe":  # whose page has no more
            where_the_rest_is(arguments, catalogue)
    if wants_page(arguments):
        give_page(found.page(command(arguments, found.setup.game.players), catalogue), catalogue, arguments)
    give(found.data(catalogue), arguments, catalogue)
    if found.interrupted and "keep" in arguments:
        tell(catalogue.words(how_to_go_on("keep", arguments.keep)), sys.stderr)
    return 130 if found.interrupted else 0


def check_kept(arguments: argparse.Namespace) -> None:
    """Raise HexdeckError where the file of --keep can't be written, BadOption where another option writes it too."""
    kept = vars(arguments).get("keep")
    check_file(kept)
    for name in ("out", "json"):
        file = getattr(arguments, name)
        if kept is not None and file is not None and file.resolve() == kept.resolve():
            raise BadOption(say("--keep and --{name} can't be the same file; name two.", name=name))


def print_study(found: Study, catalogue: Catalogue) -> None:
    """Print what was played, the findings, and each table, as a chart where it has one."""
    from hexdeck.lab.reporting.charts import tornado_lines

    console = make_console()
    for bullet, lines in ("", found.about), (" • ", found.findings):
        for line in lines:
            console.print(bullet + catalogue.words(line), highlight=False, markup=False)
    for section in found.tables:
        if section.id not in found.bars:
            show_table(console, section, catalogue)
        elif drawn := found.bars[section.id]:
            console.print(f"\n{catalogue.words(section.title)}", style="bold", highlight=False)
            for row in tornado_lines(drawn, console.width, catalogue, fancy=is_fancy(sys.stdout.encoding)):
                console.print(row, highlight=False, markup=False, soft_wrap=True)
    if found.bars:
        console.print(catalogue.words(PALE), style="dim", highlight=False)


def command(arguments: argparse.Namespace, players: int) -> str:
    """The command that makes the same study again."""
    given = vars(arguments) | {"bots": [*map(spoken, arguments.bots)]}
    parts = ["hexdeck", arguments.command, arguments.game, "--players", players]
    parts += [word for pair in arguments.option for word in ("--option", pair)]
    for name in REPEATED:
        value = given.get(name)
        if value not in (None, []):
            parts += [f"--{name}", *(value if isinstance(value, list) else [value])]
    return shlex.join(map(str, parts))
