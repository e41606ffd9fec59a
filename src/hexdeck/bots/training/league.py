"""A league: nets play each other and the house bot on the same deals, and the best of them is kept."""

from __future__ import annotations

import dataclasses
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from hexdeck.bots.files import write_whole
from hexdeck.bots.nets.netfile import DEALS, MIMIC, VALUES, Net, save
from hexdeck.bots.training.arena import FRESH, Arena
from hexdeck.bots.training.selfplay import HOUSE, SEARCH
from hexdeck.bots.training.trainer import Trainer, csv, share
from hexdeck.engine.errors import HexdeckError
from hexdeck.engine.text import say

ENTRIES, GROUPS, FEWER = 10, 10_000, 3000  # of the league that chooses what is kept; fewer where a bot takes long
GAMES, FOES = 3000, 4  # of each entry against each other, where a foe was learned; and how often that foe


@dataclass(frozen=True)
class Standing:
    """How one net did, in units of the game's utility, over all numbers of players.

    `mean` against all others, `margin` half its 95 % interval; `house`: against house bots on all other seats. Of a net
    of deals `mean` is the part of the variance of results that it foresees, of one that imitates the part of what is
    unknown of choices that it resolves; and there is no `house`.
    """

    entry: int
    mean: float
    margin: float
    house: float | None = None


