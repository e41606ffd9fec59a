"""What a learner is given: a size with its whole tree, a seed, and how long it may learn."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from hexdeck.engine.errors import BadOption
from hexdeck.engine.text import say
from hexdeck.research.exact.tree import Deals, GameTree, Policy
from hexdeck.simulation.game import Game

MOST = 20_000_000  # histories of a tree that has each order of the same events; in larger ones such deals count once

Table = Policy | Mapping[tuple[int, int], Any]  # of seat and `match.key`: the probabilities of the legal actions
Given = Table | Callable[[GameTree], Table]
Learner = Callable[["Task"], Iterator[tuple[int, Given]]]


class Ground:
    """A game that learners are compared on, and what they share: its tree, what seats know, the span of its utility.

    `players` of them; `name`, such as `cursed-hand/tiny`; `histories`: how many there are.
    """

    def __init__(self, name: str, game: Game, histories: int) -> None:
        self.name, self.game, self.histories = name, game, histories
        self._inputs: dict[tuple[int, ...], np.ndarray] = {}

    @functools.cached_property
    def tree(self) -> GameTree:
        """The whole tree; raises BadOption where it is too large."""
        if self.histories <= MOST:
            return GameTree(self.game)
        deals = Deals(self.game)
        return deals.tree(np.arange(len(deals.shares)))

    def inputs(self, sizes: np.ndarray) -> np.ndarray:
        """The inputs of nets of these sizes in the information sets of the tree: int8 (sets, inputs)."""
        key = tuple(sizes.tolist())
        if key not in self._inputs:
            self._inputs[key] = self.tree.inputs(sizes)
        return self._inputs[key]

    @functools.cached_property
    def scale(self) -> float:
        """The span of utilities: from the least that a seat can get to the most."""
        return float(np.ptp(self.tree.nodes[5][:, : self.game.players]))

    def nash_conv(self, answer: Given) -> float:
        """NashConv of a policy, exact."""
        return self.tree.nash_conv(policy_of(self.tree, answer))


def policy_of(tree: GameTree, answer: Given) -> Policy:
    """The policy in a tree: of an array, of a mapping by (seat, key), or of a function of the tree that gives one.

    An information set that a mapping doesn't have is played uniformly; one that has none is refused, for its keys are
    of another kind. Raises BadOption for what isn't a policy.
    """
    table: Any = answer(tree) if callable(answer) else answer
    if isinstance(table, Mapping):
        keys = set(zip(tree.seats.tolist(), tree.keys.tolist(), strict=True))
        if table and keys.isdisjoint(table):
            raise BadOption(say("A policy's mapping has none of the game's information sets, (seat, match.key(seat))."))
        return tree.policy(lambda seat, key, actions: table.get((seat, key), [1 / len(actions)] * len(actions)))
    return np.asarray(table, np.float64)


@dataclass(frozen=True)
class Task:
    """What a learner is to do: learn to play a game from a seed, for so many decisions or seconds of processor time.

    `game`; `tree`: its `GameTree`, whose `observations` and `masks` a net learns from; `scale`: the span of its
    utilities.
    """

    ground: Ground
    seed: int
    seconds: float = float("inf")
    decisions: float = float("inf")

    @property
    def game(self) -> Game:
        """The game."""
        return self.ground.game

    @property
    def tree(self) -> GameTree:
        """Its whole tree; raises BadOption where it is too large."""
        return self.ground.tree

    @property
    def scale(self) -> float:
        """The span of utilities."""
        return self.ground.scale

    def random(self) -> np.random.Generator:
        """A random generator of the seed."""
        return np.random.default_rng(self.seed)
