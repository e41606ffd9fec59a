"""Runs of the benchmark: each algorithm on each size from each seed, those that aren't there yet."""

import functools
import os
import platform
import sys
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import redirect_stdout
from dataclasses import asdict, dataclass, field, fields
from pathlib import Path
from typing import Any

import numpy as np

from hexdeck import __version__
from hexdeck.bots.nets.netfile import load
from hexdeck.engine.discovery.finding import FULL, commit, find_game
from hexdeck.engine.errors import BadOption, HexdeckError
from hexdeck.engine.text import _, say
from hexdeck.files import ResumableFile
from hexdeck.research.benchmark.algorithms import DECISIONS, PLAYS, Algorithm, Ground, Task
from hexdeck.research.exact.tree import Size, sizes
from hexdeck.research.training.exploit import ExploitPlan, Gain, Hunt, is_quick, mean_and_margin
from hexdeck.simulation.game import Game, game

Point = tuple[int, float, float]  # work done, processor seconds, NashConv
Key = tuple[str, str, int, int, int]  # algorithm, size, players, seed, budget


@dataclass(frozen=True)
class BenchmarkResult:
    """What came of a run: an algorithm on a size from a seed, with so many seconds, or a `budget` of decisions.

    `points`: work, processor seconds and NashConv while it learned; `scale`: the utility range; `work`: what is
    counted; `settings` of the algorithm; `versions`: of hexdeck, of the game's struct and of the algorithm; `took`:
    processor seconds in all, measuring included; `failed`: the error that ended it, "" for none; `paper` that the
    algorithm is from; `decisions` that were spent, 0 where they aren't counted; `commit` of the code, "" where nobody
    knows; `processor` that it ran on; `draws`: whether seeds change anything.

    On a whole game `bot` is measured; its one point is what exploiters gain at least, in utility, `margin` half its
    95 % interval; `against`: what the bot gets against others, by algorithm and seed, with margins.
    """

    algorithm: str
    title: str
    size: str
    players: int
    seed: int
    seconds: float
    histories: int
    scale: float
    uniform: float
    work: str
    settings: Mapping[str, Any]
    versions: Mapping[str, Any]
    points: list[Point] = field(default_factory=list)
    paper: str = ""
    took: float = 0.0
    failed: str = ""
    bot: str = ""
    margin: float = 0.0
    against: Mapping[str, tuple[float, float]] = field(default_factory=dict)
    budget: int = 0
    decisions: int = 0
    commit: str = ""
    processor: str = ""
    draws: bool = True

    @property
    def key(self) -> Key:
        """What tells it from others."""
        return self.algorithm, self.size, self.players, self.seed, self.budget

    @property
    def end(self) -> float | None:
        """NashConv at the end, as a part of the utility range; None where nothing was measured."""
        return self.points[-1][2] / self.scale if self.points else None


class BenchmarkResults:
    """The results in a file, the newest of each run; raises HexdeckError for a file of something else."""

    def __init__(self, file: Path) -> None:
        self.file, self._lines = file, ResumableFile(file, "benchmark", {})
        self.found: dict[Key, BenchmarkResult] = {}
        self.rows: list[BenchmarkResult] = []  # those that newer ones replaced, too
        for number, entry in enumerate(self._lines.rows):
            try:
                result = read(entry)
            except (ValueError, TypeError, KeyError, AttributeError):
                raise self._lines.damaged(number) from None
            self.found[result.key] = result
            self.rows.append(result)

    @property
    def cut(self) -> bool:
        """Whether the last line was cut off while it was written: that run is to be made again."""
        return self._lines.cut

    def add(self, result: BenchmarkResult) -> None:
        """Add a result to the file: its line is there whole, or the next reader leaves it out."""
        self._lines.add(asdict(result))
        self.found[result.key] = result


def read(entry: Any) -> BenchmarkResult:
    """The result of a line; raises ValueError, TypeError, KeyError or AttributeError where it isn't one.

    What a newer version adds to its lines is passed over.
    """
    names = {field.name for field in fields(BenchmarkResult)}
    data = {key: value for key, value in entry.items() if key in names}
    data["points"] = [(int(work), float(seconds), float(gain)) for work, seconds, gain in data["points"]]
    return BenchmarkResult(**data)


def differences(result: BenchmarkResult, versions: Mapping[str, Any]) -> list[str]:
    """The parts whose version differs from those of now."""
    return [part for part, now in versions.items() if result.versions.get(part) != now]


