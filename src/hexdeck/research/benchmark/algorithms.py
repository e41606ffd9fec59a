"""The learners of the benchmark, and those in files of others.

A learner is a function of a `Task`, which yields after each bit of learning how much work is done and the policy so
far; a policy that is a function is called before the next bit, if at all. Where whole games can be played, another
function, of a task and a folder, gives the name of a bot; it may keep a net in the folder. A file of yours has them as
`learn(task)` and `bot(task, folder)`, and beside them, if it likes: `TITLE`, `PAPER` it is from, `WORK` (what is
counted), `SETTINGS` (a dict of numbers), `VERSION` (an int, raised with each change that changes results), `DRAWS`
(False where no seed changes anything: it runs once). A file that has only `policy(observations, masks)` is measured as
it plays, and so is any bot by its name.
"""

import functools
import hashlib
import itertools
import json
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict, dataclass, field
from functools import partial
from math import isinf
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np

from hexdeck.bots.nets.netfile import Net, save
from hexdeck.bots.players.bot_names import OUTSIDE
from hexdeck.bots.players.kinds import BY_SOLVER
from hexdeck.bots.players.levels import LEVELS, levels_of
from hexdeck.bots.players.policies import PYTHON, any_bot, fingerprint, loaded
from hexdeck.bots.search.searcher import Searcher
from hexdeck.engine.backends.kernels import CHANCE
from hexdeck.engine.errors import BadOption, HexdeckError, unreadable
from hexdeck.engine.text import _, say
from hexdeck.research.benchmark import nfsp
from hexdeck.research.exact import kernels
from hexdeck.research.exact import tree as exact
from hexdeck.research.exact.tree import GameTree, Policy
from hexdeck.research.training.trainer import Trainer, TrainingPlan
from hexdeck.simulation.game import Game

# --- what a learner is given ------------------------------------------------------------------------------------------
MOST = 20_000_000  # histories of a tree that has each order of the same events; in larger ones such deals count once

Table = Policy | Mapping[tuple[int, int], Any]  # of seat and `match.key`: the probabilities of the legal actions
Given = Table | Callable[[GameTree], Table]
Learner = Callable[["Task"], Iterator[tuple[int, Given]]]


class Ground:
    """A game that learners are compared on, and what they share: its tree, what seats know, its utility range.

    `players` of them; `name`, such as `cursed-hand/tiny`; `histories`: how many there are.
    """

    def __init__(self, name: str, game: Game, histories: int) -> None:
        self.name, self.game, self.histories = name, game, histories
        self._inputs: dict[tuple[int, ...], np.ndarray] = {}

    @functools.cached_property
    def tree(self) -> GameTree:
        """The whole tree; raises BadOption where it is too large."""
        if self.histories <= MOST:
            return GameTree(self.game)
        deals = exact.Deals(self.game)
        return deals.tree(np.arange(len(deals.shares)))

    def inputs(self, sizes: np.ndarray) -> np.ndarray:
        """The inputs of nets of these sizes in the information sets of the tree: int8 (sets, inputs)."""
        key = tuple(sizes.tolist())
        if key not in self._inputs:
            self._inputs[key] = self.tree.inputs(sizes)
        return self._inputs[key]

    @functools.cached_property
    def scale(self) -> float:
        """The utility range: from the least that a seat can get to the most."""
        return float(np.ptp(self.tree.nodes[5][:, : self.game.players]))

    def nash_conv(self, answer: Given) -> float:
        """NashConv of a policy, exact."""
        return self.tree.nash_conv(policy_of(self.tree, answer))


def policy_of(tree: GameTree, answer: Given) -> Policy:
    """The policy in a tree: of an array, of a mapping by (seat, key), or of a function of the tree that gives one.

    An information set that a mapping doesn't have is played uniformly; one that has none is refused, for its keys are
    of another kind. Raises BadOption for what isn't a policy.
    """
    table: Any = answer(tree) if callable(answer) else answer
    if isinstance(table, Mapping):
        keys = set(zip(tree.seats.tolist(), tree.keys.tolist(), strict=True))
        if table and keys.isdisjoint(table):
            raise BadOption(say("A policy's mapping has none of the game's information sets, (seat, match.key(seat))."))
        return tree.policy(lambda seat, key, actions: table.get((seat, key), [1 / len(actions)] * len(actions)))
    return np.asarray(table, np.float64)


