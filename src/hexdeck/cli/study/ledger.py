"""`hexdeck ledger GAME`: what every ruling of a game weighs."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from hexdeck.cli.output import ticking
from hexdeck.cli.parser import add_game_arguments, chosen_game, needs
from hexdeck.cli.study.report import check
from hexdeck.engine.errors import BadOption
from hexdeck.engine.text import Catalogue, say

if TYPE_CHECKING:
    from hexdeck.lab.reporting.rulings import Weight
    from hexdeck.simulation.game import Game

ABOUT = say("what every ruling and variant of a game weighs, measured on the same cards")
MOST = 20_000  # pairs for each, if nothing is said


def add(parser: argparse.ArgumentParser, told: Any) -> None:
    """`hexdeck ledger GAME [--players N] [--games N] [--save]`."""
    from hexdeck.cli.study.report import add_play

    parser.add_argument("game", metavar=told(say("GAME")))
    add_game_arguments(parser, told)
    add_play(parser, told, say("how many pairs of games for each; usually 20000"))
    parser.add_argument("--save", action="store_true", help=told(say("keep the results, for the rules page")))


def run(arguments: argparse.Namespace, words: Catalogue) -> int:
    """Measure with a progress bar, then print a table; keep it if asked to. Interrupted, it shows what was finished."""
    needs("lab", "scipy")
    from hexdeck.cli.cost import tell_cost
    from hexdeck.engine.discovery.catalogues import game_words
    from hexdeck.lab.reporting.ledger import Refused, ledger
    from hexdeck.lab.reporting.number_format import INTERRUPTED
    from hexdeck.lab.reporting.rulings import keep
    from hexdeck.simulation.seating import check_bots

    check(arguments)
    game = chosen_game(arguments)
    check_keeping(arguments, game)
    check_bots(game, arguments.bots)
    own, most, status = game_words(game.name, words.lang), arguments.games or MOST, 0
    weights: list[Weight] = []
    refused: list[Refused] = []
    with ticking(own, game.name) as tick:
        tell_cost(own, game, arguments.bots, None, arguments.threads)
        try:
            for found in ledger(
                game, most, arguments.bots, arguments.seed, arguments.threads,
                progress=lambda name, done: tick(say("{option}: pairs of games", option=name), done, most),
            ):  # fmt: skip
                if isinstance(found, Refused):
                    refused.append(found)
                else:
                    weights.append(found)
        except KeyboardInterrupt:
            status = 130
    if status:
        print(own.words(INTERRUPTED))
    print_ledger(game, weights, refused, own)
    if arguments.save and not status:
        keep(game.name, game.players, command(arguments, game), weights)
    return status


def check_keeping(arguments: argparse.Namespace, game: Game) -> None:
    """Raise BadOption for what can't be kept, or would be less sure than what is; HexdeckError where nothing can be."""
    from hexdeck.lab.reporting.rulings import check_writable, weights

    if arguments.save:
        check_writable(game.name)
    if arguments.save and (arguments.option or arguments.bots != ["house"]):
        raise BadOption(
            say("--save keeps what rulings weigh with the usual options and house bots: leave out --option and --bots.")
        )
    there = min((each.pairs for each in weights(game.name, game.players)), default=0)
    if arguments.save and (arguments.games or MOST) < there:
        raise BadOption(say("What is kept was measured on {pairs} pairs of games; --save takes no fewer.", pairs=there))


def command(arguments: argparse.Namespace, game: Game) -> str:
    """The command that measures the same again."""
    parts = ["hexdeck", "ledger", game.name, "--players", game.players, "--games", arguments.games or MOST]
    return " ".join(map(str, [*parts, "--seed", arguments.seed, "--save"]))


def print_ledger(game: Game, weights: list[Weight], refused: list[Any], own: Catalogue) -> None:
    """A row for each reading."""
    from rich.console import Console
    from rich.table import Table

    from hexdeck.lab.reporting import number_format as numbers
    from hexdeck.lab.reporting.rulings import gained

    def t(text: Any) -> str:
        return text if isinstance(text, str) else own.words(text)

    table = Table(title=t(say("{title}, {players} players", title=game.table.TITLE, players=game.players)))
    place = say("other loser") if any(each.last for each in weights) else say("other winner")
    heads = (
        say("rule"), say("option"), say("go differently"), say("other result"), place, say("decisions more"),
    )  # fmt: skip
    for k, head in enumerate(heads):
        table.add_column(t(head), justify="right" if k > 1 else "left", no_wrap=k == 1)
    console = Console(emoji=False)
    for each in weights:
        shares = [t(numbers.percent(each.estimate(what))) for what in ("differs", "result", "place")]
        table.add_row(each.rule, f"{each.option}={each.value}", *shares, t(numbers.plain(each.estimate("decisions"))))
    console.print(table)
    for each in weights:
        needs = t(say(" (with {option} in both)", option=each.beside)) if each.beside else ""
        console.print(f" • {each.option}={each.value}{needs}: {t(gained(each))}", highlight=False)
    for each in refused:
        line = say("{option} can't be measured alone: {why}", option=f"{each.option}={each.value}", why=each.why.text)
        console.print(f" • {t(line)}", highlight=False)
