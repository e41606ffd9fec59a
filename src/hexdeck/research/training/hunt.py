"""Exploitability: several exploiters learn to beat one bot; what the best of them gains is a lower bound.

The gain is the learner's utility less what the bot itself gets on the same deals. Which exploiter is best is decided on
deals of trials, what it gains on deals that decided nothing. A bot that thinks is too slow for a million games: a net
learns to imitate it, the exploiters learn against that net, and their gain is measured against the bot itself.
"""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, cast

import numpy as np

from hexdeck.bots.bot import Bot
from hexdeck.bots.files import write_atomically
from hexdeck.bots.nets.inference import ACTIONS, length
from hexdeck.bots.nets.netfile import Net, fingerprint, has_net, shipped_net
from hexdeck.bots.players.named import bot, nets_of, resolved
from hexdeck.bots.players.netbot import NetBot
from hexdeck.engine.backends.sources import program_hash
from hexdeck.engine.errors import HexdeckError
from hexdeck.engine.play.game import GameSetup
from hexdeck.engine.text import _, count, say
from hexdeck.research.training import imitation
from hexdeck.research.training.arena import FRESH
from hexdeck.research.training.exploit import (
    FEW,
    RISING,
    STRATEGIES,
    TRENDS,
    Budget,
    Exploiter,
    ExploitTrial,
    mean_and_margin,
    trial_of,
)
from hexdeck.research.training.imitation import Imitation, Watching, imitated
from hexdeck.research.training.learn import DecisionBatch
from hexdeck.research.training.runs import (
    BROKEN,
    check_arrays,
    check_facts,
    is_count,
    is_number,
    lists,
    read_state,
    row_of,
    state_bytes,
)

OFTEN = 20.0  # seconds of learning after which it is saved
ENDS = ("games", "minutes", "steps", "groups", "seeds", "choices")  # of a plan: what may differ when a run goes on


@dataclass(frozen=True)
class ExploitPlan:
    """Which bot to beat, how long each exploiter learns, and on how many deals (`groups`) the figure rests.

    One of `steps`, `minutes` and `games` ends the learning: the first that isn't 0. `seeds`: how many exploiters learn,
    with `seed` and those after it. `choices`: of a bot that thinks, to be imitated; at least so many, as more may have
    been watched already.
    """

    bot: str
    games: int = 1_000_000
    minutes: float = 0.0
    steps: int = 0
    seed: int = 1
    seeds: int = 3
    groups: int = 2000
    choices: int = 200_000


@dataclass(frozen=True)
class Gain:
    """What the best exploiter gains in utility a match: `mean`, and half its 95 % interval over deals (`groups`).

    `seed` and `temperature` are its own; `curves`: the trials of each exploiter; `trends`: of each one's gains at the
    end, see `exploit.trend`; `rising`: whether any of them still rose. `games` and `seconds` of all of them.
    `agreement` and `likeliest`: of the net that imitated the bot, see `Imitation`, None without one. `interrupted`:
    whether they learned less than was asked for.
    """

    bot: str
    mean: float
    margin: float
    groups: int
    seed: int
    temperature: float
    games: int
    seconds: float
    curves: list[list[ExploitTrial]]
    rising: bool
    agreement: float | None = None
    likeliest: float | None = None
    interrupted: bool = False
    trends: list[str] = field(default_factory=list)

    @property
    def trend(self) -> str:
        """The most alarming of the trends."""
        return min(self.trends, key=TRENDS.index, default=FEW)


def is_quick(rival: Bot, actual: str) -> bool:
    """Whether a bot of that name answers without thinking: by rules of thumb or by a net."""
    return actual in STRATEGIES or isinstance(rival, NetBot)


@dataclass(frozen=True)
class Progress:
    """What is told while it runs: choices that were watched, the net that imitates, or a trial of one exploiter."""

    choices: int = 0
    imitation: Imitation | None = None
    seed: int = 0
    trial: ExploitTrial | None = None


