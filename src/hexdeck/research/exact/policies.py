"""Policies of a tree: what seats know there, how nets and strategies play, what choices are worth, and how all fare."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from hexdeck.bots.bot import Bot
from hexdeck.bots.players.policies import PolicyBot, answers
from hexdeck.research.exact import kernels
from hexdeck.research.exact.tree import GameTree, Policy
from hexdeck.research.training.learn import outputs_of

TOGETHER = 4096  # information sets that a net evaluates at once


def net_policy(tree: GameTree, inputs: np.ndarray, weights: np.ndarray, sizes: np.ndarray) -> Policy:
    """The policy of a net in a tree, from its inputs there."""
    logits = np.empty(len(tree.names))
    for first in range(0, len(inputs), TOGETHER):
        end = min(first + TOGETHER, len(inputs))
        out, begin, stop = outputs_of(weights, sizes, inputs[first:end]), tree.slots[first], tree.slots[end]
        rows = np.repeat(np.arange(end - first), np.diff(tree.slots[first : end + 1]))
        logits[begin:stop] = out[rows, tree.names[begin:stop]]
    return softmax(tree, logits)


@dataclass
class ChoiceValues:
    """What choices are worth while all play by a policy, as a learner is told it; arrays that the next call reuses.

    `values`: what each choice brings its seat on average, float64 like a policy; `far`: how likely chance and all
    others let it come to each information set; `own`: how likely the seat itself does.
    """

    tree: GameTree

    def __post_init__(self) -> None:
        tree = self.tree
        self.values, self.far, self.own = np.zeros(len(tree.names)), np.zeros(len(tree.keys)), np.zeros(len(tree.keys))
        self._none, self._counts = np.zeros(len(tree.names)), np.diff(tree.slots)
        self._gains = np.zeros(len(tree.names))
        self._working = np.empty(tree.histories), np.empty(tree.histories)
        self._call: Any = tree.driver.kernel(kernels.weigh_choices)  # type: ignore[arg-type]

    def ask(self, policy: Policy, seat: int, bonus: np.ndarray | None = None) -> None:
        """Write all three for the information sets of a seat; `bonus`: added to its utility at each choice made."""
        tree = self.tree
        self._call(
            *tree.nodes,
            tree.seats,
            tree.slots,
            policy,
            self._none if bonus is None else bonus,
            self._gains,
            self.far,
            self.own,
            *self._working,
            seat,
        )
        self.values[:] = self._gains / np.repeat(np.where(self.far > 0, self.far, 1), self._counts)

    def weighed(self) -> np.ndarray:
        """What each choice brings, weighed by how likely others let it come there: counterfactual values; a copy."""
        return self._gains.copy()


def of_sets(tree: GameTree, values: np.ndarray) -> np.ndarray:
    """A number for each information set as one for each of its choices."""
    return np.repeat(values, np.diff(tree.slots))


def softmax(tree: GameTree, logits: np.ndarray) -> Policy:
    """The policy in proportion to the exponentials of logits, within each information set."""
    highest = np.maximum.reduceat(logits, tree.slots[:-1])
    powers: np.ndarray = np.exp(logits - of_sets(tree, highest))
    policy: Policy = powers / of_sets(tree, np.add.reduceat(powers, tree.slots[:-1]))
    return policy


ASKED = 32  # times that a bot is asked in each information set: it draws lots, and no bot says its probabilities


def asked_policy(tree: GameTree, times: int, choose: Callable[[bytes, int, list[int]], int]) -> Policy:
    """How often each choice is made in the information sets of a tree, of so many times in each.

    `choose`: of what is known there (see `GameTree.known`), the seat and its legal actions, the index of one of these.
    """
    policy = np.zeros(len(tree.names))
    for struct, seat, first, end in zip(tree.known, tree.seats.tolist(), tree.slots, tree.slots[1:], strict=False):
        names, knowledge = tree.names[first:end].tolist(), struct.tobytes()
        if len(names) == 1:
            policy[first] = 1
            continue
        for _ in range(times):
            policy[first + choose(knowledge, seat, names)] += 1 / times
    return policy


def bot_policy(tree: GameTree, bot: Bot, times: int = ASKED) -> Policy:
    """The policy of a bot in a tree: exact of a policy, else how often it makes each choice, of so many times."""
    if isinstance(bot, PolicyBot):
        table: Policy = answers(bot.policy, bot.name, tree.observations, tree.masks)[tree.masks]
        return table
    return asked_policy(tree, times, lambda knowledge, seat, names: names.index(bot.choose(knowledge, seat)))
