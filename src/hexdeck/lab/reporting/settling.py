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
    began = time.monotonic()
    for _round in range(ROUNDS):
        open_ = {
            (answer.players, each.question.id)
            for each in answered(report) for answer in each.answers if answer.verdict == UNSURE
        }  # fmt: skip
        wanted = [part for part in report.parts if any((part.players, name) in open_ for name in MORE)]
        if not wanted or report.interrupted or time.monotonic() - began >= seconds:
            break
        parts = []
        for part in report.parts:
            larger = part
            for name, more in MORE.items():
                if (part.players, name) in open_ and time.monotonic() - began < seconds:
                    tick(say("{players} players: more games, to tell", players=part.players), 1, None)
                    larger = more(larger, report.plan, seconds - (time.monotonic() - began))
            parts.append(larger)
        report = replace(report, parts=tuple(parts), looks=report.looks + 1)
    return report


def more_analyses(part: Part, plan: Plan, seconds: float) -> Part:
    """The part with twice as many matches analysed, as far as so many seconds allow, unless their number was given."""
    first = len(part.analyses)
    if plan.sample is not None or not first:
        return part
    setup = plan.setup(part.game)
    analyses = analyse_matches(
        setup, matches(replace(setup, threads=1), first, first), seconds,
        look=lambda analyser, match, k: analyser.analyse(match, first + k),
    )  # fmt: skip
    return replace(part, analyses=(*part.analyses, *analyses))


def more_duels(part: Part, plan: Plan, _seconds: float) -> Part:
    """The part with twice as many deals between the house bot and random play."""
    if not part.duels:
        return part
    old = part.duels[0]
    new = duel(plan.setup(part.game), old.one, old.others, 2 * old.deals)
    return replace(part, duels=(new, *part.duels[1:]))


def more_studied(part: Part, plan: Plan, seconds: float) -> Part:
    """The part with more games looked into for cards and moves."""
    if part.causes is not None:
        end = time.monotonic() + seconds
        more_causes(part.causes, replace(plan.setup(part.game), threads=1), lambda: time.monotonic() >= end)
    return part


MORE: dict[str, Callable[[Part, Plan, float], Part]] = {
    "runaway": more_analyses, "luck": more_duels, "dead": more_studied,
}  # fmt: skip
