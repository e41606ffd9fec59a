"""An adversary: a second net that learns to beat the one that is trained, and plays against it.

What a net learns about a bot that doesn't change can be turned against it. So a net that learns to beat a search meets,
in its other games, a net that learns to beat it: together this leads to a restricted Nash response (Johanson, Zinkevich
and Bowling 2008), which gains from the search what can be gained without being exploitable by others.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping

import numpy as np

from hexdeck.bots.training.learn import Batch, Learner, TrainStep

EMA_DECAY = 0.98  # of the average of weights over steps, of both nets
KEPT, DRAWN = 16, 2  # past averages that are kept, and how many of them play in one step
# Of an adversary that is reset: its share of the first learning rate, its entropy bonus, the decay of its average, and
# how many of its past averages play in one step.
RATE, ENTROPY, RESET_DECAY, RESET_DRAWN = 0.6, 0.02, 0.8, 3


class Adversary:
    """The second net; it begins as a copy of its rival. `past`: its averaged weights at some steps, float16."""

    def __init__(self, rival: Learner) -> None:
        self.learner = type(rival)(rival.sizes, rival.flat.copy(), rival.scale)
        self.average, self.done = self.learner.flat.copy(), 0
        self.past: list[np.ndarray] = []

    def nets(self, rng: np.random.Generator) -> list[np.ndarray]:
        """The nets that play against the rival in one step: the adversary, its average, some of its past."""
        drawn = rng.integers(0, len(self.past), DRAWN).tolist() if self.past else []
        return [self.learner.weights(), self.learner.weights(self.average), *(self.past[k] for k in drawn)]

    def learn(self, batch: Batch, step: TrainStep, rate: float, rng: np.random.Generator, _rival: Learner) -> None:
        """Learn from a batch of its own decisions against its rival."""
        self.learner.learn(batch, step, rate, rng)
        self.done += 1
        self.average += np.float32(max(1 - EMA_DECAY, 1 / self.done)) * (self.learner.flat - self.average)

    def checkpoint(self) -> None:
        """Keep its average; when more than `KEPT` are kept, every second one is dropped."""
        self.past.append(self.learner.weights(self.average).astype(np.float16))
        if len(self.past) > KEPT:
            self.past = self.past[1::2]

    def arrays(self) -> dict[str, np.ndarray]:
        """All of its state as arrays, under the names that runs store them by."""
        learner = self.learner
        past = np.array(self.past, np.float16).reshape(-1, len(self.average))
        return {
            "foe_flat": learner.flat, "foe_mean": learner.mean, "foe_square": learner.square,
            "foe_average": self.average, "foe_past": past, "foe_steps": np.array([learner.steps, self.done]),
        }  # fmt: skip

    def restore(self, kept: Mapping[str, np.ndarray]) -> None:
        """Take over the state that `arrays` gave."""
        learner = self.learner
        learner.flat, learner.mean, learner.square = kept["foe_flat"], kept["foe_mean"], kept["foe_square"]
        self.average, self.past = kept["foe_average"], list(kept["foe_past"])
        learner.steps, self.done = kept["foe_steps"].tolist()


class ResettingAdversary(Adversary):
    """An adversary that is reset to its rival's weights every `reset_every` steps.

    One that follows its rival for long forgets what it could try; this one presses as hard as an exploiter that starts
    fresh (see `bots.training.exploit`). `rate`: its learning rate, which doesn't change. `past`: its averages just
    before each reset.
    """

    def __init__(self, rival: Learner, reset_every: int, rate: float) -> None:
        super().__init__(rival)
        self.reset_every, self.rate = reset_every, RATE * rate

    def nets(self, rng: np.random.Generator) -> list[np.ndarray]:
        """The nets that play against the rival in one step: its average, and some of its past."""
        drawn = rng.integers(0, len(self.past), RESET_DRAWN).tolist() if self.past else []
        return [self.learner.weights(self.average), *(self.past[k] for k in drawn)]

    def learn(self, batch: Batch, step: TrainStep, _rate: float, rng: np.random.Generator, rival: Learner) -> None:
        """Learn from a batch of its own decisions against its rival; then reset, if it is time."""
        self.learner.learn(batch, dataclasses.replace(step, entropy=ENTROPY), self.rate, rng)
        self.average += np.float32(1 - RESET_DECAY) * (self.learner.flat - self.average)
        self.done += 1
        if self.done % self.reset_every == 0:
            self.past = [*self.past, self.learner.weights(self.average).astype(np.float16)][-KEPT:]
            self.learner = type(rival)(rival.sizes, rival.flat.copy(), rival.scale)
            self.average = self.learner.flat.copy()

    def checkpoint(self) -> None:
        """Nothing to do: it keeps its average at each reset."""
