"""Mines puzzles, positions with one surely best move, from matches that bots play.

`python tools/mine_puzzles.py GAME --resume FILE [--players N] [--count N] [--minutes M] [--bot NAME]` adds what it
finds to the file; the same command goes on where it stopped. `hexdeck puzzles GAME FILE` asks them, and so does a
server that was started with `--puzzles FILE`.
"""

from __future__ import annotations

import argparse
import sys

from hexdeck.bots.players.names import kept
from hexdeck.cli import run_tool
from hexdeck.cli.compile import prepare
from hexdeck.cli.options import Command, Option, chosen_table, option
from hexdeck.cli.output import how_to_go_on, tell
from hexdeck.engine.text import Catalogue, say_n
from hexdeck.puzzles.collection import Collection, load
from hexdeck.puzzles.mine import Miner, MiningLimits, mine
from hexdeck.puzzles.puzzle import Puzzle

MOST = 1_000_000_000


def run(arguments: argparse.Namespace, words: Catalogue) -> int:
    """Mine into the file, or only count."""
    file = arguments.resume
    collection = load(file, arguments.game) if file and file.exists() else Collection(chosen_table(arguments).name)
    return mined(arguments, collection, words)


def mined(arguments: argparse.Namespace, collection: Collection, words: Catalogue) -> int:
    """Mine with a line for each puzzle; 130 after an interrupt."""

    def keep() -> None:
        if arguments.resume:
            collection.save(arguments.resume)

    def report(matches: int, puzzle: Puzzle | None) -> None:
        if puzzle:
            text = say_n(
                "{n} match: a puzzle of {moves} moves; {count} in all.",
                "{n} matches: a puzzle of {moves} moves; {count} in all.",
                matches,
                moves=len(puzzle.costs) + 1,
                count=len(collection.puzzles),
            )
            tell(words.words(text))

    prepare(collection.game, words)
    miner = Miner(chosen_table(arguments), arguments.bot, arguments.seed)
    try:
        mine(miner, collection, MiningLimits(arguments.games, arguments.minutes, arguments.count), keep, report)
    except KeyboardInterrupt:
        tell(words.words(how_to_go_on(arguments.resume)), sys.stderr)
        return 130
    matches, puzzles = collection.done.get(miner.run, 0), len(collection.puzzles)
    one, many = (
        "{n} puzzle, after {matches} matches of this seed.",
        "{n} puzzles, after {matches} matches of this seed.",
    )
    tell(words.words(say_n(one, many, puzzles, matches=matches)))
    return 0


COMMAND = Command(
    "tools/mine_puzzles.py",
    "find positions with one surely best move",
    (
        option("game"),
        option("--players"),
        option("--option"),
        option(
            "--resume",
            help="file of the puzzles; the same command goes on where it stopped (default: they are only counted)",
        ),
        Option("--count", "stop when so many new ones are found", int, default=10, within=(1, MOST)),
        Option("--games", "stop after so many matches (default: when enough are found)", int, within=(1, MOST)),
        Option(
            "--minutes",
            "stop after so many minutes (default: when enough are found)",
            float,
            "M",
            within=(0, MOST),
        ),
        Option("--bot", "bot that plays all seats of the matches", kept, "NAME", "medium"),
        option("--seed", default=1),
    ),
    run,
)

if __name__ == "__main__":
    sys.exit(run_tool(COMMAND))
