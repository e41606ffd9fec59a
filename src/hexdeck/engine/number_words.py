"""Numbers as a language writes them: with its point or comma, and thousands apart."""

from __future__ import annotations

from hexdeck.engine.text import Text, say

TENS_OF_THOUSANDS = 10_000


def number(value: float, digits: int) -> Text | str:
    """A number with so many digits after the point; a minus where it is below zero."""
    written = f"{abs(value):.{digits}f}"
    whole, point, rest = written.partition(".")
    text: Text | str = say("{whole}.{tenth}", whole=whole, tenth=rest) if point else whole
    return say("{sign}{number}", sign="\u2212", number=text) if is_negative(value, written) else text


def signed(value: float, digits: int) -> Text | str:
    """The same with a plus where it isn't below zero."""
    text = number(value, digits)
    negative = is_negative(value, f"{abs(value):.{digits}f}")
    return text if negative else say("{sign}{number}", sign="+", number=text)


def is_negative(value: float, written: str) -> bool:
    """Whether a number is below zero as it is written: -0.0 isn't."""
    return value < 0 and any(letter in "123456789" for letter in written)


def count(things: int) -> str:
    """How many there are; thousands apart, as every language reads them."""
    return f"{things:,}".replace(",", "\u202f") if things >= TENS_OF_THOUSANDS else str(things)
