"""`hexdeck speed`: how fast it is here, and beside OpenSpiel and PettingZoo in the same run."""

from __future__ import annotations

import argparse
import statistics
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from hexdeck.cli.output import CommandResult, head, make_console, worded
from hexdeck.engine.text import Catalogue, Text, _, number, say
from hexdeck.lab import needs

PAIRS = 7
SEARCHES = 3


def run(arguments: argparse.Namespace, catalogue: Catalogue) -> CommandResult:
    """Measure, and print each table as it is measured."""
    from hexdeck.engine.discovery.definition import playable
    from hexdeck.engine.discovery.finding import find_game

    if arguments.peer:
        needs("bench", "pyspiel", "pettingzoo", "pygame", "rlcard")
    names = [find_game(name) for name in arguments.games] or list(playable())
    console, measured = make_console(), []
    kinds = [speed_table, batch_table, *([] if arguments.no_compile else [compile_table])]
    for make in [*kinds, *([peer_table, search_table, pettingzoo_table, openspiel_table] if arguments.peer else [])]:
        table = make(names, catalogue)
        measured.append(table.data)
        if not arguments.json:
            console.print(table.drawn)
    return CommandResult(catalogue, lambda: None, lambda: head("speed") | {"tables": measured})


def spread(name: str) -> list[int]:
    """The player counts that are measured: fewest, four or near, most."""
    from hexdeck.engine.discovery.definition import definition

    low, high = definition(name).rules.PLAYERS
    return sorted({low, min(max(4, low), high), high})


class Figure(NamedTuple):
    """A number, and how it is shown: divided by `unit`, with so many digits, and a suffix."""

    value: float
    digits: int = 2
    unit: float = 1.0
    suffix: str = ""


def millions(value: float) -> Figure:
    """A number shown in millions."""
    return Figure(value, 2, 1e6, " M")


class SpeedTable:
    """A table of figures: drawn with translated titles, numbers to the right; or as data, with names in English."""

    def __init__(self, catalogue: Catalogue, title: Text, *columns: Text) -> None:
        from rich.table import Table

        self.words, self.drawn = worded(catalogue), Table(title=catalogue.words(title))
        self.data: dict[str, Any] = {"title": str(title), "columns": [*map(str, columns)], "rows": []}
        for k, column in enumerate(columns):
            self.drawn.add_column(self.words(column), justify="right" if k else "left", no_wrap=k == 0)

    def add(self, *cells: Figure | Text | str | int, style: str = "") -> None:
        """Add a row."""
        row: list[Any] = []
        texts = []
        for cell in cells:
            if isinstance(cell, Figure):
                row.append(cell.value)
                texts.append(self.words(number(cell.value / cell.unit, cell.digits)) + cell.suffix)
            else:
                row.append(cell if isinstance(cell, int) else str(cell))
                texts.append(self.words(cell) if isinstance(cell, Text) else str(cell))
        self.data["rows"].append(row)
        self.drawn.add_row(*texts, style=style)


def speed_table(names: list[str], catalogue: Catalogue) -> SpeedTable:
    """Random play of each game at several player counts, on one core."""
    from hexdeck.simulation.game import game
    from hexdeck.simulation.speed import match_speed, random_speed

    title = say("Uniformly random legal play, every deal included, one core (median of 5)")
    speeds = say("moves/s"), say("chance/s"), say("games/s")
    columns = say("game"), say("players"), *speeds, say("struct bytes"), say("Match µs/move")
    table = SpeedTable(catalogue, title, *columns)
    for name in names:
        for players in spread(name):
            chosen = game(name, players)
            runs = sorted(random_speed(chosen) for _ in range(5))
            moves, chances, games = runs[2]
            figures = millions(moves), millions(chances), Figure(games, 0, 1e3, " k")
            table.add(name, players, *figures, int(chosen.rules.STRUCT.itemsize), Figure(match_speed(chosen)))
    return table


def batch_table(names: list[str], catalogue: Catalogue) -> SpeedTable:
    """Random play in a batch of each game, on one thread and on two, in turn, beside plain loops on two threads."""
    from hexdeck.simulation.game import game
    from hexdeck.simulation.speed import ENVS, batch_speed, plain_gain

    title = say(
        "Decisions/s in a batch of {envs}, observations and masks written (median of {pairs})", envs=ENVS, pairs=PAIRS
    )
    threads = say("one thread"), say("two threads"), say("ratio"), say("two plain loops"), say("of theirs")
    table, means, shares = SpeedTable(catalogue, title, say("game"), say("players"), *threads), [], []
    for name in names:
        for players in spread(name):
            chosen = game(name, players)
            runs = [(batch_speed(chosen), batch_speed(chosen, 2), plain_gain(chosen)) for _ in range(PAIRS)]
            one, two, plain = (statistics.median(side) for side in zip(*runs, strict=True))
            ratio = statistics.median(second / first for first, second, _ in runs)
            means.append(one)
            shares.append(ratio / plain)
            ratios = map(Figure, (ratio, plain, shares[-1]))
            table.add(name, players, millions(one), millions(two), *ratios)
    for word, mean, share in (
        (say("least"), min(means), min(shares)),
        (say("geometric mean"), statistics.geometric_mean(means), statistics.geometric_mean(shares)),
    ):
        table.add(word, "", millions(mean), "", "", "", Figure(share), style="bold")
    return table


