"""Effects: what measures do under another condition on the same cards, such as another rule or a forced way of playing.

An effect is a paired difference for each measure. A study of some is told in one way, whatever was changed. Effects are
kept in a file, from which it goes on.
"""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable, Container, Generator, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from hexdeck.bots.players import bot_names, levels
from hexdeck.engine.errors import BadOption, HexdeckError
from hexdeck.engine.options import MAX_COPIES, Choice, Deck, Number, Numbers, Option, Seats, Switch, by_name
from hexdeck.engine.play.game import GameSetup
from hexdeck.engine.play.match import Match
from hexdeck.engine.text import _, say
from hexdeck.files import ResumableFile, checksum
from hexdeck.lab import counts, pairs, store, studies
from hexdeck.lab import counts as metrics
from hexdeck.lab.counts import Chunk, Source, chunks
from hexdeck.lab.counts import Progress as Tick
from hexdeck.lab.log import SimulationSetup, matches
from hexdeck.lab.messages import MessageCounts
from hexdeck.lab.pairs import PAIRS, STARTER, Change, Comparison, Effect, Shift, bound, compare, surely
from hexdeck.lab.reporting import charts, figures, shape, tables, wording
from hexdeck.lab.reporting.measures import ABOVE, GAIN, LEAST, RESULT, TOO_FEW, Measure, Section
from hexdeck.lab.reporting.measures import POINTS as SHARE_POINTS
from hexdeck.lab.reporting.page import made_with, rendered
from hexdeck.lab.reporting.report import ReportPart, part_of
from hexdeck.lab.reporting.tables import ENDING, MEASURES, PROBES, STARTS
from hexdeck.lab.reporting.wording import bots_text, changed_options, fork_name, variant_changes
from hexdeck.lab.tension import MatchAnalyser, MatchAnalysis, analyse_matches
from hexdeck.simulation.simulate import check_bots
from hexdeck.stats import NORMAL, Estimate, mean_share, median

SEATS, RESULTS = "seats", "results"
NAMED, SHOWN = 3, 15  # changes that a finding names; that a chart shows
UNCLEAR = 5.0  # percentage points: where a share may change by more, little is measured yet
MANY = 10**9  # pairs
JOINED = metrics.KIND, metrics.ENDED  # measures whose findings are one sentence
FORMAT = 6  # of a row of the file
LISTENED = 20  # matches in which labels of moves are counted
MEASURE = {each.name: each for each in MEASURES}


# --- a study, whatever was changed ------------------------------------------------------------------------------------
@dataclass(frozen=True)
class EffectStudy:
    """What was found on games of a setup."""

    what: str  # its name in data
    setup: SimulationSetup
    title: str
    about: list[str]  # what was played
    findings: list[str]
    tables: list[Section]
    fields: dict[str, Any]  # all of it as data
    closing: str  # how to read it
    interrupted: bool = False
    bars: dict[str, list[charts.Bar]] = field(default_factory=dict)  # of the tables that are drawn as charts too

    def __post_init__(self) -> None:
        if self.interrupted:  # findings aren't of all
            self.findings.insert(0, wording.INTERRUPTED)

    def page(self, command: str) -> str:
        """The page; `command` makes it again."""
        game = self.setup.game
        plots = [
            charts.Plot(section.id, "What each value changes", charts.tornado(bars, section.title))
            for section in self.tables
            if (bars := self.bars.get(section.id))
        ]
        part = {"id": game.players, "title": f"{game.players} players"}
        part |= {"tables": [(section, []) for section in self.tables], "plots": plots}
        return rendered(
            title=self.title,
            intro=(str(game.table.ABOUT.text), *self.about),
            findings=[(text, None) for text in self.findings],
            parts=[part],
            closing=[self.closing, f"Run this again: {command}", f"{made_with()} {game.table.ABOUT.credit}"],
        )

    def data(self) -> dict[str, Any]:
        """All figures, with the findings."""
        return figures.head(self.what, self.setup.game.name, self.findings, interrupted=self.interrupted) | self.fields


def played(setup: SimulationSetup, text: str) -> list[str]:
    """What was played, in a sentence of one's own; then the options that aren't at their defaults."""
    options = changed_options(setup.game)
    return [
        f"{setup.game.players} players{text} between bots ({bots_text(setup.seated)}), seed {setup.seed!s}",
        *([f"Options: {', '.join(options)}."] if options else []),
    ]


def study_fields(setup: SimulationSetup, pairs: int, **more: Any) -> dict[str, Any]:
    """A study as data: what was played, and more."""
    game = setup.game
    about = {"players": game.players, "options": dict(game.options), "bots": list(setup.seated), "seed": setup.seed}
    return about | {"pairs": pairs, **more}


def size_of(difference: Estimate) -> str:
    """A difference with its sign and margin."""
    return wording.plain(difference, 2, write=wording.signed)


