"""`hexdeck speed`: how fast it is here, and beside OpenSpiel and PettingZoo in the same run."""

from __future__ import annotations

import argparse
import statistics
from collections.abc import Iterator
from typing import Any, NamedTuple

from hexdeck.cli.output import CommandResult, head, make_console, worded
from hexdeck.engine.text import Catalogue, Text, number, say
from hexdeck.lab import needs

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
    say("Events in OpenSpiel's form beside its own games in Python, in turn"),
    ("spiel", "python_game", "spiel_speed"),
    "PYTHON",
)


def run(arguments: argparse.Namespace, catalogue: Catalogue) -> CommandResult:
    """Measure, and print each table as it is measured."""
    from hexdeck.engine.discovery.definition import playable
    from hexdeck.engine.discovery.finding import find_game

    if arguments.peer:
        needs("bench", "pyspiel", "pettingzoo", "pygame", "rlcard")
    names = [find_game(name) for name in arguments.games] or list(playable())
    console, measured = make_console(), []
    for table in tables(arguments, names, catalogue):
        measured.append(table.data)
        if not arguments.json:
            console.print(table.drawn)
    return CommandResult(catalogue, lambda: None, lambda: head("speed") | {"tables": measured})


def tables(arguments: argparse.Namespace, names: list[str], catalogue: Catalogue) -> Iterator[SpeedTable]:
    """Each table, measured as it is asked for."""
    yield speed_table(names, catalogue)
    yield batch_table(names, catalogue)
    if not arguments.no_compile:
        yield compile_table(names, catalogue)
    if arguments.peer:
        yield peer_table(names, catalogue)
        yield search_table(names, catalogue)
        yield framework_table(names, catalogue, AEC)
        yield framework_table(names, catalogue, SPIEL)


def spread(name: str) -> list[int]:
    """The player counts that are measured: fewest, four or near, most."""
    from hexdeck.engine.discovery.definition import definition

    low, high = definition(name).rules.PLAYERS
    return sorted({low, min(max(4, low), high), high})


class Figure(NamedTuple):
    """A number, and how it is shown: divided by `unit`, with so many digits, and a suffix."""

    value: float
    digits: int
    unit: float = 1.0
    suffix: str = ""

    def shown(self, catalogue: Catalogue) -> str:
        """The number as people read it."""
        scaled = self.value / self.unit
        return worded(catalogue)(number(scaled, self.digits)) + self.suffix


def millions(value: float) -> Figure:
    """A number shown in millions."""
    return Figure(value, 2, 1e6, " M")


def ratio_of(value: float) -> Figure:
    """A number shown with two digits."""
    return Figure(value, 2)


Cell = Figure | Text | str | int


class SpeedTable:
    """A table of figures: drawn with translated titles, numbers to the right; or as data."""

    def __init__(self, catalogue: Catalogue, title: Text, *columns: Text) -> None:
        from rich.table import Table

        self.words, self.drawn = catalogue, Table(title=catalogue.words(title))
        self.data: dict[str, Any] = {"title": str(title), "columns": [str(each) for each in columns], "rows": []}
        for k, column in enumerate(columns):
            self.drawn.add_column(catalogue.words(column), justify="right" if k else "left", no_wrap=k == 0)

    def add(self, *cells: Cell, style: str = "") -> None:
        """Add a row."""
        self.data["rows"].append([cell.value if isinstance(cell, Figure) else as_data(cell) for cell in cells])
        cell_texts = (cell.shown(self.words) if isinstance(cell, Figure) else str(self.said(cell)) for cell in cells)
        self.drawn.add_row(*cell_texts, style=style)

    def said(self, cell: Cell) -> str | int:
        """A cell without figures, in words."""
        return self.words.words(cell) if isinstance(cell, Text) else as_data(cell)


def as_data(cell: Cell) -> Any:
    """A cell without figures as data: messages in English, as all names."""
    return str(cell) if isinstance(cell, Text) else cell


def speed_table(names: list[str], catalogue: Catalogue) -> SpeedTable:
    """Random play of each game at several player counts, on one core."""
    from hexdeck.simulation.game import game
    from hexdeck.simulation.speed import match_speed, random_speed

    table = SpeedTable(
        catalogue,
        say("Uniformly random legal play, every deal included, one core (median of 5)"),
        say("game"),
        say("players"),
        say("moves/s"),
        say("chance/s"),
        say("games/s"),
        say("struct bytes"),
        say("Match µs/move"),
    )
    for name in names:
        for players in spread(name):
            chosen = game(name, players)
            runs = sorted(random_speed(chosen) for _ in range(5))
            moves, chances, games = runs[2]
            table.add(
                name,
                players,
                millions(moves),
                millions(chances),
                Figure(games, 0, 1e3, " k"),
                int(chosen.rules.STRUCT.itemsize),
                ratio_of(match_speed(chosen)),
            )
    return table


