"""Tuning: which of many rule sets come nearest to what a designer wants, found by a race on the same cards.

All rule sets play the same few games; those that are clearly worse than another in what is wanted drop out, the rest
play on (Birattari et al., “A racing algorithm for configuring metaheuristics”, 2002). A game takes microseconds here,
so a thousand rule sets are quicker all tried than modelled: an optimiser of one noisy number, such as TPE, would use
neither that the games are pairs nor that there are several aims. What is left is played anew on fresh cards, so that
nothing is told of the cards it was chosen by.
"""

from __future__ import annotations

import difflib
import itertools
import re
import time
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, field, replace
from functools import partial
from typing import Any

import numpy as np

from hexdeck.bots.players.levels import one_loser
from hexdeck.engine.errors import BadOption
from hexdeck.engine.play.game import GameSetup
from hexdeck.engine.text import _, say
from hexdeck.lab import counts as metrics
from hexdeck.lab.counts import CARDS, RECKONED, chunks, map_in_order, metric_names, minutes_each
from hexdeck.lab.effects import MEASURE, EffectStudy, look_for, played, study_fields, trials, worth_of_start
from hexdeck.lab.log import SimulationSetup, matches
from hexdeck.lab.reporting import wording
from hexdeck.lab.reporting.measures import PERCENT, WHOLE, Section
from hexdeck.lab.reporting.report import part_of
from hexdeck.lab.reporting.tables import MEASURES
from hexdeck.lab.tension import analyse_matches

MOST = 1000  # rule sets that are tried at first
FRONT = 7  # rule sets that are shown, at most
PIECE = 1000  # games after which somebody who waits is told
FIRST, TIMES = 200, 2  # games of the first stage; how many times as many each stage plays
LOOKED = 20  # games of these for one that is looked into for tension
RESAMPLED = 400  # times that games are drawn anew to see by how much figures could differ
BLOCKS = 2000  # of games, that are drawn together where there are more games than that
SURE = 0.995  # the share of these in which another must be better for a rule set to drop out
SURELY_MISSED = 0.975  # the share of these in which an aim must be missed for that to be sure
CAUTION = 2  # times as far as drawn: rivals share the luck of their cards, by which all may seem to miss an aim
RIVALS = 12  # rule sets that the others are compared with
ROUNDS = 6  # of changing one option of the best, where not all rule sets could be tried
COUNTED = {"turns": "turns", "rounds": "laps", "decisions": "decisions", "deals": "deals", "moves": "legal"}
SHARED = "seats", "start", "ties"  # in percentage points: how far from a fair share; how often first place is shared
NUMBER = r"(-?\d+(?:\.\d+)?)"
ANALYSED = tuple(measure.name for measure in MEASURES if measure.of_match is not None)
FORMS: dict[
    str, Callable[..., tuple[float, float, int]]
] = {  # what follows the measure of an aim: the least and the most that is wanted, and whether more is better
    rf"within {NUMBER}(?: points?| %)?": lambda most: (-np.inf, most, 0),
    rf"at most {NUMBER}": lambda most: (-np.inf, most, 0),
    rf"at least {NUMBER}": lambda least: (least, np.inf, 0),
    rf"{NUMBER} to {NUMBER}": lambda least, most: (least, most, 0),
    "more": lambda: (-np.inf, np.inf, 1),
    "fewer|less": lambda: (-np.inf, np.inf, -1),
}


