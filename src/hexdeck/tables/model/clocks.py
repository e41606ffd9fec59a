"""The clocks of a live table: how long each seat has for its decision."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from hexdeck.tables.model.live import LiveTable
from hexdeck.tables.model.seats import FIRST_CLOCK_WAIT, PERSON, Seat


def with_clocks(
    table: LiveTable, seats: Sequence[Seat], now: float, *, before: Sequence[int] = (), mover: int = -1,
    private: bool = True, shown: float = 0.0,
) -> tuple[Seat, ...]:  # fmt: skip
    """The seats with their clocks set: a seat that comes to act, or acts again, has the whole time.

    `private`: nothing public happened, so every seat is still at the same decision (a clock that began anew would give
    a secret step away), and a clock that was stopped goes on from where it stood. Otherwise only seats that acted
    `before`, other than the `mover`, are at the same decision. `shown`: seconds for which pages still show what
    happened, and new clocks don't run yet.
    """
    seconds = table.terms.seconds
    if seconds is None:
        return tuple(seats)
    acting = set(table.match.acting if table.match and not table.match.over else ())
    out = []
    for number, seat in enumerate(seats):
        same_decision = private or (number in before and number != mover)
        out.append(clocked(seat, now, seconds + shown, number in acting, same_decision))
    return tuple(out)


def clocked(seat: Seat, now: float, seconds: float, acts: bool, same_decision: bool) -> Seat:
    """A seat with its clock running, stopped or off."""
    left = (seat.left if seat.due is None else max(0.0, seat.due - now)) if same_decision else None
    if not (acts and (seat.kind == PERSON or seat.remote)):
        return replace(seat, due=None, left=left)
    if left is not None:
        return replace(seat, due=seat.due or now + left, left=None)
    return replace(seat, due=now + seconds + (FIRST_CLOCK_WAIT if seat.awaited else 0.0), left=None)
