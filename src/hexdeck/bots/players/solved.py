"""Bots that need no search: a game's own strategies, and exact best play where its folder has a solver.

`engine/play/game.py` says what a solver offers.
"""

from __future__ import annotations

from collections import Counter
from typing import Any

from hexdeck.bots.bot import Candidate, take
from hexdeck.bots.search.evaluator import RolloutValues
from hexdeck.engine.backends.kernels import RANDOM
from hexdeck.engine.errors import BadOption, UnknownBot
from hexdeck.engine.play.game import GameSetup, Solution, solver_of
from hexdeck.engine.play.playouts import POLICIES
from hexdeck.engine.random import rewind
from hexdeck.engine.text import say

ASKED = 32  # times that a strategy is asked to estimate how often it plays each action


class StrategyBot:
    """A strategy as a bot. Seeded: the same bytes and calls give the same choices."""

    def __init__(self, game: GameSetup, name: str, seed: int | bytes, backend: str | None) -> None:
        self.name = name
        self.driver = game.driver(backend)
        self._rows, self._actions = game.rows(self.driver), self.driver.actions()
        self._policy = POLICIES[name]
        self._rng = self.driver.generator(seed, f"bot {name}")
        self._values = RolloutValues(game, self.driver.backend, name)

    def use_generator(self, rng: Any) -> None:
        """Draw from this generator of its backend from now on; others may draw from it too."""
        self._rng = rng

    def begin(self, number: int) -> None:
        """See `Bot`."""
        rewind(self._rng, number)

    def choose(self, knowledge: bytes, seat: int) -> int:
        """An action id for the seat."""
        take(self.driver, self._rows, knowledge, seat)
        choose: Any = self.driver.kernel("choose_row")
        return int(choose(self.driver.g, self._rows, self._policy, seat, self._actions, self._rng))

    def candidates(self, knowledge: bytes, seat: int, worlds: int | None = None) -> list[Candidate]:
        """Every legal action, how often it is chosen, and its value if all seats play on by this strategy."""
        take(self.driver, self._rows, knowledge, seat)
        count = self.driver.kernel("list_legal")(self.driver.g, self._rows, 0, seat, self._actions)
        legal = self.driver.listed(self._actions, count)
        if self._policy == RANDOM:
            probabilities = dict.fromkeys(legal, 1 / count)
        else:
            often = Counter(self.choose(knowledge, seat) for _ in range(ASKED))
            probabilities = {action: often[action] / ASKED for action in legal}
        candidates = [Candidate(action, probability, None, None) for action, probability in probabilities.items()]
        return self._values.filled(candidates, knowledge, seat, worlds)


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


class SolvedBot:
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

    def choose(self, knowledge: bytes, seat: int) -> int:
        """The best action for the seat, from its concealed struct."""
        return self.candidates(knowledge, seat, 0)[0].action

    def candidates(self, knowledge: bytes, seat: int, worlds: int | None = None) -> list[Candidate]:
        """Every legal action, the best first; where values aren't exact, they are those of house bots playing on."""
        take(self.driver, self._rows, knowledge, seat)
        solved = self._solution.action_values(knowledge, seat)
        candidates = [Candidate(action, float(k == 0), value, None) for k, (action, value) in enumerate(solved)]
        return self._values.filled(candidates, knowledge, seat, worlds)


class BestResponseBot(SolvedBot):
    """The bot that plays best where others play each turn as `solved` or as `house`, one of the two at random."""

    name, made_by = "response", "response"


BY_SOLVER = SolvedBot.name, BestResponseBot.name  # bots that play by a game's solver