# --- aims -------------------------------------------------------------------------------------------------------------
@dataclass(frozen=True)
class Aim:
    """What is wanted of a measure: a value from `low` to `high`, or as much (`sense` 1) or as little (-1) as can be."""

    text: str
    measure: str
    low: float
    high: float
    sense: int

    @classmethod
    def read(cls, typed: str) -> Aim:
        """An aim as it is typed, such as “minutes 15 to 20”. Raises BadOption."""
        text = " ".join(typed.lower().split())
        measures = [*SHARED, "minutes", *COUNTED, *ANALYSED]
        for name in sorted(measures, key=len, reverse=True):  # “dead time” before “dead”
            if text.startswith((f"{name} ", f"{name.replace('_', ' ')} ")):
                for form, bounds_of in FORMS.items():
                    if match := re.fullmatch(form, text[len(name) + 1 :]):
                        aim = cls(text, name, *bounds_of(*map(float, match.groups())))
                        aim.check()
                        return aim
                text = _(
                    "{aim} says no aim: after {name} comes “within 2”, “15 to 20”, “at least 3”, “more” or “less”."
                )
                raise BadOption(say(text, aim=repr(typed), name=name))
        word = re.split(" (?=within|at |more|less|fewer|-?[0-9])", text)[0]
        near = difflib.get_close_matches(word.replace(" ", "_"), measures, 1)
        if near:
            text = _("{name} can't be measured (did you mean {near}?); write an aim such as “seats within 2”.")
            raise BadOption(say(text, name=repr(word), near=near[0]))
        text = _("{name} can't be measured; write an aim such as “seats within 2”. Measures are {some}.")
        raise BadOption(say(text, name=repr(word), some=", ".join(measures)))

    def check(self) -> None:
        """Raise BadOption where no game can meet it."""
        low, high = map(wording.short, (self.low, self.high))
        if self.low > self.high:
            raise BadOption(say("{low} to {high} runs backwards: write {high} to {low}.", low=low, high=high))
        share = self.measure in SHARED or (self.analysed and MEASURE[self.measure].unit in (PERCENT, WHOLE))
        if (share or not self.analysed) and self.high < 0:
            raise BadOption(say("{aim} can't be met: {name} is never below 0.", aim=repr(self.text), name=self.measure))
        if share and self.low > 100:
            text = _("{aim} can't be met: {name} is never above 100.")
            raise BadOption(say(text, aim=repr(self.text), name=self.measure))

    @property
    def analysed(self) -> bool:
        """Whether games must be looked into for it."""
        return self.measure in ANALYSED

    def missed(self, values: np.ndarray) -> np.ndarray:
        """By how much values miss it, infinite where unknown; of what has no end, the value, less being better."""
        outside = np.maximum(0.0, np.maximum(self.low - values, values - self.high))
        return np.where(np.isnan(values), np.inf, -self.sense * values if self.sense else outside)


def columns(aim: Aim, game: GameSetup, rows: np.ndarray) -> np.ndarray:
    """What an aim needs of each game that was counted: float64 (games, n)."""
    names, last = metric_names(game), one_loser(game)
    if aim.measure == "minutes":
        indices = [names.index((name, 0)) for name in RECKONED]
        return np.asarray(minutes_each(game.players, rows[:, indices], CARDS)[:, None])
    metric = {
        "seats": (metrics.FIRST, metrics.LAST)[last],
        "start": (metrics.STARTER_FIRST, metrics.STARTER_LAST)[last],
        "ties": metrics.TIED,
    }.get(aim.measure, COUNTED.get(aim.measure, ""))
    return np.asarray(rows[:, [k for k, name in enumerate(names) if name[0] == metric]])


def counted(setup: SimulationSetup, first: int, games: int, rule_set: RuleSet) -> Callable[[Aim], np.ndarray]:
    """What an aim needs of games that are played and counted now, as those of a rule set."""
    statistics, parts = rule_set.statistics or metrics.GameStatistics.of(setup.game), list[np.ndarray]()
    for chunk, part in chunks(setup, games, first=first, here=True):
        statistics.add(part, chunk)
        parts.append(part)
    rule_set.statistics, rows = statistics, np.concatenate(parts)
    return lambda aim: columns(aim, setup.game, rows)


def looked_at(setup: SimulationSetup, first: int, games: int, look: Any) -> Callable[[Aim], np.ndarray]:
    """What an aim needs of matches that are played and looked into now: the value, and whether there is one."""
    looks = analyse_matches(setup, matches(setup, games, first), look=look, first=first)
    part = replace(part_of(setup), analyses=tuple(looks))

    def values(aim: Aim) -> np.ndarray:
        measure = MEASURE[aim.measure]
        numbers = measure.unit.scale(part) * measure.values(part)
        return np.column_stack([np.nan_to_num(numbers), np.isfinite(numbers)]).astype(np.float64)

    return values


