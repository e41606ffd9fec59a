"""`hexdeck puzzles GAME`: solve the puzzles of a game, or mine new ones from matches that bots play."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hexdeck.bots.players.names import kept
from hexdeck.cli.help_pages import default
from hexdeck.cli.lines import tell
from hexdeck.cli.parser import (
    add_game,
    add_game_arguments,
    add_seed,
    check_file,
    check_range,
    check_seed,
    chosen_table,
    how_to_go_on,
)
from hexdeck.engine.errors import BadOption
from hexdeck.engine.text import Catalogue, say, say_n

if TYPE_CHECKING:
    from hexdeck.puzzles.collection import Collection
    from hexdeck.puzzles.puzzle import Puzzle

ABOUT = say("find positions with one surely best move, or solve them")
EXAMPLES = (
    "hexdeck puzzles hawthorn --play",
    "hexdeck puzzles hawthorn --players 3 --minutes 10 --save puzzles.json",
)
MOST = 1_000_000_000
COUNT = 10


def add(parser: argparse.ArgumentParser, t: Any) -> None:
    """`hexdeck puzzles GAME --save FILE …`, `hexdeck puzzles GAME --play [--save FILE]`."""
    add_game(parser, t)
    add_game_arguments(parser, t)
    parser.add_argument(
        "--play", action="store_true", help=t(say("solve puzzles: those in the file, or those that come with the game"))
    )
    parser.add_argument(
        "--save", type=Path, metavar=t(say("FILE")),
        help=t(say("file of the puzzles; the same command goes on where it stopped (default: they are only counted)")),
    )  # fmt: skip
    about = default(say("stop when so many new ones are found"), COUNT)
    parser.add_argument("--count", type=int, default=COUNT, metavar="N", help=t(about))
    parser.add_argument(
        "--games", type=int, metavar="N", help=t(say("stop after so many matches (default: when enough are found)"))
    )
    parser.add_argument(
        "--minutes", type=float, metavar="M", help=t(say("stop after so many minutes (default: when enough are found)"))
    )
    about = default(say("bot that plays all seats of the matches"), "medium")
    parser.add_argument("--bot", type=kept, default="medium", metavar=t(say("NAME")), help=t(about))
    add_seed(parser, t, 1)


def run(arguments: argparse.Namespace, words: Catalogue) -> int:
    """Mine, or let somebody solve."""
    from hexdeck.puzzles.collection import Collection, load, shipped

    check(arguments)
    there = arguments.save is not None and arguments.save.exists()
    if arguments.play:
        from hexdeck.terminal.puzzles import solve

        collection = load(arguments.save, arguments.game) if arguments.save else shipped(arguments.game)
        return solve(chosen(collection, arguments.players), words)
    check_file(arguments.save)
    collection = load(arguments.save, arguments.game) if there else Collection(chosen_table(arguments).name)
    return mined(arguments, collection, words)


def check(arguments: argparse.Namespace) -> None:
    """Raise BadOption for numbers that make no sense."""
    check_seed(arguments.seed)
    for name, least in (("count", 1), ("games", 1), ("minutes", 0)):
        check_range(name, getattr(arguments, name), least, MOST)


def chosen(collection: Collection, players: int | None) -> list[Puzzle]:
    """The puzzles for so many players, or all; raises BadOption where there are none."""
    found = [each for each in collection.puzzles if players in (None, each.players)]
    if not found:
        raise BadOption(say("There are no such puzzles of {game}; hexdeck puzzles {game} --save FILE mines some.",
                            game=collection.game))  # fmt: skip
    return found


def mined(arguments: argparse.Namespace, collection: Collection, words: Catalogue) -> int:
    """Mine with a line for each puzzle; 130 after an interrupt."""
    from hexdeck.cli.prepare import prepare
    from hexdeck.puzzles.mine import Bounds, Miner, mine

    def keep() -> None:
        if arguments.save:
            collection.save(arguments.save)

    def told(matches: int, puzzle: Puzzle | None) -> None:
        if puzzle:
            text = say_n("{n} match: a puzzle of {moves} moves; {count} in all.",
                         "{n} matches: a puzzle of {moves} moves; {count} in all.", matches,
                         moves=len(puzzle.costs) + 1, count=len(collection.puzzles))  # fmt: skip
            tell(words.words(text))

    prepare(collection.game, words)
    miner = Miner(chosen_table(arguments), arguments.bot, arguments.seed)
    try:
        mine(miner, collection, Bounds(arguments.games, arguments.minutes, arguments.count), keep, told)
    except KeyboardInterrupt:
        tell(words.words(how_to_go_on("save", arguments.save)), sys.stderr)
        return 130
    matches, found = collection.done.get(miner.run, 0), len(collection.puzzles)
    tell(words.words(say_n("{n} puzzle, after {matches} matches of this seed.",
                           "{n} puzzles, after {matches} matches of this seed.", found, matches=matches)))  # fmt: skip
    return 0
