"""How the starter is chosen: by the rules, by lot, by luck of the deal, or earned by earlier choices.

Whoever starts may do well because of starting, or because of what made that player start. Only where chance decides
between several players does a difference between them show what starting itself is worth.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from hexdeck.engine.text import Text, say

ASSIGNED, LOT, DEALT, EARNED, UNSAID = "assigned", "lot", "dealt", "earned", "unsaid"


@dataclass(frozen=True)
class Starting:
    """Who starts and why; the starter is the first player who makes a choice that nobody makes at the same time.

    `how`: ASSIGNED to a seat by the rules, drawn by LOT among all, DEALT by the cards, EARNED by choices, or UNSAID.
    `why`: the same in words that can follow “who starts”. `between(s)`: for DEALT and EARNED, the seats that chance
    decided between in the struct `s`, in which the starter is to choose; none where chance didn't decide. `chance`:
    what decided between them, as a noun. These seats must be alike in all else; where they aren't, since what decided
    stays with them, `let_start(s, seat)` makes another of them the starter, in place.
    """

    how: str
    why: Text
    between: Callable[[Any], Sequence[int]] | None = None
    chance: Text | None = None
    let_start: Callable[[Any, int], None] | None = None

    @property
    def at_random(self) -> bool:
        """Whether the starter's results, compared with a fair share, show what starting is worth."""
        return self.how in (ASSIGNED, LOT)


BY_RULE = Starting(ASSIGNED, say("assigned by the rules"))
BY_LOT = Starting(LOT, say("drawn by lot"))
NOT_SAID = Starting(UNSAID, say("the game doesn't say why"))