@dataclass(frozen=True)
class Task:
    """What a learner is to do: learn to play a game from a seed, for so many decisions or seconds of processor time.

    `game`; `tree`: its `GameTree`, whose `observations` and `masks` a net learns from; `scale`: its
    utility range.
    """

    ground: Ground
    seed: int
    seconds: float = float("inf")
    decisions: float = float("inf")

    @property
    def game(self) -> Game:
        """The game."""
        return self.ground.game

    @property
    def tree(self) -> GameTree:
        """Its whole tree; raises BadOption where it is too large."""
        return self.ground.tree

    @property
    def scale(self) -> float:
        """The utility range."""
        return self.ground.scale

    def random(self) -> np.random.Generator:
        """A random generator of the seed."""
        return np.random.default_rng(self.seed)


# --- learners ---------------------------------------------------------------------------------------------------------
Steps = Iterator[tuple[int, Given]]


@dataclass(frozen=True)
class Algorithm:
    """A learner with what is told of it.

    `name`; `title`; `paper` that it is from; `work`: what it counts; `settings`; `version`, which changes when its
    results do; `draws`: whether its seed changes anything. `bot`: gives the name of a bot that plays whole games.
    Without `learn` it is for these only, without `bot` for the others. `price`: how many decisions, of any seat, a unit
    of its work takes; None where that isn't known, so that no budget of decisions ends it.
    """

    name: str
    learn: Learner | None
    title: str
    paper: str = ""
    work: str = "steps"
    settings: Mapping[str, Any] = field(default_factory=dict)
    version: int | str = 1
    draws: bool = True
    bot: Callable[[Task, Path], str] | None = None
    price: Callable[[Task], float] | None = None

    @property
    def counts_decisions(self) -> bool:
        """Whether it is known how many decisions its work takes."""
        return self.price is not None or self.work == DECISIONS

    def decisions(self, task: Task, work: float) -> float:
        """How many decisions so much work takes; raises BadOption where that isn't known."""
        if not self.counts_decisions:
            text = _("{title} counts {work}, not decisions: give it seconds.")
            raise BadOption(say(text, title=self.title, work=self.work))
        return work * (self.price(task) if self.price else 1)


ITERATIONS, DECISIONS = "iterations", "decisions"
SOKOTA = "Sokota et al. 2023, A unified approach to reinforcement learning, quantal response equilibria, …"
ALGORITHMS: dict[str, Algorithm] = {}  # those that come with the benchmark, by name


def algorithm(title: str, paper: str, work: str = ITERATIONS, **how: Any) -> Callable[[Learner], Learner]:
    """A decorator that adds a learner to the benchmark, under the name of its function; `how`: as of `Algorithm`."""

    def add(learn: Learner) -> Learner:
        name = learn.__name__
        ALGORITHMS[name] = Algorithm(name, learn, title, paper, work, plain(how.pop("settings", {})), **how)
        return learn

    return add


def plain(settings: Any) -> dict[str, Any]:
    """Settings as JSON keeps them; raises BadOption for what it can't keep."""
    try:
        loaded: dict[str, Any] = json.loads(json.dumps(dict(settings), allow_nan=False))
    except (TypeError, ValueError) as error:
        text = _("SETTINGS is a dict of numbers, text, lists and dicts, so that it can be kept: {why}.")
        raise BadOption(say(text, why=str(error))) from None
    return loaded


def sweep(task: Task) -> float:
    """The decisions of an iteration that goes through the whole tree for each seat."""
    return float(task.tree.decisions * task.game.players)


