"""What differs in the answers of the first page where people played: what they felt, and how long it took them."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from hexdeck.engine.text import Text, _, say, say_n
from hexdeck.lab.reporting import number_format as numbers
from hexdeck.lab.reporting.answers import answers
from hexdeck.lab.reporting.answers.answers import CRITERIA, FINE, LOOK, UNSURE, Answer, Reading, of_minutes, points
from hexdeck.lab.reporting.answers.pictures import Scale
from hexdeck.lab.reporting.measures import LONG, SELDOM, Measure, percent_of_whole
from hexdeck.lab.reporting.people import CONFUSED, FAIR, LONGER, MIDDLE, SLOW, everyone, longest, minutes
from hexdeck.lab.reporting.report import Part
from hexdeck.stats import Estimate

OFTEN = 0.25  # of those who answered: if surely more were confused, that is worth a look; if surely fewer, it is fine
FEWEST = 5  # matches, with fewer of which nothing is said of minutes

CAVEAT = say(
    "People, or people and bots, played all of this at tables. Where matches are few, the intervals are wide: read "
    "them first."
)
BY_PEOPLE = CRITERIA | {
    "fair": say("{criterion} Look here too if people surely found it unfair: fewer than {middle} of 5.",
                criterion=CRITERIA["fair"], middle=numbers.number(MIDDLE, 0)),
    "long": say(
        "Minutes are real ones, without pauses. Look here if surely most of those who answered found it too long, or "
        "if surely more than {seldom} % of matches took {times} times the median. Can't tell with fewer than {fewest} "
        "matches.", seldom=points(SELDOM), times=numbers.number(LONG, 1), fewest=FEWEST),
    "luck": say("Only games between players whose strength is known can tell: see a report on games between bots."),
    "confusing": say(
        "Look here if surely more than {often} % of those who answered named something that confused them. Fine if "
        "surely fewer did.", often=points(OFTEN)),
}  # fmt: skip
CAPTIONS = {
    "long": say("minutes at this table, median match; line: nine matches in ten"),
    "confusing": say("percent of those who answered that named something confusing; up to {often}, shaded, is fine",
                     often=points(OFTEN)),
}  # fmt: skip
SCALES = {"confusing": Scale(0, 100, shaded=100 * OFTEN)}
OF_PEOPLE = tuple(
    replace(each, caption=CAPTIONS.get(each.id, each.caption), scale=SCALES.get(each.id, each.scale))
    for each in answers.QUESTIONS
)


def finding(reading: Reading, part: Part, measure: Measure) -> Text | None:
    """What is said of a measure, if its remark is a finding."""
    return next((q.tell().text for q, sure in reading.tests.of(part) if sure and q.kind == measure.name), None)


def fair(reading: Reading, part: Part) -> Answer:
    """How far a seat is off its share, or that people found it unfair."""
    found, unfair = answers.fair(reading, part), finding(reading, part, FAIR)
    return found if unfair is None else replace(found, verdict=LOOK, text=unfair, example=None)


TOOK = _("With {players} players, half of the matches took {middle} minutes or less, and the longest took {longest}.")
LASTS = _("{sentence} {share} of those who answered found it too long.")


def long(reading: Reading, part: Part) -> Answer:
    """The real minutes of the median match, and those of nine matches in ten."""
    each = minutes(part)
    if len(each) < FEWEST:
        return Answer(part.players, UNSURE, say("Too few matches were played to tell how long they take."))
    low, middle, high = (float(end) for end in np.quantile(each, (0.05, 0.5, 0.95)))
    said, drags, bores = LONGER.of_part(part), finding(reading, part, SLOW), finding(reading, part, LONGER)
    text = say(TOOK, players=part.players, middle=answers.whole(middle), longest=answers.whole(float(each.max())))
    if said.count:
        text = say(LASTS, sentence=text, share=percent_of_whole(said))
    number, look = Estimate(middle, low, high, len(each)), drags is not None or bores is not None
    return of_minutes(part, look, text, number, longest(part) if drags else None)


def skill(_reading: Reading, part: Part) -> Answer:
    """Whose strength isn't known tells nothing of luck."""
    text = say("Nobody knows how strong these players are, so this can't tell. A report on games between bots does.")
    return Answer(part.players, UNSURE, text)


NAMED = _("With {players} players, {share} of those who answered named something that confused them.")
NEWEST = _("{sentence} The newest: “{quote}”")


def confusing(_reading: Reading, part: Part) -> Answer:
    """How many of those who answered named something that confused them, and the last such thing."""
    found, named = CONFUSED.of_part(part), [one for one in everyone(part) if one.confused]
    if not found.count:
        text = say(
            "Nobody answered the questions after a match, so this can't tell. A table's host can have them asked."
        )
        return Answer(part.players, UNSURE, text)
    verdict, short = LOOK if found.low > OFTEN else FINE if found.high < OFTEN else UNSURE, percent_of_whole(found)
    text = say(NAMED, players=part.players, share=short)
    if named:
        text = say(NEWEST, sentence=text, quote=max(named, key=lambda one: one.at).confused)
    if verdict == UNSURE:
        text = say_n("{sentence} {n} match is too few to be sure.", "{sentence} {n} matches are too few to be sure.",
                     found.count, sentence=text)  # fmt: skip
    return Answer(part.players, verdict, text, short, short, found.scaled(100), None, found.value)


WAYS = answers.ANSWERS | {"fair": fair, "long": long, "luck": skill, "confusing": confusing}
