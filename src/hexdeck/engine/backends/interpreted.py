"""The interpreted backend: the same plain rules on a proxy that is strict where compiled code is silent.

Fields read as Python ints; a write that doesn't fit its field raises; an index that is negative or too large raises.
"""

import functools
from collections.abc import Callable
from operator import attrgetter
from struct import Struct
from types import ModuleType
from typing import Any, NamedTuple

import numpy as np

from hexdeck.engine.contract import COMPILED
from hexdeck.engine.random import pick


class Cells:
    """A strict view of an array field, or of an array handed to the rules."""

    __slots__ = ("cells", "shape")

    def __init__(self, cells: Any) -> None:
        self.cells = cells
        self.shape: tuple[int, ...] = cells.shape

    def __getitem__(self, at: Any) -> Any:
        return self.cells[self.checked(at)]

    def __setitem__(self, at: Any, value: Any) -> None:
        self.cells[self.checked(at)] = value

    def tobytes(self) -> bytes:
        """All of it, as bytes."""
        return bytes(self.cells.tobytes())

    def checked(self, at: Any) -> Any:
        """The index, if it is neither negative nor too large."""
        if at.__class__ is int and len(self.shape) == 1 and 0 <= at < self.shape[0]:
            return at  # as most are: this is where interpreted rules spend their time
        for k, size in zip(at if isinstance(at, tuple) else (at,), self.shape, strict=True):
            if not 0 <= k < size:
                raise IndexError(f"index {at} in an array of shape {self.shape}")
        return at


def proxy_class(dtype: np.dtype, cells: Callable[[Any], Any] = Cells) -> type:
    """A class whose instances give the fields of one struct in a buffer; a view of a field is made when it is used.

    `cells` makes of an array field what is read: strict cells, unless told otherwise.
    """
    fields = {}  # where each is, and how it is read
    for name in dtype.names or ():
        field, at = dtype.fields[name][:2]  # type: ignore[index]
        fields[f"_{name}"] = at, at + field.itemsize, field.base.char, list(field.shape)
    body: dict[str, Any] = {"__slots__": (*fields, "row_")}

    def __init__(self: Any, row: memoryview) -> None:  # noqa: N807
        self.row_ = row

    def __getattr__(self: Any, slot: str) -> Any:  # noqa: N807
        if slot not in fields:
            raise AttributeError(f"a struct has no field {slot}")
        begin, end, code, shape = fields[slot]
        value = cells(self.row_[begin:end].cast(code, shape)) if shape else self.row_[begin:end].cast(code)
        setattr(self, slot, value)
        return value

    def stop_(_self: Any, _kind: int, _seat: int, _detail: int) -> None:
        pass

    body |= {"__init__": __init__, "__getattr__": __getattr__, "stop_": stop_}
    for slot, (begin, _end, code, shape) in fields.items():
        body[slot[1:]] = whole(slot) if shape else scalar(slot, begin, code)
    return type("Struct", (), body)


class StopMark(NamedTuple):
    """A stop as the rules came to it, with the whole struct, which holds all secrets."""

    kind: int
    seat: int
    struct: bytes
    detail: int = 0


@functools.cache
def marking_class(proxy: type) -> type:
    """A subclass of a proxy class that keeps the stops of the rules that run on it, in `stops_`."""

    def __init__(self: Any, row: memoryview) -> None:  # noqa: N807
        proxy.__init__(self, row)  # type: ignore[misc]
        self.stops_ = []

    def stop_(self: Any, kind: int, seat: int, detail: int) -> None:
        self.stops_.append(StopMark(kind, seat, bytes(self.row_), int(detail)))

    return type("Marked", (proxy,), {"__slots__": ("stops_",), "__init__": __init__, "stop_": stop_})


def whole(slot: str) -> property:
    """A property that gives the cells of an array field."""
    return property(attrgetter(slot))


def scalar(slot: str, at: int, code: str) -> property:
    """A property that reads and writes one number; writing raises ValueError if it doesn't fit."""
    unpack = Struct(code).unpack_from

    def read(self: Any) -> int:
        value: int = unpack(self.row_, at)[0]
        return value

    def write(self: Any, value: int) -> None:
        getattr(self, slot)[0] = value

    return property(read, write)


class Rows:
    """A uint8 array (rows, bytes) of structs of a game, with a proxy for each row."""

    def __init__(self, array: np.ndarray, proxy: type) -> None:
        self.array = array
        self.structs = [proxy(memoryview(row).cast("B")) for row in array]
        self.words = [Cells(memoryview(row).cast("B").cast("q")) for row in array]


Guard = Callable[[Callable[..., Any]], Callable[..., Any]]


class InterpretedGame:
    """A game in the interpreted backend: `g` of the contract; `guard`: what is put around each of its functions."""

    def __init__(self, rules: ModuleType, strategy: ModuleType, guard: Guard = lambda function: function) -> None:
        for part in COMPILED:
            setattr(self, part.name, guard(getattr(rules if part.file == "rules" else strategy, part.name)))
        self.chance_total, self.chance_outcome = map(guard, chance_pair(rules))


def chance_pair(rules: ModuleType) -> tuple[Callable[..., int], Callable[..., int]]:
    """The sum of the weights, and the outcome of a unit of it: by the game's own functions, else by its weights."""
    if rules.chance_outcome is None:
        return rules.chance_weights, lambda _s, weights, u: pick(weights, weights.shape[0], u)
    return lambda s, _weights: rules.chance_total(s), lambda s, _weights, u: rules.chance_outcome(s, u)


def strict(array: np.ndarray) -> Cells:
    """An array as the rules get it in this backend."""
    return Cells(memoryview(array))
