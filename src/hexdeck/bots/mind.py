"""What a policy thinks with, as compiled code takes it: a net and room for its layers, or nothing."""

from __future__ import annotations

from typing import Any

import numpy as np

from hexdeck.bots.netfile import Net, shipped_net
from hexdeck.bots.nets import ACTIONS, FAR, INPUTS, NEAR
from hexdeck.bots.rollout import NET
from hexdeck.engine.driver import Driver
from hexdeck.engine.game import Game
from hexdeck.engine.seating import POLICIES as COMPILED

POLICIES = {**COMPILED, "net": NET}


def mind(
    game: Game, policy: str, driver: Driver, heat: float = 1.0, own: Net | None = None
) -> tuple[int, tuple[Any, ...]]:
    """The number of a policy and its mind (see `bots.rollout`); raises HexdeckError for a net that isn't there.

    `own`: the net, if it isn't the package's.
    """
    net, sizes = np.zeros(1), np.zeros(5, np.int64)
    if policy == "net":
        used = own or shipped_net(game)
        net, sizes = used.weights, used.sizes
    inputs, near, far, actions = (max(1, int(sizes[k])) for k in (INPUTS, NEAR, FAR, ACTIONS))
    array, shared = driver.array, driver.shared
    parts = shared(net), shared(sizes), shared(np.array([heat])), array(inputs, np.int8)
    return POLICIES[policy], (*parts, *(array(size, np.float64) for size in (near, far, actions)))
