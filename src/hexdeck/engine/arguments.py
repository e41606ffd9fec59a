"""Arguments from outside, checked alike everywhere: whole numbers, seats, seeds, backends. Errors are one sentence."""

from __future__ import annotations

from operator import index
from typing import Any, TypeGuard

import numpy as np

from hexdeck.engine.errors import BadOption, HexdeckError
from hexdeck.engine.text import Text, say

LONGEST = 60  # characters of something bad that a message shows
LONG = 180  # bits of a number that is shown by its first digits only
DIGITS = 4300  # of a seed: of longer numbers Python makes no text, from which keys are made


def whole(value: Any) -> int | None:
    """A whole number as an int, those of NumPy too; None for anything else, and for True and False."""
    if type(value) is int:
        return value
    if isinstance(value, (bool, np.bool_)):
        return None
    try:
        return index(value)
    except Exception:
        return None


def switch(name: str, value: Any) -> bool:
    """True or False as a bool, those of NumPy too; raises HexdeckError for anything else."""
    if isinstance(value, (bool, np.bool_)):
        return bool(value)
    raise HexdeckError(say("{name} is True or False, not {given}.", name=name, given=shown(value)))


def wholes(values: Any) -> list[int] | None:
    """A list of whole numbers as ints; None for anything else."""
    if not isinstance(values, (list, tuple)):
        return None
    numbers = [number for number in map(whole, values) if number is not None]
    return numbers if len(numbers) == len(values) else None


def between(value: Any, low: int, high: int) -> int | None:
    """A whole number from `low` to `high` as an int; None for anything else."""
    number = whole(value)
    return number if number is not None and low <= number <= high else None


def seat_of(seat: Any, players: int, *, public: bool = False, error: type[HexdeckError] = HexdeckError) -> int:
    """A seat as an int; with `public` -1, the public, is one too. Raises `error` for anything else."""
    number = between(seat, -1 if public else 0, players - 1)
    if number is None:
        raise error(no_seat(seat, players, public=public))
    return number


def no_seat(seat: Any, players: int, *, public: bool = False) -> Text:
    """What is said of something that is no seat."""
    if public:
        return say("There is no seat {seat}; seats are 0 to {last}, -1 the public.", seat=shown(seat), last=players - 1)
    return say("There is no seat {seat}; seats are 0 to {last}.", seat=shown(seat), last=players - 1)


def is_seed(seed: Any) -> TypeGuard[int | bytes]:
    """Whether it can be a seed: bytes, or a whole number that isn't too long."""
    if type(seed) is bytes:
        return True
    number = whole(seed)
    return number is not None and (number.bit_length() < DIGITS or abs(number) < 10**DIGITS)


def check_seed(seed: Any) -> None:
    """Raise BadOption unless it can be a seed."""
    if not is_seed(seed):
        text = say("A seed is bytes, or a whole number of at most {digits} digits, not {given}.",
                   digits=DIGITS, given=shown(seed))  # fmt: skip
        raise BadOption(text)


def named(word: str) -> str:
    """A name that somebody typed as a message shows it: on one line and not too long."""
    word = " ".join(word.split())
    return word if len(word) <= LONGEST else word[: LONGEST - 1] + "…"


def shown(value: Any) -> str:
    """Something bad as a message shows it: on one line and not too long, whatever it is."""
    if isinstance(value, np.generic):
        value = value.item()
    if type(value) is int and value.bit_length() > LONG:  # of thousands of digits Python writes none
        return f"{value // 10 ** int(value.bit_length() * 0.301 - 10)}…"
    try:
        text = " ".join(repr(value).split())
    except Exception:
        text = type(value).__name__
    return text if len(text) <= LONGEST else text[: LONGEST - 1] + "…"