class Hunt:
    """A run of several exploiters against one bot; saved in a file if one is named, from which it goes on.

    Raises what `players.named.bot` raises for the name, HexdeckError for a file that holds something else.
    """

    def __init__(
        self, game: GameSetup, plan: ExploitPlan, backend: str | None = None, file: Path | None = None
    ) -> None:
        self.game, self.plan, self.file, self.backend = game, plan, file, backend
        self.budget = Budget(plan.games, plan.minutes, plan.steps)
        rival, actual = bot(plan.bot, game, plan.seed, backend), resolved(plan.bot, game)
        self.quick = is_quick(rival, actual)
        self.rival: int | Net = STRATEGIES.get(actual, 0)  # of a bot that thinks, the net that imitates it
        self.temperature = 1.0
        self.imitation: Imitation | None = None
        self.start = shipped_net(game) if has_net(game) else None
        if isinstance(rival, NetBot):
            self.rival, self.start, self.temperature = rival.net, rival.net, rival.temperature
        self.watching = None if self.quick else Watching(game, plan.bot, plan.seed, backend)
        self.exploiters: list[Exploiter] = []
        self._spare: list[tuple[dict[str, Any], dict[str, np.ndarray]]] = []  # of the file, beyond the plan
        self._saved, self._asked = 0.0, plan.choices  # choices that the net which imitates was to learn from
        begins_as = [self.start] if self.start else []
        self._nets = fingerprint([*nets_of(plan.bot, game), *begins_as])
        if file is not None and file.exists():
            self._restore(file)

    # --- learning -----------------------------------------------------------------------------------------------------
    def run(self, progress: Callable[[Progress], None] | None = None) -> Gain:
        """Let all of them learn, then measure the best; `progress` is told how it goes.

        Interrupted (KeyboardInterrupt), it saves and measures what was learned; where that is nothing yet, and where it
        is interrupted once more, it raises that again.
        """
        report, interrupted = progress or (lambda _progress: None), False
        try:
            if self.watching and self.imitation is None:
                self._imitate(self.watching, report)
            for number in range(self.plan.seeds):
                self._learn(number, report)
        except KeyboardInterrupt:
            for exploiter in self.exploiters:
                exploiter.rewind()
            self.save()
            if not self.exploiters:  # nothing has been learned yet
                raise
            interrupted = True
        return self._measured(interrupted)

    def _imitate(self, watching: Watching, report: Callable[[Progress], None]) -> None:
        """Watch the bot, then learn to choose as it does."""
        while len(watching.batch) + len(watching.made) < self.plan.choices or not watching.apart.any():
            watching.match()
            if watching.matches % imitation.APART == 0:
                watching.take_in(apart=True)
            elif watching.matches % imitation.APART == imitation.APART - 1:
                watching.take_in(apart=False)
            if watching.matches % imitation.OFTEN == 0:
                self.save()
                report(Progress(choices=len(watching.batch)))
        self._met(imitated(watching, self.plan.seed))
        self.save()
        report(Progress(imitation=self.imitation))

    def _met(self, imitation: Imitation) -> None:
        """From now on the bot is met as the net that imitates it."""
        self.imitation, self.rival, self.start = imitation, imitation.net, imitation.net

    def _learn(self, number: int, report: Callable[[Progress], None]) -> None:
        """Let one exploiter learn, from where it stands."""
        if number == len(self.exploiters):
            self.exploiters.append(self._begun(number))
        exploiter = self.exploiters[number]
        self._saved = exploiter.seconds

        def tried(one: Exploiter) -> None:
            report(Progress(seed=one.seed, trial=one.trials[-1]))
            self.save()

        def learned() -> None:
            if exploiter.seconds > self._saved + OFTEN:
                self._saved = exploiter.seconds
                self.save()

        exploiter.learn(tried, learned)

    def _begun(self, number: int) -> Exploiter:
        """An exploiter at its beginning."""
        return Exploiter(
            self.game, self.budget, self.plan.seed + number, self.rival, self.temperature, self.start, self.backend
        )

    def _measured(self, interrupted: bool) -> Gain:
        """The gain of the best exploiter, on deals that decided nothing."""
        trends = [learner.trend for learner in self.exploiters]
        for exploiter in self.exploiters:
            if not np.isfinite(exploiter.best[2]):
                exploiter.try_average()
        best = max(self.exploiters, key=lambda learner: learner.best[2])
        net, temperature, _ = best.best
        groups, plan = self.plan.groups, self.plan
        if self.quick:
            gains = best.sparring.trial(net, temperature, groups, 2 * FRESH)
        else:
            played = Net(self.game.name, best.sizes, net.astype(np.float64), {}, {})
            gains = trial_of(self.game, played, plan.bot, best.seed, temperature, groups, 2 * FRESH, self.backend)
        mean, margin = mean_and_margin(gains, best.spread)
        imitation = self.imitation
        return Gain(
            plan.bot,
            mean,
            margin,
            groups,
            best.seed,
            temperature,
            sum(learner.games for learner in self.exploiters),
            sum(learner.seconds for learner in self.exploiters),
            [learner.trials for learner in self.exploiters],
            RISING in trends,
            imitation.agreement if imitation else None,
            imitation.likeliest if imitation else None,
            interrupted,
            trends,
        )

    # --- on disk ------------------------------------------------------------------------------------------------------
    def _about(self) -> dict[str, Any]:
        """What a run that goes on must have in common with the one that was saved."""
        plan = {key: value for key, value in dataclasses.asdict(self.plan).items() if key not in ENDS}
        plan["bot"] = resolved(self.plan.bot, self.game)
        about = {
            "game": self.game.name,
            "players": self.game.players,
            "code": program_hash(self.game.rules.__name__, "hexdeck.research.training"),
            "options": dict(self.game.options),
            **plan,
            "nets": self._nets,
        }
        plain: dict[str, Any] = json.loads(json.dumps(about))
        return plain

    def save(self) -> None:
        """Save all that decides how it goes on, whole or not at all."""
        if self.file is None:
            return
        learners = [(exploiter.facts(), exploiter.arrays()) for exploiter in self.exploiters] + self._spare
        arrays = {f"{name}_{k}": array for k, (_, parts) in enumerate(learners) for name, array in parts.items()}
        facts: dict[str, Any] = {"about": self._about(), "exploiters": [exploiter for exploiter, _ in learners]}
        if self.watching:
            batch, facts["matches"] = self.watching.batch, self.watching.taken
            arrays |= {name: getattr(batch, name) for name in WATCHED} | {"apart": self.watching.apart}
        if self.imitation:
            arrays["imitation"] = self.imitation.net.weights
            facts["imitation"] = [self.imitation.agreement, self.imitation.likeliest, self.imitation.choices]
            facts["asked"] = self._asked
        write_atomically(self.file, state_bytes(facts, arrays))

    def _restore(self, path: Path) -> None:
        """Take over the state in a file; raises HexdeckError where that is of another run."""
        facts, stored = read_hunt(path, self._about())
        if self.watching:
            self._restore_watching(path, facts, stored)
        for k in range(min(len(facts["exploiters"]), self.plan.seeds)):
            self.exploiters.append(self._begun(k))
        try:
            for k, state in enumerate(facts["exploiters"]):
                arrays = arrays_of(stored, k)
                self.exploiters[min(k, self.plan.seeds - 1)].check(state, arrays)
                if k < self.plan.seeds:
                    self.exploiters[k].restore(state, arrays)
                else:
                    self._spare.append((state, arrays))
        except BROKEN:
            raise no_hunt(path) from None

    def _restore_watching(self, path: Path, facts: dict[str, Any], stored: dict[str, np.ndarray]) -> None:
        """Take over what was watched, and the net that learned from it."""
        watching = cast(Watching, self.watching)
        try:
            check_watched(facts, stored, watching)
        except BROKEN:
            raise no_hunt(path) from None
        watching.matches = watching.taken = facts["matches"]
        watching.apart = stored["apart"]
        watching.batch = DecisionBatch(*(stored[name] for name in WATCHED))
        if "imitation" in facts:
            self._asked = max(facts["asked"], facts["imitation"][-1])
            check_enough(path, self._asked, self.plan.choices)
            self._met(Imitation(Net(self.game.name, watching.sizes, stored["imitation"], {}, {}), *facts["imitation"]))


