"""Nets of random weights, and what a net says by the book."""

from typing import Any

import numpy as np

import hexdeck
from hexdeck.bots.nets.inference import length
from hexdeck.bots.nets.netfile import POLICY, Net, net_sizes


def any_net(name: str, kind: str = POLICY, players: int | None = None, seed: int = 1, spread: float = 0.3) -> Net:
    sizes = net_sizes(hexdeck.game(name).rules, 8, 4, kind)
    weights = np.random.default_rng(seed).normal(0, spread, length(sizes))
    return Net(name, sizes, weights, {players or hexdeck.game(name).players: (0.5, 2.0)}, {}, kind)


def by_the_book(sizes: np.ndarray, weights: np.ndarray, seen: np.ndarray) -> Any:
    """What a net says of inputs, or of rows of them: of each action, and last the value."""
    inputs, near, far, actions = (int(size) for size in sizes[1:])
    parts = np.split(np.asarray(weights, float), np.cumsum([inputs * near, near, near * far, far, (actions + 1) * far]))
    layer = np.maximum(seen @ parts[0].reshape(inputs, near) + parts[1], 0)
    layer = np.maximum(layer @ parts[2].reshape(near, far) + parts[3], 0)
    return layer @ parts[4].reshape(actions + 1, far).T + parts[5]
