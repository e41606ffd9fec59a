"""A net that imitates a bot which thinks, so that a learner can meet it in a million games.

The bot plays itself; a part of its matches is kept apart, and says how well it is imitated.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from hexdeck.bots.bot import Bot
from hexdeck.bots.nets.inference import ACTIONS
from hexdeck.bots.nets.netfile import Net, net_sizes
from hexdeck.bots.players.named import bot
from hexdeck.bots.players.netbot import NetBot
from hexdeck.engine.play.game import GameSetup
from hexdeck.research.rating.contest import play_match
from hexdeck.research.training.learn import (
    DecisionBatch,
    ImitationLearner,
    Lists,
    TrainStep,
    first_weights,
    masked_softmax,
    outputs_of,
    usual_size,
)

HIDDEN = 128  # neurons in each hidden layer
EPOCHS, RATE, MINIBATCH = 24, 2e-3, 512
APART = 10  # one match in so many is kept apart
OFTEN = 500  # matches after which what was watched is saved


@dataclass(frozen=True)
class Imitation:
    """A net that imitates a bot. `agreement`: how likely it makes the bot's choices, on average, in unseen matches.

    `likeliest`: how often the likeliest action is the one that was chosen; `choices`: that were watched.
    """

    net: Net
    agreement: float
    likeliest: float
    choices: int


class Watched:
    """A bot whose choices are written down, with what a net sees then."""

    def __init__(self, player: Bot, sight: NetBot, choices: list[tuple[np.ndarray, list[int], int]]) -> None:
        self.player, self.sight, self.choices, self.name = player, sight, choices, player.name

    def begin(self, number: int) -> None:
        """See `Bot`."""
        self.player.begin(number)

    def choose(self, knowledge: bytes, seat: int) -> int:
        """See `Bot`."""
        action = self.player.choose(knowledge, seat)
        self.sight.choose(knowledge, seat)
        actions, _ = self.sight.last_probabilities()
        if len(actions) > 1:
            self.choices.append((self.sight.last_input(), actions, action))
        return action


class Watching:
    """Matches of a bot against itself, until enough of its choices are written down."""

    def __init__(self, game: GameSetup, name: str, seed: int, backend: str | None = None) -> None:
        self.game, self.seed = game, seed
        self.matches = self.taken = 0  # that were watched, and those of them whose choices are in `batch`
        self.sizes = net_sizes(game.rules, HIDDEN, HIDDEN)
        blank = Net(
            game.name, self.sizes, first_weights(self.sizes, 1.0, np.random.default_rng(0)).astype(float), {}, {}
        )
        sight = NetBot(game, seed, backend, 1.0, blank)
        self.made: list[tuple[np.ndarray, list[int], int]] = []
        self.players = [
            Watched(bot(name, game, seed * 1000 + 1 + seat, backend), sight, self.made) for seat in range(game.players)
        ]
        self.batch, self.apart = DecisionBatch.empty(self.sizes, 0), np.zeros(0, np.bool_)

    def match(self) -> None:
        """Watch one match more."""
        for player in self.players:
            player.begin(self.matches)
        play_match(self.game, self.players, self.seed, self.matches)  # type: ignore[arg-type]
        self.matches += 1

    def take_in(self, apart: bool) -> None:
        """Put what was watched with the rest; `apart`: to be judged by."""
        if not self.made:
            return
        legal = np.zeros((len(self.made), int(self.sizes[ACTIONS])), np.bool_)
        for row, (_, actions, _) in zip(legal, self.made, strict=True):
            row[actions] = True
        inputs, chosen = (
            np.array([choice[0] for choice in self.made]),
            np.array([choice[2] for choice in self.made], np.int16),
        )
        new = DecisionBatch(inputs, legal, chosen, np.zeros((len(chosen), 4), np.float32))
        batch, parts = joined(self.batch, new), np.append(self.apart, np.full(len(new), apart))
        self.batch, self.apart, self.taken = (
            batch,
            parts,
            self.matches,
        )  # all calls came before: Ctrl-C can't part these
        del self.made[:]


def joined(first: DecisionBatch, second: DecisionBatch) -> DecisionBatch:
    """Two batches as one."""
    return DecisionBatch(
        *(
            np.concatenate([getattr(first, name), getattr(second, name)])
            for name in ("inputs", "legal", "chosen", "labels")
        )
    )


def imitated(watching: Watching, seed: int) -> Imitation:
    """Learn to choose as was watched."""
    batch, sizes, rng = watching.batch, watching.sizes, np.random.default_rng(seed)
    practice, unseen = batch.rows(~watching.apart), batch.rows(watching.apart)
    active = float((practice.inputs != 0).sum(axis=1).mean())
    learner = ImitationLearner(sizes, first_weights(sizes, active, rng), 1 / usual_size(practice.inputs))
    lists = Lists(practice)
    for epoch in range(EPOCHS):
        learner.learn(
            lists,
            TrainStep(minibatch=min(MINIBATCH, len(practice)), epochs=1, value=0.0),
            RATE * (1 - 0.95 * epoch / EPOCHS),
            rng,
        )
    net = Net(watching.game.name, sizes, learner.weights().astype(np.float64), {}, {})
    probabilities, _ = masked_softmax(outputs_of(net.weights, sizes, unseen.inputs)[:, :-1], unseen.legal)
    agreement = probabilities[np.arange(len(unseen)), unseen.chosen].mean()
    likeliest = (np.where(unseen.legal, probabilities, -1).argmax(axis=1) == unseen.chosen).mean()
    return Imitation(net, float(agreement), float(likeliest), len(batch))
