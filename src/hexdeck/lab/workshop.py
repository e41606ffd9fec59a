"""The workshop, as a module its process: figures of a variant and its difference from another, ever narrower.

It also tunes: of the rule sets that options span it finds those that come nearest to aims.
"""

from __future__ import annotations

import json
import logging
import os
import signal
import sys
import time
from collections import OrderedDict
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Executor, ThreadPoolExecutor
from dataclasses import asdict, dataclass, replace
from math import ceil, isfinite
from queue import Empty, SimpleQueue
from threading import Thread
from typing import IO, Any

import numpy as np

from hexdeck.bots.players.levels import levels_of
from hexdeck.engine.errors import HexdeckError
from hexdeck.engine.play.game import GameSetup, default_backend
from hexdeck.lab import counts, effects
from hexdeck.lab.counts import CARDS, SCREEN, Tempo, minutes_each, reckoned_columns
from hexdeck.lab.log import SimulationSetup, matches
from hexdeck.lab.messages import MessageCounts
from hexdeck.lab.pairs import Change, Comparison, Shift, check_same_moves, surely
from hexdeck.lab.reporting import measures, wording
from hexdeck.lab.reporting.findings import Tests, no_further
from hexdeck.lab.reporting.report import Plan, Report, ReportPart, comparisons, part_of
from hexdeck.lab.reporting.tables import MEASURES, STARTS
from hexdeck.lab.studies import STUDIED, StartStudy, study_starts
from hexdeck.lab.tension import MatchAnalysis, analyse_matches
from hexdeck.lab.tuning import SLICE, Tuner
from hexdeck.simulation.simulate import takes_time
from hexdeck.stats import Estimate, mean

HOUSE, RANDOM = "house", "random"
TUNING = 4  # as how many variants a tuning counts
SEED = 0  # as commands have it, so that they deal the same cards


@dataclass(frozen=True)
class Inquiry:
    """A variant, the bot of each seat, and what it is compared with: another, or a fork's original.

    `games`, `matches`: of each variant how many are played, and looked into; None for as many as it takes.
    With `aims` it is tuned: toward these, by the options and values of `vary`, both as they are typed.
    """

    game: GameSetup
    bots: tuple[str, ...]
    against: GameSetup | None = None
    seed: int = SEED
    games: int | None = None
    matches: int | None = None
    aims: tuple[str, ...] = ()
    vary: tuple[str, ...] = ()

    @property
    def key(self) -> str:
        """What tells it apart from all others; `from_key` is the inverse."""
        against = None if self.against is None else [self.against.name, dict(self.against.options)]
        parts = [self.game.name, self.game.players, dict(self.game.options), self.bots, against, self.seed]
        parts += [self.games, self.matches, self.aims, self.vary]
        return json.dumps(parts, separators=(",", ":"))

    @property
    def weight(self) -> int:
        """As how many variants it counts: a tuning has many in memory."""
        return TUNING if self.aims else 1


def from_key(key: str) -> Inquiry:
    """What a key asks for; raises HexdeckError where that can't be played."""
    name, players, options, bots, against, seed, games, matches, aims, vary = json.loads(key)

    def game(name: str, options: Mapping[str, Any]) -> GameSetup:
        return GameSetup.named(name, players, **options)

    base = None if against is None else game(*against)
    return Inquiry(game(name, options), tuple(bots), base, seed, games, matches, tuple(aims), tuple(vary))


def bots_for(game: GameSetup) -> list[str]:
    """The bots that play variants: the quick ones, and the levels of play."""
    return list(dict.fromkeys([HOUSE, RANDOM, *levels_of(game)]))


# --- measured in short steps ------------------------------------------------------------------------------------------
START, START_SLOW = 64, 1  # games of each thread in the first step; where bots are slow
GROWS = 4  # a step has at most so many times the games of the one before
MOST_GAMES, MOST_SECONDS = 200_000, 120.0  # of each variant; spent on one measurement
ENOUGH = 0.005  # the margin of seats' shares from which nothing more is played
MATCHES = 200  # of each variant that are looked into for tension
LOOKING = 0.25  # of the time, at most, is for looking into matches while shares are still open


