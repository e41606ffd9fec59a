"""Findings about probes in a report: plain ways of playing that beat its bots."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from hexdeck.engine.text import Text, _, say
from hexdeck.lab.probes.study import ProbeEffect
from hexdeck.lab.reporting import number_format as numbers
from hexdeck.lab.reporting.report import Part, Report
from hexdeck.stats import holm, p_beyond

PAYS = _("{doing} beats playing as these bots do: it gains {listed}.")


def paying(report: Report) -> Iterator[tuple[tuple[int, ...], Text]]:
    """The probes that surely gain something, for all probes and numbers of players together."""
    asked = [(part, each) for part in report.parts for each in part.probes]
    groups: dict[str, list[tuple[Part, ProbeEffect]]] = {}
    for (part, each), sure in zip(asked, holm([p_beyond(each.gain, 0.0) for _part, each in asked]), strict=True):
        if sure and each.gain.value > 0:
            groups.setdefault(each.probe.name, []).append((part, each))
    for found in groups.values():
        yield (
            tuple(part.players for part, _each in found),
            say(PAYS, doing=found[0][1].probe.doing, listed=listed(found)),
        )


def listed(found: Sequence[tuple[Part, ProbeEffect]]) -> Text:
    """What a probe gains with each number of players."""
    each = [
        say("{value} with {players} players", value=numbers.gap(effect.gain, part.measure), players=part.players)
        for part, effect in found
    ]
    out = each[0]
    for text in each[1:]:
        out = say("{one}, {other}", one=out, other=text)
    return out
