"""What an answer is: a verdict by a stated criterion, a number with its interval, a sentence, a game that shows it."""

from __future__ import annotations

from dataclasses import dataclass, field

from hexdeck.engine.text import Text, say
from hexdeck.lab.reporting.section import Cell
from hexdeck.stats import UNKNOWN, Estimate

FINE, LOOK, UNSURE = "fine", "look", "unsure"
WORDS = {FINE: say("fine"), LOOK: say("look here"), UNSURE: say("can't tell")}
SIGNS = {FINE: "●", LOOK: "▲", UNSURE: "○"}  # never colour alone
WORST = LOOK, UNSURE, FINE  # of several verdicts, the first of these that there is


@dataclass(frozen=True)
class Answer:
    """The answer to a question for one number of players.

    `value`: the number with its interval, in words; `short`: the same without its unit. `text`: what it means.
    `number`: the same to be drawn, and `usual`: what it is beside. `weight`: how much it asks to be looked at, among
    answers with the same verdict. `shown`: the kind and subject of the finding whose example shows it.
    """

    players: int
    verdict: str
    text: Text
    value: Cell = "–"
    short: Cell = "–"
    number: Estimate = field(default=UNKNOWN)
    usual: float | None = None
    weight: float = 0.0
    shown: tuple[str, str] = ("", "")


def main_answer(answers: tuple[Answer, ...]) -> Answer:
    """The answer that stands for all numbers of players: the worst, and of those the one that weighs most."""
    return min(answers, key=lambda each: (WORST.index(each.verdict), -each.weight))
