"""All errors that hexdeck raises on purpose, and checks of arguments from outside.

Each message is one sentence: what was wrong, where, what is allowed.

HexdeckError
├── UnknownGame        there is no game of that name
│   └── BrokenGame     there is one, but its files don't make a working game
├── RuleFault          a rule of a game from outside can't be carried out; the message says where
├── BadOption          the number of players, an option or another argument is out of range or misspelt
├── BadMove
│   ├── IllegalMove    the rules forbid the move: carries the rule id and the legal moves
│   ├── NotActing      it is not this seat's turn
│   └── GameIsOver     the match is over
├── BadChance          chance can't give this outcome now
├── BadPly             the match has no such ply
├── BadRecord          a record can't be read or replayed: carries the index of the first bad event
└── UnknownBot         there is no bot of that name
"""

from __future__ import annotations

import sys
from collections.abc import Iterable
from errno import EACCES, EISDIR, ENOENT, ENOSPC
from operator import index
from typing import Any, TypeGuard

from hexdeck.engine.text import Text, say

FAILS = say("A rule of this game can't be carried out.")


class HexdeckError(Exception):
    """The base class of all errors that hexdeck raises on purpose.

    Attributes: `text`, the message as a Text, so that screens can translate it.
    """

    def __init__(self, text: Text) -> None:
        super().__init__(str(text))
        self.text = text


FAULTS = {
    EISDIR: say("it is a folder"),
    ENOENT: say("its folder isn't there"),
    EACCES: say("you aren't allowed to"),
    ENOSPC: say("the disk is full"),
}


def reason_of(error: OSError) -> Text | str:
    """Why the system refused something, in the reader's language where that is known."""
    return FAULTS.get(error.errno or 0) or error.strerror or type(error).__name__


def unreadable(file: object, error: OSError) -> HexdeckError:
    """The error for a file that can't be read."""
    if isinstance(error, FileNotFoundError):
        return HexdeckError(say("There is no file {file}.", file=str(file)[:300]))
    return HexdeckError(say("{file} can't be read: {why}.", file=str(file)[:300], why=reason_of(error)))


class UnknownGame(HexdeckError):
    """There is no game of that name."""


class BrokenGame(UnknownGame):
    """There is a game of that name, but its files don't make a working game; the message says which file and why."""


class RuleFault(HexdeckError):
    """A rule of a game from outside can't be carried out; the message says which and why, where that is known."""

    def __init__(self, text: Text = FAILS) -> None:
        super().__init__(text)


class BadOption(HexdeckError):
    """The number of players, an option or another argument is out of range or misspelt; `option`: the option's name."""

    def __init__(self, text: Text, option: str = "") -> None:
        super().__init__(text)
        self.option = option


class BadMove(HexdeckError):
    """The move can't be played; nothing has changed."""


class IllegalMove(BadMove):
    """The rules forbid the move.

    Attributes: `rule`, the rule id, such as `"CH-5"`; `legal`, the names of the seat's legal actions.
    """

    def __init__(self, text: Text, rule: str = "", legal: tuple[str, ...] = ()) -> None:
        super().__init__(text)
        self.rule = rule
        self.legal = legal


class NotActing(BadMove):
    """It is not this seat's turn: another seat is to act, or chance is."""


class GameIsOver(BadMove):
    """The match is over."""


class BadChance(HexdeckError):
    """Chance can't give this outcome now."""


class BadPly(HexdeckError):
    """The match has no such ply."""


class BadRecord(HexdeckError):
    """The record is corrupt, truncated, illegal or newer than this program.

    Attributes: `event`, the index of the first bad event, or None if no single event is at fault.
    """

    def __init__(self, text: Text, event: int | None = None) -> None:
        super().__init__(text)
        self.event = event


class UnknownBot(HexdeckError):
    """There is no bot of that name."""


# --- integers, booleans, seats and seeds from outside -----------------------------------------------------------------
LONGEST = 60  # characters of a bad value that a message shows
LONG = 180  # bits: of longer integers a message shows only the first digits
DIGITS = 4300  # of a seed: keys are made from its text, and Python converts no longer integer to text


def is_numpy(value: Any, kind: str) -> bool:
    """Whether a value is of a type of NumPy's, which isn't imported for that."""
    numpy = sys.modules.get("numpy")
    return numpy is not None and isinstance(value, getattr(numpy, kind))


def is_boolean(value: Any) -> bool:
    """Whether a value is True or False, NumPy's included."""
    return isinstance(value, bool) or is_numpy(value, "bool_")


def whole(value: Any) -> int | None:
    """The value as an int, NumPy integers included; None for anything else, and for True and False."""
    if type(value) is int:
        return value
    if is_boolean(value):
        return None
    try:
        return index(value)
    except Exception:
        return None


def switch(name: str, value: Any) -> bool:
    """The value as a bool, NumPy booleans included; raises HexdeckError, naming the argument, for anything else."""
    if is_boolean(value):
        return bool(value)
    raise HexdeckError(say("{name} is True or False, not {given}.", name=name, given=shown(value)))


def one_of(numbers: Iterable[int]) -> Text:
    """Numbers of which one is meant, as in `2, 3 or 4`."""
    *others, last = map(str, numbers)
    return say("{first} or {last}", first=", ".join(others), last=last) if others else Text(last)


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
    if is_numpy(value, "generic"):
        value = value.item()
    if type(value) is int and value.bit_length() > LONG:  # Python converts no integer of thousands of digits to text
        return f"{value // 10 ** int(value.bit_length() * 0.301 - 10)}…"
    try:
        text = " ".join(repr(value).split())
    except Exception:
        text = type(value).__name__
    return text if len(text) <= LONGEST else text[: LONGEST - 1] + "…"
