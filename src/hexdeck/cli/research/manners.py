"""`hexdeck manners GAME`: what bots' manners change, and whether they cost strength."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hexdeck.bots.players.names import kept, spoken
from hexdeck.cli.figures import alone, check_figures, give, head
from hexdeck.cli.help_pages import default
from hexdeck.cli.lines import tell, worded
from hexdeck.cli.output import can_hold, make_console
from hexdeck.cli.parser import (
    Several,
    add_game,
    add_game_arguments,
    add_json,
    add_seed,
    check_file,
    check_seed,
    chosen_game,
    how_to_go_on,
)
from hexdeck.cli.research.gains import gain_text, unit_of
from hexdeck.cli.research.ladder import MOST, ticking
from hexdeck.engine.errors import BadOption
from hexdeck.engine.number_words import count, number
from hexdeck.engine.text import Catalogue, Text, _, say

if TYPE_CHECKING:
    from hexdeck.research.rating.manner_study import MannerLog, MannerStudy
    from hexdeck.simulation.game import Game

ABOUT = say("measure what bots' manners change")
EXAMPLES = ("hexdeck manners cursed-hand --players 2 --levels hard best --deals 400",)
DEALS = 200  # by default


def add(parser: argparse.ArgumentParser, t: Any) -> None:
    """`hexdeck manners GAME [--players N] [--levels …] [--manners …] [--deals N] [--log FILE] [--save] …`."""
    add_game(parser, t)
    add_game_arguments(parser, t)
    parser.add_argument(
        "--levels", nargs="+", type=kept, action=Several, default=[], metavar=t(say("NAME")),
        help=t(say("levels to measure them of (default: all whose bots can have one)")),
    )  # fmt: skip
    parser.add_argument(
        "--manners", nargs="+", action=Several, default=[], metavar=t(say("NAME")),
        help=t(say("manners to measure (default: all that the game has)")),
    )  # fmt: skip
    parser.add_argument(
        "--deals", type=int, default=DEALS, metavar="N",
        help=t(default(say("deals for each level and manner, each played once from every seat"), DEALS)),
    )  # fmt: skip
    add_seed(parser, t, 1)
    add_json(parser, t)
    parser.add_argument(
        "--log", type=Path, metavar=t(say("FILE")),
        help=t(say("write the result of each deal to this file; the same command resumes from it (default: no file)")),
    )  # fmt: skip
    parser.add_argument("--save", action="store_true", help=t(say("store the results with the game")))


def run(arguments: argparse.Namespace, words: Catalogue) -> int:
    """Play with a progress bar, then print the table; interrupted, of what was played."""
    from hexdeck.engine.discovery.catalogues import game_words
    from hexdeck.research.rating.manner_study import keep

    game = chosen_game(arguments)
    asked = checked(arguments, game)
    own = game_words(game.name, words.lang)
    found = played(game, asked, arguments, own)
    usable = [each for each in found if len(each.contest.groups) > 1]
    give(figures(game, usable), arguments, own)
    if not alone(arguments):
        print_studies(game, usable, own)
    if any(each.contest.interrupted for each in found):
        tell(words.words(how_to_go_on("log", arguments.log)), sys.stderr)
        return 130
    if arguments.save:
        keep(game, usable, command(arguments, game))
    return 0


def checked(arguments: argparse.Namespace, game: Game) -> list[tuple[str, str]]:
    """The levels and manners to measure; raises BadOption for what can't be measured or stored."""
    from hexdeck.bots.players.levels import levels_of
    from hexdeck.bots.players.manners import LEAST, manner_named, manners_file
    from hexdeck.bots.players.named import can_have_manner

    check_figures(arguments)
    check_seed(arguments.seed)
    if not 2 <= arguments.deals <= MOST:
        text = _("--{name} can't be {number}; it takes {least} to {most}.")
        raise BadOption(say(text, name="deals", number=str(arguments.deals)[:20], least=2, most=MOST))
    there, manners = levels_of(game), [each.name for each in game.definition.hints.STUDY.manners]
    wrong = next((each for each in arguments.levels if each not in there), None)
    if wrong is not None:
        text = _("There is no level {typed}; there are {there}.")
        raise BadOption(say(text, typed=spoken(wrong)[:20], there=", ".join(map(spoken, there))))
    for each in arguments.manners:
        manner_named(game, each)
    if arguments.save and (game != game.usual() or arguments.deals < LEAST):
        text = _("--save stores what was measured with the usual options, on at least {least} deals.")
        raise BadOption(say(text, least=LEAST))
    if arguments.save and not can_hold(manners_file(game)):
        raise BadOption(say("The manners of {game} can't be stored here: the package isn't writable.", game=game.name))
    levels = arguments.levels or [level for level, bot in there.items() if can_have_manner(bot)]
    return [(level, manner) for level in levels for manner in arguments.manners or manners]


