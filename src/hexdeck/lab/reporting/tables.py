"""Every measure of a report, in the tables that show them: added here, it is on the page, in the data and the docs."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from math import isfinite, nan
from typing import Any

import numpy as np

from hexdeck.bots.players.levels import ADJECTIVES, LEVELS, TITLES, data
from hexdeck.lab import counts as metrics
from hexdeck.lab import tension
from hexdeck.lab.causes import LEAST as LEAST_STUDIED
from hexdeck.lab.causes import CauseStudy
from hexdeck.lab.counts import kind_numbers
from hexdeck.lab.evenings import QUARTERS as EVENING_QUARTERS
from hexdeck.lab.evenings import EveningStudy
from hexdeck.lab.luck import GAMES, SEATINGS, Duel, by_lot
from hexdeck.lab.messages import can_come
from hexdeck.lab.pace import CARDS, minutes
from hexdeck.lab.pairs import probe_of
from hexdeck.lab.reporting import wording
from hexdeck.lab.reporting.measures import (
    ABOVE,
    BARE,
    GAIN,
    GAP,
    LEAST,
    LONG,
    MATCH,
    NUMBER,
    PERCENT,
    POINTS,
    RESULT,
    ROUNDED,
    SELDOM,
    TOO_FEW,
    WHOLE,
    Example,
    Measure,
    Remark,
    Section,
    Subject,
    Table,
    Unit,
    dashed,
    deviation,
    example_of,
    hundred,
    percent_of_whole,
    signed,
)
from hexdeck.lab.reporting.people import COMPANY, SAID, TIME
from hexdeck.lab.reporting.report import ReportPart
from hexdeck.lab.reporting.wording import MANY_BOTS, ONE_BOT, english, kind_labels, seat_name
from hexdeck.stats import (
    NORMAL,
    UNKNOWN,
    Estimate,
    clustered,
    margin,
    mean,
    mean_share,
    median,
    quantile_of,
    share,
    share_ends,
)

SHARED = 0.2  # games with a shared first place above which nothing is said of when winners are settled
MANY_FORCED, MANY_TIED = 0.5, 0.05  # shares of decisions and of games from which on they are findings
LIGHT = 0.1  # of a result's standard deviation: choices that bring less weigh little
EARLY = 0.6  # of a game's decisions: a result settled before is settled early
RARE_COMEBACKS, KINGMAKING, DEAD = 0.05, 0.05, 0.25  # of games; of choices
IDLE, IDLE_MINUTES = 1 / 3, 3.0  # of a game left, and minutes of it, from which waiting is a finding
LOST, LOST_MINUTES = 0.25, 3.0  # the same of playing on without a chance
OFTEN_BROKE, LEFT = 0.1, 0.2  # of evenings in which somebody is broke, and of the deals left by then
SHOWN, ENDS = 24, 8  # so many cards are all shown; of more, so many of those that bring most, and least


# --- helpers ----------------------------------------------------------------------------------------------------------
def column(name: str, k: int = 0) -> Callable[..., Estimate]:
    """The estimate of a counted metric."""
    return lambda part, of=k: part.statistics[name, of]


def of_analyses(measure: Callable[[tension.MatchAnalysis, int], float]) -> Callable[[ReportPart], np.ndarray]:
    """A value for each match that was looked into."""
    return lambda part: np.array([measure(analysis, part.place) for analysis in part.analyses], float)


def within(average: Callable[[np.ndarray], Estimate]) -> Callable[[np.ndarray], Estimate]:
    """An average of what lies from 0 to 1."""
    return lambda values: average(values).within(0, 1)


def root(values: np.ndarray) -> Estimate:
    """The root of the mean of squares."""
    estimate = mean(values)
    value, low, high = (max(0.0, square) ** 0.5 for square in (estimate.value, estimate.low, estimate.high))
    return Estimate(value, low, high, estimate.count)


def unless_shared(values: Callable[[ReportPart], np.ndarray]) -> Callable[[ReportPart], np.ndarray]:
    """Values where first places are seldom shared, so that there is a winner."""

    def with_winner(part: ReportPart) -> np.ndarray:
        shared = not part.place and part.statistics[metrics.TIED].value > SHARED
        return np.zeros(0) if shared else values(part)

    return with_winner


def of_choices(holds: Callable[[tension.ChoiceShape], bool]) -> Callable[[ReportPart], np.ndarray]:
    """Of each game's choices that were judged, the share of which something holds."""
    return of_analyses(lambda a, _rank: float(np.mean([holds(shape) for shape in a.shapes])) if a.shapes else nan)


def first(part: ReportPart, holds: Callable[[tension.MatchAnalysis], bool]) -> Example | None:
    """The first analysed game of which something holds; analysed games are the first ones, so indices are wording."""
    return next((Example(number) for number, analysis in enumerate(part.analyses) if holds(analysis)), None)


def first_choice(holds: Callable[[tension.ChoiceShape], bool]) -> Callable[[ReportPart], Example | None]:
    """The first judged choice of which something holds, right after it was made."""

    def look(part: ReportPart) -> Example | None:
        for number, analysis in enumerate(part.analyses):
            for ply, shape in zip(analysis.plies, analysis.shapes, strict=False):
                if holds(shape):
                    return Example(number, ply + 1)
        return None

    return look


def noted(part: ReportPart, name: str, k: int = 0) -> Example | None:
    """The first game in which a share's metric was 1; for LONGEST, the one with most decisions."""
    return example_of(part.statistics.examples.get((name, k)))


def of_excess(part: ReportPart, name: str, k: int = 0) -> Example | None:
    """The first game in which a share's metric was 1, if the share is above a fair one."""
    return noted(part, name, k) if part.statistics[name, k].value > 1 / part.players else None


PLACE = "comes first", "loses"
ABOVE_MEAN = "above the mean"


