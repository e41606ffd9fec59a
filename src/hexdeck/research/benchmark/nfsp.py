"""Neural fictitious self-play (Heinrich and Silver 2016), on the tree of a game.

A net learns by Q-learning to answer the others, another to play as the answers did on average. In each match each seat
plays the first with probability `eta`, else the second; what the first chose is kept as a sample of all such choices,
from which the second learns. Both nets are shared by all seats, as are those of the benchmark's other learners, and
learn with Adam, where the paper has nets for each seat and plain descent. Matches are walks down the tree.
"""

import itertools
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial

import numpy as np

from hexdeck.bots.nets.netfile import net_sizes
from hexdeck.engine.backends.kernels import CHANCE
from hexdeck.research.exact.kernels import OVER
from hexdeck.research.exact.tree import GameTree, Policy, net_policy
from hexdeck.research.training.learn import (
    IMPOSSIBLE,
    Learner,
    first_weights,
    layers_of,
    masked_softmax,
    outputs_of,
    usual_size,
)

TOGETHER = 64  # matches


@dataclass(frozen=True)
class Settings:
    """How it learns: the part of matches in which a seat plays its answer, and more."""

    hidden: tuple[int, int] = (32, 32)  # neurons in the hidden layers of both nets
    eta: float = 0.3
    explored: float = 0.06  # of the answer's choices at first; it falls with the square root of the matches so far
    rate: float = 0.002  # of the net that answers
    average_rate: float = 0.002
    memory: int = 100_000  # transitions that answers are learned from, the newest
    reservoir: int = 1_000_000  # choices that the average is learned from
    minibatch: int = 128
    each: int = 16  # decisions for each gradient step of both nets
    refreshed: int = 300  # gradient steps until the targets of answers are renewed


class Walks:
    """Matches in a tree: the children of each node, how likely chance chooses each."""

    def __init__(self, tree: GameTree) -> None:
        parents, self.actors, _edges, parts, self.owners, self.ends = tree.nodes
        self.children = np.argsort(parents[1:], kind="stable") + 1
        counts = np.bincount(parents[1:], minlength=tree.histories)
        self.begins = np.cumsum(counts) - counts
        likely = np.where(self.actors[parents[self.children]] == CHANCE, parts[self.children], 0.0)
        self.sums = np.cumsum(likely)  # of all chances so far: a draw is a place in its node's part of them
        self.before = np.concatenate([[0.0], self.sums])[self.begins]

    def chance(self, nodes: np.ndarray, rng: np.random.Generator) -> np.ndarray:
        """A child that chance draws for each of these nodes."""
        places = self.before[nodes] + rng.random(len(nodes)) * (1 - 1e-9)
        drawn: np.ndarray = self.children[np.searchsorted(self.sums, places, "right")]
        return drawn