class Side:
    """One variant: what plays it, its statistics, and what minutes are reckoned from."""

    def __init__(self, setup: SimulationSetup, statistics: counts.GameStatistics) -> None:
        self.setup, self.statistics = setup, statistics
        self.analyses: list[MatchAnalysis] = []
        self.reckoned: list[np.ndarray] = []
        self.starts: StartStudy | None = None

    @property
    def part(self) -> ReportPart:
        """The variant as a part of a report, with what is known of it."""
        return part_of(self.setup, self.statistics, analyses=tuple(self.analyses), starts=self.starts)

    def minutes(self, tempo: Tempo) -> np.ndarray:
        """The minutes of each game, float64 (games)."""
        return minutes_each(self.setup.game.players, np.concatenate(self.reckoned), tempo)

    def play(self, first: int, games: int, pool: Executor) -> Iterator[tuple[counts.Chunk, np.ndarray]]:
        """Play games, numbered from `first` on, on all threads: chunks with their metrics."""
        for chunk, rows in counts.chunks(self.setup, games, first=first, pool=pool):
            self.reckoned.append(reckoned_columns(self.setup.game, rows))
            yield chunk, rows

    def look(self, games: int, pool: Executor) -> None:
        """Look into so many more matches, for tension."""
        first = len(self.analyses)
        if not first and not takes_time(self.setup.game, self.setup.bots):
            self.starts = study_starts(self.setup, STUDIED)
        played = matches(self.setup, games, first)
        look = effects.look_for(effects.looked_into(), self.setup.game)
        self.analyses += analyse_matches(self.setup, played, pool=pool, look=look, first=first)


class Measurement:
    """What was asked, after any number of steps of about SLICE seconds: a variant, and `base`, if it is compared."""

    def __init__(self, inquiry: Inquiry, threads: int, pool: Executor) -> None:
        self.asked, self.pool = inquiry, pool
        check_same_moves(inquiry.against or inquiry.game, inquiry.game)
        base = SimulationSetup(inquiry.against or inquiry.game, inquiry.bots, inquiry.seed, threads)
        self.comparison = None if inquiry.against is None else Comparison(base, inquiry.game)
        self.base = None if self.comparison is None else Side(base, self.comparison.sides[0])
        own = counts.GameStatistics.of(inquiry.game) if self.comparison is None else self.comparison.sides[1]
        self.side = Side(replace(base, game=inquiry.game), own)
        self.sides = [self.side] if self.base is None else [self.side, self.base]
        interpreted = default_backend() == "interpreted"
        slow = interpreted or takes_time(inquiry.game, inquiry.bots)
        self._games, self._looks = (START_SLOW if slow else START) * threads, threads
        self._most = MOST_GAMES if inquiry.games is None else inquiry.games
        self._looked_into = MATCHES if inquiry.matches is None else inquiry.matches
        self.spent, self.looked, self.can_look = 0.0, 0.0, not interpreted  # which would take minutes

    @property
    def done(self) -> bool:
        """Whether nothing more is measured."""
        return self.spent > MOST_SECONDS or (self._has_played() and not self._may_look())

    @property
    def precision(self) -> float:
        """The largest margin of a seat's share, and of its difference."""
        largest = max(estimate.margin for estimate in self.side.statistics.estimates(self.side.part.shares))
        return largest if self.comparison is None else max(largest, self.comparison.precision)

    def step(self) -> None:
        """Play more games, or look into more matches."""
        began, threads = time.monotonic(), self.side.setup.threads
        looks = self._may_look() and (self._has_played() or self.looked < LOOKING * self.spent - SLICE)
        games = self._look() if looks else self._play()
        took = time.monotonic() - began
        self.spent += took
        next_games = int(games * min(GROWS, SLICE / max(took, 1e-6)))
        next_games = max(threads, next_games - next_games % threads)  # games of the next step
        if looks:
            self.looked, self._looks = self.looked + took, next_games
        else:
            self._games = next_games

    @property
    def news(self) -> dict[str, Any]:
        """What the server is told."""
        return {"figures": asdict(figures_of(self))}

    def _has_played(self) -> bool:
        games = len(self.side.statistics)
        return games >= self._most or (self.asked.games is None and games > 1 and self.precision <= ENOUGH)

    def _may_look(self) -> bool:
        return self.can_look and len(self.side.analyses) < self._looked_into

    def _play(self) -> int:
        first = len(self.side.statistics)
        games = min(self._games, self._most - first)
        for played in zip(*(side.play(first, games, self.pool) for side in self.sides), strict=True):
            if self.comparison is None:
                self.side.statistics.add(*reversed(played[0]))
            else:
                self.comparison.add(*reversed(played))
        return games

    def _look(self) -> int:
        games = min(self._looks, self._looked_into - len(self.side.analyses))
        try:
            for side in self.sides:
                side.look(games, self.pool)
        except HexdeckError:  # a game whose matches can't be looked into
            self.can_look = False
        return games


