"""Exact values for hints and analyses, in games whose folder has a solver; estimates where the solver has none."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from hexdeck.bots.bot import Bot, Candidate
from hexdeck.bots.players.solved import Solved
from hexdeck.bots.search.paired_evaluator import PairedEvaluator, PairedValues
from hexdeck.engine.play.game import GameSetup

DIGITS = 9  # values that differ less are equal


@dataclass(frozen=True)
class ExactValues:
    """Actions with their exact values, in the form of `paired_evaluator.PairedValues`."""

    values: Mapping[int, float]

    def value(self, action: int) -> tuple[float, float | None]:
        """The value of an action; there is no margin."""
        return self.values[action], None

    def difference(self, better: int, worse: int) -> tuple[float, float | None]:
        """By how much one action is better than another; there is no margin."""
        return self.values[better] - self.values[worse], None


class ExactAdvisor:
    """Proposes and evaluates moves by a game's solution wherever that is exact, else by a bot and an evaluator."""

    name = "solved"

    def __init__(self, game: GameSetup, backend: str | None, bot: Bot, evaluator: PairedEvaluator) -> None:
        self._solved, self._bot, self._evaluator = Solved(game, backend), bot, evaluator

    def begin(self, number: int) -> None:
        """See `Bot`."""
        self._bot.begin(number)
        self._evaluator.begin(number)

    def choose(self, known: bytes, seat: int) -> int:
        """The best action for the seat, from its concealed struct."""
        return self.candidates(known, seat, 0)[0].action

    def candidates(self, known: bytes, seat: int, worlds: int | None = None) -> list[Candidate]:
        """Every legal action, the best first."""
        found = self._solved.candidates(known, seat, 0)
        return self._bot.candidates(known, seat, worlds) if any(each.value is None for each in found) else found

    def evaluate(self, known: bytes, seat: int, actions: list[int], worlds: int) -> PairedValues | ExactValues:
        """As `PairedEvaluator.evaluate`; without chance where the solution is exact."""
        values = {each.action: each.value for each in self._solved.candidates(known, seat, 0)}
        exact = {action: round(value, DIGITS) for action, value in values.items() if value is not None}
        if len(exact) == len(values):
            return ExactValues(exact)
        return self._evaluator.evaluate(known, seat, actions, worlds)
