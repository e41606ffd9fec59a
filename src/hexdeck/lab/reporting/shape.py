"""Measures of matches that were looked into. Selected in one half of the worlds, judged in the other: without noise."""

from __future__ import annotations

import functools
from collections.abc import Callable
from math import isfinite, nan
from typing import TYPE_CHECKING, Any

import numpy as np

from hexdeck.lab import counts
from hexdeck.lab.reporting import measures, wording
from hexdeck.lab.reporting.measures import PERCENT, POINTS, WHOLE, Example, Measure, Remark, Table, analysed, remarked
from hexdeck.lab.reporting.report import ReportPart
from hexdeck.stats import Estimate, mean, mean_part, mean_share, median

if TYPE_CHECKING:
    from hexdeck.lab.tension import ChoiceShape, MatchAnalysis

CERTAIN = 0.8  # probability from which a result counts as settled
SHARED = 0.2  # games with a shared first place above which nothing is said of when winners are settled
EARLY = 0.6  # of a game's decisions: a result settled before is settled early
QUARTERS, HALF = (0.25, 0.5, 0.75), 0.5  # of a match's decisions, at which leaders are looked at
BACK = 0.5  # of a fair chance: who had no more than that and did well came back
RARE_COMEBACKS, KINGMAKING, DEAD = 0.05, 0.05, 0.25  # of games; of choices
IDLE, IDLE_MINUTES = 1 / 3, 3.0  # of a game left, and minutes of it, from which waiting is a finding
LOST, LOST_MINUTES = 0.25, 3.0  # the same of playing on with next to no chance
GAMES, ROUNDS, STEP = 40_000, 12, 0.6  # made-up games that count alike; rounds and steps of fitting their seats


def root(values: np.ndarray) -> Estimate:
    """The root of the mean of squares."""
    estimate = mean(values)
    value, low, high = (max(0.0, square) ** 0.5 for square in (estimate.value, estimate.low, estimate.high))
    return Estimate(value, low, high, estimate.count)


def first(values: np.ndarray) -> Example | None:
    """The first analysed game with a value of 1; analysed games are the first ones, so indices are their numbers."""
    return next((Example(number) for number, value in enumerate(values.tolist()) if value == 1), None)


# --- tension ----------------------------------------------------------------------------------------------------------
def crossed(
    analysis: MatchAnalysis, rank: int, measure: Callable[[np.ndarray, np.ndarray, np.ndarray], float]
) -> float:
    """The mean of a measure that selects in one half of the worlds and judges in the other, both ways round."""
    first, second = (half[rank] for half in analysis.halves)
    took = analysis.takers(rank)
    return (measure(first, second, took) + measure(second, first, took)) / 2 if len(first) else 0.0


@analysed("swing of the {winner}'s chance{of_that}, from one moment to the next", POINTS, root, better=1)
def swing(analysis: MatchAnalysis, rank: int) -> float:
    """Change of the taker's chance from one moment to the next, the root of the mean square."""
    first, second = (np.diff(half[rank] @ analysis.takers(rank)) for half in analysis.halves)
    return float((first * second).mean()) if len(first) else 0.0


@analysed("changes of the most likely {winner}", measures.NUMBER, better=1, workshop="tension")
def lead_changes(analysis: MatchAnalysis, rank: int) -> float:
    """Changes of who is likeliest to take the place that decides.

    One that the other half of the worlds confirms counts 1, one of which it says the opposite -1: noise counts 0 in the
    mean, and a lead so slim that half of the worlds often miss it counts in part.
    """

    def changes(selecting: np.ndarray, judging: np.ndarray, _took: np.ndarray) -> float:
        leaders, total = selecting.argmax(axis=1), 0.0
        for k in np.flatnonzero(np.diff(leaders)).tolist():
            old, new = leaders[k], leaders[k + 1]
            before, after = judging[k, old] - judging[k, new], judging[k + 1, new] - judging[k + 1, old]
            total += float(np.sign(before) + np.sign(after)) / 2
        return total

    return crossed(analysis, rank, changes)


