"""The questions of a report's first page, by what criterion each is judged, and their answers."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from math import isnan

from hexdeck.engine.backends.kernels_games import EVERYTHING
from hexdeck.engine.study import EARNED
from hexdeck.lab import counts, log, tension
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
    own: str = ""  # the verdict on the number, if the answer's is about something else, too
    start: Estimate = UNKNOWN  # what starting adds to a share, in percentage points, if that is to be looked at


OFF, FAR = 0.01, 0.03  # of a share: from so much on a sure advantage is worth a look; less than that is fair enough
SLIGHT = 0.05  # of a result's standard deviation: less than that is fair enough
FEWEST = 100  # games, with fewer of which nothing is said of lengths
WAIT = 120  # seconds between one's own turns, at a real table, from which waiting is worth a look
SHORT = 15  # minutes: a game that takes no longer is short, whatever its median
PERHAPS_LUCK = " {} too few to tell whether that is luck."
RESULTS = {ABOVE, STARTER_RESULT}  # kinds of findings on results rather than on shares
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
    seats = [(is_sure, q.kind not in RESULTS, q) for q, is_sure in tests.of(part) if q.kind in findings.SEATS]
    better = any(of[0] and not of[1] and abs(of[2].found.value) >= SLIGHT * deviation(part) for of in seats)
    seat_verdict = LOOK if better or (sure and abs(off.value) >= OFF) else FINE if within else UNSURE
    start = start_found(tests, part)
    verdict = seat_verdict if start is None else LOOK
    values = [share.value for share in shares.values()]
    low, high, first = (wording.number(100 * share, 1) for share in (min(values), max(values), starter.value))
    judged = f", the starter {first} %" if part.starting.at_random else ""  # else what made them start may help or hurt
    does = (
        ""
        if start is None or seat_verdict == LOOK
        else f"starting {tables.helped(part, start.found, part.place)['helps']}; "
    )
    value = f"{does}seats {{win}} {low} to {high} %{judged} (fair: {wording.number(100 / part.players, 1)} %)"
    value, number = wording.in_game(value, part), wording.absolute(off.scaled(100))
    text = f"With {part.players} players, no seat is further than {findings.no_further(part, tests.report.tests)}"
    if seat_verdict == LOOK:  # told by a share, if that is sure, rather than by results
        text = max(seats, key=lambda each: (*each[:2], each[2].tell().size))[2].tell().text
    if start is not None:
        steered = f" Players can steer who starts ({part.starting.why}), so it may be meant."
        text = f"{text} " * (seat_verdict == LOOK) + start.tell().text + steered * (part.starting.how == EARNED)
        text += findings.levers(part, start.kind)
    text += PERHAPS_LUCK.format(wording.of(len(part.statistics), "game is", "games are")) if verdict == UNSURE else ""
    example = tables.of_excess(part, *metric) if start is None else start.tell().example
    costs = 0.0 if start is None or start.kind == "start_gain" else abs(start.found.value)
    weight = max(abs(off.value), costs)
    short, begins = wording.plain(number, 1), tables.of_start(part, part.place) if start is not None else UNKNOWN
    drawn = short, number, None, weight, example, seat_verdict, begins.scaled(100)
    return ReportAnswer(part.players, verdict, text, value, *drawn)


def start_found(tests: findings.Tests, part: ReportPart) -> Hypothesis | None:
    """What starting itself surely does, in shares rather than in results, if that is worth a look."""
    least = {"start_first": OFF, "start_last": OFF, "start_gain": SLIGHT * deviation(part)}
    certain = {question.kind: question for question, sure in tests.of(part) if sure}
    return next((certain[k] for k, off in least.items() if k in certain and abs(certain[k].found.value) >= off), None)


# --- long? ------------------------------------------------------------------------------------------------------------
def long(tests: findings.Tests, part: ReportPart) -> ReportAnswer:
    """The minutes of a game with real cards, and those of nine games in ten; by the model of `lab.counts`."""
    if len(part.statistics) < FEWEST:
        return ReportAnswer(part.players, UNSURE, "Too few games were played to tell how long they take.")
    real = counts.minutes(part.statistics, replace(counts.CARDS, think=tests.report.plan.choice_seconds))
    late = tables.quantile(part, 0.95)
    per_decision = real.total / part.statistics["decisions"].value
    low, high = tables.quantile(part, 0.05).value * per_decision, late.value * per_decision
    drags = high > SHORT and any(sure and question.kind == "long_games" for question, sure in tests.of(part))
    text = f"With {part.players} players, {wording.number(real.wait, 0)} seconds pass between two of your own turns."
    if drags:
        text = (
            f"With {part.players} players, one game in twenty takes {in_minutes(high)} minutes or more: over {LONG:g} "
        )
        text += "times the median."
    elif not real.wait:
        text = f"With {part.players} players, each has fewer than two turns, on average."
    number = Estimate(real.total, low, high, len(part.statistics))
    return of_minutes(part, drags or real.wait > WAIT, text, number, tables.longest(part) if drags else None)


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
    duel, easy_duel, begins = part.duel_with("random"), part.duel_with("gentle"), f"With {part.players} players, "
    if duel is None:
        return ReportAnswer(part.players, UNSURE, "No bots of different strength played each other.")
    sure = {question.kind for question, is_sure in tests.of(part) if is_sure}
    if duel.games is None or "skill" not in sure:
        text = f"{begins}the house bot isn't clearly better than random play."
        worse = f"{begins}the house bot is worse than random play: its rules of thumb don't fit."
        return ReportAnswer(part.players, LOOK, worse if "skill" in sure and duel.gain.value < 0 else text)
    short = wording.whole_numbers(duel.games)
    text = value = f"the house bot is ahead of random play after {short} game{'s' * (short != '1')}"
    verdict = UNSURE if "luck" not in sure else LOOK if duel.games.value >= findings.LUCKY else FINE
    easy = None if easy_duel is None else easy_duel.games
    if easy is not None and easy.value > duel.games.high:  # else easy bots are hardly better than random ones
        about = f"{int(float(f'{easy.value:.2g}')):,}"
        text = value = f"{value}, of easy bots after about {about}"
        if "easy" in sure and easy.value >= findings.EVEN:
            verdict, text = LOOK, f"it takes about {about} games to tell the house bot from an easy one: mostly luck"
    return ReportAnswer(part.players, verdict, f"{begins}{text}.", value, short, duel.games, None, duel.games.value)


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
    if sure > 1:
        further = ", ".join(f"“{question.tell().what}”" for question in dead[1:])
        text += f" So {'is' if sure == 2 else 'are'} {further}."
    text += findings.levers(part, least.kind, finding.subject) if sure else ""
    number = Estimate(sure, sure, possible, len(own))
    value = f"{short} cards and kinds of moves are hardly ever used"
    value = value if possible else f"all {len(own)} cards and kinds of moves are used"
    return ReportAnswer(part.players, verdict, text, value, short, number, float(len(own)), sure, finding.example)


# --- runaway? ---------------------------------------------------------------------------------------------------------
def runaway(tests: findings.Tests, part: ReportPart) -> ReportAnswer:
    """How often the player who is ahead halfway takes the place that decides, beside what is usual."""
    measure = shape.LEADS[1]
    estimate, usual = measure.of_part(part), shape.usual_lead(shape.HALF)(part)
    if not estimate.count:
        return ReportAnswer(part.players, UNSURE, "Too few games were looked into to tell whether leads last.")
    lasting = any(sure and question.kind == measure.name for question, sure in tests.of(part))
    told = shape.has_winner(part)  # else few leaders win alone, however long they lead
    verdict = LOOK if lasting else FINE if told and estimate.high <= usual + FURTHER else UNSURE
    share, number = percent_of_whole(estimate), estimate.scaled(100)
    top = wording.in_game("whoever is likeliest to {win} halfway {takes}", part)
    text = f"With {part.players} players, {top} in {share} of games; {wording.number(100 * usual, 0)} % would be usual."
    unsure = PERHAPS_LUCK if told else " First place is too often shared to tell."
    text += unsure.format(wording.of(estimate.count, "game is", "games are")) if verdict == UNSURE else ""
    example, further = shape.RUNAWAY.example(part, measure.values(part)), estimate.value - usual
    value = wording.in_game("the likeliest {winner} halfway {wins} ", part)
    value += f"{share} (usual: {wording.number(100 * usual, 0)} %)"
    return ReportAnswer(part.players, verdict, text, value, share, number, 100 * usual, further, example)


# --- the questions ----------------------------------------------------------------------------------------------------
@dataclass(frozen=True)
class ReportQuestion:
    """A question: its stable name, title, subject, criterion and answer, and what is drawn of its answers."""

    id: str
    title: str
    subject: str  # as the headline names it
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
        "fairness",
        fair,
        f"Look here if a seat, or starting, is surely {100 * OFF:g} percentage point or more off a fair share, or "
        f"surely changes the mean result by {100 * SLIGHT:g} % of a standard deviation or more. Fine if all seats are "
        f"surely within {100 * FAR:g} points. The interval holds for all seats and numbers of players together.",
        "points the worst seat is off a fair share; below, where starting surely matters, what it adds; ●: surely in "
        "the shade",
        charts.Scale(0, 5, shaded=100 * FAR),
    ),
    ReportQuestion(
        "long",
        "How long?",
        "length",
        long,
        "Minutes come from a model with guessed seconds, and how long is too long is for you to say. Look here "
        f"if one game in twenty clearly takes {wording.number(LONG, 1)} times the median and over {SHORT} minutes, or "
        f"if more than {WAIT} seconds pass between two of your own turns and players have two or more.",
        "minutes with real cards; line: nine games in ten",
        charts.Scale(0, 10),
    ),
    ReportQuestion(
        "luck",
        "Skill or luck?",
        "luck",
        skill,
        f"Look here if it clearly takes {findings.LUCKY} games or more to tell the house bot from random play, "
        f"{findings.EVEN} or more from easy bots, or if it isn't clearly better than random play.",
        "games until the house bot is ahead of random play 19 times in 20; the shaded part is fine",
        charts.Scale(0, 80, shaded=findings.LUCKY),
    ),
    ReportQuestion(
        "dead",
        "Dead parts?",
        "dead parts",
        unused,
        f"Look here if clearly fewer than {100 * tables.DEAD_CARD:g} % of its holders use a card, or a kind of move is "
        f"clearly chosen in less than {100 * tables.DEAD_ACTION:g} % of the choices that allow it. Can't tell where "
        f"more than a tenth of them might be, or with fewer than {tables.ENOUGH} games.",
        "cards and kinds of moves that are hardly ever used",
        charts.Scale(0, 5, bars=True),
    ),
    ReportQuestion(
        "runaway",
        "Runaway?",
        "runaway leads",
        runaway,
        "Usual is how often such a lead would last if every part of the game counted alike. Look here if it "
        f"clearly lasts more often. Fine if it doesn't, and at most {100 * FURTHER:g} percentage points more often. "
        f"Can't tell with fewer than {LEAST} games, or if first place is shared in over {100 * shape.SHARED:g} %.",
        "percent of games in which whoever is likeliest to {win} halfway {takes}; tick: usual",
        charts.Scale(0, 100),
    ),
)


def answered(tests: findings.Tests, questions: Sequence[ReportQuestion] = QUESTIONS) -> list[Answered]:
    """All questions with their answers."""

    def bearing(question: ReportQuestion, part: ReportPart) -> ReportAnswer:
        answer = question.answer(tests, part)  # where it is to be looked at, with the options that bear on it
        text = answer.text + (findings.levers(part, question.id) if answer.verdict == LOOK else "")
        text += findings.try_all(part) if answer.verdict == LOOK and "hexdeck" not in text else ""
        return replace(answer, text=text)

    parts = tests.report.parts
    told = [replace(each, caption=wording.in_game(each.caption, parts[0])) for each in questions]
    return [Answered(each, tuple(bearing(each, part) for part in parts)) for each in told]


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
    if question == "runaway" and plan.sample is None and first and shape.has_winner(part):
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
