"""Arguments that several commands of this package share: how they are declared, checked and resolved."""

from __future__ import annotations

import argparse
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hexdeck.bots.players.names import kept
from hexdeck.cli.help_pages import default
from hexdeck.cli.parser import Several, add_json, add_seed, check_range, needs
from hexdeck.engine.errors import BadOption
from hexdeck.engine.text import Text, say

if TYPE_CHECKING:
    from hexdeck.lab.counts import Source
    from hexdeck.lab.log import SimulationSetup
    from hexdeck.simulation.game import Game

MOST_GAMES = 100_000_000
LIMITS: dict[str, tuple[float, float]] = {
    "precision": (0.01, 50), "threads": (1, 1000), "sample": (1, 100_000), "pace": (1, 3600), "thinking": (0, 100_000),
}  # fmt: skip
PLAYED = say("where the games are played: in threads of this process, or on a Ray cluster")


# --- declared ---------------------------------------------------------------------------------------------------------
def add_play(parser: argparse.ArgumentParser, text: Any, games: Text, usual: int | None = None) -> None:
    """Add `--games`, explained by `games`, with its default; then `--bots`, `--seed` and `--threads`."""
    parser.add_argument("--games", type=int, default=usual, metavar="N", help=text(games))
    about = say("bots that play: one for all seats, or one for each; house, easy and random are the quickest")
    parser.add_argument(
        "--bots", nargs="+", type=kept, action=Several, default=["house"], metavar=text(say("NAME")),
        help=text(default(about, "house")),
    )  # fmt: skip
    add_seed(parser, text)
    parser.add_argument(
        "--threads", type=int, default=os.cpu_count() or 1, metavar="N",
        help=text(say("number of threads (default: one for each processor)")),
    )  # fmt: skip


def add_counting_engine(parser: argparse.ArgumentParser, text: Any, about: Text = PLAYED) -> None:
    """Add `--engine`, explained by `about`, and `--address`."""
    engines = ("threads", "ray")
    parser.add_argument("--engine", choices=engines, default=engines[0], help=text(default(about, engines[0])))
    parser.add_argument(
        "--address", metavar=text(say("ADDRESS")),
        help=text(say("address of the Ray cluster, such as auto or HOST:PORT (default: one on this machine)")),
    )  # fmt: skip


def add_files(parser: argparse.ArgumentParser, text: Any) -> None:
    """Add `--out FILE`, `--open` and `--json [FILE]`."""
    about = say("write the full report to this file, as an HTML page (default: no file)")
    parser.add_argument("--out", type=Path, metavar=text(say("FILE")), help=text(about))
    parser.add_argument("--open", action="store_true", help=text(say("open the full report in the browser")))
    add_json(parser, text)


# --- checked ----------------------------------------------------------------------------------------------------------
def check_limits(arguments: argparse.Namespace, fewest: int = 2) -> None:
    """Raise BadOption for a number out of its limits, at least so many games; not every command has all of them."""
    for name, (least, most) in {"games": (fewest, MOST_GAMES), **LIMITS}.items():
        check_range(name, getattr(arguments, name, None), least, most)


def check_engine(arguments: argparse.Namespace) -> None:
    """Raise BadOption for an address without Ray, HexdeckError where Ray isn't installed."""
    given = vars(arguments)  # not every command has an engine
    if given.get("engine") == "ray":
        needs("ray", "ray")
    elif given.get("address") is not None:
        raise BadOption(say("--{name} goes with --{other}; give that too.", name="address", other="engine ray"))


# --- resolved ---------------------------------------------------------------------------------------------------------
def chosen_setup(game: Game, arguments: argparse.Namespace) -> SimulationSetup:
    """The simulation of a game with the bots, seed and threads of the arguments; raises BadOption or UnknownBot."""
    from hexdeck.lab.log import SimulationSetup
    from hexdeck.simulation.seating import check_bots

    check_bots(game, arguments.bots)
    return SimulationSetup(game, tuple(arguments.bots), arguments.seed, arguments.threads)


@contextmanager
def playing(arguments: argparse.Namespace) -> Iterator[Source]:
    """What plays the games that are counted: threads, or a Ray cluster for as long as this context lasts."""
    if arguments.engine == "ray":
        from hexdeck.lab.cluster import chunks_of, cluster

        with cluster(arguments.address, arguments.threads) as ray:
            yield chunks_of(ray)
    else:
        from hexdeck.lab.counts import chunks

        yield chunks
