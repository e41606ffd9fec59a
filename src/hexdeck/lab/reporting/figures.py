"""All figures of a report: as tables, and as JSON, whose fields `tools/schemas.py` explains."""

from __future__ import annotations

from collections.abc import Container, Iterable, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from hexdeck import __version__
from hexdeck.engine.study import Source
from hexdeck.lab import counts
from hexdeck.lab.causes import CauseStudy, Gap, Ledger, gap
from hexdeck.lab.pairs import MANNER_TIMES, Effect, probe_of
from hexdeck.lab.reporting import people, shape, tables, wording
from hexdeck.lab.reporting.measures import Section, percentage_points
from hexdeck.lab.reporting.report import Report, ReportPart
from hexdeck.lab.reporting.tables import (
    PLACE,
    estimate_fields,
    fields_of,
    length,
    levels,
    measured,
    of_tables,
    power,
    seats,
)
from hexdeck.stats import CONFIDENCE, mean

if TYPE_CHECKING:
    from hexdeck.lab.reporting.page import Told

MANY = 6  # seats, from which on the columns of accounts have numbers only


def sections(report: Report, part: ReportPart, only: Container[str] | None = None) -> list[Section]:
    """All tables of a part; of measures, `only` those of these ids."""
    shown_tables = partial(of_tables, only, part)
    ledgers = enumerate(part.causes.ledgers if part.causes is not None else ())
    return [
        seats(part, power(part, report.tests)),
        *shown_tables(people.PAPER),
        length(part),
        *shown_tables(people.TIME),
        minutes_section(part, tempos(report, part)),
        *shown_tables(tables.ENDINGS, tables.MOVES_MADE, tables.EVENTS, tables.CHOICES, shape.TENSION),
        *shown_tables(shape.SHAPE, tables.VARIANCE, tables.THINKING, tables.SKILL),
        *levels(part),
        *(sources(report, part, part.causes, ledger, k) for k, ledger in ledgers if part.causes is not None),
        *shown_tables(tables.CARDS_USED, tables.ACTIONS, tables.PROBES, tables.EVENING, people.COMPANY, people.SAID),
        *(people.moments(part) if part.played is not None else ()),
        *people.quotes(part),
        *people.remarks(part),
    ]


# --- results ----------------------------------------------------------------------------------------------------------


# --- minutes ----------------------------------------------------------------------------------------------------------
NAMES = {
    "choices": "choices",
    "moves": "carrying out moves",
    "dealing": "dealing and drawing",
    "scoring": "scoring",
    "talk": "talk",
    "total": "all together",
    "wait": "seconds between your turns",
}


def tempos(report: Report, part: ReportPart) -> tuple[counts.Tempo, counts.Tempo]:
    """People at this table and at a real one, as quick as those who played, or as the report's plan says."""
    own, think = None if part.played is None else part.played.tempos, report.plan.choice_seconds
    return own or (replace(counts.SCREEN, think=think), replace(counts.CARDS, think=think))


def minutes_section(part: ReportPart, at: tuple[counts.Tempo, counts.Tempo]) -> Section:
    """The minutes of a match by what they go to, and the seconds of the model: of this table, and of a real one."""
    columns, rows, think = [counts.minutes(part.statistics, tempo) for tempo in at], [], at[0].think
    for name, title in NAMES.items():
        values = [getattr(spent, name) for spent in columns]
        if any(values):
            rows.append((title, *(wording.number(x, 0 if name == "wait" or x >= 10 else 1) for x in values)))
    model = f"A model with guessed seconds: {wording.number(think, 0)}"
    if part.played is not None and part.played.tempos is not None:
        chosen = sum(number for number, _seconds in part.played.choices)
        measured = wording.of(chosen, "choice of a person", "choices of people")
        model = f"A model, measured by {measured}: {wording.number(think, 1)} seconds"
    move, deal, draw, score = (
        " and ".join(wording.short(getattr(tempo, name)) for tempo in at) for name in ("move", "deal", "draw", "score")
    )
    note = (
        f"{model} for a choice between {counts.USUAL} moves, more with more moves, and {100 * counts.FURTHER:.0f} % of "
        "that for a further choice in a turn; choices made at the same time count once. At this table and at a real "
        f"one: a move {move} seconds, a deal {deal}, a card {draw}, the score {score} for each player; talk adds "
        f"{100 * at[0].talk:.0f} and {100 * at[1].talk:.0f} %."
    )
    heads = "minutes of a match", "at this table", "at a real one"
    return Section("minutes", "How long it takes people", heads, tuple(rows), note)


