"""Learning of nets, in NumPy: forward and backward passes, Adam, the clipped objective (PPO) and that of values.

Schulman and others 2017 for the objective, Kingma and Ba 2015 for Adam. The first layer is learned in inputs divided by
how large they usually are; `Learner.weights` gives a net that takes them as they come.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from hexdeck.bots.nets.inference import ACTIONS, FAR, INPUTS, NEAR, length
from hexdeck.bots.training.selfplay import ADVANTAGE, LOGP, STANDING, TARGET

Layers = tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray, np.ndarray, np.ndarray]
IMPOSSIBLE = np.float32(-1e9)


@dataclass(frozen=True)
class TrainStep:
    """How to learn from a batch.

    `clip` of the ratio, `entropy` bonus, `value` weight, `size` of minibatches, `epochs` through the batch.
    """

    clip: float = 0.2
    entropy: float = 0.05
    value: float = 0.5
    size: int = 2048
    epochs: int = 2


@dataclass(frozen=True)
class Batch:
    """Recorded decisions: the columns that `selfplay.rehearse` writes."""

    seen: np.ndarray
    legal: np.ndarray
    chosen: np.ndarray
    facts: np.ndarray

    def __len__(self) -> int:
        return len(self.chosen)

    def some(self, at: np.ndarray) -> Batch:
        """These decisions."""
        return Batch(self.seen[at], self.legal[at], self.chosen[at], self.facts[at])


def split(flat: np.ndarray, sizes: np.ndarray) -> Layers:
    """Views of a flat array as weights and biases of the three layers; the last one's rows are the outputs."""
    inputs, near, far, out = (int(sizes[k]) for k in (INPUTS, NEAR, FAR, ACTIONS))
    shapes = (inputs, near), (near,), (near, far), (far,), (out + 1, far), (out + 1,)
    views, at = [], 0
    for shape in shapes:
        end = at + int(np.prod(shape))
        views.append(flat[at:end].reshape(shape))
        at = end
    return tuple(views)  # type: ignore[return-value]


def first_weights(sizes: np.ndarray, lit: float, rng: np.random.Generator) -> np.ndarray:
    """Random weights to begin with, float32; `lit` is about how many inputs are not zero at once (He and others 2015).

    The policy begins nearly uniform, the value at nothing.
    """
    flat = np.zeros(length(sizes), np.float32)
    first, _, second, _, last, _ = split(flat, sizes)
    first[:] = rng.normal(0, np.sqrt(2 / max(1, lit)), first.shape)
    second[:] = rng.normal(0, np.sqrt(2 / len(second)), second.shape)
    last[:-1] = rng.normal(0, 0.01, last[:-1].shape)
    return flat