# --- on the whole tree ------------------------------------------------------------------------------------------------
@algorithm("CFR+", "Tammelin 2014, Solving large imperfect information games using CFR+", draws=False, price=sweep)
def cfr_plus(task: Task) -> Steps:
    """Seats in turn; policies averaged with weights that grow with the iteration."""
    for step, average in task.tree.cfr_plus_steps():
        yield step, on_demand(average)


def on_demand(average: Callable[[], Policy]) -> Given:
    """A policy that is only worked out where it is measured."""
    return lambda _tree: average()


@algorithm(
    "Predictive CFR+",
    "Farina, Kroer and Sandholm 2021, Faster game solving via predictive Blackwell approachability",
    draws=False,
    price=sweep,
)
def pcfr_plus(task: Task) -> Steps:
    """As CFR+, but the next regrets are taken to be as the last ones; averages count by the square of the iteration."""
    tree, feedback = task.tree, exact.ChoiceValues(task.tree)
    policy, own = tree.uniform(), exact.of_sets(tree, tree.seats)
    regrets, average = np.zeros(len(policy)), np.zeros(len(policy))
    for step in itertools.count(1):
        for seat in range(task.game.players):
            feedback.ask(policy, seat)
            average += np.where(own == seat, step**2 * policy * exact.of_sets(tree, feedback.own), 0)
            gains = feedback.weighed()
            usual = exact.of_sets(tree, np.add.reduceat(policy * gains, tree.slots[:-1]))
            regret = np.where(own == seat, gains - usual, 0)
            regrets = np.maximum(0, regrets + regret)
            policy = np.where(own == seat, tree.normed(np.maximum(0, regrets + regret)), policy)
        yield step, on_demand(partial(tree.normed, average))


@algorithm(
    "MCCFR, external sampling",
    "Lanctot, Waugh, Zinkevich and Bowling 2009, Monte Carlo sampling for regret minimization in extensive games",
    DECISIONS,
    version=2,  # decisions are counted
)
def mccfr(task: Task) -> Steps:
    """One sample for each seat in an iteration; the average policy."""
    for visits, average in task.tree.external_sampling_steps(task.seed):
        yield visits, on_demand(average)


@algorithm(
    "Fictitious play",
    "Heinrich, Lanctot and Silver 2015, Fictitious self-play in extensive-form games (XFP)",
    price=lambda task: 2 * sweep(task),  # what was played is weighed, then answered
)
def fictitious_play(task: Task) -> Steps:
    """Each seat plays a best response to the average of what the others played; the seed draws the first policy."""
    tree, feedback = task.tree, exact.ChoiceValues(task.tree)
    played = tree.normed(task.random().exponential(size=len(tree.names)))
    owners, average = exact.of_sets(tree, tree.seats), np.zeros(len(tree.names))
    for step in itertools.count(1):
        for seat in range(task.game.players):
            feedback.ask(played, seat)
            average += np.where(owners == seat, played * exact.of_sets(tree, feedback.own), 0)
        usual = tree.normed(average)
        for seat in range(task.game.players):
            played = np.where(owners == seat, tree.best_response(usual, seat)[1], played)
        yield step, on_demand(partial(tree.normed, average))


MIRROR_DESCENT = {"rate": 2.0, "temperature": 0.25}  # both at first; they fall with the square root of the iteration


@algorithm("Magnetic mirror descent, tabular", SOKOTA, settings=MIRROR_DESCENT, price=sweep, version=2)
def mirror_descent(task: Task, settings: Mapping[str, float] = MIRROR_DESCENT) -> Steps:
    """The policy itself, not an average; the magnet is uniform play; the seed draws the first policy."""
    tree, feedback = task.tree, exact.ChoiceValues(task.tree)
    owners, logits = exact.of_sets(tree, tree.seats), 0.1 * task.random().normal(size=len(tree.names))
    policy = exact.softmax(tree, logits)
    for step in itertools.count(1):
        rate, temperature = settings["rate"] / step**0.5, settings["temperature"] / step**0.5
        updated = logits.copy()
        for seat in range(task.game.players):
            feedback.ask(policy, seat)
            values = feedback.values / (task.scale / 2)
            updated = np.where(owners == seat, (logits + rate * values) / (1 + rate * temperature), updated)
        logits = updated
        policy = exact.softmax(tree, logits)
        yield step, policy


