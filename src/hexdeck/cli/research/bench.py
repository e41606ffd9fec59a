"""`hexdeck bench`: how fast it is here, and beside OpenSpiel and PettingZoo in the same run."""

from __future__ import annotations

import argparse
import statistics
from typing import Any, NamedTuple

from hexdeck.engine.text import Catalogue, Text, say

ABOUT = say("measure the speed, beside a peer's if you like")
PAIRS = 7
SEARCHES = 3


class Form(NamedTuple):
    """A framework's form: what makes a game of ours, and of theirs, and measures it; whose names are in `peers`."""

    title: Text
    functions: tuple[str, str, str]
    peers: str


AEC = Form(
    say("Steps in PettingZoo's form beside its own card games, in turn"), ("aec", "card_game", "aec_speed"), "CARDS"
)
SPIEL = Form(
    say("Events in OpenSpiel's form beside its own games in Python, in turn"), ("spiel", "python_game", "spiel_speed"),
    "PYTHON",
)  # fmt: skip


def add(parser: argparse.ArgumentParser, t: Any) -> None:
    """`hexdeck bench [GAME …] [--peer] [--no-compile]`."""
    parser.add_argument("games", nargs="*", metavar=t(say("GAME")), help=t(say("without one, all")))
    parser.add_argument(
        "--peer",
        action="store_true",
        help=t(say("also run games of OpenSpiel and PettingZoo, in turn with each of ours")),
    )
    parser.add_argument("--no-compile", action="store_true", help=t(say("leave out the measuring of compile times")))


def run(arguments: argparse.Namespace, words: Catalogue) -> int:
    """Measure and print."""
    from rich.console import Console

    from hexdeck.engine.discovery.definition import playable
    from hexdeck.engine.discovery.finding import find_game

    names = [find_game(name) for name in arguments.games] or list(playable())
    console = Console(emoji=False)
    console.print(speed_table(names, words))
    console.print(batch_table(names, words))
    if not arguments.no_compile:
        console.print(compile_table(names, words))
    if arguments.peer:
        console.print(peer_table(names, words))
        console.print(search_table(names, words))
        console.print(framework_table(names, words, AEC))
        console.print(framework_table(names, words, SPIEL))
    return 0


def spread(name: str) -> list[int]:
    """The player counts that are measured: fewest, four or near, most."""
    from hexdeck.engine.discovery.definition import definition

    low, high = definition(name).rules.PLAYERS
    return sorted({low, min(max(4, low), high), high})


def new_table(words: Catalogue, title: Any, *columns: Any) -> Any:
    """A table with translated titles, numbers to the right."""
    from rich.table import Table

    table = Table(title=words.words(title))
    for k, column in enumerate(columns):
        table.add_column(words.words(column), justify="right" if k else "left", no_wrap=k == 0)
    return table


def speed_table(names: list[str], words: Catalogue) -> Any:
    """Random play of each game at several player counts, on one core."""
    from hexdeck.simulation.game import game
    from hexdeck.simulation.speed import match_speed, random_speed

    table = new_table(
        words, say("Uniformly random legal play, every deal included, one core (median of 5)"), say("game"),
        say("players"), say("moves/s"), say("chance/s"), say("games/s"), say("struct bytes"), say("Match µs/move"),
    )  # fmt: skip
    for name in names:
        for players in spread(name):
            chosen = game(name, players)
            runs = sorted(random_speed(chosen) for _ in range(5))
            moves, chances, games = runs[2]
            table.add_row(
                name, str(players), f"{moves / 1e6:.2f} M", f"{chances / 1e6:.2f} M", f"{games / 1e3:,.0f} k",
                str(chosen.rules.STRUCT.itemsize), f"{match_speed(chosen):.2f}",
            )  # fmt: skip
    return table


def batch_table(names: list[str], words: Catalogue) -> Any:
    """Random play in a batch of each game, on one thread and on two, in turn, beside plain loops on two threads."""
    from hexdeck.simulation.game import game
    from hexdeck.simulation.speed import ENVS, batch_speed, plain_gain

    title = say("Decisions/s in a batch of {envs}, observations and masks written (median of {pairs})", envs=ENVS,
                pairs=PAIRS)  # fmt: skip
    columns = (
        say("game"), say("players"), say("one thread"), say("two threads"), say("ratio"), say("two plain loops"),
        say("of theirs"),
    )  # fmt: skip
    table, means, shares = new_table(words, title, *columns), [], []
    for name in names:
        for players in spread(name):
            chosen = game(name, players)
            runs = [(batch_speed(chosen), batch_speed(chosen, 2), plain_gain(chosen)) for _ in range(PAIRS)]
            one, two, plain = (statistics.median(side) for side in zip(*runs, strict=True))
            ratio = statistics.median(second / first for first, second, _ in runs)
            means.append(one)
            shares.append(ratio / plain)
            speeds = f"{one / 1e6:.2f} M", f"{two / 1e6:.2f} M"
            table.add_row(name, str(players), *speeds, f"{ratio:.2f}", f"{plain:.2f}", f"{shares[-1]:.2f}")
    for word, mean, share in (
        (say("least"), min(means), min(shares)),
        (say("geometric mean"), statistics.geometric_mean(means), statistics.geometric_mean(shares)),
    ):
        table.add_row(words.words(word), "", f"{mean / 1e6:.2f} M", "", "", "", f"{share:.2f}", style="bold")
    return table