# --- seats ------------------------------------------------------------------------------------------------------------
SEAT = Subject("seat", lambda part: range(part.players), lambda part: [seat_name(part, k) for k in range(part.players)])


def counted(
    name: str, meaning: str, title: str, unit: Unit = PERCENT, of: Subject = MATCH, better: int = 0, **more: Any
) -> Measure:
    """A measure that is a counted metric of the same name."""
    return Measure(name, meaning, title, unit, of, column(name), better=better, **more)


RESULTS = (
    counted(metrics.RESULT, "mean utility of a seat", "mean result", RESULT, SEAT, 1),
    counted(metrics.ABOVE, "mean utility of a seat above the mean of the table", ABOVE_MEAN, ABOVE, SEAT, 1),
    counted(metrics.FIRST, "share of first places of a seat, ties shared", PLACE[0], of=SEAT),
    counted(metrics.LAST, "share of last places of a seat, ties shared", PLACE[1], of=SEAT),
    counted(metrics.STARTS, "share of games that a seat starts", "starts", of=SEAT),
    counted(
        metrics.STARTER_RESULT,
        "utility of whoever starts, above the mean of the table",
        "who starts, above the mean",
        ABOVE,
    ),
    counted(metrics.STARTER_FIRST, "share of first places of whoever starts", "who starts comes first"),
    counted(metrics.STARTER_LAST, "share of last places of whoever starts", "who starts loses"),
    counted(
        metrics.TIED,
        "share of games whose first place is shared",
        "first place is shared",
        workshop="more",
        remark=Remark(
            "first place is shared in {share} of games.",
            "First place is often shared",
            above=MANY_TIED,
            holds=lambda part, _estimate: not part.place,
            example=lambda part: noted(part, metrics.TIED),
        ),
    ),
)


def of_start(part: ReportPart, measured_place: int) -> Estimate:
    """What starting is worth where chance decided who does: in utility (-1), or in a place's share."""
    study = part.starts
    if study is None or not study.enough:
        return UNKNOWN
    return study.gain if measured_place < 0 else study.place(measured_place)


STARTS = tuple(
    Measure(
        f"start_{name}",
        f"where chance decided who starts, how far the starter is ahead in {what}",
        "starting itself",
        unit,
        estimate=lambda part, k=k: of_start(part, k),
    )
    for k, name, what, unit in (
        (-1, "gain", "utility", ABOVE),
        (0, "first", "its share of first places", POINTS),
        (1, "last", "its share of last places", POINTS),
    )
)


# --- length -----------------------------------------------------------------------------------------------------------
def long_games(part: ReportPart) -> Estimate:
    """The share of games that take LONG times the median number of decisions, or more."""
    lengths, count = part.statistics.lengths, len(part.statistics)
    middle = quantile(part, 0.5).value
    return share(sum(often for length, often in lengths.items() if length >= LONG * middle), count)


def quantile(part: ReportPart, q: float) -> Estimate:
    """The q-quantile of the number of decisions in a game, with an interval by ranks."""
    return quantile_of(part.statistics.lengths, q)


def longest(part: ReportPart) -> Example | None:
    """The longest game."""
    return noted(part, *metrics.LONGEST)


def length_note(part: ReportPart) -> str:
    """How long half, and nearly all, of the games are."""
    low, middle, high = (wording.whole_numbers(quantile(part, q)) for q in (0.05, 0.5, 0.95))
    few = f"Half of the games have at most {middle} decisions; one in twenty has at most {low}"
    return f"{few}, and one in twenty at least {high}."


ONCE = "simultaneous ones counted once"
DEALS = counted("deals", "times that everything was shuffled and dealt", "deals", ROUNDED)
LENGTH = Table(
    "length",
    "Length of a game",
    (
        counted(
            "laps", "rounds: until a seat's turn comes again", "rounds (until a player's turn comes again)", ROUNDED
        ),
        counted("turns", "times that another seat than before decided", "turns", ROUNDED, workshop="length"),
        counted("decisions", "decisions of seats, forced ones among them", "decisions", ROUNDED, workshop="length"),
        counted("choices", "decisions with more than one legal action", "of these with a choice", ROUNDED),
    ),
    length_note,
    hidden=(
        DEALS,
        counted("chances", "draws of chance", "draws of chance", ROUNDED),
        counted("pauses", f"choices, {ONCE}", f"choices, with {ONCE}", ROUNDED),
        Measure(
            "long_games",
            f"share of games with {LONG} times the median number of decisions, or more",
            "long games",
            PERCENT,
            estimate=long_games,
            better=-1,
            remark=Remark(
                ("one game in twenty has {long} decisions or more; half have at most {middle}."),
                "Some games drag on; games that take much longer than the median",
                above=SELDOM,
                example=longest,
                more=lambda part, _estimate: {
                    "long": wording.whole_numbers(quantile(part, 0.95)),
                    "middle": wording.whole_numbers(quantile(part, 0.5)),
                },
            ),
        ),
    ),
)


# --- endings, moves, events -------------------------------------------------------------------------------------------
def ending_names(part: ReportPart) -> list[str | None]:
    """The endings in words; those that can't come with these options are left out."""
    ended, names = part.game.endings, part.game.rules.ENDINGS
    return [
        str(ended[k]) if part.statistics[metrics.ENDED, k].value or can_come(part.game, "ended", names[k]) else None
        for k in range(1, len(names))
    ]


ENDING = Subject("ending", lambda part: part.game.rules.ENDINGS[1:], ending_names)
ENDED = Measure(
    metrics.ENDED,
    "share of games with an ending",
    "share of games",
    PERCENT,
    ENDING,
    lambda part, k: part.statistics[metrics.ENDED, k + 1],
)
ENDINGS = Table(
    "endings", "How games end", (ENDED,), bar=ENDED, example=lambda part, k: noted(part, metrics.ENDED, k + 1)
)

