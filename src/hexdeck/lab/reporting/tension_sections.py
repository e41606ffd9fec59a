"""The tables of choices and of tension: sizes of effects, from games that were looked into."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from hexdeck.engine.text import Text, say, say_n
from hexdeck.lab.counting.drama import CERTAIN, decisiveness, drama, lead_changes, settled, squared_swing
from hexdeck.lab.counting.metrics import TIED
from hexdeck.lab.counting.tension import MOMENTS, WORLDS, MatchAnalysis
from hexdeck.lab.reporting import number_format as numbers
from hexdeck.lab.reporting.report import Part
from hexdeck.lab.reporting.section import LEAST, SHARED, Cell, Section, percent_of_whole, signed
from hexdeck.stats import UNKNOWN, Estimate, clustered, mean, median


def choices(part: Part) -> Section:
    """How many decisions have a choice, and how much choices bring."""
    of = part.statistics
    spread, weight = mean_spread(part), choice_weight(part)
    rows: list[tuple[Cell, ...]] = [
        (say("decisions without a choice"), numbers.percent(of["forced"])),
        (say("moves to choose from, where there is a choice"), numbers.plain(of["legal"])),
    ]
    if spread.count:
        rows.append((say("gain of the best move over the worst"), signed(spread, part)))
    if weight.count:
        of_all = say("the same, in percent of how much results vary from game to game")
        rows.append((of_all, percent_of_whole(weight)))
    note = choices_note(part) if spread.count else say("What choices bring isn't shown: {why}.", why=TOO_FEW)
    return Section("choices", say("Choices"), (say("measure"), say("value")), tuple(rows), note)


def choices_note(part: Part) -> Text:
    """How the gain of choices was measured."""
    return say_n(
        "Measured at {n} choice in {matches} games: after each move (at most six), the house bot played on in "
        "deals that fit what the player knew.",
        "Measured at {n} choices in {matches} games: after each move (at most six), the house bot played on in "
        "deals that fit what the player knew.",
        sum(len(each.choices) for each in part.analyses), matches=len(part.analyses),
    )  # fmt: skip


def mean_spread(part: Part) -> Estimate:
    """By how much the best move beats the worst (utility), the mean over choices, clustered by match."""
    return clustered([list(each.choices) for each in part.analyses], LEAST)


def choice_weight(part: Part) -> Estimate:
    """The mean gain of the best move over the worst, as a part of the standard deviation of a seat's result."""
    varies = deviation(part)
    return mean_spread(part).scaled(1 / varies) if varies else UNKNOWN


def deviation(part: Part) -> float:
    """The standard deviation of a seat's result, from the mean variance over seats."""
    moments, columns = part.statistics.moments, range(part.players)  # results are the first of all metrics
    variance: float = sum(moments.variance(k) for k in columns) / part.players
    return float(variance**0.5)


def tension(part: Part) -> Section:
    """How far chances swing, how often the lead changes, drama, decisiveness, and when the result is settled."""
    place = part.place
    known = [each for each in tensions(part) if each[1].count]
    rows: list[tuple[Cell, ...]] = [(TENSION[what][place], shown(found)) for what, found, shown in known]
    rows = rows or [(TOO_FEW, "–")]
    judged = say_n(
        "{n} game was looked into, at up to {moments} moments, in {worlds} deals each that fit what a spectator knew "
        "then; house bots played on.",
        "{n} games were looked into, at up to {moments} moments, in {worlds} deals each that fit what a spectator knew "
        "then; house bots played on.",
        len(part.analyses), moments=MOMENTS, worlds=WORLDS,
    )  # fmt: skip
    note = say("{judged} {meaning}", judged=judged, meaning=MEANING[place])
    return Section("tension", say("Tension"), (say("measure"), say("value")), tuple(rows), note)