@analysed("drama: how far the {winner} was from the likeliest {winner}", POINTS, better=1, workshop="tension")
def drama(analysis: MatchAnalysis, rank: int) -> float:
    """How far the taker's chance was behind the highest, the mean over a game."""

    def behind(selecting: np.ndarray, judging: np.ndarray, took: np.ndarray) -> float:
        leads = judging[np.arange(len(judging)), selecting.argmax(axis=1)]
        return float((leads - judging @ took).mean()) if took.any() else 0.0

    return crossed(analysis, rank, behind)


@analysed("the lowest chance of {well}", WHOLE, mean_share, deep=True)
def lowest(analysis: MatchAnalysis, _rank: int) -> float:
    """The lowest chance that a player who succeeded in the end ever had."""
    return nan if analysis.low is None else analysis.low


def has_winner(part: ReportPart) -> bool:
    """Whether first places are seldom shared, so that there is a winner."""
    return bool(part.place) or part.statistics[counts.TIED].value <= SHARED


@analysed(
    "decisiveness: share of the game played when the {winner} stands out for sure",
    WHOLE,
    mean_share,
    better=1,
    wanted=has_winner,
)
def decisiveness(analysis: MatchAnalysis, rank: int) -> float:
    """Share of a game played when the taker's chance first is above all others had."""
    took = analysis.takers(rank)
    if not len(analysis.when) or not (took > 0).any() or (took > 0).all():
        return 1.0

    def highest(selecting: np.ndarray, judging: np.ndarray, _took: np.ndarray) -> float:
        moment, seat = np.unravel_index(np.where(took > 0, -1.0, selecting).argmax(), selecting.shape)
        return float(judging[moment, seat])

    ahead = analysis.chances(rank)[:, took > 0].max(axis=1)
    decided = np.flatnonzero(ahead > crossed(analysis, rank, highest))
    return float(analysis.when[decided[0]]) if len(decided) else 1.0


@remarked(
    "the result is settled early: in the median game after {share} of its decisions.",
    "The result is settled early; in the median game after this share of its decisions",
    below=EARLY,
    example=lambda _part, values: Example(int(values.argmin())),
)
@analysed("share of the game played when the result is settled", WHOLE, median, better=1, wanted=has_winner)
def settled(analysis: MatchAnalysis, rank: int) -> float:
    """Share of a game played when its result is settled, the median."""
    certain = (analysis.chances(rank) * (analysis.end[rank] > 0)).sum(axis=1) >= CERTAIN
    if not len(certain) or not certain[-1]:
        return 1.0
    uncertain = np.flatnonzero(~certain)
    return float(analysis.when[uncertain[-1] + 1] if len(uncertain) else analysis.when[0])


def tension_note(part: ReportPart) -> str:
    """How chances were estimated, and what the measures mean."""
    from hexdeck.lab import tension

    looked = wording.of(len(part.analyses), "game was", "games were")
    return wording.in_game(
        f"{looked} looked into, at up to {tension.MOMENTS} moments, in {tension.WORLDS} deals each that fit what a "
        "spectator knew then; house bots played on. Swing: the root of the mean square. Drama: the chance{of_that} of "
        "the likeliest {winner} less that of the actual one, the mean over the game. Decisive: the {winner}'s "
        "chance{of_that} is above any that another ever had (Browne, Ludii). Settled: it stays above "
        f"{100 * CERTAIN:.0f} %. Noise of the estimates is taken out, except from the last.",
        part,
    )


TENSION = Table(
    "tension",
    "Tension",
    (swing, lead_changes, drama, lowest, decisiveness, settled),
    tension_note,
    needed=lambda part: part.played is None or bool(part.analyses),
    empty=True,
)


