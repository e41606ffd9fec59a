"""Exact results for hints and analyses, in games whose folder has a solver; estimates where it knows none."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from hexdeck.bots.bot import Bot, Candidate
from hexdeck.bots.players.solved import Solved
from hexdeck.bots.search.paired_evaluator import PairedEvaluator, Weighed
from hexdeck.engine.play.game import GameSetup

DIGITS = 9  # what differs less is equal


@dataclass(frozen=True)
class Exact:
    """Actions as a solution knows them, in the form of `scales.Weighed`; `worths`: of each action."""

    worths: Mapping[int, float]

    def worth(self, action: int) -> tuple[float, float | None]:
        """What an action brings; there is no margin."""
        return self.worths[action], None

    def gap(self, better: int, worse: int) -> tuple[float, float | None]:
        """By how much one action beats another; there is no margin."""
        return self.worths[better] - self.worths[worse], None


class ExactAdvisor:
    """Proposes and weighs moves by a game's solution wherever that is exact, elsewhere as others do."""

    name = "solved"

    def __init__(self, game: GameSetup, backend: str | None, bot: Bot, scales: PairedEvaluator) -> None:
        self._solved, self._bot, self._scales = Solved(game, backend), bot, scales

    def begin(self, number: int) -> None:
        """See `Bot`."""
        self._bot.begin(number)

    def choose(self, known: bytes, seat: int) -> int:
        """The best action for the seat, from its concealed struct."""
        return self.candidates(known, seat, 0)[0].action

    def candidates(self, known: bytes, seat: int, worlds: int | None = None) -> list[Candidate]:
        """Every legal action, the best first."""
        found = self._solved.candidates(known, seat, 0)
        return self._bot.candidates(known, seat, worlds) if any(each.worth is None for each in found) else found

    def weigh(self, known: bytes, seat: int, actions: list[int], worlds: int) -> Weighed | Exact:
        """As `PairedEvaluator.weigh`; without a throw of dice where the solution is exact."""
        worths = {each.action: each.worth for each in self._solved.candidates(known, seat, 0)}
        exact = {action: round(worth, DIGITS) for action, worth in worths.items() if worth is not None}
        return Exact(exact) if len(exact) == len(worths) else self._scales.weigh(known, seat, actions, worlds)