# --- one change, in every measure -------------------------------------------------------------------------------------
TOLD = {measure.name for measure in MEASURES if measure.compared}
LUCK, DUELS = "duel_lots", 1000  # the measure; the deals that it is of
NOT_LOOKED = "--sample 200 also looks into 200 pairs, for tension, luck, and what starting itself is worth."
SAME_CARDS = (
    "Both variants get the same cards and the same random choices of bots, for as long as their games run alike."
)


def compared(
    comparison: Comparison,
    messages: MessageCounts,
    precision: float = 1.0,
    looks: Sequence[ReportPart] = (),
    games: int | None = None,
) -> EffectStudy:
    """The study of a change of rules or of bots: `messages` have the labels of moves.

    `looks`: both variants, as far as their matches were looked into. `precision`, `games`: as they were asked for.
    """
    setup, part, points = comparison.setup, part_of(comparison.setup), wording.fitting(100 * comparison.precision)
    sentence = played(setup, f", {wording.count(len(comparison))} pairs of games")[0]
    about = [f"{sentence}: the shares of places are accurate to ±{points} percentage points."]
    looked = len(looks[0].analyses) if looks else 0
    about.append(f"{wording.of(looked, 'pair was', 'pairs were')} looked into, move by move." if looked else NOT_LOOKED)
    if comparison.precision > precision and not comparison.interrupted:
        enough = wording.count(int(float(f"{comparison.expected(comparison.precision / precision, MANY):.2g}")))
        about.append(f"For ±{100 * precision:g} (--precision) it would take about {enough} pairs (--games).")
    elif games and len(comparison) < games and not comparison.interrupted:
        about.append(f"Stopped before {wording.count(games)} pairs: that is accurate enough (--precision).")
    about += wording.longer_at_tables(comparison.a, comparison.b)
    further = [*looked_changes(*looks), *studied_changes(comparison, *looks)] if looks else []
    changes = {change.name: change for change in (*map(comparison.change, comparison.compared), *further)}
    titles = {name: titled(part, name, messages) for name in changes}
    told = ((changes[name], title) for name, title in titles.items() if title is not None)
    rows = [(title, *cells(part, change)) for change, title in told if not is_constant(change)]
    heads = "measure", "before", "after", "difference", "gain from pairing"
    before, after = variants(comparison)
    note = (
        f"Shares and their differences in percent. Before: {before}. After: {after}. Gain from pairing: how many "
        "times as many games it would take without pairing."
    )

    def change_fields(change: Change) -> dict[str, Any]:
        (metric, k), saved = change.name, change.saved
        keys = MEASURE[metric].of.keys(part)
        of = keys[k - (metric == metrics.ENDED)] if keys else None
        estimates = {key: tables.estimate_fields(getattr(change, key)) for key in ("before", "after", "difference")}
        return {"measure": metric, "of": of, **estimates, "saved": saved if math.isfinite(saved) else None}

    findings = [*differences(comparison, messages, further)]
    options = {"before": dict(comparison.a.options), "after": dict(comparison.b.options)}
    fields = {"players": comparison.a.players, "options": options, "bots": list(setup.seated), "games": len(comparison)}
    fields |= {"changed_bots": list(comparison.setups[1].seated), "looked_at": looked}
    fields["measures"] = [*map(change_fields, changes.values())]
    fields["pairs"] = {key: tables.estimate_fields(comparison.share_of_pairs(name)) for key, name in PAIRS.items()}
    data, table = {"seed": setup.seed, "parts": [fields]}, Section("changes", "What changes", heads, tuple(rows), note)
    title = f"{comparison.a.table.ABOUT.title}: {changed(comparison)}"
    return EffectStudy("comparison", setup, title, about, findings, [table], data, SAME_CARDS, comparison.interrupted)


def variants(comparison: Comparison) -> tuple[str, str]:
    """Both variants by what isn't usual of them: a fork's name, options, and where bots change those of seats."""
    before, after = ([*fork_name(comparison.a, game), *changed_options(game)] for game in (comparison.a, comparison.b))
    return " ".join(before) or "as it is", " ".join([*after, *changed_seats(comparison)]) or "as it is"


def changed(comparison: Comparison) -> str:
    """In what variant `b` differs from `a`, in words that can follow “with”."""
    return " ".join([*variant_changes(comparison.a, comparison.b).split(), *changed_seats(comparison)])


def changed_seats(comparison: Comparison) -> list[str]:
    """The seats that have other bots in variant `b`, as they are typed."""
    pairs = zip(*(side.seated for side in comparison.setups), strict=True)
    return [f"seat {k}={bot_names.spoken(second)}" for k, (first, second) in enumerate(pairs, 1) if first != second]