# --- where points come from -------------------------------------------------------------------------------------------
def gap_of(report: Report, part: ReportPart, ledger: Ledger) -> Gap | None:
    """What tells the best seat from the worst; None where bots differ."""
    if part.causes is None or not part.same_bots or part.causes.games < 2:
        return None
    return gap(ledger, part.causes.shares, not part.place, report.tests)


def sources(report: Report, part: ReportPart, study: CauseStudy, ledger: Ledger, number: int) -> Section:
    """What each seat gets by source, which adds up to the total; beside the first, turns, cards and wins."""
    account, apart, few = ledger.account, gap_of(report, part, ledger), part.players < MANY
    apart = apart if apart is not None and apart.p < 1 - CONFIDENCE else None
    heads = ["source" if few else "source, by seat"]  # where there are many seats, their numbers alone
    heads += [f"seat {k}" if few else str(k) for k in range(1, part.players + 1)]
    heads += [] if apart is None else [f"{apart.best + 1} less {apart.worst + 1}"]
    amounts = [(source.name, ledger.amounts[:, :, k]) for k, source in enumerate(account.sources)]
    amounts = [(name, values) for name, values in amounts if values.any()]
    counters = study.counters(ledger)[min(number, 1) :]  # turns beside the first account alone
    largest = max((float(np.abs(values.mean(axis=0)).max()) for _name, values in amounts), default=0.0)
    digits = 1 if largest >= 10 else 2 if largest >= 1 else 3  # of all figures, so that one sees how they add up
    rows = list[tuple[str, ...]]()
    for name, values in [*amounts, ("all together", ledger.totals), *counters]:
        cells = [wording.number(mean_of_seat, digits) for mean_of_seat in values.mean(axis=0).tolist()]
        if apart is not None:
            cells.append(wording.plain(mean(values[:, apart.best] - values[:, apart.worst]), 2))
        rows.append((str(name), *cells))
    if not number:
        shares = (f"{wording.number(100 * share, 0)} %" for share in study.shares.mean(axis=0).tolist())
        difference = [] if apart is None else [percentage_points(apart.share)]
        rows.append((wording.in_game(PLACE, part), *shares, *difference))
    margin = max(mean(ledger.totals[:, seat]).margin for seat in range(ledger.totals.shape[1]))
    note = (
        f"Means of {wording.count(study.games)} games, in {account.unit}; the rows above “all together” add up to it, "
        f"which is known to ±{wording.fitting(margin)}."
    )
    title = str(account.title)
    return Section(f"sources-{number}", title, tuple(heads), tuple(rows), note, total=len(amounts))


# --- as data ----------------------------------------------------------------------------------------------------------
FORMAT = 3


def of_part(report: Report, part: ReportPart) -> dict[str, Any]:
    """The fields of a part."""
    head: dict[str, Any] = {"players": part.players, "options": dict(part.game.options)}
    head |= {"bots": list(part.bots)} if part.played is None else {}
    start = {} if part.starts is None else {"games": part.starts.games, "decided": part.starts.decided}
    head |= {"games": len(part.statistics), "looked_at": len(part.analyses)}
    head |= {"measures": list(fields_of(part, measured(part))), "start": {"how": part.starting.how, **start}}
    head["minutes"] = {
        key: {name: float(getattr(counts.minutes(part.statistics, tempo), name)) for name in NAMES}
        for key, tempo in zip(("screen", "cards"), tempos(report, part), strict=True)
    }
    ledgers = part.causes.ledgers if part.causes else ()
    return head | {"accounts": [account_fields(ledger, part.players) for ledger in ledgers]}


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
        {"question": card.question.id, "players": answer.players, "verdict": answer.verdict, "text": answer.text}
        | estimate_fields(answer.number)
        | {"usual": answer.usual}
        for card in story.answers
        for answer in card.answers
    ]
    fields["parts"] = [of_part(report, part) for part in report.parts]
    return fields


def probe_fields(effect: Effect, part: ReportPart) -> dict[str, Any]:
    """The effect of a probe as data."""
    probe, shifts = probe_of(part.game, effect.change), effect.shifts
    about = {"probe": probe.name or None, "line": probe.line, "pairs": effect.pairs, "sure": effect.sure}
    estimates = {name: estimate_fields(shifts[f"probe_{name}"].difference) for name in ("gain", "place", "changed")}
    estimates |= {"times": estimate_fields(shifts[MANNER_TIMES].difference)} if MANNER_TIMES in shifts else {}
    return about | estimates | {name: shifts[f"probe_{name}"].difference.value for name in ("applied", "choices")}


def head(kind: str, name: str, sentences: Iterable[str], *, interrupted: bool) -> dict[str, Any]:
    """The fields that every file begins with."""
    about = {"format": FORMAT, "what": kind, "hexdeck": __version__, "game": name, "interrupted": interrupted}
    return about | {"findings": [*sentences]}
