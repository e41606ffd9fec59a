"""What an evening of a game is: several deals, with chips that are carried from one to the next.

A game says it in `hints.EVENING`; one whose matches aren't played so says nothing.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class Evening:
    """An evening: the `option` that says how many deals it has at most, and what each seat has between two deals.

    `chips`: of structured arrays of structs, each at the beginning of a deal or at the end of the match, the chips that
    each seat had before that deal: int (structs, seats). `stake`: chips without which one can't play on.
    """

    option: str
    chips: Callable[[np.ndarray], np.ndarray]
    stake: int
