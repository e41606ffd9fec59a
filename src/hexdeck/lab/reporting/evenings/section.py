"""The table of an evening: how many deals, who is broke and when, whether leads last."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from hexdeck.engine.text import Text, _, say
from hexdeck.lab.evenings.study import QUARTERS, EveningStudy
from hexdeck.lab.reporting import number_format as numbers
from hexdeck.lab.reporting.section import LEAST, Cell, Section, percent_of_whole
from hexdeck.stats import Estimate

LEADS = (
    say("who has most chips after a quarter of the deals wins"),
    say("who has most chips after half of the deals wins"),
    say("who has most chips after three quarters of the deals wins"),
)
NOTE = _(
    "Of {games} evenings, with chips that are carried from deal to deal. In brackets: how often such a lead would last "
    "if every deal began anew; if leads last longer here, they feed themselves."
)


def evening(study: EveningStudy | None) -> Iterator[Section]:
    """The table, if a match is an evening and enough of them were looked into."""
    if study is None or study.count < LEAST:
        return
    rows: list[tuple[Cell, ...]] = [
        (say("deals that are played, at most {most}", most=numbers.count(study.most)), numbers.plain(study.played)),
        (say("evenings in which somebody is broke before the last deal"), numbers.percent(study.broke)),
    ]
    if study.broke_after.count >= LEAST:
        rows.append((say("that happens after this part of the deals"), percent_of_whole(study.broke_after)))
    rows.append((say("deals, if all stop as soon as somebody is broke"), numbers.plain(study.until_broke)))
    rows += [(title, lead(study, part)) for title, part in zip(LEADS, QUARTERS, strict=True)]
    note = say(NOTE, games=numbers.count(study.count))
    yield Section("evening", say("The evening"), (say("measure"), say("value")), tuple(rows), note)


def lead(study: EveningStudy, part: float) -> Text:
    """How often such a leader wins, and would if every deal began anew; that only where all evenings are as long."""
    found, usual = study.leading(part)
    if not study.whole:
        return numbers.percent(found)
    return say("{share} (usual: {usual} %)", share=numbers.percent(found), usual=numbers.number(100 * usual.value, 0))


def evening_fields(study: EveningStudy | None, fields: Callable[[Estimate], dict[str, Any]]) -> dict[str, Any] | None:
    """The measures as data; `fields` makes an estimate's."""
    if study is None:
        return None
    leads = {f"{round(100 * part)}": study.leading(part) for part in QUARTERS}
    return {
        "games": study.count, "deals": fields(study.played), "broke": fields(study.broke),
        "broke_after": fields(study.broke_after), "until_broke": fields(study.until_broke),
        **{f"lead_{at}": fields(found) for at, (found, _usual) in leads.items()},
        **{f"anew_{at}": usual.value if study.whole else None for at, (_found, usual) in leads.items()},
    }  # fmt: skip