# --- whole games ------------------------------------------------------------------------------------------------------
GAMES = 2000  # that an exploiter learns from, for each second that the algorithm learned
CHOICES = 200, 1000  # of a bot that thinks, which a net learns to imitate: for each second, and at least
DEALS = {True: 20, False: 1}  # of a contest, for each second: of quick bots, and where one thinks; so of a gain, too
FEWEST, MOST = 20, 6000  # of these deals
SEED = 1  # of the contests


def hunted(game: Game, bot: str, seconds: float) -> Gain:
    """What an exploiter gains; raises KeyboardInterrupt where that was interrupted."""
    choices = max(CHOICES[1], round(CHOICES[0] * seconds))
    games, deals = max(1, round(GAMES * seconds)), deals_of(game, [bot], seconds)
    plan = ExploitPlan(bot, games=games, seeds=1, groups=deals, choices=choices)
    gain = Hunt(game, plan).run()
    if gain.interrupted:
        raise KeyboardInterrupt
    return gain


def deals_of(game: Game, bots: Sequence[str], seconds: float) -> int:
    """On how many deals bots are measured."""
    quick = all(is_quick(name, game) for name in bots)
    return int(min(MOST, max(FEWEST, round(DEALS[quick] * seconds))))


def contest(game: Game, bot: str, opponent: str, seconds: float) -> tuple[float, float]:
    """What a bot gets on average against another on all other seats, from every seat on the same deals; its margin."""
    deals, gains = deals_of(game, [bot, opponent], seconds), []
    for seat in range(game.players):
        seats = [bot if player == seat else opponent for player in range(game.players)]
        gains.append(game.simulate(deals, seats, SEED).returns[:, seat])
    mean, margin = mean_and_margin(np.mean(gains, axis=0))
    return round(mean, 4), round(margin, 4)


def rivals(results: Iterable[BenchmarkResult], key: Key, folder: Path) -> dict[str, str]:
    """The bots of all other results on a whole game, by name and seed, but for nets that the folder hasn't whole."""
    bots = {}
    for result in results:
        if (result.size, result.players) == key[1:3] and result.key != key and result.bot:
            kind, _colon, file = result.bot.partition(":")
            if file.endswith(".net"):  # results leave out the folder of nets
                try:
                    load(folder / file)
                except HexdeckError:
                    continue
                bots[f"{result.algorithm}/{result.seed}"] = f"{kind}:{folder / file}"
            else:
                bots[f"{result.algorithm}/{result.seed}"] = result.bot
    return bots


# --- runs -------------------------------------------------------------------------------------------------------------
SECONDS = {"tiny": 10.0, "small": 60.0, "mid": 120.0, "full": 600.0}  # that each run learns, by size
APART = 2.0  # NashConv is measured whenever so many times as much time has gone into learning
MORE = {"tiny": 1.3, "small": 1.3, "mid": 2.0, "full": 4.0}  # of a run's time in all, for measuring
SPENT = {"tiny": 2e-6, "small": 4e-6, "mid": 7e-6}  # seconds a decision, measuring included: the mean of our runs


def kind_of(name: str) -> str:
    """How large a size is, by its name: `tiny`, `small`, `mid`, `full`."""
    return name.rpartition("/")[2]


@dataclass(frozen=True)
class BenchmarkRun:
    """An algorithm on a size from a seed, with so many seconds of processor time, or so many decisions (`budget`)."""

    algorithm: Algorithm
    size: Size
    seed: int
    seconds: float
    budget: int = 0

    @property
    def key(self) -> Key:
        """As that of its result."""
        return self.algorithm.name, self.size.name, self.size.game.players, self.seed, self.budget

    def task(self, ground: Ground) -> Task:
        """What its algorithm is given."""
        if self.budget:
            return Task(ground, self.seed, decisions=self.budget)
        return Task(ground, self.seed, self.seconds)

    @property
    def kind(self) -> str:
        """How large its size is: `tiny`, `small`, `mid`, `full`."""
        return kind_of(self.size.name)

    @property
    def versions(self) -> dict[str, Any]:
        """The versions of all that decides its result."""
        struct = self.size.game.definition.struct_version
        return {"hexdeck": __version__, "struct": struct, "algorithm": self.algorithm.version}


def named_sizes(names: Sequence[str], games: Iterable[str], players: Sequence[int]) -> list[Size]:
    """The sizes of these names, such as `tiny` (of all these games) or `hawthorn/tiny`; raises BadOption.

    `players`: with so many players only; none: with all that there are.
    """
    every = [size for game in games for size in (*sizes(game), *as_printed(game, players))]
    chosen: list[Size] = []
    for name in names:
        base, slash, suffix = name.rpartition("/")
        full = f"{find_game(base)}/{suffix}" if slash else ""
        fitting = [size for size in every if size.name == full or (not slash and size.name.endswith(f"/{name}"))]
        if not fitting:
            game = find_game(base) if slash else name
            own = [size.name for size in every if size.name.startswith(f"{game}/")]
            listed_names = ", ".join(dict.fromkeys(own or SECONDS))
            raise BadOption(say("There is no size {name}; there are {there}.", name=name[:40], there=listed_names))
        chosen += [size for size in fitting if size not in chosen and (not players or size.game.players in players)]
    return chosen