def compile_table(names: list[str], words: Catalogue) -> Any:
    """How long machine code takes, each game in processes of its own."""
    from hexdeck.simulation.speed import compile_seconds

    table = new_table(
        words, say("Seconds of hexdeck compile GAME, with the start of Python"), say("game"), say("empty cache"),
        say("full cache"),
    )  # fmt: skip
    for name in names:
        cold, warm = compile_seconds(name)
        table.add_row(name, f"{cold:.1f}", f"{warm:.2f}")
    return table


def peer_table(names: list[str], words: Catalogue) -> Any:
    """The ratio to OpenSpiel's hearts: pairs of runs in turn, the median of their ratios."""
    from hexdeck.simulation.speed import Hearts

    hearts, means = Hearts(), []
    title = say("Moves/s beside OpenSpiel's C++ random bots on hearts, in turn (median of {pairs} pairs)", pairs=PAIRS)
    columns = (
        say("game"),
        say("players"),
        say("moves/s"),
        say("hearts moves/s"),
        say("ratio"),
        say("least"),
        say("most"),
    )
    table = new_table(words, title, *columns)
    for name in names:
        medians = [add_ratio(table, name, players, hearts) for players in spread(name)]
        means.append(statistics.geometric_mean(medians))
        table.add_row(name, words.words(say("all")), "", "", f"{means[-1]:.2f}", "", "", style="bold")
    mean = f"{statistics.geometric_mean(means):.2f}"
    table.add_row(words.words(say("geometric mean")), "", "", "", mean, "", "", style="bold")
    table.caption = words.words(loops(names[0], hearts))
    return table


def search_table(names: list[str], words: Catalogue) -> Any:
    """The tree search beside OpenSpiel's on hearts: pairs of runs in turn, the median of their ratios."""
    from hexdeck.simulation.game import game
    from hexdeck.simulation.speed import Hearts, search_speed

    title = say("Decisions/s in tree search beside OpenSpiel's ISMCTSBot on hearts, 1000 simulations a move")
    columns = say("game"), say("players"), say("decisions/s"), say("hearts decisions/s"), say("ratio")
    table, hearts = new_table(words, title, *columns), Hearts()
    for name in names:
        chosen = game(name)
        pairs = [(search_speed(chosen), hearts.search()) for _ in range(SEARCHES)]
        ratio = statistics.median(mine / theirs for mine, theirs in pairs)
        speeds = [f"{statistics.median(side) / 1e6:.2f} M" for side in zip(*pairs, strict=True)]
        table.add_row(name, str(chosen.players), *speeds, f"{ratio:.2f}")
    return table


def framework_table(names: list[str], words: Catalogue, form: Form) -> Any:
    """Each game in a framework's form beside the framework's own games, in turn: medians of speeds and of ratios."""
    from hexdeck.envs import framework_speed
    from hexdeck.simulation.game import game

    ours, theirs, speed = (getattr(framework_speed, name) for name in form.functions)
    peers = [theirs(name) for name in getattr(framework_speed, form.peers)]
    columns = (
        say("game"),
        say("a second"),
        *(say("beside {peer}", peer=name) for name in getattr(framework_speed, form.peers)),
    )
    table, ratios, own = new_table(words, form.title, *columns), [], []
    for name in names:
        mine = ours(game(name))
        runs = [(speed(mine), [speed(peer) for peer in peers]) for _ in range(SEARCHES)]
        ratios.append([statistics.median(run / run_of[k] for run, run_of in runs) for k in range(len(peers))])
        own += [run_of for _, run_of in runs]
        shown = (f"{ratio:.2f}" for ratio in ratios[-1])
        table.add_row(name, f"{statistics.median(run for run, _ in runs):,.0f}", *shown)
    means = (f"{statistics.geometric_mean(column):.2f}" for column in zip(*ratios, strict=True))
    table.add_row(words.words(say("geometric mean")), "", *means, style="bold")
    speeds = (f"{statistics.median(column):,.0f}" for column in zip(*own, strict=True))
    table.add_row(words.words(say("their own, a second")), "", *speeds)
    return table


def add_ratio(table: Any, name: str, players: int, hearts: Any) -> float:
    """Measure a game beside hearts, in pairs; add the row and return the median ratio."""
    from hexdeck.simulation.game import game
    from hexdeck.simulation.speed import random_speed

    chosen = game(name, players)
    pairs = [(random_speed(chosen)[0], hearts.speed()) for _ in range(PAIRS)]
    ratios = sorted(mine / theirs for mine, theirs in pairs)
    speeds = [f"{statistics.median(side) / 1e6:.2f} M" for side in zip(*pairs, strict=True)]
    table.add_row(name, str(players), *speeds, *[f"{ratios[k]:.2f}" for k in (PAIRS // 2, 0, PAIRS - 1)])
    return float(ratios[PAIRS // 2])


def loops(name: str, hearts: Any) -> Any:
    """`Match` beside OpenSpiel's loop in Python, in words."""
    from hexdeck.simulation.game import game
    from hexdeck.simulation.speed import match_speed

    pairs = [(match_speed(game(name), 100), hearts.loop(60)) for _ in range(PAIRS)]
    ours, theirs = (f"{statistics.median(side):.2f}" for side in zip(*pairs, strict=True))
    return say(
        "Match on {game}: {ours} µs a move; OpenSpiel's loop in Python on hearts: {theirs} µs (deals included).",
        game=name, ours=ours, theirs=theirs,
    )  # fmt: skip
