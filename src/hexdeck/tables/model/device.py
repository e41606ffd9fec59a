"""Whose turn it is on a device: several people may share one, and players who are away are told of their turn.

One seat, the holder's, has the token; the other seats name it as their `device`. The player who has the device in hand
is the holder's `face`: the page shows what that seat knows, as long as no other seat on the device is to decide.

Players are told of their turn alike, and at the same time, whatever they hold. That a seat has only one legal move may
be its secret, so it is told as if it had a choice. Only where the public can tell that nothing is to be decided, no
player is called.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from hexdeck.engine.text import _, say
from hexdeck.tables.errors import NotYours, Stale
from hexdeck.tables.model.choice import nobody_decides
from hexdeck.tables.model.entries import HAND, OVER, PLAYING, WAITING, Draft, Entry
from hexdeck.tables.model.live import LiveTable, command
from hexdeck.tables.model.seats import PERSON, Seat

COVERED = -1  # no player has it in hand, and a curtain hides the cards
PUBLIC = -1


def seats_sharing(seats: Sequence[Seat], holder: int) -> tuple[int, ...]:
    """The seats on the device of a seat's holder; none for the public (-1)."""
    return tuple(number for number, seat in enumerate(seats) if holder >= 0 and holder in (number, seat.device))


def viewing_seat(table: LiveTable, holder: int) -> int:
    """The seat whose cards a device shows: the holder's own where it isn't shared; -1 while it is covered."""
    shared, face = seats_sharing(table.seats, holder), table.seats[holder].face
    if len(shared) < 2 or table.state == WAITING:
        return holder
    if table.state == OVER:
        return face if face in shared else holder
    return face if face in shared and next_to_decide(table, holder) in (None, face) else COVERED


def next_to_decide(table: LiveTable, holder: int) -> int | None:
    """The seat on a device that is to decide next, first the one that has it in hand; None where none is."""
    shared, face = seats_sharing(table.seats, holder), table.seats[holder].face
    people = (seat for seat in shared if seat in table.acting and table.seats[seat].kind == PERSON)
    # where the public can tell that a seat has only one legal move, the device isn't needed for it
    acting = [seat for seat in people if table.match and not nobody_decides(table.match, seat, PUBLIC)]
    if face in acting:
        return face
    return min(acting, key=lambda seat: (seat - face - 1) % len(table.seats), default=None)


def playing_seat(table: LiveTable, holder: int) -> int:
    """The seat that plays on a device now; raises Stale while it is covered."""
    seat = viewing_seat(table, holder)
    if holder >= 0 and seat == COVERED:
        raise Stale(say("The cards are covered: first say who is holding the device."))
    return seat


@command
def hand_over(table: LiveTable, holder: int, to: int, now: float) -> Draft:
    """Hand the device to the player of seat `to`, or cover it (-1)."""
    shared, next_ = seats_sharing(table.seats, holder), next_to_decide(table, holder)
    if len(shared) < 2 or to not in (COVERED, *shared):
        raise NotYours(say("That seat doesn't play on this device."))
    if table.state != PLAYING:
        raise Stale(say("Nothing is hidden now."))
    if to != COVERED and next_ not in (None, to):
        raise Stale(say(_("It is {name}'s turn with the device now."), name=table.seats[next_].name))
    seats = tuple(replace(seat, face=to) if number == holder else seat for number, seat in enumerate(table.seats))
    return Draft((Entry(table.version + 1, HAND, holder, at=now),), seats, table.state, table.terms)


def moved_seats(seats: Sequence[Seat]) -> tuple[Seat, ...]:
    """Seats that have all moved one further, and their devices with them; no player has one in hand."""
    count = len(seats)
    return tuple(
        replace(seat, face=COVERED, device=None if seat.device is None else (seat.device + 1) % count) for seat in seats
    )


def is_turn(table: LiveTable, holder: int) -> bool:
    """Whether it is the turn of a seat on the device of a seat's holder; False for the public (-1)."""
    return holder >= 0 and table.state == PLAYING and next_to_decide(table, holder) is not None


def turn_to_tell(table: LiveTable, holder: int) -> int | None:
    """The number of the holder's turn, if it came without a move of their own; it grows from turn to turn.

    None where it isn't their turn, or their own move was the last that all noticed: they have just been here.
    """
    last = last_move(table, holder)
    return last + 1 if is_turn(table, holder) and last < table.public_version else None


def turn_known(table: LiveTable, holder: int) -> int:
    """The number of the last turn that a holder who is here now knows of, if there was one."""
    return last_move(table, holder) + is_turn(table, holder)


def last_move(table: LiveTable, holder: int) -> int:
    """The version of the last move on the device of a seat's holder, -1 before it; -1 for the public."""
    return max((table.moved_at[seat] for seat in seats_sharing(table.seats, holder)), default=-1)
