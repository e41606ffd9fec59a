"""What happens in a match: one event after another."""

from typing import NamedTuple


class Event(NamedTuple):
    """A move of a seat, or of chance (seat -1): its id and its stable name."""

    seat: int
    id: int
    name: str