# --- the file of a hunt -----------------------------------------------------------------------------------------------
WATCHED = "inputs", "legal", "chosen", "labels"  # of a batch
PARTS = "flat", "scale", "mean", "square", "average", "best"  # of an exploiter


def read_hunt(path: Path, about: Mapping[str, Any]) -> tuple[dict[str, Any], dict[str, np.ndarray]]:
    """The facts and arrays in a file; raises HexdeckError where it is none, or that of another run than `about`."""
    try:
        facts, arrays = read_state(path)
        check_facts(facts, {"about": lambda x: isinstance(x, dict), "exploiters": lists(lambda x: isinstance(x, dict))})
    except BROKEN:
        raise no_hunt(path) from None
    check_same(path, facts["about"], about)
    return facts, arrays


def no_hunt(path: Path) -> HexdeckError:
    """The error for a file that holds something else, or is damaged."""
    return HexdeckError(say("{file} is not a result of hexdeck exploit; choose another file.", file=str(path)))


def check_same(path: Path, header: Mapping[str, Any], expected: Mapping[str, Any]) -> None:
    """Raise HexdeckError unless a file is of the run that is wanted."""
    changed = next((key for key in expected if header.get(key) != expected[key]), None)
    if changed == "code":
        text = _("{file} was begun by another version of hexdeck, whose bots may differ; use another file.")
        raise HexdeckError(say(text, file=str(path)))
    if changed is not None:
        text = _("{file} holds another run (different {what}); choose another file for this one.")
        raise HexdeckError(say(text, file=str(path), what=changed))


