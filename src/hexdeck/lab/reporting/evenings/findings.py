"""Findings about evenings: somebody is often out early, and leads that feed themselves from deal to deal."""

from __future__ import annotations

from collections.abc import Iterator

from hexdeck.engine.text import Text, _, say
from hexdeck.lab.reporting import number_format as numbers
from hexdeck.lab.reporting.report import Part
from hexdeck.lab.reporting.section import LEAST, percent_of_whole

OFTEN, REST = 0.1, 0.2  # of evenings in which somebody is broke, and of the deals left by then, that make a finding
HALF = 0.5
BROKE = _(
    "With {players} players, somebody is often out early: in {share} of evenings somebody is broke before the last of "
    "{most} deals, on average after {after} of them."
)
RUNAWAY = _(
    "With {players} players, leads feed themselves over an evening: whoever has most chips halfway wins {share} of "
    "evenings; it would be {usual} % if every deal began anew."
)
BROKE_ALL = say("Somebody is often out early; evenings in which somebody is broke before the last deal")
RUNAWAY_ALL = say("Leads feed themselves over an evening; whoever has most chips halfway wins this share of evenings")


def evening_findings(part: Part, tests: int) -> Iterator[tuple[str, Text, Text, Text | str]]:
    """What is sure about a part's evenings: the kind, the sentence, its group and value."""
    study = part.evening
    if study is None or study.count < LEAST:
        return
    early = study.broke_after
    if study.broke.low > OFTEN and early.count and 1 - early.high > REST:
        share = numbers.percent(study.broke)
        text = say(
            BROKE, players=part.players, share=share, most=numbers.count(study.most), after=percent_of_whole(early)
        )
        yield "broke", text, BROKE_ALL, share
    if study.whole and (found := study.runaway(HALF)).value > 0 and found.significant(0.0, tests):
        lead, usual = study.leading(HALF)
        share = numbers.percent(lead)
        text = say(RUNAWAY, players=part.players, share=share, usual=numbers.number(100 * usual.value, 0))
        yield "evening", text, RUNAWAY_ALL, share
