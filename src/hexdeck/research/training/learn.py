"""Learning of nets: forward and backward passes, Adam, and the losses of PPO, of deal nets and of imitation.

Schulman and others 2017 for PPO's clipped objective, Sokota and others 2023 for the magnet, Kingma and Ba 2015 for
Adam. The first layer is learned on inputs that are divided by their usual size; `Learner.weights` gives a net that
takes raw inputs. What is mostly zeros is summed by `learn_kernels`, what isn't by BLAS.
"""

import dataclasses
import functools
from collections.abc import Mapping
from dataclasses import dataclass
from math import prod
from types import FunctionType
from typing import Any, Self, cast

import numpy as np

from hexdeck.bots.nets.inference import ACTIONS, HIDDEN_1, HIDDEN_2, INPUTS, length
from hexdeck.bots.nets.netfile import UNIT
from hexdeck.engine.play.game import compiled_kernel, kernel_backend
from hexdeck.research.training import learn_kernels

Layers = tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray, np.ndarray, np.ndarray]
IMPOSSIBLE = np.float32(-1e9)
TOGETHER = 1024  # decisions of a forward pass alone


@dataclass(frozen=True)
class TrainStep:
    """How to learn from a batch: `clip` of PPO's probability ratio, `entropy` bonus coefficient, `value` loss weight.

    `magnet`: weight of the KL divergence from the magnet; `minibatch`: decisions in a gradient step; `epochs`: passes
    through the batch.
    """

    clip: float = 0.2
    entropy: float = 0.05
    magnet: float = 0.0
    value: float = 0.5
    minibatch: int = 2048
    epochs: int = 2


@dataclass(frozen=True)
class DecisionBatch:
    """Recorded decisions, a row each: the columns that `collect.play_games` writes.

    `inputs` int8 (rows, inputs), `legal` bool (rows, actions), `chosen` int16, `labels` float32 (rows, 4).
    """

    inputs: np.ndarray
    legal: np.ndarray
    chosen: np.ndarray
    labels: np.ndarray

    @classmethod
    def empty(cls, sizes: np.ndarray, rows: int) -> Self:
        """Room for so many decisions of a net of these sizes, all zeros."""
        return cls(
            np.zeros((rows, int(sizes[INPUTS])), np.int8),
            np.zeros((rows, int(sizes[ACTIONS])), np.bool_),
            np.zeros(rows, np.int16),
            np.zeros((rows, 4), np.float32),
        )

    def __len__(self) -> int:
        return len(self.chosen)

    def rows(self, at: np.ndarray | slice) -> Self:
        """These rows; of a slice they share their memory with this batch."""
        return type(self)(self.inputs[at], self.legal[at], self.chosen[at], self.labels[at])


class Lists:
    """What of a batch isn't zero: inputs and their places, legal actions, and the place of the chosen one among these.

    `anchors`: logarithms of a magnet's probabilities, float32, in the order of the legal actions; zeros without one.
    """

    def __init__(self, batch: DecisionBatch) -> None:
        inputs, self.labels = np.ascontiguousarray(batch.inputs), np.ascontiguousarray(batch.labels)
        indices, counts = filled(inputs)
        self.inputs = np.take_along_axis(inputs, indices, axis=1).astype(np.float32), indices, counts
        self.legal = filled(np.ascontiguousarray(batch.legal).view(np.int8))
        before = np.arange(batch.legal.shape[1]) < batch.chosen[:, None]
        self.chosen = (batch.legal & before).sum(axis=1).astype(np.int16)
        self.anchors: np.ndarray = np.zeros(self.legal[0].shape, np.float32)

    def __len__(self) -> int:
        return len(self.chosen)


