"""The best checkpoint of a run, as a net: of policy nets the one from which a short exploiter gains least.

Deal nets and imitating nets are judged by the scores of their arenas, on deals that none was trained on.
"""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from hexdeck.bots.files import write_atomically
from hexdeck.bots.nets.netfile import POLICY, Net, save
from hexdeck.engine.errors import HexdeckError
from hexdeck.engine.text import say
from hexdeck.research.training.arena import FRESH
from hexdeck.research.training.collect import HOUSE, MEAN, STD
from hexdeck.research.training.exploit import Budget, Exploiter, mean_and_margin
from hexdeck.research.training.plan import csv
from hexdeck.research.training.trainer import Trainer, group_share

SCORED, GROUPS = 10, 10_000  # checkpoints that are scored, and groups of games
HUNTED, HUNT = 5, 100_000  # checkpoints that are hunted, and games that each exploiter learns from


@dataclass(frozen=True)
class CheckpointStanding:
    """How one net did, over all numbers of players.

    `mean` of a policy net: minus the exploiter's gain, in normalised utility; of a deal net the part of the variance of
    results that it explains; of one that imitates the part of the uncertainty about choices that it resolves. `margin`:
    half its 95 % interval. `house`: a policy net's mean against house bots on all other seats, None for other nets.
    """

    entry: int
    mean: float
    margin: float
    house: float | None = None


def hunted(trainer: Trainer, entry: int, net: np.ndarray) -> CheckpointStanding:
    """The standing of a policy net: what an exploiter that learned for a short time leaves it.

    That is the mean over numbers of players, on deals that the exploiter didn't learn from.
    """
    scores, plan = [], trainer.plan
    for arena in trainer.arenas:
        mean, std = arena.scaling[MEAN], arena.scaling[STD]
        prey = Net(plan.game, trainer.sizes, net.astype(np.float64), {}, {})
        games = group_share(HUNT, len(trainer.arenas))
        exploiter = Exploiter(
            arena.game, Budget(games=games), plan.seed, prey, start=prey, backend=arena.driver.backend
        )
        exploiter.learn(lambda _one: None, lambda: None)
        weights, temperature, _ = exploiter.best
        groups = group_share(GROUPS, len(trainer.arenas))
        gain, margin = mean_and_margin(exploiter.sparring.trial(weights, temperature, groups, 2 * FRESH))
        house, _ = arena.against(net, 1.0, groups // 4, HOUSE, 2 * FRESH + groups)
        scores.append((-gain / std, margin / std, (house - mean) / std))
    means, margins, houses = np.array(scores).T
    return CheckpointStanding(
        entry, float(means.mean()), float(np.hypot.reduce(margins) / len(margins)), float(houses.mean())
    )


def spread(count: int, limit: int) -> list[int]:
    """At most so many indices of `count` checkpoints, evenly over the second half of them, the last included."""
    positions = np.linspace(count // 2, count - 1, min(limit, count - count // 2))
    return sorted({round(float(k)) for k in positions})


def export(trainer: Trainer, path: Path, command: str) -> Net:
    """Choose among the run's checkpoints by their standings, write the best as a net, and the curve beside it.

    Raises HexdeckError when the run has no checkpoint yet.
    """
    plan = trainer.plan
    if not trainer.checkpoints:
        text = say("There is no checkpoint yet; one is saved after every {every} steps.", every=plan.checkpoint_every)
        raise HexdeckError(text)
    entries = spread(len(trainer.checkpoints), HUNTED if plan.kind == POLICY else SCORED)
    judge = hunted if plan.kind == POLICY else scored
    standings = [judge(trainer, entry, trainer.checkpoints[k]) for entry, k in enumerate(entries)]
    best = max(standings, key=lambda standing: standing.mean)
    at = entries[best.entry]
    scale = {arena.game.players: (float(arena.scaling[MEAN]), float(arena.scaling[STD])) for arena in trainer.arenas}
    about = {
        **{key: value for key, value in dataclasses.asdict(plan).items() if key not in ("game", "kind")},
        "options": dict(trainer.arenas[0].game.options),
        "steps": trainer.done,
        "ends": trainer.ends,
        "command": command,
        "chosen": trainer.curve[at],
        "league": [
            {**dataclasses.asdict(standing), "entry": trainer.curve[entries[standing.entry]]["step"]}
            for standing in standings
        ],
    }
    net = Net(plan.game, trainer.sizes, trainer.checkpoints[at].astype(np.float64), scale, about, plan.kind)
    save(net, path)
    write_atomically(path.with_suffix(".csv"), csv(trainer.curve).encode())
    return net


def scored(trainer: Trainer, entry: int, net: np.ndarray) -> CheckpointStanding:
    """The standing by the arenas' scores: the mean over numbers of players, in games that it never learned from."""
    groups = group_share(GROUPS, len(trainer.arenas))
    means, margins = np.array([arena.scored(net, groups, 2 * FRESH) for arena in trainer.arenas]).T
    return CheckpointStanding(entry, float(means.mean()), float(np.hypot.reduce(margins) / len(margins)))