# --- findings ---------------------------------------------------------------------------------------------------------
# By what p-values are multiplied at the end, as a report's are, and before. The inverses add up to 1: one may look at
# any moment at data that grow from FEWEST to MOST_GAMES, and the most extreme is as that of 50 independent looks.
LAST, LOOKS = 1.25, 250.0
FEWEST = 200  # games, before which nothing is said


def looks_at(measured: Measurement) -> float:
    """By what p-values are multiplied now."""
    return LAST if measured.done else LOOKS


def tests_now(measured: Measurement, questions: int) -> int:
    """As how many tests so many questions count now."""
    return ceil(looks_at(measured) * questions)


def findings(measured: Measurement, beside: Sequence[Change], sure: Container[counts.MetricName]) -> Iterator[str]:
    """The findings, the main one first; none after too few games. `beside`, `sure`: see `effects.differences`."""
    if len(measured.side.statistics) < FEWEST or not isfinite(measured.precision):
        return
    if measured.comparison is not None:
        named = [wording.variant_named(game, "; ") for game in (measured.comparison.a, measured.comparison.b)]
        yield from effects.differences(measured.comparison, MessageCounts(measured.asked.game), beside, sure, named)
        return
    part = measured.side.part
    tests = Tests(Report(Plan(), (part,), correction=looks_at(measured)))
    if not any(sure and question.fair for question, sure in tests.of(part)):
        ahead = f"With {part.players} players, no seat is clearly ahead of another: none is further than "
        yield ahead + no_further(part, tests_now(measured, comparisons([part.players])))
    yield from (finding.text for finding in tests.sure([part]))
    yield f"As played, {wording.as_played(part)}."


# --- figures ----------------------------------------------------------------------------------------------------------
GROUPS = ("shares", "results", "length", "tension", "more")
MINUTES = (("at_table", "minutes at this table", SCREEN), ("at_cards", "minutes at a real table", CARDS))


@dataclass(frozen=True)
class FigureRow:
    """A figure, as it is written and as numbers."""

    group: str  # one of GROUPS
    name: str  # its metric, and of which seat or ending
    title: str
    value: str
    ends: list[float] | None  # the value and the ends of its interval; None where that is open
    difference: str = ""  # from the variant that it is compared with
    shift: list[float] | None = None  # the same as numbers
    sure: bool = False  # whether that is significant, or a seat's share surely isn't fair


@dataclass(frozen=True)
class Figures:
    """All that is known so far."""

    games: int
    matches: int  # that were looked into for tension
    margin: float | None  # the largest of a seat's share, 0 to 1; None while it is open
    fair: float  # share, in percent
    place: int  # whether first place decides (0) or last (1)
    unit: str  # what results are counted in
    found: list[str]  # the findings, the main one first
    rows: list[FigureRow]
    done: bool  # whether nothing more is measured


def figures_from(data: dict[str, Any]) -> Figures:
    """The figures of what `dataclasses.asdict` makes of them, before or after it was JSON."""
    return Figures(**{**data, "rows": [FigureRow(**row) for row in data["rows"]]})


