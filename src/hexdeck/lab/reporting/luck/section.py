"""The tables of what results vary by, and of what thinking twice as long brings."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from hexdeck.engine.text import Text, say
from hexdeck.lab.counting.luck.lots import by_lot
from hexdeck.lab.counting.luck.thinking import GAMES
from hexdeck.lab.counting.luck.variance import SEATINGS
from hexdeck.lab.reporting import number_format as numbers
from hexdeck.lab.reporting.report import Part
from hexdeck.lab.reporting.section import Cell, Section, percent_of_whole, place_title, signed
from hexdeck.stats import Estimate

BY_LOT = say("as if by lot")


def luck(part: Part) -> Iterator[Section]:
    """The tables that there is something to say in."""
    yield from variance(part)
    yield from thinking(part)


def variance(part: Part) -> Iterator[Section]:
    """What results vary by."""
    found = part.variance
    if found is None:
        return
    named = [(say("the deal: cards and draws"), found.deal), (say("the seat"), found.seat),
             (say("choices: one's own and those of others"), found.choices)]  # fmt: skip
    note = say(
        "{deals} deals were played {times} times each, with house bots on some seats and easy bots on the others. What "
        "differs with the same cards on the same seat comes from choices. That isn't all skill: a choice also decides "
        "who gets which card next.", deals=found.deals, times=SEATINGS,
    )  # fmt: skip
    rows = tuple((name, percent_of_whole(each)) for name, each in named)
    heads = say("source"), say("share of the variance of results")
    shares = tuple(each.value for _name, each in named)
    yield Section("variance", say("Where results come from"), heads, rows, note, shares)


def thinking(part: Part) -> Iterator[Section]:
    """What thinking twice as long brings, for each doubling."""
    rows: list[tuple[Cell, ...]] = []
    shares: list[float] = []
    for games, each in zip(GAMES, part.thinking, strict=False):
        who = say("{more} games for a decision, among bots with {less}", more=2 * games, less=games)
        share = each.last if part.place else each.first
        rows.append((who, signed(each.gain, part), numbers.percent(share), lots(each.gain, share, part)))
        shares.append(share.value)
    if rows:
        heads = say("one among others"), say("above the mean"), place_title(part), BY_LOT
        note = say(
            "Bots that play out so many games by the house bot before each decision, on {deals} deals, each played "
            "from every seat. Where doubling brings nothing more, there is nothing left to think about, or these bots "
            "can't find it.", deals=part.thinking[0].deals,
        )  # fmt: skip
        yield Section("thinking", say("Thinking twice as long"), heads, tuple(rows), note, tuple(shares), 2)


def lots(gain: Estimate, share: Estimate, part: Part) -> Text | str:
    """In how many matches lots would decide if the better one won all others; a dash where neither is surely better."""
    better = gain.count > 1 and gain.value > 0 and gain.significant()
    return percent_of_whole(by_lot(share, part.players, part.place)) if better else "–"


def variance_fields(part: Part, fields: Any) -> dict[str, Any]:
    """The parts of variance as data; `fields` makes an estimate's."""
    found = part.variance
    return {} if found is None else {name: fields(getattr(found, name)) for name in ("deal", "seat", "choices")}
