"""Paired comparison of two variants of a game on common random numbers: the effect of a change of a rule, in words too.

Game k has the same cards and the same bots' dice in both variants for as long as the two agree, and again from the next
deal on (`engine.random`), so that most of the variance cancels in the difference.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from math import isfinite
from typing import Any

import numpy as np

from hexdeck.bots.players.levels import one_loser
from hexdeck.engine.play.game import GameSetup
from hexdeck.engine.text import Catalogue, Text, _, say, say_n
from hexdeck.lab.counts import (
    ABOVE,
    ENDED,
    FIRST,
    KIND,
    KIND_USED,
    LAST,
    RESULT,
    SHARES,
    STARTER_FIRST,
    STARTER_LAST,
    STARTER_RESULT,
    STARTS,
    TIED,
    MetricName,
    Source,
    chunks,
    kind_numbers,
    metric_names,
)
from hexdeck.lab.kernels import HISTORY
from hexdeck.lab.log import SimulationSetup, matches
from hexdeck.lab.messages import MessageCounts
from hexdeck.lab.reporting import number_format as numbers
from hexdeck.lab.reporting.exported import estimate_fields, head
from hexdeck.lab.reporting.measures import Cell, Section
from hexdeck.lab.reporting.options import changed_options, option_changes
from hexdeck.lab.reporting.page import made_with, rendered, table_context
from hexdeck.lab.reporting.report import measure_of
from hexdeck.lab.reporting.words import bots_text, kind_labels
from hexdeck.lab.starts import starting_of
from hexdeck.stats import Estimate, Moments, PairedMoments, share

LEAST, MOST = 2000, 200_000  # pairs that are played at least, and at most
DIFFERS, RESULT_DIFFERS, PLACE_DIFFERS = ("differs", 0), ("result_differs", 0), ("place_differs", 0)
LEFT_OUT = {KIND_USED, STARTS, ABOVE, DIFFERS[0], RESULT_DIFFERS[0], PLACE_DIFFERS[0]}  # others tell the same better


@dataclass(frozen=True)
class Change:
    """A metric in both variants, and its paired difference.

    `saved`: the variance reduction, or how many times as many games unpaired samples would take for the same precision;
    infinite where pairs never differ.
    """

    name: MetricName
    before: Estimate
    after: Estimate
    difference: Estimate
    saved: float


@dataclass
class Comparison:
    """Pairs of games: of the setup's game, variant `a`, and of variant `b`; `place`: the last (1) or first (0) decides.

    `kinds_used`: by kind of move, the variant (0 for `a`) and the number of the first game in which one was made.
    `interrupted`: whether it was stopped before it was done.
    """

    setup: SimulationSetup
    b: GameSetup
    names: tuple[MetricName, ...]
    place: int
    before: Moments
    after: Moments
    differences: PairedMoments
    kinds_used: dict[int, tuple[int, int]] = field(default_factory=dict)
    interrupted: bool = False

    @classmethod
    def of(cls, setup: SimulationSetup, b: GameSetup) -> Comparison:
        """A comparison of no pairs yet."""
        names = (*metric_names(setup.game), DIFFERS, RESULT_DIFFERS, PLACE_DIFFERS)
        moments = Moments(len(names)), Moments(len(names)), PairedMoments(len(names))
        return cls(setup, b, names, int(one_loser(setup.game)), *moments)

    def __len__(self) -> int:
        return self.differences.count

    @property
    def a(self) -> GameSetup:
        """The first variant."""
        return self.setup.game

    def add(self, one: np.ndarray, other: np.ndarray, differs: np.ndarray) -> None:
        """Add pairs of games: the metrics of both, float64 (pairs, metrics), and whether their moves differ, bool."""
        for side, rows in enumerate((one, other)):
            self._add_kinds(side, rows)
        result, place = (self._differing(one, other, metric) for metric in (RESULT, self.shares))
        events = np.stack([differs | result, result, place], axis=1).astype(np.float64)
        self.before.add(np.concatenate([one, 0 * events], axis=1))
        self.after.add(np.concatenate([other, events], axis=1))
        self.differences.add(np.concatenate([other - one, events], axis=1))

    def _add_kinds(self, side: int, rows: np.ndarray) -> None:
        for column, (metric, kind) in enumerate(self.names[: rows.shape[1]]):
            if metric == KIND and kind not in self.kinds_used and rows[:, column].any():
                self.kinds_used[kind] = side, len(self) + int(rows[:, column].argmax())

    def _differing(self, one: np.ndarray, other: np.ndarray, metric: str) -> np.ndarray:
        """Which pairs differ in a metric of any seat, bool."""
        columns = [k for k, name in enumerate(self.names) if name[0] == metric]
        differ: np.ndarray = (one[:, columns] != other[:, columns]).any(axis=1)
        return differ

    @property
    def shares(self) -> str:
        """The metric of each seat's share of the place that decides."""
        return LAST if self.place else FIRST

    @property
    def compared(self) -> list[MetricName]:
        """The metrics that are compared: those of the place that decides, and what other metrics don't tell better."""
        left = LEFT_OUT | ({FIRST, STARTER_FIRST, TIED} if self.place else {LAST, STARTER_LAST})
        return [name for name in self.names if name[0] not in left]

    def change(self, name: MetricName | str) -> Change:
        """A metric in both variants, and its difference."""
        key = (name, 0) if isinstance(name, str) else name
        k = self.names.index(key)
        before, after = (each.share(k) if key[0] in SHARES else each.estimate(k) for each in (self.before, self.after))
        unpaired, paired = self.before.variance(k) + self.after.variance(k), self.differences.variance(k)
        return Change(key, before, after, self.difference(k), unpaired / paired if paired else float("inf"))

    def difference(self, k: int) -> Estimate:
        """The mean difference in column `k`; a seat's share differs by no more than the share of pairs that do."""
        metric = self.names[k][0]
        if metric not in SHARES:
            return self.differences.difference(k)
        found = self.differences.difference(k, 1.0)
        most = self.share_of_pairs(PLACE_DIFFERS).high
        return found.within(-most, most) if metric == self.shares else found

    def share_of_pairs(self, name: MetricName) -> Estimate:
        """The share of pairs that differ.

        DIFFERS: in moves or results; RESULT_DIFFERS: in a seat's result; PLACE_DIFFERS: in who came first (or last,
        where that place decides).
        """
        return share(float(self.after.sums[self.names.index(name)]), len(self))

    @property
    def precision(self) -> float:
        """The largest margin of the differences of seats' shares."""
        return max(self.difference(k).margin for k, name in enumerate(self.names) if name[0] == self.shares)

    def expected(self, precision: float, most: int) -> int:
        """How many pairs will be played for ±`precision`, at most `most`, judged by those so far."""
        times = (self.precision / precision) ** 2
        return round(max(len(self), len(self) * min(times, most / len(self))))