def as_printed(name: str, players: Sequence[int]) -> Iterator[Size]:
    """The whole game with so many players, with as few as it can have where none are given."""
    usual = game(name)
    low, high = usual.rules.PLAYERS
    for count in players or [low]:
        if low <= count <= high:
            yield Size(f"{name}/{FULL}", usual.variant(count), 0, 0.0)


def planned(
    chosen: Sequence[Size],
    algorithms: Sequence[Algorithm],
    seeds: int,
    seconds: float | None = None,
    budget: int = 0,
) -> list[BenchmarkRun]:
    """All runs, size by size and seed by seed; an algorithm that draws nothing runs once."""
    every = [
        BenchmarkRun(algorithm, size, seed, SECONDS[kind_of(size.name)] if seconds is None else seconds, budget)
        for size in chosen
        for seed in range(1, seeds + 1)
        for algorithm in algorithms
        if seed == 1 or algorithm.draws
    ]
    return [run for run in every if (run.algorithm.bot if run.kind == FULL else run.algorithm.learn) is not None]


def runs_to_make(
    runs: Sequence[BenchmarkRun], results: BenchmarkResults, *, again: bool
) -> tuple[list[BenchmarkRun], list[BenchmarkResult]]:
    """The runs to be made, and results that were made with other versions: those stay, unless all is to be `again`.

    Another version of hexdeck alone counts for nothing: the game's and the algorithm's say what has changed.

    A result is made anew, too, where it had another time to learn in, where it failed and all is to be `again`, and
    where it failed or learned nothing and its algorithm was changed since.
    """
    todo, old = [], []
    for run in runs:
        result = results.found.get(run.key)
        changed = [] if result is None else [part for part in differences(result, run.versions) if part != "hexdeck"]
        mended = result is not None and (result.failed or result.paper == PLAYS) and "algorithm" in changed
        retimed = result is not None and not run.budget and result.seconds != run.seconds
        if result is not None and changed and not again and not mended:
            old.append(result)
        elif result is None or changed or retimed or (again and result.failed):
            todo.append(run)
    return todo, old


def seconds_of(runs: Iterable[BenchmarkRun]) -> float:
    """About how many seconds of processor time runs take, measuring included."""
    return sum(run.budget * SPENT.get(run.kind, 0.0) or run.seconds * MORE[run.kind] for run in runs)


def run_all(runs: Iterable[BenchmarkRun], results: BenchmarkResults) -> Iterator[BenchmarkResult]:
    """Make runs, one by one; the result of each is kept as soon as it is there, but for a bot that can't play."""
    ground: Ground | None = None
    for run in runs:
        size = run.size
        if run.kind == FULL:
            result = outcome(run, Ground(size.name, size.game, 0), results)
        else:
            if ground is None or (ground.name, ground.game) != (size.name, size.game):
                ground = Ground(size.name, size.game, size.histories)
            result = outcome(run, ground, results)
        if not (result.failed and result.paper == PLAYS):
            results.add(result)
        yield result


def outcome(run: BenchmarkRun, ground: Ground, results: BenchmarkResults) -> BenchmarkResult:
    """The result of a run, whatever the algorithm does; what it prints is no result."""
    began, points, fields = time.process_time(), list[Point](), dict[str, Any]()
    try:
        with redirect_stdout(sys.stderr):
            if run.kind == FULL:
                fields = played(run, ground, results, points)
            else:
                fields["decisions"] = learn(run, ground, points)
    except KeyboardInterrupt:
        raise
    except BaseException as error:
        fields["failed"] = brief(error)
    algorithm, size = run.algorithm, run.size
    fields |= {"scale": 1.0 if run.kind == FULL else round(ground.scale, 6), "uniform": size.uniform, "points": points}
    fields |= {"work": algorithm.work, "settings": algorithm.settings, "paper": algorithm.paper}
    fields |= {"versions": run.versions, "budget": run.budget, "commit": commit(), "processor": processor()}
    fields |= {"draws": algorithm.draws}
    fields |= {"took": round(time.process_time() - began, 2), "histories": size.histories}
    about = algorithm.name, algorithm.title, size.name, size.game.players, run.seed, run.seconds
    return BenchmarkResult(*about, **fields)