def figures_of(measured: Measurement) -> Figures:
    """The figures of a measurement that has made a step."""
    part, margin, comparison = measured.side.part, measured.precision, measured.comparison
    parts = [side.part for side in reversed(measured.sides)]
    further, counted_changes = list[Change](), list[Change]()
    if comparison is not None:
        further = [*effects.looked_changes(*parts), *effects.studied_changes(comparison, *parts, play=False)]
        counted_changes = effects.asked(comparison, MessageCounts(comparison.b))
    changes = {change.name[0]: change for change in further}
    rows = [*all_rows(measured, part, changes)]
    changes |= {f"{change.name[0]} {change.name[1]}": change for change in counted_changes}
    questions = {name: change.difference for name, change in changes.items()}
    questions |= {row.name: difference for row, difference in rows if difference is not None}
    judged = zip(questions, surely([*questions.values()], tests_now(measured, len(questions))), strict=True)
    sure = {name for name, is_sure in judged if is_sure}  # of all of them, and all looks at them, together
    judged_rows = [row if difference is None else replace(row, sure=row.name in sure) for row, difference in rows]
    sentences = [*findings(measured, further, [change.name for name, change in changes.items() if name in sure])]
    longer = next((row for row in judged_rows if row.name == "at_cards" and row.sure), None)
    if sentences and longer is not None and longer.shift is not None:
        amount = abs(longer.shift[0])
        spent = f"{wording.number(60 * amount, 0)} seconds" if amount < 2 else f"{wording.number(amount, 1)} minutes"
        sentences[:1] = [f"{sentences[0]} A match takes {spent} {'longer' if longer.shift[0] > 0 else 'less'}."]
    sizes = len(part.statistics), len(part.analyses), margin if isfinite(margin) else None, 100 / part.players
    return Figures(*sizes, part.place, str(part.measure.unit), sentences, judged_rows, measured.done)


def all_rows(
    measured: Measurement, part: ReportPart, beside: Mapping[str, Change]
) -> Iterator[tuple[FigureRow, Estimate | None]]:
    """All rows, group by group, each with the difference that it shows, if there is one."""
    seats = [f"Seat {k + 1}" for k in range(part.players)]
    for k, title in enumerate(seats):
        yield counted_row(measured, part, "shares", (part.shares, k), title)
    for k, title in enumerate(() if part.won_or_lost else seats):
        yield counted_row(measured, part, "results", (counts.RESULT, k), title)
    for name, title, tempo in MINUTES:
        estimate, difference = mean(measured.side.minutes(tempo)), None
        if measured.base is not None:
            difference = Shift.of(measured.base.minutes(tempo), measured.side.minutes(tempo)).difference
        yield row_of("length", name, title, wording.plain(estimate, 1), estimate, difference)
    per_game = {part.starter_share, *([] if part.won_or_lost else [counts.STARTER_RESULT])}
    for measure in MEASURES:
        remark, group = measure.remark, measure.workshop or "more"
        if measure.name == counts.TIED and part.place:
            continue
        if measure.name in per_game or (measure.workshop and measure.of_match is None):
            yield counted_row(measured, part, group, (measure.name, 0))
        elif measure.workshop or (measure in STARTS and remark and remark.holds(part, measure.of_part(part))):
            if not (estimate := measure.of_part(part)).count:
                continue
            difference = beside[measure.name].difference if measure.name in beside else None
            title, scale = effects.called(part, measure, ""), measure.unit.scale(part)
            cells = (
                title,
                measure.cell(part).removesuffix(f" {part.measure.unit}"),
                estimate.scaled(scale),
                difference,
                scale,
            )
            yield row_of(group, measure.name, *cells)
    endings = range(1, len(part.game.rules.ENDINGS))
    for k in endings if len(endings) > 1 else ():
        yield counted_row(measured, part, "more", (counts.ENDED, k))


def counted_row(
    measured: Measurement, part: ReportPart, group: str, name: counts.MetricName, title: str | None = None
) -> tuple[FigureRow, Estimate | None]:
    """The row of a measure that is counted."""
    estimate, unit = part.statistics[name], effects.MEASURE[name[0]].unit
    title = title or effects.titled(part, name, part.messages)
    assert title is not None
    difference = None if measured.comparison is None else measured.comparison.change(name).difference
    scaled = measures.in_units(estimate, part.measure) if unit is measures.RESULT else estimate.scaled(unit.scale(part))
    key = f"{name[0]} {name[1]}"
    row, difference_shown = row_of(
        group,
        key,
        title,
        unit.cell(part, estimate).removesuffix(f" {part.measure.unit}"),
        scaled,
        difference,
        unit.scale(part),
    )
    if group == "shares" and difference is None:
        row = replace(
            row, sure=estimate.significant(1 / part.players, tests_now(measured, comparisons([part.players])))
        )
    return row, difference_shown


