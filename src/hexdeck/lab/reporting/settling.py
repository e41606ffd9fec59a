"""Answers that can't tell: more games are looked into until they can, for as long as is said."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace

from hexdeck.engine.text import say
from hexdeck.lab.causes import more_causes
from hexdeck.lab.log import matches
from hexdeck.lab.luck import duel
from hexdeck.lab.reporting.answers.answers import UNSURE, answered
from hexdeck.lab.reporting.report import SETTLING, Part, Plan, Report, Tick
from hexdeck.lab.tension import analyse_matches

ROUNDS = 4  # in which what is looked into doubles, at most


def settled(report: Report, tick: Tick, seconds: float = SETTLING) -> Report:
    """The report, with more games looked into where an answer can't tell, for at most so many seconds.

    Each round is a look of its own, which tests are corrected for.
    """
    began, parts = time.monotonic(), list(report.parts)
    for _round in range(ROUNDS):
        unsure = {
            (answer.players, each.question.id)
            for each in answered(report) for answer in each.answers if answer.verdict == UNSURE
        }  # fmt: skip
        grown = False
        for k, part in enumerate(parts):
            for name, more in MORE.items():
                left = seconds - (time.monotonic() - began)
                if (part.players, name) in unsure and left > 0 and not report.interrupted:
                    tick(say("{players} players: more games, to tell", players=part.players), 1, None)
                    larger = more(parts[k], report.plan, left)
                    parts[k], grown = larger or parts[k], grown or larger is not None
        if not grown:
            break
        report = replace(report, parts=tuple(parts), looks=report.looks + 1)
    return report


def more_analyses(part: Part, plan: Plan, seconds: float) -> Part | None:
    """The part with up to twice as many matches analysed; None if their number was given."""
    first = len(part.analyses)
    if plan.sample is not None or not first:
        return None
    setup = plan.setup(part.game)
    analyses = analyse_matches(
        setup, matches(replace(setup, threads=1), first, first), seconds,
        look=lambda analyser, match, k: analyser.analyse(match, first + k),
    )  # fmt: skip
    return replace(part, analyses=(*part.analyses, *analyses))


def more_duels(part: Part, plan: Plan, _seconds: float) -> Part | None:
    """The part with twice as many deals between the house bot and random play."""
    if not part.duels:
        return None
    old = part.duels[0]
    new = duel(plan.setup(part.game), old.one, old.others, 2 * old.deals)
    return replace(part, duels=(new, *part.duels[1:]))


def more_studied(part: Part, plan: Plan, seconds: float) -> Part | None:
    """The part with up to twice as many games looked into for cards and moves."""
    if part.causes is None:
        return None
    end = time.monotonic() + seconds
    more_causes(part.causes, replace(plan.setup(part.game), threads=1), lambda: time.monotonic() >= end)
    return part


MORE: dict[str, Callable[[Part, Plan, float], Part | None]] = {
    "runaway": more_analyses, "luck": more_duels, "dead": more_studied,
}  # fmt: skip
