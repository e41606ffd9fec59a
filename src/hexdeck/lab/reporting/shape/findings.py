"""Findings about the shape of a match: leads that feed themselves, kingmaking, dead decisions, waiting."""

from __future__ import annotations

from collections.abc import Iterator

from hexdeck.engine.text import Text, _, say
from hexdeck.lab.counting.pace import CARDS, minutes
from hexdeck.lab.counting.shape.lead import HALF
from hexdeck.lab.reporting import number_format as numbers
from hexdeck.lab.reporting.report import Part
from hexdeck.lab.reporting.shape.section import leading, percent_text, shapes
from hexdeck.stats import Estimate

RARE_COMEBACKS, KINGMAKING, DEAD = 0.05, 0.05, 0.25  # of games; of choices
IDLE, IDLE_MINUTES = 1 / 3, 3.0  # of a game left, and minutes of it, from which waiting makes a finding
RUNAWAY = (
    _("With {players} players, leads feed themselves: whoever is likeliest to win halfway comes first in {share} of "
      "games; it would be {usual} % if every part of a game counted alike."),
    _("With {players} players, trouble feeds itself: whoever is likeliest to lose halfway loses in {share} of games; "
      "it would be {usual} % if every part of a game counted alike."),
)  # fmt: skip
RUNAWAY_ALL = (
    say("Leads feed themselves; whoever is likeliest to win halfway comes first in this share of games"),
    say("Trouble feeds itself; whoever is likeliest to lose halfway loses in this share of games"),
)
COMEBACK = (
    _("With {players} players, comebacks are rare: in {share} of games the winner once had at most half a fair "
      "chance."),
    _("With {players} players, comebacks are rare: in {share} of games somebody who was safe once had at most half a "
      "fair chance of that."),
)  # fmt: skip
KINGS = (
    _("With {players} players, there is kingmaking: {share} of choices are made by somebody who can't win any more, "
      "and decide who of the others does."),
    _("With {players} players, there is kingmaking: {share} of choices are made by somebody to whom they change "
      "nothing, and decide who of the others loses."),
)  # fmt: skip
GROUPS = {
    "comebacks": say("Comebacks are rare; games with one"),
    "kingmaking": say("There is kingmaking; choices that decide between others only"),
    "dead": say("Many decisions are dead; choices that change nothing for whoever makes them"),
    "out_of_play": say("Whoever is done first waits long; share of the game left by then"),
}


def shape_findings(part: Part, tests: int) -> Iterator[tuple[str, Text, Text, Text | str]]:
    """What is sure about the shape of a part's matches: the kind, the sentence, its group and value."""
    found = {name: each for name, each, _shown in shapes(part) if each.count}
    yield from runaway(part, tests)
    for name, each in found.items():
        text = sentence(part, name, each)
        if text is not None:
            share = percent_text(each)
            yield name, say(text, players=part.players, share=share, **about(part, name, each)), GROUPS[name], share


def runaway(part: Part, tests: int) -> Iterator[tuple[str, Text, Text, Text | str]]:
    """Leads that last surely longer than in a game whose parts all count alike."""
    _fraction, found, usual = next(each for each in leading(part) if each[0] == HALF)
    if found.count and found.value > usual and found.significant(usual, tests):
        share, alike = percent_text(found), numbers.number(100 * usual, 0)
        text = say(RUNAWAY[part.place], players=part.players, share=share, usual=alike)
        yield "runaway", text, RUNAWAY_ALL[part.place], share


def sentence(part: Part, name: str, found: Estimate) -> str | None:
    """The sentence about a measure, if it is surely worth one."""
    if name == "comebacks" and found.high < RARE_COMEBACKS:
        return COMEBACK[part.place]
    if name == "kingmaking" and found.low > KINGMAKING:
        return KINGS[part.place]
    if name == "dead" and found.low > DEAD:
        return _("With {players} players, many decisions are dead: in {share} of choices one's own result is the same "
                 "whatever one chooses.")  # fmt: skip
    if name == "out_of_play" and found.low > IDLE and idle_minutes(part, found) >= IDLE_MINUTES:
        return _("With {players} players, whoever is done first waits long: {share} of the game is left by then, about "
                 "{minutes} minutes at a real table.")  # fmt: skip
    return None


def about(part: Part, name: str, found: Estimate) -> dict[str, Text | str]:
    """What else a sentence says."""
    return {"minutes": numbers.number(idle_minutes(part, found), 0)} if name == "out_of_play" else {}


def idle_minutes(part: Part, found: Estimate) -> float:
    """The minutes, at a real table, of a share of the game."""
    return found.value * minutes(part.statistics, CARDS).total