KIND = Subject("move", lambda part: kind_numbers(part.game.rules.ACTIONS)[0], lambda part: kind_labels(part.messages))


def move_example(part: ReportPart, k: int) -> Example | None:
    """A game with a kind of move; with the ply where labels were counted."""
    label = part.messages.label(kind_numbers(part.game.rules.ACTIONS)[0][k])
    if label is not None and label.key in part.messages.first_seen:
        return Example(*part.messages.first_seen[label.key])
    return None if label is None else noted(part, metrics.KIND_USED, k)


IN_GAMES, TIMES = "in how many games", "times a game"
MET = Measure("met", "share of games with a kind of move", IN_GAMES, PERCENT, KIND, column(metrics.KIND_USED))
MADE = counted(metrics.KIND, "how often a kind of move is made in a game", TIMES, NUMBER, KIND)
MOVES_MADE = Table("moves", "Moves", (MET, MADE), bar=MET, example=move_example)


def events(part: ReportPart) -> list[str]:
    """The keys of what a table tells: what came, the most frequent first, then what never did."""
    return [*part.messages.frequent_keys(), *(text.key for text in part.messages.never())]


def event_names(part: ReportPart) -> list[str | None]:
    """The sentences."""
    messages = part.messages
    return [english(text) for text in (*map(messages.texts.__getitem__, messages.frequent_keys()), *messages.never())]


def event_times(part: ReportPart, k: int) -> Estimate:
    """How often it is told in a game; exactly 0 where it never was."""
    key, messages = events(part)[k], part.messages
    return messages.mean(key) if key in messages.often else Estimate(0.0, 0.0, 0.0, messages.matches)


def event_example(part: ReportPart, k: int) -> Example | None:
    """Where it came first."""
    at = part.messages.first_seen.get(events(part)[k])
    return None if at is None else Example(*at)


EVENT = Subject("event", events, event_names)
TOLD = Measure(
    "told",
    "share of games in which everybody is told of an event",
    IN_GAMES,
    PERCENT,
    EVENT,
    lambda part, k: part.messages.share(events(part)[k]),
)
EVENTS = Table(
    "messages",
    "What happens in games",
    (TOLD, Measure("told_times", "how often an event is told in a game", TIMES, NUMBER, EVENT, event_times)),
    lambda part: f"Counted in {wording.of(part.messages.matches, 'game')}, move by move.",
    bar=TOLD,
    example=event_example,
)


# --- choices ----------------------------------------------------------------------------------------------------------
def mean_spread(part: ReportPart) -> Estimate:
    """By how much the best move beats the worst (utility), the mean over choices, clustered by match."""
    return clustered([analysis.choices for analysis in part.analyses], LEAST)


def choices_note(part: ReportPart) -> str:
    """How the gain of choices was measured."""
    if not mean_spread(part).count:
        return f"What choices bring isn't shown: {TOO_FEW}."
    choices = sum(len(analysis.choices) for analysis in part.analyses)
    return (
        f"Measured at {wording.of(choices, 'choice')} in {len(part.analyses)} games: after each move (at most six), "
        "the house bot played on in deals that fit what the player knew."
    )


def light(part: ReportPart, brings: Estimate) -> dict[str, Any]:
    """What choices bring beside how results vary."""
    varies = deviation(part)
    differ = Estimate(varies, varies, varies, 1)
    return {"gain": wording.gap(brings.scaled(varies), part.measure), "differ": wording.gap(differ, part.measure)}


CHOICES = Table(
    "choices",
    "Choices",
    (
        counted(
            "forced",
            "share of decisions without a choice",
            "decisions without a choice",
            better=-1,
            workshop="length",
            remark=Remark(
                "{share} of decisions leave no choice.",
                "Many decisions leave no choice",
                above=MANY_FORCED,
            ),
        ),
        counted(
            "legal", "legal actions, where there is a choice", "moves to choose from, where there is a choice", NUMBER
        ),
        Measure(
            "spread",
            "utility of the best move above the worst, by playouts",
            "gain of the best move over the worst",
            ABOVE,
            estimate=mean_spread,
            better=1,
        ),
        Measure(
            "weight",
            "utility of the best move above the worst, in standard deviations of a seat's result",
            "the same, in percent of how much results vary from game to game",
            WHOLE,
            estimate=lambda part: mean_spread(part).scaled(1 / deviation(part)) if deviation(part) else UNKNOWN,
            better=1,
            remark=Remark(
                (
                    "choices matter little: on average the best move gains {gain} over the "
                    "worst, while results vary by {differ} from game to game."
                ),
                "Choices matter little; what the best move gains, as a part of how much results vary",
                below=LIGHT,
                more=light,
            ),
        ),
    ),
    choices_note,
)


# --- tension ----------------------------------------------------------------------------------------------------------
def tension_note(part: ReportPart) -> str:
    """How chances were estimated, and what the measures mean."""
    certain, judged = f"{100 * tension.CERTAIN:.0f} %", wording.of(len(part.analyses), "game was", "games were")
    begins = (
        f"{judged} looked into, at up to {tension.MOMENTS} moments, in {tension.WORLDS} deals each that fit what a "
        "spectator knew then; house bots played on. Swing: the root of the mean square. Drama: "
    )
    if part.place:
        return (
            f"{begins}the chance of losing of the likeliest loser less that of the actual one, the mean over the game. "
            "Decisive: the loser's chance of losing is above any that another ever had (Browne, Ludii). Settled: it "
            f"stays above {certain}. Noise of the estimates is taken out, except from the last."
        )
    return (
        f"{begins}the chance of the likeliest winner less that of the actual one, the mean over the game. Decisive: "
        "the winner's chance is above any that another ever had (Browne, Ludii). Settled: the winner's chance stays "
        f"above {certain}. Noise of the estimates is taken out, except from the last."
    )