def value_of(aim: Aim, game: GameSetup, means: np.ndarray) -> np.ndarray:
    """The value that an aim is about, from the means of its columns, float64 (…, n)."""
    if aim.measure in ("seats", "start"):
        return np.asarray(100 * np.abs(means - 1 / game.players).max(axis=-1))
    if aim.analysed:  # the mean of the games that have a value, if any has
        has_value = means[..., 1] > 0
        return np.where(has_value, means[..., 0] / np.where(has_value, means[..., 1], 1.0), np.nan)
    return np.asarray((100 if aim.measure in SHARED else 1) * means[..., 0])


def blocks_of(games: np.ndarray) -> np.ndarray:
    """The means of equal blocks of games, float64 (at most BLOCKS, n); the last few games are in none."""
    size = max(1, len(games) // BLOCKS)
    end = len(games) // size * size
    return np.asarray(games[:end].reshape(-1, size, games.shape[1]).mean(axis=1)[:BLOCKS])


# --- rule sets --------------------------------------------------------------------------------------------------------
@dataclass(eq=False)
class RuleSet:
    """A game with options of its own: `options` are those that differ, as they are typed."""

    game: GameSetup
    options: tuple[str, ...]
    data: list[np.ndarray] = field(default_factory=list)  # for each aim the columns of the games that it played
    values: np.ndarray = field(default_factory=lambda: np.zeros(0))  # of each aim, in all games that it played
    drawn: np.ndarray = field(default_factory=lambda: np.zeros((0, 0)))  # the same in games drawn anew (times, aims)
    statistics: metrics.GameStatistics | None = None  # of its games, where any had to be counted

    @property
    def name(self) -> str:
        """The options, or that there are none."""
        return " ".join(self.options) or "as it is"

    @property
    def wary(self) -> np.ndarray:
        """What was drawn, further from the values, by which it is dropped or not."""
        return np.asarray(self.values + CAUTION * (self.drawn - self.values))


class Space:
    """The rule sets that options span: of each the value as it is and those to try."""

    def __init__(self, game: GameSetup, changes: Sequence[str]) -> None:
        self.game, self.values = game, dict[str, list[Any]]()
        for trial in trials(game, changes):
            self.values.setdefault(trial.option.name, [game.options[trial.option.name]]).append(trial.value)
        self.size = int(np.prod([len(values) for values in self.values.values()], dtype=object))
        self.options = {option.name: option for option in game.rules.OPTIONS}

    def rule_set(self, chosen: Sequence[Any]) -> RuleSet | None:
        """The rule set with a value for each option, in order; None where they can't be combined."""
        changed = {
            name: value for name, value in zip(self.values, chosen, strict=True) if value != self.game.options[name]
        }
        with suppress(BadOption):
            game = self.game.variant(**changed)
            if all(game.options[name] == value for name, value in changed.items()):
                return RuleSet(game, tuple(f"{name}={self.options[name].spell(changed[name])}" for name in changed))
        return None

    def first(self, rng: np.random.Generator) -> Iterator[RuleSet]:
        """The rule sets to begin with: all, or so many drawn by lot, and the game as it is."""
        if self.size <= MOST:
            every: Iterable[Sequence[Any]] = itertools.product(*self.values.values())
        else:
            lots = ([values[rng.integers(len(values))] for values in self.values.values()] for _k in range(MOST - 1))
            every = itertools.chain([[values[0] for values in self.values.values()]], lots)
        yield from (rule_set for chosen in every if (rule_set := self.rule_set(chosen)) is not None)

    def beside(self, rule_set: RuleSet) -> Iterator[RuleSet]:
        """The rule sets that differ from one in one option."""
        chosen = [rule_set.game.options[name] for name in self.values]
        for k, values in enumerate(self.values.values()):
            for value in values:
                changed = self.rule_set([*chosen[:k], value, *chosen[k + 1 :]])
                if value != chosen[k] and changed is not None:
                    yield changed


@dataclass(frozen=True)
class Stage:
    """How far a race is: of so many rule sets, so many have played so many games."""

    games: int
    rule_sets: int
    done: int
    last: bool  # the games that figures are of


@dataclass
class Race:
    """Plays rule sets on the same games, numbered from `begin` on, and drops those that are surely worse."""

    setup: SimulationSetup
    aims: Sequence[Aim]
    begin: int = 0

    def __post_init__(self) -> None:
        self.look = look_for([MEASURE[aim.measure] for aim in self.aims if aim.analysed], self.setup.game)

    def play(self, games: int, rule_set: RuleSet) -> bool:
        """Let a rule set have played so many games; whether it had to. One in LOOKED, the first, is looked into."""
        setup = replace(self.setup, game=rule_set.game, threads=1)
        played, data = False, rule_set.data or [np.zeros((0, 0))] * len(self.aims)
        for analysed, target in ((False, games), (True, max(1, games // LOOKED))):
            of = [k for k, aim in enumerate(self.aims) if aim.analysed == analysed]
            before = len(data[of[0]]) if of else target
            if before < target:
                played = True
                these = setup, self.begin + before, target - before
                gained = looked_at(*these, self.look) if analysed else counted(*these, rule_set)
                for k in of:
                    added = gained(self.aims[k])
                    data[k] = np.concatenate([data[k], added]) if before else added
        rule_set.data = data
        return played

    def play_all(self, rule_sets: Sequence[RuleSet], games: int) -> Iterator[Stage]:
        """Let rule sets have played so many games, several at the same time; a stage for each and each PIECE."""
        for upto in (*range(PIECE, games, PIECE), games):
            played = map_in_order(partial(self.play, upto), rule_sets, self.setup.threads)
            for number in itertools.compress(itertools.count(1), played):
                yield Stage(upto, len(rule_sets), number, self.begin > 0)

    def judge(self, rule_sets: Sequence[RuleSet], rng: np.random.Generator) -> None:
        """Set the values of rule sets that have played the same games, and those in games drawn anew, alike for all."""
        counts = {min(len(games), BLOCKS) for rule_set in rule_sets for games in rule_set.data}
        weights = {
            count: rng.multinomial(count, np.full(count, 1 / count), RESAMPLED) / count for count in sorted(counts)
        }
        for rule_set in rule_sets:
            pairs = [(aim, blocks_of(games)) for aim, games in zip(self.aims, rule_set.data, strict=True)]
            rule_set.values = np.array([value_of(aim, rule_set.game, means.mean(axis=0)) for aim, means in pairs])
            rule_set.drawn = np.column_stack(
                [value_of(aim, rule_set.game, weights[len(means)] @ means) for aim, means in pairs]
            )

    def missed(self, values: np.ndarray) -> np.ndarray:
        """By how much values miss the aims, float64 (…, aims)."""
        return np.stack([aim.missed(values[..., k]) for k, aim in enumerate(self.aims)], axis=-1)

    def scales(self, rule_sets: Sequence[RuleSet]) -> np.ndarray:
        """How much rule sets differ in each aim, by which aims are weighed against each other."""
        missed = np.array([self.missed(rule_set.values) for rule_set in rule_sets])
        return np.asarray(np.maximum(np.std(np.where(np.isfinite(missed), missed, 0.0), axis=0), 1e-9))

    def ranked(self, rule_sets: Sequence[RuleSet]) -> list[RuleSet]:
        """Rule sets: first those that surely miss the fewest aims, then the nearest, of equals what changes least."""
        scales, ranges = self.scales(rule_sets), [not aim.sense for aim in self.aims]

        def order(rule_set: RuleSet) -> tuple[int, float, int]:
            sure = (self.missed(rule_set.drawn)[:, ranges] > 0).mean(axis=0) >= SURELY_MISSED
            return int(sure.sum()), (self.missed(rule_set.values) / scales).sum(), len(rule_set.options)

        return sorted(rule_sets, key=order)

    def survivors(self, rule_sets: Sequence[RuleSet], *, last: bool) -> list[RuleSet]:
        """Those that no rival surely beats: is nowhere further from an aim, and somewhere nearer.

        Of equals one after the `last` games; in more games those may differ that didn't yet.
        """
        unlike = {candidate.drawn.tobytes(): candidate for candidate in reversed(self.ranked(rule_sets))}
        ranked = self.ranked([*unlike.values()])
        rivals = [*dict.fromkeys([*ranked[:RIVALS], *(self.nearest(ranked, k) for k in range(len(self.aims)))])]
        theirs, out = [self.missed(rival.wary) for rival in rivals], list[RuleSet]()
        for rule_set in ranked if last else self.ranked(rule_sets):
            own = self.missed(rule_set.wary)
            beaten = any(
                ((of_rival <= own).all(axis=1) & (of_rival < own).any(axis=1)).mean() >= SURE
                for rival, of_rival in zip(rivals, theirs, strict=True)
                if rival is not rule_set
            )
            if not beaten:
                out.append(rule_set)
        return out or ranked[:1]

    def nearest(self, ranked: Sequence[RuleSet], k: int) -> RuleSet:
        """The rule set that is nearest to one aim."""
        return min(ranked, key=lambda each: self.missed(each.values)[k])

    def run(
        self, rule_sets: Sequence[RuleSet], limit: int, rng: np.random.Generator
    ) -> Generator[Stage, None, list[RuleSet]]:
        """The rule sets that are left after each has played `limit` games, or when there are few; the best first."""
        games = min(FIRST, limit)
        while True:
            yield from self.play_all(rule_sets, games)
            self.judge(rule_sets, rng)
            remaining = self.survivors(rule_sets, last=games >= limit)
            for dropped in {*rule_sets}.difference(remaining):
                dropped.data.clear()
            rule_sets = remaining
            if games >= limit or len(rule_sets) == 1:
                return self.ranked(rule_sets)
            games = min(limit, TIMES * games)

    def front(self, ranked: Sequence[RuleSet]) -> list[RuleSet]:
        """The rule sets to show: the best, the nearest to each aim, then others that none is better than in all."""
        missed = {rule_set: self.missed(rule_set.values) for rule_set in ranked}
        best = [
            rules
            for rules in ranked
            if not any(
                (missed[rival] <= missed[rules]).all() and (missed[rival] < missed[rules]).any() for rival in ranked
            )
        ]
        nearest = [self.nearest(ranked, k) for k in range(len(self.aims))]
        return [*dict.fromkeys([*best[:1], *nearest, *best])][:FRONT]


# --- the study --------------------------------------------------------------------------------------------------------
@dataclass(frozen=True)
class Tuning:
    """What a race found: rule sets that were tried, and those that are left, on fresh games."""

    race: Race
    space: Space
    tried: int
    games: int  # that each of those left played anew
    left: Sequence[RuleSet]


OWN_TITLES = {
    "seats": "seats: how far the furthest is from a fair share, percentage points",
    "start": "whoever starts: how far its share is from a fair one (which isn't what starting itself is worth)",
    "ties": "ties: how often first place is shared, %",
    "minutes": "minutes at a real table",
}


def measurable(game: GameSetup) -> dict[str, str]:
    """What aims of a game can be about, with a title for people."""
    part, names = part_of(SimulationSetup(game)), {name for name, _k in metric_names(game)}
    titles = {name: MEASURE[metric].titled(part) for name, metric in COUNTED.items() if metric in names}
    looked = {name: MEASURE[name].titled(part) for name in ANALYSED if MEASURE[name].wanted(part)}
    return {**OWN_TITLES, **titles, **looked}


def check(game: GameSetup, aims: Sequence[Aim]) -> None:
    """Raises BadOption where an aim says nothing of a game."""
    possible = measurable(game)
    for aim in aims:
        if aim.measure not in possible:
            raise BadOption(say("{aim} says nothing of {game}.", aim=repr(aim.text), game=game.name))


def tune(
    setup: SimulationSetup,
    aims: Sequence[Aim],
    changes: Sequence[str],
    games: int,
    progress: Callable[[int], None] = lambda _done: None,
) -> Tuning:
    """Race the rule sets that `changes` span, each on up to so many games. Raises BadOption."""
    steps = tuning_steps(setup, aims, changes, games)
    while not isinstance(step := next(steps), Tuning):
        progress(1)
    return step


def tuning_steps(
    setup: SimulationSetup, aims: Sequence[Aim], changes: Sequence[str], games: int
) -> Generator[Stage | Tuning]:
    """The steps of `tune`, a rule set at a time; the tuning comes last."""
    check(setup.game, aims)
    space, race, rng = Space(setup.game, changes), Race(setup, aims), np.random.default_rng(seed_of(setup))
    tested = {rule_set.options: rule_set for rule_set in space.first(rng)}
    ranked = yield from race.run([*tested.values()], games, rng)
    for _round in range(ROUNDS if space.size > MOST else 0):
        new = {rule_set.options: rule_set for best in ranked[:FRONT] for rule_set in space.beside(best)}
        untested = [rule_set for options, rule_set in new.items() if options not in tested]
        if not untested:
            break
        tested |= {rule_set.options: rule_set for rule_set in untested}
        ranked = yield from race.run([*ranked[: RIVALS + FRONT], *untested], games, rng)
    final = Race(setup, aims, begin=games)  # cards that nothing was chosen by
    finalists = dict.fromkeys([*(rule_set.options for rule_set in race.front(ranked)), ()])  # with the game as it is
    last_sets = [RuleSet(tested[options].game, options) for options in finalists]
    yield from final.play_all(last_sets, games)
    final.judge(last_sets, rng)
    yield Tuning(final, space, len(tested), games, last_sets)


def seed_of(setup: SimulationSetup) -> int:
    """The seed of a setup as a number."""
    return setup.seed if isinstance(setup.seed, int) else int.from_bytes(setup.seed, "little")


SHOWS = (
    "Rule sets were chosen on other games than those whose figures stand here. ± is the half-width of the 95 % "
    "interval; met and missed are sure at 95 % for all of them together, perhaps isn't, even if its ± lies inside."
)


def tuned(tuning: Tuning) -> EffectStudy:
    """The study of a race."""
    race, aims, setup = tuning.race, tuning.race.aims, tuning.race.setup
    best, tests = race.ranked(tuning.left), len(tuning.left) * len(aims)
    verdicts = {rules: [verdict(aim, rules.drawn[:, k], tests) for k, aim in enumerate(aims)] for rules in best}
    heads, rows = (
        ("rule set", *(aim.text for aim in aims)),
        [(rules.name, *cells(rules, verdicts[rules])) for rules in best],
    )
    tested = f"; {wording.count(tuning.tried)} of {wording.count(tuning.space.size)} rule sets tried"
    sentence, *options = played(setup, tested)
    about = [f"{sentence}; the figures are of {wording.count(tuning.games)} further games of each."]
    about += [*options, *wording.longer_at_tables(setup.game)]
    rule_sets = [
        {"options": list(rules.options), "values": rules.values.tolist(), "verdicts": verdicts[rules]} for rules in best
    ]
    aim_data = [{"aim": aim.text, "measure": aim.measure} for aim in aims]
    fields = study_fields(setup, tuning.games, aims=aim_data, tried=tuning.tried, rule_sets=rule_sets)
    table = Section("rule_sets", "The rule sets that come nearest", heads, tuple(rows))
    title = f"Tuning: {setup.game.table.ABOUT.title}"
    sentences = [*findings(best, aims, verdicts), *in_games_as_played(setup, best, aims)]
    return EffectStudy("tune", setup, title, about, sentences, [table], fields, SHOWS)


def in_games_as_played(setup: SimulationSetup, ranked: Sequence[RuleSet], aims: Sequence[Aim]) -> Iterator[str]:
    """What seats and whoever starts have with the nearest rule set, and with the rules as they are."""
    for rule_set in dict.fromkeys((ranked[0], *(candidate for candidate in ranked if not candidate.options))):
        if rule_set.statistics is not None:
            part = part_of(replace(setup, game=rule_set.game), rule_set.statistics)
            worth = worth_of_start(part) if any(aim.measure == "start" for aim in aims) else ""
            where = f"With {rule_set.name}" if rule_set.options else "As the game is"
            yield f"{where}, {wording.as_played(part)}.{worth}"


def verdict(aim: Aim, drawn: np.ndarray, tests: int) -> str:
    """Whether an aim is met, missed, or perhaps; "" where more is always better."""
    if aim.sense:
        return ""
    beyond = 2.5 / tests
    low, high = np.percentile(drawn, [beyond, 100 - beyond])
    inside, missed = aim.low <= low and high <= aim.high, high < aim.low or low > aim.high
    return "met" if inside else "missed" if missed else "perhaps"


def cells(rule_set: RuleSet, verdicts: Sequence[str]) -> list[str]:
    """The cells of a rule set: of each aim the value with its margin, and whether it is met."""
    low, high = np.percentile(rule_set.drawn, [2.5, 97.5], axis=0)
    figures = zip(rule_set.values.tolist(), ((high - low) / 2).tolist(), verdicts, strict=True)
    return [
        ", ".join(filter(None, [f"{wording.number(value, 2)} ±{wording.number(margin, 2)}", word]))
        if np.isfinite(value + margin)
        else wording.TOO_FEW
        for value, margin, word in figures
    ]


def findings(ranked: Sequence[RuleSet], aims: Sequence[Aim], verdicts: dict[RuleSet, list[str]]) -> Iterator[str]:
    """What was found, in sentences: what meets all aims, or which of them contradict each other."""
    ranges, best = [k for k, aim in enumerate(aims) if not aim.sense], ranked[0]
    meeting = [rules for rules in ranked if all(verdicts[rules][k] == "met" for k in ranges)]
    if meeting and ranges:
        names, aimed = "; ".join(rules.name for rules in meeting), "the aim" if len(ranges) == 1 else "all aims"
        yield f"{names} clearly meets {aimed}." if len(meeting) == 1 else f"These clearly meet {aimed}: {names}."
    elif ranges:
        lacking = [f"{aims[k].text} ({verdicts[best][k]})" for k in ranges if verdicts[best][k] != "met"]
        yield f"No rule set clearly meets all aims. The nearest is {best.name}; it leaves open {', '.join(lacking)}."
        if any("perhaps" in verdicts[best][k] for k in ranges):
            yield "More games may tell where it says perhaps (in a shell, by --games)."
    for k, m in itertools.combinations(ranges, 2):
        alone = all(any(verdicts[rules][of] == "met" for rules in ranked) for of in (k, m))
        if alone and all("missed" in (verdicts[rules][k], verdicts[rules][m]) for rules in ranked):
            pair = f"“{aims[k].text}” and “{aims[m].text}”"
            yield f"{pair} contradict each other here: what meets one misses the other."
    for k, aim in enumerate(aims):
        if aim.sense and any(np.isfinite(rules.values[k]) for rules in ranked):
            end = min(ranked, key=lambda rules: aim.missed(rules.values[k]))
            yield f"{'Most' if aim.sense > 0 else 'Least'} {aim.measure.replace('_', ' ')}: {end.name}."


# --- in the workshop --------------------------------------------------------------------------------------------------
SLICE = 0.2  # seconds that a step of the workshop should take
TUNED = 10_000  # games of each rule set, as the command has it


@dataclass(frozen=True)
class Front:
    """How far a tuning is, and in the end its rule sets, the nearest first: `options` as they are typed, and cells."""

    stage: str
    about: list[str]
    found: list[str]  # the findings
    heads: list[str]
    rows: list[tuple[list[str], list[str]]]
    done: bool


class Tuner:
    """A tuning, after any number of steps of about SLICE seconds."""

    def __init__(self, setup: SimulationSetup, aims: Sequence[str], vary: Sequence[str]) -> None:
        self.steps = tuning_steps(setup, [Aim.read(aim) for aim in aims], vary, TUNED)
        self.latest: Stage | Tuning | None = None

    @property
    def done(self) -> bool:
        """Whether nothing more is found."""
        return isinstance(self.latest, Tuning)

    def step(self) -> None:
        """Let more rule sets play."""
        began = time.monotonic()
        while not self.done and time.monotonic() - began < SLICE:
            self.latest = next(self.steps)
        if self.done:
            self.steps.close()  # what it holds is needed no more

    @property
    def news(self) -> dict[str, Any]:
        """What the server is told."""
        return {"front": asdict(front_of(self.latest))}


def front_of(latest: Stage | Tuning | None) -> Front:
    """What is known of a tuning."""
    if isinstance(latest, Tuning):
        study, count = tuned(latest), wording.count
        (table,) = study.tables
        options = [rule_set["options"] for rule_set in study.fields["rule_sets"]]
        rows = [*zip(options, map(list, table.rows), strict=True)]
        stage = f"{count(latest.tried)} of {count(latest.space.size)} rule sets tried"
        return Front(stage, study.about, study.findings, [*table.heads], rows, True)
    stage = ""
    if latest is not None:
        played, of, games = map(wording.count, (latest.done, latest.rule_sets, latest.games))
        further = "further " if latest.last else ""
        stage = f"{played} of the {of} rule sets that are left have played {games} {further}games each"
    return Front(stage, [], [], [], [], False)
