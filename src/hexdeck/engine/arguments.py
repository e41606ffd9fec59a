"""Checks of arguments from outside: integers, booleans, seats and seeds. Every error is one sentence."""

from __future__ import annotations

from operator import index
from typing import Any, TypeGuard

import numpy as np

from hexdeck.engine.errors import BadOption, HexdeckError
from hexdeck.engine.text import Text, say

LONGEST = 60  # characters of a bad value that a message shows
LONG = 180  # bits: of longer integers a message shows only the first digits
DIGITS = 4300  # of a seed: keys are made from its text, and Python converts no longer integer to text


def whole(value: Any) -> int | None:
    """The value as an int, NumPy integers included; None for anything else, and for True and False."""
    if type(value) is int:
        return value
    if isinstance(value, (bool, np.bool_)):
        return None
    try:
        return index(value)
    except Exception:
        return None


def switch(name: str, value: Any) -> bool:
    """The value as a bool, NumPy booleans included; raises HexdeckError, naming the argument, for anything else."""
    if isinstance(value, (bool, np.bool_)):
        return bool(value)
    raise HexdeckError(say("{name} is True or False, not {given}.", name=name, given=shown(value)))


def whole_numbers(values: Any) -> list[int] | None:
    """A list or tuple of integers as a list of ints; None for anything else."""
    if not isinstance(values, (list, tuple)):
        return None
    numbers = [number for number in map(whole, values) if number is not None]
    return numbers if len(numbers) == len(values) else None


def between(value: Any, low: int, high: int) -> int | None:
    """The value as an int if it is an integer from `low` to `high`; else None."""
    number = whole(value)
    return number if number is not None and low <= number <= high else None


def seat_of(seat: Any, players: int, *, public: bool = False, error: type[HexdeckError] = HexdeckError) -> int:
    """A seat number as an int; `public` also allows -1, the public. Raises `error` for anything else."""
    number = between(seat, -1 if public else 0, players - 1)
    if number is None:
        raise error(no_seat(seat, players, public=public))
    return number


def no_seat(seat: Any, players: int, *, public: bool = False) -> Text:
    """The error text for something that is not a seat."""
    if public:
        return say("There is no seat {seat}; seats are 0 to {last}, -1 the public.", seat=shown(seat), last=players - 1)
    return say("There is no seat {seat}; seats are 0 to {last}.", seat=shown(seat), last=players - 1)


def is_seed(seed: Any) -> TypeGuard[int | bytes]:
    """Whether the value can be a seed: bytes, or an integer of at most `DIGITS` digits."""
    if type(seed) is bytes:
        return True
    number = whole(seed)
    return number is not None and (number.bit_length() < DIGITS or abs(number) < 10**DIGITS)


def check_seed(seed: Any) -> None:
    """Raise BadOption unless the value can be a seed."""
    if not is_seed(seed):
        text = say(
            "A seed is bytes, or a whole number of at most {digits} digits, not {given}.",
            digits=DIGITS,
            given=shown(seed),
        )
        raise BadOption(text)


def shortened(word: str) -> str:
    """A name that a user typed, on one line and at most `LONGEST` characters, for an error message."""
    word = " ".join(word.split())
    return word if len(word) <= LONGEST else word[: LONGEST - 1] + "…"


def shown(value: Any) -> str:
    """Any bad value, on one line and at most `LONGEST` characters, for an error message."""
    if isinstance(value, np.generic):
        value = value.item()
    if type(value) is int and value.bit_length() > LONG:  # Python converts no integer of thousands of digits to text
        return f"{value // 10 ** int(value.bit_length() * 0.301 - 10)}…"
    try:
        text = " ".join(repr(value).split())
    except Exception:
        text = type(value).__name__
    return text if len(text) <= LONGEST else text[: LONGEST - 1] + "…"
