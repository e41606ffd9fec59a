"""Whose turn it is, for those who don't look at the table: told alike to all, and at the same time, whatever they hold.

That a seat has only one legal move may be its secret, so it is told of its turn as if it had a choice. Only where
everybody can tell that nothing is to be decided, nobody is called.
"""

from __future__ import annotations

from hexdeck.tables.model.device import next_to_decide, seats_sharing
from hexdeck.tables.model.entries import PLAYING
from hexdeck.tables.model.live import LiveTable


def is_turn(table: LiveTable, holder: int) -> bool:
    """Whether it is the turn of somebody on the device of a seat's holder; False for the public (-1)."""
    return holder >= 0 and table.state == PLAYING and next_to_decide(table, holder) is not None


def turn_to_tell(table: LiveTable, holder: int) -> int | None:
    """The number of the holder's turn, if it came without a move of their own; it grows from turn to turn.

    None where it isn't their turn, or their own move was the last that everybody noticed: they have just been here.
    """
    last = last_move(table, holder)
    return last + 1 if is_turn(table, holder) and last < table.public_version else None


def turn_known(table: LiveTable, holder: int) -> int:
    """The number of the last turn that a holder who is here now knows of, if there was one."""
    return last_move(table, holder) + is_turn(table, holder)


def last_move(table: LiveTable, holder: int) -> int:
    """The version of the last move on the device of a seat's holder, -1 before it; -1 for the public."""
    return max((table.moved_at[seat] for seat in seats_sharing(table.seats, holder)), default=-1)
