"""The trainer: a net learns by playing itself, its own past and other bots; its checkpoints are kept.

Which kinds of nets can be trained is in `bots.training.kinds`, how the best checkpoint is chosen in
`bots.training.league`. It needs nothing of a game but the contract. All that decides how training goes on is in one
file of its folder (`run_files`), so that a run that was cut off continues as if it had not been: with a plan bounded by
steps the result is the same to the last bit (on the same kind of machine).
"""

from __future__ import annotations

import dataclasses
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from hexdeck.bots.nets.inference import INPUTS
from hexdeck.bots.nets.netfile import net_sizes
from hexdeck.bots.training import adversary
from hexdeck.bots.training.adversary import Adversary, ResettingAdversary
from hexdeck.bots.training.arena import FRESH
from hexdeck.bots.training.collect import SEARCH
from hexdeck.bots.training.kinds import KINDS
from hexdeck.bots.training.learn import Batch, Learner, TrainStep, first_weights, usual_size
from hexdeck.bots.training.lineups import duel_lineup, mixed_lineup, search_lineup
from hexdeck.bots.training.plan import Plan, opponent_codes
from hexdeck.bots.training.run_files import BROKEN, other_version, plan_of, read_run, write_run
from hexdeck.engine.play.game import GameSetup
from hexdeck.engine.play.playouts import play_strategies

PAST = 3  # past nets that play in one step
# In the search steps (`Plan.search_steps`), since searches are slow: batches are a quarter as large, checkpoints more
# frequent, and averages shorter.
SEARCH_BATCH, SEARCH_CHECKPOINT, SEARCH_EMA = 4, 10, 0.9
CHECKS = 1000  # groups of games that score a checkpoint, over all numbers of players
TRIAL = 2000  # games by which utilities are measured before training