RNAD = {"rate": 0.5, "weight": 0.2, "every": 20}  # of the regularisation; iterations until it is renewed


@algorithm(
    "R-NaD, tabular",
    "Perolat et al. 2021, From Poincaré recurrence to convergence in imperfect information games",
    settings=RNAD,
    price=sweep,
    version=2,
)
def rnad(task: Task, settings: Mapping[str, float] = RNAD) -> Steps:
    """Replicator dynamics in a game whose rewards pull each seat to a policy, which now and then becomes the present.

    With two players what one seat pays for leaving that policy, the other gets, as in the paper; with more it is lost.
    """
    tree, feedback, weight = task.tree, exact.ChoiceValues(task.tree), settings["weight"]
    owners, logits = exact.of_sets(tree, tree.seats), 0.1 * task.random().normal(size=len(tree.names))
    anchor, theirs = np.zeros(len(logits)), 1.0 if task.game.players == 2 else 0.0
    policy = exact.softmax(tree, logits)
    for step in itertools.count(1):
        penalty = weight * (np.log(np.maximum(policy, 1e-30)) - np.log(np.maximum(exact.softmax(tree, anchor), 1e-30)))
        updated = logits.copy()
        for seat in range(task.game.players):
            bonus = np.where(owners == seat, -penalty, theirs * penalty) * (task.scale / 2)
            feedback.ask(policy, seat, bonus)
            updated += np.where(owners == seat, settings["rate"] * feedback.values / (task.scale / 2), 0)
        logits = updated - exact.of_sets(tree, np.maximum.reduceat(updated, tree.slots[:-1]))
        policy = exact.softmax(tree, logits)
        if step % settings["every"] == 0:
            anchor = logits.copy()
        yield step, policy


# --- with nets, by the trainer of `hexdeck train` ---------------------------------------
SMALL: dict[str, Any] = {"hidden": (32, 32), "batch": 2048, "minibatch": 128}
# the best of the grids of `tools/tuning.py`
RATE = {"learning_rate": 2e-3}
PPO: dict[str, Any] = {"entropy": 0.05, "entropy_floor": 0.05, "magnet": 0.0, **RATE}  # entropy that falls makes cycles
MIRROR_DESCENT_NET: dict[str, Any] = {"entropy": 0.1, "entropy_floor": 0.1, "magnet": 0.05, "magnet_every": 1, **RATE}
NASH_PG: dict[str, Any] = {"entropy": 0.0, "entropy_floor": 0.0, "magnet": 0.1, "magnet_every": 80}
TRAINER: dict[str, Any] = {"entropy": 0.1, "entropy_floor": 0.02, "magnet": 0.05, "magnet_every": 40, "ema_decay": 0.95}
NEVER = 1 << 60  # steps until the trainer would try its net


def trained(task: Task, *, averaged: bool, **how: Any) -> Steps:
    """Train a policy net by self-play; `averaged`: give the average of its weights; `how`: of the plan."""
    for trainer in trainer_steps(task, **how):
        weights = trainer.learner.weights(trainer.average if averaged else None).astype(float)
        yield trainer.moves, partial(net_play, task, weights, trainer.sizes)


def net_play(task: Task, weights: np.ndarray, sizes: np.ndarray, tree: Any) -> Policy:
    """The probabilities of a net in the tree of a task."""
    return exact.net_policy(tree, task.ground.inputs(sizes), weights, sizes)


def trainer_steps(task: Task, **how: Any) -> Iterator[Trainer]:
    """A trainer after each of its steps, until its decisions are made or its time is over."""
    game = task.game
    end = {"minutes": task.seconds / 60} if isinf(task.decisions) else {"decisions": round(task.decisions)}
    plan = TrainingPlan(game.name, (game.players,), dict(game.options), task.seed, checkpoint_every=NEVER, **end, **how)
    trainer, spent = Trainer(plan), 0.0
    while trainer.progress < 1:
        began = time.process_time()
        trainer.step()
        if trainer.playing.made:
            trainer.playing.made.result()  # it takes processor time too
        spent += time.process_time() - began
        trainer.seconds = spent
        yield trainer