class Learner:
    """The weights that are learned, and Adam's memory of their gradients. All float32; `steps` counts minibatches."""

    def __init__(self, sizes: np.ndarray, flat: np.ndarray, scale: np.ndarray) -> None:
        self.sizes, self.flat, self.scale = sizes, flat, scale.astype(np.float32)
        self.mean, self.square, self.steps = np.zeros_like(flat), np.zeros_like(flat), 0

    def told(self) -> tuple[str, ...]:
        """The names of the numbers that `learn` returns."""
        return "entropy", "error", "moved"

    def slope(self, output: np.ndarray, batch: Batch, lesson: TrainStep) -> tuple[np.ndarray, np.ndarray]:
        """The slope of the loss in the outputs, and what `learn` tells."""
        return objective(output, batch, lesson)

    def weights(self, flat: np.ndarray | None = None) -> np.ndarray:
        """Weights (by default the learner's) with the scale of the inputs folded in."""
        out = (self.flat if flat is None else flat).copy()
        split(out, self.sizes)[0][:] *= self.scale[:, None]
        return out

    def learn(self, batch: Batch, lesson: TrainStep, rate: float, rng: np.random.Generator) -> np.ndarray:
        """Go through a batch; returns means over it of what `told` names.

        That is for a policy entropy, square of the value's error, and how far it moved.
        """
        told = []
        for _ in range(lesson.epochs):
            order = rng.permutation(len(batch))
            for at in range(0, len(batch) - lesson.size // 2, lesson.size):
                gradient, news = self.gradient(batch.some(order[at : at + lesson.size]), lesson)
                self.step(gradient, rate)
                told.append(news)
        means: np.ndarray = np.mean(told, axis=0)
        return means

    def gradient(self, batch: Batch, lesson: TrainStep) -> tuple[np.ndarray, np.ndarray]:
        """The gradient of the loss (flat, float32), and what `learn` tells."""
        first, first_bias, second, second_bias, last, last_bias = split(self.flat, self.sizes)
        x = batch.seen.astype(self.flat.dtype)
        near = np.maximum(x @ (first * self.scale[:, None]) + first_bias, 0)
        far = np.maximum(near @ second + second_bias, 0)
        output = far @ last.T + last_bias
        slope, news = self.slope(output, batch, lesson)
        gradient = np.empty_like(self.flat)
        parts = split(gradient, self.sizes)
        parts[4][:], parts[5][:] = slope.T @ far, slope.sum(axis=0)
        back = (slope @ last) * (far > 0)
        parts[2][:], parts[3][:] = near.T @ back, back.sum(axis=0)
        back = (back @ second.T) * (near > 0)
        parts[0][:], parts[1][:] = (x.T @ back) * self.scale[:, None], back.sum(axis=0)
        return gradient, news

    def step(self, gradient: np.ndarray, rate: float) -> None:
        """One step of Adam, after clipping the gradient's length to 1."""
        gradient *= min(1.0, 1.0 / (float(np.sqrt(gradient @ gradient)) + 1e-8))
        self.steps += 1
        self.mean += 0.1 * (gradient - self.mean)
        self.square += 0.001 * (gradient * gradient - self.square)
        size = rate * np.sqrt(1 - 0.999**self.steps) / (1 - 0.9**self.steps)
        self.flat -= np.float32(size) * self.mean / (np.sqrt(self.square) + np.float32(1e-7))


class Appraiser(Learner):
    """Learns values alone: the loss is the mean of (standing + value - target)² / 2."""

    def told(self) -> tuple[str, ...]:
        """The names of the numbers that `learn` returns."""
        return ("error",)

    def slope(self, output: np.ndarray, batch: Batch, _lesson: TrainStep) -> tuple[np.ndarray, np.ndarray]:
        """The slope of the loss in the outputs, and what `learn` tells."""
        error = output[:, -1] + batch.facts[:, STANDING] - batch.facts[:, TARGET]
        return (error / len(batch))[:, None], np.array([(error * error).mean()], np.float64)


class Imitator(Learner):
    """Learns to choose as was chosen: the loss is the mean of cross-entropy + value (v - target)² / 2."""

    def told(self) -> tuple[str, ...]:
        """The names of the numbers that `learn` returns."""
        return "loss", "error"

    def slope(self, output: np.ndarray, batch: Batch, lesson: TrainStep) -> tuple[np.ndarray, np.ndarray]:
        """The slope of the loss in the outputs, and what `learn` tells."""
        rows = np.arange(len(batch))
        chances, logs = policy(output[:, :-1], batch.legal)
        error = output[:, -1] - batch.facts[:, TARGET]
        slope = np.empty_like(output)
        slope[:, :-1], slope[:, -1] = chances, lesson.value * error
        slope[rows, batch.chosen] -= 1
        slope /= len(batch)
        return slope, np.array([-logs[rows, batch.chosen].mean(), (error * error).mean()], np.float64)


def said(net: np.ndarray, sizes: np.ndarray, seen: np.ndarray) -> np.ndarray:
    """All that a net says of what was seen, float32 (samples, actions + 1): a logit for every action, and the value."""
    first, first_bias, second, second_bias, last, last_bias = split(np.asarray(net, np.float32), sizes)
    near = np.maximum(seen.astype(np.float32) @ first + first_bias, 0)
    out: np.ndarray = np.maximum(near @ second + second_bias, 0) @ last.T + last_bias
    return out


def objective(output: np.ndarray, batch: Batch, lesson: TrainStep) -> tuple[np.ndarray, np.ndarray]:
    """The slope of the loss in the outputs (decisions, actions + 1), and what `Learner.learn` tells.

    The loss is the mean of -min(r A, clip(r) A) - entropy H + value (v - target)² / 2, where r is the ratio of the
    chances of the chosen action now and then.
    """
    rows = np.arange(len(batch))
    chances, logs = policy(output[:, :-1], batch.legal)
    advantage, chosen = batch.facts[:, ADVANTAGE], batch.chosen
    moved = logs[rows, chosen] - batch.facts[:, LOGP]
    ratio = np.exp(np.minimum(moved, 10))
    free = np.where(advantage > 0, ratio < 1 + lesson.clip, ratio > 1 - lesson.clip)
    pull = (free * ratio * advantage).astype(output.dtype)
    entropy = -np.einsum("ij,ij->i", chances, logs)
    slope = np.empty_like(output)
    slope[:, :-1] = chances * (pull[:, None] + lesson.entropy * (logs + entropy[:, None]))
    slope[rows, chosen] -= pull
    error = output[:, -1] - batch.facts[:, TARGET]
    slope[:, -1] = lesson.value * error
    slope /= len(batch)
    return slope, np.array([entropy.mean(), (error * error).mean(), (ratio - 1 - moved).mean()], np.float64)


def policy(logits: np.ndarray, legal: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Chances of all actions and their logarithms; 0 and 0 where an action isn't legal."""
    masked = np.where(legal, logits, IMPOSSIBLE)
    masked -= masked.max(axis=1, keepdims=True)
    chances = np.exp(masked)
    total = chances.sum(axis=1, keepdims=True)
    chances /= total
    masked -= np.log(total)
    masked *= legal
    return chances, masked


def usual_size(seen: np.ndarray) -> np.ndarray:
    """How large each input usually is where it isn't zero (root of the mean square, at least 1)."""
    squares: Any = np.square(seen.astype(np.float32)).sum(axis=0) / np.maximum(1, (seen != 0).sum(axis=0))
    sizes: np.ndarray = np.sqrt(np.maximum(1, squares))
    return sizes
