"""Learning of nets in NumPy: forward and backward passes, Adam, and the losses of PPO, of values and of imitation.

Schulman and others 2017 for PPO's clipped objective, Kingma and Ba 2015 for Adam. The first layer is learned on inputs
that are divided by their usual size; `Learner.weights` gives a net that takes raw inputs.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from hexdeck.bots.nets.inference import ACTIONS, HIDDEN_1, HIDDEN_2, INPUTS, length
from hexdeck.bots.training.collect import ADVANTAGE, LOGP, SCORE, TARGET

Layers = tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray, np.ndarray, np.ndarray]
IMPOSSIBLE = np.float32(-1e9)


@dataclass(frozen=True)
class TrainStep:
    """How to learn from a batch: `clip` of PPO's probability ratio, `entropy` bonus coefficient, `value` loss weight.

    `minibatch`: decisions in a gradient step; `epochs`: passes through the batch.
    """

    clip: float = 0.2
    entropy: float = 0.05
    value: float = 0.5
    minibatch: int = 2048
    epochs: int = 2


@dataclass(frozen=True)
class Batch:
    """Recorded decisions, a row each: the columns that `collect.play_games` writes.

    `inputs` int8 (rows, inputs), `legal` bool (rows, actions), `chosen` int16, `labels` float32 (rows, 4).
    """

    inputs: np.ndarray
    legal: np.ndarray
    chosen: np.ndarray
    labels: np.ndarray

    @classmethod
    def empty(cls, sizes: np.ndarray, rows: int) -> Batch:
        """Room for so many decisions of a net of these sizes, all zeros."""
        return cls(
            np.zeros((rows, int(sizes[INPUTS])), np.int8), np.zeros((rows, int(sizes[ACTIONS])), np.bool_),
            np.zeros(rows, np.int16), np.zeros((rows, 4), np.float32),
        )  # fmt: skip

    def __len__(self) -> int:
        return len(self.chosen)

    def rows(self, at: np.ndarray | slice) -> Batch:
        """These rows; of a slice they share their memory with this batch."""
        return Batch(self.inputs[at], self.legal[at], self.chosen[at], self.labels[at])


def layers_of(flat: np.ndarray, sizes: np.ndarray) -> Layers:
    """Views of a flat array as weights and biases of the three layers; the last one's rows are the outputs."""
    inputs, first, second, out = (int(sizes[k]) for k in (INPUTS, HIDDEN_1, HIDDEN_2, ACTIONS))
    shapes = (inputs, first), (first,), (first, second), (second,), (out + 1, second), (out + 1,)
    views, at = [], 0
    for shape in shapes:
        end = at + int(np.prod(shape))
        views.append(flat[at:end].reshape(shape))
        at = end
    return tuple(views)  # type: ignore[return-value]


def first_weights(sizes: np.ndarray, active: float, rng: np.random.Generator) -> np.ndarray:
    """Random weights to begin with, float32 (He and others 2015); `active`: how many inputs are not zero at once.

    The policy begins nearly uniform, the value at 0.
    """
    flat = np.zeros(length(sizes), np.float32)
    first, _, second, _, last, _ = layers_of(flat, sizes)
    first[:] = rng.normal(0, np.sqrt(2 / max(1, active)), first.shape)
    second[:] = rng.normal(0, np.sqrt(2 / len(second)), second.shape)
    last[:-1] = rng.normal(0, 0.01, last[:-1].shape)
    return flat