def league(
    arenas: list[Arena], nets: list[np.ndarray], units: list[np.ndarray], groups: int, partners: Sequence[int] = ()
) -> list[Standing]:
    """Play `groups` deals at each number of players, each as often as there are seats; standings in the order given.

    In a deal each seat is some entry's (a net, or once in a while the house bot or one of `partners`); from game to
    game everybody moves on one seat, so that each entry of a deal holds each hand once. No deal was trained on.
    """
    scores: list[list[float]] = [[] for _ in nets]
    house: list[list[float]] = [[] for _ in nets]
    for k, arena in enumerate(arenas):
        stack, heats = arena.stack(nets), [arena.heat] * len(nets)
        table, numbers = draw_lots(len(nets), arena.game.players, groups, partners)
        won = (arena.contest(table, stack, heats, numbers) - units[k][0]) / units[k][1]
        for entry in range(len(nets)):
            scores[entry] += deal_means(won, table == entry, arena.game.players)
            mean, _ = arena.against(nets[entry], arena.heat, groups // 4, HOUSE, 2 * FRESH + groups)
            house[entry].append((mean - units[k][0]) / units[k][1])
    return [standing(entry, scores[entry], house[entry]) for entry in range(len(nets))]


def trials(trainer: Trainer, nets: list[np.ndarray], games: int = GAMES) -> list[Standing]:
    """Standings of nets that learned among other bots and a foe: what they get, in the shares that they met them.

    The other bots count as often as they are named. Of the foes, each as it was at some time, the one counts that gains
    most from a net.
    """
    foes = trainer.foe.past if trainer.foe else []
    foes = [foes[k] for k in spread(len(foes), FOES)]
    return [tried(trainer, entry, net, foes, games) for entry, net in enumerate(nets)]


def tried(trainer: Trainer, entry: int, net: np.ndarray, foes: list[np.ndarray], games: int) -> Standing:
    """The standing of one of them."""
    scores, share_of = [], trainer.plan.counter
    for arena, (middle, unit, _trace) in zip(trainer.arenas, trainer.units, strict=True):
        groups = share(games // arena.game.players, len(trainer.arenas))
        named = Counter(trainer.partners)
        others = [arena.against(net, arena.heat, groups, other, 2 * FRESH) for other in named]
        rest = [arena.against(net, arena.heat, groups, foe, 2 * FRESH) for foe in foes]
        house, _ = arena.against(net, arena.heat, groups, HOUSE, 2 * FRESH + groups)
        met = weighed(others, list(named.values()))
        worst = min(rest, default=met)
        mean = share_of * met[0] + (1 - share_of) * worst[0]
        margin = np.hypot(share_of * met[1], (1 - share_of) * worst[1])
        scores.append(((mean - middle) / unit, margin / unit, (house - middle) / unit))
    means, margins, houses = np.array(scores).T
    return Standing(entry, float(means.mean()), float(np.hypot.reduce(margins) / len(margins)), float(houses.mean()))


def weighed(figures: Sequence[tuple[float, float]], weights: Sequence[int]) -> tuple[float, float]:
    """The weighed mean of figures that are means with half their intervals, and half its own at most."""
    means, margins = np.array(figures).T
    return float(np.average(means, weights=weights)), float(np.average(margins, weights=weights))


def draw_lots(entries: int, seats: int, groups: int, partners: Sequence[int] = ()) -> tuple[np.ndarray, np.ndarray]:
    """A table of players for `groups` deals, and each game's number; by a seed of its own."""
    rng = np.random.default_rng(entries * 16 + seats)
    there = np.array([*sorted({HOUSE, *partners}), *range(entries)])
    first = there[rng.integers(0, len(there), (groups, seats))]
    turned = [np.roll(first, turn, axis=1) for turn in range(seats)]
    table = np.stack(turned, axis=1).reshape(groups * seats, seats)
    return np.ascontiguousarray(table), np.repeat(2 * FRESH + np.arange(groups), seats)


def deal_means(won: np.ndarray, mine: np.ndarray, seats: int) -> list[float]:
    """The mean of an entry's results in each deal it took part in."""
    totals = (won * mine).reshape(-1, seats * won.shape[1]).sum(axis=1)
    counts = mine.reshape(-1, seats * won.shape[1]).sum(axis=1)
    means: list[float] = (totals[counts > 0] / counts[counts > 0]).tolist()
    return means


def standing(entry: int, scores: list[float], house: list[float]) -> Standing:
    """The standing from results of deals."""
    margin = 1.96 * np.std(scores, ddof=1) / np.sqrt(len(scores))
    return Standing(entry, float(np.mean(scores)), float(margin), float(np.mean(house)))


def spread(count: int, most: int) -> list[int]:
    """At most so many of `count` checkpoints, evenly over the second half of them, the last included."""
    wanted = np.linspace(count // 2, count - 1, min(most, count - count // 2))
    return sorted({round(float(k)) for k in wanted})


def export(trainer: Trainer, path: Path, command: str) -> Net:
    """Choose among the run's checkpoints by a league, write the best as a net, and the curve beside it.

    Raises HexdeckError when the run has no checkpoint yet.
    """
    plan = trainer.plan
    if not trainer.checkpoints:
        raise HexdeckError(say("There is no checkpoint yet; one is kept after every {every} steps.", every=plan.every))
    entries = spread(len(trainer.checkpoints), ENTRIES)
    standings = judged(trainer, [trainer.checkpoints[k] for k in entries])
    best = max(standings, key=lambda each: each.mean)
    at = entries[best.entry]
    units = {
        arena.game.players: (float(u[0]), float(u[1])) for arena, u in zip(trainer.arenas, trainer.units, strict=True)
    }
    about = {
        **{key: value for key, value in dataclasses.asdict(plan).items() if key not in ("game", "kind")},
        "steps": trainer.done, "ends": trainer.ends, "command": command, "chosen": trainer.curve[at], "league": [
            {**dataclasses.asdict(each), "entry": trainer.curve[entries[each.entry]]["step"]} for each in standings
        ],
    }  # fmt: skip
    net = Net(plan.game, trainer.sizes, trainer.checkpoints[at].astype(np.float64), units, about, plan.kind)
    save(net, path)
    write_whole(path.with_suffix(".csv"), csv(trainer.curve).encode())
    return net


def judged(trainer: Trainer, nets: list[np.ndarray]) -> list[Standing]:
    """How checkpoints of a run did."""
    plan = trainer.plan
    if plan.kind in (DEALS, MIMIC):
        return [foreseeing(trainer, entry, net) for entry, net in enumerate(nets)]
    if trainer.foe:
        return trials(trainer, nets)
    groups = share(FEWER if SEARCH in trainer.partners or plan.kind == VALUES else GROUPS, len(plan.players))
    return league(trainer.arenas, nets, trainer.units, groups, trainer.partners)


def foreseeing(trainer: Trainer, entry: int, net: np.ndarray) -> Standing:
    """The standing by what a net foresees: the mean over numbers of players, in games that it never learned from."""
    groups = share(GROUPS, len(trainer.arenas))
    means, margins = np.array([arena.marked(net, groups, 2 * FRESH) for arena in trainer.arenas]).T
    return Standing(entry, float(means.mean()), float(np.hypot.reduce(margins) / len(margins)))