# --- who leads, and whether leads last --------------------------------------------------------------------------------
def lead(analysis: MatchAnalysis, rank: int, fraction: float) -> float:
    """The share of the place that the leader took, at the moment nearest to a fraction of the match, if any."""
    if not len(analysis.when):
        return nan
    chances = analysis.chances(rank)[int(np.abs(analysis.when - fraction).argmin())]
    return float(analysis.takers(rank)[chances == chances.max()].mean())


@functools.cache
def alike(shares: tuple[float, ...], fraction: float) -> float:
    """How often the leader after a fraction would take the place in a game whose parts all count alike.

    Each part adds a random number to each score; seats with larger `shares` of the place are as much ahead in each.
    """
    early, late = (
        np.sqrt(part) * draws for part, draws in zip((fraction, 1 - fraction), normal(len(shares)), strict=True)
    )
    target, ahead, scores = np.maximum(np.array(shares), 1 / GAMES)[:, None], np.zeros((len(shares), 1)), early + late

    def leads(sums: np.ndarray) -> Any:
        return sums == sums.max(axis=0)

    for _round in range(ROUNDS if max(shares) > min(shares) else 0):
        won = leads(scores + ahead).mean(axis=1, keepdims=True)
        ahead += STEP * np.log(target / np.maximum(won, 1 / GAMES))
    still = leads(early + ahead) & leads(scores + ahead)  # what is still to come is ahead as well
    return float(still.any(axis=0).mean())


@functools.cache
def normal(seats: int) -> np.ndarray:
    """What both parts of the made-up games add to each seat's score, before it is scaled: float64 (2, seats, GAMES)."""
    return np.random.default_rng(0).standard_normal((2, GAMES, seats)).transpose(0, 2, 1).copy()


def usual_lead(fraction: float) -> Callable[[ReportPart], float]:
    """How often the leader after a fraction would take the place if all parts counted alike."""
    return lambda part: alike(tuple(share.value for share in part.statistics.estimates(part.shares)), fraction)


RUNAWAY = Remark(
    "{feed}: whoever is likeliest to {win} halfway {takes} in {share} of games; it would be {usual} % if every part of "
    "a game counted alike.",
    "{feed}; whoever is likeliest to {win} halfway {takes} in this share of games",
    above=usual_lead(HALF),
    more=lambda part, _estimate: {"usual": wording.number(100 * usual_lead(HALF)(part), 0)},
    example=lambda _part, values: first(values),
)
LEADS = tuple(
    Measure(
        f"lead_{round(100 * fraction)}",
        f"who is likeliest to {{win}} {when} {{takes}}",
        PERCENT,
        of_match=functools.partial(lead, fraction=fraction),
        average=mean_share,
        better=-1,
        usual=usual_lead(fraction),
        remark=RUNAWAY if fraction == HALF else None,
    ).means(
        f"share of games whose leader after {round(100 * fraction)} % of the decisions takes the place that decides; "
        "`usual`: if all parts counted alike"
    )
    for fraction, when in zip(
        QUARTERS, ("after a quarter of the decisions", "halfway", "after three quarters of the decisions"), strict=True
    )
)


@remarked(
    "comebacks are rare: in {share} of games {well} once had at most half a fair chance{of_being_safe}.",
    "Comebacks are rare; games with one",
    below=RARE_COMEBACKS,
    example=lambda _part, values: first(values),
)
@analysed(
    "comebacks: {well} once had at most half a fair chance{of_being_safe}", PERCENT, mean_share, better=1, deep=True
)
def comebacks(analysis: MatchAnalysis, rank: int) -> float:
    """Share of games whose winner once had at most half a fair chance."""
    players = analysis.end.shape[1]
    return nan if analysis.low is None else analysis.low <= BACK * ((players - 1 if rank else 1) / players)


# --- choices that decide between others, or nothing -------------------------------------------------------------------
def of_choices(analysis: MatchAnalysis, holds: Callable[[ChoiceShape], bool]) -> float:
    """Of a game's choices that were judged, the share of which something holds."""
    return float(np.mean([holds(shape) for shape in analysis.shapes])) if analysis.shapes else nan


