"""The trainer on games that are solved exactly: it comes near to an equilibrium, and stays there."""

import numpy as np
import pytest

from hexdeck.bots.nets.netfile import Net
from hexdeck.research.exact import GameTree, sized
from hexdeck.research.training.trainer import Trainer, TrainingPlan
from tests.research.exact.learned import policy_of

pytestmark = pytest.mark.long
NEAR = 0.02  # NashConv, as a part of the span of a game's utilities
CASES = [("cursed-hand/tiny", 200), ("hawthorn/tiny", 100), ("high-handed/tiny", 160)]


@pytest.mark.parametrize(("name", "steps"), CASES)
def test_training_comes_near_to_an_equilibrium_and_does_not_lose_it_again(name: str, steps: int) -> None:
    """Exact NashConv of the averaged weights: 2 % of the scale, and so again after half as many steps more."""
    game = sized(name)
    tree = GameTree(game)
    plan = TrainingPlan(
        game.name,
        (2,),
        dict(game.options),
        steps=steps,
        hidden=(32, 32),
        batch=8192,
        minibatch=256,
        magnet_every=20,
        ema_decay=0.97,
        checkpoint_every=9 * steps,
    )
    trainer, found = Trainer(plan, "fast"), []
    assert tree.nash_conv(tree.uniform()) >= 0.35 * np.ptp(tree.nodes[5][:, :2])
    for more in (0, steps // 4, steps // 2):
        while trainer.done < steps + more:
            trainer.step()
        net = Net(game.name, trainer.sizes, trainer.learner.weights(trainer.average).astype(float), {}, {})
        found.append(tree.nash_conv(policy_of(net, game, tree)) / np.ptp(tree.nodes[5][:, :2]))
    assert max(found) <= NEAR, found
