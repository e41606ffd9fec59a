"""Numbers in a language's notation: its decimal separator, and the one between thousands."""

from __future__ import annotations

from hexdeck.engine.text import Text, say, thousands


def number(value: float, digits: int) -> Text | str:
    """A number with `digits` decimals; a minus sign if it is negative."""
    written = f"{abs(value):.{digits}f}"
    whole, point, rest = written.partition(".")
    grouped: Text | str = thousands(whole)
    text: Text | str = say("{whole}.{tenth}", whole=grouped, tenth=rest) if point else grouped
    return say("{sign}{number}", sign="\u2212", number=text) if is_negative(value, written) else text


def signed(value: float, digits: int) -> Text | str:
    """A number with `digits` decimals, and a plus or minus sign."""
    text = number(value, digits)
    negative = is_negative(value, f"{abs(value):.{digits}f}")
    return text if negative else say("{sign}{number}", sign="+", number=text)


def is_negative(value: float, written: str) -> bool:
    """Whether a number is negative as it is written; -0.0 isn't."""
    return value < 0 and any(letter in "123456789" for letter in written)


def count(things: int) -> Text | str:
    """A number of things."""
    return number(things, 0)