def earliest(part: ReportPart) -> Example | None:
    """The analysed game that was settled earliest."""
    times = [tension.settled(analysis, part.place) for analysis in part.analyses]
    return Example(times.index(min(times))) if times else None


def analysed(
    name: str,
    meaning: str,
    title: str | tuple[str, str],
    unit: Unit,
    values: Callable[[ReportPart], np.ndarray],
    average: Callable[[np.ndarray], Estimate] = mean,
    better: int = -1,
    **more: Any,
) -> Measure:
    """A measure of matches that were looked into: the average of a value of each."""
    return Measure(name, meaning, title, unit, values=values, average=average, better=better, **more)


TENSION = Table(
    "tension",
    "Tension",
    (
        analysed(
            "swing",
            "change of the taker's chance from one moment to the next, the root of the mean square",
            (
                "swing of the winner's chance, from one moment to the next",
                "swing of the loser's chance of losing, from one moment to the next",
            ),
            POINTS,
            of_analyses(tension.squared_swing),
            root,
            1,
        ),
        analysed(
            "lead_changes",
            "changes of who is likeliest to take the place that decides",
            ("changes of the most likely winner", "changes of the most likely loser"),
            NUMBER,
            of_analyses(tension.lead_changes),
            better=1,
            workshop="tension",
        ),
        analysed(
            "drama",
            "how far the taker's chance was behind the highest, the mean over a game",
            ("drama: how far the winner was behind", "drama: how far the loser was from the likeliest loser"),
            POINTS,
            of_analyses(tension.drama),
            better=1,
            workshop="tension",
        ),
        analysed(
            "lowest",
            "the lowest chance of success that somebody who had success ever had",
            ("the winner's lowest chance", "the lowest chance to be safe of anybody who was"),
            WHOLE,
            of_analyses(lambda analysis, _rank: nan if analysis.low is None else analysis.low),
            within(mean),
        ),
        analysed(
            "decisiveness",
            "share of a game played when the taker's chance first is above all others had",
            (
                "decisiveness: share of the game played when the winner is ahead for sure",
                "decisiveness: share of the game played when the loser is picked for sure",
            ),
            WHOLE,
            unless_shared(of_analyses(tension.decisiveness)),
            within(mean),
            1,
        ),
        analysed(
            "settled",
            "share of a game played when its result is settled, the median",
            "share of the game played when the result is settled",
            WHOLE,
            unless_shared(of_analyses(tension.settled)),
            within(median),
            1,
            remark=Remark(
                ("the result is settled early: in the median game after {share} of its decisions."),
                "The result is settled early; in the median game after this share of its decisions",
                below=EARLY,
                example=earliest,
            ),
        ),
    ),
    tension_note,
    needed=lambda part: part.played is None or bool(part.analyses),
    empty=True,
)


# --- the shape of a match ---------------------------------------------------------------------------------------------
def shape_note(part: ReportPart) -> str:
    """What is usual, and how choices were judged."""
    lead = "such a lead would last in a game that adds up points and in which every part counts alike; if leads last "
    lead += "longer here, they feed themselves."
    done = "Who never came first in any of these games can't win any more."
    if part.place:
        lead = "that would last in a game that adds up points and in which every part counts alike; if it lasts longer "
        lead += "here, trouble feeds itself."
        done = "Who lost all of these games, or none, is sure to lose or to be safe."
    return (
        f"In brackets: how often {lead} Of choices, all of up to {tension.MOVES} moves were tried in {tension.TRIALS} "
        f"deals each that fit what the player knew; house bots played on. {done}"
    )


def usual_lead(fraction: float) -> Callable[[ReportPart], float]:
    """How often the leader after a fraction would take the place if all parts counted alike."""
    return lambda part: tension.alike(
        tuple(estimate.value for estimate in part.statistics.estimates(part.shares)), fraction
    )


RUNAWAY = Remark(
    (
        (
            "leads feed themselves: whoever is likeliest to win halfway comes first in {share} "
            "of games; it would be {usual} % if every part of a game counted alike."
        ),
        (
            "trouble feeds itself: whoever is likeliest to lose halfway loses in {share} of "
            "games; it would be {usual} % if every part of a game counted alike."
        ),
    ),
    (
        "Leads feed themselves; whoever is likeliest to win halfway comes first in this share of games",
        "Trouble feeds itself; whoever is likeliest to lose halfway loses in this share of games",
    ),
    above=usual_lead(tension.HALF),
    more=lambda part, _estimate: {"usual": wording.number(100 * usual_lead(tension.HALF)(part), 0)},
    example=lambda part: first(part, lambda each: tension.lead(each, part.place, tension.HALF) == 1),
)


def led(fraction: float, when: str) -> Measure:
    """How often the leader after a fraction of a game takes the place that decides."""
    return analysed(
        f"lead_{round(100 * fraction)}",
        f"share of games whose leader after {round(100 * fraction)} % of the decisions takes the place that decides; "
        "`usual`: if all parts counted alike",
        (f"who is likeliest to win {when} comes first", f"who is likeliest to lose {when} loses"),
        PERCENT,
        of_analyses(lambda analysis, rank: tension.lead(analysis, rank, fraction)),
        mean_share,
        usual=usual_lead(fraction),
        remark=RUNAWAY if fraction == tension.HALF else None,
    )


WHEN = "after a quarter of the decisions", "halfway", "after three quarters of the decisions"


def of_three(values: Callable[[ReportPart], np.ndarray]) -> Callable[[ReportPart], np.ndarray]:
    """Values where there are others to decide between."""
    return lambda part: values(part) if part.players > 2 else np.zeros(0)


def idle_minutes(part: ReportPart, estimate: Estimate) -> float:
    """The minutes, at a real table, of a share of the game."""
    return estimate.value * minutes(part.statistics, CARDS).total