def look_into(
    comparison: Comparison, pairs: int, tick: Tick = lambda _done: None, known: ReportPart | None = None
) -> tuple[ReportPart, ...]:
    """Both variants, with the analyses of so many pairs; `known`: the first one, if it was looked into before.

    Nothing for no pairs, or if the comparison was interrupted.
    """
    parts, games = [] if known is None else [known], min(pairs, len(comparison))
    sides = [*zip(comparison.setups, comparison.sides, strict=True)]
    for side, statistics in sides[len(parts) :] if games and not comparison.interrupted else []:
        look, played = look_for(MEASURES, side.game), matches(side, games)
        analyses = analyse_matches(side, played, progress=lambda done, _spent: tick(done), look=look)
        parts.append(part_of(side, statistics, analyses=tuple(analyses)))
    return tuple(parts)


def looked_changes(before: ReportPart, after: ReportPart) -> Iterator[Change]:
    """Changes of the measures of matches that were looked into, as far as enough were."""
    for measure in MEASURES:
        shift = shift_of(measure, before, after)
        if shift is not None and shift.difference.count >= LEAST:
            ends = (measure.of_part(part) for part in (before, after))
            yield changed_by((measure.name, 0), ends, shift.difference)


def studied_changes(
    comparison: Comparison, before: ReportPart, after: ReportPart, *, play: bool = True
) -> Iterator[Change]:
    """What starting itself is worth, where chance decided; and, if games may be played for it, luck."""
    if play:
        studied = (studies.study_starts(setup, min(len(comparison), studies.STUDIED)) for setup in comparison.setups)
        before, after = (replace(part, starts=starts) for part, starts in zip((before, after), studied, strict=True))
    for measure in STARTS:
        a, b = measure.of_part(before), measure.of_part(after)
        if a.count and b.count and measure.remark is not None and measure.remark.holds(before, a) and after.same_bots:
            off, apart = math.hypot(a.margin, b.margin), b.value - a.value  # chance decided in other games: no pairs
            yield Change((measure.name, 0), a, b, Estimate(apart, apart - off, apart + off, min(a.count, b.count)), 1.0)
    if play and comparison.a != comparison.b:
        place, players, deals = before.place, before.players, min(DUELS, len(comparison))
        shares = [studies.duel(setup, "house", "random", deals).shares[place] for setup in comparison.setups]
        scale = players if place else -1 / (1 - 1 / players)  # as `by_lot` has it
        ends = (studies.by_lot(mean_share(side), players, place) for side in shares)
        yield changed_by((LUCK, 0), ends, Shift.of(shares[0], shares[1], 1.0).difference.scaled(scale))


def changed_by(name: metrics.MetricName, ends: Iterable[Estimate], difference: Estimate) -> Change:
    """A change that wasn't counted; what pairing saved is reckoned from margins."""
    before, after = ends
    apart, paired = before.margin**2 + after.margin**2, difference.margin**2
    return Change(name, before, after, difference, apart / paired if paired else math.inf)


def titled(part: ReportPart, name: metrics.MetricName, messages: MessageCounts) -> str | None:
    """The title of a counted measure of a seat, an ending and so on; None for a kind of move that was never legal."""
    measure, k = MEASURE[name[0]], name[1]
    names = measure.of.names(replace(part, messages=messages))
    of = str(part.game.endings[k]) if measure.of is ENDING else names[k] if names else ""
    return None if of is None else called(part, measure, of, k)


def called(part: ReportPart, measure: Measure, of: str, k: int = 0) -> str:
    """How a comparison calls a measure of something."""
    gaps = {"of": of, "n": k + 1, "unit": part.measure.unit, "why": part.starting.why, "deal": part.first_deal}
    return (measure.compared or measure.titled(part)).format(**gaps)


def cells(part: ReportPart, change: Change) -> tuple[str, ...]:
    """The cells of a measure: before, after, the difference, and what pairing saved, as a factor."""
    unit, saved = MEASURE[change.name[0]].unit, change.saved
    unit = GAIN if unit is ABOVE else unit  # the title has it
    difference = wording.plain(change.difference.scaled(unit.scale(part)), write=wording.signed)
    factor = f"× {wording.number(saved, 1 if saved < 10 else 0)}" if math.isfinite(saved) else "–"
    return unit.cell(part, change.before), unit.cell(part, change.after), difference, factor


def asked(comparison: Comparison, messages: MessageCounts, beside: Sequence[Change] = ()) -> list[Change]:
    """The changes that findings are about: of counted measures, and those `beside`."""
    part, names = part_of(comparison.setup), (name for name in comparison.tested if name[0] in TOLD)
    return [*(comparison.change(name) for name in names if titled(part, name, messages)), *beside]