def check_enough(path: Path, watched: int, choices: int) -> None:
    """Raise HexdeckError where a net learned already, from fewer choices than are wanted."""
    if watched < choices:
        text = _("{file} holds a net that learned from {watched} choices; choose another file to watch {wanted}.")
        raise HexdeckError(say(text, file=str(path), watched=count(watched), wanted=count(choices)))


def check_watched(facts: Mapping[str, Any], arrays: Mapping[str, np.ndarray], watching: Watching) -> None:
    """Raise one of `BROKEN` unless what was watched can be learned from; so with the net that learned from it."""
    check_facts(facts, {"matches": is_count})
    rows = len(arrays["chosen"])
    blank = DecisionBatch.empty(watching.sizes, rows)
    like = {name: getattr(blank, name) for name in WATCHED} | {"apart": np.zeros(rows, np.bool_)}
    check_arrays(arrays, like)
    chosen = arrays["chosen"].astype(np.int64)
    if rows and not (chosen.min() >= 0 and chosen.max() < watching.sizes[ACTIONS]):
        raise ValueError("chosen")
    if not arrays["legal"][np.arange(rows), chosen].all():
        raise ValueError("legal")
    if "imitation" in facts:
        check_facts(facts, {"imitation": row_of(is_number, is_number, is_count), "asked": is_count})
        check_arrays(arrays, {"imitation": np.zeros(int(length(watching.sizes)))})


def arrays_of(stored: Mapping[str, np.ndarray], k: int) -> dict[str, np.ndarray]:
    """The arrays of exploiter k in a file."""
    return {name: stored[f"{name}_{k}"] for name in PARTS}
