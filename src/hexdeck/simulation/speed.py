"""Measurements of speed: random play, batches, `Match`, the search, compilation, and OpenSpiel's hearts to compare."""

from __future__ import annotations

import os
import random
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np

from hexdeck.bots.search.searcher import Searcher
from hexdeck.engine.backends.kernels import RANDOM
from hexdeck.engine.errors import HexdeckError
from hexdeck.engine.play.match import Match
from hexdeck.engine.play.playouts import pad_rows, seat_generator
from hexdeck.engine.text import say
from hexdeck.simulation.game import Game

SECONDS = 0.25  # duration of a measured run
ENVS = 1024  # environments of a measured batch


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
    for number in range(matches):
        match = game.match(seed=1, number=number)
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
    for number in range(-1, 5):
        match = game.match(seed=2, number=max(0, number))
        seat, knowledge = match.actor, match.concealed(match.actor)
        began = time.perf_counter()
        searcher.choose(knowledge, seat)
        if number >= 0:  # the first only warms up
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
            subprocess.run(command, env={**os.environ, "HEXDECK_CACHE": folder}, check=True, stdout=subprocess.DEVNULL)  # noqa: S603
            times.append(time.perf_counter() - began)
    return times[0], times[1]


class Hearts:
    """OpenSpiel's hearts, played by its C++ random bots (`pyspiel.evaluate_bots`), deals included."""

    def __init__(self) -> None:
        try:
            import pyspiel
        except ImportError:
            raise HexdeckError(
                say(
                    "OpenSpiel is not installed; make bench installs it, or pip install '.[bench]' in Hexdeck's folder."
                )
            ) from None
        self.spiel: Any = pyspiel
        self.game = pyspiel.load_game("hearts")
        self.bots = [pyspiel.make_uniform_random_bot(seat, seat) for seat in range(4)]
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
