"""A bot with a manner: of moves that it finds about as good, it prefers some to others."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace
from types import FunctionType
from typing import cast

import numpy as np

from hexdeck.bots.bot import Bot, Candidate, ranked, take
from hexdeck.bots.nets.inference import sample
from hexdeck.engine.errors import BadOption
from hexdeck.engine.play.game import GameSetup
from hexdeck.engine.play.probe_lines import Clause, Condition, parsed
from hexdeck.engine.random import rewind
from hexdeck.engine.study import Manner
from hexdeck.engine.text import _, say

COOLEST = 0.05  # temperature of a net that still mixes


class ManneredBot:
    """Plays as another bot does, tilted by a manner.

    A bot that mixes draws from its probabilities, those of the manner's actions multiplied by exp(`manner.logit` / its
    temperature). One that compares values changes its choice where the best of the actions that the manner likes (of
    the others, where it avoids some) is worth at most `manner.utility` less. `counts`: decisions at which some, not
    all, of the actions were the manner's; at how many of them the bot chose one; and at how many it would have without
    a manner. Raises BadOption for a net too cool to mix.
    """

    def __init__(self, game: GameSetup, plain: Bot, manner: Manner, seed: int | bytes, backend: str | None) -> None:
        temperature = getattr(plain, "temperature", 1.0)
        if temperature < COOLEST:
            text = _("A net at a temperature so low has no manner: give it one of {least} or more.")
            raise BadOption(say(text, least=COOLEST))
        self.name, self.manner, self.counts = plain.name, manner, np.zeros(3)
        self._plain, self._driver = plain, game.driver(backend)
        self._clauses = parsed(manner.line, game)
        self._rows, self._rng = game.rows(self._driver), self._driver.generator(seed, "bot manner")
        self._odds = float(np.exp(manner.logit / temperature))
        self._seen = np.zeros(max(end for _begin, end in game.rules.SLICES.values()), np.int8)

    def begin(self, number: int) -> None:
        """See `Bot`."""
        rewind(self._rng, number)
        self._plain.begin(number)

    def choose(self, known: bytes, seat: int) -> int:
        """An action id for the seat, from its concealed struct."""
        found = self._plain.candidates(known, seat, 0)
        marked = self._marked(known, seat, [each.action for each in found])
        tilted = self._tilted(found, marked)
        probabilities = self._driver.shared(np.array([each.probability for each in tilted]))
        at: int = self._driver.kernel(cast(FunctionType, sample))(probabilities, len(tilted), self._rng)
        if marked:
            without = sum(each.probability for each in found if each.action in marked)
            self.counts += 1, tilted[at].action in marked, without
        return tilted[at].action

    def candidates(self, known: bytes, seat: int, worlds: int | None = None) -> list[Candidate]:
        """Every legal action, how often the bot plays it with its manner, and its value."""
        found = self._plain.candidates(known, seat, worlds)
        return ranked(self._tilted(found, self._marked(known, seat, [each.action for each in found])))

    def _marked(self, known: bytes, seat: int, legal: Sequence[int]) -> set[int]:
        """The manner's actions among the legal ones, if these are some, not all of them."""
        take(self._driver, self._rows, known, seat)
        self._driver.kernel("observe_row")(self._driver.g, self._rows, 0, seat, self._driver.shared(self._seen))
        for clause in self._clauses:
            marked = {action for action in legal if action in clause.allowed}
            if 0 < len(marked) < len(legal) and holds(clause, self._seen):
                return marked
        return set()

    def _tilted(self, found: Sequence[Candidate], marked: Collection[int]) -> list[Candidate]:
        """The candidates with the probabilities that the manner gives them."""
        if not marked:
            return list(found)
        if any(0 < each.probability < 1 for each in found):
            weights = [each.probability * (self._odds if each.action in marked else 1.0) for each in found]
        else:
            chosen = preferred(found, marked, self.manner.utility)
            weights = [float(each.action == chosen) for each in found]
        return [replace(each, probability=weight / sum(weights)) for each, weight in zip(found, weights, strict=True)]


def preferred(found: Sequence[Candidate], marked: Collection[int], utility: float) -> int:
    """The action chosen by a bot that compares values: its own, or one that its manner likes and is nearly as good."""
    own = max(found, key=lambda each: each.probability)
    liked = [each for each in found if (each.action in marked) == (utility > 0) and each.value is not None]
    if own.value is None or not liked or (own.action in marked) == (utility > 0):
        return own.action
    best = max(liked, key=lambda each: each.value or 0.0)
    return best.action if (best.value or 0.0) >= own.value - abs(utility) else own.action


def holds(clause: Clause, seen: np.ndarray) -> bool:
    """Whether all conditions of a clause hold of what a seat sees."""
    return all(_holds(each, int(seen[each.begin : each.end].sum())) for each in clause.conditions)


def _holds(each: Condition, total: int) -> bool:
    return (each.low <= total <= each.high) == each.holds