def first_choice(part: ReportPart, holds: Callable[[ChoiceShape], bool]) -> Example | None:
    """The first judged choice of which something holds, right after it was made."""
    for number, analysis in enumerate(part.analyses):
        for ply, shape in zip(analysis.plies, analysis.shapes, strict=False):
            if holds(shape):
                return Example(number, ply + 1)
    return None


@analysed("choices of a player {out}", PERCENT, mean_share, wanted=lambda part: part.players > 2, deep=True)
def out(analysis: MatchAnalysis, _rank: int) -> float:
    """Share of choices that can't change whether the player who makes them takes the place that decides."""
    return of_choices(analysis, lambda shape: shape.out)


@remarked(
    "there is kingmaking: {share} of choices are made by somebody to whom they change nothing, and decide who of "
    "the others {wins}.",
    "There is kingmaking; choices that decide between others only",
    above=KINGMAKING,
    example=lambda part, _values: first_choice(part, decides),
)
@analysed(
    "kingmaking: choices of a player {out} that decide who of the others {wins}",
    PERCENT,
    mean_share,
    wanted=lambda part: part.players > 2,
    deep=True,
    workshop="tension",
)
def kingmaking(analysis: MatchAnalysis, _rank: int) -> float:
    """Share of choices that can't change that, but decide which of the others takes the place."""
    return of_choices(analysis, decides)


def decides(shape: ChoiceShape) -> bool:
    """Whether such a choice surely changes another's share, 19 times in 20 where it says so: judged in fresh worlds."""
    if not shape.rivals.size:
        return False
    judged, halves = [], (shape.rivals[::2], shape.rivals[1::2])
    for selecting, judging in (halves, halves[::-1]):
        means = selecting.mean(axis=0)
        gaps = means[:, None] - means[None]  # between two moves, of each rival
        best, worst, rival = np.unravel_index(gaps.argmax(), gaps.shape)
        judged.append(judging[:, best, rival] - judging[:, worst, rival])
    estimate = mean(np.concatenate(judged))
    return estimate.value > 0 and estimate.significant(0.0, 2)  # both halves choose: a little more than one test


@remarked(
    "many decisions are dead: in {share} of choices one's own result is the same whatever one chooses.",
    "Many decisions are dead; choices that change nothing for whoever makes them",
    above=DEAD,
    example=lambda part, _values: first_choice(part, lambda shape: shape.alike),
)
@analysed("dead decisions: whatever is chosen, one's own result is the same", PERCENT, mean_share, deep=True)
def dead(analysis: MatchAnalysis, _rank: int) -> float:
    """Share of choices after which one's own result is the same, whatever is chosen."""
    return of_choices(analysis, lambda shape: shape.alike)


# --- who waits, who is out, and how far apart they end ----------------------------------------------------------------
def idle_minutes(part: ReportPart, share: float) -> float:
    """The minutes, at a real table, of a share of the game; 0 with fewer than two turns each."""
    real = counts.minutes(part.statistics, counts.CARDS)
    return share * real.total if real.wait else 0.0


def about_minutes(part: ReportPart, estimate: Estimate) -> dict[str, Any]:
    """The minutes of `idle_minutes`, and those of the game, in words."""
    idle, all_of_it = (wording.number(idle_minutes(part, each), 0) for each in (estimate.value, 1.0))
    return {"value": f"{idle} of {all_of_it} minutes"}


def no_less(_part: ReportPart, values: np.ndarray) -> Example:
    """The first analysed game with no less of something than the mean of all."""
    return Example(int((values >= np.nanmean(values)).argmax()))


