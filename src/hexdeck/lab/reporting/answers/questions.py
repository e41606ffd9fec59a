"""The questions of a report's first page, and the answers for every number of players."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from hexdeck.engine.text import Text, say
from hexdeck.lab.reporting import number_format as numbers
from hexdeck.lab.reporting.answers import judging
from hexdeck.lab.reporting.answers.answer import Answer, main_answer
from hexdeck.lab.reporting.answers.parts_used import Reading
from hexdeck.lab.reporting.answers.pictures import Scale
from hexdeck.lab.reporting.cause_findings import DEAD_ACTION, DEAD_CARD, ENOUGH
from hexdeck.lab.reporting.findings import LONG, LUCKY
from hexdeck.lab.reporting.report import Part, Report
from hexdeck.lab.reporting.section import LEAST


@dataclass(frozen=True)
class Question:
    """A question: its stable name, its words, and what is drawn of its answers."""

    id: str
    title: Text
    caption: Text
    scale: Scale


@dataclass(frozen=True)
class Answered:
    """A question with its answers, one for each number of players."""

    question: Question
    answers: tuple[Answer, ...]

    @property
    def main(self) -> Answer:
        """The one that stands for all."""
        return main_answer(self.answers)


def points(share: float) -> Text | str:
    """A share as a number of percentage points."""
    return numbers.number(100 * share, 0)


CRITERIA = {
    "fair": say(
        "Look here if a seat, or whoever starts where players have no say in that, is surely off its fair "
        "share, by {off} percentage point or more, or if starting surely counts where chance decides who does. "
        "Fine if no seat is further off than {far}. The interval holds for all seats and numbers of players "
        "together.", off=points(judging.OFF), far=points(judging.FAR)),
    "long": say(
        "Minutes come from a model with guessed seconds, and how long is too long is for you to say. Look here "
        "if one game in twenty surely takes {times} times the median or more, or if more than {wait} seconds "
        "pass between two of your own turns.", times=numbers.number(LONG, 1), wait=judging.WAIT),
    "luck": say(
        "Look here if it surely takes {games} games or more to tell the house bot from random play, or if it "
        "isn't surely better. As if by lot: lots decide so many games, and the better one wins all others.",
        games=LUCKY),
    "dead": say(
        "Look here if surely fewer than {card} % of its holders use a card, or a kind of move is surely chosen "
        "in less than {action} % of the choices that allow it. Can't tell where more than a tenth of them "
        "might be, or with fewer than {games} games.",
        card=points(DEAD_CARD), action=points(DEAD_ACTION), games=ENOUGH),
    "runaway": say(
        "Usual is how often such a lead would last if every part of the game counted alike. Look here if it "
        "surely lasts more often. Fine if it doesn't, and at most {further} percentage points more often. "
        "Can't tell with fewer than {least} games.", further=points(judging.FURTHER), least=LEAST),
    "confusing": say("Only people can tell."),
}  # fmt: skip
QUESTIONS = (
    Question(
        "fair", say("Fair?"),
        say("how far a seat or the starter is off at most, in percentage points; up to {far}, shaded, is fair enough",
            far=points(judging.FAR)),
        Scale(0, 5, shaded=100 * judging.FAR),
    ),
    Question("long", say("How long?"), say("minutes with real cards; line: nine games in ten"), Scale(0, 10)),
    Question(
        "luck", say("Skill or luck?"), say("percent of games as if by lot: house bot among random players"),
        Scale(0, 100, bars=True),
    ),
    Question(
        "dead", say("Dead parts?"), say("cards and kinds of moves that are hardly ever used, of all"),
        Scale(0, 5, bars=True),
    ),
    Question(
        "runaway", say("Runaway?"), say("percent of games that go as they stand halfway; tick: usual"),
        Scale(0, 100),
    ),
    Question("confusing", say("Confusing?"), say("nothing to draw yet"), Scale(0, 1)),
)  # fmt: skip
ANSWERS: dict[str, Callable[[Reading, Part], Answer]] = {
    "fair": judging.fair, "long": judging.long, "luck": judging.skill, "dead": judging.unused,
    "runaway": judging.runaway, "confusing": judging.confusing,
}  # fmt: skip


def answered(report: Report) -> list[Answered]:
    """All questions with their answers."""
    reading = Reading(report, report.plan.pace)
    return [Answered(each, tuple(ANSWERS[each.id](reading, part) for part in report.parts)) for each in QUESTIONS]