def about_minutes(part: ReportPart, estimate: Estimate) -> dict[str, Any]:
    """The minutes of a share of the game."""
    return {"minutes": wording.number(idle_minutes(part, estimate), 0)}


def worst(values: Callable[[ReportPart], np.ndarray]) -> Callable[[ReportPart], Example | None]:
    """The first analysed game with no less of something than the mean of all."""

    def look(part: ReportPart) -> Example | None:
        amounts = values(part)
        known = amounts[np.isfinite(amounts)]
        return Example(int((amounts >= known.mean()).argmax())) if len(known) else None

    return look


def apart(behind: Callable[[int], int]) -> Callable[[ReportPart], np.ndarray]:
    """How far the first is ahead of another at the end; where matches are only won or lost, nothing."""
    return lambda part: (
        np.zeros(0)
        if part.place or isfinite(part.measure.high)
        else of_analyses(lambda analysis, _rank: tension.gap(analysis, behind(part.players)))(part)
    )


TAILS, LOST_SINCE = of_analyses(tension.out_of_play), of_analyses(tension.known_lost)

SHAPE = Table(
    "shape",
    "Shape of a match",
    (
        *map(led, tension.QUARTERS, WHEN),
        analysed(
            "comebacks",
            "share of games whose winner once had at most half a fair chance",
            (
                "comebacks: the winner once had at most half a fair chance",
                "comebacks: somebody who was safe once had at most half a fair chance of that",
            ),
            PERCENT,
            of_analyses(tension.comeback),
            mean_share,
            1,
            remark=Remark(
                (
                    ("comebacks are rare: in {share} of games the winner once had at most half a fair chance."),
                    (
                        "comebacks are rare: in {share} of games somebody who was safe once "
                        "had at most half a fair chance of that."
                    ),
                ),
                "Comebacks are rare; games with one",
                below=RARE_COMEBACKS,
                example=lambda part: first(part, lambda each: tension.comeback(each, part.place) == 1),
            ),
        ),
        analysed(
            "out",
            "share of choices that can't change whether whoever makes them takes the place that decides",
            (
                "choices of players who can't win any more",
                "choices of players who are sure to lose, or to be safe",
            ),
            PERCENT,
            of_three(of_choices(lambda shape: shape.out)),
            mean_share,
        ),
        analysed(
            "kingmaking",
            "share of choices that can't change that, but decide which of the others takes the place",
            (
                "kingmaking: choices of such players that decide who of the others wins",
                "kingmaking: choices of such players that decide who of the others loses",
            ),
            PERCENT,
            of_three(of_choices(lambda shape: shape.decides)),
            mean_share,
            remark=Remark(
                (
                    (
                        "there is kingmaking: {share} of choices are made by somebody who "
                        "can't win any more, and decide who of the others does."
                    ),
                    (
                        "there is kingmaking: {share} of choices are made by somebody to whom "
                        "they change nothing, and decide who of the others loses."
                    ),
                ),
                "There is kingmaking; choices that decide between others only",
                above=KINGMAKING,
                example=first_choice(lambda shape: shape.decides),
            ),
            workshop="tension",
        ),
        analysed(
            "dead",
            "share of choices after which one's own result is the same, whatever is chosen",
            "dead decisions: whatever is chosen, one's own result is the same",
            PERCENT,
            of_choices(lambda shape: shape.alike),
            mean_share,
            remark=Remark(
                ("many decisions are dead: in {share} of choices one's own result is the same whatever one chooses."),
                "Many decisions are dead; choices that change nothing for whoever makes them",
                above=DEAD,
                example=first_choice(lambda shape: shape.alike),
            ),
        ),
        analysed(
            "out_of_play",
            "share of a game after the last decision of whoever is done first",
            "share of the game left after the last decision of whoever is done first",
            PERCENT,
            TAILS,
            within(mean),
            remark=Remark(
                (
                    "whoever is done first waits long: {share} of the game is left by then, "
                    "about {minutes} minutes at a real table."
                ),
                "Whoever is done first waits long; share of the game left by then",
                above=IDLE,
                holds=lambda part, found: idle_minutes(part, found) >= IDLE_MINUTES,
                more=about_minutes,
                example=worst(TAILS),
            ),
        ),
        analysed(
            "dead_time",
            "share of a game during which a player can't win any more (or is sure to lose, where last "
            "place decides): of the player of whom that is so longest",
            (
                "dead time: share of the game that somebody plays on without a chance",
                "dead time: share of the game that somebody plays on who is sure to lose",
            ),
            PERCENT,
            of_three(LOST_SINCE),
            within(mean),
            workshop="tension",
            plotted=True,
            remark=Remark(
                (
                    "somebody plays on without a chance for {share} of the game, about "
                    "{minutes} minutes at a real table."
                ),
                "Somebody plays on without a chance; share of the game",
                above=LOST,
                more=about_minutes,
                holds=lambda part, found: not part.place and idle_minutes(part, found) >= LOST_MINUTES,
                example=worst(LOST_SINCE),
            ),
        ),
        analysed(
            "longest_wait",
            "share of a game in the longest wait of a player between two own decisions",
            "longest wait of a player, as a share of the game",
            PERCENT,
            of_analyses(tension.longest_wait),
            within(mean),
        ),
        analysed(
            "gap_second",
            "utility of the first above the second at the end",
            "how far the first is ahead of the second at the end",
            GAP,
            of_three(apart(lambda _players: 1)),
        ),
        analysed(
            "gap_last",
            "utility of the first above the last at the end",
            "how far the first is ahead of the last at the end",
            GAP,
            apart(lambda players: players - 1),
        ),
    ),
    shape_note,
    needed=lambda part: bool(part.analyses),
)


# --- an evening -------------------------------------------------------------------------------------------------------
def evenings(part: ReportPart) -> EveningStudy:
    """The evenings that were looked into."""
    assert part.evening is not None
    return part.evening