def played(run: BenchmarkRun, ground: Ground, results: BenchmarkResults, points: list[Point]) -> dict[str, Any]:
    """Measure a bot on a whole game: what exploiters gain from it, and what it gets against all bots with results.

    The gain is over all seats, as NashConv is: at least so much.
    """
    folder, game = results.file.with_suffix(".nets"), ground.game
    opponents = rivals(results.found.values(), run.key, folder)
    if run.algorithm.bot is None:
        raise BadOption(say("it has no function bot(task, folder)"))
    bot = run.algorithm.bot(run.task(ground), folder)
    gain = hunted(game, bot, run.seconds)
    against = {name: contest(game, bot, opponent, run.seconds) for name, opponent in opponents.items()}
    points.append((gain.games, round(gain.seconds, 2), round(game.players * gain.mean, 6)))
    margin = round(game.players * gain.margin, 6)
    return {"bot": bot.replace(f"{folder}{os.sep}", ""), "margin": margin, "against": against}


def brief(error: BaseException) -> str:
    """An error on one line; of one of ours its sentence is enough."""
    if isinstance(error, HexdeckError):
        return str(error)[:200]
    return f"{type(error).__name__}: {error}".split("\n", 1)[0].rstrip(": ")[:200]


def learn(run: BenchmarkRun, ground: Ground, points: list[Point]) -> int:
    """Let an algorithm learn until its budget is spent or it ends by itself; add what is measured to the points.

    NashConv is measured whenever `APART` times as much has been spent. Returns the decisions, 0 where nobody knows.
    """
    _shared = ground.tree.known  # none of the algorithms is charged for these
    spent, seconds, last, final = 0.0, 0.0, 0.0, None
    if run.algorithm.learn is None:
        raise BadOption(say("it has no function learn(task)"))
    task, limit = run.task(ground), run.budget or run.seconds
    steps, work = run.algorithm.learn(task), 0
    while spent < limit:
        began = time.process_time()
        step = next(steps, None)
        seconds += time.process_time() - began
        if step is None:
            break
        final, work = step, int(step[0])
        spent = run.algorithm.decisions(task, work) if run.budget else seconds
        if not points or spent >= APART * last or spent >= limit:
            last, final = spent, None
            points.append((work, round(seconds, 5), round(ground.nash_conv(step[1]), 7)))
    if final is not None:
        points.append((work, round(seconds, 5), round(ground.nash_conv(final[1]), 7)))
    if not points:
        raise BadOption(say("learn() gave no policy"))
    return round(run.algorithm.decisions(task, work)) if run.algorithm.counts_decisions else 0


# --- where and with what --------------------------------------------------------------------------------------------
@functools.cache
def processor() -> str:
    """The processor's name, as the system tells it."""
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        lines = []
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.processor() or platform.machine()


# --- again ----------------------------------------------------------------------------------------------------------
CLOSE = 1e-6  # of NashConv, in which the same work may differ between processors


@dataclass(frozen=True)
class Repetition:
    """A row that was run again at equal work: NashConv then and now, and what differs in versions."""

    result: BenchmarkResult
    then: float
    now: float
    differences: list[str]

    @property
    def agrees(self) -> bool:
        """Whether both are the same figure."""
        return abs(self.then - self.now) <= CLOSE * max(1.0, self.result.scale)


def repeat(result: BenchmarkResult, algorithm: Algorithm) -> Repetition:
    """Run a row again until as much work is done; raises BadOption where that can't give the same."""
    if not result.points or result.failed or result.bot:
        raise BadOption(say("Only a row with an exact NashConv can be run again, and this one has none."))
    if algorithm.work == DECISIONS and algorithm.draws and not result.budget:
        text = _("{title} had {seconds} seconds, and learns by the clock: only a row of --decisions can be run again.")
        raise BadOption(say(text, title=result.title, seconds=f"{result.seconds:g}"))
    candidates = sizes(result.size.partition("/")[0])
    (size,) = [size for size in candidates if (size.name, size.game.players) == (result.size, result.players)]
    run = BenchmarkRun(algorithm, size, result.seed, result.seconds, result.budget)
    ground, (work, _seconds, recorded) = Ground(size.name, size.game, size.histories), result.points[-1]
    if algorithm.learn is None:
        raise BadOption(say("it has no function learn(task)"))
    task = run.task(ground) if result.budget else Task(ground, result.seed)
    reached = next((step for step in algorithm.learn(task) if step[0] >= work), None)
    if reached is None:
        raise BadOption(say("{title} ended before it had done as much work as the row has.", title=result.title))
    now = round(ground.nash_conv(reached[1]), 7)
    return Repetition(result, recorded, now, differences(result, run.versions))