def net_bot(task: Task, folder: Path, *, name: str, averaged: bool, **how: Any) -> str:
    """Train a policy net of the usual size, keep it in a folder, and name the bot that plays by it."""
    *_, trainer = trainer_steps(task, **how)
    weights = trainer.learner.weights(trainer.average if averaged else None).astype(np.float64)
    file = folder / f"{task.ground.name.replace('/', '-')}-{task.game.players}-{name}-{task.seed}.net"
    about = {"players": [task.game.players], "seed": task.seed, "steps": trainer.done}
    save(Net(task.game.name, trainer.sizes, weights, {}, about), file)
    return f"net:{file}"


def add_net(name: str, title: str, paper: str, plan: dict[str, Any], version: int = 1, bot: Any = None) -> None:
    """Add an algorithm that learns a net by a plan, small on trees; `bot`: how, where not by that plan, in games."""
    averaged, file = plan is TRAINER, name.removesuffix("_net").replace("_", "-")
    learn = partial(trained, averaged=averaged, **SMALL, **plan)
    in_games = partial(net_bot, name=file, averaged=averaged, **(plan if bot is None else bot))
    ALGORITHMS[name] = Algorithm(name, learn, title, paper, DECISIONS, plain(SMALL | plan), version, bot=in_games)


add_net("ppo", "PPO", "Schulman et al. 2017, Proximal policy optimization algorithms", PPO, 3)
add_net("mirror_descent_net", "Magnetic mirror descent, net", SOKOTA, MIRROR_DESCENT_NET, 3)
OUR_TRAINER = "ours: PPO with a magnet as in Sokota et al. 2023, entropy that falls, averaged weights"
add_net("trainer", "Hexdeck's trainer", OUR_TRAINER, TRAINER, 2, bot={})  # by the usual plan of `hexdeck train`


# --- those that learn nothing beforehand ------------------------------------------------------------------------------
ISMCTS = {"first": 16, "times": 4, "runs": 4}  # simulations at first, then so many times as many; searches in each set
WHOLE = 1000  # simulations a decision in whole games
PIMC = {"first": 1, "times": 4, "most": 256, "runs": 16}  # worlds; times that each information set is thought over
HOUSE = {"asked": 8}  # times in each information set


def more_each_time(
    task: Task, settings: Mapping[str, int], think: Callable[[int], Policy], limit: float = float("inf")
) -> Steps:
    """A policy by thinking so much in each information set, then by more as long as the budget lasts."""
    amount, remaining = settings["first"], task.seconds
    while amount <= limit and (amount == settings["first"] or amount * thoughts(task, settings) <= task.decisions):
        began = time.process_time()
        policy = think(amount)
        elapsed = time.process_time() - began
        yield amount, policy
        remaining -= elapsed
        if settings["times"] * elapsed > remaining:
            return
        amount *= settings["times"]


def thoughts(task: Task, settings: Mapping[str, int]) -> float:
    """How often something is thought over in all information sets; a world or a simulation counts as a decision."""
    return float(settings["runs"] * len(task.tree.keys))


@algorithm(
    "ISMCTS",
    "Cowling, Powley and Whitehouse 2012, Information set Monte Carlo tree search (multiple observers)",
    "simulations a decision",
    settings=ISMCTS,
    price=lambda task: thoughts(task, ISMCTS),
    bot=lambda _task, _folder: f"search:{WHOLE}",
)
def ismcts(task: Task) -> Steps:
    """Its policy estimated by several searches in each information set; more simulations while the budget lasts."""

    def searched(simulations: int) -> Policy:
        searcher = Searcher(task.game, simulations, task.seed)

        def choose(knowledge: bytes, seat: int, names: list[int]) -> int:
            return int(searcher.grown(knowledge, seat, len(names))[:, 0].argmax())

        return exact.asked_policy(task.tree, ISMCTS["runs"], choose)

    return more_each_time(task, ISMCTS, searched)


