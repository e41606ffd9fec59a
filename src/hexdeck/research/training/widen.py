"""Wider nets that play the same: what is added counts for nothing until it has learned."""

from __future__ import annotations

import numpy as np

from hexdeck.bots.nets.inference import HIDDEN_1, HIDDEN_2, length
from hexdeck.bots.nets.netfile import UNIT
from hexdeck.research.training.learn import first_weights, layers_of


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
    one, two = int(sizes[HIDDEN_1]), int(sizes[HIDDEN_2])
    parts[0][:, :one], parts[1][:one] = own[0], own[1]
    parts[2][:one, :two], parts[3][:two] = own[2], own[3]
    parts[2][one:, :two] = 0
    parts[4][:, :two], parts[4][:, two:], parts[5][:] = own[4], 0, own[5]
    return out.astype(flat.dtype)
