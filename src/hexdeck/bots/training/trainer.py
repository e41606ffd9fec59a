"""The trainer: a net learns by playing itself and its own past, and a league of its past chooses what is kept.

What kinds of net there are to learn is in `bots.training.kinds`.

It needs nothing of a game but the contract. Everything that decides how training goes on is in one file of its folder,
written whole or not at all, so that a run that was cut off continues as if it had not been: with a plan bounded by
steps the result is the same to the last bit (on the same kind of machine).
"""

from __future__ import annotations

import dataclasses
import io
import json
import re
import time
import zipfile
import zlib
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from hexdeck.bots.files import write_whole
from hexdeck.bots.nets.netfile import POLICY, layout, net_sizes
from hexdeck.bots.training import adversary as foes
from hexdeck.bots.training.adversary import Adversary, ResettingAdversary
from hexdeck.bots.training.arena import FRESH, room
from hexdeck.bots.training.kinds import KINDS
from hexdeck.bots.training.learn import Batch, Learner, TrainStep, first_weights, usual_size
from hexdeck.bots.training.selfplay import GENTLE, HOUSE, RANDOM, SEARCH
from hexdeck.engine.discovery.definition import definition
from hexdeck.engine.errors import BadOption, HexdeckError
from hexdeck.engine.play.game import GameSetup
from hexdeck.engine.play.playouts import play_strategies
from hexdeck.engine.text import _, say

STATE, CURVE = "state.npz", "curve.csv"
PAST = 3  # how many nets of the past play along in one step
MIXED, MIXED_MORE = 4, 2  # every so manyth game is one with the past, or with the past and partners
# Where a search plays along, only in the last steps (`Plan.late`), since it is slow: smaller batches, much of it.
LATE_BATCH, LATE_EVERY, LATE_MEMORY, LATE_SHARE = 4, 10, 0.9, 0.4
PARTNERS = {"random": RANDOM, "house": HOUSE, "gentle": GENTLE, "search": SEARCH}
PARTNER = re.compile(r"gentle|house|random|search(?::([1-9][0-9]{0,5}|1000000))?")
SIMULATIONS = 1000  # of a search that plays along
CHECKS = 1000  # groups of games against the house bot at each checkpoint, over all numbers of players
TRIAL = 2000  # games by which utilities are measured before training
BROKEN = (ValueError, KeyError, TypeError, OSError, EOFError, zipfile.BadZipFile, zlib.error)


@dataclass(frozen=True)
class Plan:
    """What to train and how. One of `steps` and `minutes` ends it; only steps give the same net again."""

    game: str
    players: tuple[int, ...]
    options: dict[str, Any]
    seed: int = 1
    steps: int = 0
    minutes: float = 0.0
    hidden: tuple[int, int] = (64, 64)
    batch: int = 32768
    every: int = 50
    rate: float = 3e-3
    entropy: float = 0.05  # of the bonus; it begins half as much higher and ends half as much lower
    among: tuple[str, ...] = ()  # bots that play along in some games, of `PARTNERS`; search with its simulations
    late: int = 60  # how many steps at the end a search plays along
    counter: float = 0.0  # in which share of games then; all others are with a net that learns to beat it (`Adversary`)
    anew: int = 0  # after so many steps that net begins anew where this one stands (`ResettingAdversary`); 0: never
    epochs: int = 1
    size: int = 256
    trace: float = 0.95  # lambda of the advantages
    kind: str = POLICY  # of net: a policy, values, deals, or one that imitates
    imitate: str = ""  # the search whose choices are learned
    heat: float = 0.1  # of the choices that values are learned from, at first, in units of utility; it cools to nothing
    memory: float = 0.97  # of the average of weights over steps, which is what checkpoints keep