def compare(
    setup: SimulationSetup, b: GameSetup, *, precision: float = 0.01, least: int = LEAST, most: int = MOST,
    progress: Callable[[int, int], None] | None = None, source: Source = chunks,
) -> Comparison:  # fmt: skip
    """Play pairs, of the setup's game and of variant `b`, until the differences of seats' shares are known well enough.

    It stops at ±`precision`, but plays from `least` to `most` pairs. It stops by the width of intervals, never by
    their values, so that stopping early doesn't bias them. After an interrupt (KeyboardInterrupt) it returns what was
    finished, unless that is nothing. `progress` is told how many more pairs are done, and how many are expected in
    all. `source`: what plays the games.
    """
    out, half = Comparison.of(setup, b), replace(setup, threads=max(1, setup.threads // 2))
    sides = [source(side, most, here=setup.threads == 1) for side in (half, replace(half, game=b))]
    try:
        for (one, rows), (other, others) in zip(*sides, strict=True):
            out.add(rows, others, one.counters[:, HISTORY] != other.counters[:, HISTORY])
            if progress is not None:
                progress(len(one), max(least, out.expected(precision, most)))
            if len(out) >= least and out.precision <= precision:
                break
    except KeyboardInterrupt:
        if not len(out):
            raise
        out.interrupted = True
    finally:
        for side in sides:
            side.close()
    return out


# --- in words ---------------------------------------------------------------------------------------------------------
LISTENED = 20  # matches of each variant in which labels of moves are counted

LENGTHS = {
    "deals": say("deals"), "laps": say("rounds (until a player's turn comes again)"), "turns": say("turns"),
    "decisions": say("decisions"),
    "choices": say("of these with a choice"), "chances": say("draws of chance"),
    "forced": say("decisions without a choice"), "legal": say("moves to choose from, where there is a choice"),
    "pauses": say("choices, with simultaneous ones counted once"),
}  # fmt: skip
TITLES = {
    TIED: say("first place is shared"),
    **LENGTHS,
}
OF_STARTER = {
    STARTER_RESULT: _("who starts ({why}), above the mean"),
    STARTER_FIRST: _("who starts ({why}) comes first"),
    STARTER_LAST: _("who starts ({why}) loses"),
}
IN_FINDINGS = FIRST, LAST, STARTER_FIRST, STARTER_LAST, RESULT, STARTER_RESULT, TIED, "decisions", ENDED, KIND
MORE = {
    True: _("With {change}, {what}: {difference} more ({after} instead of {before})."),
    False: _("With {change}, {what}: {difference} less ({after} instead of {before})."),
}
FEWER = _("With {change}, {what}: {difference} fewer ({after} instead of {before}).")  # of what is counted
COUNTED = "decisions", KIND
NOBODY = (
    _("No significant difference in who wins: nobody's share changes by more than {points} percentage points."),
    _("No significant difference in who loses: nobody's share changes by more than {points} percentage points."),
)


def labels(found: Comparison, progress: Callable[[int, int], None] = lambda _done, _of: None) -> MessageCounts:
    """Labels of the kinds of moves, from some matches of both variants; those of `b` come first.

    A kind that none of these matches had is labelled from the first game in which it was used.
    """
    sides = found.setup, replace(found.setup, game=found.b)
    out = MessageCounts(found.b)
    for side in (sides[1], sides[0]):
        counts = MessageCounts(side.game)
        for number, match in enumerate(matches(side, min(LISTENED, len(found)))):
            counts.add_labels(match, number)
            progress(1, 2 * LISTENED)
        add_missing(out, counts)
    for kind in out.without_label(dict.fromkeys(found.kinds_used, 0)):
        variant, number = found.kinds_used[kind]
        counts = MessageCounts(sides[variant].game)
        for match in matches(sides[variant], 1, number):
            counts.add_labels(match, number)
        add_missing(out, counts)
    return out


def add_missing(out: MessageCounts, more: MessageCounts) -> None:
    """Add the labels of kinds that have none yet."""
    out.labels, out.texts = {**more.labels, **out.labels}, {**more.texts, **out.texts}


def about(found: Comparison) -> Text:
    """What was played, and the margin of the shares' differences."""
    points = 100 * found.precision
    return say(
        "{players} players, {pairs} pairs of games between bots ({bots}), seed {seed}: the shares of places "
        "are accurate to ±{points} percentage points.", players=found.a.players, pairs=len(found),
        bots=bots_text(found.setup.seated), seed=str(found.setup.seed),
        points=numbers.number(points, numbers.digits_for(points)))  # fmt: skip


def title(comparison: Comparison, name: MetricName, counts: MessageCounts) -> Text | None:
    """The title of a metric; None for a kind of move that was never legal."""
    what, k = name
    if what == RESULT:
        return say("seat {seat}, mean result, {unit}", seat=k + 1, unit=measure_of(comparison.a).unit)
    if what in (FIRST, LAST):
        text = _("seat {seat} loses") if what == LAST else _("seat {seat} comes first")
        return say(text, seat=k + 1)
    if what in OF_STARTER:
        return say(OF_STARTER[what], why=starting_of(comparison.a).why)
    if what == ENDED:
        return say("ends so: {ending}", ending=comparison.a.endings[k])
    if what == KIND:
        move = kind_labels(counts)[k]
        return None if move is None else say("“{move}”, times a game", move=move)
    return TITLES.get(what)


def section(comparison: Comparison, counts: MessageCounts) -> Section:
    """The table of changes: each metric in both variants, its difference, and what the pairing saved."""
    rows: list[tuple[Cell, ...]] = []
    for name in comparison.compared:
        head = title(comparison, name, counts)
        if head is not None:
            change = comparison.change(name)
            rows.append((head, *cells(comparison, change), factor(change.saved)))
    heads = say("measure"), say("before"), say("after"), say("difference"), say("gain from pairing")
    return Section("changes", say("What changes"), heads, tuple(rows), note(comparison))


def cells(comparison: Comparison, change: Change) -> tuple[Cell, Cell, Cell]:
    """The cells of a metric: before, after, and the difference."""
    if change.name[0] in SHARES:
        return (
            numbers.percent(change.before),
            numbers.percent(change.after),
            numbers.plain(change.difference.scaled(100)),
        )
    scale = measure_of(comparison.a).scale if change.name[0] in (RESULT, STARTER_RESULT) else 1.0
    before, after, difference = (
        numbers.plain(each.scaled(scale)) for each in (change.before, change.after, change.difference)
    )
    return before, after, difference


def factor(saved: float) -> Cell:
    """The cell for what pairing saved, as a factor."""
    return say("× {number}", number=numbers.number(saved, 1 if saved < 10 else 0)) if isfinite(saved) else "–"


def note(comparison: Comparison) -> Text:
    """The note: how to read the columns, and the options of both variants."""
    before, after = (" ".join(changed_options(game)) for game in (comparison.a, comparison.b))
    return say(
        "Shares and their differences in percent. Before: {before}. After: {after}. Gain from pairing: how "
        "many times as many games it would take without pairing.",
               before=before or say("as it is"), after=after or say("as it is"))  # fmt: skip


# --- findings -----------------------------------------------------------------------------------------------------
def findings(comparison: Comparison, counts: MessageCounts, looks: int = 1) -> list[Text]:
    """The changes that are significant at 5 % for all metrics together, and a bound on everybody's where none is.

    `looks`: how often that is asked while the comparison grows; it is corrected for as so many times the tests.
    """
    titled = [(name, title(comparison, name, counts)) for name in tested(comparison) if name[0] in IN_FINDINGS]
    known = sorted(((name, head) for name, head in titled if head), key=lambda pair: IN_FINDINGS.index(pair[0][0]))
    change, tests = option_changes(comparison.a, comparison.b), looks * len(known)
    out = [*([numbers.INTERRUPTED] if comparison.interrupted else []), pairs_that_differ(comparison)]
    for name, heading in known:
        made = comparison.change(name)
        found = made.difference
        if found.value and found.significant(0.0, tests):
            before, after = (value_text(comparison, name, each) for each in (made.before, made.after))
            size = size_text(comparison, name, found)
            key = FEWER if found.value < 0 and name[0] in COUNTED else MORE[found.value > 0]
            text = say(key, change=change, what=heading, difference=size, before=before, after=after)
            out.append(text)
    if not any(comparison.change(name).difference.significant(0.0, tests) for name in gain_names(comparison)):
        out.append(nobody_gains(comparison))
    return out


def gain_names(comparison: Comparison) -> list[MetricName]:
    """The metrics that say who gains: the shares of seats and of the starter."""
    starter = STARTER_LAST if comparison.place else STARTER_FIRST
    return [name for name in tested(comparison) if name[0] in (comparison.shares, starter)]


def tested(comparison: Comparison) -> list[MetricName]:
    """The compared metrics; without the starter's where these don't tell what starting is worth.

    That is where no result differs, for then only who starts can differ; and where more than starting sets the
    starter apart, in either variant.
    """
    same = not comparison.share_of_pairs(RESULT_DIFFERS).value
    same = same or not all(starting_of(game).at_random for game in (comparison.a, comparison.b))
    return [name for name in comparison.compared if not (same and name[0] in OF_STARTER)]


def pairs_that_differ(comparison: Comparison) -> Text:
    """The sentence about how many pairs differ at all."""
    counted = [numbers.percent(comparison.share_of_pairs(name)) for name in (DIFFERS, RESULT_DIFFERS, PLACE_DIFFERS)]
    pairs = say_n("{n} pair of games.", "{n} pairs of games.", len(comparison))
    texts = (
        _("{pairs} Pairs that go differently: {differs}; with a different result for somebody: {result}; with a "
          "different winner: {place}."),
        _("{pairs} Pairs that go differently: {differs}; with a different result for somebody: {result}; with a "
          "different loser: {place}."),
    )  # fmt: skip
    return say(texts[comparison.place], pairs=pairs, differs=counted[0], result=counted[1], place=counted[2])


def nobody_gains(comparison: Comparison) -> Text:
    """The sentence that no share changes significantly, with a bound at 95 % for all shares together."""
    names = gain_names(comparison)
    found = [comparison.change(name).difference.simultaneous(len(names)) for name in names]
    most = min(1.0, max(max(abs(each.low), abs(each.high)) for each in found))
    return say(NOBODY[comparison.place], points=numbers.number(100 * most, numbers.digits_for(100 * most)))


def value_text(comparison: Comparison, name: MetricName, found: Estimate) -> Text | str:
    """The value of a metric, without its interval."""
    if name[0] in SHARES:
        return say("{number} %", number=numbers.number(100 * found.value, 1))
    scaled = found.scaled(measure_of(comparison.a).scale if name[0] in (RESULT, STARTER_RESULT) else 1.0)
    return numbers.number(scaled.value, min(2, numbers.digits_for(scaled.margin)))


def size_text(comparison: Comparison, name: MetricName, found: Estimate) -> Text | str:
    """The size of a significant difference of a metric."""
    if name[0] in SHARES:
        return say("{points} percentage points", points=numbers.points(found))
    if name[0] in (RESULT, STARTER_RESULT):
        return numbers.gap(found, measure_of(comparison.a))
    return numbers.plain(Estimate(abs(found.value), *numbers.ends(found), found.count))


# --- the page ---------------------------------------------------------------------------------------------------------
def comparison_page(
    found: Comparison, said: Sequence[Text], changes: Section, command: str, catalogue: Catalogue
) -> str:
    """The page of a comparison: its findings and its table of changes; `command` makes it again."""
    words = catalogue.words
    title = say("{title}: {change}", title=found.a.table.TITLE, change=option_changes(found.a, found.b))
    counted = say("{players} players, {pairs} pairs of games", players=found.a.players, pairs=numbers.count(len(found)))
    part = {
        "players": found.a.players,
        "title": words(counted),
        "tables": [table_context(changes, catalogue)],
        "command": "",
    }
    return rendered(
        catalogue, title=words(title), intro=[words(found.a.table.ABOUT.text), words(about(found))],
        heading=words(say("Findings")), findings=[words(each) for each in said], nothing="", heading_parts="",
        parts=[part],
        closing=[words(say(
            "Both variants get the same cards and the same random choices of bots, for as long as their games "
            "run alike.")),
                 words(made_with(command)), words(found.a.table.ABOUT.credit)],
    )  # fmt: skip


# --- as data ----------------------------------------------------------------------------------------------------------
OF_SEATS = {RESULT, FIRST, LAST, STARTS, ABOVE}


def of_comparison(found: Comparison, said: Iterable[Text], catalogue: Catalogue) -> dict[str, Any]:
    """A comparison's file; `said`: its findings."""
    pairs = {"differ": DIFFERS, "result_differs": RESULT_DIFFERS, "place_differs": PLACE_DIFFERS}
    part = {
        "players": found.a.players, "options": {"before": dict(found.a.options), "after": dict(found.b.options)},
        "bots": list(found.setup.seated), "games": len(found),
        "measures": [of_change(found, name) for name in found.compared],
        "pairs": {key: estimate_fields(found.share_of_pairs(name)) for key, name in pairs.items()},
    }  # fmt: skip
    whole = head("comparison", found.a.name, said, catalogue, found.interrupted)
    return whole | {"seed": found.setup.seed, "parts": [part]}


def metric_fields(game: GameSetup, name: MetricName) -> dict[str, Any]:
    """The fields that name a counted measure and the seat, ending or kind it is of."""
    what, k = name
    of: int | str | None = k if what in OF_SEATS else None
    if what == ENDED:
        of = game.rules.ENDINGS[k]
    if what in (KIND, KIND_USED):
        of = kind_numbers(game.rules.ACTIONS)[0][k]
    return {"measure": what, "of": of}


def of_change(found: Comparison, name: MetricName) -> dict[str, Any]:
    """The fields of a measure in both variants."""
    change = found.change(name)
    estimates = {key: estimate_fields(getattr(change, key)) for key in ("before", "after", "difference")}
    return metric_fields(found.a, name) | estimates | {"saved": change.saved if isfinite(change.saved) else None}