def compile_table(names: list[str], catalogue: Catalogue) -> SpeedTable:
    """How long machine code takes, each game in processes of its own."""
    from hexdeck.simulation.speed import compile_seconds

    title = say("Seconds of hexdeck compile GAME, with the start of Python")
    table = SpeedTable(catalogue, title, say("game"), say("empty cache"), say("full cache"))
    for name in names:
        cold, warm = compile_seconds(name)
        table.add(name, Figure(cold, 1), Figure(warm))
    return table


def peer_table(names: list[str], catalogue: Catalogue) -> SpeedTable:
    """The ratio to OpenSpiel's hearts: pairs of runs in turn, the median of their ratios."""
    from hexdeck.simulation.game import game
    from hexdeck.simulation.speed import Hearts, match_speed, random_speed

    hearts, means = Hearts(), []
    title = say("Moves/s beside OpenSpiel's C++ random bots on hearts, in turn (median of {pairs} pairs)", pairs=PAIRS)
    speeds = say("moves/s"), say("hearts moves/s"), say("ratio"), say("least"), say("most")
    table = SpeedTable(catalogue, title, say("game"), say("players"), *speeds)
    for name in names:
        medians = []
        for players in spread(name):
            chosen = game(name, players)
            pairs = [(random_speed(chosen)[0], hearts.speed()) for _ in range(PAIRS)]
            ratios = sorted(mine / theirs for mine, theirs in pairs)
            medians.append(ratios[PAIRS // 2])
            figures = [millions(statistics.median(side)) for side in zip(*pairs, strict=True)]
            table.add(name, players, *figures, *(Figure(ratios[k]) for k in (PAIRS // 2, 0, PAIRS - 1)))
        means.append(statistics.geometric_mean(medians))
        table.add(name, say("all"), "", "", Figure(means[-1]), "", "", style="bold")
    mean = Figure(statistics.geometric_mean(means))
    table.add(say("geometric mean"), "", "", "", mean, "", "", style="bold")
    pairs = [(match_speed(game(names[0]), 100), hearts.loop(60)) for _ in range(PAIRS)]
    own, other = (number(statistics.median(side), 2) for side in zip(*pairs, strict=True))
    text = _("Match on {game}: {ours} µs a move; OpenSpiel's loop in Python on hearts: {theirs} µs (deals included).")
    table.drawn.caption = catalogue.words(say(text, game=names[0], ours=own, theirs=other))
    return table


def search_table(names: list[str], catalogue: Catalogue) -> SpeedTable:
    """The tree search beside OpenSpiel's on hearts: pairs of runs in turn, the median of their ratios."""
    from hexdeck.simulation.game import game
    from hexdeck.simulation.speed import Hearts, search_speed

    title = say("Decisions/s in tree search beside OpenSpiel's ISMCTSBot on hearts, 1000 simulations a move")
    columns = say("game"), say("players"), say("decisions/s"), say("hearts decisions/s"), say("ratio")
    table, hearts = SpeedTable(catalogue, title, *columns), Hearts()
    for name in names:
        chosen = game(name)
        pairs = [(search_speed(chosen), hearts.search()) for _ in range(SEARCHES)]
        ratio = statistics.median(mine / theirs for mine, theirs in pairs)
        speeds = [millions(statistics.median(side)) for side in zip(*pairs, strict=True)]
        table.add(name, chosen.players, *speeds, Figure(ratio))
    return table


def pettingzoo_table(names: list[str], catalogue: Catalogue) -> SpeedTable:
    """Steps of each game in PettingZoo's form beside those of its own card games."""
    from hexdeck.envs import framework_speed as forms

    title = say("Steps in PettingZoo's form beside its own card games, in turn")
    return framework_table(names, catalogue, title, forms.aec, forms.aec_speed, forms.card_game, forms.CARDS)


def openspiel_table(names: list[str], catalogue: Catalogue) -> SpeedTable:
    """Events of each game in OpenSpiel's form beside those of its own games in Python."""
    from hexdeck.envs import framework_speed as forms

    title = say("Events in OpenSpiel's form beside its own games in Python, in turn")
    return framework_table(names, catalogue, title, forms.spiel, forms.spiel_speed, forms.python_game, forms.PYTHON)


def framework_table(
    names: list[str],
    catalogue: Catalogue,
    title: Text,
    ours: Callable[[Any], Any],
    speed: Callable[[Any], float],
    theirs: Callable[[str], Any],
    peer_names: Sequence[str],
) -> SpeedTable:
    """Each game in a framework's form (`ours`) beside the framework's own, in turn: medians of speeds and of ratios."""
    from hexdeck.simulation.game import game

    peers = [theirs(name) for name in peer_names]
    columns = say("game"), say("a second"), *(say("beside {peer}", peer=name) for name in peer_names)
    table, ratios, own = SpeedTable(catalogue, title, *columns), [], []
    for name in names:
        mine = ours(game(name))
        runs = [(speed(mine), [speed(peer) for peer in peers]) for _ in range(SEARCHES)]
        ratios.append([statistics.median(run / run_of[k] for run, run_of in runs) for k in range(len(peers))])
        own += [run_of for _, run_of in runs]
        table.add(name, Figure(statistics.median(run for run, _ in runs), 0), *map(Figure, ratios[-1]))
    means = (Figure(statistics.geometric_mean(column)) for column in zip(*ratios, strict=True))
    table.add(say("geometric mean"), "", *means, style="bold")
    speeds = (Figure(statistics.median(column), 0) for column in zip(*own, strict=True))
    table.add(say("their own, a second"), "", *speeds)
    return table
