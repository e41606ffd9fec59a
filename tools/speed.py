"""Measure how fast it is here, and beside OpenSpiel and PettingZoo in the same run (make bench).

python tools/speed.py [GAME ...] [--peer] [--no-compile] [--json]
"""

from __future__ import annotations

import argparse
import importlib
import json
import os
import random
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, NamedTuple

import numpy as np
from rich.console import Console
from rich.table import Table

import hexdeck
from hexdeck.bots.search.searcher import Searcher
from hexdeck.engine.backends.kernels import RANDOM
from hexdeck.engine.discovery.definition import definition, playable
from hexdeck.engine.discovery.finding import find_game
from hexdeck.engine.errors import UnknownGame
from hexdeck.engine.play.match import Match
from hexdeck.engine.play.playouts import pad_rows, seat_generator
from hexdeck.simulation.game import Game, game

PAIRS = 7
SEARCHES = 3
SECONDS = 0.25  # duration of a measured run
ENVS = 1024  # environments of a measured batch
CARDS = ("leduc_holdem_v4", "texas_holdem_v4", "texas_holdem_no_limit_v6")  # PettingZoo's own
PYTHON = ("python_kuhn_poker", "python_liars_poker", "python_block_dominoes")  # OpenSpiel's own


# --- tables -----------------------------------------------------------------------------------------------------------
def main() -> None:
    """Measure, and print each table as it is measured."""
    parser = argparse.ArgumentParser(description="Measure the speed of the games.")
    parser.add_argument("games", nargs="*", help="which games (default: all)")
    parser.add_argument("--peer", action="store_true", help="measure games of OpenSpiel and PettingZoo too, in turn")
    parser.add_argument("--no-compile", action="store_true", help="leave out the seconds that compiling takes")
    parser.add_argument("--json", action="store_true", help="print the figures as JSON")
    arguments = parser.parse_args()
    try:
        names = [find_game(name) for name in arguments.games] or list(playable())
    except UnknownGame as error:
        parser.error(str(error))
    console, measured = Console(), []
    kinds = [speed_table, batch_table, *([] if arguments.no_compile else [compile_table])]
    peers = [peer_table, search_table, pettingzoo_table, openspiel_table]
    for make in [*kinds, *(peers if arguments.peer else [])]:
        table = make(names)
        measured.append(table.data)
        if not arguments.json:
            console.print(table.drawn)
    if arguments.json:
        print(json.dumps({"hexdeck": hexdeck.__version__, "tables": measured}, indent=1))


def spread(name: str) -> list[int]:
    """The player counts that are measured: fewest, four or near, most."""
    low, high = definition(name).rules.PLAYERS
    return sorted({low, min(max(4, low), high), high})


class Figure(NamedTuple):
    """A number, and how it is shown: divided by `unit`, with so many digits, and a suffix."""

    value: float
    digits: int = 2
    unit: float = 1.0
    suffix: str = ""

    def __str__(self) -> str:
        return f"{self.value / self.unit:,.{self.digits}f}{self.suffix}"


def millions(value: float) -> Figure:
    """A number shown in millions."""
    return Figure(value, 2, 1e6, " M")


class SpeedTable:
    """A table of figures: drawn with numbers to the right; or as data."""

    def __init__(self, title: str, *columns: str) -> None:
        self.drawn = Table(title=title)
        self.data: dict[str, Any] = {"title": title, "columns": [*columns], "rows": []}
        for k, column in enumerate(columns):
            self.drawn.add_column(column, justify="right" if k else "left", no_wrap=k == 0)

    def add(self, *cells: Figure | str | int, style: str = "") -> None:
        """Add a row."""
        self.data["rows"].append([cell.value if isinstance(cell, Figure) else cell for cell in cells])
        self.drawn.add_row(*map(str, cells), style=style)


def speed_table(names: list[str]) -> SpeedTable:
    """Random play of each game at several player counts, on one core."""
    title = "Uniformly random legal play, every deal included, one core (median of 5)"
    speeds = "moves/s", "chance/s", "games/s"
    columns = "game", "players", *speeds, "struct bytes", "Match µs/move"
    table = SpeedTable(title, *columns)
    for name in names:
        for players in spread(name):
            chosen = game(name, players)
            runs = sorted(random_speed(chosen) for _ in range(5))
            moves, chances, games = runs[2]
            figures = millions(moves), millions(chances), Figure(games, 0, 1e3, " k")
            table.add(name, players, *figures, int(chosen.rules.STRUCT.itemsize), Figure(match_speed(chosen)))
    return table


