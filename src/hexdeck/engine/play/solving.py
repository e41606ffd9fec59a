"""What a game's `solver.py` offers: exact best play."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol

from hexdeck.engine.play.game import GameSetup


class Solution(Protocol):
    """A solved game."""

    def action_values(self, known: bytes, seat: int) -> list[tuple[int, float | None]]:
        """Each legal action of a seat, the best first, with its exact expected utility, or None where there is none."""


@dataclass(frozen=True)
class Solver:
    """Exact best play of a game.

    `check` raises BadOption for players or options that it can't solve. `solution` solves a game in a backend, and
    `response` likewise gives the best response to players who don't always play perfectly, if there is one. `summary`
    is what `hexdeck solve` tells of a game, and of how many chips a round begins with. `is_quick`: whether a game is
    solved within seconds with the machine code that there is.
    """

    check: Callable[[GameSetup], None]
    solution: Callable[[GameSetup, str | None], Solution]
    summary: Callable[[GameSetup, int], Any]
    response: Callable[[GameSetup, str | None], Solution] | None = None
    is_quick: Callable[[GameSetup], bool] = lambda _game: True


def solver_of(game: GameSetup) -> Solver | None:
    """The solver of a game, if it has one."""
    module = game.definition.solver
    return module.SOLVER if module else None