class Trainer:
    """A run of training. `checkpoints` holds the averaged weights, float16, of every so manyth step.

    `ends`: for each end that was planned the step from which on it was, the steps and the minutes.
    """

    def __init__(self, plan: Plan, backend: str | None = None) -> None:
        self.plan = plan
        if any(each.startswith("search") for each in plan.among) and not plan.steps:
            raise BadOption(say("A search plays along at the end of a run; that needs --steps."))
        games = [GameSetup.named(plan.game, players, **plan.options) for players in plan.players]
        self.kind = KINDS[plan.kind]
        self.sizes = net_sizes(games[0].rules, *plan.hidden, plan.kind)
        self.rng = np.random.default_rng(plan.seed)
        self.partners, simulations = partners(plan.among)
        if plan.imitate:
            _, simulations = partners((plan.imitate,))
        self.units = [unit_of(each, plan) for each in games]
        self.arenas = [
            self.kind.arena(each, self.sizes, plan.seed, backend, simulations, units)
            for each, units in zip(games, self.units, strict=True)
        ]
        for arena in self.arenas:
            arena.check()
        self.room = room(self.sizes, plan.batch)
        self.done, self.seconds, self.moves = 0, 0.0, 0
        self.ends = [[0, plan.steps, plan.minutes]]
        self.numbers = [0] * len(games)
        self.checkpoints: list[np.ndarray] = []
        self.curve: list[dict[str, float]] = []
        self.learner = self._learner()
        self.average = self.learner.flat.copy()
        self.foe: Adversary | None = None

    def _learner(self) -> Learner:
        """A learner at the beginning; how large inputs usually are is learned from a first batch, thrown away."""
        inputs = int(self.sizes[1])
        flat = first_weights(self.sizes, 1.0, np.random.default_rng(self.plan.seed))
        blank = self.kind.learner(self.sizes, flat, np.ones(inputs))
        seen = self._play([blank.weights()]).seen
        lit = float((seen != 0).sum(axis=1).mean())
        self.numbers = [0] * len(self.arenas)
        return self.kind.learner(self.sizes, first_weights(self.sizes, lit, self.rng), 1 / usual_size(seen))

    # --- a step -------------------------------------------------------------------------------------------------------
    def _play(self, nets: list[np.ndarray], *, searched: bool = True) -> Batch:
        """A batch of decisions of the first net, equally many at each number of players; the others play along.

        `searched`: whether partners do, too.
        """
        end, share = 0, self.batch // len(self.arenas)
        for k, arena in enumerate(self.arenas):
            part = slices(self.room, end, end + share)
            stack = arena.stack(nets)
            heats = [self.kind.heat(self.plan.heat, self.progress)] * len(stack)
            table = self._table(k, len(nets) - 1) if searched else self._duel(k, len(nets) - 1)
            made, games, moves = arena.collect_selfplay(table, stack, self.units[k], self.numbers[k], part, heats)
            self.numbers[k] += games
            self.moves += moves
            end += made
        return slices(self.room, 0, end)

    def _company(self) -> list[np.ndarray]:
        """The nets that play along in this step: of the past, or the one that learns to beat this one."""
        if self.late and self.plan.counter:
            self.foe = self.foe or self._foe()
            return self.foe.company(self.rng)
        return [self.checkpoints[k] for k in self._drawn()]

    def _foe(self) -> Adversary:
        """A net that learns to beat this one, at the beginning."""
        plan = self.plan
        return ResettingAdversary(self.learner, plan.anew, plan.rate) if plan.anew else Adversary(self.learner)

    def _drawn(self) -> list[int]:
        """Which nets of the past play along in this step."""
        count = len(self.checkpoints)
        return self.rng.integers(0, count, PAST).tolist() if count else []

    def _table(self, k: int, past: int) -> np.ndarray:
        """Who sits where: mostly the current net, in some games the past or a partner on about half the seats."""
        seats, games = self.plan.players[k], self.batch // len(self.arenas)
        table = np.zeros((games, seats), np.int64)
        if self.late:
            met = self.rng.random((games, 1)) < (self.plan.counter or LATE_SHARE)
            rest = self._duel(k, past) if self.plan.counter else table
            there = others_there(games, seats, self.rng)
            who = self.rng.choice(self.partners, (games, 1)) if len(self.partners) > 1 else np.int64(SEARCH)
            sought: np.ndarray = np.where(met, who * there, rest)
            return sought
        mixed = table[:: MIXED_MORE if set(self.partners) - {SEARCH} else MIXED]
        there = np.array([*(each for each in self.partners if each != SEARCH), *range(1, past + 1)], np.int64)
        if len(there):
            others = there[self.rng.integers(0, len(there), (len(mixed), 1))]
            mixed[:] = others * (self.rng.random(mixed.shape) < 0.5)
        return table

    def _duel(self, k: int, others: int) -> np.ndarray:
        """Who sits where: the first net, and one of the others on all other seats or about half of them."""
        seats, games = self.plan.players[k], self.batch // len(self.arenas)
        other = self.rng.integers(1, others + 1, (games, 1))
        table: np.ndarray = other * others_there(games, seats, self.rng)
        return table

    def step(self) -> np.ndarray:
        """Play, learn, and remember now and then; returns what `Learner.learn` tells."""
        began, plan = time.perf_counter(), self.plan
        batch = self._play([self.learner.weights(), *self._company()])
        lesson = TrainStep(entropy=plan.entropy * (1.5 - self.progress), size=plan.size, epochs=plan.epochs + self.late)
        rate = plan.rate * (1 - 0.9 * self.progress)
        news = self.learner.learn(batch, lesson, rate, self.rng)
        if self.late and self.foe:
            nets = [self.foe.learner, self.learner]
            batch = self._play([*(each.weights() for each in nets), self.learner.weights(self.average)], searched=False)
            self.foe.learn(batch, lesson, rate, self.rng, self.learner)
        weight = np.float32(max(1 - self.memory, 1 / (self.done + 1)))
        self.done += 1
        self.average += weight * (self.learner.flat - self.average)
        self.seconds += time.perf_counter() - began
        if self.done % self.every == 0:
            self._remember(news)
        return news

    @property
    def late(self) -> bool:
        """Whether it is the end of a run in which a search plays along."""
        return SEARCH in self.partners and 0 <= self.plan.steps - self.done <= self.plan.late

    @property
    def batch(self) -> int:
        """How many decisions a step learns from."""
        return self.plan.batch // LATE_BATCH if self.late else self.plan.batch

    @property
    def every(self) -> int:
        """A checkpoint is kept after so many steps."""
        return LATE_EVERY if self.late else self.plan.every

    @property
    def memory(self) -> float:
        """Of the average of weights over steps."""
        if not self.late:
            return self.plan.memory
        return foes.MEMORY if self.plan.counter else LATE_MEMORY

    @property
    def progress(self) -> float:
        """How much of the plan is done, from 0 to 1."""
        if self.plan.steps:
            return min(1.0, self.done / self.plan.steps)
        return min(1.0, self.seconds / (60 * self.plan.minutes))

    def _remember(self, news: np.ndarray) -> None:
        """Keep the averaged weights, and how well they do against the house bot."""
        net = self.learner.weights(self.average).astype(np.float16)
        self.checkpoints.append(net)
        if self.late and self.foe:
            self.foe.remember()
        row = {"step": self.done, "seconds": round(self.seconds, 1), "moves": self.moves}
        row |= {name: round(float(x), 5) for name, x in zip(self.learner.told(), news, strict=True)}
        groups = share(CHECKS, len(self.arenas))
        for arena in self.arenas:
            mean, margin = arena.marked(net, groups, FRESH)
            row |= {f"{arena.mark} {arena.game.players}": round(mean, 4), f"± {arena.game.players}": round(margin, 4)}
        self.curve.append(row)

    def run(self, folder: Path, told: Callable[[dict[str, float]], None] | None = None) -> None:
        """Train until the plan is done, saving at each checkpoint; `told` gets each new row of the curve."""
        while self.progress < 1:
            news = self.step()
            if self.progress >= 1 and not self.checkpoints:
                self._remember(news)  # of a short run the end is kept
            if self.done % self.every == 0 or self.progress >= 1:
                self.save(folder)
                if told and self.curve and self.curve[-1]["step"] == self.done:
                    told(self.curve[-1])

    # --- on disk ------------------------------------------------------------------------------------------------------
    def save(self, folder: Path) -> None:
        """Write the state whole or not at all, and the curve for people."""
        learner, kept = self.learner, np.array(self.checkpoints, np.float16).reshape(-1, len(self.average))
        facts = {
            "plan": dataclasses.asdict(self.plan), "layout": layout_of(self.plan), "ends": self.ends,
            "done": self.done, "seconds": self.seconds, "moves": self.moves,
            "numbers": self.numbers, "curve": self.curve, "steps": learner.steps, "rng": self.rng.bit_generator.state,
        }  # fmt: skip
        arrays: dict[str, Any] = self.foe.arrays() if self.foe else {}
        file = io.BytesIO()
        np.savez(
            file, facts=np.array(json.dumps(facts)), flat=learner.flat, scale=learner.scale, mean=learner.mean,
            square=learner.square, average=self.average, checkpoints=kept, **arrays,
        )  # fmt: skip
        folder.mkdir(parents=True, exist_ok=True)
        write_whole(folder / STATE, file.getvalue())
        write_whole(folder / CURVE, csv(self.curve).encode())

    def restore(self, folder: Path) -> None:
        """Go on where the run in a folder stopped."""
        with np.load(folder / STATE) as file:
            facts = json.loads(str(file["facts"]))
            self.learner = self.kind.learner(self.sizes, file["flat"], file["scale"])
            self.learner.mean, self.learner.square = file["mean"], file["square"]
            self.average, self.checkpoints = file["average"], list(file["checkpoints"])
            if "foe_flat" in file:
                self.foe = self._foe()
                self.foe.restore(file)
        self.learner.steps, self.numbers = facts["steps"], facts["numbers"]
        self.done, self.seconds, self.moves = facts["done"], facts["seconds"], facts["moves"]
        self.curve, self.rng.bit_generator.state = facts["curve"], facts["rng"]
        self.ends = facts["ends"]
        if self.ends[-1][1:] != [self.plan.steps, self.plan.minutes]:
            self.ends.append([self.done, self.plan.steps, self.plan.minutes])