def differences(
    comparison: Comparison,
    messages: MessageCounts,
    beside: Sequence[Change] = (),
    sure: Container[metrics.MetricName] | None = None,
    named: Sequence[str] = (),
) -> Iterator[str]:
    """Who gains; what else surely changes, the largest first; both variants as they are played; how pairs differ.

    `sure`: what is, where that was said together with further questions. `named`: the variants in words.
    """
    changes = asked(comparison, messages, beside)
    if sure is None:
        judged = zip(changes, surely([change.difference for change in changes]), strict=True)
        sure = [change.name for change, is_sure in judged if is_sure]
    part, certain = part_of(comparison.setup), [change for change in changes if change.name in sure]
    starts = {change.name[0]: change for change in beside}
    unclear = [gain for name, gain in comparison.gains.items() if name not in {change.name for change in certain}]
    if len(unclear) >= part.players:  # no seat's share surely changes
        largest = 100 * min(1.0, bound(unclear, len(comparison.gains)))  # at 95 % for all shares together
        does, whose = (
            ("wins", "loses")[comparison.place],
            "nobody" if len(unclear) == len(comparison.gains) else "no seat",
        )
        points = f"{wording.fitting(largest)} percentage points"
        if largest > UNCLEAR:
            games = wording.of(len(comparison), "pair of games rules", "pairs of games rule")
            yield f"Can't tell yet who {does} more often: {games} out only changes above {points}."
        else:
            yield f"No significant difference in who {does}: {whose}'s share changes by more than {points}."
    certain.sort(key=lambda change: (change.name not in comparison.gains, -size_of_change(change)))
    joined = {metric: [change for change in certain if change.name[0] == metric] for metric in JOINED}
    starter = {metrics.STARTER_RESULT: "start_gain", part.starter_share: f"start_{('first', 'last')[part.place]}"}
    for change in certain:
        metric = change.name[0]
        if change in (group := joined.get(metric, [change]))[:1]:
            worth = worth_of_start(part, starts.get(starter[metric])) if metric in starter else ""
            text = "; ".join(f"{titled(part, each.name, messages)}: {shift_in_words(part, each)}" for each in group)
            if metric == metrics.KIND:
                text = f"times a game: {text.replace(', times a game:', '')}"
            yield f"{wording.capitalised(text)}.{worth}"
    sides = zip(
        ("Before", "After"),
        named or variants(comparison),
        map(part_of, comparison.setups, comparison.sides),
        strict=True,
    )
    yield from (f"{side} ({name}): {wording.as_played(part)}." for side, name, part in sides)
    differs, result, place = (wording.percent(comparison.share_of_pairs(name)) for name in PAIRS.values())
    pairs, role = wording.of(len(comparison), "pair of games", "pairs of games"), ("winner", "loser")[comparison.place]
    yield (
        f"{pairs}. Pairs that go differently: {differs}; with a different result for somebody: {result}; with a "
        f"different {role}: {place}."
    )


def is_constant(change: Change) -> bool:
    """Whether a measure is 0 in both variants, or a share that is all of it in both."""
    ends = {change.before.value, change.after.value}
    return ends == {0.0} or (ends == {1.0} and MEASURE[change.name[0]].unit.factor == 100)


POINTS = " percentage points"


def shift_in_words(part: ReportPart, change: Change, percent: str = " %") -> str:
    """What a measure is and was, to as many digits as their difference is known, and that; `percent`: its unit."""
    unit, (_before, _after, size, _saved) = MEASURE[change.name[0]].unit, cells(part, change)
    scale, shift = unit.scale(part), part.measure.shift if unit is RESULT else 0.0
    ends = [shift + scale * end.value for end in (change.after, change.before)]
    known = digits = wording.digits_for(scale * change.difference.margin)
    size_shown = round(ends[0] - ends[1], known)
    while digits < 2 and round(round(ends[0], digits) - round(ends[1], digits), known) != size_shown:
        digits += 1  # so that the difference is that of the two as they are shown
    after, before = (wording.number(end, min(digits, 2) if abs(end) >= 1 else digits) for end in ends)
    percent, points = (POINTS if unit is SHARE_POINTS else percent, POINTS) if unit.factor == 100 else ("", "")
    return f"{after}{percent} instead of {before} ({size}{points})"


def size_of_change(change: Change) -> float:
    """How large a difference is beside how much games differ, by which findings are sorted."""
    spread = max(end.margin * end.count**0.5 for end in (change.before, change.after))
    return abs(change.difference.value) / spread if spread else math.inf


def worth_of_start(part: ReportPart, change: Change | None = None) -> str:
    """What starting itself is worth, behind what those who start have."""
    if part.starting.at_random:
        return " Who starts isn't up to the players, so that is what starting is worth."
    if change is None:
        return " That isn't what starting is worth: what made them start may help or hurt, too."
    decided = f"where {part.starting.chance or part.starting.why} decided"
    return f" Starting itself, {decided}, is worth {shift_in_words(part, change, POINTS)}."


def labels(comparison: Comparison, progress: Callable[[int, int], None] = lambda _done, _of: None) -> MessageCounts:
    """Labels of the kinds of moves, from some matches of variant `b`, or the first with a kind in either."""
    out = MessageCounts(comparison.b)
    for number, match in enumerate(matches(comparison.setups[1], min(LISTENED, len(comparison)))):
        out.add_labels(match, number)
        progress(1, LISTENED)
    for side, statistics in zip(comparison.setups, comparison.sides, strict=True):
        out.add_missing(side, statistics)
    return out