def batch_table(names: list[str]) -> SpeedTable:
    """Random play in a batch of each game, on one thread and on two, in turn, beside plain loops on two threads."""
    title = f"Decisions/s in a batch of {ENVS}, observations and masks written (median of {PAIRS})"
    threads = "one thread", "two threads", "ratio", "two plain loops", "of theirs"
    table, means, shares = SpeedTable(title, "game", "players", *threads), [], []
    for name in names:
        for players in spread(name):
            chosen = game(name, players)
            runs = [(batch_speed(chosen), batch_speed(chosen, 2), plain_gain(chosen)) for _ in range(PAIRS)]
            single, double, plain = (statistics.median(side) for side in zip(*runs, strict=True))
            ratio = statistics.median(second / first for first, second, _ in runs)
            means.append(single)
            shares.append(ratio / plain)
            ratios = map(Figure, (ratio, plain, shares[-1]))
            table.add(name, players, millions(single), millions(double), *ratios)
    for word, mean, share in (
        ("least", min(means), min(shares)),
        ("geometric mean", statistics.geometric_mean(means), statistics.geometric_mean(shares)),
    ):
        table.add(word, "", millions(mean), "", "", "", Figure(share), style="bold")
    return table


def compile_table(names: list[str]) -> SpeedTable:
    """How long machine code takes, each game in processes of its own."""
    title = "Seconds of hexdeck compile GAME, with the start of Python"
    table = SpeedTable(title, "game", "empty cache", "full cache")
    for name in names:
        cold, warm = compile_seconds(name)
        table.add(name, Figure(cold, 1), Figure(warm))
    return table


def peer_table(names: list[str]) -> SpeedTable:
    """The ratio to OpenSpiel's hearts: pairs of runs in turn, the median of their ratios."""
    hearts, means = Hearts(), []
    title = f"Moves/s beside OpenSpiel's C++ random bots on hearts, in turn (median of {PAIRS} pairs)"
    speeds = "moves/s", "hearts moves/s", "ratio", "least", "most"
    table = SpeedTable(title, "game", "players", *speeds)
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
        table.add(name, "all", "", "", Figure(means[-1]), "", "", style="bold")
    mean = Figure(statistics.geometric_mean(means))
    table.add("geometric mean", "", "", "", mean, "", "", style="bold")
    pairs = [(match_speed(game(names[0]), 100), hearts.loop(60)) for _ in range(PAIRS)]
    own, theirs = (statistics.median(side) for side in zip(*pairs, strict=True))
    table.drawn.caption = f"Match: {own:.2f} µs a move in {names[0]}; OpenSpiel's Python: {theirs:.2f} in hearts."
    return table


def search_table(names: list[str]) -> SpeedTable:
    """The tree search beside OpenSpiel's on hearts: pairs of runs in turn, the median of their ratios."""
    title = "Decisions/s in tree search beside OpenSpiel's ISMCTSBot on hearts, 1000 simulations a move"
    columns = "game", "players", "decisions/s", "hearts decisions/s", "ratio"
    table, hearts = SpeedTable(title, *columns), Hearts()
    for name in names:
        chosen = game(name)
        pairs = [(search_speed(chosen), hearts.search()) for _ in range(SEARCHES)]
        ratio = statistics.median(mine / theirs for mine, theirs in pairs)
        speeds = [millions(statistics.median(side)) for side in zip(*pairs, strict=True)]
        table.add(name, chosen.players, *speeds, Figure(ratio))
    return table


def pettingzoo_table(names: list[str]) -> SpeedTable:
    """Steps of each game in PettingZoo's form beside those of its own card games."""
    title = "Steps in PettingZoo's form beside its own card games, in turn"
    return framework_table(names, title, aec, aec_speed, card_game, CARDS)


def openspiel_table(names: list[str]) -> SpeedTable:
    """Events of each game in OpenSpiel's form beside those of its own games in Python."""
    title = "Events in OpenSpiel's form beside its own games in Python, in turn"
    return framework_table(names, title, spiel, spiel_speed, python_game, PYTHON)


def framework_table(
    names: list[str],
    title: str,
    ours: Callable[[Any], Any],
    speed: Callable[[Any], float],
    theirs: Callable[[str], Any],
    peer_names: Sequence[str],
) -> SpeedTable:
    """Each game in a framework's form (`ours`) beside the framework's own, in turn: medians of speeds and of ratios."""
    peers = [theirs(name) for name in peer_names]
    columns = "game", "a second", *(f"beside {name}" for name in peer_names)
    table, ratios, own = SpeedTable(title, *columns), [], []
    for name in names:
        mine = ours(game(name))
        runs = [(speed(mine), [speed(peer) for peer in peers]) for _ in range(SEARCHES)]
        ratios.append([statistics.median(run / run_of[k] for run, run_of in runs) for k in range(len(peers))])
        own += [run_of for _, run_of in runs]
        table.add(name, Figure(statistics.median(run for run, _ in runs), 0), *map(Figure, ratios[-1]))
    means = (Figure(statistics.geometric_mean(column)) for column in zip(*ratios, strict=True))
    table.add("geometric mean", "", *means, style="bold")
    speeds = (Figure(statistics.median(column), 0) for column in zip(*own, strict=True))
    table.add("their own, a second", "", *speeds)
    return table


