"""The bounds of a match, and helpers for the limits of a position: numbers with the least and the most of each."""

from collections.abc import Callable, Iterable, Iterator
from itertools import product
from typing import Any, NamedTuple

Limits = Iterator[tuple[int, int, int]]


def unlimited(_s: Any) -> Iterable[tuple[int, int, int]]:
    """The numbers of a position can be any."""
    return ()


class Bounds(NamedTuple):
    """What a match can be: a seat's `least` and `greatest` utility, the `total` of all seats (None: it differs).

    `moves` and `chances`: the greatest number of decisions, and of chance events. `limits`: of a whole struct, numbers
    with the least and the most each can be, for positions of other servers.
    """

    least: float
    greatest: float
    total: float | None
    moves: int
    chances: int
    limits: Callable[[Any], Iterable[tuple[int, int, int]]] = unlimited


def within(cells: Any, least: int, most: int) -> Limits:
    """Each number of an array lies between these."""
    for at in product(*map(range, cells.shape)):
        yield cells[at], least, most


def exactly(number: int, other: int) -> Limits:
    """A number that the position tells in another way, too."""
    yield number, other, other


def row_sums(cells: Any) -> list[int]:
    """How many cards are in each row of an array that counts them by row and kind."""
    rows, kinds = cells.shape
    return [sum(cells[row, kind] for kind in range(kinds)) for row in range(rows)]


def absent(seats: int, value: int, *arrays: Any) -> Limits:
    """In arrays by seat, seats that nobody sits at have this value everywhere."""
    for cells in arrays:
        for at in product(range(seats, cells.shape[0]), *map(range, cells.shape[1:])):
            yield cells[at if len(at) > 1 else at[0]], value, value


def chosen(s: Any, choosing: bool, cells: Any, most: int) -> Limits:
    """Secret choices by seat: -1 where there is none, and none but while others still choose."""
    for p in range(cells.shape[0]):
        there = choosing and p < s.seats and not s.acting >> p & 1
        yield cells[p], -1, most if there else -1


def subset(seats: int, among: int) -> Limits:
    """Of two sets of seats, as bits, the first is in the second."""
    yield seats, 0, among
    yield seats & ~among, 0, 0


def on_turn(s: Any) -> Limits:
    """Whoever is to act is the seat whose turn it is, alone."""
    if s.acting:
        yield s.turn, 0, s.seats - 1
        yield s.acting.bit_length() - 1, s.turn, s.turn
        yield s.acting & s.acting - 1, 0, 0
