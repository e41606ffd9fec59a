"""A second net that learns to beat the one that is trained, and plays along with it.

What a net learns about a bot that doesn't change can be turned against it. So where it learns to beat a search, it
meets in its other games a net that learns to beat it: both together lead to a restricted Nash response (Johanson,
Zinkevich and Bowling 2008), which gains from the search what can be gained without being open to others.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping

import numpy as np

from hexdeck.bots.training.learn import Batch, Learner, TrainStep

MEMORY = 0.98  # of the averages of weights over steps, of both nets
KEPT, MET = 16, 2  # averages of the past that are kept, and how many of them play along in one step
# Of one that begins anew: its share of the first rate, variety, the average of its weights; how many of its past play.
RATE, ENTROPY, RECENT, MET_AGAIN = 0.6, 0.02, 0.8, 3


class Adversary:
    """The second net; it begins as its rival stands. `past`: its averaged weights, of now and then, float16."""

    def __init__(self, rival: Learner) -> None:
        self.learner = type(rival)(rival.sizes, rival.flat.copy(), rival.scale)
        self.average, self.done = self.learner.flat.copy(), 0
        self.past: list[np.ndarray] = []

    def company(self, rng: np.random.Generator) -> list[np.ndarray]:
        """Who plays along for it in a step: it as it is, its average, some of its past."""
        drawn = rng.integers(0, len(self.past), MET).tolist() if self.past else []
        return [self.learner.weights(), self.learner.weights(self.average), *(self.past[k] for k in drawn)]

    def learn(self, batch: Batch, lesson: TrainStep, rate: float, rng: np.random.Generator, _rival: Learner) -> None:
        """Learn from a batch of its own decisions among its rival."""
        self.learner.learn(batch, lesson, rate, rng)
        self.done += 1
        self.average += np.float32(max(1 - MEMORY, 1 / self.done)) * (self.learner.flat - self.average)

    def remember(self) -> None:
        """Keep its average; of more than are kept every second one goes."""
        self.past.append(self.learner.weights(self.average).astype(np.float16))
        if len(self.past) > KEPT:
            self.past = self.past[1::2]

    def arrays(self) -> dict[str, np.ndarray]:
        """All that decides how it goes on, by name."""
        learner = self.learner
        past = np.array(self.past, np.float16).reshape(-1, len(self.average))
        return {
            "foe_flat": learner.flat, "foe_mean": learner.mean, "foe_square": learner.square,
            "foe_average": self.average, "foe_past": past, "foe_steps": np.array([learner.steps, self.done]),
        }  # fmt: skip

    def restore(self, kept: Mapping[str, np.ndarray]) -> None:
        """Go on where these arrays were written."""
        learner = self.learner
        learner.flat, learner.mean, learner.square = kept["foe_flat"], kept["foe_mean"], kept["foe_square"]
        self.average, self.past = kept["foe_average"], list(kept["foe_past"])
        learner.steps, self.done = kept["foe_steps"].tolist()


class ResettingAdversary(Adversary):
    """A second net that begins anew where its rival stands, after every `anew` steps.

    One that follows its rival for long forgets what it could try; this one presses as hard as who hunts for gaps (see
    `bots.training.exploit`). `rate`: of its learning, the same from beginning to end. `past`: its averages as each
    hunt ended.
    """

    def __init__(self, rival: Learner, anew: int, rate: float) -> None:
        super().__init__(rival)
        self.anew, self.rate = anew, RATE * rate

    def company(self, rng: np.random.Generator) -> list[np.ndarray]:
        """Who plays along for it in a step: its average, and some of its past."""
        drawn = rng.integers(0, len(self.past), MET_AGAIN).tolist() if self.past else []
        return [self.learner.weights(self.average), *(self.past[k] for k in drawn)]

    def learn(self, batch: Batch, lesson: TrainStep, _rate: float, rng: np.random.Generator, rival: Learner) -> None:
        """Learn from a batch of its own decisions among its rival; at the end of a hunt, begin anew."""
        self.learner.learn(batch, dataclasses.replace(lesson, entropy=ENTROPY), self.rate, rng)
        self.average += np.float32(1 - RECENT) * (self.learner.flat - self.average)
        self.done += 1
        if self.done % self.anew == 0:
            self.past = [*self.past, self.learner.weights(self.average).astype(np.float16)][-KEPT:]
            self.learner = type(rival)(rival.sizes, rival.flat.copy(), rival.scale)
            self.average = self.learner.flat.copy()

    def remember(self) -> None:
        """Nothing: its past is how its hunts ended."""