def resumed(folder: Path, backend: str | None = None, **changed: Any) -> Trainer:
    """The trainer whose run is in a folder; `changed`: a new end, as `steps` or `minutes`. Raises HexdeckError."""
    try:
        with np.load(folder / STATE) as file:
            facts = json.loads(str(file["facts"]))
    except FileNotFoundError:
        raise HexdeckError(say("There is no run of training in {folder}.", folder=str(folder))) from None
    except BROKEN:
        raise HexdeckError(say("The run of training in {folder} can't be read.", folder=str(folder))) from None
    trainer = Trainer(planned(facts, folder, changed), backend)
    try:
        trainer.restore(folder)
    except BROKEN:
        raise another_version(folder) from None
    return trainer


def planned(facts: dict[str, Any], folder: Path, changed: dict[str, Any]) -> Plan:
    """The plan of a run in a folder; raises HexdeckError where this version can't go on with it."""
    try:
        kept = facts["plan"] | {key: tuple(facts["plan"][key]) for key in ("players", "hidden", "among")}
        plan = Plan(**kept | changed)
        fits = facts["layout"] == layout_of(plan)
    except BROKEN:
        fits = False
    if not fits:
        raise another_version(folder)
    return plan


def layout_of(plan: Plan) -> str:
    """What the inputs and outputs of the nets mean."""
    return layout(definition(plan.game).rules)


