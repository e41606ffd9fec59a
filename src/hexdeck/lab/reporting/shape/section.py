"""The table of a match's shape: who leads and wins, comebacks, choices that matter to nobody or to others, waiting."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from math import isfinite
from typing import Any

import numpy as np

from hexdeck.engine.text import Text, _, say
from hexdeck.lab.counting.shape.choices import ChoiceShape
from hexdeck.lab.counting.shape.course import gaps, longest_waits, out_of_play
from hexdeck.lab.counting.shape.lead import QUARTERS, alike, comebacks, leads
from hexdeck.lab.counting.tension import MOVES, TRIALS
from hexdeck.lab.reporting import number_format as numbers
from hexdeck.lab.reporting.report import Part
from hexdeck.lab.reporting.section import LEAST, Cell, Section
from hexdeck.stats import UNKNOWN, Estimate, mean, mean_share

LEADS = (
    (
        say("who is likeliest to win after a quarter of the decisions comes first"),
        say("who is likeliest to win halfway comes first"),
        say("who is likeliest to win after three quarters of the decisions comes first"),
    ),
    (
        say("who is likeliest to lose after a quarter of the decisions loses"),
        say("who is likeliest to lose halfway loses"),
        say("who is likeliest to lose after three quarters of the decisions loses"),
    ),
)
TITLES = {
    "comebacks": (
        say("comebacks: the winner once had at most half a fair chance"),
        say("comebacks: somebody who was safe once had at most half a fair chance of that"),
    ),
    "out": (
        say("choices of players who can't win any more"),
        say("choices of players who are sure to lose, or to be safe"),
    ),
    "kingmaking": (
        say("kingmaking: choices of such players that decide who of the others wins"),
        say("kingmaking: choices of such players that decide who of the others loses"),
    ),
    "dead": (say("dead decisions: whatever is chosen, one's own result is the same"),) * 2,
    "out_of_play": (say("share of the game left after the last decision of whoever is done first"),) * 2,
    "longest_wait": (say("longest wait of a player, as a share of the game"),) * 2,
    "gap_second": (say("how far the first is ahead of the second at the end"),) * 2,
    "gap_last": (say("how far the first is ahead of the last at the end"),) * 2,
}
NOTES = (
    _("In brackets: how often such a lead would last in a game that adds up points and in which every part counts "
        "alike; if leads last longer here, they feed themselves. Of choices, all of up to {moves} moves were tried in "
        "{worlds} deals each that fit what the player knew; house bots played on. Who never came first in any of these "
        "games can't win any more."),
    _("In brackets: how often that would last in a game that adds up points and in which every part counts alike; "
        "if it lasts longer here, trouble feeds itself. Of choices, all of up to {moves} moves were tried in {worlds} "
        "deals each that fit what the player knew; house bots played on. Who lost all of these games, or none, is sure "
        "to lose or to be safe."),
)  # fmt: skip
Shown = Callable[[Part, Estimate], Cell]


def shape(part: Part) -> Iterator[Section]:
    """The table, if enough games were looked into."""
    rows: list[tuple[Cell, ...]] = [
        (title, with_usual(found, usual))
        for title, (_fraction, found, usual) in zip(LEADS[part.place], leading(part), strict=True) if found.count
    ]  # fmt: skip
    rows += [(TITLES[name][part.place], shown(part, found)) for name, found, shown in shapes(part) if found.count]
    if rows:
        note = say(NOTES[part.place], moves=MOVES, worlds=TRIALS)
        yield Section("shape", say("Shape of a match"), (say("measure"), say("value")), tuple(rows), note)


def leading(part: Part) -> list[tuple[float, Estimate, float]]:
    """After each quarter, how often the leader takes the place that decides, and would if all parts counted alike."""
    shares = tuple(each.value for each in part.statistics.estimates(part.shares))
    return [
        (fraction, of_games(leads(part.analyses, part.place, fraction), mean_share), alike(shares, fraction))
        for fraction in QUARTERS
    ]


def shapes(part: Part) -> list[tuple[str, Estimate, Shown]]:
    """The other measures by name, and how each is shown; those that say nothing here are unknown."""
    found: list[tuple[str, Estimate, Shown]] = [
        ("comebacks", of_games(comebacks(part.analyses, part.players, part.place), mean_share), percent),
        ("out", of_choices(part, lambda each: each.out) if part.players > 2 else UNKNOWN, percent),
        ("kingmaking", of_choices(part, lambda each: each.decides) if part.players > 2 else UNKNOWN, percent),
        ("dead", of_choices(part, lambda each: each.alike), percent),
        ("out_of_play", of_games(out_of_play(part.analyses, part.players), part_of_whole), percent),
        ("longest_wait", of_games(longest_waits(part.analyses, part.players), part_of_whole), percent),
    ]
    for name, behind in (("gap_second", 1), ("gap_last", part.players - 1)):
        if name == "gap_second" or part.players > 2:
            found.append((name, gap(part, behind), in_measure))
    return found


def of_games(values: np.ndarray, estimate: Callable[[np.ndarray], Estimate]) -> Estimate:
    """An estimate from one value for each game; UNKNOWN for too few."""
    return estimate(values) if len(values) >= LEAST else UNKNOWN


def of_choices(part: Part, holds: Callable[[ChoiceShape], bool]) -> Estimate:
    """The share of choices of which something holds: of each game's choices, then the mean over games."""
    each = [np.mean([holds(shape) for shape in game.shapes]) for game in part.analyses if game.shapes]
    return of_games(np.array(each, float), mean_share)


def part_of_whole(values: np.ndarray) -> Estimate:
    """The mean of parts of a whole."""
    return mean(values).within(0, 1)


def gap(part: Part, behind: int) -> Estimate:
    """How far the first is ahead at the end; UNKNOWN where matches are only won or lost."""
    return UNKNOWN if part.place or isfinite(part.measure.high) else of_games(gaps(part.analyses, behind), mean)


def with_usual(found: Estimate, usual: float) -> Cell:
    """How often leads last, and would if all parts counted alike."""
    return say("{share} (usual: {usual} %)", share=percent_text(found), usual=numbers.number(100 * usual, 0))


def percent(_part: Part, found: Estimate) -> Cell:
    """A share of games or of choices."""
    return percent_text(found)


def percent_text(found: Estimate) -> Text:
    """A share in percent."""
    return numbers.percent(found)


def in_measure(part: Part, found: Estimate) -> Cell:
    """A difference of results in people's units."""
    return numbers.gap(found, part.measure)


def shape_fields(part: Part, fields: Callable[[Estimate], dict[str, Any]]) -> dict[str, Any]:
    """The measures as data; `fields` makes an estimate's."""
    named = {round(100 * fraction): (found, usual) for fraction, found, usual in leading(part)}
    return {
        **{f"lead_{at}": fields(found) for at, (found, _usual) in named.items()},
        **{f"alike_{at}": usual for at, (_found, usual) in named.items()},
        **{name: fields(found) for name, found, _shown in shapes(part)},
    }
