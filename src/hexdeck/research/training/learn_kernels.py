"""The parts of learning that are mostly zeros: inputs of which few count, and actions of which few are legal.

Nine in ten inputs are 0, and a handful of actions is legal; so the first and the last layer are summed over lists of
what is there. The layer between them is left to BLAS (see `learn`). Plain functions, interpreted or compiled by
`engine.backends`. A list is a row of `indices` (int16), `counts` (int16) says how long it is. Minibatches are named by
`at`, the rows of a batch (int64). All other arrays are float32, but for `terms` and `metrics` (float64). Gradients are
added to what is there.
"""

import math

import numpy as np

from hexdeck.research.training.collect import ADVANTAGE, LOGP, TARGET

PPO, IMITATION = range(2)  # losses
CLIP, ENTROPY, MAGNET, WORTH, LOSS = range(5)  # of terms: as in `learn.TrainStep`, and which loss
SURPRISE, ENTROPIES, ERROR, MOVED, AWAY = range(5)  # of metrics: sums over decisions
RATE, SHRINK, FIRST, SECOND, LEAST = range(5)  # of pace: of Adam's step
MOST = 10.0  # of the logarithm of a ratio of probabilities

ENTRIES = ("list_filled", "sum_inputs", "rectify", "spread_inputs", "log_policy", "learn_outputs", "adam")
INDEX, PLACES, COUNTS = "int64[::1]", "int16[:, ::1]", "int16[::1]"
TABLE, LINE = "float32[:, ::1]", "float32[::1]"
TYPES = {
    "cells": "int8[:, ::1]",
    "at": INDEX,
    "indices": PLACES,
    "counts": COUNTS,
    "terms": "float64[::1]",
    "metrics": "float64[::1]",
    "choices": f"Tuple(({PLACES}, {COUNTS}, int16[::1], {TABLE}, {TABLE}))",
    **dict.fromkeys(("amounts", "sums", "hidden", "first", "last", "back", "anchors"), TABLE),
    **dict.fromkeys(("first_gradient", "last_gradient"), TABLE),
    **dict.fromkeys(("bias", "bias_gradient", "flat", "mean", "square", "gradient", "pace", "logs"), LINE),
}


def list_filled(cells, indices, counts):
    """List which cells of each row are not 0; rows of `indices` have room for one more than there are."""
    for r in range(cells.shape[0]):
        n = 0
        for i in range(cells.shape[1]):
            indices[r, n] = i
            n += 1 * (cells[r, i] != 0)
        counts[r] = n


# --- the first layer --------------------------------------------------------------------------------------------------
def sum_inputs(amounts, indices, counts, at, first, bias, hidden):
    """The first hidden layer, rectified; `amounts`: what the inputs are, in the order of their list."""
    for k in range(at.shape[0]):
        r = at[k]
        for j in range(bias.shape[0]):
            hidden[k, j] = bias[j]
        for n in range(counts[r]):
            i = indices[r, n]
            x = amounts[r, n]
            for j in range(bias.shape[0]):
                hidden[k, j] += x * first[i, j]
        for j in range(bias.shape[0]):
            hidden[k, j] = max(hidden[k, j], 0.0)


def rectify(sums, bias):
    """Add biases to the sums of a layer, and set to 0 what is less."""
    for k in range(sums.shape[0]):
        for j in range(bias.shape[0]):
            sums[k, j] = max(sums[k, j] + bias[j], 0.0)


def spread_inputs(amounts, indices, counts, at, back, first_gradient, bias_gradient):
    """Add to the gradients of the first layer; `back`: that of its sums."""
    for k in range(at.shape[0]):
        r = at[k]
        for j in range(bias_gradient.shape[0]):
            bias_gradient[j] += back[k, j]
        for n in range(counts[r]):
            i = indices[r, n]
            x = amounts[r, n]
            for j in range(bias_gradient.shape[0]):
                first_gradient[i, j] += x * back[k, j]


# --- the last layer ---------------------------------------------------------------------------------------------------
def log_policy(hidden, indices, counts, at, last, bias, anchors):
    """Write the logarithms of the probabilities of legal actions, in the order of their list, into rows `at`."""
    for k in range(at.shape[0]):
        policy_logs(hidden, indices, counts, k, at[k], last, bias, anchors[at[k]])


def product(last, a, hidden, k):
    """The dot product of row `a` of the weights and row `k` of a layer, in four sums (its size is a multiple of 4)."""
    s0, s1, s2, s3 = (
        last[a, 0] * hidden[k, 0],
        last[a, 1] * hidden[k, 1],
        last[a, 2] * hidden[k, 2],
        last[a, 3] * hidden[k, 3],
    )
    for j in range(4, hidden.shape[1], 4):
        s0 += last[a, j] * hidden[k, j]
        s1 += last[a, j + 1] * hidden[k, j + 1]
        s2 += last[a, j + 2] * hidden[k, j + 2]
        s3 += last[a, j + 3] * hidden[k, j + 3]
    return (s0 + s1) + (s2 + s3)


