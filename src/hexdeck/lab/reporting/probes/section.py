"""Probes in words and in a table: what each costs or gains, and how often it changes anything."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from hexdeck.engine.measure import Measure
from hexdeck.engine.text import Text, _, say
from hexdeck.lab.probes.study import ProbeEffect
from hexdeck.lab.reporting import number_format as numbers
from hexdeck.lab.reporting.report import Part
from hexdeck.lab.reporting.section import Cell, Section
from hexdeck.stats import Estimate

PLACE = say("comes first, percentage points"), say("loses, percentage points")  # the place that decides
NOTE = _(
    "Each line was forced on one bot, each seat in turn, in {pairs} games; the others played as before. Differences "
    "are to the same games without it, on the same cards. Where a line leaves a choice, the bot chose. Lines: {lines}"
)
AGAINST = _("A probe says what a way of playing brings against these bots; against people it may bring something else.")


def probes(part: Part) -> Iterator[Section]:
    """The table of a report's part, if its bots can be bent."""
    if part.probes:
        yield table(part.probes, part.measure, part.place)


def sentence(effect: ProbeEffect, measure: Measure) -> Text:
    """What a probe brings, in a sentence."""
    doing = effect.probe.doing
    if not effect.applied:
        return say("{doing} never came up.", doing=doing)
    if not effect.choices:
        return say("{doing} changes nothing: the bot plays so already.", doing=doing)
    if not effect.sure:
        return say(
            "{doing} makes no sure difference: {gap}.", doing=doing, gap=numbers.gap_signed(effect.gain, measure)
        )
    text = _("{doing} gains {gap}.") if effect.gain.value > 0 else _("{doing} costs {gap}.")
    return say(text, doing=doing, gap=numbers.gap(effect.gain, measure))


def table(effects: Sequence[ProbeEffect], measure: Measure, place: int) -> Section:
    """The table of probes; `place`: whether the first place decides (0) or the last (1)."""
    heads = (say("probe"), say("games it changed"), say("difference, {unit}", unit=measure.unit), PLACE[place])
    lines = "; ".join(f"{each.probe.name or number}: {each.probe.line}" for number, each in enumerate(effects, 1))
    note = say(NOTE, pairs=numbers.count(effects[0].pairs), lines=lines)
    rows = tuple(row(each, measure) for each in effects)
    return Section("probes", say("Probes: what ways of playing bring"), heads, rows, note)


def row(effect: ProbeEffect, measure: Measure) -> tuple[Cell, ...]:
    """The row of a probe."""
    return (
        effect.probe.doing, numbers.percent(effect.changed), numbers.plain(effect.gain.scaled(measure.scale)),
        numbers.plain(effect.place.scaled(100)),
    )  # fmt: skip


def probe_fields(effect: ProbeEffect, fields: Callable[[Estimate], dict[str, Any]]) -> dict[str, Any]:
    """The effect of a probe as data; `fields` makes an estimate's."""
    return {
        "probe": effect.probe.name or None, "line": effect.probe.line, "pairs": effect.pairs, "sure": effect.sure,
        "gain": fields(effect.gain), "place": fields(effect.place), "changed": fields(effect.changed),
        "applied": effect.applied, "choices": effect.choices,
    }  # fmt: skip