@algorithm(
    "PIMC",
    "Long, Sturtevant, Buro and Furtak 2010, Understanding the success of perfect information Monte Carlo sampling",
    "worlds a decision",
    settings=PIMC,
    price=lambda task: thoughts(task, PIMC),
)
def pimc(task: Task) -> Steps:
    """Its policy estimated by several runs in each information set; more worlds while there is time.

    In an information set all histories of it are likely as chance makes them, whatever the others would have chosen.
    With more than two seats each does what is best for itself.
    """
    yield from more_each_time(task, PIMC, HistoryWorlds(task).vote, PIMC["most"])


class HistoryWorlds:
    """The histories of each information set, how likely they are, and what choices are worth there in the open."""

    def __init__(self, task: Task) -> None:
        self.tree, self.rng = task.tree, task.tree.driver.generator(task.seed, "pimc")
        parents, actors, edges, parts, owners, ends = self.tree.nodes
        players, n = task.game.players, self.tree.histories
        worth, reach = np.empty((n, players)), np.empty(n)
        call: Any = self.tree.driver.kernel(kernels.solve_openly)
        call(parents, actors, parts, owners, ends, worth, reach, players)
        movers = np.asarray(actors, np.int8)
        deciding = np.flatnonzero(movers > CHANCE)
        order = deciding[np.argsort(owners[deciding], kind="stable")]
        counts = np.diff(self.tree.slots)[owners[order]]
        positions = np.zeros(n, np.int64)
        positions[order] = np.cumsum(counts) - counts
        self.values = np.zeros(int(counts.sum()))
        decisions = 1 + np.flatnonzero(movers[parents[1:]] > CHANCE)
        self.values[positions[parents[decisions]] + edges[decisions]] = worth[decisions, actors[parents[decisions]]]
        self.places, self.likely = positions[order], np.cumsum(reach[order])
        self.begins = np.searchsorted(owners[order], np.arange(len(self.tree.keys) + 1))

    def vote(self, worlds: int) -> Policy:
        """How often each choice is best, on average over so many worlds."""
        slots, arrays, runs = self.tree.slots, (self.begins, self.likely, self.places, self.values), PIMC["runs"]
        policy, sums = np.zeros(len(self.tree.names)), np.zeros(int(np.diff(slots).max(initial=1)))
        call: Any = self.tree.driver.kernel(kernels.vote)
        call(slots, *arrays, sums, policy, self.rng, worlds, runs)
        return policy


@algorithm(
    "House bot",
    "ours: rules of thumb of each game",
    DECISIONS,
    settings=HOUSE,
    draws=False,
    bot=lambda _task, _folder: "house",
)
def house(task: Task) -> Steps:
    """How often it makes each choice."""
    yield len(task.tree.keys), exact.bot_policy(task.tree, any_bot("house", task.game, task.seed), HOUSE["asked"])


def best_bot(task: Task, _folder: Path) -> str:
    """The net that comes with a game, as its level `best` plays it; the net alone where the level thinks with it."""
    best = levels_of(task.game)[LEVELS[-1]]
    return best if best.startswith("net") else "net"


BEST = "Best net", "ours: the net of the level `best`", "games"
ALGORITHMS["best"] = Algorithm("best", None, *BEST, draws=False, bot=best_bot)
NASH_PG_PAPER = (
    "as in Sokota et al. 2023 and Perolat et al. 2021: PPO held near to what it was a while ago, without entropy"
)
add_net("nash_pg", "Policy gradient with a magnet, net", NASH_PG_PAPER, NASH_PG, 3)


def fictitious_nets(task: Task, **settings: Any) -> Steps:
    """Neural fictitious self-play: the policy of the net that learns the average of answers."""
    return nfsp.NeuralFictitiousPlay(task.tree, task.scale, task.seed, nfsp.Settings(**settings)).steps()


