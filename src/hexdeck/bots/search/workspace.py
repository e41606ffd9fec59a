"""Workspaces of rollout policies: the weights of their nets, and scratch arrays for compiled inference."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from hexdeck.bots.nets.deal_net import CANDIDATES, FLOOR, HIGHEST, LOWEST, MEAN, RECHOOSE, STD, TRUST
from hexdeck.bots.nets.net_workspace import net_layers
from hexdeck.bots.nets.netfile import DEALS, MIMIC, POLICY, Net, fitting, shipped_net
from hexdeck.bots.search import rollout
from hexdeck.engine.play.driver import Driver
from hexdeck.engine.play.game import GameSetup
from hexdeck.engine.play.seating import POLICIES as COMPILED

BY_NET = {"net": POLICY, "mimic": MIMIC}  # policies that are nets, and the kind of the net
TO_THE_END = {**COMPILED, "net": rollout.NET, "mimic": rollout.MIMIC}  # policies that play games to the end
TO_THE_DEAL = {f"{name}-deal": TO_THE_END[name] for name in ("house", *BY_NET)}  # to the end of the deal
POLICIES = TO_THE_END | TO_THE_DEAL


@dataclass(frozen=True)
class Belief:
    """How worlds are weighed by what others did: see `rollout`. By default as if others played just like the policy."""

    candidates: int = 12
    trust: float = 1.0
    floor: float = 0.001


NO_NET = np.zeros(1), np.zeros(5, np.int64)  # weights and sizes


def policy_workspace(
    game: GameSetup,
    policy: str,
    driver: Driver,
    temperature: float = 1.0,
    own: Net | None = None,
    deals: Net | None = None,
    rechoose: bool | None = None,
    belief: Belief | None = None,
) -> tuple[int, tuple[Any, ...]]:
    """The number of a policy and its workspace (see `bots.search.rollout`).

    `own`, `deals`: the policy's net and the deal net, instead of those that are shipped with the game. `rechoose`:
    whether the policy chooses again what others have chosen at once with the seat; by default only a net that imitates
    does. `belief`: how worlds are weighed; by default all count alike. Raises HexdeckError for a net that isn't there.
    """
    chooser, deal_net, scaling = NO_NET, NO_NET, np.array([temperature, 0.0, 1.0, *[0.0] * 6])
    kind = whole_games(policy)
    scaling[RECHOOSE] = kind == MIMIC if rechoose is None else rechoose
    if kind in BY_NET:
        used = own or shipped_net(game, BY_NET[kind])
        chooser = used.weights, used.sizes
    if belief is not None:
        scaling[CANDIDATES], scaling[TRUST], scaling[FLOOR] = belief.candidates, belief.trust, belief.floor
    if policy in TO_THE_DEAL:
        used = fitting(deals or shipped_net(game, DEALS), game, DEALS)
        deal_net, scaling[MEAN : STD + 1] = (used.weights, used.sizes), used.utility_scale[game.players]
        scaling[LOWEST : HIGHEST + 1] = game.bounds.bounds(game.players, game.options)[:2]
    layers = net_layers(driver, np.maximum(chooser[1], deal_net[1]))
    shared = driver.shared
    return POLICIES[policy], (*map(shared, (*chooser, scaling)), layers, *map(shared, deal_net))


def whole_games(policy: str) -> str:
    """The same policy, playing games to the end."""
    return policy.removesuffix("-deal")