def row_of(
    group: str, name: str, title: str, value: str, estimate: Estimate, difference: Estimate | None, scale: float = 1.0
) -> tuple[FigureRow, Estimate | None]:
    """A row of an estimate that is scaled already and of a difference that isn't yet."""
    row = FigureRow(group, name, title, value, ends_of(estimate))
    if difference is None or not isfinite(difference.margin):
        return row, None
    scaled = difference.scaled(scale)
    return replace(row, difference=effects.size_of(scaled), shift=ends_of(scaled)), difference


def ends_of(estimate: Estimate) -> list[float] | None:
    """An estimate as numbers; None where its interval is open."""
    ends = [estimate.value, estimate.low, estimate.high]
    return ends if all(map(isfinite, ends)) else None


# --- the process ------------------------------------------------------------------------------------------------------
LOG = logging.getLogger("hexdeck.workshop")
POLITE = 19  # the lowest priority that there is
MOST_KEPT = 24  # the weight of what waits to be gone on with
TOLD_EVERY = 0.25  # seconds between two lines about the same
FAILED = "This variant can't be measured: something went wrong."


class Worker:
    """Measures all that is asked, in turns, and writes the answers to `out`."""

    def __init__(self, out: IO[str], threads: int) -> None:
        self.out, self.threads, self.pool = out, threads, ThreadPoolExecutor(threads)
        self.active: OrderedDict[str, float] = OrderedDict()  # by key, when it was told of last
        self.kept: OrderedDict[str, Measurement | Tuner] = OrderedDict()

    def hear(self, line: dict[str, str]) -> None:
        """Begin or end something."""
        if "start" in line:
            self.active[line["start"]] = 0.0
        else:
            self.active.pop(line["stop"], None)

    def turn(self) -> None:
        """Make one step of what has waited longest."""
        key, moment = next(iter(self.active.items()))
        self.active.move_to_end(key)
        try:
            measured = self.measurement(key)
            if not measured.done:
                measured.step()
            if measured.done or time.monotonic() - moment >= TOLD_EVERY:
                self.write(key, **measured.news)
                self.active[key] = time.monotonic()
            if measured.done:
                del self.active[key]
        except HexdeckError as error:
            self.refuse(key, str(error))
        except Exception:
            LOG.exception("a variant can't be measured")
            self.refuse(key, FAILED)

    def measurement(self, key: str) -> Measurement | Tuner:
        """What was begun before, else something new; raises HexdeckError."""
        if key not in self.kept:
            asked = from_key(key)
            setup = SimulationSetup(asked.game, asked.bots, asked.seed, self.threads)
            tuner = Tuner(setup, asked.aims, asked.vary) if asked.aims else None
            self.kept[key] = tuner or Measurement(asked, self.threads, self.pool)
        self.kept.move_to_end(key)
        while sum(TUNING if isinstance(job, Tuner) else 1 for job in self.kept.values()) > MOST_KEPT:
            self.kept.popitem(last=False)
        return self.kept[key]

    def refuse(self, key: str, why: str) -> None:
        """Say that something can't be measured, and why."""
        self.active.pop(key, None)
        self.kept.pop(key, None)
        self.write(key, refused=why)

    def write(self, key: str, **what: Any) -> None:
        """Write a line."""
        self.out.write(json.dumps({"of": key, **what}, separators=(",", ":"), allow_nan=False) + "\n")
        self.out.flush()


def read_lines(stream: Iterable[str], lines: SimpleQueue[dict[str, str] | None]) -> None:
    """Pass on the lines that arrive, then None."""
    for line in stream:
        lines.put(json.loads(line))
    lines.put(None)


def serve(stream: Iterable[str], out: IO[str], threads: int) -> None:
    """Measure until the input ends."""
    worker, lines = Worker(out, threads), SimpleQueue[dict[str, str] | None]()
    Thread(target=read_lines, args=(stream, lines), daemon=True).start()
    while True:
        try:
            line = lines.get(block=not worker.active)
        except Empty:
            worker.turn()
            continue
        if line is None:
            return
        worker.hear(line)


def main() -> None:
    """The process's main function; its argument is by how much its priority is lowered, POLITE if there is none."""
    polite = int(sys.argv[1]) if len(sys.argv) > 1 else POLITE
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the server, whose end ends this
    if hasattr(os, "nice"):
        os.nice(polite)
    try:
        serve(sys.stdin, sys.stdout, os.cpu_count() or 1)
    finally:
        sys.stdout.flush()
        os._exit(0)  # without waiting for a step


if __name__ == "__main__":
    main()
