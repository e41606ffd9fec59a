"""An event: a move of a seat, or an outcome of chance."""

from typing import NamedTuple


class Event(NamedTuple):
    """A move of a seat, or an outcome of chance (seat -1): its id, and the name that records keep."""

    seat: int
    id: int
    name: str
