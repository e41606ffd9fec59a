"""Reports and comparisons as JSON for other programs: all figures of a page, unrounded.

What each field means stands in `tools/schemas.py`, which writes `docs/reference/data.md`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from math import isfinite
from typing import TYPE_CHECKING, Any

import numpy as np

from hexdeck import __version__
from hexdeck.engine.study import Source
from hexdeck.lab.causes import Ledger
from hexdeck.lab.pace import Tempo, minutes
from hexdeck.lab.pairs import Effect, probe_of
from hexdeck.lab.reporting.measures import Measure
from hexdeck.lab.reporting.report import ReportPart
from hexdeck.lab.reporting.sections import NAMES, paces
from hexdeck.lab.reporting.tables import measured
from hexdeck.stats import Estimate, mean

if TYPE_CHECKING:
    from hexdeck.lab.reporting.page import Told

FORMAT = 2


def estimate_fields(estimate: Estimate) -> dict[str, float | int | None]:
    """The fields of an estimate; None (null) for what isn't known."""
    ends = {name: getattr(estimate, name) for name in ("value", "low", "high")}
    finite = {name: float(value) if isfinite(value) else None for name, value in ends.items()}
    return {**finite, "count": int(estimate.count)}


def of_part(part: ReportPart, bots: Sequence[str] | None, at: tuple[Tempo, Tempo]) -> dict[str, Any]:
    """The fields of a part; `bots` are left out if None. `at`: people at this table and at a real one."""
    head: dict[str, Any] = {"players": part.players, "options": dict(part.game.options)}
    if bots is not None:
        head["bots"] = list(bots)
    start = {} if part.starts is None else {"games": part.starts.games, "decided": part.starts.decided}
    return head | {
        "games": len(part.statistics),
        "looked_at": len(part.analyses),
        "measures": list(fields_of(part, measured(part))),
        "start": {"how": part.starting.how, **start},
        "minutes": {
            key: {name: float(getattr(minutes(part.statistics, tempo), name)) for name in NAMES}
            for key, tempo in zip(("screen", "cards"), at, strict=True)
        },
        "accounts": [account_fields(ledger, part.players) for ledger in (part.causes.ledgers if part.causes else ())],
    }


def fields_of(part: ReportPart, measures: Iterable[Measure]) -> Iterator[dict[str, Any]]:
    """The fields of some measures, of all that each is of."""
    for measure in measures:
        for k, key in enumerate(measure.of.keys(part)):
            fields: dict[str, Any] = {"measure": measure.name, "of": key}
            fields |= estimate_fields(measure.of_part(part, k))
            usual = None if measure.usual is None else measure.usual(part)
            yield fields if usual is None else fields | {"usual": usual if isfinite(usual) else None}


def account_fields(ledger: Ledger, players: int) -> dict[str, Any]:
    """An account as data: for each source, and in all, an estimate for each seat."""

    def seats(values: np.ndarray) -> list[Any]:
        return [estimate_fields(mean(values[:, seat])) for seat in range(players)]

    def rows(sources: Sequence[Source], amounts: np.ndarray) -> list[Any]:
        return [{"source": str(source.name), "seats": seats(amounts[:, :, k])} for k, source in enumerate(sources)]

    account = ledger.account
    return {
        "title": str(account.title),
        "unit": str(account.unit),
        "sources": rows(account.sources, ledger.amounts),
        "beside": rows(account.beside, ledger.beside),
        "total": seats(ledger.totals),
    }


def of_report(story: Told) -> dict[str, Any]:
    """The file of what is told of a report, on games of bots or matches from tables."""
    report, sentences = story.report, [finding.text for _part, finding in story.findings]
    played = any(part.played is not None for part in report.parts)
    fields = head("played" if played else "report", report.game.name, sentences, interrupted=report.interrupted)
    if not played:
        fields["seed"] = report.plan.seed
    fields["answers"] = [
        {
            "question": card.question.id,
            "players": answer.players,
            "verdict": answer.verdict,
            "text": answer.text,
            **estimate_fields(answer.number),
            "usual": answer.usual,
        }
        for card in story.answers
        for answer in card.answers
    ]
    fields["parts"] = [of_part(part, None if played else part.bots, paces(report, part)) for part in report.parts]
    return fields


def probe_fields(effect: Effect, part: ReportPart) -> dict[str, Any]:
    """The effect of a probe as data."""
    probe, shifts = probe_of(part.game, effect.change), effect.shifts
    about = {"probe": probe.name or None, "line": probe.line, "pairs": effect.pairs, "sure": effect.sure}
    estimates = {name: estimate_fields(shifts[f"probe_{name}"].difference) for name in ("gain", "place", "changed")}
    return about | estimates | {name: shifts[f"probe_{name}"].difference.value for name in ("applied", "choices")}


def head(kind: str, name: str, sentences: Iterable[str], *, interrupted: bool) -> dict[str, Any]:
    """The fields that every file begins with."""
    about = {"format": FORMAT, "what": kind, "hexdeck": __version__, "game": name, "interrupted": interrupted}
    return about | {"findings": [*sentences]}
