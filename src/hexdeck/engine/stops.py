"""Stops: positions within an event that people at a table would see, marked by the rules themselves.

    def _show(s, payer):
        stop(s, SHOWN)            # the cards lie open
        _pay(s, payer)
        stop(s, PAID, payer)      # chips went to the pot

The interpreted backend hands each marked position over; in compiled code a stop is nothing. An event's story is the
list of its stops and its end. What must be visible at a stop is in the struct: `conceal` and `zones` show it as any
other position, and `caption` in `table.py` says what is told of it (`hexdeck.engine.beat`).
"""

from typing import Any

END = 0  # the kind of an event's end; a game's kinds are other integers


def stop(s: Any, kind: int, seat: int = -1) -> None:
    """Mark a position as a stop of a kind, about a seat where it is about one."""
    s.stop_(kind, seat)
