"""The arrays that a batch writes, its own or its caller's."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, fields
from itertools import combinations
from typing import Any

import numpy as np

from hexdeck.engine.arguments import shown
from hexdeck.engine.errors import BadOption
from hexdeck.engine.play.driver import Driver
from hexdeck.engine.play.game import GameSetup
from hexdeck.engine.text import _, say

ALIGNED = 64  # bytes: JAX copies an array that begins elsewhere


@dataclass(frozen=True)
class Arrays:
    """What a batch writes: a row or a number for each environment, in NumPy arrays (DLPack shares them uncopied).

    `observations` int8 (envs, size): what the seat to act knows, in the game's SLICES; if no seat is to act, what the
    public knows. `masks` bool (envs, actions): which actions are legal. `lists` int16 (envs, actions): the legal
    actions, the first `counts` (int32) of a row, then -1. `seats` int8: the seat to act, the lowest of the caller's; -1
    if chance or nobody is to act. `acting` int32: a bit for each seat that may act. `rewards` float64 (envs, players):
    the utilities if the match ended in this step, else 0. `ends` bool: whether it did. `weights` int32 (envs,
    outcomes): if the caller is to play chance, the weights of its outcomes, else 0.
    """

    observations: np.ndarray
    masks: np.ndarray
    lists: np.ndarray
    counts: np.ndarray
    seats: np.ndarray
    acting: np.ndarray
    rewards: np.ndarray
    ends: np.ndarray
    weights: np.ndarray

    @classmethod
    def of(cls, game: GameSetup, envs: int, own: Mapping[str, Any] | None = None) -> Arrays:
        """Arrays for a number of environments: those in `own`, by name, and new ones for the rest; raises BadOption.

        `own` takes NumPy arrays, or others that speak DLPack and lie in main memory; they are written in place.
        """
        if own is not None and not isinstance(own, Mapping):
            raise BadOption(say("Pass the arrays a batch writes to by name, not as {given}.", given=shown(own)))
        own_arrays, shapes = dict(own or {}), shapes_of(game, envs)
        for name in own_arrays:
            if name not in shapes:
                text = _("A batch writes no array {name}; it writes {there}.")
                raise BadOption(say(text, name=shown(name), there=", ".join(shapes)))
        arrays = {
            name: owned(name, own_arrays[name], *shape) if name in own_arrays else aligned(*shape)
            for name, shape in shapes.items()
        }
        for one, other in combinations(own_arrays, 2):
            if np.shares_memory(arrays[one], arrays[other]):
                text = _("A batch writes {one} and {other} at once: give each an array of its own.")
                raise BadOption(say(text, one=one, other=other))
        return cls(**arrays)

    def part(self, driver: Driver, begin: int, end: int) -> tuple[Any, ...]:
        """The parts of all arrays for the environments from `begin` to `end` - 1, as kernels take them."""
        return tuple(as_rows(driver, getattr(self, field.name)[begin:end]) for field in fields(self))


def shapes_of(game: GameSetup, envs: int) -> dict[str, tuple[tuple[int, ...], Any]]:
    """The shape and dtype of each array."""
    actions = len(game.rules.ACTIONS)
    return {
        "observations": ((envs, game.observation_size), np.int8),
        "masks": ((envs, actions), np.bool_),
        "lists": ((envs, actions), np.int16),
        "counts": ((envs,), np.int32),
        "seats": ((envs,), np.int8),
        "acting": ((envs,), np.int32),
        "rewards": ((envs, game.players), np.float64),
        "ends": ((envs,), np.bool_),
        "weights": ((envs, len(game.rules.OUTCOMES)), np.int32),
    }


def aligned(shape: tuple[int, ...], dtype: Any) -> np.ndarray:
    """An array of zeros that begins at a multiple of ALIGNED bytes."""
    size = math.prod(shape) * np.dtype(dtype).itemsize
    room = np.zeros(size + ALIGNED, np.uint8)
    begin = -room.ctypes.data % ALIGNED
    array: np.ndarray = room[begin : begin + size].view(dtype).reshape(shape)
    return array


def owned(name: str, given: Any, shape: tuple[int, ...], dtype: Any) -> np.ndarray:
    """A caller's array as a NumPy array; raises BadOption unless it has this shape and dtype and can be written."""
    try:
        array = given if isinstance(given, np.ndarray) else np.from_dlpack(given)
    except (AttributeError, TypeError, BufferError, RuntimeError):
        text = _("The array {name} must be a NumPy array, or speak DLPack in main memory.")
        raise BadOption(say(text, name=name)) from None
    flags = array.flags
    if array.dtype != dtype or array.shape != shape or not (flags.c_contiguous and flags.writeable and flags.aligned):
        text = _("The array {name} must be a writeable, contiguous array of {dtype} and shape {shape}.")
        raise BadOption(say(text, name=name, dtype=np.dtype(dtype).name, shape=str(shape)))
    return array if type(array) is np.ndarray else array.view(np.ndarray)  # kernels take no memory map


def as_rows(driver: Driver, array: np.ndarray) -> Any:
    """An array for kernels that read it row by row."""
    return driver.shared(array) if driver.compiled or array.ndim == 1 else [driver.shared(row) for row in array]


def as_array(value: Any) -> np.ndarray:
    """The caller's value as a NumPy array; an empty one if its rows have different lengths."""
    try:
        return value if isinstance(value, np.ndarray) else np.asarray(value)
    except ValueError:
        return np.zeros(0)
