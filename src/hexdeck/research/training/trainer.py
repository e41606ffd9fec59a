"""The trainer: a net learns by playing itself; its checkpoints are kept.

While it learns from one batch, the next one is played and made ready in another thread, by the net as it was before:
each batch is a step old.

`arena` has the kinds of nets that can be trained, `export` chooses the best checkpoint. The trainer needs nothing of a
game but the contract. All that decides how training goes on is in its resumable file, so that a run that was cut off
continues as if it had not been: with a plan bounded by steps the result is the same to the last bit (on the same kind
of machine).
"""

import dataclasses
import difflib
import time
from collections.abc import Callable, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from hexdeck.bots.nets.inference import INPUTS
from hexdeck.bots.nets.netfile import POLICY, Net, layout, net_sizes, save
from hexdeck.bots.players.bot_names import BotName, bot_name, spoken
from hexdeck.engine.discovery.definition import definition
from hexdeck.engine.errors import BadOption, HexdeckError
from hexdeck.engine.play.game import GameSetup
from hexdeck.engine.text import _, say
from hexdeck.files import ResumableFile, State, row_of_state, state_of_row, write_atomically
from hexdeck.research.training.arena import FRESH, KINDS, PlayCounts, lineup_with
from hexdeck.research.training.collect import GENTLE, HOUSE, MEAN, RANDOM, SEARCH, STD
from hexdeck.research.training.exploit import Budget, Exploiter, mean_and_margin
from hexdeck.research.training.learn import DecisionBatch, Learner, Lists, TrainStep, first_weights, usual_size
from hexdeck.simulation.simulate import simulate

OPPONENTS = {"random": RANDOM, "house": HOUSE, "gentle": GENTLE, "search": SEARCH}
TUPLES = "players", "hidden", "opponents"  # of a plan, which JSON has as lists
SIMULATIONS = 1000  # of a search, by default


@dataclass(frozen=True)
class TrainingPlan:
    """What to train and how. One of `steps`, `decisions` and `minutes` ends it; minutes don't give the same net again.

    A policy net plays itself, held near to a magnet: itself as it was a while ago (magnetic mirror descent: Sokota and
    others 2023). `opponents`: bots that sit on others' seats in `opponent_share` of the games, of `OPPONENTS`.
    """

    game: str
    players: tuple[int, ...]
    options: dict[str, Any]
    seed: int = 1
    steps: int = 0
    minutes: float = 0.0
    hidden: tuple[int, int] = (64, 64)  # neurons in the hidden layers
    batch: int = 16384  # decisions that a step learns from
    checkpoint_every: int = 50  # steps
    learning_rate: float = 2e-3  # at first; it falls to a tenth
    entropy: float = 0.1  # bonus coefficient at first
    entropy_floor: float = 0.02  # to which it falls: by the same part in each step
    magnet: float = 0.1  # weight of the KL divergence from the magnet
    magnet_every: int = 40  # steps after which the net becomes its own magnet again
    opponents: tuple[str, ...] = ()
    opponent_share: float = 0.5
    epochs: int = 2  # passes through each batch
    minibatch: int = 512  # decisions
    gae_lambda: float = 0.95  # of the advantages
    kind: str = POLICY  # of net, see `netfile.KINDS`
    imitate: str = ""  # the search whose choices are learned
    ema_decay: float = 0.99  # of the average of weights over steps, which is what checkpoints keep
    decisions: int = 0  # of all seats, forced ones too, after which it ends


def can_oppose(name: str) -> bool:
    """Whether a bot of that name can be met in training: a strategy, or a search as compiled code plays it."""
    try:
        parts = bot_name(name)
    except BadOption:
        return False
    return parts == BotName(parts.kind, games=parts.games) and parts.kind in OPPONENTS


def opponent_codes(names: tuple[str, ...]) -> tuple[list[int], int]:
    """The codes of opponents in a lineup, and how many simulations a search makes.

    Raises BadOption for a bot that can't be an opponent in training.
    """
    codes, budgets = [], set()
    for name in names:
        if not can_oppose(name):
            typed, text = spoken(name), _("{name} can't be an opponent in training; {there} can.")
            near = [] if ":" in name else difflib.get_close_matches(typed, map(spoken, OPPONENTS), 1)
            if near:
                text = _("{name} can't be an opponent in training (did you mean {near}?); {there} can.")
            raise BadOption(say(text, name=typed, near="".join(near), there="easy, house, random, search:100"))
        parts = bot_name(name)
        codes.append(OPPONENTS[parts.kind])
        if parts.kind == "search":
            budgets.add(parts.games or SIMULATIONS)
    if len(budgets) > 1:
        these = ", ".join(f"search:{budget}" for budget in sorted(budgets))
        raise BadOption(say("All searches among the opponents must be the same; name one of {these}.", these=these))
    return codes, max(budgets, default=SIMULATIONS)