class NeuralFictitiousPlay:
    """Two nets, what they learn from, and matches that they play."""

    def __init__(self, tree: GameTree, scale: float, seed: int, settings: Settings) -> None:
        self.tree, self.settings, self.unit = tree, settings, scale / 2
        self.rng, self.walks = np.random.default_rng(seed), Walks(tree)
        self.sizes = net_sizes(tree.game.rules, *settings.hidden)
        self.inputs = tree.inputs(self.sizes)
        active, size = float((self.inputs != 0).sum(axis=1).mean()), 1 / usual_size(self.inputs)
        first = [first_weights(self.sizes, active, self.rng) for _ in range(2)]
        self.answer, self.average = (Learner(self.sizes, flat, size) for flat in first)
        self.target = self.answer.weights()
        self.memory = np.zeros((settings.memory, 3), np.int64)  # set, action, set that comes next or -1
        self.rewards = np.zeros(settings.memory, np.float32)
        self.reservoir = np.zeros((settings.reservoir, 2), np.int64)  # set, action
        self.stored = self.kept = self.decisions = 0

    def choose(self, sets: np.ndarray, answers: np.ndarray, explored: float) -> np.ndarray:
        """An action in each of these information sets: the answer's or the average's."""
        masks, inputs, lots = self.tree.masks[sets], self.inputs[sets], self.rng.random((len(sets), 2))
        policy = masked_softmax(outputs_of(self.average.weights(), self.sizes, inputs)[:, :-1], masks)[0]
        sums = np.cumsum(policy, axis=1)
        drawn = (sums <= lots[:, :1] * sums[:, -1:] * (1 - 1e-6)).sum(axis=1)
        values = np.where(masks, outputs_of(self.answer.weights(), self.sizes, inputs)[:, :-1], IMPOSSIBLE)
        any_action = np.argmax(masks * self.rng.random(masks.shape), axis=1)
        best = np.where(lots[:, 1] < explored, any_action, values.argmax(axis=1))
        chosen: np.ndarray = np.where(answers, best, drawn)
        return chosen

    def steps(self) -> Iterator[tuple[int, Callable[[GameTree], Policy]]]:
        """The policy of the average net after some matches each, and how many decisions there were."""
        due = 0.0
        for step in itertools.count(1):
            before = self.decisions
            self.play(self.settings.explored / step**0.5)
            due += (self.decisions - before) / self.settings.each
            while due >= 1:
                self.learn()
                due -= 1
            yield self.decisions, partial(self.played, self.average.weights().astype(np.float64))

    def played(self, weights: np.ndarray, tree: GameTree) -> Policy:
        """The probabilities of a net in the tree."""
        return net_policy(tree, self.inputs, weights, self.sizes)

    def play(self, explored: float) -> None:
        """Play some matches to the end, and keep what is learned from them."""
        walks, players = self.walks, self.tree.game.players
        nodes, matches = np.zeros(TOGETHER, np.int64), np.arange(TOGETHER)
        answers = self.rng.random((TOGETHER, players)) < self.settings.eta
        last = np.full((TOGETHER, players, 2), -1, np.int64)
        while len(nodes):
            actors = walks.actors[nodes]
            at = np.flatnonzero(actors == CHANCE)
            nodes[at] = walks.chance(nodes[at], self.rng)
            at = np.flatnonzero(actors > CHANCE)
            if len(at):
                sets, seats, who = walks.owners[nodes[at]].astype(np.int64), actors[at].astype(np.int64), matches[at]
                actions = self.choose(sets, answers[who, seats], explored)
                self._store(last[who, seats], sets, np.zeros(len(at)))
                last[who, seats] = np.stack([sets, actions], axis=1)
                self._sample(last[who, seats][answers[who, seats]])
                edges = (self.tree.masks[sets] & (np.arange(self.tree.masks.shape[1]) < actions[:, None])).sum(axis=1)
                nodes[at] = walks.children[walks.begins[nodes[at]] + edges]
                self.decisions += len(at)
            over = actors == OVER
            for seat in range(players):
                final = walks.ends[walks.owners[nodes[over]], seat] / self.unit
                self._store(last[matches[over], seat], np.full(int(over.sum()), -1), final)
            nodes, matches = nodes[~over], matches[~over]

    def _store(self, before: np.ndarray, after: np.ndarray, rewards: np.ndarray) -> None:
        """Keep transitions from the seats' choices before, where there were any, in place of the oldest."""
        made = before[:, 0] >= 0
        places = (self.stored + np.arange(int(made.sum()))) % len(self.memory)
        self.memory[places] = np.column_stack([before, after])[made]
        self.rewards[places] = rewards[made]
        self.stored += len(places)

    def _sample(self, choices: np.ndarray) -> None:
        """Keep choices of the answer, each that there ever was with the same probability (Vitter 1985)."""
        numbers = self.kept + np.arange(len(choices))
        places = np.where(numbers < len(self.reservoir), numbers, self.rng.integers(0, numbers + 1))
        fitting = places < len(self.reservoir)
        self.reservoir[places[fitting]] = choices[fitting]
        self.kept += len(choices)

    def learn(self) -> None:
        """A gradient step of both nets."""
        rng, size = self.rng, self.settings.minibatch
        at = rng.integers(0, min(self.stored, len(self.memory)), size)
        sets, actions, following = self.memory[at].T
        ahead = outputs_of(self.target, self.sizes, self.inputs[following])[:, :-1]
        ahead[~self.tree.masks[following]] = IMPOSSIBLE
        wanted = np.where(following < 0, self.rewards[at], ahead.max(axis=1))
        out, back = self._outputs(self.answer, sets)
        slope = np.zeros_like(out)
        rows = np.arange(size)
        slope[rows, actions] = np.clip(out[rows, actions] - wanted, -1, 1) / size  # Huber's loss
        back(slope, self.settings.rate)
        if self.answer.steps % self.settings.refreshed == 0:
            self.target = self.answer.weights()
        if self.kept:
            sets, actions = self.reservoir[rng.integers(0, min(self.kept, len(self.reservoir)), size)].T
            out, back = self._outputs(self.average, sets)
            slope = np.zeros_like(out)
            slope[:, :-1] = masked_softmax(out[:, :-1], self.tree.masks[sets])[0] / size  # of the cross-entropy
            slope[rows, actions] -= 1 / size
            back(slope, self.settings.average_rate)

    def _outputs(self, learner: Learner, sets: np.ndarray) -> tuple[np.ndarray, Callable[[np.ndarray, float], None]]:
        """What a net says in these information sets, and what descends along a slope of that, at a rate."""
        first, first_bias, second, second_bias, last, last_bias = layers_of(learner.flat, self.sizes)
        inputs = self.inputs[sets] * learner.scale
        hidden_1 = np.maximum(inputs @ first + first_bias, 0)
        hidden_2 = np.maximum(hidden_1 @ second + second_bias, 0)

        def descend(slope: np.ndarray, rate: float) -> None:
            gradient = np.zeros_like(learner.flat)
            parts = layers_of(gradient, self.sizes)
            parts[4][:], parts[5][:] = slope.T @ hidden_2, slope.sum(axis=0)
            back = (slope @ last) * (hidden_2 > 0)
            parts[2][:], parts[3][:] = hidden_1.T @ back, back.sum(axis=0)
            back = (back @ second.T) * (hidden_1 > 0)
            parts[0][:], parts[1][:] = inputs.T @ back, back.sum(axis=0)
            learner.descend(gradient, rate)

        return hidden_2 @ last.T + last_bias, descend