def played(
    game: Game, asked: Sequence[tuple[str, str]], arguments: argparse.Namespace, own: Catalogue
) -> list[MannerStudy]:
    """Measure levels with manners, one after another; it stops where it is interrupted."""
    from hexdeck.cli.prepare import prepare
    from hexdeck.research.rating.manner_study import MannerLog
    from hexdeck.simulation.seating import check_bots

    for level, manner in asked:
        check_bots(game, f"{level}:{manner}")
    log = None
    if arguments.log is not None:
        check_file(arguments.log)
        log = MannerLog(arguments.log, game, arguments.seed)
    prepare(game.name, own)
    with ticking(own, own.words(game.table.ABOUT.title), arguments.deals * len(asked), float("inf")) as tick:
        return [*measured(game, asked, arguments, log, tick)]


def measured(
    game: Game, asked: Sequence[tuple[str, str]], arguments: argparse.Namespace, log: MannerLog | None,
    tick: Callable[[], None],
) -> Sequence[MannerStudy]:  # fmt: skip
    """The studies, up to the one that was interrupted."""
    from hexdeck.research.rating.manner_study import study

    found: list[MannerStudy] = []
    for level, manner in asked:
        found.append(study(game, level, manner, arguments.deals, arguments.seed, log, tick))
        if found[-1].contest.interrupted:
            break
    return found


def command(arguments: argparse.Namespace, game: Game) -> str:
    """The command that measures the same again."""
    parts = ["hexdeck", "manners", game.name, "--players", game.players]
    parts += ["--levels", *map(spoken, arguments.levels)] if arguments.levels else []
    parts += ["--manners", *arguments.manners] if arguments.manners else []
    return " ".join(map(str, [*parts, "--deals", arguments.deals, "--seed", arguments.seed, "--save"]))


# --- what is said of it -----------------------------------------------------------------------------------------------
def figures(game: Game, found: Sequence[MannerStudy]) -> dict[str, Any]:
    """The studies as data."""
    interrupted = any(each.contest.interrupted for each in found)
    return head("manners", game, interrupted=interrupted) | {"manners": [each.summary(game) for each in found]}


def print_studies(game: Game, found: Sequence[MannerStudy], own: Catalogue) -> None:
    """Print a row for each level and manner."""
    from rich.table import Table

    t, unit = worded(own), unit_of(game)
    table = Table(title=t(say("One bot with a manner among others of its level without: what it does more or less "
                              "often than they would, and how far it ends ahead, with 95 % intervals")))  # fmt: skip
    for column in (say("bot"), say("deals"), say("manner"), say("± (95 %)"), say("ahead")):
        table.add_column(t(column), justify="right", overflow="fold")
    for each in found:
        times, gain = each.times(), gain_text(unit, *each.contest.mean("gain"))
        if times is None:
            told = t(say("too few deals to tell")), ""
        else:
            margin = say("{number}\u00a0%", number=number(100 * times[1], 0))
            told = t(phrase(game, each.contest.one, times[0])), t(margin)
        table.add_row(spoken(each.contest.one), t(count(len(each.counts))), *told, t(gain))
    make_console().print(table)


def phrase(game: Game, name: str, times: float) -> Text:
    """How a manner is known."""
    from hexdeck.bots.players.manners import manner_named, often

    return say(manner_named(game, name.rpartition(":")[2]).phrase, often=often(times))