class Learner:
    """A policy net that learns by PPO: its weights, and Adam's moments of their gradients, all float32.

    `scale`: what inputs are multiplied by; `steps` counts gradient steps.
    """

    metrics: tuple[str, ...] = ("entropy", "error", "moved")  # the columns of the curve that `learn` returns

    def __init__(self, sizes: np.ndarray, flat: np.ndarray, scale: np.ndarray) -> None:
        self.sizes, self.flat, self.scale = sizes, flat, scale.astype(np.float32)
        self.mean, self.square, self.steps = np.zeros_like(flat), np.zeros_like(flat), 0

    def output_gradient(self, output: np.ndarray, batch: Batch, step: TrainStep) -> tuple[np.ndarray, np.ndarray]:
        """The gradient of the loss with respect to the outputs, and the metrics: entropy, squared error, KL moved."""
        return ppo_gradient(output, batch, step)

    def weights(self, flat: np.ndarray | None = None) -> np.ndarray:
        """Weights (by default the learner's) with the scale of the inputs folded in."""
        out = (self.flat if flat is None else flat).copy()
        layers_of(out, self.sizes)[0][:] *= self.scale[:, None]
        return out

    def learn(self, batch: Batch, step: TrainStep, rate: float, rng: np.random.Generator) -> np.ndarray:
        """Learn from a batch at a learning rate; returns the means of the `metrics` over its gradient steps."""
        found = []
        for _ in range(step.epochs):
            order = rng.permutation(len(batch))
            for at in range(0, len(batch) - step.minibatch // 2, step.minibatch):
                gradient, metrics = self.gradient(batch.rows(order[at : at + step.minibatch]), step)
                self.descend(gradient, rate)
                found.append(metrics)
        means: np.ndarray = np.mean(found, axis=0)
        return means

    def gradient(self, batch: Batch, step: TrainStep) -> tuple[np.ndarray, np.ndarray]:
        """The gradient of the loss with respect to the weights (flat, float32), and the metrics."""
        first, first_bias, second, second_bias, last, last_bias = layers_of(self.flat, self.sizes)
        x = batch.inputs.astype(self.flat.dtype)
        hidden_1 = np.maximum(x @ (first * self.scale[:, None]) + first_bias, 0)
        hidden_2 = np.maximum(hidden_1 @ second + second_bias, 0)
        output = hidden_2 @ last.T + last_bias
        slope, metrics = self.output_gradient(output, batch, step)
        gradient = np.empty_like(self.flat)
        parts = layers_of(gradient, self.sizes)
        parts[4][:], parts[5][:] = slope.T @ hidden_2, slope.sum(axis=0)
        back = (slope @ last) * (hidden_2 > 0)
        parts[2][:], parts[3][:] = hidden_1.T @ back, back.sum(axis=0)
        back = (back @ second.T) * (hidden_1 > 0)
        parts[0][:], parts[1][:] = (x.T @ back) * self.scale[:, None], back.sum(axis=0)
        return gradient, metrics

    def descend(self, gradient: np.ndarray, rate: float) -> None:
        """One step of Adam, after clipping the gradient's norm to 1."""
        gradient *= min(1.0, 1.0 / (float(np.sqrt(gradient @ gradient)) + 1e-8))
        self.steps += 1
        self.mean += 0.1 * (gradient - self.mean)
        self.square += 0.001 * (gradient * gradient - self.square)
        size = rate * np.sqrt(1 - 0.999**self.steps) / (1 - 0.9**self.steps)
        self.flat -= np.float32(size) * self.mean / (np.sqrt(self.square) + np.float32(1e-7))


class ValueLearner(Learner):
    """A value or deal net: the loss is the mean of (score so far + value - target)² / 2."""

    metrics = ("error",)

    def output_gradient(self, output: np.ndarray, batch: Batch, _step: TrainStep) -> tuple[np.ndarray, np.ndarray]:
        """The gradient of the loss with respect to the outputs, and the squared error."""
        error = output[:, -1] + batch.labels[:, SCORE] - batch.labels[:, TARGET]
        return (error / len(batch))[:, None], np.array([(error * error).mean()], np.float64)


class ImitationLearner(Learner):
    """A net that learns to choose as was chosen: the loss is the mean of cross-entropy + value (v - target)² / 2."""

    metrics = ("loss", "error")

    def output_gradient(self, output: np.ndarray, batch: Batch, step: TrainStep) -> tuple[np.ndarray, np.ndarray]:
        """The gradient of the loss with respect to the outputs, and the metrics: cross-entropy, squared error."""
        rows = np.arange(len(batch))
        probabilities, logs = masked_softmax(output[:, :-1], batch.legal)
        error = output[:, -1] - batch.labels[:, TARGET]
        slope = np.empty_like(output)
        slope[:, :-1], slope[:, -1] = probabilities, step.value * error
        slope[rows, batch.chosen] -= 1
        slope /= len(batch)
        return slope, np.array([-logs[rows, batch.chosen].mean(), (error * error).mean()], np.float64)


def outputs_of(net: np.ndarray, sizes: np.ndarray, inputs: np.ndarray) -> np.ndarray:
    """The outputs of a net, float32 (rows, actions + 1): a logit for every action, and the value."""
    first, first_bias, second, second_bias, last, last_bias = layers_of(np.asarray(net, np.float32), sizes)
    hidden_1 = np.maximum(inputs.astype(np.float32) @ first + first_bias, 0)
    out: np.ndarray = np.maximum(hidden_1 @ second + second_bias, 0) @ last.T + last_bias
    return out


def ppo_gradient(output: np.ndarray, batch: Batch, step: TrainStep) -> tuple[np.ndarray, np.ndarray]:
    """The gradient of PPO's loss with respect to the outputs (rows, actions + 1), and the metrics of `Learner`.

    The loss is the mean of -min(r A, clip(r) A) - entropy H + value (v - target)² / 2, where r is the ratio of the
    chosen action's probability now to its probability when it was chosen, and A its advantage.
    """
    rows = np.arange(len(batch))
    probabilities, logs = masked_softmax(output[:, :-1], batch.legal)
    advantage, chosen = batch.labels[:, ADVANTAGE], batch.chosen
    moved = logs[rows, chosen] - batch.labels[:, LOGP]
    ratio = np.exp(np.minimum(moved, 10))
    free = np.where(advantage > 0, ratio < 1 + step.clip, ratio > 1 - step.clip)
    pull = (free * ratio * advantage).astype(output.dtype)
    entropy = -np.einsum("ij,ij->i", probabilities, logs)
    slope = np.empty_like(output)
    slope[:, :-1] = probabilities * (pull[:, None] + step.entropy * (logs + entropy[:, None]))
    slope[rows, chosen] -= pull
    error = output[:, -1] - batch.labels[:, TARGET]
    slope[:, -1] = step.value * error
    slope /= len(batch)
    return slope, np.array([entropy.mean(), (error * error).mean(), (ratio - 1 - moved).mean()], np.float64)


def masked_softmax(logits: np.ndarray, legal: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Probabilities of all actions and their logarithms, (rows, actions); both 0 where an action isn't legal."""
    masked = np.where(legal, logits, IMPOSSIBLE)
    masked -= masked.max(axis=1, keepdims=True)
    probabilities = np.exp(masked)
    total = probabilities.sum(axis=1, keepdims=True)
    probabilities /= total
    masked -= np.log(total)
    masked *= legal
    return probabilities, masked


def usual_size(inputs: np.ndarray) -> np.ndarray:
    """The root mean square of each input where it isn't zero, at least 1; float32 (inputs)."""
    squares: Any = np.square(inputs.astype(np.float32)).sum(axis=0) / np.maximum(1, (inputs != 0).sum(axis=0))
    sizes: np.ndarray = np.sqrt(np.maximum(1, squares))
    return sizes