def filled(cells: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Which cells of each row of an int8 table aren't 0: their places, and how many there are; both int16."""
    longest = int(np.count_nonzero(cells, axis=1).max(initial=0))
    indices, counts = np.zeros((len(cells), longest + 1), np.int16), np.zeros(len(cells), np.int16)
    kernel(learn_kernels.list_filled)(cells, indices, counts)
    return indices, counts


def layers_of(flat: np.ndarray, sizes: np.ndarray) -> Layers:
    """Views of a flat array as weights and biases of the three layers; the last one's rows are the outputs."""
    inputs, first, second, out = (int(sizes[k]) for k in (INPUTS, HIDDEN_1, HIDDEN_2, ACTIONS))
    shapes = (inputs, first), (first,), (first, second), (second,), (out + 1, second), (out + 1,)
    views, at = [], 0
    for shape in shapes:
        end = at + prod(shape)
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


@functools.cache
def kernel(function: Any) -> Any:
    """One of `learn_kernels`, compiled where it can be."""
    plain = cast(FunctionType, function)
    return compiled_kernel("fast", plain) if kernel_backend("fast", plain) == "fast" else plain


class Learner:
    """A policy net that learns by PPO: its weights, and Adam's moments of their gradients, all float32.

    The loss is the mean of -min(r A, clip(r) A) - entropy H + magnet KL + value (v - target)² / 2, where r is the ratio
    of the chosen action's probability now to its probability when it was chosen, A its advantage, and KL the divergence
    of the policy from the magnet's. `scale`: what inputs are multiplied by; `steps` counts gradient steps; `magnet`:
    weights (flat, float32) that the policy is held near to, or None.
    """

    loss = learn_kernels.PPO
    metrics: Mapping[str, int] = {"entropy": 1, "error": 2, "moved": 3, "apart": 4}  # columns of the curve

    def __init__(self, sizes: np.ndarray, flat: np.ndarray, scale: np.ndarray) -> None:
        self.sizes, self.flat, self.scale = sizes, flat.astype(np.float32), scale.astype(np.float32)
        self.mean, self.square, self.steps = np.zeros_like(self.flat), np.zeros_like(self.flat), 0
        self.magnet: np.ndarray | None = None

    def state(self) -> dict[str, np.ndarray]:
        """The arrays that decide how it goes on, but for the magnet."""
        return {"flat": self.flat, "scale": self.scale, "mean": self.mean, "square": self.square}

    @classmethod
    def of_state(cls, sizes: np.ndarray, arrays: Mapping[str, np.ndarray], steps: int) -> Self:
        """The learner of a state, after so many gradient steps."""
        learner = cls(sizes, arrays["flat"], arrays["scale"])
        learner.mean, learner.square, learner.steps = arrays["mean"], arrays["square"], steps
        return learner

    def weights(self, flat: np.ndarray | None = None) -> np.ndarray:
        """Weights (by default the learner's) with the scale of the inputs folded in."""
        out = (self.flat if flat is None else flat).copy()
        layers_of(out, self.sizes)[0][:] *= self.scale[:, None]
        return out

    def learn(self, lists: Lists, step: TrainStep, rate: float, rng: np.random.Generator) -> np.ndarray:
        """Learn from a batch at a learning rate; returns the means of the `metrics` over its gradient steps."""
        steps = []
        for _ in range(step.epochs):
            order = rng.permutation(len(lists))
            for at in range(0, len(lists) - step.minibatch // 2, step.minibatch):
                gradient, metrics = self.gradient(lists, order[at : at + step.minibatch], step)
                self.descend(gradient, rate)
                steps.append(metrics)
        means: np.ndarray = np.mean(steps, axis=0)
        return means

    def anchor(self, lists: Lists, magnet: np.ndarray | None) -> None:
        """Write what a magnet, if there is one, says of the legal actions of a batch into its anchors."""
        if magnet is None:
            return
        layers = layers_of(self.weights(magnet), self.sizes)
        *_hidden, last, bias = layers
        for first in range(0, len(lists), TOGETHER):
            at = np.arange(first, min(len(lists), first + TOGETHER))
            hidden_2 = hidden_layers(lists, at, layers)[1]
            kernel(learn_kernels.log_policy)(hidden_2, *lists.legal, at, last, bias, lists.anchors)

    def gradient(self, lists: Lists, at: np.ndarray, step: TrainStep) -> tuple[np.ndarray, np.ndarray]:
        """The gradient of the loss over rows `at` with respect to the weights (flat, float32), and the metrics."""
        first, first_bias, second, second_bias, last, last_bias = layers_of(self.flat, self.sizes)
        scaled = first * self.scale[:, None]
        hidden_1, hidden_2 = hidden_layers(lists, at, (scaled, first_bias, second, second_bias, last, last_bias))
        gradient, sums, back = np.zeros_like(self.flat), np.zeros(5), np.empty_like(hidden_2)
        parts, logs = layers_of(gradient, self.sizes), np.empty(max(1, lists.anchors.shape[1]), np.float32)
        choices, terms = (*lists.legal, lists.chosen, lists.labels, lists.anchors), self._loss_terms(step)
        kernel(learn_kernels.learn_outputs)(hidden_2, choices, at, last, last_bias, terms, logs, *parts[4:], back, sums)
        np.matmul(hidden_1.T, back, out=parts[2])
        np.sum(back, axis=0, out=parts[3])
        back = back @ second.T
        back *= hidden_1 > 0
        kernel(learn_kernels.spread_inputs)(*lists.inputs, at, back, parts[0], parts[1])
        parts[0][:] *= self.scale[:, None]
        return gradient, sums[list(self.metrics.values())] / len(at)

    def _loss_terms(self, step: TrainStep) -> np.ndarray:
        """The terms of the loss, as `learn_kernels` has them."""
        return np.array([step.clip, step.entropy, step.magnet if self.magnet is not None else 0, step.value, self.loss])

    def descend(self, gradient: np.ndarray, rate: float) -> None:
        """One step of Adam, after clipping the gradient's norm to 1."""
        shrink = min(1.0, 1.0 / (float(np.sqrt(gradient @ gradient)) + 1e-8))
        self.steps += 1
        size = rate * np.sqrt(1 - 0.999**self.steps) / (1 - 0.9**self.steps)
        pace = np.array([size, shrink, 0.1, 0.001, 1e-7], np.float32)
        kernel(learn_kernels.adam)(self.flat, self.mean, self.square, gradient, pace)


class DealLearner(Learner):
    """A deal net: the loss is the mean of (value - target)² / 2."""

    metrics: Mapping[str, int] = {"error": 2}

    def _loss_terms(self, step: TrainStep) -> np.ndarray:
        return super()._loss_terms(dataclasses.replace(step, value=1.0))


class ImitationLearner(Learner):
    """A net that learns to choose as was chosen: the loss is the mean of cross-entropy + value (v - target)² / 2."""

    loss = learn_kernels.IMITATION
    metrics: Mapping[str, int] = {"loss": 0, "error": 2}

    def _loss_terms(self, step: TrainStep) -> np.ndarray:
        return super()._loss_terms(dataclasses.replace(step, entropy=0.0))


def hidden_layers(lists: Lists, at: np.ndarray, layers: Layers) -> tuple[np.ndarray, np.ndarray]:
    """Both hidden layers of a net that takes raw inputs, rectified, for rows `at`."""
    first, first_bias, second, second_bias, _last, _bias = layers
    hidden_1 = np.empty((len(at), len(first_bias)), np.float32)
    kernel(learn_kernels.sum_inputs)(*lists.inputs, at, first, first_bias, hidden_1)
    hidden_2: np.ndarray = hidden_1 @ second
    kernel(learn_kernels.rectify)(hidden_2, second_bias)
    return hidden_1, hidden_2


def outputs_of(net: np.ndarray, sizes: np.ndarray, inputs: np.ndarray) -> np.ndarray:
    """The outputs of a net, float32 (rows, actions + 1): a logit for every action, and the value."""
    first, first_bias, second, second_bias, last, last_bias = layers_of(np.asarray(net, np.float32), sizes)
    hidden_1 = np.maximum(inputs.astype(np.float32) @ first + first_bias, 0)
    out: np.ndarray = np.maximum(hidden_1 @ second + second_bias, 0) @ last.T + last_bias
    return out


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


def wider(sizes: np.ndarray, times: float) -> np.ndarray:
    """Sizes with hidden layers so many times as wide, int64."""
    out = sizes.copy()
    for layer in (HIDDEN_1, HIDDEN_2):
        out[layer] = UNIT * round(times * int(sizes[layer]) / UNIT)
    return out


def widened(
    flat: np.ndarray, sizes: np.ndarray, wide: np.ndarray, rng: np.random.Generator | None = None
) -> np.ndarray:
    """A net in wider layers, of the same type, that computes the same.

    With `rng` the added neurons listen at random, so that they can learn; without it they are dead.
    """
    out = np.zeros(length(wide)) if rng is None else first_weights(wide, 20.0, rng)
    parts, own = layers_of(out, wide), layers_of(flat, sizes)
    near, far = int(sizes[HIDDEN_1]), int(sizes[HIDDEN_2])
    parts[0][:, :near], parts[1][:near] = own[0], own[1]
    parts[2][:near, :far], parts[3][:far] = own[2], own[3]
    parts[2][near:, :far] = 0
    parts[4][:, :far], parts[4][:, far:], parts[5][:] = own[4], 0, own[5]
    return out.astype(flat.dtype)


def usual_size(inputs: np.ndarray) -> np.ndarray:
    """The root mean square of each input where it isn't zero, at least 1; float32 (inputs)."""
    squares: Any = np.square(inputs.astype(np.float32)).sum(axis=0) / np.maximum(1, (inputs != 0).sum(axis=0))
    sizes: np.ndarray = np.sqrt(np.maximum(1, squares))
    return sizes