def tensions(part: Part) -> list[tuple[str, Estimate, Callable[[Estimate], Cell]]]:
    """The measures of tension by name, and how each is shown."""
    return [
        ("swing", swing(part), percentage_points), ("lead_changes", of_matches(part, lead_changes), numbers.plain),
        ("drama", of_matches(part, drama), percentage_points), ("lowest", lowest_chance(part), percent_of_whole),
        ("decisiveness", decided_at(part), percent_of_whole), ("settled", settling_point(part), percent_of_whole),
    ]  # fmt: skip


TOO_FEW = say("too few games were looked into to tell")
TENSION = {
    "swing": (
        say("swing of the winner's chance, from one moment to the next"),
        say("swing of the loser's chance of losing, from one moment to the next"),
    ),
    "lead_changes": (say("changes of the most likely winner"), say("changes of the most likely loser")),
    "drama": (
        say("drama: how far the winner was behind"),
        say("drama: how far the loser was from the likeliest loser"),
    ),
    "lowest": (say("the winner's lowest chance"), say("the lowest chance to be safe of anybody who was")),
    "decisiveness": (
        say("decisiveness: share of the game played when the winner is ahead for sure"),
        say("decisiveness: share of the game played when the loser is picked for sure"),
    ),
    "settled": (say("share of the game played when the result is settled"),) * 2,
}
MEANING = (
    say("Swing: the root of the mean square. Drama: the chance of the likeliest winner less that of the actual one, "
        "the mean over the game. Decisive: the winner's chance is above any that another ever had (Browne, Ludii). "
        "Settled: the winner's chance stays above {certain} %. Noise of the estimates is taken out, except from the "
        "last.", certain=round(100 * CERTAIN)),
    say("Swing: the root of the mean square. Drama: the chance of losing of the likeliest loser less that of the "
        "actual one, the mean over the game. Decisive: the loser's chance of losing is above any that another ever had "
        "(Browne, Ludii). Settled: it stays above {certain} %. Noise of the estimates is taken out, except from the "
        "last.", certain=round(100 * CERTAIN)),
)  # fmt: skip


def of_matches(part: Part, measure: Callable[[MatchAnalysis, int], float]) -> Estimate:
    """The mean of a measure over matches; UNKNOWN for fewer than LEAST analysed games."""
    if len(part.analyses) < LEAST:
        return UNKNOWN
    return mean(np.array([measure(each, part.place) for each in part.analyses], float))


def swing(part: Part) -> Estimate:
    """The root of the mean square change of the taker's chance from one moment to the next."""
    found = of_matches(part, squared_swing)
    if not found.count:
        return UNKNOWN
    value, low, high = (max(0.0, each) ** 0.5 for each in (found.value, found.low, found.high))
    return Estimate(value, low, high, found.count)


def lowest_chance(part: Part) -> Estimate:
    """The lowest chance of success that those had who had it, the mean over matches; UNKNOWN for few of them."""
    lows = [each.low for each in part.analyses if each.low is not None]
    return mean(np.array(lows)).within(0, 1) if len(lows) >= LEAST else UNKNOWN


def decided_at(part: Part) -> Estimate:
    """Decisiveness, the mean over matches; UNKNOWN where first places are often shared: no winner is ahead then."""
    if not part.place and part.statistics[TIED].value > SHARED:
        return UNKNOWN
    return of_matches(part, decisiveness).within(0, 1)


def percentage_points(estimate: Estimate) -> Cell:
    """A difference of chances, in percentage points."""
    if not estimate.count:
        return numbers.TOO_FEW
    return say("{points} percentage points", points=numbers.plain(estimate.scaled(100), 1))


def settling_point(part: Part) -> Estimate:
    """The part of a match played when its result is settled: the median over matches, 0 to 1.

    UNKNOWN for fewer than LEAST analysed games, and where first places are often shared: no winner is settled then.
    """
    if len(part.analyses) < LEAST or (not part.place and part.statistics[TIED].value > SHARED):
        return UNKNOWN
    return median(np.array([settled(each, part.place) for each in part.analyses])).within(0, 1)