# --- the file of a run ------------------------------------------------------------------------------------------------
def training_file(path: Path, name: str) -> ResumableFile:
    """The resumable file of a run; its version is that of what the inputs and outputs of the game's nets mean."""
    return ResumableFile(path, "train", {"game": name, "version": layout(definition(name))})


def plan_of(facts: Mapping[str, Any], changed: Mapping[str, Any]) -> TrainingPlan:
    """The plan of a run, with some of it changed; raises TypeError, KeyError or ValueError for another version's."""
    stored = dict(facts["plan"])
    stored |= {key: tuple(stored[key]) for key in TUPLES}
    return TrainingPlan(**{**stored, **changed})


def csv(rows: list[dict[str, float]]) -> str:
    """Rows of a curve as comma-separated values, with a header."""
    lines = [",".join(rows[0])] if rows else []
    return "".join(line + "\n" for line in [*lines, *(",".join(map(str, row.values())) for row in rows)])


# --- a run ------------------------------------------------------------------------------------------------------------
CHECKS = 1000  # groups of games that score a checkpoint, over all numbers of players
TRIAL = 2000  # games by which utilities are measured before training
SHAPED = "flat", "scale", "mean", "square", "average", "playing"  # arrays that are as large as the net
OFTEN = 60.0  # seconds after which it is saved between checkpoints
Standing = tuple[dict[str, Any], dict[str, np.ndarray], list[np.ndarray]]  # facts, arrays, checkpoints


@dataclass
class Playing:
    """A batch to learn from next, and all that it follows from, so that it can be played again.

    `weights` of the net; `numbers` of the first match in each arena; `made`: the decisions, and how many games and
    moves they took in each arena; None until it is begun.
    """

    weights: np.ndarray
    numbers: list[int]
    made: Future[tuple[Lists, list[PlayCounts]]] | None = None


