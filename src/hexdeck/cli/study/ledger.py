"""`hexdeck ledger GAME`: the effect of every ruling of a game."""

from __future__ import annotations

import argparse
import sys
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from hexdeck.cli.figures import alone, check_figures, give, head
from hexdeck.cli.help_pages import default
from hexdeck.cli.lines import tell
from hexdeck.cli.output import make_console, ticking
from hexdeck.cli.parser import add_game, add_game_arguments, add_json, chosen_game
from hexdeck.cli.study.arguments import add_play, check_limits, chosen_setup
from hexdeck.engine.errors import BadOption
from hexdeck.engine.text import Catalogue, say

if TYPE_CHECKING:
    from hexdeck.lab.log import SimulationSetup
    from hexdeck.lab.reporting.ledger import Refused
    from hexdeck.lab.reporting.rulings import RulingEffect
    from hexdeck.simulation.game import Game

ABOUT = say("measure how much each ruling and variant matters")
EXAMPLES = ("hexdeck ledger hawthorn --players 3 --games 5000",)
MOST = 20_000  # pairs for each ruling, unless --games is given


def add(parser: argparse.ArgumentParser, text: Any) -> None:
    """`hexdeck ledger GAME [--players N] [--games N] [--save]`."""
    add_game(parser, text)
    add_game_arguments(parser, text)
    add_play(parser, text, default(say("number of pairs of games for each ruling"), MOST))
    add_json(parser, text)
    parser.add_argument("--save", action="store_true", help=text(say("store the results, for the rules page")))


def run(arguments: argparse.Namespace, words: Catalogue) -> int:
    """Measure with a progress bar, then print a table, of what was done after an interrupt; store it if asked to."""
    from hexdeck.engine.discovery.catalogues import game_words
    from hexdeck.lab.reporting.number_format import INTERRUPTED
    from hexdeck.lab.reporting.rulings import store

    check_limits(arguments)
    check_figures(arguments)
    game = chosen_game(arguments)
    check_saving(arguments, game)
    catalogue = game_words(game.name, words.lang)
    effects, refused, status = measured(chosen_setup(game, arguments), arguments.games or MOST, catalogue)
    if status:
        tell(catalogue.words(INTERRUPTED), sys.stderr)
    give(figures(game, effects, refused, status != 0), arguments, catalogue)
    if not alone(arguments):
        print_ledger(game, effects, refused, catalogue)
    if arguments.save and not status:
        store(game.definition, game.players, command(arguments, game), effects)
    return status


def measured(setup: SimulationSetup, pairs: int, catalogue: Catalogue) -> tuple[list[RulingEffect], list[Refused], int]:
    """The effects of all readings, those that can't be played, and the exit status: 130 after an interrupt."""
    from hexdeck.cli.cost import tell_cost
    from hexdeck.lab.reporting.ledger import Refused, ledger

    effects: list[RulingEffect] = []
    refused: list[Refused] = []
    with ticking(catalogue, setup.game.name) as tick:
        tell_cost(catalogue, setup, None)
        try:
            for found in ledger(
                setup, pairs, lambda name, done: tick(say("{option}: pairs of games", option=name), done, pairs)
            ):
                if isinstance(found, Refused):
                    refused.append(found)
                else:
                    effects.append(found)
        except KeyboardInterrupt:
            return effects, refused, 130
    return effects, refused, 0


def check_saving(arguments: argparse.Namespace, game: Game) -> None:
    """Raise BadOption for results that --save doesn't store, HexdeckError where the file can't be written."""
    from hexdeck.lab.reporting.rulings import check_writable, effects

    if not arguments.save:
        return
    check_writable(game.definition)
    if arguments.option or arguments.bots != ["house"]:
        raise BadOption(
            say(
                "--save stores how much rulings matter with the usual options and house bots: leave out "
                "--option and --bots."
            )
        )
    there = min((each.pairs for each in effects(game.definition, game.players)), default=0)
    if (arguments.games or MOST) < there:
        raise BadOption(
            say(
                "The stored results were measured on {pairs} pairs of games; --save needs at least as many.",
                pairs=there,
            )
        )


def command(arguments: argparse.Namespace, game: Game) -> str:
    """The command that makes the same measurements again."""
    parts = ["hexdeck", "ledger", game.name, "--players", game.players, "--games", arguments.games or MOST]
    return " ".join(map(str, [*parts, "--seed", arguments.seed, "--save"]))


def figures(game: Game, effects: list[RulingEffect], refused: list[Refused], interrupted: bool) -> dict[str, Any]:
    """The effects as data, with the readings that can't be played."""
    left = [{"option": each.option, "value": each.value, "why": str(each.why.text)} for each in refused]
    rulings = [asdict(each) for each in effects]
    return head("ledger", game, interrupted=interrupted) | {"rulings": rulings, "refused": left}


def print_ledger(game: Game, effects: list[RulingEffect], refused: list[Refused], catalogue: Catalogue) -> None:
    """Print a row for each reading, whom it favours, and the readings that can't be played."""
    from rich.table import Table

    from hexdeck.lab.reporting import number_format as numbers
    from hexdeck.lab.reporting.rulings import gain_text

    def t(text: Any) -> str:
        return text if isinstance(text, str) else catalogue.words(text)

    table = Table(title=t(say("{title}, {players} players", title=game.table.TITLE, players=game.players)))
    place = say("other loser") if any(each.last for each in effects) else say("other winner")
    heads = (
        say("rule"), say("option"), say("go differently"), say("other result"), place, say("decisions more"),
    )  # fmt: skip
    for k, each_head in enumerate(heads):
        table.add_column(t(each_head), justify="right" if k > 1 else "left", no_wrap=k == 1)
    console = make_console()
    for each in effects:
        shares = [t(numbers.percent(each.estimate(what))) for what in ("differs", "result", "place")]
        table.add_row(each.rule, f"{each.option}={each.value}", *shares, t(numbers.plain(each.estimate("decisions"))))
    console.print(table)
    for each in effects:
        beside = t(say(" (with {option} in both)", option=each.beside)) if each.beside else ""
        console.print(f" • {each.option}={each.value}{beside}: {t(gain_text(each))}", highlight=False)
    for other in refused:
        line = say(
            "{option} can't be measured alone: {why}", option=f"{other.option}={other.value}", why=other.why.text
        )
        console.print(f" • {t(line)}", highlight=False)
