"""Speed, measured: random play in compiled code, `Match` from Python, compile times, and OpenSpiel's hearts beside."""

from __future__ import annotations

import os
import random
import subprocess
import sys
import tempfile
import time
from typing import Any

import numpy as np

from hexdeck.bots.search.searcher import Searcher
from hexdeck.engine.backends.kernels import RANDOM
from hexdeck.engine.errors import HexdeckError
from hexdeck.engine.play.match import Match
from hexdeck.engine.text import say
from hexdeck.simulation.game import Game

SECONDS = 0.25  # a measured run takes about so long
ENVS = 1024  # of a batch that is measured


def random_speed(game: Game, seconds: float = SECONDS) -> tuple[float, float, float]:
    """Player moves, chance events and games a second of uniformly random play on one core, every deal included."""
    driver = game.driver("fast")
    counts, played = np.zeros(2, np.int64), 0
    arguments = (
        driver.g,
        game.rows(driver),
        driver.actions(),
        driver.weights(),
        driver.generator(1),
        driver.generator(2),
    )
    kernel = driver.kernel("random_games")
    kernel(*arguments, 0, 10, np.zeros(2, np.int64))
    began = time.perf_counter()
    while time.perf_counter() < began + seconds:
        kernel(*arguments, played, 1000, counts)
        played += 1000
    spent = time.perf_counter() - began
    return counts[0] / spent, counts[1] / spent, played / spent


def batch_speed(game: Game, threads: int = 1, envs: int = ENVS, seconds: float = SECONDS) -> float:
    """Decisions a second of uniformly random play in a batch: observations, masks and lists written for each."""
    with game.batch(envs, threads, seed=1, backend="fast") as batch:
        for _ in range(10):
            batch.step(batch.random())
        began, steps = time.perf_counter(), 0
        while time.perf_counter() < began + seconds:
            batch.step(batch.random())
            steps += 1
        return steps * envs / (time.perf_counter() - began)


def match_speed(game: Game, matches: int = 300) -> float:
    """Microseconds a move through `Match`, with validation, recording, dealing and the making of matches."""
    dice, moves = random.Random(1).random, 0
    game.match(seed=1)
    began = time.perf_counter()
    for number in range(matches):
        match = game.match(seed=1, number=number)
        while not match.over:
            seat = match.actor
            ids = match.legal_ids(seat)
            match.play(seat, ids[int(dice() * len(ids))])
            moves += 1
    return (time.perf_counter() - began) / moves * 1e6


def search_speed(game: Game, simulations: int = 1000) -> float:
    """Decisions a second that the tree search simulates at the first decisions of matches, on one core.

    With random playouts, as the peer's.
    """
    searcher = Searcher(game, simulations, 1, rollouts=RANDOM)
    decided = spent = 0.0
    for number in range(-1, 5):
        match = game.match(seed=2, number=max(0, number))
        seat, known = match.actor, match.concealed(match.actor)
        began = time.perf_counter()
        searcher.choose(known, seat)
        if number >= 0:  # the first was to warm up
            spent += time.perf_counter() - began
            decided += simulations * sum(decisions_left(match, seat, seed) for seed in range(10)) / 10
    return float(decided / spent)


def decisions_left(match: Match, seat: int, seed: int) -> int:
    """How many decisions a world that the seat thinks possible still takes, played at random."""
    world, dice, count = match.resample(seat, seed), random.Random(seed), 0
    while not world.over:
        if world.acting:
            world.play(world.actor, dice.choice(world.legal_ids(world.actor)))
            count += 1
        else:
            outcomes = world.chances()
            world.deal(dice.choices(list(outcomes), list(outcomes.values()))[0])
    return count


def compile_seconds(name: str) -> tuple[float, float]:
    """Seconds of `hexdeck compile` for a game, in processes of their own: with an empty cache, then with a full one."""
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
                say("OpenSpiel is not installed; make bench installs it, or pip install hexdeck[bench].")
            ) from None
        self.spiel: Any = pyspiel
        self.game = pyspiel.load_game("hearts")
        self.bots = [pyspiel.make_uniform_random_bot(seat, seat) for seat in range(4)]
        self.played = 0

    def speed(self, seconds: float = SECONDS) -> float:
        """Player moves a second (chance events don't count), counted from the histories of a sample of the games."""
        moves = np.mean([self.moves() for _ in range(20)])
        games, began = 0, time.perf_counter()
        while time.perf_counter() < began + seconds:
            for _ in range(50):
                self.play()
            games += 50
        return float(moves * games / (time.perf_counter() - began))

    def play(self) -> Any:
        """One game; returns its last state."""
        state = self.game.new_initial_state()
        self.played += 1
        self.spiel.evaluate_bots(state, self.bots, self.played)
        return state

    def moves(self) -> int:
        """The player moves of one game."""
        return sum(step.player >= 0 for step in self.play().full_history())

    def search(self, simulations: int = 1000) -> float:
        """Decisions a second that `ISMCTSBot` simulates at the first decision of hearts, with random playouts."""
        evaluator = self.spiel.RandomRolloutEvaluator(1, 1)
        best, rules = self.spiel.ISMCTSFinalPolicyType.MAX_VISIT_COUNT, (False, False)
        searcher = self.spiel.ISMCTSBot(1, evaluator, 2.0, simulations, -1, best, *rules)
        decided = spent = 0.0
        for seed in range(5):
            dice, state = random.Random(seed), self.game.new_initial_state()
            while state.is_chance_node():
                state.apply_action(dice.choice([outcome for outcome, _ in state.chance_outcomes()]))
            began = time.perf_counter()
            searcher.step(state)
            spent += time.perf_counter() - began
            decided += simulations * self.decisions_left(state, dice)
        return decided / spent

    def decisions_left(self, state: Any, dice: random.Random) -> int:
        """How many decisions are left, whatever is played."""
        state, count = state.clone(), 0
        while not state.is_terminal():
            state.apply_action(dice.choice(state.legal_actions()))
            count += 1
        return count

    def loop(self, games: int = 150) -> float:
        """Microseconds a move of the usual loop in Python, deals included."""
        dice, moves, began = random.Random(1), 0, time.perf_counter()
        for _ in range(games):
            moves += walk(self.game, dice)[0]
        return (time.perf_counter() - began) / moves * 1e6


def walk(game: Any, dice: random.Random) -> tuple[int, int]:
    """Play a random game in OpenSpiel's form, with the usual loop in Python: the moves and the chance events in it."""
    state, moves, chances = game.new_initial_state(), 0, 0
    while not state.is_terminal():
        if state.is_chance_node():
            outcomes, weights = zip(*state.chance_outcomes(), strict=True)
            state.apply_action(dice.choices(outcomes, weights)[0])
            chances += 1
        else:
            legal = state.legal_actions()
            state.apply_action(legal[int(dice.random() * len(legal))])
            moves += 1
    return moves, chances
