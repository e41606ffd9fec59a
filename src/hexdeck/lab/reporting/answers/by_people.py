"""The questions of the first page, answered by matches from tables: what people did, how long, and what they said."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

import numpy as np

from hexdeck.engine.text import Text, _, say, say_n
from hexdeck.lab.reporting import number_format as numbers
from hexdeck.lab.reporting.answers import answers
from hexdeck.lab.reporting.answers.answers import (
    CRITERIA,
    FINE,
    LOOK,
    QUESTIONS,
    UNSURE,
    Answer,
    Answered,
    Reading,
    points,
)
from hexdeck.lab.reporting.answers.pictures import Scale
from hexdeck.lab.reporting.feedback.section import LONG, MIDDLE, felt, grade
from hexdeck.lab.reporting.findings import Tests
from hexdeck.lab.reporting.measures import Example, percent_of_whole
from hexdeck.lab.reporting.played import Group
from hexdeck.lab.reporting.report import Part
from hexdeck.lab.reporting.tables import LONG as DRAGS
from hexdeck.stats import Estimate, mean_share

OFTEN = 0.25  # of those who answered: if surely more were confused, that is worth a look; if surely fewer, it is fine
FEWEST, MANY = 5, 20  # matches with fewer of which nothing is said of minutes, and of slow ones

CAVEAT = say(
    "People, or people and bots, played all of this at tables. Where matches are few, the intervals are wide: read "
    "them first."
)
BY_PEOPLE = CRITERIA | {
    "fair": say(
        "{criterion} Look here too if people surely found it unfair: fewer than {middle} of 5.",
        criterion=CRITERIA["fair"], middle=numbers.number(MIDDLE, 0),
    ),
    "long": say(
        "Minutes are real ones, without pauses. Look here if surely most of those who answered found it too long, or "
        "if, of {many} matches or more, one in twenty took {times} times the median. Can't tell with fewer than "
        "{fewest} matches.",
        many=MANY, times=numbers.number(DRAGS, 1), fewest=FEWEST,
    ),
    "luck": say("Only games between players whose strength is known can tell: see a report on games between bots."),
    "confusing": say(
        "Look here if surely more than {often} % of those who answered named something that confused them. Fine if "
        "surely fewer did.", often=points(OFTEN),
    ),
}  # fmt: skip
CAPTIONS = {
    "long": say("minutes at this table, median match; line: nine matches in ten"),
    "confusing": say("percent of those who answered that named something confusing; up to {often}, shaded, is fine",
                     often=points(OFTEN)),
}  # fmt: skip
SCALES = {"confusing": Scale(0, 100, shaded=100 * OFTEN)}
OF_PEOPLE = tuple(
    replace(each, caption=CAPTIONS.get(each.id, each.caption), scale=SCALES.get(each.id, each.scale))
    for each in QUESTIONS
)


def answered_by_people(tests: Tests, groups: Sequence[Group]) -> list[Answered]:
    """All questions with their answers; `groups` are those that the report's parts are of."""
    reading, both = Reading(tests), list(zip(tests.report.parts, groups, strict=True))
    return [Answered(each, tuple(ANSWERS[each.id](reading, *one) for one in both)) for each in OF_PEOPLE]


def fair(reading: Reading, part: Part, group: Group) -> Answer:
    """How far a seat is off its share, or that people found it unfair."""
    if part.same_bots:
        found = answers.fair(reading, part)
    else:
        text = say("Different kinds of players sat together, so nothing here shows whether one seat is better.")
        found = Answer(part.players, UNSURE, text)
    felt_so = grade(group.said, "fair")
    if felt_so.count > 1 and felt_so.value < MIDDLE and felt_so.significant(MIDDLE, reading.compared):
        text = say("With {players} players, people found it unfair: {number} of 5.", players=part.players,
                   number=numbers.plain(felt_so))  # fmt: skip
        return replace(found, verdict=LOOK, text=text, example=None)
    return found


TOOK = _("With {players} players, half of the matches took {middle} minutes or less, and the longest took {longest}.")
LASTS = _("{sentence} {share} of those who answered found it too long.")


def long(reading: Reading, part: Part, group: Group) -> Answer:
    """The real minutes of the median match, and those of nine matches in ten."""
    if len(group) < FEWEST:
        return Answer(part.players, UNSURE, say("Too few matches were played to tell how long they take."))
    low, middle, high = (float(each) for each in np.quantile(group.minutes, (0.05, 0.5, 0.95)))
    said = felt(group.said, LONG)
    bores = said.count > 0 and said.simultaneous(reading.compared).low > 0.5
    drags = len(group) >= MANY and high > DRAGS * middle
    shown = {"players": part.players, "middle": answers.whole(middle), "longest": answers.whole(max(group.minutes))}
    text = say(TOOK, **shown)
    if said.count:
        text = say(LASTS, sentence=text, share=percent_of_whole(said))
    short = say("{number} ({low} to {high})", number=answers.whole(middle), low=answers.whole(low),
                high=answers.whole(high))  # fmt: skip
    return Answer(
        part.players, LOOK if bores or drags else FINE, text, say("{minutes} minutes", minutes=short), short,
        Estimate(middle, low, high, len(group)), None, middle,
        Example(group.minutes.index(max(group.minutes))) if drags else None,
    )  # fmt: skip


def skill(_reading: Reading, part: Part, _group: Group) -> Answer:
    """Whose strength isn't known tells nothing of luck."""
    text = say("Nobody knows how strong these players are, so this can't tell. A report on games between bots does.")
    return Answer(part.players, UNSURE, text)


CONFUSED = _("With {players} players, {share} of those who answered named something that confused them.")
NEWEST = _("{sentence} The newest: “{quote}”")


def confusing(_reading: Reading, part: Part, group: Group) -> Answer:
    """How many of those who answered named something that confused them; each match counts as one observation."""
    shares = np.array([np.mean([bool(each.confused) for each in match]) for match in group.said if match])
    if not len(shares):
        text = say(
            "Nobody answered the questions after a match, so this can't tell. A table's host can have them asked."
        )
        return Answer(part.players, UNSURE, text)
    found = mean_share(shares)
    verdict = LOOK if found.low > OFTEN else FINE if found.high < OFTEN else UNSURE
    text = say(CONFUSED, players=part.players, share=percent_of_whole(found))
    quote = newest(group)
    if quote:
        text = say(NEWEST, sentence=text, quote=quote)
    if verdict == UNSURE:
        text = say_n("{sentence} {n} match is too few to be sure.", "{sentence} {n} matches are too few to be sure.",
                     len(shares), sentence=text)  # fmt: skip
    short = percent_of_whole(found)
    return Answer(part.players, verdict, text, short, short, found.scaled(100), None, found.value)


def newest(group: Group) -> str:
    """The last thing that somebody said confused them; empty where nobody did."""
    said = [each for match in group.said for each in match if each.confused]
    return max(said, key=lambda each: each.at).confused if said else ""


ANSWERS: dict[str, Callable[[Reading, Part, Group], Answer]] = {
    "fair": fair, "long": long, "luck": skill, "confusing": confusing,
    "dead": lambda reading, part, _group: answers.unused(reading, part),
    "runaway": lambda reading, part, _group: answers.runaway(reading, part),
}  # fmt: skip


def group_labels(groups: Sequence[Group]) -> Iterator[Text]:
    """How the groups are called in pictures: by their number of players, if that is enough to tell them apart."""
    alone = len({group.game.players for group in groups}) == len(groups)
    for number, group in enumerate(groups, 1):
        yield say("{players} players", players=group.game.players) if alone else say("group {number}", number=number)