# --- many changes, in a few measures ----------------------------------------------------------------------------------
def headings(part: ReportPart) -> dict[str, tuple[float, str]]:
    """The measures that are told of each change: what they are multiplied by where people read them, and titles."""
    place = ("first places", "losses")[part.place]
    out = {
        SEATS: (100.0, f"Seats: the one whose share of {place} changes most, in percentage points"),
        RESULTS: (part.measure.scale, f"Results: the seat whose mean result changes most, {part.measure.unit}"),
        "minutes": (1.0, "Length: minutes of a match at a real table"),
        "turns": (1.0, "Length: turns of a match"),
    }
    for measure in looked_into():
        scale = measure.unit.scale(part)
        in_points = ", in percentage points" if scale == 100 else ""
        out[measure.name] = scale, f"Tension: {measure.titled(part)}{in_points}"
    return out


def looked_into() -> Iterator[Measure]:
    """The measures of matches that are looked into for each change."""
    return (measure for measure in MEASURES if measure.of_match is not None and measure.workshop)


def look_for(measures: Iterable[Measure], game: GameSetup) -> Callable[[MatchAnalyser, Match, int], MatchAnalysis]:
    """How to look into matches for what these measures need of a game."""
    part = part_of(SimulationSetup(game))
    return MatchAnalyser.analyse if any(each.deep and each.wanted(part) for each in measures) else MatchAnalyser.chances


def shift_of(measure: Measure, before: ReportPart, after: ReportPart) -> Shift | None:
    """The shift of a measure of matches that were looked into; None for others, and where these are no pairs."""
    if measure.of_match is None:
        return None
    first, second = measure.values(before), measure.values(after)
    if len(first) != len(second) or not (finite := np.isfinite(first) & np.isfinite(second)).any():
        return None
    if finite.all() and measure.average not in CENTRES:
        return Shift.of(first, second)
    centre, rng = CENTRES.get(measure.average, np.nanmean), np.random.default_rng(0)
    drawn = rng.integers(0, len(first), (RESAMPLED, len(first)))  # pairs, since this is no mean of differences
    with np.errstate(invalid="ignore"), warnings.catch_warnings(action="ignore"):
        apart = centre(second[drawn], axis=1) - centre(first[drawn], axis=1)
        usual = float(centre(first, axis=0))
        value, off = float(centre(second, axis=0)) - usual, NORMAL * float(np.nanstd(apart))
    return Shift(usual, Estimate(value, value - off, value + off, int(finite.sum())))


def nanroot(values: np.ndarray, axis: int) -> Any:
    """As `shape.root` averages, without values that are NaN."""
    return np.sqrt(np.maximum(0.0, np.nanmean(values, axis=axis)))


CENTRES: dict[Any, Callable[..., Any]] = {median: np.nanmedian, shape.root: nanroot}  # averages that are no means
RESAMPLED = 400  # times that pairs are drawn anew


@dataclass(frozen=True)
class Untried:
    """A change that can't be tried, and why."""

    change: str
    why: str


READ_BARS = (
    "Bars: from the game as it is to each value, the largest that are certain first; thin lines are 95 % confidence "
    "intervals, pale bars aren't certain, for all values together. One option is changed at a time: two changes "
    "together may do something else."
)