class Trainer:
    """A run of training.

    `checkpoints` holds averaged weights, float16; `curve` a row for each of them. `done`: steps; `average`: of the
    weights over steps. `ends`: for each end that was planned the step from which it applied, the steps and the minutes.
    Raises BadOption for a plan that can't be carried out.
    """

    def __init__(self, plan: Plan, backend: str | None = None) -> None:
        plan.check()
        self.plan, self.kind = plan, KINDS[plan.kind]
        games = [GameSetup.named(plan.game, players, **plan.options) for players in plan.players]
        self.sizes = net_sizes(games[0].rules, *plan.hidden, plan.kind)
        self.rng = np.random.default_rng(plan.seed)
        self.opponents, simulations = opponent_codes(plan.opponents)
        if plan.imitate:
            _, simulations = opponent_codes((plan.imitate,))
        self.arenas = [
            self.kind.arena(game, self.sizes, plan.seed, backend, utility_scaling(game, plan), simulations)
            for game in games
        ]
        for arena in self.arenas:
            arena.check()
        self.buffer = Batch.empty(self.sizes, plan.batch)
        self.done, self.seconds, self.moves = 0, 0.0, 0
        self.ends = [[0, plan.steps, plan.minutes]]
        self.numbers = [0] * len(games)  # of the next match in each arena
        self.checkpoints: list[np.ndarray] = []
        self.curve: list[dict[str, float]] = []
        self.learner = self._first_learner()
        self.average = self.learner.flat.copy()
        self.adversary: Adversary | None = None

    def _first_learner(self) -> Learner:
        """A learner at the beginning; the usual size of inputs is taken from a first batch, which is thrown away."""
        flat = first_weights(self.sizes, 1.0, np.random.default_rng(self.plan.seed))
        blank = self.kind.learner(self.sizes, flat, np.ones(int(self.sizes[INPUTS])))
        inputs = self._collect([blank.weights()]).inputs
        active = float((inputs != 0).sum(axis=1).mean())
        self.numbers = [0] * len(self.arenas)
        return self.kind.learner(self.sizes, first_weights(self.sizes, active, self.rng), 1 / usual_size(inputs))

    # --- a step -------------------------------------------------------------------------------------------------------
    def step(self) -> np.ndarray:
        """Play, learn, and keep a checkpoint if it is time; returns the learner's metrics."""
        began, plan = time.perf_counter(), self.plan
        batch = self._collect([self.learner.weights(), *self._other_nets()])
        entropy = plan.entropy * (1.5 - self.progress)
        how = TrainStep(entropy=entropy, minibatch=plan.minibatch, epochs=plan.epochs + self.searching)
        rate = plan.learning_rate * (1 - 0.9 * self.progress)
        metrics = self.learner.learn(batch, how, rate, self.rng)
        if self.searching and self.adversary:
            nets = [each.weights() for each in (self.adversary.learner, self.learner)]
            batch = self._collect([*nets, self.learner.weights(self.average)], duel=True)
            self.adversary.learn(batch, how, rate, self.rng, self.learner)
        weight = np.float32(max(1 - self.ema_decay, 1 / (self.done + 1)))
        self.done += 1
        self.average += weight * (self.learner.flat - self.average)
        self.seconds += time.perf_counter() - began
        if self.done % self.checkpoint_every == 0:
            self._checkpoint(metrics)
        return metrics

    def _collect(self, nets: list[np.ndarray], *, duel: bool = False) -> Batch:
        """A batch of decisions of the first net, equally many at each number of players.

        `duel`: against the other nets only, else against opponents too.
        """
        end, share = 0, self.batch_size // len(self.arenas)
        for k, arena in enumerate(self.arenas):
            part = self.buffer.rows(slice(end, end + share))
            temperatures = [self.kind.temperature(self.plan.temperature, self.progress)] * len(nets)
            lineup = self._duel(k, len(nets) - 1) if duel else self._lineup(k, len(nets) - 1)
            counts = arena.collect(lineup, nets, self.numbers[k], part, temperatures)
            self.numbers[k] += counts.games
            self.moves += counts.moves
            end += counts.decisions
        return self.buffer.rows(slice(0, end))

    def _other_nets(self) -> list[np.ndarray]:
        """The other nets of this step: some of the past, or those of the adversary."""
        if self.searching and self.plan.opponent_share:
            self.adversary = self.adversary or self._new_adversary()
            return self.adversary.nets(self.rng)
        count = len(self.checkpoints)
        drawn = self.rng.integers(0, count, PAST).tolist() if count else []
        return [self.checkpoints[k] for k in drawn]

    def _new_adversary(self) -> Adversary:
        """An adversary, as it begins."""
        plan = self.plan
        if plan.adversary_reset:
            return ResettingAdversary(self.learner, plan.adversary_reset, plan.learning_rate)
        return Adversary(self.learner)

    def _lineup(self, k: int, others: int) -> np.ndarray:
        """Who sits where in arena k, with so many other nets."""
        games, seats = self.batch_size // len(self.arenas), self.plan.players[k]
        if self.searching:
            return search_lineup(games, seats, self.opponents, self.plan.opponent_share, others, self.rng)
        return mixed_lineup(games, seats, self.opponents, others, self.rng)

    def _duel(self, k: int, others: int) -> np.ndarray:
        """Who sits where in arena k, if the first net plays against the others only."""
        return duel_lineup(self.batch_size // len(self.arenas), self.plan.players[k], others, self.rng)

    @property
    def searching(self) -> bool:
        """Whether these are the steps at the end of a run in which a search plays."""
        return SEARCH in self.opponents and 0 <= self.plan.steps - self.done <= self.plan.search_steps

    @property
    def batch_size(self) -> int:
        """How many decisions a step learns from."""
        return self.plan.batch // SEARCH_BATCH if self.searching else self.plan.batch

    @property
    def checkpoint_every(self) -> int:
        """A checkpoint is kept after so many steps."""
        return SEARCH_CHECKPOINT if self.searching else self.plan.checkpoint_every

    @property
    def ema_decay(self) -> float:
        """Of the average of weights over steps."""
        if not self.searching:
            return self.plan.ema_decay
        return adversary.EMA_DECAY if self.plan.opponent_share else SEARCH_EMA

    @property
    def progress(self) -> float:
        """How much of the plan is done, from 0 to 1."""
        if self.plan.steps:
            return min(1.0, self.done / self.plan.steps)
        return min(1.0, self.seconds / (60 * self.plan.minutes))

    def _checkpoint(self, metrics: np.ndarray) -> None:
        """Keep the averaged weights, and add their row to the curve."""
        net = self.learner.weights(self.average).astype(np.float16)
        self.checkpoints.append(net)
        if self.searching and self.adversary:
            self.adversary.checkpoint()
        row = {"step": self.done, "seconds": round(self.seconds, 1), "moves": self.moves}
        row |= {name: round(float(x), 5) for name, x in zip(self.learner.metrics, metrics, strict=True)}
        groups = group_share(CHECKS, len(self.arenas))
        for arena in self.arenas:
            mean, margin = arena.scored(net, groups, FRESH)
            row |= {f"{arena.score} {arena.game.players}": round(mean, 4), f"± {arena.game.players}": round(margin, 4)}
        self.curve.append(row)

    def run(self, folder: Path, progress: Callable[[dict[str, float]], None] | None = None) -> None:
        """Train until the plan is done, saving at each checkpoint; `progress` gets each new row of the curve."""
        while self.progress < 1:
            metrics = self.step()
            if self.progress >= 1 and not self.checkpoints:
                self._checkpoint(metrics)  # of a short run the end is kept
            if self.done % self.checkpoint_every == 0 or self.progress >= 1:
                self.save(folder)
                if progress and self.curve and self.curve[-1]["step"] == self.done:
                    progress(self.curve[-1])

    # --- on disk ------------------------------------------------------------------------------------------------------
    def save(self, folder: Path) -> None:
        """Write the state whole or not at all, and the curve for people."""
        learner = self.learner
        facts = {
            "plan": dataclasses.asdict(self.plan), "layout": self.plan.layout(), "ends": self.ends,
            "done": self.done, "seconds": self.seconds, "moves": self.moves,
            "numbers": self.numbers, "curve": self.curve, "steps": learner.steps, "rng": self.rng.bit_generator.state,
        }  # fmt: skip
        arrays = {
            "flat": learner.flat, "scale": learner.scale, "mean": learner.mean, "square": learner.square,
            "average": self.average,
            "checkpoints": np.array(self.checkpoints, np.float16).reshape(-1, len(self.average)),
        }  # fmt: skip
        write_run(folder, facts, arrays | (self.adversary.arrays() if self.adversary else {}))

    def restore(self, facts: dict[str, Any], arrays: dict[str, np.ndarray]) -> None:
        """Take over the state of a run, as `read_run` gives it."""
        self.learner = self.kind.learner(self.sizes, arrays["flat"], arrays["scale"])
        self.learner.mean, self.learner.square = arrays["mean"], arrays["square"]
        self.average, self.checkpoints = arrays["average"], list(arrays["checkpoints"])
        if "foe_flat" in arrays:
            self.adversary = self._new_adversary()
            self.adversary.restore(arrays)
        self.learner.steps, self.numbers = facts["steps"], facts["numbers"]
        self.done, self.seconds, self.moves = facts["done"], facts["seconds"], facts["moves"]
        self.curve, self.rng.bit_generator.state = facts["curve"], facts["rng"]
        self.ends = facts["ends"]
        if self.ends[-1][1:] != [self.plan.steps, self.plan.minutes]:
            self.ends.append([self.done, self.plan.steps, self.plan.minutes])


def resumed(folder: Path, backend: str | None = None, **changed: Any) -> Trainer:
    """The trainer of the run in a folder; `changed`: a new end, as `steps` or `minutes`. Raises HexdeckError."""
    facts, arrays = read_run(folder)
    trainer = Trainer(plan_of(facts, folder, changed), backend)
    try:
        trainer.restore(facts, arrays)
    except BROKEN:
        raise other_version(folder) from None
    return trainer


def group_share(total: int, parts: int) -> int:
    """How many of a total of groups each number of players gets; at least 8."""
    return max(8, total // parts)


def utility_scaling(game: GameSetup, plan: Plan) -> np.ndarray:
    """The mean and standard deviation of utility in games of the house bot, and lambda of the advantages; float64."""
    returns = play_strategies(game, TRIAL, "house", plan.seed).returns
    return np.array([returns.mean(), max(1e-6, float(returns.std())), plan.gae_lambda])