def batch_table(names: list[str], catalogue: Catalogue) -> SpeedTable:
    """Random play in a batch of each game, on one thread and on two, in turn, beside plain loops on two threads."""
    from hexdeck.simulation.game import game
    from hexdeck.simulation.speed import ENVS, batch_speed, plain_gain

    title = say(
        "Decisions/s in a batch of {envs}, observations and masks written (median of {pairs})", envs=ENVS, pairs=PAIRS
    )
    columns = (
        say("game"),
        say("players"),
        say("one thread"),
        say("two threads"),
        say("ratio"),
        say("two plain loops"),
        say("of theirs"),
    )
    table, means, shares = SpeedTable(catalogue, title, *columns), [], []
    for name in names:
        for players in spread(name):
            chosen = game(name, players)
            runs = [(batch_speed(chosen), batch_speed(chosen, 2), plain_gain(chosen)) for _ in range(PAIRS)]
            one, two, plain = (statistics.median(side) for side in zip(*runs, strict=True))
            ratio = statistics.median(second / first for first, second, _ in runs)
            means.append(one)
            shares.append(ratio / plain)
            ratios = map(ratio_of, (ratio, plain, shares[-1]))
            table.add(name, players, millions(one), millions(two), *ratios)
    for word, mean, share in (
        (say("least"), min(means), min(shares)),
        (say("geometric mean"), statistics.geometric_mean(means), statistics.geometric_mean(shares)),
    ):
        table.add(word, "", millions(mean), "", "", "", ratio_of(share), style="bold")
    return table


def compile_table(names: list[str], catalogue: Catalogue) -> SpeedTable:
    """How long machine code takes, each game in processes of its own."""
    from hexdeck.simulation.speed import compile_seconds

    table = SpeedTable(
        catalogue,
        say("Seconds of hexdeck compile GAME, with the start of Python"),
        say("game"),
        say("empty cache"),
        say("full cache"),
    )
    for name in names:
        cold, warm = compile_seconds(name)
        table.add(name, Figure(cold, 1), ratio_of(warm))
    return table


def peer_table(names: list[str], catalogue: Catalogue) -> SpeedTable:
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
    table = SpeedTable(catalogue, title, *columns)
    for name in names:
        medians = [add_ratio(table, name, players, hearts) for players in spread(name)]
        means.append(statistics.geometric_mean(medians))
        table.add(name, say("all"), "", "", ratio_of(means[-1]), "", "", style="bold")
    mean = ratio_of(statistics.geometric_mean(means))
    table.add(say("geometric mean"), "", "", "", mean, "", "", style="bold")
    table.drawn.caption = catalogue.words(loops(names[0], hearts))
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
        table.add(name, chosen.players, *speeds, ratio_of(ratio))
    return table


def framework_table(names: list[str], catalogue: Catalogue, form: Form) -> SpeedTable:
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
    table, ratios, own = SpeedTable(catalogue, form.title, *columns), [], []
    for name in names:
        mine = ours(game(name))
        runs = [(speed(mine), [speed(peer) for peer in peers]) for _ in range(SEARCHES)]
        ratios.append([statistics.median(run / run_of[k] for run, run_of in runs) for k in range(len(peers))])
        own += [run_of for _, run_of in runs]
        table.add(name, Figure(statistics.median(run for run, _ in runs), 0), *map(ratio_of, ratios[-1]))
    means = (ratio_of(statistics.geometric_mean(column)) for column in zip(*ratios, strict=True))
    table.add(say("geometric mean"), "", *means, style="bold")
    speeds = (Figure(statistics.median(column), 0) for column in zip(*own, strict=True))
    table.add(say("their own, a second"), "", *speeds)
    return table


def add_ratio(table: SpeedTable, name: str, players: int, hearts: Any) -> float:
    """Measure a game beside hearts, in pairs; add the row and return the median ratio."""
    from hexdeck.simulation.game import game
    from hexdeck.simulation.speed import random_speed

    chosen = game(name, players)
    pairs = [(random_speed(chosen)[0], hearts.speed()) for _ in range(PAIRS)]
    ratios = sorted(mine / theirs for mine, theirs in pairs)
    speeds = [millions(statistics.median(side)) for side in zip(*pairs, strict=True)]
    table.add(name, players, *speeds, *(ratio_of(ratios[k]) for k in (PAIRS // 2, 0, PAIRS - 1)))
    return float(ratios[PAIRS // 2])


def loops(name: str, hearts: Any) -> Any:
    """`Match` beside OpenSpiel's loop in Python, in words."""
    from hexdeck.simulation.game import game
    from hexdeck.simulation.speed import match_speed

    pairs = [(match_speed(game(name), 100), hearts.loop(60)) for _ in range(PAIRS)]
    ours, theirs = (number(statistics.median(side), 2) for side in zip(*pairs, strict=True))
    return say(
        "Match on {game}: {ours} µs a move; OpenSpiel's loop in Python on hearts: {theirs} µs (deals included).",
        game=name,
        ours=ours,
        theirs=theirs,
    )