def swept(
    setup: SimulationSetup,
    pairs: int,
    sample: int,
    outcomes: Sequence[Effect | Untried],
    tests: int,
    *,
    interrupted: bool = False,
) -> EffectStudy:
    """The study of changes of rules, one at a time; `sample`: the pairs that were looked into; of so many `tests`."""
    part, effects = part_of(setup), [effect for effect in outcomes if isinstance(effect, Effect)]
    titles = {name: of for name, of in headings(part).items() if any(name in effect.shifts for effect in effects)}
    questions = [(name, effect) for name in titles for effect in effects if name in effect.shifts]
    sure = surely([effect.shifts[name].difference for name, effect in questions], tests * len(titles))
    findings, tables, bars = list[str](), list[Section](), dict[str, list[charts.Bar]]()
    for name, (scale, title) in titles.items():
        rows, own = list[tuple[str, ...]](), list[charts.Bar]()
        for (measure, effect), is_sure in zip(questions, sure, strict=True):
            if measure == name:
                estimate, before = effect.shifts[name].difference.scaled(scale), scale * effect.shifts[name].before
                seat = {SEATS: effect.who, RESULTS: effect.whose}.get(name)
                whom = "" if seat is None else "who starts " if seat == STARTER else f"seat {seat + 1} "
                before += part.measure.shift if name == RESULTS and seat != STARTER else 0.0
                own.append(charts.Bar(effect.change, estimate, f"{whom}{size_of(estimate)}", is_sure))
                change = effect.change + (f" (with {effect.beside} in both)" if effect.beside else "")
                rows.append((change, wording.number(before, 2 if abs(before) < 10 else 1), own[-1].value))
        tables.append(Section(name, title, ("value", "as it is", "difference"), tuple(rows)))
        starts = any(bar.sure and bar.value.startswith("who starts") for bar in own)
        findings.append(f"{title}: {most_changed(own, tests * len(titles))}.{worth_of_start(part) if starts else ''}")
        drawn = sorted((bar for bar in own if bar.size), key=lambda bar: (not bar.sure, -bar.size, bar.name))
        bars[name] = drawn[:SHOWN]
    untried = [trial for trial in outcomes if isinstance(trial, Untried)]
    idle = [effect.change for effect in effects if not any(shift.difference.value for shift in effect.shifts.values())]
    findings += [f"Without any effect in {wording.count(pairs)} pairs of games: {', '.join(idle)}."] if idle else []
    findings += [f"{trial.change} can't be measured alone: {trial.why}" for trial in untried]
    sentence, *options = played(setup, f"; each value on {wording.count(pairs)} pairs of games")
    sentence += f", {wording.count(sample)} of them looked into for tension and drama."
    options += wording.longer_at_tables(setup.game)
    about = [sentence, *options, "Each value is compared with the game as it is, on the same deals."]
    fields = study_fields(setup, pairs, sample=sample, effects=[*map(asdict, effects)], refused=[*map(asdict, untried)])
    title = f"What if: {setup.game.table.ABOUT.title}"
    return EffectStudy("sweep", setup, title, about, findings, tables, fields, READ_BARS, interrupted, bars)


def most_changed(bars: Sequence[charts.Bar], tests: int) -> str:
    """What surely changes a measure most, or a bound on what anything does."""
    sure = sorted((bar for bar in bars if bar.sure), key=lambda bar: -bar.size)
    if not sure:
        widest = bound([bar.estimate for bar in bars], tests)
        none = f"no value clearly changes it; none changes it by more than {wording.fitting(widest)}"
        return none if math.isfinite(widest) else TOO_FEW
    largest, further = ", ".join(f"{bar.name} ({bar.value})" for bar in sure[:NAMED]), len(sure) - NAMED
    if further <= 0:
        return f"clearly changed by {largest} only"
    return f"most by {largest}; {wording.of(further, 'other value clearly changes', 'other values clearly change')} it"


# --- ways of playing --------------------------------------------------------------------------------------------------
def probed(setup: SimulationSetup, games: int, effects: Sequence[Effect], *, interrupted: bool = False) -> EffectStudy:
    """The study of ways of playing that were forced on bots."""
    part = part_of(setup, probes=tuple(pairs.judged(effects)))
    kind = "manner" if any(pairs.MANNER_TIMES in effect.shifts for effect in effects) else "probe"
    sentence, *options = played(setup, f"; each {kind} on {wording.count(games)} pairs of games")
    findings = [brings(effect, part) for effect in part.probes]
    fields = study_fields(setup, games, probes=[figures.probe_fields(effect, part) for effect in part.probes])
    title = f"{kind.capitalize()}s: {setup.game.table.ABOUT.title}"
    about = [f"{sentence}.", *options, *wording.longer_at_tables(setup.game)]
    closing = "This says what a way of playing brings against these bots; against people it may bring something else."
    return EffectStudy("probe", setup, title, about, findings, [*PROBES.sections(part)], fields, closing, interrupted)


def brings(effect: Effect, part: ReportPart) -> str:
    """What a probe or a manner brings, in a sentence; and how often a bot with a manner does what that likes."""
    doing, gain = pairs.probe_of(part.game, effect.change).doing, effect.shifts[pairs.GAIN].difference
    if not effect.shifts[pairs.APPLIED_TIMES].difference.value:
        return f"{doing} never came up."
    if not effect.shifts[pairs.CHANGED_TIMES].difference.value:
        return f"{doing} changes nothing: the bot plays so already."
    manner = ""
    if (shift := effect.shifts.get(pairs.MANNER_TIMES)) is not None and 0 < shift.difference.margin < math.inf:
        phrase = say(levels.manner_named(part.game, effect.change).phrase, often=levels.often(shift.difference.value))
        manner = f" A bot like that {wording.english(phrase)}."
    if not effect.sure:
        return f"{doing} makes no sure difference: {wording.gap_signed(gain, part.measure)}.{manner}"
    place, place_says = effect.shifts[pairs.PLACE].difference, ""
    if part.place == 0 and place.value * gain.value < 0 and abs(place.value) > 2 * place.margin:
        often = f"{'more' if place.value > 0 else 'less'} often"
        more = wording.plain(place.scaled(100), write=wording.signed)
        place_says = f", though it comes first {often} ({more} percentage points)"
    return f"{doing} {'gains' if gain.value > 0 else 'costs'} {wording.gap(gain, part.measure)}{place_says}.{manner}"