def of_evening(
    name: str,
    meaning: str,
    title: str,
    unit: Unit,
    estimate: Callable[[EveningStudy], Estimate],
    better: int = 0,
    **more: Any,
) -> Measure:
    """A measure of evenings, where a match is one and enough of them were looked into."""

    def of_enough(part: ReportPart) -> Estimate:
        out = UNKNOWN if part.evening is None or part.evening.count < LEAST else estimate(part.evening)
        return out if out.count >= LEAST else UNKNOWN

    return Measure(name, meaning, title, unit, estimate=of_enough, better=better, **more)


def leading(fraction: float, part_of_deals: str) -> Measure:
    """How often whoever has most chips after a part of the deals wins."""

    def usual(part: ReportPart) -> float:
        study = part.evening
        return study.leading(fraction)[1].value if study is not None and study.complete else float("nan")

    return of_evening(
        f"evening_lead_{round(100 * fraction)}",
        f"share of evenings that whoever has most chips after {round(100 * fraction)} % of the deals wins; "
        "`usual`: if every deal began anew",
        f"who has most chips after {part_of_deals} of the deals wins",
        PERCENT,
        lambda study: study.leading(fraction)[0],
        -1,
        usual=usual,
    )


def out_early(part: ReportPart, _estimate: Estimate) -> dict[str, Any]:
    """After which part of the deals somebody is broke."""
    study = evenings(part)
    return {"most": wording.count(study.longest), "after": percent_of_whole(study.broke_after)}


def early(part: ReportPart, _estimate: Estimate) -> bool:
    """Whether a part of the evening is left where somebody is broke."""
    after = part.evening.broke_after if part.evening is not None else UNKNOWN
    return bool(after.count) and 1 - after.high > LEFT


def halfway(part: ReportPart, _estimate: Estimate) -> dict[str, Any]:
    """How often whoever has most chips halfway wins, and would."""
    ahead, usual = evenings(part).leading(tension.HALF)
    return {"lead": wording.percent(ahead), "usual": wording.number(100 * usual.value, 0)}


EVENING = Table(
    "evening",
    "The evening",
    (
        of_evening("evening_deals", "deals of an evening", "deals that are played", NUMBER, lambda study: study.played),
        of_evening(
            "broke",
            "share of evenings in which somebody is broke before the last deal",
            "evenings in which somebody is broke before the last deal",
            PERCENT,
            lambda study: study.broke,
            -1,
            remark=Remark(
                (
                    "somebody is often out early: in {share} of evenings somebody is broke "
                    "before the last of {most} deals, on average after {after} of them."
                ),
                "Somebody is often out early; evenings in which somebody is broke before the last deal",
                above=OFTEN_BROKE,
                more=out_early,
                holds=early,
            ),
        ),
        of_evening(
            "broke_after",
            "part of an evening's deals after which somebody is broke, where somebody is",
            "that happens after this part of the deals",
            WHOLE,
            lambda study: study.broke_after,
        ),
        of_evening(
            "until_broke",
            "deals if all stop as soon as somebody is broke",
            "deals, if all stop as soon as somebody is broke",
            NUMBER,
            lambda study: study.until_broke,
        ),
        *map(leading, EVENING_QUARTERS, ("a quarter", "half", "three quarters")),
        of_evening(
            "evening_runaway",
            "how much more often than usual whoever has most chips halfway wins",
            "how much more often than usual whoever leads halfway wins",
            POINTS,
            lambda study: study.runaway(tension.HALF) if study.complete else UNKNOWN,
            -1,
            remark=Remark(
                (
                    "leads feed themselves over an evening: whoever has most chips halfway "
                    "wins {lead} of evenings; it would be {usual} % if every deal began anew."
                ),
                "Leads feed themselves over an evening; how much more often than usual whoever leads halfway wins",
                above=0.0,
                more=halfway,
            ),
        ),
    ),
    lambda part: (
        f"Of {wording.count(evenings(part).count)} evenings, with chips that are carried from deal to deal, of at "
        f"most {wording.count(evenings(part).longest)} deals. In brackets: how often such a lead would last if "
        "every deal began anew; if leads last longer here, they feed themselves."
    ),
    needed=lambda part: part.evening is not None and part.evening.count >= LEAST,
)


# --- luck and skill ---------------------------------------------------------------------------------------------------
VARYING = tuple(
    Measure(
        f"from_{name}",
        f"share of the variance of results that {what}",
        title,
        WHOLE,
        estimate=lambda part, name=name: UNKNOWN if part.variance is None else getattr(part.variance, name),
        better=int(name == "choices"),
    )
    for name, what, title in (
        ("deal", "the deal makes", "the deal: cards and draws"),
        ("seat", "the seat makes", "the seat"),
        ("choices", "choices make", "choices: one's own and those of others"),
    )
)
VARIANCE = Table(
    "variance",
    "Where results come from: shares of their variance",
    VARYING,
    lambda part: (
        f"{part.variance.deals if part.variance is not None else 0} deals were played {SEATINGS} times each, with "
        "house bots on some seats and easy bots on the others. What differs with the same cards on the same seat "
        "comes from choices. That isn't all skill: a choice also decides who gets which card next."
    ),
    needed=lambda part: part.variance is not None,
    bar=VARYING[0],
)

BY_LOT = "as if by lot"


def lots(gain: Estimate, placed_share: Estimate, part: ReportPart) -> Estimate:
    """The share of matches that lots would decide if the better one won the others; unknown where neither is."""
    better = gain.count > 1 and gain.value > 0 and gain.significant()
    return by_lot(placed_share, part.players, part.place) if better else UNKNOWN


