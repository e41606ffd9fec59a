"""Learners with nets, by the trainer of `hexdeck train`, on a clock of processor time."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from hexdeck.bots.nets.netfile import Net, save
from hexdeck.research.benchmark.task import Given, Task
from hexdeck.research.exact.policies import net_policy
from hexdeck.research.exact.tree import GameTree, Policy
from hexdeck.research.training.runs import TrainingPlan
from hexdeck.research.training.trainer import Trainer

NEVER = 1 << 60  # steps until the trainer would try its net


def trained(task: Task, *, averaged: bool, **how: Any) -> Iterator[tuple[int, Given]]:
    """Train a policy net by self-play; `averaged`: give the average of its weights; `how`: of the plan."""
    for trainer in steps(task, **how):
        weights = trainer.learner.weights(trainer.average if averaged else None).astype(float)
        yield trainer.moves, Played(task, weights, trainer.sizes)


def steps(task: Task, **how: Any) -> Iterator[Trainer]:
    """A trainer after each of its steps, until its time is over."""
    game = task.game
    plan = TrainingPlan(
        game.name,
        (game.players,),
        dict(game.options),
        task.seed,
        minutes=task.seconds / 60,
        checkpoint_every=NEVER,
        **how,
    )
    trainer, spent = Trainer(plan), 0.0
    while trainer.progress < 1:
        began = time.process_time()
        trainer.step()
        if trainer.playing.made:
            trainer.playing.made.result()  # it takes processor time too
        spent += time.process_time() - began
        trainer.seconds = spent
        yield trainer


def kept(task: Task, folder: Path, name: str, *, averaged: bool, **how: Any) -> str:
    """Train a policy net, keep it in a folder, and return the name of the bot that plays by it."""
    *_, trainer = steps(task, **how)
    weights = trainer.learner.weights(trainer.average if averaged else None).astype(np.float64)
    file = folder / f"{task.ground.name.replace('/', '-')}-{task.game.players}-{name}-{task.seed}.net"
    about = {"players": [task.game.players], "seed": task.seed, "steps": trainer.done}
    save(Net(task.game.name, trainer.sizes, weights, {}, about), file)
    return f"net:{file}"


class Played:
    """The policy of a net in any tree of a game."""

    def __init__(self, task: Task, weights: np.ndarray, sizes: np.ndarray) -> None:
        self.task, self.weights, self.sizes = task, weights, sizes

    def __call__(self, tree: GameTree) -> Policy:
        """Its probabilities in the tree of the task."""
        return net_policy(tree, self.task.ground.inputs(self.sizes), self.weights, self.sizes)