class Trainer:
    """A run of training.

    `checkpoints` holds averaged weights, float16; `curve` a row for each of them. `done`: steps; `average`: of the
    weights over steps. `ends`: for each end that was planned the step from which it applied, the steps and the minutes.
    Raises BadOption for a plan that can't be carried out.
    """

    def __init__(self, plan: TrainingPlan, backend: str | None = None) -> None:
        self.plan, self.kind = plan, KINDS[plan.kind]
        games = [GameSetup.named(plan.game, players, **plan.options) for players in plan.players]
        self.sizes = net_sizes(games[0].rules, *plan.hidden, plan.kind)
        self.rng = np.random.default_rng(plan.seed)
        self.opponents, simulations = opponent_codes(plan.opponents)
        if plan.imitate:
            _, simulations = opponent_codes((plan.imitate,))
        self.arenas = [
            self.kind.arena(game, self.sizes, plan.seed, backend, utility_scaling(game, plan), simulations)
            for game in games
        ]
        for arena in self.arenas:
            arena.check()
        self._buffers = [DecisionBatch.empty(self.sizes, plan.batch) for _ in range(2)]
        self._player = ThreadPoolExecutor(1)
        self.done, self.seconds, self.moves = 0, 0.0, 0
        self.ends = [[0, plan.steps, plan.minutes]]
        self.checkpoints: list[np.ndarray] = []
        self.curve: list[dict[str, float]] = []
        self.learner = self._first_learner()
        self.average = self.learner.flat.copy()
        self.playing = Playing(self.learner.weights(), [0] * len(games))

    def _first_learner(self) -> Learner:
        """A learner at the beginning; the usual size of inputs is taken from a first batch, which is thrown away."""
        flat = first_weights(self.sizes, 1.0, np.random.default_rng(self.plan.seed))
        blank = self.kind.learner(self.sizes, flat, np.ones(int(self.sizes[INPUTS]))).weights()
        inputs = self._collect(blank, [0] * len(self.arenas), self._buffers[0])[0].inputs
        active = float((inputs != 0).sum(axis=1).mean())
        return self.kind.learner(self.sizes, first_weights(self.sizes, active, self.rng), 1 / usual_size(inputs))

    # --- a step -------------------------------------------------------------------------------------------------------
    def step(self) -> np.ndarray:
        """Learn from what was played while the next batch is, and keep a checkpoint if it is time; returns metrics."""
        began, plan, before = time.perf_counter(), self.plan, self.playing
        lists, counts = self._batch(before).result()
        numbers = [number + count.games for number, count in zip(before.numbers, counts, strict=True)]
        self.moves += sum(count.moves for count in counts)
        self.playing = Playing(self.learner.weights(), numbers)
        if self.kind.magnetic and plan.magnet and self.done % plan.magnet_every == 0:
            self.learner.magnet = self.learner.flat.copy()
            self.learner.anchor(lists, self.learner.magnet)  # again: the magnet is a new one
        if self.done + 1 != plan.steps:
            self._batch(self.playing)
        entropy = plan.entropy * (plan.entropy_floor / plan.entropy) ** self.progress if plan.entropy else 0.0
        settings = TrainStep(
            entropy=max(entropy, plan.entropy_floor), magnet=plan.magnet, minibatch=plan.minibatch, epochs=plan.epochs
        )
        metrics = self.learner.learn(lists, settings, plan.learning_rate * (1 - 0.9 * self.progress), self.rng)
        weight = np.float32(max(1 - plan.ema_decay, 1 / (self.done + 1)))
        self.done += 1
        self.average += weight * (self.learner.flat - self.average)
        self.seconds += time.perf_counter() - began
        if self.done % plan.checkpoint_every == 0:
            self._checkpoint(metrics)
        return metrics

    def _batch(self, playing: Playing) -> Future[tuple[Lists, list[PlayCounts]]]:
        """Begin to play a batch of decisions, equally many at each number of players, unless that is done."""
        if playing.made is None:
            self._buffers.reverse()
            batch = playing.weights, playing.numbers, self._buffers[0]
            playing.made = self._player.submit(self._prepared, *batch, self.learner.magnet)
        return playing.made

    def _prepared(
        self, weights: np.ndarray, numbers: list[int], buffer: DecisionBatch, magnet: np.ndarray | None
    ) -> tuple[Lists, list[PlayCounts]]:
        """Play a batch, and do all for learning from it that doesn't need the net of that time."""
        batch, counts = self._collect(weights, numbers, buffer)
        lists = Lists(batch)
        self.learner.anchor(lists, magnet)
        return lists, counts

    def _collect(
        self, weights: np.ndarray, numbers: list[int], buffer: DecisionBatch
    ) -> tuple[DecisionBatch, list[PlayCounts]]:
        """Play a batch; the lineups follow from the seed and the number of the first match."""
        end, share, counts = 0, self.plan.batch // len(self.arenas), []
        for k, arena in enumerate(self.arenas):
            rng = np.random.default_rng([self.plan.seed, arena.game.players, numbers[k]])
            lineup = lineup_with(share, arena.game.players, self.opponents, self.plan.opponent_share, rng)
            part = buffer.rows(slice(end, end + share))
            counts.append(arena.collect(lineup, [weights], numbers[k], part))
            end += counts[-1].decisions
        return buffer.rows(slice(0, end)), counts

    @property
    def progress(self) -> float:
        """How much of the plan is done, from 0 to 1."""
        if self.plan.steps:
            return min(1.0, self.done / self.plan.steps)
        if self.plan.decisions:
            return min(1.0, self.moves / self.plan.decisions)
        return min(1.0, self.seconds / (60 * self.plan.minutes))

    def _checkpoint(self, metrics: np.ndarray) -> None:
        """Keep the averaged weights, and add their row to the curve."""
        net = self.learner.weights(self.average).astype(np.float16)
        self.checkpoints.append(net)
        self._wait()
        row = {"step": self.done, "seconds": round(self.seconds, 1), "moves": self.moves}
        row |= {name: round(float(x), 5) for name, x in zip(self.learner.metrics, metrics, strict=True)}
        groups = group_share(CHECKS, len(self.arenas))
        for arena in self.arenas:
            mean, margin = arena.scored(net, groups, FRESH)
            row |= {f"{arena.score} {arena.game.players}": round(mean, 4), f"± {arena.game.players}": round(margin, 4)}
        self.curve.append(row)

    def run(self, path: Path, progress: Callable[[dict[str, float]], None] | None = None) -> None:
        """Train until the plan is done; `progress` gets each new row of the curve.

        It saves at each checkpoint and about every minute. Interrupted (KeyboardInterrupt), it saves where the last
        whole step ended, goes back there, and raises it again.
        """
        before, saved, file = self._state(), time.monotonic(), training_file(path, self.plan.game)
        try:
            while self.progress < 1:
                metrics = self.step()
                if self.progress >= 1 and not self.checkpoints:
                    self._checkpoint(metrics)  # of a short run the end is kept
                before = self._state()
                checkpoint = self.done % self.plan.checkpoint_every == 0 or self.progress >= 1
                if checkpoint or time.monotonic() > saved + OFTEN:
                    self._write(file, before)
                    saved = time.monotonic()
                if checkpoint and progress and self.curve and self.curve[-1]["step"] == self.done:
                    progress(self.curve[-1])
            self._wait()  # the export has the arenas to itself
        except KeyboardInterrupt:
            self._write(file, before)
            self._take_over(*before)
            self._player.submit(int).result()  # what is being played ends first
            raise

    def _wait(self) -> None:
        """Wait until no batch is being played: an arena is for one thread at a time."""
        if self.playing.made:
            self.playing.made.result()

    # --- on disk ------------------------------------------------------------------------------------------------------
    def save(self, path: Path) -> None:
        """Write the state, whole or not at all."""
        self._write(training_file(path, self.plan.game), self._state())

    def _write(self, file: ResumableFile, state: Standing) -> None:
        facts, arrays, checkpoints = state
        nets = np.array(checkpoints, np.float16).reshape(-1, len(self.average))
        file.replace(row_of_state(facts, arrays | {"checkpoints": nets}))

    def _state(self) -> Standing:
        """All that decides how it goes on: nothing of it changes when it does."""
        learner, magnet = self.learner, np.zeros(0, np.float32)
        facts: dict[str, Any] = {"plan": dataclasses.asdict(self.plan), "ends": [*self.ends], "curve": [*self.curve]}
        facts |= {"done": self.done, "seconds": self.seconds, "moves": self.moves, "steps": learner.steps}
        facts |= {"numbers": self.playing.numbers, "rng": self.rng.bit_generator.state}
        arrays = learner.state() | {
            "average": self.average,
            "playing": self.playing.weights,
            "magnet": magnet if learner.magnet is None else learner.magnet,
        }
        return facts, {name: array.copy() for name, array in arrays.items()}, [*self.checkpoints]

    def restore(self, facts: dict[str, Any], arrays: dict[str, np.ndarray]) -> None:
        """Take over the state of a run; raises KeyError or ValueError where it is another version's."""
        like, nets = self._state()[1], arrays["checkpoints"]
        if any((arrays[name].dtype, arrays[name].shape) != (like[name].dtype, like[name].shape) for name in SHAPED):
            raise ValueError
        self._take_over(facts, arrays, list(nets))
        if self.ends[-1][1:] != [self.plan.steps, self.plan.minutes]:
            self.ends.append([self.done, self.plan.steps, self.plan.minutes])

    def _take_over(self, facts: dict[str, Any], arrays: dict[str, np.ndarray], checkpoints: list[np.ndarray]) -> None:
        self.learner = self.kind.learner.of_state(self.sizes, arrays, facts["steps"])
        self.learner.magnet = arrays["magnet"] if len(arrays["magnet"]) else None
        self.average, self.checkpoints = arrays["average"], checkpoints
        self.playing = Playing(arrays["playing"], facts["numbers"])
        self.done, self.seconds, self.moves = facts["done"], facts["seconds"], facts["moves"]
        self.curve, self.rng.bit_generator.state = facts["curve"], facts["rng"]
        self.ends = facts["ends"]


