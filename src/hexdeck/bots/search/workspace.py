"""What a policy thinks with, as compiled code takes it: nets and room for their layers, or nothing."""

from __future__ import annotations

from typing import Any

import numpy as np

from hexdeck.bots.nets.deal_net import AGAIN, GREATEST, LEAST, MIDDLE, UNIT
from hexdeck.bots.nets.inference import ACTIONS, FAR, INPUTS, NEAR
from hexdeck.bots.nets.netfile import DEALS, MIMIC, POLICY, Net, fitting, shipped_net
from hexdeck.bots.search import rollout
from hexdeck.engine.play.driver import Driver
from hexdeck.engine.play.game import GameSetup
from hexdeck.engine.play.seating import POLICIES as COMPILED

BY_NET = {"net": POLICY, "mimic": MIMIC}  # the kind of the net that chooses
WHOLE = {**COMPILED, "net": rollout.NET, "mimic": rollout.MIMIC}  # they play games to the end
SHORT = {f"{name}-deal": WHOLE[name] for name in ("house", *BY_NET)}  # to the end of the deal
POLICIES = WHOLE | SHORT


def mind(
    game: GameSetup,
    policy: str,
    driver: Driver,
    heat: float = 1.0,
    own: Net | None = None,
    deals: Net | None = None,
    again: bool | None = None,
) -> tuple[int, tuple[Any, ...]]:
    """The number of a policy and its mind (see `bots.search.rollout`); raises HexdeckError for a net that isn't there.

    `own`, `deals`: the net that chooses, and the net of deals, if they aren't the package's. `again`: whether the
    policy chooses again what others have chosen at once with the seat; unless said, only a net that imitates does.
    """
    none = np.zeros(1), np.zeros(5, np.int64)
    chooser, teller, scale = none, none, np.array([heat, 0.0, 1.0, 0.0, 0.0, 0.0])
    scale[AGAIN] = whole(policy) == MIMIC if again is None else again
    if whole(policy) in BY_NET:
        used = own or shipped_net(game, BY_NET[whole(policy)])
        chooser = used.weights, used.sizes
    if policy in SHORT:
        used = fitting(deals or shipped_net(game, DEALS), game, DEALS)
        teller, scale[MIDDLE : UNIT + 1] = (used.weights, used.sizes), used.units[game.players]
        scale[LEAST : GREATEST + 1] = game.bounds.bounds(game.players, game.options)[:2]
    room = [max(1, int(chooser[1][k]), int(teller[1][k])) for k in (INPUTS, NEAR, FAR, ACTIONS)]
    array, shared = driver.array, driver.shared
    layers = array(room[0], np.int8), *(array(size, np.float64) for size in room[1:])
    return POLICIES[policy], (*map(shared, (*chooser, scale)), *layers, *map(shared, teller))


def whole(policy: str) -> str:
    """The same policy, playing games to the end."""
    return policy.removesuffix("-deal")
