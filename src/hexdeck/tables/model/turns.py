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
    if not is_turn(table, holder):
        return None
    last = max(table.moved_at[seat] for seat in seats_sharing(table.seats, holder))
    return last + 1 if last < table.public_version else None
