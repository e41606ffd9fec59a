"""Values of moves for bots that only have probabilities: estimated by rollouts when somebody asks for them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from hexdeck.bots.bot import Candidate, ranked
from hexdeck.bots.nets.netfile import Net
from hexdeck.bots.search.paired_evaluator import PairedEvaluator
from hexdeck.engine.play.game import GameSetup

WORLDS = {"fast": 200, "checked": 50, "interpreted": 0}  # default number of worlds: none where rollouts are slow


class RolloutValues:
    """Values of moves if all seats go on by one policy of `workspace.POLICIES`.

    `temperature` and `net` are those of a net as the policy.
    """

    def __init__(
        self, game: GameSetup, backend: str, policy: str, temperature: float = 1.0, net: Net | None = None
    ) -> None:
        self._backend, self._evaluator = backend, (game, 0, backend, policy, temperature, net)

    def filled(self, candidates: Iterable[Candidate], known: bytes, seat: int, worlds: int | None) -> list[Candidate]:
        """Candidates, the best first, with the values that they lacked: means over so many worlds (0: they stay None).

        The same knowledge always meets the same worlds, cards and dice.
        """
        found, count = list(candidates), WORLDS[self._backend] if worlds is None else worlds
        unknown = [each.action for each in found if each.value is None] if count else []
        if unknown:
            evaluated = PairedEvaluator(*self._evaluator).evaluate(known, seat, unknown, count)
            found = [with_value(each, *evaluated.value(each.action)) if each.value is None else each for each in found]
        return ranked(found)


def with_value(each: Candidate, value: float, margin: float | None) -> Candidate:
    """A candidate with its value and margin."""
    return replace(each, value=value, margin=margin)
