"""Exact best play as a bot, for games whose folder has a solver.

A game's `solver.py` offers `check(game)`, which raises BadOption for players or options it can't solve;
`solution(game, backend)`, which does so too; and `summary(game, …)` for `hexdeck solve`.
"""

from __future__ import annotations

from typing import Protocol, cast

from hexdeck.bots.bot import Candidate, take
from hexdeck.bots.search.expected import Expectation
from hexdeck.engine.errors import BadOption, UnknownBot
from hexdeck.engine.play.game import GameSetup
from hexdeck.engine.text import say


class Solution(Protocol):
    """A solved game."""

    def weigh(self, known: bytes, seat: int) -> list[tuple[int, float | None]]:
        """Each legal action of a seat, the best first, with its exact expected utility, or None where there is none."""


def is_solved(game: GameSetup) -> bool:
    """Whether a game has a solver, and it can solve these players and options."""
    solver = game.definition.solver
    if solver is None:
        return False
    try:
        solver.check(game)
    except BadOption:
        return False
    return True


class Solved:
    """The bot that plays what a game's solver found; it throws no dice. Raises UnknownBot or BadOption."""

    name = "solved"

    def __init__(self, game: GameSetup, backend: str | None = None) -> None:
        solver = game.definition.solver
        if solver is None:
            raise UnknownBot(say("There is no bot solved for {game}: it has no solver.", game=game.name))
        self.driver = game.driver(backend)
        self._rows, self._expectation = game.rows(self.driver), Expectation(game, self.driver.backend, "house")
        self._solution = cast(Solution, solver.solution(game, backend))

    def begin(self, number: int) -> None:
        """It throws no dice."""

    def choose(self, known: bytes, seat: int) -> int:
        """The best action for the seat, from its concealed struct."""
        return self.candidates(known, seat, 0)[0].action

    def candidates(self, known: bytes, seat: int, worlds: int | None = None) -> list[Candidate]:
        """Every legal action, the best first: where it is not exact what they bring, as house bots would play on."""
        take(self.driver, self._rows, known, seat)
        weighed = self._solution.weigh(known, seat)
        found = [Candidate(action, float(k == 0), worth, None) for k, (action, worth) in enumerate(weighed)]
        return self._expectation.told(found, known, seat, worlds)
