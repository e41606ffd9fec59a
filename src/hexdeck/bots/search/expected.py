"""What moves bring to a bot that knows how often it plays them and not what for: they are tried when that is asked."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from hexdeck.bots.bot import Candidate, by_worth
from hexdeck.bots.nets.netfile import Net
from hexdeck.bots.search.paired_evaluator import PairedEvaluator
from hexdeck.engine.play.game import GameSetup

WORLDS = {"fast": 200, "checked": 50, "interpreted": 0}  # that moves are tried in, unless said: where it is slow, none


class Expectation:
    """Results of moves if all seats go on by one policy of `mind.POLICIES`, `net` and `heat` being a net's own."""

    def __init__(self, game: GameSetup, backend: str, policy: str, heat: float = 1.0, net: Net | None = None) -> None:
        self._how = game, 0, backend, policy, heat, net

    def told(self, candidates: Iterable[Candidate], known: bytes, seat: int, worlds: int | None) -> list[Candidate]:
        """Candidates, the best first; those of unknown worth are tried in so many worlds (0: in none).

        The same knowledge always meets the same worlds, cards and dice.
        """
        found, count = list(candidates), WORLDS[self._how[2]] if worlds is None else worlds
        unknown = [each.action for each in found if each.worth is None] if count else []
        if unknown:
            weighed = PairedEvaluator(*self._how).weigh(known, seat, unknown, count)
            found = [with_worth(each, *weighed.worth(each.action)) if each.worth is None else each for each in found]
        return by_worth(found)


def with_worth(each: Candidate, worth: float, margin: float | None) -> Candidate:
    """A candidate whose worth is known now."""
    return replace(each, worth=worth, margin=margin)