@remarked(
    "whoever is done first only watches for the last {value} at a real table.",
    "Whoever is done first watches for long",
    above=IDLE,
    holds=lambda part, estimate: idle_minutes(part, estimate.value) >= IDLE_MINUTES,
    more=about_minutes,
    example=no_less,
)
@analysed("share of the game left after the last decision of whoever is done first", PERCENT, mean_part)
def out_of_play(analysis: MatchAnalysis, _rank: int) -> float:
    """Share of a game after the last decision of the player who is done first."""
    acted = analysis.acted
    lasts = [np.flatnonzero(acted == seat)[-1:] for seat in range(analysis.end.shape[1])]
    return max(1 - (int(last[0]) + 1) / len(acted) if len(last) else 1.0 for last in lasts) if len(acted) else nan


@remarked(
    "the unluckiest player has next to no chance for the last {value} at a real table.",
    "The unluckiest player has next to no chance for long",
    above=LOST,
    more=about_minutes,
    holds=lambda part, estimate: (
        not part.place
        and idle_minutes(part, estimate.value) >= LOST_MINUTES
        and out_of_play.of_part(part).value < min(estimate.low, IDLE)  # else that player may only wait
    ),
    example=no_less,
)
@analysed(
    "dead time: share of the game that somebody plays on {lost}",
    PERCENT,
    mean_part,
    wanted=lambda part: part.players > 2,
    workshop="tension",
    plotted=True,
)
def dead_time(analysis: MatchAnalysis, rank: int) -> float:
    """Longest share of a game that a player plays on without a chance: in all games tried from there, none is won."""
    if not len(analysis.when):
        return nan
    lost = (analysis.halves[:, rank] == rank).all(axis=0)  # in all worlds, at each moment: never first, or always last
    since = len(lost) - np.cumprod(lost[::-1], axis=0).sum(axis=0)  # the moment from which it is so to the end
    return max(float(1 - analysis.when[at]) if at < len(lost) else 0.0 for at in since.tolist())


@analysed("longest wait between two decisions of a player, as a share of the game", PERCENT, mean_share)
def longest_wait(analysis: MatchAnalysis, _rank: int) -> float:
    """Share of a game in the longest wait of a player between two own decisions."""
    acted = analysis.acted
    own = [np.flatnonzero(acted == seat) for seat in range(analysis.end.shape[1])]
    waits = [int((np.diff(at) - 1).max(initial=0)) for at in own]
    return max(waits) / len(acted) if len(acted) else nan


def adds_up(part: ReportPart, least: int) -> bool:
    """Whether matches of enough players aren't only won or lost, so that it says something how far apart they end."""
    return part.players >= least and not part.place and not isfinite(part.measure.high)


def apart(analysis: MatchAnalysis, _rank: int, behind: int) -> float:
    """How far (utility) the first is ahead of the one `behind` places further down; of -1, of the last."""
    return float(np.sort(analysis.gaps)[behind]) if len(analysis.gaps) else nan


GAPS = tuple(
    Measure(
        f"gap_{other}",
        f"how far the first is ahead of the {other} at the end",
        measures.GAP,
        of_match=functools.partial(apart, behind=behind),
        better=-1,
        wanted=functools.partial(adds_up, least=least),
    ).means(f"utility of the first above the {other}; leads count once")
    for other, behind, least in (("second", 1, 3), ("last", -1, 2))
)


def shape_note(part: ReportPart) -> str:
    """What is usual, and how choices were judged."""
    from hexdeck.lab import tension

    return wording.in_game(
        "In brackets: how often such a lead would last in a game that adds up points and in which every part counts "
        f"alike; if it lasts longer here, {{feed}}. Of choices, all of up to {tension.MOVES} moves were tried in "
        f"{tension.TRIALS} deals each that fit what the player knew; house bots played on. A player {{out}}: its share "
        f"of the place was the same in all of these games. To play on {{lost}}: so it came in all {tension.WORLDS} "
        "games that bots played on from there.",
        part,
    )


COURSE = comebacks, out, kingmaking, dead, out_of_play, dead_time, longest_wait, *GAPS
SHAPE = Table("shape", "Shape of a match", (*LEADS, *COURSE), shape_note, needed=lambda part: bool(part.analyses))
