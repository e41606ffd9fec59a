"""Numbers in a language's notation: its decimal separator, and spaces between thousands."""

from __future__ import annotations

from hexdeck.engine.text import Text, say

TENS_OF_THOUSANDS = 10_000


def number(value: float, digits: int) -> Text | str:
    """A number with `digits` decimals; a minus sign if it is negative."""
    written = f"{abs(value):.{digits}f}"
    whole, point, rest = written.partition(".")
    text: Text | str = say("{whole}.{tenth}", whole=whole, tenth=rest) if point else whole
    return say("{sign}{number}", sign="\u2212", number=text) if is_negative(value, written) else text


def signed(value: float, digits: int) -> Text | str:
    """A number with `digits` decimals, and a plus or minus sign."""
    text = number(value, digits)
    negative = is_negative(value, f"{abs(value):.{digits}f}")
    return text if negative else say("{sign}{number}", sign="+", number=text)


def is_negative(value: float, written: str) -> bool:
    """Whether a number is negative as it is written; -0.0 isn't."""
    return value < 0 and any(letter in "123456789" for letter in written)


def count(things: int) -> str:
    """An integer; from ten thousand on with spaces between thousands, which every language reads."""
    return f"{things:,}".replace(",", "\u202f") if things >= TENS_OF_THOUSANDS else str(things)