# --- measurements -----------------------------------------------------------------------------------------------------
def random_speed(game: Game, seconds: float = SECONDS) -> tuple[float, float, float]:
    """Moves, chance events and games a second of uniformly random play in compiled code on one core, deals included."""
    driver = game.driver("fast")
    lengths, played = np.zeros((1, 2), np.int64), 0
    generators = pad_rows(driver, [seat_generator(driver, 2, seat) for seat in range(game.players)])
    arguments = driver.g, game.rows(driver), driver.actions(), driver.weights(), driver.generator(1), generators
    kernel = driver.kernel("random_games")
    kernel(*arguments, 0, 10, np.zeros((1, 2), np.int64))
    began = time.perf_counter()
    while time.perf_counter() < began + seconds:
        kernel(*arguments, played, 1000, lengths)
        played += 1000
    spent = time.perf_counter() - began
    return lengths[0, 0] / spent, lengths[0, 1] / spent, played / spent


def plain_gain(game: Game) -> float:
    """How much more two plain compiled loops do at once, a thread each, than one does: what two threads can gain."""
    one = random_speed(game)[0]
    with ThreadPoolExecutor(2) as pool:
        return sum(speed for speed, *_ in pool.map(lambda _: random_speed(game), range(2))) / one


def batch_speed(game: Game, threads: int = 1, envs: int = ENVS, seconds: float = SECONDS) -> float:
    """Decisions a second of uniformly random play in a batch, which writes all arrays for each."""
    with game.batch(envs, threads, seed=1, backend="fast") as batch:
        for _ in range(10):
            batch.step(batch.random())
        began, steps = time.perf_counter(), 0
        while time.perf_counter() < began + seconds:
            batch.step(batch.random())
            steps += 1
        return steps * envs / (time.perf_counter() - began)


def match_speed(game: Game, matches: int = 300) -> float:
    """Microseconds a move through `Match` from Python: making matches, dealing, checks and records included."""
    uniform, moves = random.Random(1).random, 0
    game.match(seed=1)
    began = time.perf_counter()
    for k in range(matches):
        match = game.match(seed=1, number=k)
        while not match.over:
            seat = match.actor
            ids = match.legal_ids(seat)
            match.play(seat, ids[int(uniform() * len(ids))])
            moves += 1
    return (time.perf_counter() - began) / moves * 1e6


def search_speed(game: Game, simulations: int = 1000) -> float:
    """Decisions a second that the tree search simulates, at the first decisions of matches, on one core.

    Its playouts are random, as those of OpenSpiel's search are.
    """
    searcher = Searcher(game, simulations, 1, rollouts=RANDOM)
    decided = spent = 0.0
    for k in range(-1, 5):
        match = game.match(seed=2, number=max(0, k))
        seat, knowledge = match.actor, match.concealed(match.actor)
        began = time.perf_counter()
        searcher.choose(knowledge, seat)
        if k >= 0:  # the first only warms up
            spent += time.perf_counter() - began
            decided += simulations * sum(decisions_left(match, seat, seed) for seed in range(10)) / 10
    return float(decided / spent)


def decisions_left(match: Match, seat: int, seed: int) -> int:
    """The number of decisions to the end in a world that the seat thinks possible, played at random."""
    world, rng, count = match.resample(seat, seed), random.Random(seed), 0
    while not world.over:
        if world.acting:
            world.play(world.actor, rng.choice(world.legal_ids(world.actor)))
            count += 1
        else:
            outcomes = world.chances()
            world.deal(rng.choices(list(outcomes), list(outcomes.values()))[0])
    return count


def compile_seconds(name: str) -> tuple[float, float]:
    """Seconds that `hexdeck compile` takes for a game in a process of its own: with an empty cache, with a full one."""
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "hexdeck", "compile", name]
        times = []
        for _ in range(2):
            began = time.perf_counter()
            subprocess.run(command, env={**os.environ, "HEXDECK_CACHE": folder}, check=True, stdout=subprocess.DEVNULL)
            times.append(time.perf_counter() - began)
    return times[0], times[1]