NFSP: dict[str, Any] = asdict(nfsp.Settings())
NFSP_ABOUT = (
    "NFSP",
    "Heinrich and Silver 2016, Deep reinforcement learning from self-play in imperfect-information games",
)
ALGORITHMS["nfsp"] = Algorithm("nfsp", partial(fictitious_nets, **NFSP), *NFSP_ABOUT, DECISIONS, plain(NFSP), 2)


# --- ours -------------------------------------------------------------------------------------------------------------
OURS = tuple(ALGORITHMS)


def ours(name: str) -> Algorithm:
    """An algorithm that comes with the benchmark; raises BadOption."""
    if name not in OURS:
        text = _(
            "There is no algorithm {name}; there are {there}, your own as FILE.py, and any bot, such as net:FILE.net, "
            "run:COMMAND or search:100."
        )
        raise BadOption(say(text, name=name[:40], there=", ".join(OURS)))
    return ALGORITHMS[name]


# --- algorithms from files --------------------------------------------------------------------------------------------
PLAYS = "a bot, as it plays"  # in place of a paper
ASKED = 8  # times in each information set, of a bot that doesn't say its probabilities
SAYING = "python", "onnx", "net", "random", *BY_SOLVER  # kinds of bots that say them


def brought(name: str) -> Algorithm:
    """The algorithm in a Python file, named as the file is, or a bot by its name: `run:COMMAND`, `onnx:FILE.onnx`, ….

    A file that can't be run, or a bot that there is not, gives an algorithm that fails with its error. Raises
    HexdeckError where there is no file, or one of ours has its name.
    """
    if not name.endswith(".py") or name.startswith(OUTSIDE):
        return of_bot(name.replace("|", "/"), name)
    file = Path(name)
    try:
        content = file.read_bytes()
    except OSError as error:
        raise unreadable(file, error) from None
    if file.stem in OURS:
        raise HexdeckError(say("{file} is named like an algorithm of ours; name it otherwise.", file=str(file)))
    version = hashlib.sha256(content).hexdigest()[:12]
    try:
        module = loaded(file)
        if hasattr(module, "policy") and not (hasattr(module, "learn") or hasattr(module, "bot")):
            return of_bot(file.stem, f"{PYTHON}{file}")
        if not (hasattr(module, "learn") or hasattr(module, "bot")):
            raise BadOption(say("it has no function learn(task), bot(task, folder) or policy(observations, masks)"))
        return described(file.stem, module, version)
    except (Exception, SystemExit) as error:
        failure = error

    def learn(_task: Task) -> Steps:
        raise failure

    return Algorithm(file.stem, learn, file.stem, version=version)


def of_bot(name: str, bot: str) -> Algorithm:
    """An algorithm that learns nothing: a bot plays as it does. Its version is a hash of its files, if it has any."""

    def learn(task: Task) -> Steps:
        yield len(task.tree.keys), exact.bot_policy(task.tree, any_bot(bot, task.game, task.seed), ASKED)

    settings, version = {} if bot.partition(":")[0] in SAYING else {"asked": ASKED}, fingerprint(bot) or 1
    about = name, PLAYS, DECISIONS, settings, version
    return Algorithm(name, learn, *about, draws=bool(settings), bot=lambda *_: bot)


def described(name: str, module: ModuleType, version: str) -> Algorithm:
    """The algorithm of a module, with a version in case it has none; raises BadOption for settings of another kind."""
    own = getattr(module, "VERSION", version)

    def line(key: str, usual: str) -> str:  # as a cell of a table holds it
        return " ".join(str(getattr(module, key, usual)).replace("|", "/").split())

    about = line("TITLE", name), line("PAPER", ""), line("WORK", "steps"), plain(getattr(module, "SETTINGS", {}))
    args: dict[str, Any] = {"version": own if isinstance(own, int) else str(own), "bot": getattr(module, "bot", None)}
    return Algorithm(name, getattr(module, "learn", None), *about, draws=bool(getattr(module, "DRAWS", True)), **args)