def stored_run(file: ResumableFile, **changed: Any) -> tuple[TrainingPlan, State]:
    """The plan and the state of the run in a file; `changed`: a new end, as `steps` or `minutes`.

    Raises HexdeckError where there is none, or it is damaged.
    """
    if not file.rows:
        raise HexdeckError(say("There is no run of training in {file}.", file=str(file.path)))
    try:
        state = state_of_row(file.rows[-1])
        return plan_of(state[0], changed), state
    except (KeyError, TypeError, ValueError):
        raise file.damaged(0) from None


def resumed(file: ResumableFile, backend: str | None = None, **changed: Any) -> Trainer:
    """The trainer of the run in a file, see `stored_run`."""
    plan, state = stored_run(file, **changed)
    trainer = Trainer(plan, backend)
    try:
        trainer.restore(*state)
    except (KeyError, TypeError, ValueError):
        raise file.damaged(0) from None
    return trainer


def group_share(total: int, parts: int) -> int:
    """How many of a total of groups each number of players gets; at least 8."""
    return max(8, total // parts)


def utility_scaling(game: GameSetup, plan: TrainingPlan) -> np.ndarray:
    """The mean and standard deviation of utility in games of the house bot, and lambda of the advantages; float64."""
    returns = simulate(game, TRIAL, "house", plan.seed).returns
    return np.array([returns.mean(), max(1e-6, float(returns.std())), plan.gae_lambda])


# --- the best checkpoint ----------------------------------------------------------------------------------------------
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
            arena.game, Budget(games=games), plan.seed, [prey], start=prey, backend=arena.driver.backend
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
        "chosen": {key: value for key, value in trainer.curve[at].items() if key != "seconds"},  # equal from a seed
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