def duel_columns(prefix: str, of: Subject, duels: Callable[[ReportPart], Sequence[Duel]]) -> tuple[Measure, ...]:
    """The measures of bots among others."""

    def placed(part: ReportPart, k: int) -> Estimate:
        return duels(part)[k].last if part.place else duels(part)[k].first

    return (
        Measure(
            f"{prefix}_gain",
            "utility of one bot among others above the mean",
            ABOVE_MEAN,
            ABOVE,
            of,
            lambda part, k: duels(part)[k].gain,
        ),
        Measure(
            f"{prefix}_place",
            "share of the place that decides of one bot among others",
            PLACE,
            PERCENT,
            of,
            placed,
        ),
        Measure(
            f"{prefix}_games",
            "games until the better bot is ahead with 95 % certainty",
            "games to tell",
            TO_TELL,
            of,
            lambda part, k: duels(part)[k].games or UNKNOWN,
            better=-1,
        ),
        Measure(
            f"{prefix}_lots",
            "share of games to be decided by lot, if the better bot won all others",
            BY_LOT,
            Unit(dashed(lambda _part, found: percent_of_whole(found))),
            of,
            lambda part, k: lots(duels(part)[k].gain, placed(part, k), part),
            better=-1,
        ),
    )


TO_TELL = Unit(lambda _part, found: wording.whole_numbers(found) if found.count else "neither is surely ahead")
DUEL = Subject(
    "one among others",
    lambda part: [f"{each.one} among {each.others}" for each in part.duels],
    lambda part: [f"{ONE_BOT[each.one]} among {MANY_BOTS[each.others]}" for each in part.duels],
)
THINKER = Subject(
    "one among others",
    lambda part: [2 * games for games, _duel in zip(GAMES, part.thinking, strict=False)],
    lambda part: [
        f"{2 * games} games for a decision, among bots with {games}"
        for games, _duel in zip(GAMES, part.thinking, strict=False)
    ],
)
SKILL = Table(
    "skill",
    "Luck and skill",
    duel_columns("duel", DUEL, lambda part: part.duels),
    lambda _part: (
        "The same deals are played from every seat. Games to tell: how many it takes until the better bot is ahead "
        "with 95 % certainty; few games mean skill, many mean luck. As if by lot: the better bot would do as well "
        "if lots decided so many games and it won all others (after Duersch and others, 2020)."
    ),
    needed=lambda part: bool(part.duels),
)
DOUBLED = duel_columns("thinking", THINKER, lambda part: part.thinking)
THINKING = Table(
    "thinking",
    "Thinking twice as long",
    (DOUBLED[0], DOUBLED[1], DOUBLED[3]),
    lambda part: (
        f"Bots that play out so many games by the house bot before each decision, on {part.thinking[0].deals} "
        "deals, each played from every seat. Where doubling brings nothing more, there is nothing left to think "
        "about, or these bots can't find it."
    ),
    needed=lambda part: bool(part.thinking),
    bar=DOUBLED[1],
    hidden=(DOUBLED[2],),
)


def levels(part: ReportPart) -> Iterator[Section]:
    """The levels of bots against each other, where `hexdeck tournament --ladder` has measured them."""
    contests = data(part.game).get("measured", {}).get(str(part.players), {}).get("contests", [])
    rows, shares = [], []
    for row in contests:
        if row["one"] in LEVELS:
            value, half = row["last" if part.place else "first"]
            placed_share = Estimate(value, *share_ends(value, half / NORMAL, row["groups"]), row["groups"])
            subject = f"{TITLES[row['one']]} among {ADJECTIVES[row['others']]}"
            value, half = row["gain"]  # how far one is ahead of the mean of the others
            off = margin("gain", value, half, row["groups"])
            ahead = Estimate(value, value - off, value + off, row["groups"])
            gain = ahead.scaled((part.players - 1) / part.players)
            lot = lots(gain, placed_share, part)
            by_lots = percent_of_whole(lot) if lot.count else "–"
            rows.append((subject, signed(gain, part), wording.percent(placed_share), by_lots))
            shares.append(placed_share.value)
    if rows and part.played is None:
        heads = "one among others", ABOVE_MEAN, PLACE[part.place], BY_LOT
        note = "With the usual options, as measured by hexdeck tournament --ladder."
        yield Section("levels", "Levels of bots", heads, tuple(rows), note, tuple(shares), 2)


# --- cards and actions ------------------------------------------------------------------------------------------------
def studied(part: ReportPart) -> CauseStudy:
    """The games that were looked into for causes."""
    assert part.causes is not None
    return part.causes


def enough_studied(part: ReportPart) -> bool:
    """Whether enough games were looked into for causes."""
    return part.causes is not None and part.causes.games >= LEAST_STUDIED


def card_names(part: ReportPart) -> list[str | None]:
    """The cards in the table's words, or their stable names; those that nobody ever held are left out."""
    study = studied(part)
    return [
        english(study.labels.get(name, name)) if study.cards.held.estimate(k).value > 0 else None
        for k, name in enumerate(study.cards.names)
    ]


def best_and_worst(part: ReportPart, count: int) -> Sequence[int]:
    """The cards to show: those that bring most first; where there are many, none of those in between."""
    gains, names = [studied(part).cards.dealt_gain.estimate(k) for k in range(count)], card_names(part)
    ranked = sorted(
        (k for k in range(count) if names[k] is not None),
        key=lambda k: -(gains[k].value if gains[k].count else float("-inf")),
    )
    return ranked if len(ranked) <= SHOWN else [*ranked[:ENDS], *ranked[-ENDS:]]


def cards_note(part: ReportPart) -> str:
    """How to read the table of cards."""
    meaning = (
        f"From {wording.count(studied(part).games)} games. Held: by how many players, in a deal. Used: by how many "
        "of them (played, shown or passed on). If dealt, if used: how far such a player ends above the mean of the "
        f"table, in {part.measure.unit}. Chance deals the cards, so “if dealt” is what the card brings; who uses "
        "one chose to, so “if used” isn't."
    )
    names = card_names(part)
    hidden = sum(name is not None for name in names) - len(best_and_worst(part, len(names)))
    shown = wording.of(hidden, "card in between isn't", "cards in between aren't")
    return f"{meaning} {shown} shown; the data file has them all." if hidden else meaning