def another_version(folder: Path) -> HexdeckError:
    """What is said of a run that this version can't go on with."""
    text = _("The run in {folder} was begun by another version of hexdeck, or it is damaged; train anew.")
    return HexdeckError(say(text, folder=str(folder)))


def share(total: int, parts: int) -> int:
    """How many groups of a total each number of players gets: the fewer a net serves, the more; at least 8."""
    return max(8, total // parts)


def others_there(games: int, seats: int, rng: np.random.Generator) -> np.ndarray:
    """Who of each table is the other bot: all but one seat, or about half of those; bool (games, seats)."""
    alone = np.arange(seats) != rng.integers(0, seats, (games, 1))
    there: np.ndarray = alone & ((rng.random((games, 1)) < 0.6) | (rng.random((games, seats)) < 0.5))
    return there


def partners(among: tuple[str, ...]) -> tuple[list[int], int]:
    """The numbers of bots that play along, as tables have them, and how many simulations a search makes.

    Raises BadOption for one that can't.
    """
    codes, budgets = [], set()
    for name in among:
        given = PARTNER.fullmatch(name)
        if given is None:
            text = _("{name} can't play along in training; {there} can.")
            raise BadOption(say(text, name=name, there="gentle, house, random, search:100"))
        codes.append(PARTNERS[name.partition(":")[0]])
        if name.startswith("search"):
            budgets.add(int(given[1] or SIMULATIONS))
    if len(budgets) > 1:
        these = ", ".join(f"search:{budget}" for budget in sorted(budgets))
        raise BadOption(say("All searches that play along are the same one; name one of {these}.", these=these))
    return codes, max(budgets, default=SIMULATIONS)


def unit_of(game: GameSetup, plan: Plan) -> np.ndarray:
    """The middle and the unit of utility (mean and deviation in games of the house bot), and lambda; float64."""
    returns = play_strategies(game, TRIAL, "house", plan.seed).returns
    return np.array([returns.mean(), max(1e-6, float(returns.std())), plan.trace])


def slices(batch: Batch, first: int, end: int) -> Batch:
    """A stretch of a batch, sharing its memory."""
    return Batch(batch.seen[first:end], batch.legal[first:end], batch.chosen[first:end], batch.facts[first:end])


def csv(rows: list[dict[str, float]]) -> str:
    """Rows of the curve as comma-separated values."""
    lines = [",".join(rows[0])] if rows else []
    return "".join(line + "\n" for line in [*lines, *(",".join(map(str, row.values())) for row in rows)])
