"""Exact best play as a bot, for games whose folder has a solver (`engine/play/solving.py` says what that offers)."""

from __future__ import annotations

from hexdeck.bots.bot import Candidate, take
from hexdeck.bots.search.expected import RolloutValues
from hexdeck.engine.errors import BadOption, UnknownBot
from hexdeck.engine.play.game import GameSetup
from hexdeck.engine.play.solving import Solution, solver_of
from hexdeck.engine.text import say


def is_solved(game: GameSetup) -> bool:
    """Whether a game has a solver that can solve it with these players and options."""
    solver = solver_of(game)
    if solver is None:
        return False
    try:
        solver.check(game)
    except BadOption:
        return False
    return True


def is_quick(game: GameSetup) -> bool:
    """Whether a game that is solved is so within seconds, with the machine code that there is."""
    solver = solver_of(game)
    return solver is None or not is_solved(game) or solver.is_quick(game)


def has_response(game: GameSetup) -> bool:
    """Whether a game is solved, and its solver has a best response to others, too."""
    solver = solver_of(game)
    return solver is not None and solver.response is not None and is_solved(game)


class Solved:
    """The bot that plays a game's solution; it needs no generator. Raises UnknownBot or BadOption."""

    name, made_by = "solved", "solution"

    def __init__(self, game: GameSetup, backend: str | None = None) -> None:
        make = getattr(solver_of(game), self.made_by, None)
        if make is None:
            raise UnknownBot(
                say("There is no bot {name} for {game}: it has no solver.", name=self.name, game=game.name)
            )
        self.driver = game.driver(backend)
        self._rows, self._values = game.rows(self.driver), RolloutValues(game, self.driver.backend, "house")
        self._solution: Solution = make(game, backend)

    def begin(self, number: int) -> None:
        """It has no generator to rewind."""

    def choose(self, known: bytes, seat: int) -> int:
        """The best action for the seat, from its concealed struct."""
        return self.candidates(known, seat, 0)[0].action

    def candidates(self, known: bytes, seat: int, worlds: int | None = None) -> list[Candidate]:
        """Every legal action, the best first; where values aren't exact, they are those of house bots playing on."""
        take(self.driver, self._rows, known, seat)
        solved = self._solution.action_values(known, seat)
        found = [Candidate(action, float(k == 0), value, None) for k, (action, value) in enumerate(solved)]
        return self._values.filled(found, known, seat, worlds)


class BestResponse(Solved):
    """The bot that plays best where others play each turn as `solved` or as `house`, one of the two at random."""

    name, made_by = "response", "response"


BY_SOLVER = Solved.name, BestResponse.name  # bots that play by a game's solver