def of_card(name: str, meaning: str, title: str, unit: Unit) -> Measure:
    """A measure of cards."""
    return Measure(name, meaning, title, unit, CARD, lambda part, k: getattr(studied(part).cards, name).estimate(k))


CARD = Subject("card", lambda part: studied(part).cards.names, card_names)
CARDS_USED = Table(
    "cards",
    "Cards",
    (
        of_card("held", "share of seats that ever hold a card in a deal", "held", BARE),
        of_card("used", "share of a card's holders that play, show or pass it on", "used", BARE),
        of_card("dealt_gain", "utility above the mean of the table of whoever is dealt a card", "if dealt", GAIN),
        of_card("used_gain", "utility above the mean of the table of whoever uses a card", "if used", GAIN),
    ),
    cards_note,
    needed=lambda part: enough_studied(part) and bool(studied(part).cards.names),
    rows=best_and_worst,
)


def independent(estimate: Estimate, games: int) -> Estimate:
    """A share with the interval of as many independent observations as games: it holds where nobody ever did it."""
    return share(estimate.value * games, games)


def chosen(part: ReportPart, k: int) -> Estimate:
    """How often a kind of action is chosen where it and another kind are legal."""
    counts = studied(part).actions.chosen
    estimate = counts.estimate(k)
    return estimate if estimate.margin or not estimate.count else independent(estimate, counts.games(k))


def actions_note(part: ReportPart) -> str:
    """How to read the table of actions, and what was spent on it."""
    judged = sum(len(analysis.judged) for analysis in part.analyses)
    return (
        f"Chosen: of decisions that allow this and something else, in {wording.count(studied(part).games)} games. If "
        f"chosen: how far such a player ends above the mean of the table, in {part.measure.unit}. The rest is from "
        f"{wording.of(judged, 'choice')} in {len(part.analyses)} games: each move was tried in {tension.TRIALS} deals "
        "that fit what the player knew, house bots playing on. Over the next best: what the chosen move brings more "
        "than the best other. Best of all: how often no other kind of move brings more. A dash: no such choice, or too "
        "few."
    )


OPEN = Unit(dashed(lambda _part, found: wording.percent(found)), hundred)
ACTION = Subject("action", KIND.keys, KIND.names)


def of_worth(name: str, meaning: str, title: str, unit: Unit) -> Measure:
    """A measure of what kinds of actions are worth."""
    return Measure(name, meaning, title, unit, ACTION, lambda part, k: getattr(part.worths[k], name))


ACTIONS = Table(
    "actions",
    "Actions",
    (
        Measure(
            "chosen",
            "of choices that allow a kind of action and another, those that choose it",
            "chosen",
            OPEN,
            ACTION,
            chosen,
        ),
        Measure(
            "chosen_gain",
            "utility above the mean of the table of whoever chooses a kind of action",
            "if chosen",
            GAIN,
            ACTION,
            lambda part, k: studied(part).actions.gain.estimate(k),
        ),
        of_worth(
            "over_next", "utility of the chosen move above the next best, by playouts", "over the next best", GAIN
        ),
        of_worth("best", "how often a kind's best move is the best of all", "best of all", OPEN),
    ),
    actions_note,
    needed=enough_studied,
    hidden=(of_worth("over_others", "utility of a kind's best move above the best of others", "over others", GAIN),),
)

# --- probes -----------------------------------------------------------------------------------------------------------
PROBE = Subject(
    "probe",
    lambda part: [effect.change for effect in part.probes],
    lambda part: [str(probe_of(part.game, effect.change).doing) for effect in part.probes],
)


def probe_note(part: ReportPart) -> str:
    """What was forced on which seats."""
    probes = [probe_of(part.game, effect.change) for effect in part.probes]
    lines = "; ".join(f"{probe.name or number}: {probe.line}" for number, probe in enumerate(probes, 1))
    return (
        f"Each line was forced on one bot, each seat in turn, in {wording.count(part.probes[0].pairs)} games; the "
        "others played as before. Differences are to the same games without it, on the same cards. Where a line "
        f"leaves a choice, the bot chose. Lines: {lines}"
    )


def of_probe(name: str, meaning: str, title: Any, unit: Unit) -> Measure:
    """A measure of probes."""
    return Measure(name, meaning, title, unit, PROBE, lambda part, k: part.probes[k].shifts[name].difference)


PROBES = Table(
    "probes",
    "Probes: what ways of playing bring",
    (
        of_probe("probe_changed", "share of games that a forced way of playing changes", "games it changed", PERCENT),
        of_probe("probe_gain", "utility that a forced way of playing brings", "difference", ABOVE),
        of_probe(
            "probe_place",
            "what a forced way of playing adds to the share of the place that decides",
            ("comes first, percentage points", "loses, percentage points"),
            Unit(lambda _part, estimate: wording.plain(estimate.scaled(100))),
        ),
    ),
    probe_note,
    needed=lambda part: bool(part.probes),
)

TABLES: tuple[Table, ...] = (LENGTH, ENDINGS, MOVES_MADE, EVENTS, CHOICES, TENSION, SHAPE, VARIANCE, THINKING, SKILL)
TABLES += (CARDS_USED, ACTIONS, PROBES, EVENING, TIME, COMPANY, SAID)
MEASURES = (*RESULTS, *STARTS, *(measure for table in TABLES for measure in (*table.measures, *table.hidden)))


def measured(part: ReportPart) -> Iterator[Measure]:
    """The measures that a part has something of."""
    yield from (*RESULTS, *STARTS)
    for table in TABLES:
        if table.needed(part):
            yield from (*table.measures, *table.hidden)