# --- the file ---------------------------------------------------------------------------------------------------------
class EffectFile:
    """Effects by their changes, in a resumable file if there is one: what is in it isn't measured again."""

    def __init__(self, path: Path | None, setup: SimulationSetup, pairs: int, sample: int = 0) -> None:
        self.effects = dict[str, Effect | Untried]()
        about = {"game": setup.game.name, "version": f"{store.code_hash(setup.game)} {FORMAT}"}
        self._file = ResumableFile(path, "effects", about | study_fields(setup, pairs, sample=sample))
        for number, row in enumerate(self._file.rows):
            if not isinstance(row, dict) or row.pop("checksum", "") != checksum(row):
                raise self._file.damaged(number)
            for name, shift in row["shifts"].items():
                row["shifts"][name] = Shift(shift["before"], Estimate(**shift["difference"]))
            self.effects[row["change"]] = Effect(**row)

    def add(self, effect: Effect | Untried) -> None:
        """Store an effect; raises HexdeckError where the file can't be written."""
        self.effects[effect.change] = effect
        if isinstance(effect, Effect):
            row = asdict(effect)
            self._file.add(row | {"checksum": checksum(row)})


FEW = 7  # values of a number, all of which are tried
SMALL = 20  # numbers below are tried one lower and one higher, others at half and at twice their value


# --- what is tried ----------------------------------------------------------------------------------------------------
@dataclass(frozen=True)
class OptionTrial:
    """An option of a game and another value for it, in canonical form; `change`: both as they are typed."""

    option: Option
    value: Any

    change = cached_property[str](lambda self: f"{self.option.name}={self.option.spell(self.value)}")


def trials(game: GameSetup, changes: Sequence[str] = ()) -> list[OptionTrial]:
    """The options and values to try, as `key` or `key=value`; all if none was asked for. Raises BadOption."""
    options = {option.name: option for option in game.rules.OPTIONS}
    out: list[OptionTrial] = []
    for word in changes or options:
        name, equals, typed = word.partition("=")
        option = by_name(game.rules.OPTIONS, [name])[name]
        now = game.options[name]
        if not equals:
            for candidate in nearby_values(option, now, game.players):
                with suppress(BadOption):  # out of the option's range
                    out.append(OptionTrial(option, option.parse(candidate)))
            continue
        value = option.read(typed)
        if value == now:
            text = _(
                "{option}={value} is how the game is played already; give another value, or {option} alone for all."
            )
            raise BadOption(say(text, option=name, value=option.spell(value)))
        pair_of(game, option, value)
        out.append(OptionTrial(option, value))
    return list({trial.change: trial for trial in out if trial.value != game.options[trial.option.name]}.values())