def learn_outputs(hidden, choices, at, last, bias, terms, logs, last_gradient, bias_gradient, back, metrics):
    """Gradients of the mean loss: of the last layer, and of the hidden layer before it, rectified as it was.

    `learn.Learner` says what the losses are. `choices`: the list of legal actions, the place of the chosen one in it,
    labels, and the logarithms of the magnet's probabilities; `logs`: working room for those of the policy.
    """
    indices, counts, chosen, labels, anchors = choices
    actions, share = last.shape[0] - 1, 1.0 / at.shape[0]
    for k in range(at.shape[0]):
        r = at[k]
        for j in range(hidden.shape[1]):
            back[k, j] = 0.0
        if counts[r] > 0:
            policy_logs(hidden, indices, counts, k, r, last, bias, logs)
            pull, entropy, apart = pulled(counts[r], chosen[r], labels, r, anchors, terms, logs, metrics)
            for n in range(counts[r]):
                log = 1.0 * logs[n]
                bent = terms[ENTROPY] * (log + entropy) + terms[MAGNET] * (log - anchors[r, n] - apart)
                slope = math.exp(log) * (pull + bent) - (pull if n == chosen[r] else 0.0)
                logs[n] = slope * share
            for n in range(counts[r]):
                spread_output(hidden, k, indices[r, n], logs[n], last, last_gradient, bias_gradient, back)
        error = 1.0 * bias[actions] + product(last, actions, hidden, k) - labels[r, TARGET]
        metrics[ERROR] += error * error
        logs[0] = terms[WORTH] * error * share
        spread_output(hidden, k, actions, logs[0], last, last_gradient, bias_gradient, back)
        for j in range(hidden.shape[1]):
            if hidden[k, j] <= 0.0:
                back[k, j] = 0.0


def policy_logs(hidden, indices, counts, k, r, last, bias, logs):
    """The logarithms of the probabilities of legal actions, in the order of their list."""
    highest, total = -1e30, 0.0
    for n in range(counts[r]):
        logs[n] = bias[indices[r, n]] + product(last, indices[r, n], hidden, k)
        highest = max(highest, 1.0 * logs[n])
    for n in range(counts[r]):
        total += math.exp(logs[n] - highest)
    total = math.log(total) + highest
    for n in range(counts[r]):
        logs[n] -= total


def pulled(count, chosen, labels, r, anchors, terms, logs, metrics):
    """How strongly the chosen action is pulled, the entropy of the policy, and its KL divergence from the magnet's."""
    entropy, apart = 0.0, 0.0
    for n in range(count):
        p = math.exp(1.0 * logs[n])
        entropy -= p * logs[n]
        apart += p * (1.0 * logs[n] - anchors[r, n])
    metrics[ENTROPIES] += entropy
    metrics[SURPRISE] -= logs[chosen]
    if terms[LOSS] == IMITATION:
        return 1.0, entropy, apart
    advantage, moved = 1.0 * labels[r, ADVANTAGE], 1.0 * logs[chosen] - labels[r, LOGP]
    ratio = math.exp(min(moved, MOST))
    metrics[MOVED] += ratio - 1.0 - moved
    metrics[AWAY] += apart
    free = ratio < 1.0 + terms[CLIP] if advantage > 0.0 else ratio > 1.0 - terms[CLIP]
    return (ratio * advantage if free else 0.0), entropy, apart


def spread_output(hidden, k, a, slope, last, last_gradient, bias_gradient, back):
    """Add what the slope of output `a` means for the last layer, and for the hidden layer before it."""
    bias_gradient[a] += slope
    for j in range(hidden.shape[1]):
        back[k, j] += slope * last[a, j]
    for j in range(hidden.shape[1]):
        last_gradient[a, j] += slope * hidden[k, j]


# --- the weights ------------------------------------------------------------------------------------------------------
def adam(flat, mean, square, gradient, pace):
    """One step of Adam with a gradient that is first multiplied by `SHRINK` of its pace.

    Unlike `/`, numpy's division asks of no divisor whether it is 0, so that many weights are computed at once.
    """
    rate, shrink, first, second, least = pace[RATE], pace[SHRINK], pace[FIRST], pace[SECOND], pace[LEAST]
    for k in range(flat.shape[0]):
        slope = shrink * gradient[k]
        mean[k] += first * (slope - mean[k])
        square[k] += second * (slope * slope - square[k])
        flat[k] -= np.true_divide(rate * mean[k], math.sqrt(square[k]) + least)
