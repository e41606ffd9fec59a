"""The best checkpoint of a run is exported: of policy nets the one from which a short exploiter gains least.

Value nets play each other and other bots on the same deals, in a league.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from hexdeck.bots.files import write_atomically
from hexdeck.bots.nets.netfile import DEALS, MIMIC, POLICY, Net, save
from hexdeck.engine.errors import HexdeckError
from hexdeck.engine.text import say
from hexdeck.research.training.arena import FRESH, Arena
from hexdeck.research.training.collect import HOUSE, MEAN, STD
from hexdeck.research.training.exploit import Budget, Exploiter, mean_and_margin
from hexdeck.research.training.run_files import csv
from hexdeck.research.training.trainer import Trainer, group_share
from hexdeck.stats import half_width

ENTRIES, GROUPS, FEWER = 10, 10_000, 3000  # checkpoints in a league, and groups of games; fewer where bots are slow
HUNTED, HUNT = 5, 100_000  # checkpoints that are hunted, and games that each exploiter learns from


@dataclass(frozen=True)
class Standing:
    """How one net did, in normalised utility, over all numbers of players.

    `mean` of a policy net: less than nothing by what an exploiter gains; of a value net: against all others; of a deal
    net the part of the variance of results that it explains; of one that imitates the part of the uncertainty about
    choices that it resolves. `margin`: half its 95 % interval. `house`: the mean against house bots on all other seats,
    None for the last two.
    """

    entry: int
    mean: float
    margin: float
    house: float | None = None


def league(
    arenas: Sequence[Arena], nets: list[np.ndarray], groups: int, opponents: Sequence[int] = ()
) -> list[Standing]:
    """Play `groups` deals at each number of players, each as often as there are seats; standings in the order given.

    In a deal each seat is some entry's: a net, or sometimes the house bot or one of `opponents`. From game to game
    everybody moves on one seat, so that each entry of a deal holds each hand once. No deal was trained on.
    """
    scores: list[list[float]] = [[] for _ in nets]
    house: list[list[float]] = [[] for _ in nets]
    for arena in arenas:
        temperatures, (mean, std) = [arena.temperature] * len(nets), (arena.scaling[MEAN], arena.scaling[STD])
        lineup, numbers = league_lineup(len(nets), arena.game.players, groups, opponents)
        won = (arena.contest(lineup, nets, temperatures, numbers) - mean) / std
        for entry in range(len(nets)):
            scores[entry] += deal_means(won, lineup == entry, arena.game.players)
            got, _ = arena.against(nets[entry], arena.temperature, groups // 4, HOUSE, 2 * FRESH + groups)
            house[entry].append((got - mean) / std)
    return [standing(entry, scores[entry], house[entry]) for entry in range(len(nets))]


def hunted(trainer: Trainer, entry: int, net: np.ndarray) -> Standing:
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
        house, _ = arena.against(net, arena.temperature, groups // 4, HOUSE, 2 * FRESH + groups)
        scores.append((-gain / std, margin / std, (house - mean) / std))
    means, margins, houses = np.array(scores).T
    return Standing(entry, float(means.mean()), float(np.hypot.reduce(margins) / len(margins)), float(houses.mean()))


def league_lineup(
    entries: int, seats: int, groups: int, opponents: Sequence[int] = ()
) -> tuple[np.ndarray, np.ndarray]:
    """A random lineup for `groups` deals, each once for every turn of its seats, and each game's match number."""
    rng = np.random.default_rng(entries * 16 + seats)
    there = np.array([*sorted({HOUSE, *opponents}), *range(entries)])
    first = there[rng.integers(0, len(there), (groups, seats))]
    turned = [np.roll(first, turn, axis=1) for turn in range(seats)]
    lineup = np.stack(turned, axis=1).reshape(groups * seats, seats)
    return np.ascontiguousarray(lineup), np.repeat(2 * FRESH + np.arange(groups), seats)


def deal_means(won: np.ndarray, own: np.ndarray, seats: int) -> list[float]:
    """The mean of an entry's results in each deal that it took part in; `own`: which results are its, bool."""
    totals = (won * own).reshape(-1, seats * won.shape[1]).sum(axis=1)
    counts = own.reshape(-1, seats * won.shape[1]).sum(axis=1)
    means: list[float] = (totals[counts > 0] / counts[counts > 0]).tolist()
    return means


def standing(entry: int, scores: list[float], house: list[float]) -> Standing:
    """The standing from results of deals."""
    return Standing(entry, float(np.mean(scores)), float(half_width(np.array(scores))), float(np.mean(house)))


def spread(count: int, most: int) -> list[int]:
    """At most so many indices of `count` checkpoints, evenly over the second half of them, the last included."""
    wanted = np.linspace(count // 2, count - 1, min(most, count - count // 2))
    return sorted({round(float(k)) for k in wanted})


def export(trainer: Trainer, path: Path, command: str) -> Net:
    """Choose among the run's checkpoints by a league, write the best as a net, and the curve beside it.

    Raises HexdeckError when the run has no checkpoint yet.
    """
    plan = trainer.plan
    if not trainer.checkpoints:
        text = say("There is no checkpoint yet; one is saved after every {every} steps.", every=plan.checkpoint_every)
        raise HexdeckError(text)
    entries = spread(len(trainer.checkpoints), HUNTED if plan.kind == POLICY else ENTRIES)
    standings = standings_of(trainer, [trainer.checkpoints[k] for k in entries])
    best = max(standings, key=lambda each: each.mean)
    at = entries[best.entry]
    scale = {arena.game.players: (float(arena.scaling[MEAN]), float(arena.scaling[STD])) for arena in trainer.arenas}
    about = {
        **{key: value for key, value in dataclasses.asdict(plan).items() if key not in ("game", "kind")},
        "options": dict(trainer.arenas[0].game.options),
        "steps": trainer.done, "ends": trainer.ends, "command": command, "chosen": trainer.curve[at], "league": [
            {**dataclasses.asdict(each), "entry": trainer.curve[entries[each.entry]]["step"]} for each in standings
        ],
    }  # fmt: skip
    net = Net(plan.game, trainer.sizes, trainer.checkpoints[at].astype(np.float64), scale, about, plan.kind)
    save(net, path)
    write_atomically(path.with_suffix(".csv"), csv(trainer.curve).encode())
    return net


def standings_of(trainer: Trainer, nets: list[np.ndarray]) -> list[Standing]:
    """The standings of checkpoints of a run, by the trial that suits what was learned."""
    plan = trainer.plan
    if plan.kind in (DEALS, MIMIC):
        return [scored(trainer, entry, net) for entry, net in enumerate(nets)]
    if plan.kind == POLICY:
        return [hunted(trainer, entry, net) for entry, net in enumerate(nets)]
    return league(trainer.arenas, nets, group_share(FEWER, len(plan.players)), trainer.opponents)


def scored(trainer: Trainer, entry: int, net: np.ndarray) -> Standing:
    """The standing by the arenas' scores: the mean over numbers of players, in games that it never learned from."""
    groups = group_share(GROUPS, len(trainer.arenas))
    means, margins = np.array([arena.scored(net, groups, 2 * FRESH) for arena in trainer.arenas]).T
    return Standing(entry, float(means.mean()), float(np.hypot.reduce(margins) / len(margins)))