def nearby_values(option: Option, now: Any, players: int) -> Iterator[Any]:
    """Values to try for an option that has the value `now`; some may be out of its range."""
    match option:
        case Choice():
            yield from option.values
        case Switch():
            yield not now
        case Number():
            neighbours = (now - 1, now + 1) if now < SMALL else (now // 2, 2 * now)
            yield from range(option.low, option.high + 1) if option.high - option.low < FEW else neighbours
        case Deck():
            yield from (name for name, _counts in option.named)
            for step in (-1, 1):  # of the numbers that there are
                yield [min(max(count + step, 1), MAX_COPIES) if count else 0 for count in option.counts(now)]
        case Numbers():
            for step in (-1, 1):
                yield [min(max(number + step, option.low), option.high) for number in option.plain(now)]
        case Seats():
            yield from ([], list(range(players)))


def pair_of(game: GameSetup, option: Option, value: Any) -> tuple[GameSetup, GameSetup, str]:
    """The two games that differ in a value only, and an option, as `key=value`, that both need; raises BadOption."""
    needed = None
    try:
        changed = game.variant(**{option.name: value})
        name = option.needs[0] if option.needs else option.name
        if name == option.name or changed.options[name] == game.options[name]:
            return game, changed, ""
        switched = next(candidate for candidate in game.rules.OPTIONS if candidate.name == name)
        needed = switched, switched.spell(changed.options[name])
    except BadOption:
        needed = companion(game, option, value)
        if needed is None:
            raise
    usual = game.variant(game.players, **{needed[0].name: needed[1]})
    return usual, usual.variant(**{option.name: value}), f"{needed[0].name}={needed[1]}"


def readings(game: GameSetup) -> list[tuple[Option, str]]:
    """The other readings of a game's rules: each option that stands for a rule, with each value but the default."""
    out: list[tuple[Option, str]] = []
    for option in game.rules.OPTIONS:
        values: Sequence[Any] = option.values if isinstance(option, Choice) else (False, True)
        if option.rule and isinstance(option, (Choice, Switch)):
            out += [(option, option.spell(value)) for value in values if value != option.default]
    return out


def companion(game: GameSetup, option: Option, value: Any) -> tuple[Option, str] | None:
    """The first other reading that makes a value playable in a game with its options; None if there is none."""
    for reading, theirs in readings(game):
        if reading.name != option.name:
            with suppress(BadOption):
                game.variant(**{reading.name: theirs, option.name: value})
                return reading, theirs
    return None


# --- what it does -----------------------------------------------------------------------------------------------------
@dataclass
class Sweeper:
    """Tries values of a game's options; the game as it is is played and analysed once."""

    setup: SimulationSetup
    pairs: int  # of games, that each value is tried on
    sample: int  # how many of them are analysed for tension
    source: Source = chunks  # what plays
    games: dict[str, list[tuple[Chunk, np.ndarray]]] = field(default_factory=dict)  # by options: as it is, and changed
    looked: dict[str, ReportPart] = field(default_factory=dict)  # by options: as far as matches were looked into

    def play(self, setup: SimulationSetup, games: int, **how: Any) -> Generator[tuple[Chunk, np.ndarray]]:
        """Play so many games, unless they were played, a chunk at a time, each with its metrics."""
        key, parts = str(setup.game.options), list[tuple[Chunk, np.ndarray]]()
        for part in self.games.get(key) or self.source(setup, games, **how):
            parts.append(part)
            if sum(len(rows) for _chunk, rows in parts) >= games:
                self.games[key] = parts
            yield part

    def minutes(self, game: GameSetup) -> np.ndarray:
        """The minutes of each game at a real table, float64 (games)."""
        rows = np.concatenate([rows for _chunk, rows in self.games[str(game.options)]])
        return counts.minutes_each(game.players, counts.reckoned_columns(game, rows), counts.CARDS)

    def sweep(
        self, trials: Sequence[OptionTrial], tests: int, tick: Tick = lambda _done: None
    ) -> Iterator[Effect | Untried]:
        """The effect of each value, of so many that are tested together; an interrupt leaves out the one at hand."""
        for trial in trials:
            try:
                yield self.measure(trial, tests, tick)
            except HexdeckError as error:
                yield Untried(trial.change, str(error))

    def measure(self, trial: OptionTrial, tests: int, tick: Tick) -> Effect:
        """The effect of one value; raises HexdeckError where it can't be played, or not by these bots."""
        usual, changed, needed = pair_of(self.setup.game, trial.option, trial.value)
        check_bots(changed, self.setup.bots)
        base, setup = str(self.setup.game.options), replace(self.setup, game=usual)
        self.games = {key: parts for key, parts in self.games.items() if key == base}
        if setup.threads > 1 and str(usual.options) in self.games:  # one side is played already
            setup = replace(setup, threads=2 * setup.threads)
        pairs = compare(
            setup, changed, least=self.pairs, most=self.pairs, source=self.play, progress=lambda done, _of: tick(done)
        )
        if pairs.interrupted:
            raise KeyboardInterrupt
        seat, seats, sure = seat_effect(pairs, pairs.gains, tests)
        result_seat, results, _sure = seat_effect(pairs, pairs.results, tests)
        turns, decisions = (pairs.change(name) for name in ("turns", "decisions"))
        shifts = {
            SEATS: seats,
            **({} if part_of(setup).won_or_lost else {RESULTS: results}),
            "minutes": Shift.of(self.minutes(usual), self.minutes(changed)),
            "turns": Shift(turns.before.value, turns.difference),
            "decisions": Shift(decisions.before.value, decisions.difference),
            **(self.tension(pairs, tick) if self.sample else {}),
            **{name[0]: Shift(0.0, pairs.share_of_pairs(name)) for name in PAIRS.values()},
        }
        return Effect(trial.change, len(pairs), shifts, seat, needed, sure, result_seat)

    def tension(self, compared_games: Comparison, tick: Tick) -> dict[str, Shift]:
        """The shifts of measures of matches that were looked into; the game as it is is looked into once."""
        key = str(compared_games.a.options)
        parts = look_into(compared_games, self.sample, tick, self.looked.get(key))
        self.looked[key] = parts[0]
        shifts = {measure.name: shift_of(measure, *parts) for measure in looked_into()}
        return {name: shift for name, shift in shifts.items() if shift is not None}


def seat_effect(pairs: Comparison, gains: dict[metrics.MetricName, Estimate], tests: int) -> tuple[int, Shift, bool]:
    """The seat (or STARTER) whose share of the place that decides, or result, changes most, and whether it's sure."""
    significant = surely([*gains.values()], len(gains) * tests)
    sure = {name: gain for (name, gain), is_sure in zip(gains.items(), significant, strict=True) if is_sure}
    name = max(sure or gains, key=lambda each: abs(gains[each].value) if sure else bound([gains[each]], 1))
    shift = Shift(pairs.change(name).before.value, gains[name].simultaneous(len(gains)))
    return name[1] if name[0] in (pairs.shares, metrics.RESULT) else STARTER, shift, bool(sure)
