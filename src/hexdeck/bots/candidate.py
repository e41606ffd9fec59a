"""What a bot thinks of an action."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Candidate:
    """A legal action, how often the bot plays it and what it expects of it.

    `chance`: 0 to 1, those of all candidates add up to 1. `worth`: expected utility of the seat at the end of the
    match, as `returns` counts it; None if the bot has no idea. `margin`: half the 95 % interval of `worth`; None if
    exact or unknown.
    """

    action: int
    chance: float
    worth: float | None
    margin: float | None
