"""The questions of a report's first page, by what criterion each is judged, and their answers."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from math import isnan

from hexdeck.engine.backends.kernels_games import EVERYTHING
from hexdeck.engine.study import EARNED
from hexdeck.lab import log, pace, tension
from hexdeck.lab.counts import ABOVE, STARTER_RESULT, collect
from hexdeck.lab.reporting import charts, findings, people, shape, tables, wording
from hexdeck.lab.reporting.measures import LEAST, LONG, Example, Hypothesis, deviation, percent_of_whole
from hexdeck.lab.reporting.report import SETTLING, Plan, Report, ReportPart, Tick
from hexdeck.lab.studies import duel
from hexdeck.stats import UNKNOWN, Estimate

FINE, LOOK, UNSURE = "fine", "look", "unsure"
WORDS = {FINE: "● fine", LOOK: "▲ look here", UNSURE: "○ can't tell"}  # with a sign: never colour alone
WORST = LOOK, UNSURE, FINE  # of several verdicts, the first of these that there is


@dataclass(frozen=True)
class ReportAnswer:
    """The answer to a question for one number of players."""

    players: int
    verdict: str
    text: str  # what it means
    value: str = "–"  # the number with its interval, in words
    short: str = "–"  # the same without its unit
    number: Estimate = UNKNOWN  # the same to be drawn
    usual: float | None = None  # what it is beside
    weight: float = 0.0  # how much it asks to be looked at, among answers with the same verdict
    example: Example | None = None  # a game that shows what is to be looked at


OFF, FAR = 0.01, 0.03  # of a share: from so much on a sure advantage is worth a look; less than that is fair enough
SLIGHT = 0.05  # of a result's standard deviation: less than that is fair enough
FEWEST = 100  # games, with fewer of which nothing is said of lengths
WAIT = 120  # seconds between one's own turns, at a real table, from which waiting is worth a look
PERHAPS_LUCK = " {} too few to tell whether that is luck."
FURTHER = 0.15  # of games: leads that may last so much more often than usual aren't called harmless


# --- fair? ------------------------------------------------------------------------------------------------------------
def fair(tests: findings.Tests, part: ReportPart) -> ReportAnswer:
    """How far a seat, or the starter where players have no say in that, is off a fair share; what starting does."""
    if not part.same_bots:
        text = "The seats had different bots, so nothing here shows whether one seat is better than another."
        return ReportAnswer(part.players, UNSURE, text if part.played is None else people.MIXED)
    shares = {(part.shares, k): share for k, share in enumerate(part.statistics.estimates(part.shares))}
    tested = {name: share for name, share in shares.items() if not part.always_starts(name[1])}
    starter = part.statistics[part.starter_share]
    if part.starting.at_random:
        tested[part.starter_share, 0] = starter
    metric = max(tested, key=lambda name: abs(tested[name].value - 1 / part.players))
    off = tested[metric].shifted(-1 / part.players).simultaneous(tests.report.tests)
    sure = any(is_sure and (each.kind, each.found) == (metric[0], tested[metric]) for each, is_sure in tests.of(part))
    within = max(abs(off.low), abs(off.high)) <= FAR
    seats = [question for question, _sure in tests.of(part) if question.kind in findings.SEATS]
    better = any(
        sure and question.kind in {ABOVE, STARTER_RESULT} and abs(question.found.value) >= SLIGHT * deviation(part)
        for question, sure in tests.of(part)
    )
    seat_verdict = LOOK if better or (sure and abs(off.value) >= OFF) else FINE if within else UNSURE
    start = start_found(tests, part)
    verdict = seat_verdict if start is None else LOOK
    values = [share.value for share in shares.values()]
    low, high, first = (wording.number(100 * share, 1) for share in (min(values), max(values), starter.value))
    judged = f", starter {first} %" if part.starting.at_random else ""  # else what made them start may help or hurt
    does = "" if start is None else f"; starting {start.tell().what}"
    value, number = f"seats {low} to {high} %{judged}{does}", wording.absolute(off.scaled(100))
    if start is not None and seat_verdict != LOOK:
        steered, why = part.starting.how == EARNED, part.starting.why
        meant = (
            f"players can steer who starts ({why}), so it may be meant" if steered else f"who starts is dealt ({why})"
        )
        text = f"With {part.players} players, the seats are fair, but starting {start.tell().what}: {meant}."
    elif verdict == LOOK:
        text = max((question.tell() for question in seats), key=lambda finding: finding.size).text
    else:
        text = f"With {part.players} players, no seat is further than {findings.no_further(part, part.players)}"
    text += PERHAPS_LUCK.format(wording.of(len(part.statistics), "game is", "games are")) if verdict == UNSURE else ""
    example = tables.of_excess(part, *metric) if start is None else start.tell().example
    costs = 0.0 if start is None or start.kind == "start_gain" else abs(start.found.value)
    if start is not None and costs > abs(off.value):
        number = wording.absolute(start.found.scaled(100))
    weight = max(abs(off.value), costs)
    return ReportAnswer(part.players, verdict, text, value, wording.plain(number, 1), number, None, weight, example)


def start_found(tests: findings.Tests, part: ReportPart) -> Hypothesis | None:
    """What starting itself surely does, in shares rather than in results, if that is worth a look."""
    least = {"start_first": OFF, "start_last": OFF, "start_gain": SLIGHT * deviation(part)}
    certain = {question.kind: question for question, sure in tests.of(part) if sure}
    return next((certain[k] for k, off in least.items() if k in certain and abs(certain[k].found.value) >= off), None)


# --- long? ------------------------------------------------------------------------------------------------------------
def long(tests: findings.Tests, part: ReportPart) -> ReportAnswer:
    """The minutes of a game with real cards, and those of nine games in ten; by the model of `lab.pace`."""
    if len(part.statistics) < FEWEST:
        return ReportAnswer(part.players, UNSURE, "Too few games were played to tell how long they take.")
    real = pace.minutes(part.statistics, replace(pace.CARDS, think=tests.report.plan.pace))
    late = tables.quantile(part, 0.95)
    per_decision = real.total / part.statistics["decisions"].value
    low, high = tables.quantile(part, 0.05).value * per_decision, late.value * per_decision
    drags = any(sure and question.kind == "long_games" for question, sure in tests.of(part))
    waits = real.wait > WAIT
    text = f"With {part.players} players, "
    if drags:
        text += f"one game in twenty takes {in_minutes(high)} minutes or more: over {LONG:g} times the median."
    else:
        text += f"{wording.number(real.wait, 0)} seconds pass between two of your own turns."
    number = Estimate(real.total, low, high, len(part.statistics))
    return of_minutes(part, drags or waits, text, number, tables.longest(part) if drags else None)


def of_minutes(part: ReportPart, look: bool, text: str, number: Estimate, example: Example | None) -> ReportAnswer:
    """The answer with these minutes of a match, and those of nine matches in ten."""
    middle, low, high = map(in_minutes, (number.value, number.low, number.high))
    short, verdict = f"{middle} ({low} to {high})", LOOK if look else FINE
    return ReportAnswer(part.players, verdict, text, f"{short} minutes", short, number, None, number.value, example)


def in_minutes(number: float) -> str:
    """Minutes, in whole ones from ten on."""
    return wording.number(number, 0 if number >= 10 else 1)


# --- skill or luck? ---------------------------------------------------------------------------------------------------
def skill(tests: findings.Tests, part: ReportPart) -> ReportAnswer:
    """How many games it takes to tell the house bot from random players, and from easy bots."""
    duel, begins = part.duel_with_random, f"With {part.players} players, the house bot"
    if duel is None:
        return ReportAnswer(part.players, UNSURE, "No bots of different strength played each other.")
    sure = {question.kind for question, is_sure in tests.of(part) if is_sure}
    if duel.games is None or "skill" not in sure:
        text = f"{begins} isn't clearly better than random play."
        worse = f"{begins} is worse than random play: its rules of thumb don't fit."
        return ReportAnswer(part.players, LOOK, worse if "skill" in sure and duel.gain.value < 0 else text)
    short = wording.whole_numbers(duel.games)
    value = f"ahead of random play after {short} game{'s' * (short != '1')}"
    easy = next((each.games for each in part.duels if (each.one, each.others) == ("house", "gentle")), None)
    value += f", of easy bots after about {int(float(f'{easy.value:.2g}')):,}" if easy is not None else ""
    verdict = UNSURE if "luck" not in sure else LOOK if duel.games.value >= findings.LUCKY else FINE
    return ReportAnswer(
        part.players, verdict, f"{begins} is {value}.", value, short, duel.games, None, duel.games.value
    )


# --- dead parts? ------------------------------------------------------------------------------------------------------
OFTEN = 0.5  # of its holders, or of the choices that allow it: what is used more than that isn't named


def unused(tests: findings.Tests, part: ReportPart) -> ReportAnswer:
    """How many cards and kinds of moves are hardly ever used, of all that could be."""
    own = [(question, sure) for question, sure in tests.of(part) if question.kind in {"used", "chosen"}]
    if part.causes is None or part.causes.games < tables.ENOUGH or not own:
        return ReportAnswer(part.players, UNSURE, "Too few games were looked into to tell what is used.")
    dead = [question for question, sure in own if sure]
    sure, possible = len(dead), len(dead) + sum(question.unsure and not sure for question, sure in own)
    short = f"{sure} of {len(own)}" if sure == possible else f"{sure} to {possible} of {len(own)}"
    verdict = LOOK if sure else FINE if possible <= len(own) / 10 else UNSURE
    unknown = [question for question, _sure in own if isnan(question.found.value)]
    least = dead[0] if sure else unknown[0] if unknown else min((q for q, _sure in own), key=lambda q: q.found.value)
    finding, begins, card = least.tell(), f"With {part.players} players, ", least.kind == "used"
    name, value = finding.what if card else f"“{finding.what}”", finding.value
    if least.found.value > OFTEN:
        text = f"{begins}every card and every kind of move is used often."
    elif sure and card:
        text = f"{begins}{name} is a dead card: hardly anybody who holds it uses it ({value})."
    elif sure:
        text = f"{begins}{name} is hardly ever chosen where it is allowed ({value})."
    elif unknown:
        text = f"{begins}every card and every kind of move is used, but {name} came up too seldom to tell how often."
    else:
        use = f"{name}, by {value} of its holders" if card else f"{name}, in {value} of the choices that allow it"
        text = f"{begins}every card and every kind of move is used; the least used is {use}."
    text += findings.levers(part, least.kind, finding.subject) if sure else ""
    if sure > 1:
        further = ", ".join(f"“{question.tell().what}”" for question in dead[1:])
        text += f" So {'is' if sure == 2 else 'are'} {further}."
    number = Estimate(sure, sure, possible, len(own))
    return ReportAnswer(
        part.players, verdict, text, f"{short} unused", short, number, float(len(own)), sure, finding.example
    )


# --- runaway? ---------------------------------------------------------------------------------------------------------
def runaway(tests: findings.Tests, part: ReportPart) -> ReportAnswer:
    """How often the player who is ahead halfway takes the place that decides, beside what is usual."""
    measure = shape.LEADS[1]
    estimate, usual = measure.of_part(part), shape.usual_lead(shape.HALF)(part)
    if not estimate.count:
        return ReportAnswer(part.players, UNSURE, "Too few games were looked into to tell whether leads last.")
    lasting = any(sure and question.kind == measure.name for question, sure in tests.of(part))
    verdict = LOOK if lasting else FINE if estimate.high <= usual + FURTHER else UNSURE
    share, number = percent_of_whole(estimate), estimate.scaled(100)
    top = wording.in_game("whoever is likeliest to {win} halfway {takes}", part)
    text = f"With {part.players} players, {top} in {share} of games; {wording.number(100 * usual, 0)} % would be usual."
    text += PERHAPS_LUCK.format(wording.of(estimate.count, "game is", "games are")) if verdict == UNSURE else ""
    example, further = shape.RUNAWAY.example(part, measure.values(part)), estimate.value - usual
    value = f"{share} (usual: {wording.number(100 * usual, 0)} %)"
    return ReportAnswer(part.players, verdict, text, value, share, number, 100 * usual, further, example)


# --- the questions ----------------------------------------------------------------------------------------------------
@dataclass(frozen=True)
class ReportQuestion:
    """A question: its stable name, title, criterion and answer, and what is drawn of its answers."""

    id: str
    title: str
    answer: Callable[[findings.Tests, ReportPart], ReportAnswer]
    criterion: str
    caption: str
    scale: charts.Scale


@dataclass(frozen=True)
class Answered:
    """A question with its answers, one for each number of players."""

    question: ReportQuestion
    answers: tuple[ReportAnswer, ...]

    @property
    def main(self) -> ReportAnswer:
        """The one that stands for all numbers of players: the worst, and of those the one that weighs most."""
        return min(self.answers, key=lambda each: (WORST.index(each.verdict), -each.weight))


QUESTIONS = (
    ReportQuestion(
        "fair",
        "Fair?",
        fair,
        f"Look here if a seat, or starting, is surely {100 * OFF:g} percentage point or more off a fair share, or "
        f"surely changes the mean result by {100 * SLIGHT:g} % of a standard deviation or more. Fine if all seats are "
        f"surely within {100 * FAR:g} points. The interval holds for all seats and numbers of players together.",
        "points off a fair share (worst seat, or what starting does); the shaded part is fair enough",
        charts.Scale(0, 5, shaded=100 * FAR),
    ),
    ReportQuestion(
        "long",
        "How long?",
        long,
        "Minutes come from a model with guessed seconds, and how long is too long is for you to say. Look here "
        f"if one game in twenty clearly takes {wording.number(LONG, 1)} times the median or more, or if more "
        f"than {WAIT} seconds pass between two of your own turns.",
        "minutes with real cards; line: nine games in ten",
        charts.Scale(0, 10),
    ),
    ReportQuestion(
        "luck",
        "Skill or luck?",
        skill,
        f"Look here if it clearly takes {findings.LUCKY} games or more to tell the house bot from random play, or if "
        "it isn't clearly better.",
        "games until the house bot is ahead of random play 19 times in 20; the shaded part is fine",
        charts.Scale(0, 80, shaded=findings.LUCKY),
    ),
    ReportQuestion(
        "dead",
        "Dead parts?",
        unused,
        f"Look here if clearly fewer than {100 * tables.DEAD_CARD:g} % of its holders use a card, or a kind of move is "
        f"clearly chosen in less than {100 * tables.DEAD_ACTION:g} % of the choices that allow it. Can't tell where "
        f"more than a tenth of them might be, or with fewer than {tables.ENOUGH} games.",
        "cards and kinds of moves that are hardly ever used, of all",
        charts.Scale(0, 5, bars=True),
    ),
    ReportQuestion(
        "runaway",
        "Runaway?",
        runaway,
        "Usual is how often such a lead would last if every part of the game counted alike. Look here if it "
        f"clearly lasts more often. Fine if it doesn't, and at most {100 * FURTHER:g} percentage points more "
        f"often. Can't tell with fewer than {LEAST} games.",
        "percent of games that the leader halfway wins; tick: expected",
        charts.Scale(0, 100),
    ),
)


def answered(tests: findings.Tests, questions: Sequence[ReportQuestion] = QUESTIONS) -> list[Answered]:
    """All questions with their answers."""

    def bearing(question: ReportQuestion, part: ReportPart) -> ReportAnswer:
        answer = question.answer(tests, part)  # where it is to be looked at, with the options that bear on it
        more = findings.levers(part, question.id) if answer.verdict == LOOK else ""
        return replace(answer, text=answer.text + more)

    return [Answered(each, tuple(bearing(each, part) for part in tests.report.parts)) for each in questions]


# --- more games, until answers can tell -------------------------------------------------------------------------------
LOOKS = 1.25, 20.0, 20.0, 20.0, 20.0  # by what p-values are multiplied at each look; the inverses add up to 1


def settled(report: Report, tick: Tick, seconds: float = SETTLING) -> Report:
    """The report, with twice as many games looked into, and again, where an answer can't tell."""
    began, parts, report = time.monotonic(), list(report.parts), replace(report, correction=LOOKS[0])
    for correction in LOOKS[1:]:
        pairs = ((card.question.id, answer) for card in answered(findings.Tests(report)) for answer in card.answers)
        unsure = {(answer.players, question) for question, answer in pairs if answer.verdict == UNSURE}
        grown = False
        for k, part in enumerate(parts):
            for name in ("fair", "runaway", "luck", "dead"):
                seconds_left = seconds - (time.monotonic() - began)
                if (part.players, name) in unsure and seconds_left > 0 and not report.interrupted:
                    tick(f"{part.players} players: more games, to tell", 1, None)
                    larger = enlarged(parts[k], name, report.plan, seconds_left)
                    parts[k], grown = larger or parts[k], grown or larger is not None
        if not grown:
            break
        report = replace(report, parts=tuple(parts), correction=correction)
    return report


def enlarged(part: ReportPart, question: str, plan: Plan, seconds: float) -> ReportPart | None:
    """The part with about twice as much of what a question is answered by; None where there can't be more."""
    setup, first = plan.setup(part.game), len(part.analyses)
    if question == "fair" and plan.games is None and part.same_bots:
        played, end = part.statistics, time.monotonic() + seconds
        collect(setup, len(played), first=len(played), enough=lambda _all: time.monotonic() >= end, into=played)
        return replace(part)  # of which nothing is estimated yet
    if question == "runaway" and plan.sample is None and first:
        added = tension.analyse_matches(setup, log.matches(setup, first, first), seconds, first=first)
        return replace(part, analyses=(*part.analyses, *added))
    if question == "luck" and part.duels:
        old = part.duels[0]
        return replace(part, duels=(duel(setup, old.one, old.others, 2 * old.deals), *part.duels[1:]))
    if question == "dead" and part.causes is not None:
        end = time.monotonic() + seconds
        part.causes.least = 2 * part.causes.decisions
        part.causes.look_into(log.Player(setup, EVERYTHING), 2 * part.causes.games, lambda: time.monotonic() >= end)
        return replace(part)
    return None