class Hearts:
    """OpenSpiel's hearts, played by its C++ random bots (`pyspiel.evaluate_bots`), deals included."""

    def __init__(self) -> None:
        self.spiel = framework("pyspiel")
        self.game = self.spiel.load_game("hearts")
        self.bots = [self.spiel.make_uniform_random_bot(seat, seat) for seat in range(4)]
        self.played = 0

    def speed(self, seconds: float = SECONDS) -> float:
        """Player moves a second, without chance events; a game's moves are estimated from a sample."""
        moves = np.mean([self.moves() for _ in range(20)])
        games, began = 0, time.perf_counter()
        while time.perf_counter() < began + seconds:
            for _ in range(50):
                self.play()
            games += 50
        return float(moves * games / (time.perf_counter() - began))

    def play(self) -> Any:
        """Play one game; returns its last state."""
        state = self.game.new_initial_state()
        self.played += 1
        self.spiel.evaluate_bots(state, self.bots, self.played)
        return state

    def moves(self) -> int:
        """The number of player moves in one game."""
        return sum(step.player >= 0 for step in self.play().full_history())

    def search(self, simulations: int = 1000) -> float:
        """Decisions a second that `ISMCTSBot` simulates at the first decision of hearts, with random playouts."""
        evaluator = self.spiel.RandomRolloutEvaluator(1, 1)
        best, rules = self.spiel.ISMCTSFinalPolicyType.MAX_VISIT_COUNT, (False, False)
        searcher = self.spiel.ISMCTSBot(1, evaluator, 2.0, simulations, -1, best, *rules)
        decided = spent = 0.0
        for seed in range(5):
            rng, state = random.Random(seed), self.game.new_initial_state()
            while state.is_chance_node():
                state.apply_action(rng.choice([outcome for outcome, _ in state.chance_outcomes()]))
            began = time.perf_counter()
            searcher.step(state)
            spent += time.perf_counter() - began
            decided += simulations * self.decisions_left(state, rng)
        return decided / spent

    def decisions_left(self, state: Any, rng: random.Random) -> int:
        """The number of decisions to the end, played at random."""
        state, count = state.clone(), 0
        while not state.is_terminal():
            state.apply_action(rng.choice(state.legal_actions()))
            count += 1
        return count

    def loop(self, games: int = 150) -> float:
        """Microseconds a move of OpenSpiel's usual Python loop, deals included."""
        rng, moves, began = random.Random(1), 0, time.perf_counter()
        for _ in range(games):
            moves += walk(self.game, rng)[0]
        return (time.perf_counter() - began) / moves * 1e6


def walk(game: Any, rng: random.Random) -> tuple[int, int]:
    """Play a random OpenSpiel game with its usual Python loop; returns the numbers of moves and chance events."""
    state, moves, chances = game.new_initial_state(), 0, 0
    while not state.is_terminal():
        if state.is_chance_node():
            outcomes, weights = zip(*state.chance_outcomes(), strict=True)
            state.apply_action(rng.choices(outcomes, weights)[0])
            chances += 1
        else:
            legal = state.legal_actions()
            state.apply_action(legal[int(rng.random() * len(legal))])
            moves += 1
    return moves, chances


# --- frameworks' own games beside ours --------------------------------------------------------------------------------
def framework(module: str) -> Any:
    """Import a framework's module; ends with a sentence where it can't be."""
    try:
        return importlib.import_module(module)
    except ImportError as error:
        text = (
            f"{module} can't be used ({error}); make bench installs it, or pip install '.[bench]' in Hexdeck's folder."
        )
        raise SystemExit(text) from None


def card_game(name: str) -> Any:
    """One of PettingZoo's card games, with its wrappers."""
    return framework(f"pettingzoo.classic.{name}").env()


def aec(game: Game) -> Any:
    """One of our games as a PettingZoo AEC environment."""
    framework("pettingzoo")
    from hexdeck.envs.pettingzoo import env

    return env(game.name, game.players, **game.options)


def aec_speed(env: Any, seconds: float = SECONDS) -> float:
    """Steps a second of an AEC environment: observe, choose from the action mask, step."""
    dice, steps, matches, began = random.Random(1), 0, 0, time.perf_counter()
    while not steps or time.perf_counter() < began + seconds:
        env.reset(seed=matches)
        matches += 1
        for _ in env.agent_iter():
            observation, _, terminated, truncated, _ = env.last()
            if terminated or truncated:
                env.step(None)
                continue
            legal = observation["action_mask"].nonzero()[0]
            env.step(int(legal[int(dice.random() * len(legal))]))
            steps += 1
    return steps / (time.perf_counter() - began)


def python_game(name: str) -> Any:
    """One of OpenSpiel's games written in Python."""
    framework("open_spiel.python.games")
    return framework("pyspiel").load_game(name)


def spiel(game: Game) -> Any:
    """One of our games as an OpenSpiel game."""
    framework("pyspiel")
    from hexdeck.envs.open_spiel import load

    return load(game)


def spiel_speed(game: Any, seconds: float = SECONDS) -> float:
    """Events a second, moves and chance, of an OpenSpiel game."""
    dice, events, began = random.Random(1), 0, time.perf_counter()
    while not events or time.perf_counter() < began + seconds:
        events += sum(walk(game, dice))
    return events / (time.perf_counter() - began)


if __name__ == "__main__":
    main()
